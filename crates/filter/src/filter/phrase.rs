//! Phrases for a task: words that together say more than each by itself, and a chain that does it.

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

const SECOND: &[&str] = &["blend", "overlay"];
const LAID: &[&str] = &["overlay", "blend"];
const INSET: &str = "overlay=samples/bigbuckbunny-720p.mp4:x=W-w-16:y=16:width=W/4";
const BESIDE: &str = "pad=2*iw:ih,overlay=samples/bigbuckbunny-720p.mp4:x=W/2";
const SLIDING: &str = "overlay=samples/logo.png:x='min(16,t*400-w)':y=16";
const SCROLLING: &str = "overlay=samples/logo.png:x='W-mod(t*120,W+w)':y=H-h-8";
const FLARE: &str = "blend=samples/bigbuckbunny-720p.mp4:mode=screen:opacity=0.5";
const VHS: &str = "gaussian=2:planes=uv,gaussian=0.8,saturation=1.2,grain=8";
const HAZE: &[&str] = &["levels", "saturation", "unsharp"];
const CLEARER: &str = "levels=in_low=0.15:in_high=0.95,saturation=1.2";
const CAST: &[&str] = &["colortemperature", "colorchannelmixer", "hue"];
const NEGATIVE: &[&str] = &["invert", "levels", "lut"];

