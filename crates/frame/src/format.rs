//! What samples are: [`Pixel`] says how they are stored, [`Format`] adds the size, the colour tags and the clock.

use std::fmt;

use anyhow::{Context, Result};

use super::Turn;

/// A ratio of two integers, as FFmpeg's `AVRational`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rational {
    /// Numerator.
    pub num: i32,
    /// Denominator; 0 means unknown.
    pub den: i32,
}

impl Rational {
    /// `num / den`.
    pub const fn new(num: i32, den: i32) -> Self {
        Self { num, den }
    }

    /// `num / den` in lowest terms, or `None` where one of them is 0.
    ///
    /// # Errors
    /// If the result does not fit.
    pub fn reduced(num: u64, den: u64) -> Result<Option<Self>> {
        if num == 0 || den == 0 {
            return Ok(None);
        }
        let (mut divisor, mut rest) = (num, den);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let fit = |value: u64| i32::try_from(value / divisor).with_context(|| format!("{num}/{den} is out of range"));
        Ok(Some(Self::new(fit(num)?, fit(den)?)))
    }

    /// The ratio nearest to a positive number whose numerator and denominator fit; `None` if there is none: FFmpeg's `av_d2q`.
    pub fn nearest(value: f64) -> Option<Self> {
        const MOST: i128 = i32::MAX as i128;
        if !(value > 0.0 && value <= f64::from(i32::MAX)) {
            return None;
        }
        // The number is exactly this ratio, but for bits below 2^-62 of it.
        let exponent = (value.log2().floor() as u32).min(31);
        let den = 1i128 << (61 - exponent);
        let (mut num, mut rest) = ((value * den as f64 + 0.5).floor() as i128, den);
        // Its continued fraction, as long as that fits.
        let [mut before, mut last] = [(0i128, 1i128), (1, 0)];
        while rest != 0 {
            let digit = num / rest;
            let next = (digit * last.0 + before.0, digit * last.1 + before.1);
            if next.0 > MOST || next.1 > MOST {
                let fits = |before: i128, last: i128| if last == 0 { digit } else { (MOST - before) / last };
                let digit = fits(before.0, last.0).min(fits(before.1, last.1));
                if rest * (2 * digit * last.1 + before.1) > num * last.1 {
                    last = (digit * last.0 + before.0, digit * last.1 + before.1);
                }
                break;
            }
            (before, last) = (last, next);
            (num, rest) = (rest, num - digit * rest);
        }
        let ratio = Self::new(i32::try_from(last.0).ok()?, i32::try_from(last.1).ok()?);
        ratio.value().map(|_| ratio)
    }

    /// Its value, or `None` where numerator or denominator is not positive.
    pub fn value(self) -> Option<f64> {
        (self.num > 0 && self.den > 0).then(|| f64::from(self.num) / f64::from(self.den))
    }

    /// Numerator and denominator exchanged.
    pub const fn inverse(self) -> Self {
        Self { num: self.den, den: self.num }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

/// The type of a sample in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sample {
    /// 8 bits.
    U8,
    /// 16 bits, native byte order, of which the low [`Pixel::depth`] are used.
    U16,
    /// 32-bit float; 0 to 1 is black to white, values outside are kept.
    F32,
}

impl Sample {
    /// Size in memory.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::F32 => 4,
        }
    }
}

/// What the planes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// One plane of grey.
    Gray,
    /// Luma, then two planes of chroma: Y, U, V.
    Yuv,
    /// Three planes in the order of FFmpeg's planar RGB: G, B, R.
    Rgb,
}

/// How a pixel is stored: always planar, the colour planes first and alpha last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pixel {
    /// What the planes mean.
    pub family: Family,
    /// Whether a plane of opacity comes last.
    pub alpha: bool,
    /// Chroma planes are narrower by `1 << log2_chroma_w`; 0 outside YUV.
    pub log2_chroma_w: u8,
    /// Chroma planes are lower by `1 << log2_chroma_h`; 0 outside YUV.
    pub log2_chroma_h: u8,
    /// The type in memory.
    pub sample: Sample,
    /// Bits in use: 8 for `U8`, 9 to 16 for `U16`, 32 for `F32`.
    pub depth: u8,
}

impl Pixel {
    /// A pixel of integers of `depth` bits, 8 to 16, without alpha.
    pub const fn integer(family: Family, log2_chroma_w: u8, log2_chroma_h: u8, depth: u8) -> Self {
        let sample = if depth == 8 { Sample::U8 } else { Sample::U16 };
        Self { family, alpha: false, log2_chroma_w, log2_chroma_h, sample, depth }
    }

