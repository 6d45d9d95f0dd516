//! The meter against the oracle, and against itself with other instructions and threads, over formats and sizes.

use std::sync::Arc;

use bytemuck::Pod;
use warpreel::backend::cpu::simd::Level;
use warpreel::frame::{Family, Format, Frame, Layout, Pixel, PlaneLayout, Pool, Rational, Sample, Timing};
use warpreel::metrics::{Metric, MetricScores, QualityMeter};

use super::oracle::{self, Picture};

/// The metrics of single planes.
const PLAIN: [Metric; 2] = [Metric::Psnr, Metric::Ssim];

/// Numbers that look random.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// Two pictures of a plane that are alike: a slope with noise, all of the range, and what lies beyond it.
pub fn pictures(noise: &mut Noise, (width, height): (usize, usize), pixel: Pixel) -> [Picture; 2] {
    let peak = f64::from(pixel.peak());
    let mut sample = |x: usize, y: usize| {
        let slope = (x + y) as f64 / (width + height) as f64;
        let value = peak * (0.9 * slope + 0.2 * (noise.next() % 1000) as f64 / 1000.0 - 0.05);
        match pixel.sample {
            Sample::F32 => f64::from(value as f32),
            _ => value.floor().clamp(0.0, peak),
        }
    };
    [(); 2].map(|()| Picture {
        width,
        height,
        samples: (0..width * height).map(|place| sample(place % width, place / width)).collect(),
    })
}

/// A frame of pictures as a format holds them.
pub fn frame(format: &Arc<Format>, planes: &[&Picture]) -> Frame {
    match format.pixel.sample {
        Sample::U8 => strided(format, planes, |value| value as u8, 0xff),
        Sample::U16 => strided(format, planes, |value| value as u16, 0xffff),
        Sample::F32 => strided(format, planes, |value| value as f32, f32::NAN),
    }
}

/// The same, its rows further apart than they are long, and between them what no plane holds.
fn strided<T: Pod>(format: &Arc<Format>, planes: &[&Picture], sample: impl Fn(f64) -> T, poison: T) -> Frame {
    let (mut offset, mut layouts) = (0, Vec::new());
    for picture in planes {
        let stride = picture.width + 3;
        layouts.push(PlaneLayout::new(offset, stride, (picture.width, picture.height)));
        offset += (stride * picture.height * size_of::<T>()).next_multiple_of(64);
    }
    let mut frame = Pool::heap().frame_in(format, Layout::new(layouts)).unwrap();
    let length = frame.bytes_mut().len() / size_of::<T>() * size_of::<T>();
    bytemuck::cast_slice_mut::<u8, T>(&mut frame.bytes_mut()[..length]).fill(poison);
    for (mut plane, picture) in frame.planes_mut::<T>().into_iter().zip(planes) {
        for (y, row) in picture.samples.chunks(picture.width).enumerate() {
            plane.row_mut(y).iter_mut().zip(row).for_each(|(to, &value)| *to = sample(value));
        }
    }
    frame.freeze(Timing::at(0))
}

/// All pixel formats.
fn pixels() -> impl Iterator<Item = Pixel> {
    const RATIOS: [(u8, u8); 6] = [(1, 1), (1, 0), (0, 0), (2, 0), (0, 1), (2, 2)];
    let yuv = RATIOS.map(|(w, h)| (Family::Yuv, w, h));
    let families = [(Family::Gray, 0, 0), (Family::Rgb, 0, 0)].into_iter().chain(yuv);
    families.flat_map(|(family, log2_chroma_w, log2_chroma_h)| {
        let depths = (8..=16).chain([32]).flat_map(|depth| [(depth, false), (depth, true)]);
        depths.map(move |(depth, alpha)| {
            let sample = match depth {
                8 => Sample::U8,
                32 => Sample::F32,
                _ => Sample::U16,
            };
            Pixel { family, alpha, log2_chroma_w, log2_chroma_h, sample, depth }
        })
    })
}

/// The pixel format of a name.
pub fn pixel(name: &str) -> Pixel {
    pixels().find(|pixel| pixel.name() == name).unwrap_or_else(|| panic!("{name}"))
}

fn measure(format: &Arc<Format>, frames: &[Frame; 2], threads: usize, level: Level) -> Vec<MetricScores> {
    let mut meter = QualityMeter::with_level(format, &PLAIN, threads, level).unwrap();
    meter.measure(&frames[0], &frames[1]).unwrap()
}

