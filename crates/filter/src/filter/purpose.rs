//! Filters by purpose: the words that people have for a task, and the filters that do it.

use super::elsewhere::quoted;
use super::phrase::{self, same};
use super::spec::Spec;
use super::table::{self, FILTERS};
use super::task;

/// A purpose of filters.
pub struct Purpose {
    /// Words for it, in small letters.
    pub words: &'static [&'static str],
    /// Names of the filters that serve it, the usual choice first.
    pub filters: &'static [&'static str],
    /// A chain that does exactly this, if no summary shows it.
    chain: Option<&'static str>,
}

const fn purpose(words: &'static [&'static str], filters: &'static [&'static str]) -> Purpose {
    Purpose { words, filters, chain: None }
}

const PURPOSES: &[Purpose] = &[
    purpose(
        &[
            "noise", "noisy", "denoise", "grain", "grainy", "clean", "webcam", "night", "iso", "snow", "static",
            "speckle",
        ],
        &["denoise", "degrain", "bm3d", "nlmeans", "atadenoise", "bilateral", "bilateral3d", "tmedian"],
    ),
    purpose(
        &["tape", "vhs", "film", "old", "archive", "scratch", "scratches", "dust", "dirt", "dropout", "hair"],
        &["denoise", "degrain", "tmedian", "median3d", "deflicker"],
    ),
    Purpose {
        words: &[
            "interlaced",
            "deinterlace",
            "deinterlacing",
            "interlacing",
            "comb",
            "combing",
            "combs",
            "fields",
            "pal",
            "progressive",
        ],
        filters: &["bwdif", "yadif", "w3fdif", "fieldmatch"],
        chain: Some("bwdif=mode=send_frame"),
    },
    Purpose {
        words: &["telecine", "telecined", "pulldown", "ivtc", "inverse", "ntsc", "detelecine"],
        filters: &["fieldmatch", "decimate"],
        chain: Some("fieldmatch=order=tff:combmatch=full,bwdif=mode=send_frame:deint=interlaced,decimate"),
    },
    purpose(
        &["blur", "soften", "soft", "smooth", "haze"],
        &["gaussian", "box", "disk", "motionblur", "binomial", "lowpass", "gaussian3d", "box3d", "bilateral"],
    ),
    purpose(&["sharpen", "sharp", "crisp", "detail", "focus"], &["unsharp", "cas", "sharpen", "highboost"]),
    purpose(
        &["edge", "edges", "outline", "outlines", "contour", "contours", "drawing", "sketch"],
        &["sobel", "scharr", "prewitt", "roberts", "kirsch", "laplacian", "log", "dog"],
    ),
    purpose(&["band", "bands", "banding", "gradient", "gradients", "posterization", "sky"], &["deband"]),
    purpose(
        &["block", "blocks", "blocking", "blocky", "mosquito", "artifact", "artifacts", "compression"],
        &["deblock", "deband"],
    ),
    purpose(&["grain", "analogue", "clinical"], &["grain"]),
    purpose(
        &["flicker", "timelapse", "lapse", "lamp", "pulsing", "strobe", "lights"],
        &["deflicker", "tgaussian", "taverage"],
    ),
    purpose(
        &[
            "shake",
            "shaky",
            "stabilize",
            "stabilise",
            "stabilization",
            "stabilisation",
            "stabilizer",
            "steady",
            "handheld",
            "jitter",
            "jittery",
            "wobble",
            "wobbly",
            "weave",
            "gate",
            "gimbal",
            "tripod",
            "vidstab",
            "bumpy",
        ],
        &["stabilize"],
    ),
    purpose(
        &["trail", "trails", "ghost", "exposure", "streak", "streaks", "echo"],
        &["tmix", "taverage", "tblend", "tgaussian"],
    ),
    purpose(&["duplicate", "duplicates", "doubled"], &["decimate"]),
    purpose(&["rate", "fps", "smoother", "judder", "50fps", "60fps", "slowmotion"], &["framerate", "fps"]),
    purpose(&["moving", "movement", "changes", "difference"], &["tdiff", "tblend", "motion", "degrain", "blend"]),
    purpose(
        &[
            "second", "other", "texture", "dust", "leak", "leaks", "double", "dissolve", "multiply", "screen",
            "lighten", "dodge", "burn",
        ],
        &["blend", "overlay"],
    ),
    purpose(
        &[
            "bright",
            "brighten",
            "brighter",
            "dark",
            "darken",
            "darker",
            "contrast",
            "tone",
            "tones",
            "curve",
            "exposure",
            "brightness",
        ],
        &["levels", "eq", "gamma", "exposure", "gain", "offset", "lut"],
    ),
    purpose(
        &["colour", "color", "colours", "colors", "colourful", "colorful", "saturated", "vivid", "pale", "tint"],
        &["saturation", "vibrance", "hue", "eq", "colorchannelmixer", "lut3d"],
    ),
    purpose(&["hdr", "hdr10", "pq", "hlg", "sdr", "tone-mapping", "tonemapping", "mapping"], &["sdr", "tonemap"]),
    purpose(&["matrix", "primaries", "gamut", "rec709", "bt709", "bt601", "bt2020"], &["colorspace", "lut3d"]),
    purpose(&["warm", "warmer", "cold", "colder", "balance", "temperature"], &["colortemperature", "hue"]),
    Purpose {
        words: &["sepia", "swap", "channel", "channels"],
        filters: &["colorchannelmixer"],
        chain: Some("colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"),
    },
    Purpose {
        words: &["grey", "gray", "greyscale", "grayscale", "monochrome", "desaturate", "white"],
        filters: &["saturation", "threshold"],
        chain: Some("saturation=0"),
    },
    purpose(&["look", "grade", "grading", "cube", "log", "film"], &["lut3d", "lut1d", "curves"]),
    purpose(&["negative", "inverse", "inverted"], &["invert"]),
    purpose(&["spot", "spots", "speck", "specks", "hot", "dead", "salt", "pepper"], &["median", "open", "close"]),
    purpose(&["bokeh", "lens", "defocus"], &["disk"]),
    purpose(&["relief"], &["emboss"]),
    purpose(
        &[
            "scale",
            "resize",
            "size",
            "smaller",
            "larger",
            "bigger",
            "upscale",
            "downscale",
            "thumbnail",
            "720p",
            "1080p",
        ],
        &["scale"],
    ),
    purpose(&["crop", "cut", "bars", "letterbox"], &["crop", "pad"]),
    purpose(&["pad", "border", "borders", "frame"], &["pad"]),
    purpose(&["flip", "mirror", "portrait", "landscape", "upside"], &["transpose", "hflip", "vflip"]),
    purpose(&["rotate", "turn", "tilt", "level", "horizon", "angle"], &["rotate", "transpose"]),
    purpose(&["perspective", "keystone", "trapezoid"], &["perspective"]),
    purpose(&["logo", "watermark", "corner", "badge", "overlay", "stamp"], &["overlay"]),
    Purpose {
        words: &["face", "faces", "censor", "anonymize", "anonymise", "plate", "hide"],
        filters: &["gaussian", "box"],
        chain: Some("gaussian=20:roi=120x120+300+80"),
    },
    purpose(&["stripe", "stripes", "texture", "fabric"], &["gabor"]),
    purpose(&["custom", "own", "fir", "kernel", "convolve"], &["kernel", "convolution"]),
];