    /// 4:2:0 of `depth` bits.
    pub const fn yuv420p(depth: u8) -> Self {
        Self::integer(Family::Yuv, 1, 1, depth)
    }

    /// One plane of `depth` bits.
    pub const fn gray(depth: u8) -> Self {
        Self::integer(Family::Gray, 0, 0, depth)
    }

    /// Number of planes, 1 to 4.
    pub const fn planes(self) -> usize {
        let colour = if matches!(self.family, Family::Gray) { 1 } else { 3 };
        colour + self.alpha as usize
    }

    /// Whether `plane` holds colour differences, centred on mid-grey and perhaps subsampled.
    pub const fn is_chroma(self, plane: usize) -> bool {
        matches!(self.family, Family::Yuv) && (plane == 1 || plane == 2)
    }

    /// Whether `plane` holds opacity.
    pub const fn is_alpha(self, plane: usize) -> bool {
        self.alpha && plane + 1 == self.planes()
    }

    /// How many planes, the first ones, make up the brightness of a frame: luma, grey, or all three colours of RGB.
    pub const fn brightness_planes(self) -> usize {
        if matches!(self.family, Family::Rgb) { 3 } else { 1 }
    }

    /// Bits of a sample where brightness is measured, which is in whole numbers: floats from 0 to 1 are brought to 16.
    pub const fn measured_depth(self) -> u8 {
        if matches!(self.sample, Sample::F32) { 16 } else { self.depth }
    }

    /// Which code values stand for black and white where a stream is tagged so: RGB is always full; untagged, YUV is
    /// limited and grey is full.
    pub const fn range(self, tag: Range) -> Range {
        match (self.family, tag) {
            (Family::Rgb, _) | (_, Range::Full) | (Family::Gray, Range::Unspecified) => Range::Full,
            (Family::Yuv | Family::Gray, Range::Limited) | (Family::Yuv, Range::Unspecified) => Range::Limited,
        }
    }

    /// By how many powers of two `plane` is narrower and lower than the frame.
    pub const fn subsampling(self, plane: usize) -> (u8, u8) {
        if self.is_chroma(plane) { (self.log2_chroma_w, self.log2_chroma_h) } else { (0, 0) }
    }

    /// The largest sample: `2^depth − 1`, or 1 for floats (which may exceed it).
    pub fn peak(self) -> f32 {
        match self.sample {
            Sample::F32 => 1.0,
            _ => ((1u32 << self.depth) - 1) as f32,
        }
    }

    /// The largest sample that memory can hold, or 1 for floats: what comes through a pipe may lie above the peak.
    pub fn highest(self) -> f32 {
        match self.sample {
            Sample::U8 => u8::MAX.into(),
            Sample::U16 => u16::MAX.into(),
            Sample::F32 => self.peak(),
        }
    }

    /// The value of `plane` that stands for no colour and no light: mid-grey in chroma, 0 elsewhere.
    pub fn neutral(self, plane: usize) -> f32 {
        match (self.is_chroma(plane), self.sample) {
            (false, _) => 0.0,
            (true, Sample::F32) => 0.5,
            (true, _) => (1u32 << (self.depth - 1)) as f32,
        }
    }

    /// FFmpeg's name without the byte order: `yuv420p10`, `gbrapf32`, `gray`.
    pub fn name(self) -> String {
        let alpha = if self.alpha { "a" } else { "" };
        let depth = match (self.sample, self.depth) {
            (Sample::F32, _) => "f32".to_owned(),
            (_, 8) => String::new(),
            (_, depth) => depth.to_string(),
        };
        match self.family {
            Family::Gray if self.alpha && self.depth == 8 => "ya8p".to_owned(),
            Family::Gray if self.alpha => format!("ya{depth}p"),
            Family::Gray => format!("gray{depth}"),
            Family::Rgb => format!("gbr{alpha}p{depth}"),
            Family::Yuv => {
                let ratio = match (self.log2_chroma_w, self.log2_chroma_h) {
                    (0, 0) => "444",
                    (1, 0) => "422",
                    (1, 1) => "420",
                    (2, 0) => "411",
                    (0, 1) => "440",
                    (2, 2) => "410",
                    _ => "4xx",
                };
                format!("yuv{alpha}{ratio}p{depth}")
            }
        }
    }
}

/// Which code values stand for black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Range {
    /// The stream does not say.
    #[default]
    Unspecified,
    /// 16 to 235 (luma, 8 bit), as television uses.
    Limited,
    /// 0 to 255 (8 bit).
    Full,
}

