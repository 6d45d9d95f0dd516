//! YUV and grey with other code values: another range, another matrix, another number of bits, at the same places.
//!
//! Both ranges and the matrices of YUV are linear in the samples, and no colour stays no colour, so chroma is converted
//! where its samples are, and only luma needs chroma at every pixel, from between its neighbours. In exact arithmetic,
//! one rounding; where bits are lost, dithered by an 8x8 pattern.

use std::sync::Arc;

use anyhow::Result;

use super::pixel::Stored;
use crate::frame::{Colour, Family, Format, Frame, FrameMut, Host, Pixel, Plane, Pool, Range, Sample};

/// Conversion of frames of one format into another of the same size, both YUV or grey.
pub(super) struct Recode {
    from: Arc<Format>,
    to: Arc<Format>,
    planes: Vec<PlaneSum>,
}

/// A plane of the result: a weighted sum of the planes of the source.
struct PlaneSum {
    /// The source's plane that has the same size, and its weight; `None` for a constant.
    own: Option<(usize, f64)>,
    /// What chroma adds: weights of the source's second and third plane.
    chroma: Option<[f64; 2]>,
    constant: f64,
}

/// Code values of black or no colour, and the distance to white or twice the strongest colour.
struct CodeScale {
    zero: f64,
    unit: f64,
}

impl CodeScale {
    fn of(pixel: Pixel, plane: usize, range: Range) -> Self {
        let peak = f64::from(pixel.peak());
        let step = if pixel.sample == Sample::F32 { 1.0 / 255.0 } else { f64::from(1u32 << (pixel.depth - 8)) };
        let neutral = f64::from(pixel.neutral(plane));
        match (range, pixel.is_chroma(plane)) {
            (_, _) if pixel.is_alpha(plane) => Self { zero: 0.0, unit: peak },
            (Range::Limited, false) => Self { zero: 16.0 * step, unit: 219.0 * step },
            (Range::Limited, true) => Self { zero: neutral, unit: 224.0 * step },
            (_, false) => Self { zero: 0.0, unit: peak },
            (_, true) => Self { zero: neutral, unit: peak },
        }
    }
}

/// The weights of red and blue in luma; `None` for matrices that are no such sums or are unknown.
fn weights(matrix: u8) -> Option<(f64, f64)> {
    Some(match matrix {
        1 => (0.2126, 0.0722),
        4 => (0.30, 0.11),
        5 | 6 => (0.299, 0.114),
        7 => (0.212, 0.087),
        9 => (0.2627, 0.0593),
        _ => return None,
    })
}

/// What of luma and chroma becomes luma, the second and the third plane: of the second and third plane each.
fn turned(from: u8, to: u8) -> Option<[[f64; 2]; 3]> {
    let ((fr, fb), (tr, tb)) = (weights(from)?, weights(to)?);
    if (fr, fb) == (tr, tb) {
        return None;
    }
    let (fg, tg) = (1.0 - fr - fb, 1.0 - tr - tb);
    // Red, green and blue less luma, of Cb and Cr.
    let red = [0.0, 2.0 * (1.0 - fr)];
    let blue = [2.0 * (1.0 - fb), 0.0];
    let green = [-fb / fg * blue[0], -fr / fg * red[1]];
    let luma = [0, 1].map(|c| tr * red[c] + tg * green[c] + tb * blue[c]);
    let cb = [0, 1].map(|c| (blue[c] - luma[c]) / (2.0 * (1.0 - tb)));
    let cr = [0, 1].map(|c| (red[c] - luma[c]) / (2.0 * (1.0 - tr)));
    Some([luma, cb, cr])
}

/// Whether frames of `format` need other code values where they are stored as `stored` with the meaning `colour`.
pub(super) fn is_needed(stored: Stored, format: &Format, colour: Colour) -> bool {
    let (from, to) = (format.pixel, stored.pixel());
    let coded = Format { pixel: to, colour, ..format.clone() };
    let is_colourless = from.family == Family::Gray && to.family == Family::Yuv;
    if to.family == Family::Rgb {
        // libswscale copies grey into some formats of RGB, whatever its range is.
        return from.family == Family::Gray && format.range() == Range::Limited;
    }
    from.family != Family::Rgb
        && (is_colourless
            || format.range() != coded.range()
            || from.family == Family::Yuv
                && to.family == Family::Yuv
                && turned(format.colour.matrix, colour.matrix).is_some())
}