#[test]
fn every_format_and_size_agrees_with_the_oracle() {
    let mut noise = Noise(7);
    let (mut measured, mut unmeasured) = (0, 0);
    for pixel in pixels() {
        for (width, height) in [(1, 1), (7, 9), (8, 8), (19, 34), (97, 41)] {
            let format = Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)));
            let sizes = (0..pixel.planes()).map(|plane| format.plane_size(plane));
            let pictures: Vec<[Picture; 2]> = sizes.map(|size| pictures(&mut noise, size, pixel)).collect();
            let frames = [0, 1].map(|which| {
                let planes: Vec<&Picture> = pictures.iter().map(|both| &both[which]).collect();
                frame(&format, &planes)
            });
            let found = measure(&format, &frames, 1, Level::best());
            for level in Level::available() {
                for threads in [1, 2, 5] {
                    assert_eq!(
                        measure(&format, &frames, threads, level),
                        found,
                        "{format}, {threads} threads, {level}"
                    );
                }
            }
            let peak = f64::from(pixel.peak());
            let weights: Vec<f64> = pictures.iter().map(|[picture, _]| picture.samples.len() as f64).collect();
            let weighted = |figures: &[Option<f64>]| {
                let known = || figures.iter().zip(&weights).filter_map(|(figure, weight)| Some(((*figure)?, *weight)));
                let weight: f64 = known().map(|(_, weight)| weight).sum();
                (weight > 0.0).then(|| known().map(|(figure, own)| figure * own).sum::<f64>() / weight)
            };
            let errors: Vec<Option<f64>> = pictures.iter().map(|[a, b]| Some(oracle::squared_error(a, b))).collect();
            let db = |error: f64| 10.0 * (peak * peak / error).log10();
            let whole = pixel.sample != Sample::F32;
            let alike: Vec<Option<f64>> = pictures.iter().map(|[a, b]| oracle::similarity(a, b, peak, whole)).collect();
            let wanted = [
                (Metric::Psnr, errors.iter().map(|error| error.map(db)).collect(), weighted(&errors).map(db), 1e-9),
                (Metric::Ssim, alike.clone(), weighted(&alike), 2e-6),
            ];
            for ((metric, planes, all, tolerance), found) in wanted.into_iter().zip(&found) {
                let planes: Vec<Option<f64>> = planes;
                assert_eq!(found.metric, metric);
                let own = found.values.planes.iter().chain([&found.values.all]);
                assert_eq!(found.values.planes.len(), planes.len());
                for (own, wanted) in own.zip(planes.iter().chain([&all])) {
                    match (own, wanted) {
                        (Some(own), Some(wanted)) => {
                            measured += 1;
                            let is_near = own == wanted || (own - wanted).abs() <= tolerance;
                            assert!(is_near, "{metric} of {format}: {own}, not {wanted}");
                        }
                        (None, None) => unmeasured += 1,
                        other => panic!("{metric} of {format}: {other:?}"),
                    }
                }
            }
        }
    }
    assert!(measured > 1000 && unmeasured > 100, "{measured} measured, {unmeasured} not");
}

#[test]
fn equal_frames_are_infinitely_good_and_values_beyond_the_range_count() {
    let format = Arc::new(Format::new(Pixel::gray(10), 16, 8, Rational::new(25, 1)));
    let frame = |sample: u16| Frame::from_samples(&format, Timing::at(0), vec![sample; 128]).unwrap();
    let mut meter = QualityMeter::new(&format, &PLAIN, 1).unwrap();
    let equal = meter.measure(&frame(65535), &frame(65535)).unwrap();
    assert_eq!(equal[0].values.all, Some(f64::INFINITY));
    assert_eq!(equal[1].values.all, Some(1.0));
    // 65535 away, where the peak is 1023.
    let far = meter.measure(&frame(65535), &frame(0)).unwrap();
    let db = 20.0 * (1023.0f64 / 65535.0).log10();
    assert!(far[0].values.all.is_some_and(|value| (value - db).abs() < 1e-9), "{far:?}");
    // The clip has half of that error.
    let clip = meter.of_clip();
    assert!(clip[0].values.all.is_some_and(|value| (value - db - 10.0 * 2.0f64.log10()).abs() < 1e-9), "{clip:?}");
}

#[test]
fn floats_that_are_no_numbers_count_as_black() {
    let format = Arc::new(Format::new(pixel("grayf32"), 8, 8, Rational::new(25, 1)));
    let frame = |sample: f32| Frame::from_samples(&format, Timing::at(0), vec![sample; 64]).unwrap();
    let mut meter = QualityMeter::new(&format, &PLAIN, 1).unwrap();
    for sample in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(meter.measure(&frame(sample), &frame(0.0)).unwrap()[0].values.all, Some(f64::INFINITY), "{sample}");
        assert_eq!(meter.measure(&frame(sample), &frame(1.0)).unwrap()[0].values.all, Some(0.0), "{sample}");
    }
}

#[test]
fn frames_of_another_format_are_refused() {
    let format = |pixel| Arc::new(Format::new(pixel, 8, 8, Rational::new(25, 1)));
    let [eight, ten] = [format(Pixel::gray(8)), format(Pixel::gray(10))];
    let frame = Frame::from_samples(&eight, Timing::at(0), vec![0u8; 64]).unwrap();
    let other = Frame::from_samples(&ten, Timing::at(0), vec![0u16; 64]).unwrap();
    let mut meter = QualityMeter::new(&eight, &PLAIN, 1).unwrap();
    let error = meter.measure(&frame, &other).unwrap_err().to_string();
    assert!(error.contains("gray10") && error.contains("gray 8x8"), "{error}");
    assert!(meter.of_clip().iter().all(|scores| scores.values.all.is_none()), "nothing was measured");
}
