//! XPSNR and SSIMULACRA2 against the oracle, over formats, sizes and rates, and against themselves with other instructions and
//! threads.

use std::sync::Arc;

use warpreel::backend::cpu::simd::Level;
use warpreel::frame::{Colour, Format, Frame, Pixel, Range, Rational, Sample};
use warpreel::metrics::{Metric, MetricScores, QualityMeter};

use super::agreement::{Noise, frame, pictures, pixel as named};
use super::oracle::Picture;
use super::perceived;

/// Frames of two clips, each with its planes.
fn clips(noise: &mut Noise, format: &Format, frames: usize) -> [Vec<Vec<Picture>>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    for _ in 0..frames {
        let sizes = (0..format.pixel.planes()).map(|plane| format.plane_size(plane));
        let planes: Vec<[Picture; 2]> = sizes.map(|size| pictures(noise, size, format.pixel)).collect();
        let [mut a, mut b] = [Vec::new(), Vec::new()];
        for [one, other] in planes {
            a.push(one);
            b.push(other);
        }
        both[0].push(a);
        both[1].push(b);
    }
    both
}

/// What a metric says of each pair of frames.
fn measured(
    format: &Arc<Format>,
    metric: Metric,
    clips: &[Vec<Vec<Picture>>; 2],
    threads: usize,
    level: Level,
) -> (Vec<MetricScores>, MetricScores) {
    let mut meter = QualityMeter::with_level(format, &[metric], threads, level).unwrap();
    let made = |planes: &Vec<Picture>| -> Frame { frame(format, &planes.iter().collect::<Vec<_>>()) };
    let [a, b] = clips;
    let frames = a.iter().zip(b).map(|(a, b)| meter.measure(&made(a), &made(b)).unwrap().remove(0)).collect();
    (frames, meter.of_clip().remove(0))
}

/// The same with other instructions and threads, which change nothing.
fn checked(format: &Arc<Format>, metric: Metric, clips: &[Vec<Vec<Picture>>; 2]) -> (Vec<MetricScores>, MetricScores) {
    let found = measured(format, metric, clips, 1, Level::best());
    for level in Level::available() {
        for threads in [1, 3] {
            let other = measured(format, metric, clips, threads, level);
            assert_eq!(other, found, "{metric} of {format}, {threads} threads, {level}");
        }
    }
    found
}

fn close(own: f64, wanted: f64, tolerance: f64) -> bool {
    own == wanted || (own - wanted).abs() <= tolerance
}

#[test]
fn xpsnr_agrees_with_the_oracle() {
    let mut noise = Noise(11);
    let names = ["yuv420p", "yuv422p10", "gray16", "gbrp12", "yuva444p", "yuv411p", "grayf32"];
    let sizes = [(3, 2), (21, 17), (70, 50), (176, 144), (333, 120)];
    for (name, rate) in names.into_iter().flat_map(|name| [(name, 25), (name, 60)]) {
        for (width, height) in sizes {
            let pixel = named(name);
            let format = Arc::new(Format::new(pixel, width, height, Rational::new(rate, 1)));
            let clips = clips(&mut noise, &format, 4);
            let (found, clip) = checked(&format, Metric::Xpsnr, &clips);
            let is_float = pixel.sample == Sample::F32;
            // Floats count as 16 bits, and what lies beyond black and white as those.
            let whole = |planes: &Vec<Picture>| -> Vec<Picture> {
                let colours = planes.iter().take(Metric::Xpsnr.planes(pixel));
                let value = |value: &f64| {
                    if is_float { (value.clamp(0.0, 1.0) as f32 * 65535.0).round_ties_even().into() } else { *value }
                };
                let picture = |plane: &Picture| Picture {
                    width: plane.width,
                    height: plane.height,
                    samples: plane.samples.iter().map(value).collect(),
                };
                colours.map(picture).collect()
            };
            let clips = clips.map(|clip| clip.iter().map(whole).collect::<Vec<_>>());
            let depth = if is_float { 16 } else { pixel.depth.into() };
            let mut roots = vec![0.0; Metric::Xpsnr.planes(pixel)];
            for (n, found) in found.iter().enumerate() {
                let wanted = perceived::xpsnr([&clips[0], &clips[1]], n, depth, rate.into());
                assert_eq!(found.values.planes.len(), wanted.len());
                for (plane, (own, wanted)) in found.values.planes.iter().zip(&wanted).enumerate() {
                    assert!(close(own.unwrap(), *wanted, 1e-6), "{format}, frame {n}: {own:?}, not {wanted}");
                    roots[plane] += 10f64.powf(-wanted / 20.0) / 4.0;
                }
                let least = wanted.iter().copied().reduce(f64::min);
                assert!(close(found.values.all.unwrap(), least.unwrap(), 1e-6), "{format}: {found:?}");
            }
            for (own, root) in clip.values.planes.iter().zip(roots) {
                assert!(close(own.unwrap(), -20.0 * root.log10(), 1e-6), "{format}: {own:?} and {root}");
            }
        }
    }
}