/// The first whose words all stand in the task is taken.
const PHRASES: &[Phrase] = &[
    phrase(&["color", "pop"], &["saturation", "eq"], "saturation=1.4"),
    phrase(&["glare"], &["exposure", "lut", "levels"], "exposure=-0.5"),
    phrase(&["enhance"], &["unsharp", "cas", "levels"], "unsharp=lx=7:ly=7:la=0.8"),
    phrase(&["super", "8"], DENOISE, "denoise"),
    phrase(&["warm", "skin"], CAST, "colortemperature=5500"),
    phrase(&["bleach", "bypass"], LOOK, "saturation=0.4,eq=contrast=1.3"),
    phrase(&["crush", "black"], &["levels", "lut"], "levels=in_low=0.08"),
    phrase(&["lift", "black"], &["gamma", "lut", "levels"], "gamma=1.3"),
    phrase(&["tiktok"], &["crop", "scale", "pad"], "crop=ih*9/16:ih"),
    phrase(&["reels"], &["crop", "scale", "pad"], "crop=ih*9/16:ih"),
    phrase(&["instagram"], CROP, "crop=ih:ih"),
    phrase(&["background", "model"], STACK, "tmedian=radius=15"),
    phrase(&["illumination"], SECOND, "blend=samples/bigbuckbunny-720p.mp4:mode=divide"),
    phrase(&["lens", "shading"], SECOND, "blend=samples/bigbuckbunny-720p.mp4:mode=divide"),
    phrase(&["even", "lighting"], SECOND, "blend=samples/bigbuckbunny-720p.mp4:mode=divide"),
    phrase(&["double", "exposure"], SECOND, FLARE),
    phrase(&["picture", "in", "picture"], LAID, INSET),
    phrase(&["pip"], LAID, INSET),
    phrase(&["inset"], LAID, INSET),
    phrase(&["side", "by", "side"], &["overlay", "pad"], BESIDE),
    phrase(&["split", "screen"], &["overlay", "pad"], BESIDE),
    phrase(&["overlay", "video"], LAID, INSET),
    phrase(&["overlay", "clip"], LAID, INSET),
    phrase(&["animated", "logo"], LAID, "overlay=samples/bigbuckbunny-720p.mp4:eof_action=pass"),
    phrase(&["moving", "logo"], LAID, SLIDING),
    phrase(&["slide", "logo"], LAID, SLIDING),
    phrase(&["scrolling", "banner"], LAID, SCROLLING),
    phrase(&["rotate", "phone"], TURN, "transpose=clock"),
    phrase(&["2.39"], CROP, "crop=iw:iw/2.39"),
    phrase(&["2.35"], CROP, "crop=iw:iw/2.35"),
    phrase(&["cinemascope"], CROP, "crop=iw:iw/2.39"),
    phrase(&["black", "white"], &["saturation", "threshold"], "saturation=0"),
    phrase(&["scan", "line"], &["bwdif", "yadif", "w3fdif"], "bwdif=mode=send_frame"),
    phrase(&["deinterlace", "tape"], &["bwdif", "denoise"], "bwdif=mode=send_frame,denoise"),
    phrase(&["deinterlace", "vhs"], &["bwdif", "denoise"], "bwdif=mode=send_frame,denoise"),
    phrase(&["old", "cartoon"], &["denoise", "deband", "cas"], "denoise,deband"),
    phrase(&["cartoon", "restoration"], &["denoise", "deband", "cas"], "denoise,deband"),
    phrase(&["dither"], DEPTH, "scale=depth=8:dither=ordered"),
    phrase(&["lens", "flare"], SECOND, FLARE),
    phrase(&["flare"], SECOND, FLARE),
    phrase(&["light", "leak"], SECOND, FLARE),
    phrase(&["difference", "video"], SECOND, "blend=samples/bigbuckbunny-720p.mp4:mode=difference"),
    phrase(&["difference", "clip"], SECOND, "blend=samples/bigbuckbunny-720p.mp4:mode=difference"),
    phrase(&["dark", "frame"], SECOND, "blend=samples/bigbuckbunny-720p.mp4:mode=subtract"),
    phrase(&["flat", "field"], SECOND, "blend=samples/bigbuckbunny-720p.mp4:mode=divide"),
    phrase(
        &["night", "vision"],
        &["colorchannelmixer", "exposure", "grain"],
        "exposure=1.5,colorchannelmixer=0:0:0:0:.3:.6:.1:0:0:0:0,grain=10",
    ),
    phrase(&["tilt", "shift"], FINE, "gaussian=6:mask=samples/mask.png"),
    phrase(&["miniature"], FINE, "gaussian=6:mask=samples/mask.png"),
    phrase(&["glow"], FINE, "gaussian=8:mix=0.5"),
    phrase(&["bloom"], FINE, "gaussian=8:mix=0.5"),
    phrase(&["dreamy"], FINE, "gaussian=8:mix=0.5"),
    phrase(&["pixel", "art"], &["scale"], "scale=iw/8:-2,scale=iw*8:-2:point"),
    phrase(&["vhs", "look"], LOOK, VHS),
    phrase(&["vhs", "effect"], LOOK, VHS),
    phrase(&["like", "vhs"], LOOK, VHS),
    phrase(&["old", "film", "look"], LOOK, "saturation=0.7,colortemperature=5000,grain=6"),
    phrase(&["old", "film", "effect"], LOOK, "saturation=0.7,colortemperature=5000,grain=6"),
    phrase(&["film", "look"], LOOK, "saturation=0.7,colortemperature=5000,grain=6"),
    phrase(&["8mm"], LOOK, "saturation=0.7,colortemperature=5000,grain=6"),
    phrase(&["fog"], HAZE, CLEARER),
    phrase(&["dehaze"], HAZE, CLEARER),
    phrase(&["remove", "haze"], HAZE, CLEARER),
    phrase(&["underwater"], &["colortemperature", "levels"], "colortemperature=4000,levels=in_low=0.05:in_high=0.9"),
    phrase(&["color", "cast"], CAST, "colortemperature=5000"),
    phrase(&["color", "match"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["match", "color"], LOOK, "lut3d=samples/warm.cube"),
    phrase(&["local", "contrast"], &["unsharp", "highboost"], "unsharp=lx=23:ly=23:la=0.4"),
    phrase(&["clarity"], &["unsharp", "highboost"], "unsharp=lx=23:ly=23:la=0.4"),
    phrase(&["dynamic", "range"], &["levels", "gamma", "exposure"], "levels=in_low=0.05:in_high=0.95"),
    phrase(&["shadow"], &["gamma", "lut", "levels"], "gamma=1.3"),
    phrase(&["highlight"], &["exposure", "lut", "levels"], "exposure=-0.5"),
    phrase(&["color", "negative"], NEGATIVE, "invert,levels=in_low=0.1:in_high=0.9"),
    phrase(&["scan", "negative"], NEGATIVE, "invert,levels=in_low=0.1:in_high=0.9"),
    phrase(&["film", "negative"], NEGATIVE, "invert,levels=in_low=0.1:in_high=0.9"),
    phrase(&["negative", "film"], NEGATIVE, "invert,levels=in_low=0.1:in_high=0.9"),
    phrase(&["focus", "peaking"], &["sobel", "scharr"], "sobel"),
    phrase(&["otsu"], &["threshold"], "threshold=0.5"),
    phrase(&["low", "pass"], &["lowpass", "gaussian"], "lowpass=sigma='0.8 2'"),
    phrase(&["high", "pass"], &["dog", "laplacian", "highboost"], "dog=sigma=1:sigma2=3:offset=0.5"),
    phrase(&["band", "pass"], &["dog"], "dog=sigma=1:sigma2=3:offset=0.5"),
    phrase(&["stuck", "pixel"], &["median", "tmedian"], "median=radius=1"),
    phrase(&["temporal", "median"], STACK, "tmedian=radius=2"),
    phrase(&["temporal", "denoise"], &["degrain", "atadenoise", "tmedian"], "degrain"),
    phrase(&["moving", "average"], STACK, "taverage=radius=2"),
    phrase(&["peak", "hold"], STACK, "tmedian=radius=5:percentile=1"),
    phrase(&["max", "time"], STACK, "tmedian=radius=5:percentile=1"),
    phrase(&["min", "time"], STACK, "tmedian=radius=5:percentile=0"),
    phrase(&["constant", "rate"], &["fps"], "fps=25"),
    phrase(&["vfr"], &["fps"], "fps=25"),
    phrase(&["drop", "frame"], &["fps", "decimate"], "fps=12.5"),
    phrase(&["chroma", "noise"], DENOISE, "nlmeans=s=auto:planes=uv"),
    phrase(&["color", "noise"], DENOISE, "nlmeans=s=auto:planes=uv"),
    phrase(&["head", "switching"], &["crop", "pad"], "crop=iw:ih-16:0:0,pad=iw:ih+16:0:8"),
    phrase(&["track", "line"], STACK, "tmedian=radius=1"),
    phrase(&["overscan"], CROP, "crop=iw-32:ih-16"),
    phrase(&["anamorphic"], &["scale"], "scale=iw*sar:ih"),
    phrase(&["desqueeze"], &["scale"], "scale=iw*sar:ih"),
    phrase(&["square", "pixel"], &["scale"], "scale=iw*sar:ih"),
    phrase(&["deskew"], TURN, "rotate=PI/90:interpolation=lanczos"),
    phrase(&["line", "detection"], &["sobel", "kirsch"], "sobel"),
    phrase(&["9:16"], &["crop", "scale", "transpose"], "crop=ih*9/16:ih"),
    phrase(&["1:1"], CROP, "crop=ih:ih"),
    phrase(&["4:3"], CROP, "crop=ih*4/3:ih"),
    phrase(&["16:9"], PAD, LETTERBOX),
    phrase(&["remove", "letterbox"], CROP, "crop=iw-32:ih-16"),
    phrase(&["letterbox"], PAD, LETTERBOX),
    phrase(&["pan", "scan"], CROP, "crop=ih*4/3:ih"),
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
    phrase(&["subtract", "background"], MOVEMENT, "tdiff=abs=1:scale=4"),
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
    PHRASES.iter().find(|phrase| stand_in(phrase.words, words))
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

/// Whether all words of a phrase stand among those that were said, in this order.
pub(super) fn stand_in(phrase: &[&str], said: &[&str]) -> bool {
    let mut rest = said.iter();
    phrase.iter().all(|word| rest.any(|said| same(word, said)))
}

/// Whether two words are forms of one: `crop` and `cropping`, `frame` and `frames`, `colour` and `color`.
pub(super) fn same(one: &str, other: &str) -> bool {
    // No ending and no spelling changes the first letter.
    one == other || one.bytes().next() == other.bytes().next() && stem(one) == stem(other)
}

/// A word in small letters without its ending, spelled as in America.
fn stem(word: &str) -> String {
    const SPELLINGS: [(&str, &str); 5] =
        [("colour", "color"), ("grey", "gray"), ("centre", "center"), ("ise", "ize"), ("isa", "iza")];
    let mut word = SPELLINGS.iter().fold(word.to_owned(), |word, (from, to)| word.replace(from, to));
    let mut cut = |ending: &str, least: usize| {
        if word.len() >= least && word.ends_with(ending) && !word.ends_with("ss") {
            word.truncate(word.len() - ending.len());
        }
    };
    cut("s", 4);
    cut("ing", 6);
    cut("e", 4);
    let doubled = word.len() > 3 && word.as_bytes()[word.len() - 2..].windows(2).all(|pair| pair[0] == pair[1]);
    if doubled && word.is_ascii() {
        word.pop();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::super::{Defaults, parse};
    use super::{PHRASES, find, rate, same, table};

    #[test]
    fn phrases_name_filters_and_chains() {
        for (at, phrase) in PHRASES.iter().enumerate() {
            assert!(phrase.filters.iter().all(|name| table::find(name).is_some()), "{:?}", phrase.filters);
            let found = find(phrase.words).map(|found| found.chain);
            assert_eq!(found, Some(phrase.chain), "{at}: {:?} stands behind one that it contains", phrase.words);
            // Sizes are FFmpeg's expressions, and files are elsewhere.
            if cfg!(feature = "libav") && !phrase.chain.contains("samples/") {
                parse(phrase.chain, &Defaults::default()).expect(phrase.chain);
            }
        }
    }

    #[test]
    fn forms_of_a_word_are_the_same() {
        for (one, other) in
            [("crop", "cropping"), ("scale", "scaling"), ("pixel", "pixels"), ("stabilise", "stabilize")]
        {
            assert!(same(one, other), "{one} {other}");
        }
        for (one, other) in [("noise", "nose"), ("blur", "bluer"), ("é", "és"), ("ß", "ßß"), ("", "s"), ("ing", "")]
        {
            assert!(!same(one, other), "{one} {other}");
        }
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
