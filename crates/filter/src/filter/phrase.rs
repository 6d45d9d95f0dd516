//! Phrases for a task: words that together say more than each by itself, and a chain that does it.

use super::elsewhere;
use super::table;

/// A task in words, and what does it.
pub(super) struct Phrase {
    /// Words that all stand in the task, in this order.
    words: &'static [&'static str],
    /// Names of the filters that serve it, the usual choice first.
    pub filters: &'static [&'static str],
    /// A chain that does it.
    pub chain: &'static str,
}

const fn phrase(words: &'static [&'static str], filters: &'static [&'static str], chain: &'static str) -> Phrase {
    Phrase { words, filters, chain }
}

const PAD: &[&str] = &["pad", "scale"];
const LETTERBOX: &str = "scale=fit=1920x1080,pad=1920:1080:-1:-1";
const CROP: &[&str] = &["crop"];
const DEPTH: &[&str] = &["scale", "deband"];
const DENOISE: &[&str] = &["denoise", "degrain", "bm3d", "nlmeans"];
const SKIN: &[&str] = &["bilateral", "nlmeans"];
const FINE: &[&str] = &["gaussian", "lowpass"];
const LOOK: &[&str] = &["lut3d", "saturation", "colortemperature", "grain"];
const STACK: &[&str] = &["tmedian", "taverage", "tmix", "tblend"];
const MOVEMENT: &[&str] = &["tdiff", "motion", "degrain"];
const RATE: &[&str] = &["framerate", "fps"];
const TURN: &[&str] = &["transpose", "rotate"];
const FLIP: &[&str] = &["hflip", "vflip", "transpose"];
const CARTOON: &[&str] = &["bilateral", "median"];
const SHAPES: &[&str] = &["open", "close", "erode", "dilate", "median"];

