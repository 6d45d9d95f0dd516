//! What filters and their parameters are called in scripts.

use warpreel_filter::filter::{Extent, FILTERS, Kind, Spec};

/// The filters that have a function: all but changes of the frame rate, which need the time of each frame, and those that read a file
/// as a second clip, which scripts have as a clip.
pub fn offered() -> impl Iterator<Item = &'static Spec> {
    let reads_clip = |spec: &Spec| spec.own.iter().any(|own| own.kind == Kind::Clip);
    FILTERS.iter().copied().filter(move |spec| spec.extent != Extent::Rate && !reads_clip(spec))
}

/// Names that the field spells in its own way.
const SPELT: [(&str, &str); 25] = [
    ("lowpass", "LowPass"),
    ("motionblur", "MotionBlur"),
    ("highboost", "HighBoost"),
    ("log", "LoG"),
    ("dog", "DoG"),
    ("tmix", "TMix"),
    ("taverage", "TAverage"),
    ("tgaussian", "TGaussian"),
    ("tblend", "TBlend"),
    ("tdiff", "TDiff"),
    ("tmedian", "TMedian"),
    ("nlmeans", "NLMeans"),
    ("atadenoise", "ATADenoise"),
    ("bm3d", "BM3D"),
    ("lut", "LUT"),
    ("lut1d", "LUT1D"),
    ("lut3d", "LUT3D"),
    ("colorchannelmixer", "ColorChannelMixer"),
    ("colortemperature", "ColorTemperature"),
    ("colorspace", "ColorSpace"),
    ("tonemap", "ToneMap"),
    ("sdr", "SDR"),
    ("fieldmatch", "FieldMatch"),
    ("hflip", "HFlip"),
    ("vflip", "VFlip"),
];

/// The function of a filter: a capital letter for each word, and `3D`.
pub fn function(filter: &str) -> String {
    if let Some((_, spelt)) = SPELT.iter().find(|(name, _)| *name == filter) {
        return (*spelt).to_owned();
    }
    let words = filter.split(['_', '-']).map(|word| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    });
    let name: String = words.collect();
    name.strip_suffix("3d").map_or(name.clone(), |stem| format!("{stem}3D"))
}

/// The argument of a parameter: `0m` is `m0`, because names begin with a letter.
pub fn argument(parameter: &str) -> String {
    let letters = parameter.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = &parameter[..parameter.len() - letters.len()];
    format!("{letters}{digits}").replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_field() {
        let names = ["gaussian3d", "nlmeans", "box", "sobel", "deblock_strong"].map(function);
        assert_eq!(names, ["Gaussian3D", "NLMeans", "Box", "Sobel", "DeblockStrong"]);
        assert_eq!(["0m", "sigma", "3mode", "07x"].map(argument), ["m0", "sigma", "mode3", "x07"]);
    }
}
