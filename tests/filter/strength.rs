//! Strengths that follow the noise of a clip: what they come to, what is typed instead, and remarks on typed ones.

use warpreel::filter::{FILTERS, Filter, Kind, Preset, Want, parse};
use warpreel::frame::{Family, Pixel};

use super::only;

/// Each denoiser with its strength left to the noise.
const AUTOMATIC: [&str; 8] = [
    "denoise",
    "denoise=light",
    "nlmeans=s=auto",
    "atadenoise=auto",
    "bilateral=sigma_r=auto",
    "bilateral3d=sigma_r=auto",
    "degrain=thsad=auto",
    "bm3d=sigma=auto",
];

fn settled(text: &str, noise: [f64; 3]) -> String {
    only(text).settled(Pixel::yuv420p(8), &noise).to_string()
}

fn copies(filter: &Filter) -> bool {
    let pixel = Pixel::yuv420p(8);
    (0..3).all(|plane| filter.wanted(pixel, plane).unwrap().want == Want::Copy)
}

/// The formulas of the filters' descriptions, in luma and in chroma.
#[test]
fn noise_sets_strengths() {
    for (text, line) in [
        ("denoise", "denoise=luma=10:chroma=4"),
        ("denoise=light", "denoise=strength=light:luma=7.5:chroma=3"),
        ("denoise=medium", "denoise=strength=medium:luma=10:chroma=4"),
        ("denoise=strength=strong:mix=0.5", "denoise=strength=strong:mix=0.5:luma=15:chroma=6"),
        ("denoise=chroma=1", "denoise=chroma=1:luma=10"),
        ("denoise=luma=3:chroma=auto", "denoise=luma=3:chroma=4"),
        ("nlmeans=s=auto", "nlmeans=s=7.56:sc=3.57"),
        ("nlmeans=p=3:s=auto:pc=5", "nlmeans=p=3:s=3.24:pc=5:sc=2.55"),
        ("nlmeans=auto:sc=2", "nlmeans=s=7.56:sc=2"),
        ("nlmeans=s=3:sc=auto", "nlmeans=s=3:sc=3.57"),
        ("bm3d=auto:2", "bm3d=sigma=10:block_step=2:sigmac=4"),
        ("degrain=thsad=auto", "degrain=thsad=1800"),
        ("degrain=thsad=auto:chroma=own", "degrain=thsad=1800:chroma=own:thsadc=720"),
        ("bilateral=sigma_r=auto", "bilateral=sigma_r=0.0816:sigma_rc=0.0326"),
        ("bilateral3d=sigma_r=auto:joint=1:sigma_s=1", "bilateral3d=sigma_r=0.11:joint=1:sigma_s=1"),
        ("atadenoise=auto:s=5", "atadenoise=0a=0.176:s=5:0b=0.235:1a=0.0706:1b=0.0941:2a=0.0706:2b=0.0941"),
        ("atadenoise=0b=auto", "atadenoise=0b=0.235"),
        ("atadenoise=auto:1a=0:0b=1", "atadenoise=0a=0.176:1a=0:0b=1:1b=0.0941:2a=0.0706:2b=0.0941"),
    ] {
        let filter = only(text);
        assert!(filter.is_measured(), "{text}");
        assert_eq!(settled(text, [10.0, 4.0, 3.0]), line);
        assert!(!only(line).is_measured(), "{line} is fixed");
        assert_eq!(filter.settled(Pixel::yuv420p(8), &[10.0, 4.0, 3.0]), only(line), "{text}");
    }
}

/// Grey and colours have no chroma; what is measured beyond the ranges is the end of the range.
#[test]
fn strengths_fit_the_clip_and_the_range() {
    let grey = |text: &str, noise: f64| only(text).settled(Pixel::gray(10), &[noise]).to_string();
    assert_eq!(grey("nlmeans=s=auto", 10.0), "nlmeans=s=7.56");
    assert_eq!(grey("atadenoise=auto", 10.0), "atadenoise=0a=0.176:0b=0.235:1a=0.176:1b=0.235:2a=0.176:2b=0.235");
    let colours = only("bm3d=auto").settled(Pixel::integer(Family::Rgb, 0, 0, 8), &[2.0, 6.0, 3.0]);
    assert_eq!(colours.to_string(), "bm3d=sigma=6", "the noisiest plane counts");
    assert_eq!(grey("nlmeans=s=auto:p=9", 500.0), "nlmeans=s=30:p=9");
    assert_eq!(grey("denoise=strong", 500.0), "denoise=strength=strong:luma=50");
    for text in AUTOMATIC {
        assert!(copies(&only(text).settled(Pixel::yuv420p(8), &[0.4, 0.3, 0.0])), "{text} changes a clean clip");
        assert!(!copies(&only(text).settled(Pixel::yuv420p(8), &[0.7, 0.7, 0.7])), "{text}");
        assert_eq!(only(text).settled(Pixel::yuv420p(8), &[]), only(text), "{text} without a measurement");
    }
}

/// Without a clip the noise is 5, and the text of that is what can be typed.
#[test]
fn a_clip_that_nobody_measures_has_a_noise_of_5() {
    for text in AUTOMATIC {
        let (filter, fixed) = (only(text), only(&only(text).fixed()));
        assert_ne!(filter, fixed, "{text} is still to be measured");
        assert!(!fixed.is_measured() && fixed == filter.settled(Pixel::yuv420p(8), &[5.0; 3]), "{text}: {fixed}");
        for pixel in super::pixels() {
            for plane in 0..pixel.planes() {
                assert_eq!(filter.wanted(pixel, plane).unwrap(), fixed.wanted(pixel, plane).unwrap(), "{text}");
            }
        }
    }
}

