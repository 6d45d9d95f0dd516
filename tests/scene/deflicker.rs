//! `deflicker` against means and factors in `f64`, and that brightness becomes steadier by it.

use std::sync::Arc;

use warpreel::frame::{Family, Format, Frame, Pixel, Rational, Sample};

use super::{assert_same, on_cpu, scenes};
use crate::oracle;

/// How bright each frame is: the mean of luma, of grey, or of all three colours, in the units of the samples.
fn means(clip: &[Frame]) -> Vec<f64> {
    let planes = |frame: &Frame| if frame.format().pixel.family == Family::Rgb { 0..3 } else { 0..1 };
    let mean = |frame: &Frame| {
        let samples: Vec<f32> = planes(frame).flat_map(|plane| oracle::samples(frame, plane)).collect();
        samples.iter().map(|&sample| f64::from(sample)).sum::<f64>() / samples.len() as f64
    };
    clip.iter().map(mean).collect()
}

/// The averages, by the words that are typed.
fn average(mode: &str, levels: &[f64]) -> f64 {
    let n = levels.len() as f64;
    let most = levels.iter().copied().fold(0.0, f64::max);
    let power = |k: f64| most * (levels.iter().map(|level| (level / most).powf(k)).sum::<f64>() / n).powf(1.0 / k);
    match mode {
        "am" => power(1.0),
        "gm" => levels.iter().map(|level| level.powf(1.0 / n)).product(),
        "hm" => power(-1.0),
        "qm" => power(2.0),
        "cm" => power(3.0),
        "pm" => power(n),
        _ => {
            let mut levels = levels.to_vec();
            levels.sort_by(f64::total_cmp);
            levels[levels.len() / 2]
        }
    }
}

/// What is typed, beside what it means.
struct Call {
    size: usize,
    mode: &'static str,
    black: f64,
    mix: f64,
}

impl Call {
    fn text(&self) -> String {
        let range = if self.black > 0.0 { "limited" } else { "full" };
        format!("deflicker=size={}:mode={}:range={range}:mix={}", self.size, self.mode, self.mix)
    }

    /// The factors of a clip whose ends are repeated.
    fn factors(&self, means: &[f64]) -> Vec<f64> {
        let last = means.len() as isize - 1;
        let level = |at: isize| (means[at.clamp(0, last) as usize] - self.black).max(0.0);
        let factor = |centre: isize| {
            let first = centre - (self.size / 2) as isize;
            let around: Vec<f64> = (first..first + self.size as isize).map(level).collect();
            average(self.mode, &around) / level(centre)
        };
        (0..=last).map(factor).collect()
    }

    /// Fails unless the chain gives what the definition says, samples at the edge of rounding aside.
    fn check(&self, clip: &[Frame]) {
        let got = on_cpu(&self.text(), clip);
        let pixel = clip[0].format().pixel;
        let integer = pixel.sample != Sample::F32;
        for (number, factor) in self.factors(&means(clip)).into_iter().enumerate() {
            for plane in 0..pixel.planes() {
                if pixel.is_chroma(plane) || pixel.is_alpha(plane) {
                    assert!(
                        got[number]
                            .host()
                            .expect("a frame on the host")
                            .rows(plane)
                            .eq(clip[number].host().expect("a frame on the host").rows(plane)),
                        "chroma and alpha stay"
                    );
                    continue;
                }
                let [before, after] = [&clip[number], &got[number]].map(|frame| oracle::samples(frame, plane));
                for (before, after) in before.into_iter().zip(after) {
                    let (before, after) = (f64::from(before), f64::from(after));
                    let bright = (before - self.black) * factor + self.black;
                    let ideal = bright * self.mix + before * (1.0 - self.mix);
                    let error = 1e-6 * (ideal.abs() + f64::from(pixel.peak()));
                    let round = |value: f64| if integer { (value + 0.5).floor() } else { value };
                    let peak = if integer { f64::from(pixel.peak()) } else { f64::INFINITY };
                    let ends = [ideal - error, ideal + error].map(|value| round(value).clamp(-peak, peak));
                    let place = format!("{}: frame {number} plane {plane}, {before}", self.text());
                    assert!((ends[0]..=ends[1]).contains(&after), "{place} becomes {after}, not {ideal}");
                }
            }
        }
    }
}

/// A clip whose brightness jumps up and down.
fn flicker(pixel: Pixel) -> Vec<Frame> {
    let format = Arc::new(Format::new(pixel, 23, 9, Rational::new(25, 1)));
    let levels = [0.5, 0.6, 0.45, 0.55, 0.3, 0.52, 0.61, 0.58, 0.41, 0.5, 0.66];
    scenes(&format, &levels.map(|level| (1, level)))
}

#[test]
fn frames_are_multiplied_by_the_average_over_their_own() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let alpha = Pixel { alpha: true, ..Pixel::yuv420p(8) };
    let pixels = [alpha, Pixel::yuv420p(10), Pixel::gray(16), Pixel::integer(Family::Rgb, 0, 0, 8), float];
    for pixel in pixels {
        let clip = flicker(pixel);
        let limited = if pixel == float { 16.0 / 255.0 } else { f64::from(16u32 << (pixel.depth - 8)) };
        for mode in ["am", "gm", "hm", "qm", "cm", "pm", "median"] {
            for (size, black, mix) in [(5, 0.0, 1.0), (2, limited, 1.0), (4, 0.0, 0.5), (129, limited, 0.25)] {
                Call { size, mode, black, mix }.check(&clip);
            }
        }
    }
}

fn deviation(levels: &[f64]) -> f64 {
    let mean = levels.iter().sum::<f64>() / levels.len() as f64;
    (levels.iter().map(|level| (level - mean).powi(2)).sum::<f64>() / levels.len() as f64).sqrt()
}

#[test]
fn brightness_becomes_steadier() {
    for pixel in [Pixel::yuv420p(8), Pixel::integer(Family::Rgb, 0, 0, 12)] {
        let clip = flicker(pixel);
        let before = deviation(&means(&clip));
        for mode in ["am", "gm", "hm", "qm", "cm", "median"] {
            let after = deviation(&means(&on_cpu(&format!("deflicker=size=9:mode={mode}"), &clip)));
            assert!(after < before * 0.6, "{mode}: {after} of {before}");
        }
    }
}

/// FFmpeg's numbers and short names, and the example of a frame without light.
#[test]
fn words_and_darkness() {
    let clip = flicker(Pixel::gray(8));
    assert_same(&on_cpu("deflicker=s=7:m=3", &clip), &on_cpu("deflicker=7:qm", &clip), "numbers are FFmpeg's");
    let steady = scenes(clip[0].format(), &[(6, 0.0)]);
    let dark: Vec<Frame> = steady.iter().cloned().map(|frame| on_cpu("gain=0", &[frame]).remove(0)).collect();
    assert_same(&on_cpu("deflicker", &dark), &dark, "black stays black");
    let one = [clip[0].clone()];
    assert_same(&on_cpu("deflicker=129", &one), &one, "a single frame is its own average");
}