/// Above HD two rows and columns count as one.
#[test]
fn xpsnr_of_large_pictures_agrees_with_the_oracle() {
    let mut noise = Noise(5);
    for (width, height, rate) in [(2051, 1155, 25), (2200, 1100, 50)] {
        let format = Arc::new(Format::new(Pixel::gray(8), width, height, Rational::new(rate, 1)));
        let clips = clips(&mut noise, &format, 3);
        let (found, _) = measured(&format, Metric::Xpsnr, &clips, 2, Level::best());
        for (n, found) in found.iter().enumerate() {
            let wanted = perceived::xpsnr([&clips[0], &clips[1]], n, 8, rate.into())[0];
            assert!(close(found.values.all.unwrap(), wanted, 1e-6), "{format}, frame {n}: {found:?}, not {wanted}");
        }
    }
}

#[test]
fn xpsnr_of_equal_frames_is_infinite() {
    let format = Arc::new(Format::new(Pixel::yuv420p(8), 64, 48, Rational::new(25, 1)));
    let [one, _] = clips(&mut Noise(3), &format, 2);
    let planes = |planes: &Vec<Picture>| -> Frame { frame(&format, &planes.iter().collect::<Vec<_>>()) };
    let mut meter = QualityMeter::new(&format, &[Metric::Xpsnr], 1).unwrap();
    for frame in one.iter().map(planes) {
        assert_eq!(meter.measure(&frame, &frame).unwrap()[0].values.all, Some(f64::INFINITY));
    }
}

/// Red, green and blue from 0 to 1 of the planes of a frame.
fn colours(format: &Format, planes: &[Picture]) -> [Vec<f64>; 3] {
    let peak = f64::from(format.pixel.peak());
    let (width, height) = (format.width, format.height);
    let all = |sample: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
        (0..width * height).map(|place| sample(place % width, place / width).clamp(0.0, 1.0)).collect()
    };
    if planes.len() == 1 {
        let grey = all(&|x, y| planes[0].samples[y * width + x] / peak);
        return [grey.clone(), grey.clone(), grey];
    }
    if format.pixel.family == warpreel::frame::Family::Rgb {
        return [2, 0, 1].map(|plane: usize| all(&|x, y| planes[plane].samples[y * width + x] / peak));
    }
    let unit = (peak + 1.0) / 256.0;
    let is_full = format.colour.range == Range::Full;
    let [across, down] = [format.pixel.log2_chroma_w, format.pixel.log2_chroma_h].map(|log2| f64::from(1 << log2));
    let is_left = format.colour.siting != 2;
    let chroma = |plane: usize, x: usize, y: usize| {
        let Picture { width, height, samples } = &planes[plane];
        let place = |at: usize, step: f64, is_first: bool, side: usize| {
            let exact = if is_first { at as f64 / step } else { (at as f64 + 0.5) / step - 0.5 };
            let clamp = |value: f64| value.clamp(0.0, side as f64 - 1.0) as usize;
            (clamp(exact.floor()), clamp(exact.floor() + 1.0), exact - exact.floor())
        };
        let (left, right, beyond) = place(x, across, is_left, *width);
        let (top, lower, below) = place(y, down, false, *height);
        let row = |y: usize| samples[y * width + left] * (1.0 - beyond) + samples[y * width + right] * beyond;
        let value = row(top) * (1.0 - below) + row(lower) * below - (peak + 1.0) / 2.0;
        if is_full { value / peak } else { value / (224.0 * unit) }
    };
    let luma = |x: usize, y: usize| {
        let value = planes[0].samples[y * width + x];
        if is_full { value / peak } else { (value - 16.0 * unit) / (219.0 * unit) }
    };
    let (red, blue) = match format.colour.matrix {
        9 => (0.2627, 0.0593),
        1 => (0.2126, 0.0722),
        _ => (0.299, 0.114),
    };
    let green = 1.0 - red - blue;
    [
        all(&|x, y| luma(x, y) + 2.0 * (1.0 - red) * chroma(2, x, y)),
        all(&|x, y| {
            let (u, v) = (chroma(1, x, y), chroma(2, x, y));
            luma(x, y) - (2.0 * (1.0 - blue) * blue * u + 2.0 * (1.0 - red) * red * v) / green
        }),
        all(&|x, y| luma(x, y) + 2.0 * (1.0 - blue) * chroma(1, x, y)),
    ]
}