/// All purposes.
pub fn purposes() -> &'static [Purpose] {
    PURPOSES
}

/// Words that say nothing about the purpose.
const IDLE: &[&str] = &[
    "a",
    "an",
    "and",
    "the",
    "of",
    "in",
    "to",
    "for",
    "with",
    "my",
    "remove",
    "reduce",
    "make",
    "add",
    "fix",
    "get",
    "rid",
    "from",
    "video",
    "picture",
    "image",
    "clip",
    "filter",
    "filters",
    "effect",
    "apply",
    "use",
    "using",
    "convert",
    "how",
    "can",
    "want",
    "please",
    "some",
    "this",
    "that",
    "into",
    "all",
    "too",
    "footage",
    "movie",
    "camera",
    "very",
    "much",
    "more",
    "less",
    "better",
    "when",
    "where",
    "only",
    "out",
    "off",
    "our",
    "your",
    "its",
    "need",
    "should",
    "does",
    "auto",
    "automatic",
    "correction",
    "increase",
    "decrease",
    "raise",
    "lower",
    "change",
    "improve",
    "enhance",
    "correct",
    "scanned",
    "whole",
    "just",
    "bit",
    "detection",
    "pixel",
    "pixels",
    "shift",
    "like",
    "removal",
];

/// What serves a task.
pub(super) enum Served<'a> {
    /// The answer where no filter does.
    Answer(String),
    /// Filters, a chain as an example, and words that nothing is known for.
    Filters(Vec<&'static Spec>, String, Vec<&'a str>),
}

/// What to type for a name of no filter that is a task in words; `None` if nothing is known for it.
pub(super) fn advice(name: &str) -> Option<String> {
    let words = name.trim().to_lowercase();
    // `level` is a mistake for `levels` before it is a task.
    if FILTERS.iter().any(|spec| same(spec.name, &words)) {
        return None;
    }
    // A word of a summary alone, `every`, is no task.
    let is_meant = words.split(' ').any(|word| PURPOSES.iter().any(|purpose| serves(purpose, word)));
    let is_phrase = phrase::find(&words.split(' ').collect::<Vec<_>>()).is_some();
    Some(match find(&words)? {
        Served::Answer(answer) => answer,
        Served::Filters(..) if !is_meant && !is_phrase => return None,
        Served::Filters(_, chain, _) => format!("type \"{chain}\"; for others: warpreel filters {}", quoted(&words)),
    })
}