/// What stands for floats of YUV, which FFmpeg has no pixel format for: the same of 16 bits. `None` of all other pixels.
pub(crate) fn whole(pixel: Pixel) -> Option<Pixel> {
    let is_float = pixel.family == Family::Yuv && pixel.sample == Sample::F32;
    is_float.then_some(Pixel { sample: Sample::U16, depth: 16, ..pixel })
}

impl Recode {
    /// A conversion of frames of `from` into what is nearest to `to` with the same places of samples.
    pub fn new(from: &Arc<Format>, to: Pixel, colour: Colour) -> Self {
        let old = from.pixel;
        let alpha = old.alpha && to.alpha;
        let (log2_chroma_w, log2_chroma_h) = match (old.family, to.family) {
            (Family::Yuv, Family::Yuv) => (old.log2_chroma_w, old.log2_chroma_h),
            _ => (to.log2_chroma_w, to.log2_chroma_h),
        };
        let near = Pixel { alpha, log2_chroma_w, log2_chroma_h, ..to };
        // FFmpeg has some subsamplings in few depths.
        let is_known = near == to || Stored::planar(near).is_some();
        let pixel = if is_known { near } else { Pixel { sample: old.sample, depth: old.depth, ..near } };
        let target = Format { pixel, colour, ..Format::clone(from) };
        let matrix = match (old.family, to.family) {
            (Family::Yuv, Family::Yuv) => turned(from.colour.matrix, colour.matrix),
            _ => None,
        };
        let planes = (0..pixel.planes()).map(|plane| {
            let new = CodeScale::of(pixel, plane, target.range());
            let source = match plane {
                _ if pixel.is_alpha(plane) => Some(old.planes() - 1),
                _ if pixel.is_chroma(plane) => (old.family == Family::Yuv).then_some(plane),
                _ => Some(0),
            };
            let Some(source) = source else { return PlaneSum { own: None, chroma: None, constant: new.zero } };
            let before = CodeScale::of(old, source, from.range());
            let turn = matrix.filter(|_| !pixel.is_alpha(plane)).map(|matrix| matrix[plane]);
            let factor = new.unit / before.unit;
            match turn {
                None => {
                    PlaneSum { own: Some((source, factor)), chroma: None, constant: new.zero - factor * before.zero }
                }
                Some(turn) => {
                    let colours = CodeScale::of(old, 1, from.range());
                    let chroma = turn.map(|weight| weight * new.unit / colours.unit);
                    let luma = if pixel.is_chroma(plane) { 0.0 } else { factor };
                    let own = (luma != 0.0).then_some((source, luma));
                    let zero = luma * before.zero + (chroma[0] + chroma[1]) * colours.zero;
                    PlaneSum { own, chroma: Some(chroma), constant: new.zero - zero }
                }
            }
        });
        let planes = planes.collect();
        Self { from: from.clone(), to: Arc::new(target), planes }
    }

    /// What it makes.
    pub fn format(&self) -> &Arc<Format> {
        &self.to
    }

    /// Converts a frame of the source's format on the host.
    ///
    /// # Errors
    /// If it is not there, or memory runs out.
    pub fn run(&self, frame: &Frame, pool: &Pool) -> Result<Frame> {
        let host = frame.host()?;
        let mut made = pool.frame(&self.to)?;
        match self.from.pixel.sample {
            Sample::U8 => self.read::<u8>(host, &mut made),
            Sample::U16 => self.read::<u16>(host, &mut made),
            Sample::F32 => self.read::<f32>(host, &mut made),
        }
        Ok(made.freeze(frame.timing.clone()))
    }

    fn read<S: CodeValue>(&self, host: Host<'_>, made: &mut FrameMut) {
        match self.to.pixel.sample {
            Sample::U8 => self.write::<S, u8>(host, made),
            Sample::U16 => self.write::<S, u16>(host, made),
            Sample::F32 => self.write::<S, f32>(host, made),
        }
    }

