//! Options of FFmpeg's program, and their counterparts here.

use std::path::Path;

use super::answer::ONE_PASS;
use crate::filter::{self, Adopted, Defaults};
use crate::sequence;
use crate::shell::quoted;

/// What to type instead.
enum Counterpart {
    /// An option that takes the same value.
    Is(&'static str),
    /// Something else, in words.
    Says(&'static str),
}

use Counterpart::{Is, Says};

/// Options of FFmpeg's, with one dash, and their answer. An option that has a stream behind it, `-c:v`, is looked for
/// with and without it.
const OPTIONS: &[(&[&str], Counterpart)] = &[
    (&["-i"], Says("name the input without it: warpreel INPUT OUTPUT")),
    (&["-vf", "-filter", "-lavfi", "-filter_complex"], Is("-f CHAIN")),
    (&["-ss"], Is("--start TIME")),
    (&["-t"], Is("--duration TIME")),
    (&["-to"], Is("--end TIME")),
    (&["-r", "-framerate"], Says(RATE)),
    (
        &["-c:a", "-acodec", "-codec:a", "-b:a", "-ab"],
        Says("sound is copied, or converted where the output cannot hold it; see --audio"),
    ),
    (
        &["-c:s", "-scodec", "-codec:s"],
        Says("subtitles are copied, or converted where the output cannot hold them; see --subtitles"),
    ),
    (&["-c", "-codec", "-vcodec"], Is("--codec NAME")),
    (&["-crf", "-qp", "-cq", "-q:v", "-qscale"], Is("--crf N")),
    (&["-b", "-vb"], Is("--bitrate RATE")),
    (&["-preset"], Is("--preset NAME")),
    (&["-pix_fmt"], Is("--pix-fmt FORMAT")),
    (&["-frames", "-vframes"], Is("--frames N")),
    (&["-threads"], Is("--threads N")),
    (&["-an"], Says("type --no-audio")),
    (&["-sn"], Says("type --subtitles none")),
    (&["-map"], Says("all streams are kept; choose some with --audio, --subtitles and --drop")),
    (
        &["-s", "-video_size"],
        Says(
            "the size is that of the input; type -f scale=1280:-2 for another, and --raw FORMAT:WxH@FPS for raw frames",
        ),
    ),
    (
        &["-tune", "-profile", "-level", "-g", "-bf", "-maxrate", "-bufsize", "-x264-params", "-x265-params"],
        Says(ENCODER),
    ),
    (&["-pass", "-passlogfile"], Says(ONE_PASS)),
    (&["-vn"], Says("outputs hold video; take the sound alone with ffmpeg -i INPUT -vn OUTPUT")),
    (
        &["-ar", "-ac", "-af"],
        Says("sound is copied or converted as it is; change it with ffmpeg -i OUTPUT -c:v copy … CHANGED"),
    ),
    (
        &["-metadata"],
        Says("the tags of the input are kept; write others with ffmpeg -i OUTPUT -c copy -metadata title=TEXT TAGGED"),
    ),
    (&["-aspect"], Says("pixels keep their shape; change it with ffmpeg -i OUTPUT -c copy -aspect 16:9 CHANGED")),
    (&["-hwaccel"], Says("a GPU is used if there is one; --backend cuda fails without one")),
    (&["-n"], Says("existing files are kept without -y; leave it out")),
    (&["-loglevel", "-hide_banner", "-nostdin", "-stats", "-nostats"], Says("type -q for fewer messages, -v for more")),
];

const RATE: &str = "for another rate type -f fps=30, and for images and raw frames --fps 30";

const ENCODER: &str = "type options of encoders as --encoder-option tune=grain";

/// Options of FFmpeg's that have no effect here, those that take a value after those that take none.
const IDLE: [&[&str]; 2] = [
    &["-hide_banner", "-nostdin", "-stats", "-nostats", "-n", "-shortest"],
    &["-loglevel", "-v", "-map", "-c:a", "-acodec", "-c:s", "-scodec", "-movflags", "-strict", "-vsync", "-fps_mode"],
];

/// Options of encoders that FFmpeg's program takes by themselves.
const OF_ENCODERS: [&str; 9] =
    ["tune", "profile", "level", "g", "bf", "maxrate", "bufsize", "x264-params", "x265-params"];

/// Words before the command that does the same here.
const FOREIGN: &str = "these are options of ffmpeg; type";

/// A command line of FFmpeg's with `-i` in our words, its filters in ours; `None` if it has none, or a part without a
/// counterpart.
fn translated(words: &[&str]) -> Option<String> {
    const OTHERS: [&str; 3] = ["bench", "explain", "preview"];
    if OTHERS.contains(words.first()?) {
        return None;
    }
    let (mut names, mut input, mut options) = (Vec::new(), None, Vec::new());
    let (mut chains, mut size, mut rate) = (Vec::new(), None, None);
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        let bare = word.split(':').next().unwrap_or_default();
        let find = |name: &str| OPTIONS.iter().find(|(names, _)| names.contains(&name));
        match word {
            "-i" if input.is_none() => input = Some(rest.next()?),
            "-y" => options.push(word.to_owned()),
            "-an" => options.push("--no-audio".to_owned()),
            "-sn" => options.push("--subtitles none".to_owned()),
            "-r" | "-framerate" => rate = Some(rest.next()?),
            "-s" => size = Some(rest.next()?),
            "-vf" | "-filter:v" | "-filter" | "-filter:v:0" => chains.push(rest.next()?),
            // Pictures are filtered, and so are encoded anew.
            "-c" | "-c:v" | "-codec" | "-vcodec" if rest.clone().next() == Some("copy") => drop(rest.next()),
            "-f" => {
                let container = rest.next().filter(|name| CONTAINERS.contains(name))?;
                options.push(format!("--container {container}"));
            }
            "-hwaccel" => options.push(format!("--backend {}", rest.next().filter(|value| *value == "cuda")?)),
            _ if IDLE[0].contains(&word) => {}
            _ if IDLE[1].contains(&word) => drop(rest.next()?),
            _ if !word.starts_with('-') || word == "-" => names.push(word),
            _ => match find(word).or_else(|| find(bare)) {
                Some((_, Is(ours))) => {
                    let option = ours.split(' ').next()?;
                    options.push(format!("{option} {}", quoted(rest.next()?)));
                }
                _ => {
                    let option = OF_ENCODERS.iter().find(|option| bare.strip_prefix('-') == Some(option))?;
                    options.push(format!("--encoder-option {option}={}", rest.next()?));
                }
            },
        }
    }
    let [output] = names[..] else { return None };
    Some(Translation { input: input?, output, options, chains, size, rate }.told())
}

/// The parts of a command line of FFmpeg's.
struct Translation<'a> {
    input: &'a str,
    output: &'a str,
    /// Options in our words.
    options: Vec<String>,
    /// Chains as they were typed.
    chains: Vec<&'a str>,
    size: Option<&'a str>,
    rate: Option<&'a str>,
}