#[test]
fn ssimulacra2_agrees_with_the_oracle() {
    let mut noise = Noise(23);
    let full = Colour { range: Range::Full, ..Colour::default() };
    let tagged = |matrix: u8, siting: u8| Colour { matrix, siting, ..Colour::default() };
    let cases = [
        ("gbrp", Colour::default(), (33, 17)),
        ("gbrp10", Colour::default(), (300, 40)),
        ("gbrpf32", Colour::default(), (70, 50)),
        ("gray", Colour::default(), (41, 65)),
        ("yuv420p", Colour::default(), (97, 75)),
        ("yuv420p", tagged(1, 2), (64, 49)),
        ("yuv422p10", tagged(9, 1), (63, 40)),
        ("yuv444p12", full, (40, 33)),
        ("yuva420p", tagged(6, 3), (261, 9)),
        ("yuv411p", Colour::default(), (50, 30)),
        ("yuv410p", Colour::default(), (50, 30)),
        ("yuv440p", Colour::default(), (51, 31)),
        ("gbrp", Colour::default(), (8, 8)),
        ("gbrp", Colour::default(), (530, 16)),
        ("yuv444p", Colour::default(), (641, 20)),
        ("yuv440p", Colour::default(), (530, 16)),
        ("yuv411p", Colour::default(), (1101, 12)),
    ];
    for (name, colour, (width, height)) in cases {
        let pixel = named(name);
        let format = Format { colour, ..Format::new(pixel, width, height, Rational::new(25, 1)) };
        let format = Arc::new(format);
        let clips = clips(&mut noise, &format, 1);
        let (found, clip) = checked(&format, Metric::Ssimulacra2, &clips);
        let pictures = clips.each_ref().map(|clip| colours(&format, &clip[0]));
        let wanted = perceived::ssimulacra2([&pictures[0], &pictures[1]], width, height);
        assert!(found[0].values.planes.is_empty());
        let own = found[0].values.all.unwrap();
        assert!(close(own, wanted, 0.01), "{name} {width}x{height}: {own}, not {wanted}");
        assert_eq!(clip.values.all, Some(own));
    }
}

#[test]
fn equal_pictures_have_a_score_of_100_and_small_ones_none() {
    for (name, (width, height), wanted) in [
        ("gbrp", (40, 30), Some(100.0)),
        ("yuv420p10", (97, 41), Some(100.0)),
        ("gray", (8, 8), Some(100.0)),
        ("gray", (7, 8), None),
        ("yuv420p", (1, 1), None),
    ] {
        let format = Arc::new(Format::new(named(name), width, height, Rational::new(25, 1)));
        let [one, _] = clips(&mut Noise(3), &format, 1);
        let frame = frame(&format, &one[0].iter().collect::<Vec<_>>());
        let mut meter = QualityMeter::new(&format, &[Metric::Ssimulacra2], 1).unwrap();
        assert_eq!(meter.measure(&frame, &frame).unwrap()[0].values.all, wanted, "{format}");
    }
}