    fn write<S: CodeValue, T: CodeValue>(&self, host: Host<'_>, made: &mut FrameMut) {
        let peak = f64::from(self.to.pixel.peak());
        let is_dithered = self.to.pixel.depth < self.from.pixel.depth;
        for ((number, sum), mut to) in self.planes.iter().enumerate().zip(made.planes_mut::<T>()) {
            let size = self.to.plane_size(number);
            let chroma = sum.chroma.map(|weights| (weights, [1, 2].map(|plane| host.plane::<S>(plane))));
            let steps = if self.to.pixel.is_chroma(number) {
                (0, 0)
            } else {
                (self.from.pixel.log2_chroma_w, self.from.pixel.log2_chroma_h)
            };
            let is_left = [0, 1, 3, 5].contains(&self.from.colour.siting);
            let mut sums = vec![0.0; size.0];
            for y in 0..size.1 {
                sums.fill(sum.constant);
                if let Some((source, weight)) = sum.own {
                    let plane = host.plane::<S>(source);
                    for (value, sample) in sums.iter_mut().zip(plane.row(y)) {
                        *value += weight * sample.get();
                    }
                }
                if let Some((weights, planes)) = &chroma {
                    for (weight, plane) in weights.iter().zip(planes) {
                        add(&mut sums, *weight, plane, y, steps, is_left);
                    }
                }
                for (x, (value, sample)) in sums.iter().zip(to.row_mut(y)).enumerate() {
                    let threshold = if is_dithered { threshold(x, y) } else { 0.5 };
                    *sample = T::of(*value, threshold, peak);
                }
            }
        }
    }
}

/// Adds a plane of chroma to a row that has a sample at every pixel, from between its neighbours.
fn add<S: CodeValue>(sums: &mut [f64], weight: f64, plane: &Plane<'_, S>, y: usize, steps: (u8, u8), is_left: bool) {
    let (width, height) = (plane.width, plane.height);
    let (above, below, part) = between(y, steps.1, false, height);
    let (above, below) = (plane.row(above), plane.row(below));
    for (x, value) in sums.iter_mut().enumerate() {
        let (left, right, across) = between(x, steps.0, is_left, width);
        let at = |row: &[S]| row[left].get() * (1.0 - across) + row[right].get() * across;
        *value += weight * (at(above) * (1.0 - part) + if part > 0.0 { at(below) * part } else { 0.0 });
    }
}

/// The two samples that a pixel is between, and how far it is on the way from the first to the second.
fn between(pixel: usize, log2: u8, is_first: bool, count: usize) -> (usize, usize, f64) {
    let each = f64::from(1u32 << log2);
    let offset = if is_first { 0.0 } else { (each - 1.0) / 2.0 };
    let place = ((pixel as f64 - offset) / each).clamp(0.0, (count - 1) as f64);
    let first = place as usize;
    (first, (first + 1).min(count - 1), place - first as f64)
}

/// The part of a step from which on a value is rounded up: an ordered pattern of 8x8, 1/128 to 127/128.
fn threshold(x: usize, y: usize) -> f64 {
    let (mut rank, mixed) = (0, x ^ y);
    for bit in 0..3 {
        rank = (rank << 2) | (((mixed >> bit) & 1) << 1) | ((y >> bit) & 1);
    }
    (2 * rank + 1) as f64 / 128.0
}

/// A type of samples.
trait CodeValue: bytemuck::Pod {
    fn get(self) -> f64;
    fn of(value: f64, threshold: f64, peak: f64) -> Self;
}

impl CodeValue for u8 {
    fn get(self) -> f64 {
        self.into()
    }

    fn of(value: f64, threshold: f64, peak: f64) -> Self {
        (value + threshold).floor().clamp(0.0, peak) as Self
    }
}

impl CodeValue for u16 {
    fn get(self) -> f64 {
        self.into()
    }

    fn of(value: f64, threshold: f64, peak: f64) -> Self {
        (value + threshold).floor().clamp(0.0, peak) as Self
    }
}

impl CodeValue for f32 {
    fn get(self) -> f64 {
        self.into()
    }

    fn of(value: f64, _threshold: f64, _peak: f64) -> Self {
        value as Self
    }
}