/// The bytes of a filter without parameters are those of its numbers, but for `denoise`.
#[test]
fn defaults_stay_numbers() {
    for spec in FILTERS {
        let leads: Vec<_> = spec.own.iter().filter(|parameter| parameter.strength.is_some()).collect();
        for parameter in &leads {
            assert!(matches!(parameter.kind, Kind::Strength(..)), "{} of {}", parameter.name, spec.name);
        }
        if let [lead, ..] = leads[..] {
            let is_auto = lead.preset == Preset::Is("auto");
            assert_eq!(is_auto, spec.name == "denoise", "{}", spec.name);
            assert_eq!(only(spec.name).is_measured(), is_auto, "{}", spec.name);
        }
    }
}

#[test]
fn other_words_are_refused() {
    for (text, line) in [
        (
            "nlmeans=s=automatic",
            "s=automatic of nlmeans is not a number at character 11 of the chain; type a number from 0 to 30, or auto, as in nlmeans=s=3:p=5:r=9",
        ),
        (
            "bm3d=sigma=-1",
            "sigma=-1 of bm3d is out of range at character 12 of the chain; type a number from 0 to 255, or auto",
        ),
        (
            "denoise=luma=51",
            "luma=51 of denoise is out of range at character 14 of the chain; type a number from 0 to 50, or auto \
             (steps of 8 bits)",
        ),
        (
            "gaussian=auto",
            "sigma=auto of gaussian is not a number at character 10 of the chain; type a number from 0 to 1000 (luma pixels), as in \
             gaussian=sigma=2",
        ),
        (
            "bilateral3d=sigma_s=1000:sigma_r=auto:frames=8:sigma_t=100:radius=32",
            "bilateral3d: a window of radius 32 and 8 frames on either side holds too much for sums below 2^31 at character 1 of \
             the chain; type a smaller radius, sigma_r or frames",
        ),
    ] {
        assert_eq!(parse(text, &Default::default()).unwrap_err().to_string(), line);
    }
}

#[test]
fn a_strength_far_from_the_noise_is_remarked_on() {
    let remark = |text: &str, noise: f64| only(text).strength_remark(Pixel::yuv420p(8), &[noise, 1.0, 1.0]);
    for (text, noise, line) in [
        ("nlmeans", 6.84, "nlmeans: the noise measures 6.8 and s=1 removes little; type nlmeans=s=auto, or denoise"),
        (
            "nlmeans=p=5:s=2:mix=0.5",
            9.0,
            "nlmeans: the noise measures 9.0 and s=2 removes little; type nlmeans=s=auto:p=5:mix=0.5, or denoise",
        ),
        (
            "degrain=frames=2",
            6.8,
            "degrain: the noise measures 6.8 and thsad=400 removes little; type degrain=thsad=auto:frames=2, or denoise",
        ),
        ("bm3d", 8.0, "bm3d: the noise measures 8.0 and sigma=3 removes little; type bm3d=sigma=auto, or denoise"),
        (
            "bm3d=sigma=30",
            2.0,
            "bm3d: the noise measures 2.0 and sigma=30 removes detail too; type bm3d=sigma=auto, or denoise",
        ),
        (
            "atadenoise=0a=0.2:s=5",
            6.8,
            "atadenoise: the noise measures 6.8 and 0b=0.04 removes little; type atadenoise=0a=auto:s=5, or denoise",
        ),
        (
            "bilateral=sigma_r=0.01",
            6.8,
            "bilateral: the noise measures 6.8 and sigma_r=0.01 removes little; type bilateral=sigma_r=auto, or denoise",
        ),
        ("denoise=luma=2", 6.8, "denoise: the noise measures 6.8 and luma=2 removes little; type denoise"),
        (
            "denoise=luma=40:chroma=3:mix=0.5",
            2.0,
            "denoise: the noise measures 2.0 and luma=40 removes detail too; type denoise=mix=0.5",
        ),
    ] {
        assert_eq!(remark(text, noise).as_deref(), Some(line));
        let typed = line.rsplit("; type ").next().unwrap().trim_end_matches(", or denoise");
        assert_eq!(remark(typed, noise), None, "{typed} is what the noise asks for");
    }
    for (text, noise) in [
        ("nlmeans=s=4", 6.8),
        ("nlmeans", 1.0),
        ("nlmeans", 0.2),
        ("nlmeans=s=30", 0.2),
        ("nlmeans=s=0", 6.8),
        ("nlmeans=planes=uv", 6.8),
        ("bilateral", 1.0),
        ("degrain", 2.0),
        ("degrain", 0.6),
        ("bm3d", 0.6),
        ("gaussian", 6.8),
        ("denoise", 6.8),
    ] {
        assert_eq!(remark(text, noise), None, "{text} at {noise}");
    }
    assert_eq!(only("nlmeans").strength_remark(Pixel::yuv420p(8), &[]), None);
    // The strength by its formula is never far from the noise, nor from a little more or less.
    for text in AUTOMATIC {
        for noise in [2.0, 7.0, 20.0] {
            for other in [noise, noise / 1.5, noise * 1.2] {
                let fixed = only(text).settled(Pixel::yuv420p(8), &[noise; 3]);
                assert_eq!(remark(&fixed.to_string(), other), None, "{fixed} at {other}");
            }
        }
    }
}