/// The first whose words all stand in the task is taken.
const PHRASES: &[Phrase] = &[
    phrase(&["vertical"], &["crop", "scale", "transpose"], "crop=ih*9/16:ih"),
    phrase(&["portrait", "crop"], &["crop", "scale", "transpose"], "crop=ih*9/16:ih"),
    phrase(&["square", "crop"], CROP, "crop=ih:ih"),
    phrase(&["square"], CROP, "crop=ih:ih"),
    phrase(&["add", "bars"], PAD, LETTERBOX),
    phrase(&["pillarbox"], PAD, LETTERBOX),
    phrase(&["aspect"], &["scale", "pad", "crop"], LETTERBOX),
    phrase(&["remove", "borders"], CROP, "crop=iw-32:ih-16"),
    phrase(&["remove", "border"], CROP, "crop=iw-32:ih-16"),
    phrase(&["zoom", "in"], &["crop", "scale"], "crop=iw/2:ih/2,scale=2*iw:2*ih"),
    phrase(&["8", "bit", "10"], DEPTH, "scale=depth=10"),
    phrase(&["10", "bit", "8"], DEPTH, "scale=depth=8:dither=ordered"),
    phrase(&["8bit"], DEPTH, "scale=depth=8:dither=ordered"),
    phrase(&["8", "bit"], DEPTH, "scale=depth=8:dither=ordered"),
    phrase(&["10bit"], DEPTH, "scale=depth=10"),
    phrase(&["bit"], DEPTH, "scale=depth=10"),
    phrase(&["bits"], DEPTH, "scale=depth=10"),
    phrase(&["upscale"], &["scale"], "scale=iw*2:-2:lanczos"),
    phrase(&["upscaling"], &["scale"], "scale=iw*2:-2:lanczos"),
    phrase(&["enlarge"], &["scale"], "scale=iw*2:-2:lanczos"),
    phrase(&["bigger"], &["scale"], "scale=iw*2:-2:lanczos"),
    phrase(&["larger"], &["scale"], "scale=iw*2:-2:lanczos"),
    phrase(&["double", "size"], &["scale"], "scale=iw*2:-2:lanczos"),
    phrase(&["super", "resolution"], &["scale", "cas"], "scale=iw*2:-2:lanczos,cas=0.5"),
    phrase(&["resolution"], &["scale"], "scale=1280:-2:lanczos"),
    phrase(&["1080p"], &["scale"], "scale=-2:1080:lanczos"),
    phrase(&["720p"], &["scale"], "scale=-2:720:lanczos"),
    phrase(&["480p"], &["scale"], "scale=-2:480:lanczos"),
    phrase(&["4k"], &["scale"], "scale=-2:2160:lanczos"),
    phrase(&["mirror"], FLIP, "hflip"),
    phrase(&["upside", "down"], FLIP, "hflip,vflip"),
    phrase(&["180"], FLIP, "hflip,vflip"),
    phrase(&["90"], TURN, "transpose=clock"),
    phrase(&["270"], TURN, "transpose=cclock"),
    phrase(&["quarter"], TURN, "transpose=clock"),
    phrase(&["sideways"], TURN, "transpose=clock"),
    phrase(&["underexposed"], &["exposure", "gamma", "levels"], "exposure=1"),
    phrase(&["overexposed"], &["exposure", "levels", "eq"], "exposure=-0.5"),
    phrase(&["low", "light"], DENOISE, "denoise,gamma=1.2"),
    phrase(&["day", "night"], &["exposure", "colortemperature", "saturation"], "exposure=-1.5,colortemperature=9000"),
    phrase(&["rain"], STACK, "tmedian=radius=2"),
    phrase(&["star", "trails"], STACK, "tmedian=radius=15:percentile=1"),
    phrase(&["light", "trails"], STACK, "tmedian=radius=15:percentile=1"),
    phrase(&["stack"], STACK, "taverage=radius=7"),
    phrase(&["stacking"], STACK, "taverage=radius=7"),
    phrase(&["average", "frames"], &["taverage", "tmix"], "taverage=radius=2"),
    phrase(&["blend", "frames"], &["tmix", "taverage", "tblend"], "tmix=frames=3"),
    phrase(&["moire"], FINE, "gaussian=0.7"),
    phrase(&["aliasing"], FINE, "gaussian=0.7"),
    phrase(&["antialias"], FINE, "gaussian=0.7"),
    phrase(&["antialiasing"], FINE, "gaussian=0.7"),
    phrase(&["jaggies"], FINE, "gaussian=0.7"),
    phrase(&["ringing"], &["bilateral", "deblock"], "bilateral=sigma_s=2:sigma_r=0.06"),
    phrase(&["dering"], &["bilateral", "deblock"], "bilateral=sigma_s=2:sigma_r=0.06"),
    phrase(&["halo"], &["bilateral", "cas"], "bilateral=sigma_s=2:sigma_r=0.06"),
    phrase(&["halos"], &["bilateral", "cas"], "bilateral=sigma_s=2:sigma_r=0.06"),
    phrase(&["dehalo"], &["bilateral", "cas"], "bilateral=sigma_s=2:sigma_r=0.06"),
    phrase(&["skin"], SKIN, "bilateral=sigma_s=3:sigma_r=0.06"),
    phrase(&["beauty"], SKIN, "bilateral=sigma_s=3:sigma_r=0.06"),
    phrase(&["cartoon"], CARTOON, "bilateral=sigma_s=4:sigma_r=0.1"),
    phrase(&["comic"], CARTOON, "bilateral=sigma_s=4:sigma_r=0.1"),
    phrase(&["oil"], CARTOON, "median=radius=4"),
    phrase(&["painting"], CARTOON, "median=radius=4"),
    phrase(&["pencil"], &["sobel", "invert"], "sobel,invert"),
    phrase(&["sketch"], &["sobel", "invert"], "sobel,invert"),
    phrase(&["vintage"], LOOK, "saturation=0.7,colortemperature=5000,grain=6"),
    phrase(&["retro"], LOOK, "saturation=0.7,colortemperature=5000,grain=6"),
    phrase(&["cinematic"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["teal"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["slog"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["slog3"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["log3"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["vlog"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["clog"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["lut"], &["lut3d", "lut"], "lut3d=samples/warm.cube"),
    phrase(&["sepia"], &["colorchannelmixer"], "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"),
    phrase(&["binary"], &["threshold"], "threshold=0.5"),
    phrase(&["binarize"], &["threshold"], "threshold=0.5"),
    phrase(&["morphology"], SHAPES, "open=radius=2"),
    phrase(&["optical", "flow"], &["degrain"], "degrain=show=vectors"),
    phrase(&["motion", "vectors"], &["degrain"], "degrain=vectors=motion.jsonl"),
    phrase(&["motion", "detection"], MOVEMENT, "tdiff=abs=1:scale=4"),
    phrase(&["detect", "motion"], MOVEMENT, "tdiff=abs=1:scale=4"),
    phrase(&["background", "subtraction"], MOVEMENT, "tdiff=abs=1:scale=4"),
    phrase(&["motion", "blur"], &["motionblur", "tmix", "taverage"], "motionblur=length=15:angle=30"),
    phrase(&["lens", "blur"], &["disk", "gaussian"], "disk=radius=4.5"),
    phrase(&["pal", "ntsc"], RATE, "framerate=ntsc"),
    phrase(&["ntsc", "pal"], RATE, "framerate=pal"),
    phrase(&["23.976"], &["fieldmatch", "decimate", "fps"], "fieldmatch,decimate"),
    phrase(&["interpolation"], RATE, "framerate=50"),
    phrase(&["smooth", "motion"], RATE, "framerate=50"),
    phrase(&["stutter"], &["framerate", "fps", "decimate"], "framerate=50"),
];

/// The phrase of a task.
pub(super) fn find(words: &[&str]) -> Option<&'static Phrase> {
    let is_said = |phrase: &&Phrase| {
        let mut rest = words.iter();
        phrase.words.iter().all(|word| rest.any(|said| said == word))
    };
    PHRASES.iter().find(is_said)
}

/// The chain for a number of frames a second among the words, `24 fps`.
pub(super) fn rate(words: &[&str]) -> Option<String> {
    let number = |word: &str| word.parse::<f64>().ok().filter(|rate| (1.0..=1000.0).contains(rate));
    let joined = words.iter().find_map(|word| number(word.strip_suffix("fps")?));
    let apart = || words.windows(2).find_map(|pair| number(pair[0]).filter(|_| ["fps", "frames"].contains(&pair[1])));
    let rate = joined.or_else(apart)?;
    Some(if rate > 30.0 { format!("framerate={rate}") } else { format!("fps={rate}") })
}

/// The filters whose names are among the words.
pub(super) fn named<'a>(words: &'a [&'a str]) -> impl Iterator<Item = &'static str> + 'a {
    words.iter().filter_map(|word| table::find(word)).map(|spec| spec.name)
}

/// Tasks that no filter here serves: words that are all among those of the task, and a name in the table.
const TASKS: &[(&[&str], &str)] = &[
    (&["remove", "logo"], "delogo"),
    (&["remove", "watermark"], "delogo"),
    (&["green", "screen"], "chromakey"),
    (&["blue", "screen"], "chromakey"),
    (&["fade"], "fade"),
    (&["slow", "motion"], "setpts"),
    (&["slow", "down"], "setpts"),
    (&["speed", "up"], "faster"),
    (&["faster"], "faster"),
    (&["fast", "motion"], "faster"),
    (&["side", "by"], "hstack"),
    (&["split", "screen"], "hstack"),
    (&["lens", "distortion"], "lenscorrection"),
    (&["barrel"], "lenscorrection"),
    (&["fisheye"], "lenscorrection"),
    (&["burn", "subtitles"], "subtitles"),
    (&["title"], "drawtext"),
    (&["timestamp"], "drawtext"),
    (&["backwards"], "reverse"),
    (&["ken", "burns"], "zoompan"),
    (&["louder"], "volume"),
    (&["stabilize"], "deshake"),
    (&["stabilise"], "deshake"),
    (&["stabilization"], "deshake"),
    (&["stabilisation"], "deshake"),
    (&["shaky"], "deshake"),
    (&["loop"], "loop"),
    (&["repeat"], "loop"),
    (&["concatenate"], "concat"),
    (&["concat"], "concat"),
    (&["merge", "clips"], "concat"),
    (&["join", "clips"], "concat"),
    (&["merge", "videos"], "concat"),
    (&["join", "videos"], "concat"),
    (&["picture", "in", "picture"], "pip"),
    (&["heat", "map"], "heatmap"),
    (&["heatmap"], "heatmap"),
    (&["false", "color"], "heatmap"),
    (&["false", "colour"], "heatmap"),
    (&["histogram"], "histogram"),
    (&["waveform"], "waveform"),
    (&["vectorscope"], "vectorscope"),
    (&["rainbow"], "dedot"),
    (&["rainbows"], "dedot"),
    (&["dot", "crawl"], "dedot"),
    (&["cross", "color"], "dedot"),
    (&["cross", "colour"], "dedot"),
    (&["chromatic", "aberration"], "chromashift"),
    (&["color", "fringing"], "chromashift"),
    (&["colour", "fringing"], "chromashift"),
    (&["auto", "crop"], "cropdetect"),
    (&["autocrop"], "cropdetect"),
    (&["detect", "bars"], "cropdetect"),
    (&["pixelate"], "pixelize"),
    (&["vignette"], "vignette"),
    (&["crossfade"], "xfade"),
    (&["motion", "interpolation"], "minterpolate"),
];

/// The answer to a task that no filter here serves.
pub(super) fn task(words: &[&str]) -> Option<String> {
    let is_asked = |all: &[&str]| all.iter().all(|word| words.contains(word));
    let (_, name) = TASKS.iter().find(|(all, _)| is_asked(all))?;
    elsewhere::advice(name, name)
}

#[cfg(test)]
mod tests {
    use super::super::{Defaults, parse};
    use super::{PHRASES, TASKS, find, rate, table, task};

    #[test]
    fn phrases_name_filters_and_chains() {
        for (at, phrase) in PHRASES.iter().enumerate() {
            assert!(phrase.filters.iter().all(|name| table::find(name).is_some()), "{:?}", phrase.filters);
            let found = find(phrase.words).map(|found| found.chain);
            assert_eq!(found, Some(phrase.chain), "{at}: {:?} stands behind one that it contains", phrase.words);
            // Sizes are FFmpeg's expressions.
            if cfg!(feature = "libav") && !phrase.chain.starts_with("lut3d") {
                parse(phrase.chain, &Defaults::default()).expect(phrase.chain);
            }
        }
    }

    #[test]
    fn tasks_have_answers() {
        for (words, name) in TASKS {
            assert!(task(words).is_some(), "{words:?} leads to {name}, which is not in the table");
        }
        assert!(task(&["remove", "noise"]).is_none());
    }

    #[test]
    fn rates_are_read() {
        assert_eq!(rate(&["24", "fps"]).as_deref(), Some("fps=24"));
        assert_eq!(rate(&["to", "60fps"]).as_deref(), Some("framerate=60"));
        assert_eq!(rate(&["29.97", "fps"]).as_deref(), Some("fps=29.97"));
        assert_eq!(rate(&["fps"]), None);
        assert_eq!(rate(&["nan", "fps"]), None);
    }
}
