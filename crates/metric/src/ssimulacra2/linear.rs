//! Pictures in linear light: what a frame's samples mean, and smaller pictures made of them.

use warpreel_filter::backend::{PerceptionPlan, PerceptionScale};

use crate::frame::{Family, Format, Host, Plane, Range};
use crate::simd::Sample;

/// Columns of a picture that are worked on at a time, with what filters reach to either side.
pub const WIDE: usize = 256 + 2 * REACH;
/// Radius of the filters.
pub const REACH: usize = 4;

/// Factors of the powers of `(v + 0.055) / 1.055`, the lowest first.
#[expect(clippy::excessive_precision, reason = "as they were fitted")]
const POWER: [f32; 10] = [
    0.00016555610636714846,
    -0.00823032483458519,
    0.3389175236225128,
    1.4232971668243408,
    -1.99899423122406,
    2.864215850830078,
    -3.0180587768554688,
    2.097269296646118,
    -0.8501326441764832,
    0.15155066549777985,
];

/// Rows of red, green and blue in linear light.
pub trait LinearRows {
    /// Columns.
    fn width(&self) -> usize;
    /// Rows.
    fn height(&self) -> usize;
    /// Writes the columns of row `y` from `left` on, as many as `to` has.
    fn read(&self, y: usize, left: usize, to: [&mut [f32]; 3]);
}

/// Conversion of samples to light.
#[derive(Clone, Debug)]
pub struct LightConversion {
    family: Family,
    /// Offset that is subtracted from luma or a colour, and the factor behind it.
    luma: [f32; 2],
    /// The same of chroma.
    chroma: [f32; 2],
    /// Red of V, green of U and of V, blue of U.
    weights: [f32; 4],
    steps: [usize; 2],
    is_left: bool,
}

impl LightConversion {
    /// Of the frames of a format. Untagged YUV has the matrix that players guess, and the transfer function is always sRGB's.
    pub fn of(format: &Format) -> Self {
        let pixel = format.pixel;
        let unit = if pixel.depth == 32 { 1.0 / 255.0 } else { f64::from(pixel.peak() + 1.0) / 256.0 };
        let peak = f64::from(pixel.peak());
        let middle = f64::from(pixel.neutral(1).max(if pixel.depth == 32 { 0.5 } else { 0.0 }));
        let [luma, chroma] = match format.range() {
            Range::Full => [[0.0, 1.0 / peak], [middle, 1.0 / peak]],
            _ => [[16.0 * unit, 1.0 / (219.0 * unit)], [middle, 1.0 / (224.0 * unit)]],
        };
        let is_high = format.width >= 1280 || format.height > 576;
        let [red, blue]: [f64; 2] = match format.colour.matrix {
            1 => [0.2126, 0.0722],
            4 => [0.30, 0.11],
            7 => [0.212, 0.087],
            9 | 10 => [0.2627, 0.0593],
            2 if is_high => [0.2126, 0.0722],
            _ => [0.299, 0.114],
        };
        let green = 1.0 - red - blue;
        let [of_red, of_blue] = [2.0 * (1.0 - red), 2.0 * (1.0 - blue)];
        let weights = [of_red, -of_blue * blue / green, -of_red * red / green, of_blue];
        Self {
            family: pixel.family,
            luma: luma.map(|value| value as f32),
            chroma: chroma.map(|value| value as f32),
            weights: weights.map(|value| value as f32),
            steps: [1 << pixel.log2_chroma_w, 1 << pixel.log2_chroma_h],
            is_left: [0, 1, 3, 5].contains(&format.colour.siting),
        }
    }

    /// Planes of red, green and blue, or of luma and chroma; grey has three equal colours.
    fn planes(&self) -> [usize; 3] {
        match self.family {
            Family::Gray => [0, 0, 0],
            Family::Yuv => [0, 1, 2],
            Family::Rgb => [2, 0, 1],
        }
    }

    /// The same for another machine.
    pub fn plan(&self, scales: Vec<PerceptionScale>) -> PerceptionPlan {
        let Self { family, luma, chroma, weights, steps, is_left } = *self;
        let (planes, is_yuv) = (self.planes(), family == Family::Yuv);
        PerceptionPlan { planes, is_yuv, luma, chroma, weights, steps, is_left, scales }
    }
}

/// A frame.
pub struct FrameLight<'a, T> {
    planes: [Plane<'a, T>; 3],
    conversion: &'a LightConversion,
}

impl<'a, T: Sample> FrameLight<'a, T> {
    /// Of a frame; grey has three equal colours, and opacity is not seen.
    pub fn new(host: Host<'a>, conversion: &'a LightConversion) -> Self {
        Self { planes: conversion.planes().map(|plane| host.plane(plane)), conversion }
    }