impl Translation<'_> {
    /// The answer: one command, behind a pipe from FFmpeg where that has to filter first.
    fn told(self) -> String {
        let Self { input, output, mut options, chains, size, rate } = self;
        let typed = chains.join(",");
        let known = filter::adopt(&typed).or_else(|| typed.is_empty().then(Adopted::default));
        // What has no counterpart is told of by the chain itself.
        let fault = known.is_none().then(|| filter::parse(&typed, &Defaults::default()).err()).flatten();
        let Adopted { before, mut chain } = known.unwrap_or_else(|| Adopted { before: Vec::new(), chain: vec![typed] });
        if let Some(rate) = rate {
            match sequence::is_sequence(Path::new(input)) {
                true => options.push(format!("--fps {rate}")),
                false => chain.push(format!("fps={rate}")),
            }
        }
        chain.extend(size.map(|size| format!("scale={}", size.replace('x', ":"))));
        if !chain.is_empty() {
            options.insert(0, format!("-f {}", quoted(&chain.join(","))));
        }
        let first = (!before.is_empty()).then(|| {
            let command = filter::ffmpeg_first(&quoted(input), &before.join(","));
            let is_mp4 = [".mp4", ".mov", ".m4v"].iter().any(|ending| input.to_ascii_lowercase().ends_with(ending));
            format!("{} | ", if is_mp4 { filter::with_mov_text(&command) } else { command })
        });
        let read = if first.is_some() { "-".to_owned() } else { quoted(input) };
        let words = [&["warpreel".to_owned(), read, quoted(output)][..], &options].concat().join(" ");
        let fault = fault.map_or_else(String::new, |fault| format!("; but {fault}"));
        format!("{FOREIGN} {}{words}{fault}", first.unwrap_or_default())
    }
}

/// Containers that FFmpeg's program takes behind `-f`, none of which is a filter.
const CONTAINERS: &[&str] = &[
    "mp4",
    "mov",
    "mkv",
    "matroska",
    "webm",
    "avi",
    "nut",
    "mpegts",
    "flv",
    "gif",
    "ogg",
    "mxf",
    "ivf",
    "h264",
    "hevc",
    "image2",
    "image2pipe",
    "rawvideo",
    "raw",
    "yuv4mpegpipe",
    "y4m",
];

/// Advice for a command line with options of FFmpeg's: the whole command in our words if all of it has a counterpart, else
/// the first such option; `None` without any. `is_ours` decides on short options; the program's name is not among the words.
pub(super) fn advice(words: &[&str], is_ours: impl Fn(char) -> bool) -> Option<String> {
    let words = words.split(|word| *word == "--").next().unwrap_or_default();
    if let Some(command) = translated(words) {
        return Some(command);
    }
    words.iter().enumerate().find_map(|(at, word)| {
        let value = words.get(at + 1).copied();
        if ["-f", "--filter"].contains(word) {
            let name = value.filter(|value| CONTAINERS.contains(value))?;
            return Some(format!("{word} takes filters, and {name} is a container; type --container {name}"));
        }
        let mut letters = word.chars().skip(1);
        if let (Some(letter), None) = (letters.next(), letters.next())
            && is_ours(letter)
        {
            return None;
        }
        let bare = word.split(':').next().unwrap_or_default();
        let find = |name: &str| OPTIONS.iter().find(|(names, _)| names.contains(&name));
        let (_, answer) = find(word).or_else(|| find(bare))?;
        let takes_rate = |word: &&str| word.starts_with("--raw") || sequence::is_sequence(Path::new(word));
        let answer = match answer {
            Says(RATE) if words.iter().any(takes_rate) => &Is("--fps RATE"),
            answer => answer,
        };
        Some(match answer {
            Is(ours) => {
                let option = ours.split(' ').next().unwrap_or_default();
                let typed = value.filter(|value| !value.is_empty() && !value.starts_with('-'));
                let quoted = |value: &str| format!("{option} {}", quoted(value));
                format!("{word} is {option} here; type {}", typed.map_or_else(|| (*ours).to_owned(), quoted))
            }
            Says(words) => format!("{word} is an option of ffmpeg: {words}"),
        })
    })
}
