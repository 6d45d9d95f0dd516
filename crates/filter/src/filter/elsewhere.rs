//! Filters of other programs that are not here by any name, and what to type for them.

use super::spec::Spec;

/// What to type instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A chain of ours that does nearly the same.
    Near(&'static str),
    /// A filter of FFmpeg's, in front of the program.
    Before(&'static str),
    /// A filter of FFmpeg's with a second input, in front of the program.
    Second(&'static str),
    /// An option of the program.
    Option(&'static str),
    /// A filter of FFmpeg's for sound.
    Sound(&'static str),
    /// Why there is nothing to type.
    Needless(&'static str),
    /// That of another name.
    Of(&'static str),
}

use Answer::{Before, Near, Needless, Option as Typed, Second, Sound};

/// Names, in small letters, and their answer.
const ELSEWHERE: &[(&[&str], Answer)] = &[
    (
        &[
            "knlmeanscl",
            "knlm",
            "nlmeans_opencl",
            "vaguedenoiser",
            "owdenoise",
            "dctdnoiz",
            "fastnlmeansdenoising",
            "fastnlmeansdenoisingcolored",
        ],
        Near("nlmeans=s=auto"),
    ),
    (&["hqdn3d", "dfttest", "dfttest2", "fft3dfilter", "fft3d", "neatvideo", "temporaldegrain2"], Near("denoise")),
    (&["fftdnoiz"], Near("atadenoise=auto:s=7")),
    (&["smartblur", "sab", "yaepblur"], Near("bilateral=sigma_s=2:sigma_r=0.06")),
    (&["uspp", "despeckle", "removegrain"], Near("median=radius=1")),
    (&["edgedetect", "canny", "edge", "edges", "findedges", "tcanny"], Near("sobel")),
    (&["minimum", "min", "thin"], Near("erode=radius=1")),
    (&["maximum", "max", "thicken", "deflate"], Near("dilate=radius=1")),
    (&["sharp", "sharpness", "convsharpen"], Near("unsharp=amount=0.8")),
    (&["glow", "bloom", "orton", "softlight", "softglow"], Near("gaussian=8:mix=0.5")),
    (&["cartoon", "stylize"], Near("bilateral=sigma_s=4:sigma_r=0.1")),
    (&["solarize"], Near("lut='0 0.5 0'")),
    (&["posterize", "elbg"], Before("elbg=codebook_length=16")),
    (&["dblur", "directionalblur", "linearblur"], Near("motionblur")),
    (&["smooth", "smoothing", "soften", "softening", "fastblur", "stackblur"], Near("gaussian=sigma=2")),
    (&["grayscale", "greyscale", "gray", "grey", "monochrome", "desaturate"], Near("saturation=0")),
    (&["autolevels", "normalize"], Near("levels=in_low=0.05:in_high=0.95")),
    (&["lagfun"], Near("tblend=all_mode=average")),
    (&["tmedian3"], Near("tmedian=radius=1")),
    (&["lsfmod", "awarpsharp", "awarpsharp2", "finesharp", "contrasharpening"], Near("cas=0.5")),
    (&["lapsharp"], Near("sharpen=amount=0.3")),
    (&["morphologyex"], Near("open=radius=1")),
    (&["turn180", "rotate180"], Near("hflip,vflip")),
    (&["turn90", "turnright", "rotate90"], Near("transpose=clock")),
    (&["turn270", "turnleft", "rotate270"], Near("transpose=cclock")),
    (&["pyrdown"], Near("scale=iw/2:-2")),
    (&["pyrup"], Near("scale=iw*2:-2")),
    (&["scale2ref", "lanczos", "lanczos3", "lanczos4", "sinc", "resample"], Near("scale=1280:-2:lanczos")),
    (&["bicubic", "bicublin", "catmullrom", "catrom"], Near("scale=1280:-2:bicubic")),
    (&["mitchell"], Near("scale=1280:-2:bicubic:b=0.333333:c=0.333333")),
    (&["bilinear", "fast_bilinear"], Near("scale=1280:-2:bilinear")),
    (&["point", "nearest", "neighbor", "neighbour"], Near("scale=1280:-2:point")),
    (&["spline", "spline16"], Near("scale=1280:-2:spline16")),
    (&["spline36"], Near("scale=1280:-2:spline36")),
    (&["spline64"], Near("scale=1280:-2:spline64")),
    (&["minterpolate", "interpolate"], Before("minterpolate=fps=50")),
    (&["setpts", "slow", "slowmo"], Before("setpts=2*PTS")),
    (&["speed", "faster", "hyperlapse"], Before("setpts=0.5*PTS")),
    (&["sepia"], Near("colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131")),
    (&["colorbalance"], Before("colorbalance=rs=0.1")),
    (&["zoom", "magnify"], Typed("crop=iw/2:ih/2,scale=2*iw:2*ih")),
    (&["zoompan", "kenburns"], Before("zoompan=z=1.5:d=1")),
    (&["thumbnail"], Before("thumbnail")),
    (&["setsar", "setdar"], Before("setsar=1")),
    (&["tile", "contactsheet"], Before("tile=4x4")),
    (&["chromakey", "greenscreen", "colorkey"], Before("chromakey=green")),
    (&["histeq", "clahe", "equalize", "equalizehist"], Before("histeq")),
    (&["xfade", "crossfade"], Second("xfade=offset=4")),
    (&["haldclut"], Second("haldclut")),
    (&["hstack", "stackhorizontal"], Typed("pad=2*iw:ih,overlay=RIGHT.mp4:x=W/2, for clips of one size")),
    (&["vstack", "stackvertical"], Typed("pad=iw:2*ih,overlay=BELOW.mp4:y=H/2, for clips of one size")),
    (&["xstack"], Second("xstack=inputs=2:layout=0_0|w0_0")),
    (&["pip"], Typed("overlay=CAMERA.mp4:x=W-w-16:y=16:width=W/4")),
    (&["lenscorrection", "lensfun", "fisheye", "barrel"], Before("lenscorrection=k1=-0.2:k2=-0.02")),
    (&["v360"], Before("v360=e:flat:w=1280:h=720")),
    (&["flip"], Near("vflip")),
    (
        &[
            "qtgmc",
            "nnedi",
            "nnedi3",
            "estdif",
            "kerndeint",
            "deinterlace",
            "deinterlace_vaapi",
            "deinterlace_qsv",
            "tdeint",
            "znedi3",
            "eedi2",
            "eedi3",
            "decomb",
            "vinverse",
        ],
        Near("bwdif=mode=send_frame"),
    ),
    (&["stabilise", "stabilizer", "shaky", "shake"], Near("stabilize")),
    (&["drawtext", "text"], Before("drawtext=text=hello")),
    (&["drawbox"], Before("drawbox=w=100:h=100")),
    (&["fade"], Before("fade=d=1")),
    (&["reverse"], Before("reverse")),
    (&["noise", "addgrain", "grainfactory3"], Near("grain")),
    (&["gradfun"], Before("gradfun")),
    (&["delogo"], Before("delogo=10:10:100:50")),
    (&["vignette"], Before("vignette")),
    (&["pixelize", "pixelate", "mosaic"], Before("pixelize")),
    (&["deblock_qed", "pp"], Near("deblock")),
    (&["ivtc", "pullup", "detelecine"], Near("fieldmatch,decimate")),
    (&["chromashift", "rgbashift"], Before("chromashift=cbh=2")),
    (&["select", "framestep"], Before("framestep=2")),
    (&["subtitles", "ass"], Before("subtitles=FILE.srt")),
    (&["trim", "atrim"], Typed("--start TIME and --duration TIME")),
    (&["format", "pix_fmt", "cvtcolor"], Typed("--pix-fmt FORMAT")),
    (&["showinfo", "idet", "signalstats", "mediainfo", "ffprobe"], Typed("warpreel INPUT, which describes a clip")),
    (&["ssim", "psnr", "xpsnr"], Typed("--metrics psnr,ssim, or compare two clips: warpreel metrics A B")),
    (
        &["vmaf", "libvmaf", "ssimulacra2"],
        Typed("--metrics ssimulacra2, or compare two clips: warpreel metrics A B --metrics ssimulacra2"),
    ),
    (&["null", "copy", "none"], Typed("no -f at all")),
    (&["palettegen", "paletteuse"], Needless("outputs ending in .gif get palettes of their own; leave it out")),
    (
        &["cropdetect", "autocrop"],
        Needless("find the bars with ffmpeg -i IN -vf cropdetect -f null -, then type -f crop=W:H:X:Y"),
    ),
    (
        &["blackdetect", "freezedetect", "scdet"],
        Needless("it changes nothing; run it by itself: ffmpeg -i IN -vf blackdetect -f null -"),
    ),
    (&["loop"], Needless("repeat the output without encoding it: ffmpeg -stream_loop 3 -i OUT -c copy REPEATED")),
    (
        &["concat"],
        Needless(
            "join the clips first: ffmpeg -f concat -i LIST.txt -c copy JOINED, with a line file 'NAME' for each in LIST.txt",
        ),
    ),
    (
        &["split", "asplit"],
        Needless(
            "a chain makes one video of one; run warpreel once for each output, or type --compare for before and after",
        ),
    ),
    (&["tpad"], Before("tpad=stop_duration=5")),
    (&["histogram"], Before("histogram")),
    (&["waveform"], Before("waveform")),
    (&["vectorscope"], Before("vectorscope")),
    (&["pseudocolor", "heatmap", "falsecolor"], Before("pseudocolor=preset=turbo")),
    (&["dedot", "derainbow", "rainbowsmooth", "bifrost", "dotkill"], Before("dedot")),
    (&["atempo"], Sound("atempo=2")),
    (&["volume"], Sound("volume=2")),
    (&["afade"], Sound("afade=d=1")),
    (&["loudnorm", "dynaudnorm"], Sound("loudnorm")),
    (&["aresample", "asetrate"], Sound("aresample=48000")),
    (&["h264", "hevc", "libx264", "libx265", "av1"], Typed("--codec NAME")),
];

/// Filters of FFmpeg's in the table that are called as they are typed, beside those that an answer begins with.
const FFMPEGS: [&str; 7] = ["rgbashift", "select", "ass", "vstack", "xstack", "dynaudnorm", "asetrate"];

/// The streams that FFmpeg hands on beside the pictures, which lose nothing in FFV1.
const HANDED_ON: &str = "-map 0 -map -0:d -c copy -c:v:0 ffv1 -f matroska -";

/// The command of FFmpeg's that runs filters of its own on a clip, and hands on the result with all that can be piped.
pub fn ffmpeg_first(input: &str, filters: &str) -> String {
    format!("ffmpeg -i {input} -filter:v:0 {} {HANDED_ON}", quoted(filters))
}

/// The chain of ours that comes nearest to a filter that is known elsewhere.
pub(super) fn near(name: &str) -> Option<&'static str> {
    match find(name)? {
        Near(chain) => Some(chain),
        _ => None,
    }
}

/// The filter of FFmpeg's for one that is known elsewhere and not here, with the values that were typed where they are
/// FFmpeg's.
pub(super) fn before(name: &str, text: &str) -> Option<String> {
    let Before(filter) = find(name)? else { return None };
    Some(called(filter, name, text).to_owned())
}

/// The typed call, if it is one of FFmpeg's filter and has values, else `filter`.
fn called<'a>(filter: &'a str, name: &str, text: &'a str) -> &'a str {
    let call = typed(text).filter(|call| call.len() > name.len() && call.is_ascii());
    let name = name.to_ascii_lowercase();
    let is_ffmpegs = filter.split(['=', ',']).next() == Some(&name) || FFMPEGS.contains(&name.as_str());
    call.filter(|_| is_ffmpegs).unwrap_or(filter)
}

fn find(name: &str) -> Option<&'static Answer> {
    let name = name.to_ascii_lowercase();
    ELSEWHERE.iter().find(|(names, _)| names.contains(&name.as_str())).map(|(_, answer)| answer)
}

/// The same command for an input that is mp4 or mov: Matroska cannot hold its subtitles as they are.
pub fn with_mov_text(advice: &str) -> String {
    advice.replace(" -c copy -c:v:0 ffv1", " -c copy -c:s srt -c:v:0 ffv1")
}

/// Advice for a filter of that name, if it is known elsewhere: `type "sobel", which is nearest here`. `text` is the chain from
/// the name on; values that were typed for a filter of FFmpeg's are kept.
pub(super) fn advice(name: &str, text: &str) -> Option<String> {
    said(*find(name)?, name, text)
}

/// An answer in words, for a filter of that name, if it has one.
pub(super) fn said(answer: Answer, name: &str, text: &str) -> Option<String> {
    Some(match answer {
        Answer::Of(other) => return advice(other, other),
        Near("vflip")
            if typed(text)
                .and_then(|call| call.split_once('='))
                .is_some_and(|(_, way)| way.starts_with(['h', 'x', '1'])) =>
        {
            "type \"hflip\"; see: warpreel filters hflip".to_owned()
        }
        Near(chain) => {
            let (name, unit) = (first_name(chain), if chain.contains(',') { "chain" } else { "filter" });
            format!("type \"{chain}\", the nearest {unit} here; see: warpreel filters {name}")
        }
        Before(filter) => {
            let filter = called(filter, name, text);
            let is_pace = filter.starts_with("setpts");
            let sound = if is_pace { " --no-audio; the sound keeps its pace: change it with atempo" } else { "" };
            format!("use FFmpeg first: {} | warpreel - OUT -f …{sound}", ffmpeg_first("IN", filter))
        }
        Second(filter) => format!(
            "use FFmpeg first: ffmpeg -i IN -i SECOND -filter_complex {} -map '0:a?' -c:a copy -c:v ffv1 -f matroska - | warpreel - OUT -f …",
            quoted(called(filter, name, text))
        ),
        Sound(filter) => format!(
            "filters are for pictures; change the sound of the output: ffmpeg -i OUT -c copy -c:a aac -af {} CHANGED",
            quoted(called(filter, name, text))
        ),
        Needless(why) => (*why).to_owned(),
        Typed(option) => format!("type {option}"),
    })
}

/// The name of the first filter of a chain.
fn first_name(chain: &str) -> &str {
    chain.split(['=', ',']).next().unwrap_or_default()
}

/// The first call of a chain, up to a comma that is neither quoted nor escaped; `None` where a quote is open.
fn typed(text: &str) -> Option<&str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if !is_quoted => is_escaped = true,
            '\'' => is_quoted = !is_quoted,
            ',' | ';' if !is_quoted => return Some(text[..at].trim()),
            _ => {}
        }
    }
    (!is_quoted).then(|| text.trim())
}

/// A word for the shell.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "=:,._-/+@%".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// What other programs call a filter of ours, and filters of theirs to which it comes nearest.
pub fn names_elsewhere(spec: &Spec) -> Vec<&'static str> {
    let is_near = |answer: &Answer| matches!(answer, Near(chain) if first_name(chain) == spec.name);
    let near = ELSEWHERE.iter().filter(|(_, answer)| is_near(answer)).flat_map(|(names, _)| names.iter());
    spec.elsewhere.iter().chain(near).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Defaults, FILTERS, parse};
    use super::{Before, ELSEWHERE, Near, advice};

    #[test]
    fn what_is_said_to_be_near_is_a_chain() {
        for (names, answer) in ELSEWHERE {
            if let Near(chain) = answer
                && (cfg!(feature = "libav") || !chain.contains("iw"))
            {
                assert!(!parse(chain, &Defaults::default()).expect(chain).is_empty(), "{names:?}");
            }
        }
    }

    #[test]
    fn every_name_stands_once_and_is_none_of_ours() {
        let mut all: Vec<&str> = ELSEWHERE.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        assert!(all.iter().all(|name| *name == name.to_lowercase()));
        for spec in FILTERS {
            assert!(!all.contains(&spec.name), "{}", spec.name);
            assert!(spec.elsewhere.iter().all(|name| !all.contains(name)), "{:?}", spec.elsewhere);
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn values_are_kept() {
        let answers = [("atempo", "atempo=1.5"), ("xfade", "xfade=offset=9"), ("select", "select=eq(n\\,3)")];
        for (name, text) in answers {
            assert!(advice(name, text).is_some_and(|said| said.contains(text)), "{text}");
        }
        assert!(advice("volume", "volume").is_some_and(|said| said.contains("-af volume=2 ")));
    }

    #[test]
    fn what_ffmpeg_does_is_typed_without_quotes() {
        for (_, answer) in ELSEWHERE {
            if let Before(filter) = answer {
                assert!(filter.chars().all(|c| c.is_ascii_alphanumeric() || "=:,.*_-".contains(c)), "{filter}");
            }
        }
    }
}