    /// Chroma of row `y` at each column of luma, as far from mid-grey as it is: the nearest samples, weighted by their distance.
    #[inline(always)]
    fn chroma(&self, plane: usize, y: usize, left: usize, to: &mut [f32]) {
        let LightConversion { steps: [across, down], is_left, chroma: [middle, scale], .. } = *self.conversion;
        let plane = &self.planes[plane];
        let (upper, lower, below) = between(y, down, false, plane.height);
        let (upper, lower) = (plane.row(upper), plane.row(lower));
        // Between rows first, then between columns.
        let first = between(left, across, is_left, plane.width).0;
        let last = between(left + to.len() - 1, across, is_left, plane.width).1;
        let count = last + 1 - first;
        // One sample beyond each column's, and one that is repeated.
        let mut row = [0.0f32; WIDE + 2];
        for ((to, a), b) in row[..count].iter_mut().zip(&upper[first..]).zip(&lower[first..]) {
            let [a, b] = [a.finite(), b.finite()];
            *to = (a + below * (b - a) - middle) * scale;
        }
        row[count] = row[count - 1];
        if across == 1 {
            to.copy_from_slice(&row[..to.len()]);
        } else if across == 2 && is_left && left.is_multiple_of(2) {
            let (pairs, single) = to.as_chunks_mut::<2>();
            let places = pairs.len();
            for ((to, here), next) in pairs.iter_mut().zip(&row[..count]).zip(&row[1..]) {
                *to = [*here, 0.5 * (here + next)];
            }
            single.iter_mut().for_each(|to| *to = row[places]);
        } else {
            for (x, to) in to.iter_mut().enumerate() {
                let (one, other, beyond) = between(left + x, across, is_left, plane.width);
                let [a, b] = [row[one - first], row[other - first]];
                *to = a + beyond * (b - a);
            }
        }
    }
}

/// The two samples around a place of a plane that is smaller by `step`, and how far it is from the first to the second.
#[inline(always)]
fn between(place: usize, step: usize, is_on_first: bool, side: usize) -> (usize, usize, f32) {
    let shift = if is_on_first { 0 } else { step - 1 };
    // In units of half a step of luma, counted from half a step before the first sample, so that nothing is below 0.
    let twice = 2 * place + 2 * step - shift;
    let (index, rest) = (twice / (2 * step), twice % (2 * step));
    let first = index.saturating_sub(1).min(side - 1);
    let second = index.min(side - 1);
    (first, second, rest as f32 / (2 * step) as f32)
}

impl<T: Sample> LinearRows for FrameLight<'_, T> {
    fn width(&self) -> usize {
        self.planes[0].width
    }

    fn height(&self) -> usize {
        self.planes[0].height
    }

    #[inline(always)]
    fn read(&self, y: usize, left: usize, to: [&mut [f32]; 3]) {
        let [black, scale] = self.conversion.luma;
        let columns = left..left + to[0].len();
        if self.conversion.family != Family::Yuv {
            for (plane, to) in self.planes.iter().zip(to) {
                let row = &plane.row(y)[columns.clone()];
                to.iter_mut().zip(row).for_each(|(to, sample)| *to = light((sample.finite() - black) * scale));
            }
            return;
        }
        let count = columns.len();
        let [mut u, mut v] = [[0.0; WIDE]; 2];
        self.chroma(1, y, left, &mut u[..count]);
        self.chroma(2, y, left, &mut v[..count]);
        let [red_v, green_u, green_v, blue_u] = self.conversion.weights;
        let [red, green, blue] = to;
        let colours = red.iter_mut().zip(green).zip(blue);
        let samples = self.planes[0].row(y)[columns].iter().zip(&u).zip(&v);
        for (((red, green), blue), ((luma, &u), &v)) in colours.zip(samples) {
            let luma = (luma.finite() - black) * scale;
            *red = light(luma + red_v * v);
            *green = light(luma + green_u * u + green_v * v);
            *blue = light(luma + blue_u * u);
        }
    }
}

/// sRGB's transfer function: `v / 12.92` up to 0.04045, above it `((v + 0.055) / 1.055)^2.4`, whose polynomial is within 4·10⁻⁷.
#[expect(clippy::manual_clamp, reason = "of a NaN and a number the number is meant")]
#[inline(always)]
fn light(value: f32) -> f32 {
    let value = value.max(0.0).min(1.0);
    let base = (value + 0.055) * (1.0 / 1.055);
    let mut curve = POWER[9];
    for factor in [POWER[8], POWER[7], POWER[6], POWER[5], POWER[4], POWER[3], POWER[2], POWER[1], POWER[0]] {
        curve = curve.mul_add(base, factor);
    }
    if value <= 0.04045 { value * (1.0 / 12.92) } else { curve }
}

/// A picture of half the width and height or less, in linear light.
#[derive(Debug, Default)]
pub struct SmallLight {
    pub width: usize,
    pub height: usize,
    /// Red, green and blue, row by row.
    pub planes: [Vec<f32>; 3],
}

impl SmallLight {
    /// Makes room for a picture.
    pub fn resize(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.planes.iter_mut().for_each(|plane| plane.resize(width * height, 0.0));
    }
}

impl LinearRows for SmallLight {
    fn width(&self) -> usize {
        self.width
    }

    fn height(&self) -> usize {
        self.height
    }

    #[inline(always)]
    fn read(&self, y: usize, left: usize, to: [&mut [f32]; 3]) {
        for (plane, to) in self.planes.iter().zip(to) {
            to.copy_from_slice(&plane[y * self.width + left..][..to.len()]);
        }
    }
}
