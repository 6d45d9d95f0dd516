//! How noisy clips are found to be: against noise that was put there.

use std::sync::Arc;

use warpreel::frame::{Family, Format, Frame, FrameMut, Pixel, Pool, Rational, Sample, Timing};
use warpreel::noise::NoiseMeter;

use crate::agreement::Random;

const FRAMES: usize = 6;

/// A number of standard deviation 1, nearly normal.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.below(1 << 16) as f64 / 65536.0).sum::<f64>() - 6.0
}

/// A sample of a number of steps of 8 bits.
trait Stepped: bytemuck::Pod {
    fn of(value: f64, pixel: Pixel) -> Self;
}

impl Stepped for u8 {
    fn of(value: f64, _: Pixel) -> Self {
        value.round().clamp(0.0, 255.0) as u8
    }
}

impl Stepped for u16 {
    fn of(value: f64, pixel: Pixel) -> Self {
        (value * f64::from(1u32 << (pixel.depth - 8))).round().clamp(0.0, pixel.peak().into()) as u16
    }
}

impl Stepped for f32 {
    fn of(value: f64, _: Pixel) -> Self {
        (value / 255.0) as f32
    }
}

/// A frame whose sample at `(plane, x, y)` is what `of` says, in steps of 8 bits.
fn frame(format: &Arc<Format>, number: usize, of: impl FnMut(usize, usize, usize) -> f64) -> Frame {
    let mut frame = Pool::heap().frame(format).unwrap();
    match format.pixel.sample {
        Sample::U8 => fill::<u8>(&mut frame, format, of),
        Sample::U16 => fill::<u16>(&mut frame, format, of),
        Sample::F32 => fill::<f32>(&mut frame, format, of),
    }
    frame.freeze(Timing::at(number as u64))
}

fn fill<T: Stepped>(frame: &mut FrameMut, format: &Format, mut of: impl FnMut(usize, usize, usize) -> f64) {
    for (plane, mut samples) in frame.planes_mut::<T>().into_iter().enumerate() {
        for y in 0..samples.height {
            let row = samples.row_mut(y).iter_mut().enumerate();
            row.for_each(|(x, sample)| *sample = T::of(of(plane, x, y), format.pixel));
        }
    }
}

/// What is found in a clip.
fn found(format: &Arc<Format>, clip: impl IntoIterator<Item = Frame>) -> (Vec<f64>, usize) {
    let mut meter = NoiseMeter::new(format);
    clip.into_iter().for_each(|frame| meter.push(&frame).unwrap());
    (meter.deviations(), meter.frames())
}

/// A picture with a slope, an edge and some texture.
fn picture(x: usize, y: usize) -> f64 {
    let texture = if x % 96 > 64 { (x * 31 + y * 17) % 23 } else { 0 };
    60.0 + (y / 4 % 100) as f64 + if x > 100 { 30.0 } else { 0.0 } + texture as f64
}

fn noisy(format: &Arc<Format>, deviation: f64) -> Vec<Frame> {
    let mut random = Random::new(3);
    (0..FRAMES).map(|n| frame(format, n, |_, x, y| picture(x, y) + deviation * normal(&mut random))).collect()
}

fn formats() -> Vec<Arc<Format>> {
    let pixels = [
        Pixel::yuv420p(8),
        Pixel::yuv420p(10),
        Pixel::gray(16),
        Pixel::integer(Family::Rgb, 0, 0, 8),
        Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(16) },
    ];
    pixels.map(|pixel| Arc::new(Format::new(pixel, 240, 176, Rational::new(25, 1)))).into()
}

#[test]
fn noise_is_found_as_it_was_made() {
    for format in formats() {
        for deviation in [1.5, 5.0, 12.0] {
            let (got, frames) = found(&format, noisy(&format, deviation));
            assert_eq!((got.len(), frames), (format.pixel.planes(), FRAMES - 1), "{format}");
            for (plane, got) in got.iter().enumerate() {
                let error = (got / deviation - 1.0).abs();
                assert!(error < 0.08, "{format}, plane {plane}: {got} instead of {deviation}");
            }
        }
    }
}

#[test]
fn a_picture_that_stands_still_or_moves_over_flat_ground_has_none() {
    for format in formats() {
        assert!(found(&format, noisy(&format, 0.0)).0.iter().all(|got| *got == 0.0), "{format}");
        let moving = (0..FRAMES)
            .map(|n| frame(&format, n, |_, x, y| if x.abs_diff(40 + 9 * n) < 20 { 200.0 } else { picture(0, y) }));
        let (got, frames) = found(&format, moving);
        assert!(got.iter().all(|got| *got == 0.0) && frames == FRAMES - 1, "{format}: {got:?}");
    }
}

/// Neither do they hide noise nor are they taken for it: the bars of a letter box, black and white areas, a frame shown
/// twice, a cut.
#[test]
fn what_says_nothing_is_left_out() {
    let format = formats().remove(0);
    let mut random = Random::new(5);
    let mut clip: Vec<Frame> = Vec::new();
    for n in 0..12 {
        let scene = if n < 6 { 0.0 } else { 70.0 };
        clip.push(frame(&format, n, |plane, x, y| {
            let (height, is_luma) = (format.plane_size(plane).1, plane == 0);
            match () {
                () if y < height / 4 || y >= height - height / 4 => {
                    if is_luma {
                        16.0
                    } else {
                        128.0
                    }
                }
                () if is_luma && x < 60 => 0.4 * normal(&mut random),
                () => 80.0 + scene + 6.0 * normal(&mut random),
            }
        }));
        clip.push(clip.last().unwrap().clone());
    }
    let (got, frames) = found(&format, clip);
    assert_eq!(frames, 11, "frames that are repeated do not count");
    assert!(got.iter().all(|got| (got / 6.0 - 1.0).abs() < 0.15), "{got:?}");
}

#[test]
fn of_a_frame_and_of_a_sample_nothing_is_known() {
    let format = formats().remove(0);
    assert_eq!(found(&format, []), (vec![0.0; 3], 0));
    assert_eq!(found(&format, noisy(&format, 9.0).into_iter().take(1)), (vec![0.0; 3], 0));
    let tiny = Arc::new(Format::new(Pixel::gray(8), 1, 1, Rational::new(25, 1)));
    assert_eq!(found(&tiny, noisy(&tiny, 9.0)).0, [0.0]);
    let (small, other) = (Arc::new(Format::new(Pixel::gray(8), 11, 9, Rational::new(25, 1))), formats().remove(1));
    let got = found(&small, noisy(&small, 9.0)).0[0];
    assert!((5.0..14.0).contains(&got), "{got}");
    let error = NoiseMeter::new(&format).push(&noisy(&other, 1.0)[0]).unwrap_err();
    assert_eq!(error.to_string(), "frame 0 has another format");
    let mut meter = NoiseMeter::new(&small);
    meter.push(&noisy(&small, 1.0)[0]).unwrap();
    assert!(meter.push(&noisy(&tiny, 1.0)[0]).is_err(), "of another size");
}
