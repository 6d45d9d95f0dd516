//! What is promised of film grain: its distribution, and what it depends on.

use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Family, Pixel, Sample};

use crate::stage::{Clip, clip, float, format, run};

const SIDE: usize = 256;

/// Frames of one level, in parts of full scale, and what is added to them in each plane.
fn added(text: &str, pixel: Pixel, level: f32, frames: usize) -> Vec<Vec<Vec<f64>>> {
    let frame = format(pixel, SIDE, SIDE);
    let level = if pixel.sample == Sample::F32 { level } else { (level * pixel.peak()).round() };
    let still: Clip = clip(&frame, frames, |_, _, _, _| level);
    let unit = 255.0 / f64::from(pixel.peak());
    let difference = |sample: &f32| f64::from(*sample - level) * unit;
    let made = run(text, &frame, &still);
    made.iter().map(|planes| planes.iter().map(|plane| plane.iter().map(difference).collect()).collect()).collect()
}

fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// The mean product, as a part of what equal noise would have.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    product(a, b) / (product(a, a) * product(b, b)).sqrt()
}

fn deviation(samples: &[f64]) -> f64 {
    let centre = mean(samples);
    mean(&samples.iter().map(|sample| (sample - centre).powi(2)).collect::<Vec<_>>()).sqrt()
}

/// In 65,536 samples the standard error of the mean is 1/256 of the deviation, and that of the deviation 1/360 or so; neighbours that
/// are alike in larger grains make it size times as much. Bounds are five of them.
#[test]
fn mean_is_0_and_the_deviation_is_the_strength() {
    for pixel in [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16), float()] {
        for (strength, size) in [(4.0, 1), (4.0, 2), (8.0, 3), (2.0, 6)] {
            let text = format!("grain={strength}:{size}:shadows=1:highlights=1");
            let noise = added(&text, pixel, 0.5, 1).remove(0).remove(0);
            let bound = 5.0 * strength * size as f64 / 256.0;
            assert!(mean(&noise).abs() < bound, "{text}: the mean is {}", mean(&noise));
            // Rounding adds a twelfth of a squared step.
            let step = if pixel.sample == Sample::F32 { 0.0 } else { 255.0 / f64::from(pixel.peak()) };
            let wanted = (strength * strength + step * step / 12.0).sqrt();
            assert!((deviation(&noise) - wanted).abs() < bound, "{text}: {} is not {wanted}", deviation(&noise));
        }
    }
}

/// Frames, seeds and planes have noise of their own; chance correlations have a deviation of 1/256.
#[test]
fn noise_is_independent() {
    let bound = 5.0 / 256.0;
    let pixel = Pixel::yuv444p(10);
    let frames = added("grain=8:1:chroma=1", pixel, 0.5, 6);
    for a in 0..6 {
        for b in 0..a {
            let found = correlation(&frames[a][0], &frames[b][0]);
            assert!(found.abs() < bound, "frames {a} and {b}: {found}");
        }
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let found = correlation(&frames[a][one], &frames[a][other]);
            assert!(found.abs() < bound, "planes {one} and {other}: {found}");
        }
    }
    let other = added("grain=8:1:seed=1", pixel, 0.5, 1);
    assert!(correlation(&frames[0][0], &other[0][0]).abs() < bound, "seeds");
    let luma = &frames[0][0];
    for apart in [1, 2, 7, SIDE, SIDE + 1, 8 * SIDE] {
        let found = correlation(&luma[apart..], &luma[..luma.len() - apart]);
        assert!(found.abs() < bound, "{apart} samples apart: {found}");
    }
    let still = added("grain=8:1:static=1", pixel, 0.5, 3);
    assert!(still[0][0] == still[1][0] && still[0][0] == still[2][0]);
}

/// Grains of size 2 have neighbours that are alike by 2/3: the taps 1 2 1 shifted by one, over themselves.
#[test]
fn larger_grains_are_smooth() {
    let noise = added("grain=8:2", float(), 0.5, 1).remove(0).remove(0);
    for apart in [1, SIDE] {
        let found = correlation(&noise[apart..], &noise[..noise.len() - apart]);
        assert!((found - 2.0 / 3.0).abs() < 0.03, "{apart}: {found}");
    }
    let found = correlation(&noise[3..], &noise[..noise.len() - 3]);
    assert!(found.abs() < 0.04, "{found}");
}

#[test]
fn strength_follows_brightness() {
    let at = |level: f32| deviation(&added("grain=8:1:0.5:0.25", float(), level, 1)[0][0]);
    for (level, share) in [(0.0, 0.5), (0.25, 0.75), (0.5, 1.0), (0.75, 0.625), (1.0, 0.25)] {
        assert!((at(level) / 8.0 - share).abs() < 0.02, "{} at {level}", at(level));
    }
}

#[test]
fn planes_get_what_is_theirs() {
    let rgb = added("grain=6", Pixel::integer(Family::Rgb, 0, 0, 8), 0.5, 1);
    assert!(rgb[0][0] == rgb[0][1] && rgb[0][0] == rgb[0][2], "grey stays grey");
    let colours = Pixel { alpha: true, ..Pixel::yuv420p(10) };
    let is_changed = |text: &str| -> Vec<bool> {
        added(text, colours, 0.5, 1)[0].iter().map(|plane| plane.iter().any(|v| *v != 0.0)).collect()
    };
    assert_eq!(is_changed("grain"), [true, false, false, false]);
    assert_eq!(is_changed("grain=chroma=0.5"), [true, true, true, false]);
    assert_eq!(is_changed("grain=0:chroma=1"), [false; 4]);
    let chroma = added("grain=8:1:chroma=0.5", colours, 0.5, 1);
    assert!((deviation(&chroma[0][1]) - 4.0).abs() < 0.2, "{}", deviation(&chroma[0][1]));
}

#[test]
fn refusals_name_the_range() {
    for text in ["grain=65", "grain=size=0", "grain=size=9", "grain=shadows=2", "grain=seed=-1"] {
        let refused = format!("{:#}", parse(text, &Defaults::default()).expect_err(text));
        assert!(!refused.contains('\n') && refused.contains("from"), "{refused}");
    }
}