/// Whether a word is one of a purpose's.
fn serves(purpose: &Purpose, word: &str) -> bool {
    purpose.words.iter().any(|known| same(known, word))
}

/// What serves a task in small letters.
pub(super) fn find(words: &str) -> Option<Served<'_>> {
    // A shape such as 16:9 is none of a chain's arguments.
    let is_shape = |word: &str| word.split(':').all(|side| side.parse::<f64>().is_ok());
    let is_plain = |word: &str| word.chars().all(|c| c.is_alphanumeric() || "-.?!/'".contains(c)) || is_shape(word);
    if words == "common" || table::find(words).is_some() || !words.split(' ').all(is_plain) {
        return None;
    }
    let all: Vec<&str> = words.split([' ', '-', '?', '!', '/']).filter(|word| !word.is_empty()).collect();
    // A chain with a mistake, `gaussian 2`, but for a quarter turn.
    let is_chain = match all[..] {
        [name, value] => table::find(name).is_some() && value.parse::<f64>().is_ok_and(|value| value != 90.0),
        _ => false,
    };
    if is_chain {
        return None;
    }
    if let Some(answer) = task::find(&all) {
        return Some(Served::Answer(answer));
    }
    if let Some(phrase) = phrase::find(&all) {
        let specs = phrase.filters.iter().filter_map(|name| table::find(name)).collect();
        return Some(Served::Filters(specs, phrase.chain.to_owned(), Vec::new()));
    }
    let wanted: Vec<&str> = all.iter().copied().filter(|word| word.len() > 2 && !IDLE.contains(word)).collect();
    let hits = |purpose: &Purpose| wanted.iter().filter(|word| serves(purpose, word)).count();
    let most = PURPOSES.iter().map(hits).max().filter(|most| *most > 0);
    let purposes = || PURPOSES.iter().filter(|purpose| Some(hits(purpose)) == most);
    let mut specs: Vec<&'static Spec> = Vec::new();
    // `gaussian blur` is about the one that it names; `sharpen` is a word for a task too.
    let is_prose = all.len() > 1 && all.iter().all(|word| word.chars().all(char::is_alphabetic));
    let typed =
        phrase::named(&wanted).filter(|name| is_prose && PURPOSES.iter().all(|purpose| !purpose.words.contains(name)));
    let named = typed.chain(purposes().flat_map(|purpose| purpose.filters).copied()).filter_map(table::find);
    let summarised = FILTERS.iter().copied().filter(|spec| {
        let summary = spec.summary.to_lowercase();
        let in_summary = |word: &&str| summary.split(|c: char| !c.is_alphanumeric()).any(|known| known == *word);
        !wanted.is_empty() && wanted.iter().all(in_summary)
    });
    for spec in named.chain(summarised) {
        if specs.iter().all(|known| known.name != spec.name) {
            specs.push(spec);
        }
    }
    if specs.is_empty() {
        return None;
    }
    let first = specs[0];
    let is_rate = ["fps", "framerate"].contains(&first.name);
    let rate = phrase::rate(&all).filter(|_| is_rate);
    let of_purpose =
        purposes().filter(|purpose| purpose.filters.contains(&first.name)).find_map(|purpose| purpose.chain);
    let example = rate.as_deref().or(of_purpose).unwrap_or(first.example);
    let is_known = |word: &str| {
        let is_named = specs.iter().any(|spec| spec.name == word || spec.summary.to_lowercase().contains(word));
        is_named || word.contains(|c: char| c.is_ascii_digit()) || PURPOSES.iter().any(|purpose| serves(purpose, word))
    };
    let unknown = wanted.iter().copied().filter(|word| !is_known(word)).collect();
    Some(Served::Filters(specs, example.to_owned(), unknown))
}

/// The answer to words for a task that nothing here serves; `None` for what may be a chain or the name of a filter.
pub fn no_purpose(words: &str) -> Option<String> {
    let words = words.trim();
    let is_plain = |word: &str| word.chars().all(|c| c.is_alphanumeric() || "-.?!".contains(c));
    let is_task = words.contains(' ') && words.split(' ').all(is_plain);
    let lowered = words.to_lowercase();
    let names_one = lowered.split(' ').any(|word| table::find(word).is_some());
    (is_task && !names_one && words.len() <= 60).then(|| {
        format!("no filter is known for {words:?}; type other words, as in: warpreel filters remove noise, or list all with: warpreel filters")
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Defaults, parse};
    use super::{PURPOSES, table};

    #[test]
    fn purposes_name_filters() {
        for purpose in PURPOSES {
            assert!(purpose.filters.iter().all(|name| table::find(name).is_some()), "{:?}", purpose.filters);
            assert!(purpose.words.iter().all(|word| *word == word.to_lowercase()));
            if let Some(chain) = purpose.chain {
                parse(chain, &Defaults::default()).expect(chain);
            }
        }
    }
}
