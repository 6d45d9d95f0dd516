//! What is typed for FFmpeg's program, and what it is here.

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
    (&["-i"], Says("the input takes no option; type warpreel INPUT OUTPUT")),
    (&["-vf", "-filter", "-lavfi", "-filter_complex"], Is("-f CHAIN")),
    (&["-ss"], Is("--start TIME")),
    (&["-t"], Is("--duration TIME")),
    (&["-to"], Is("--end TIME")),
    (&["-r", "-framerate"], Is("--fps RATE")),
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
    (&["-an"], Says("that is --no-audio here")),
    (&["-sn"], Says("that is --subtitles none here")),
    (&["-map"], Says("streams are chosen by --audio and --subtitles; by default all are kept")),
    (&["-s", "-video_size"], Says("the size stays; raw frames have theirs in --raw FORMAT:WxH@FPS")),
    (
        &["-tune", "-profile", "-level", "-g", "-bf", "-maxrate", "-bufsize", "-x264-params", "-x265-params"],
        Says(ENCODER),
    ),
    (&["-hwaccel"], Says("the GPU is taken where there is one; --backend cuda insists on it")),
    (&["-n"], Says("files that exist are kept unless -y is typed; leave it out")),
    (&["-loglevel", "-hide_banner", "-nostdin", "-stats", "-nostats"], Says("type -q to hear less, -v to hear more")),
];

const ENCODER: &str = "options of encoders are typed as --encoder-option tune=grain";

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

/// What to type for the first word that is an option of FFmpeg's and none of ours, `is_ours` says which are; `None` if
/// there is none. The words stand behind the program's name.
pub(super) fn advice(words: &[&str], is_ours: impl Fn(char) -> bool) -> Option<String> {
    let words = words.split(|word| *word == "--").next().unwrap_or_default();
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
        Some(match answer {
            Is(ours) => {
                let option = ours.split(' ').next().unwrap_or_default();
                let typed = value.filter(|value| !value.is_empty() && !value.starts_with('-'));
                let quoted =
                    |value: &str| match value.chars().all(|c| c.is_ascii_alphanumeric() || ".:/=_@".contains(c)) {
                        true => format!("{option} {value}"),
                        false => format!("{option} \"{value}\""),
                    };
                format!("{word} is {option} here; type {}", typed.map_or_else(|| (*ours).to_owned(), quoted))
            }
            Says(words) => format!("{word} is none of the options here: {words}"),
        })
    })
}