/// What colours the samples mean: code points of ITU-T H.273, 2 where the stream does not say. Filters keep them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Black and white.
    pub range: Range,
    /// Colour primaries.
    pub primaries: u8,
    /// Transfer characteristics.
    pub transfer: u8,
    /// Matrix coefficients.
    pub matrix: u8,
    /// Where chroma lies: FFmpeg's `AVChromaLocation` (H.273's `Chroma420SampleLocType` + 1); 0 is unspecified.
    pub siting: u8,
}

impl Default for Colour {
    fn default() -> Self {
        Self { range: Range::Unspecified, primaries: 2, transfer: 2, matrix: 2, siting: 0 }
    }
}

/// How the two fields of a frame are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FieldOrder {
    /// The stream does not say.
    #[default]
    Unspecified,
    /// No fields.
    Progressive,
    /// Interlaced, the top field first.
    TopFirst,
    /// Interlaced, the bottom field first.
    BottomFirst,
    /// Interlaced or progressive, frame by frame.
    Mixed,
}

/// What every frame of a clip has in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Format {
    /// How a pixel is stored.
    pub pixel: Pixel,
    /// Luma pixels in a row, 1 to 16384.
    pub width: usize,
    /// Rows of luma pixels, 1 to 16384.
    pub height: usize,
    /// What the colours mean.
    pub colour: Colour,
    /// Width of a pixel over its height; `0/1` where unknown.
    pub aspect: Rational,
    /// Fields.
    pub fields: FieldOrder,
    /// Nominal frames per second; `0/1` where unknown or variable.
    pub rate: Rational,
    /// The unit of all times, in seconds.
    pub time_base: Rational,
    /// How frames are turned when they are shown. They are filtered as they are stored.
    pub turn: Turn,
}

impl Format {
    /// The largest width and height.
    pub const MAX_SIDE: usize = 16384;

    /// A format at `rate` frames per second, its time base one frame, untagged.
    pub fn new(pixel: Pixel, width: usize, height: usize, rate: Rational) -> Self {
        Self {
            pixel,
            width,
            height,
            colour: Colour::default(),
            aspect: Rational::new(0, 1),
            fields: FieldOrder::Unspecified,
            rate,
            time_base: rate.inverse(),
            turn: Turn::default(),
        }
    }

    /// Of a clip of which each field has become a frame: twice the frames a second, times in half the unit, progressive.
    ///
    /// # Errors
    /// If the rate or the unit is out of range then.
    pub fn of_fields(&self) -> Result<Self> {
        let scaled = |ratio: Rational, [num, den]: [u64; 2]| -> Result<Rational> {
            let [Ok(own_num), Ok(own_den)] = [ratio.num, ratio.den].map(u64::try_from) else { return Ok(ratio) };
            Ok(Rational::reduced(own_num * num, own_den * den)?.unwrap_or(ratio))
        };
        let rate = scaled(self.rate, [2, 1]).context("double the frame rate")?;
        let time_base = scaled(self.time_base, [1, 2]).context("halve the unit of times")?;
        Ok(Self { fields: FieldOrder::Progressive, rate, time_base, ..self.clone() })
    }

    /// Which code values stand for black and white: as [`Pixel::range`] has it.
    pub const fn range(&self) -> Range {
        self.pixel.range(self.colour.range)
    }

    /// Width and height of a plane; chroma of odd sizes rounds up.
    pub fn plane_size(&self, plane: usize) -> (usize, usize) {
        let (w, h) = self.pixel.subsampling(plane);
        (self.width.div_ceil(1 << w), self.height.div_ceil(1 << h))
    }

    /// Samples of all planes.
    pub fn samples(&self) -> usize {
        (0..self.pixel.planes()).map(|plane| self.plane_size(plane)).map(|(w, h)| w * h).sum()
    }

    /// Samples of the planes that make up brightness.
    pub fn brightness_samples(&self) -> usize {
        (0..self.pixel.brightness_planes()).map(|plane| self.plane_size(plane)).map(|(w, h)| w * h).sum()
    }

    /// Whether frames of both have planes of the same samples and sizes.
    pub fn planes_match(&self, other: &Self) -> bool {
        self.pixel == other.pixel && (self.width, self.height) == (other.width, other.height)
    }

    /// Bytes of a frame without padding.
    pub fn packed_bytes(&self) -> usize {
        self.samples() * self.pixel.sample.bytes()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}", self.pixel.name(), self.width, self.height)?;
        if self.rate.value().is_some() {
            write!(f, " at {} fps", self.rate)?;
        }
        if self.turn.is_none() { Ok(()) } else { write!(f, ", shown {}", self.turn) }
    }
}
