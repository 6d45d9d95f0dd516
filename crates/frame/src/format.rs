//! Format of a clip's frames: pixels, size, colour tags and clock.

use std::fmt;

use anyhow::{Context, Result, ensure};

use super::{Pixel, Range, Sample, Turn};

/// A ratio of two integers, as FFmpeg's `AVRational`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// What colours the samples mean: code points of ITU-T H.273, 2 where the stream does not say. Filters keep them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

impl Colour {
    /// True if the transfer is tagged as one of SDR. BT.2020's is not counted: broadcasts tag HLG so.
    pub fn is_sdr(self) -> bool {
        matches!(self.transfer, 1 | 4..=7 | 11 | 13)
    }
}

impl Default for Colour {
    fn default() -> Self {
        Self { range: Range::Unspecified, primaries: 2, transfer: 2, matrix: 2, siting: 0 }
    }
}

/// Luminance of an HDR clip, from its static metadata, in whole cd/m²; 0 where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LightLevel {
    /// The brightest pixel: MaxCLL of CTA-861.3.
    pub brightest: u32,
    /// Maximum of the mastering display: SMPTE ST 2086.
    pub mastered: u32,
}

/// How the two fields of a frame are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// How a pixel is stored.
    pub pixel: Pixel,
    /// Luma pixels in a row, 1 to 16384.
    pub width: usize,
    /// Rows of luma pixels, 1 to 16384.
    pub height: usize,
    /// What the colours mean.
    pub colour: Colour,
    /// Luminance of HDR.
    pub light: LightLevel,
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

    /// A format at `rate` frames per second, its time base one frame, untagged. It is checked when frames, plans and stages
    /// are made from it; [`Format::try_new`] checks it at once.
    pub fn new(pixel: Pixel, width: usize, height: usize, rate: Rational) -> Self {
        Self {
            pixel,
            width,
            height,
            colour: Colour::default(),
            light: LightLevel::default(),
            aspect: Rational::new(0, 1),
            fields: FieldOrder::Unspecified,
            rate,
            time_base: rate.inverse(),
            turn: Turn::default(),
        }
    }

    /// The same, checked.
    ///
    /// # Errors
    /// As [`Format::check`].
    ///
    /// ```
    /// use warpreel_frame::{Format, Pixel, Rational};
    ///
    /// let format = Format::try_new(Pixel::parse("yuv422p10")?, 1920, 1080, Rational::new(30000, 1001))?;
    /// assert_eq!(format.to_string(), "yuv422p10 1920x1080 at 30000/1001 fps");
    /// assert!(Format::try_new(Pixel::gray(8), 1 << 40, 1 << 40, Rational::new(25, 1)).is_err());
    /// assert!(Format::try_new(Pixel::gray(7), 64, 48, Rational::new(25, 1)).is_err());
    /// # anyhow::Ok(())
    /// ```
    pub fn try_new(pixel: Pixel, width: usize, height: usize, rate: Rational) -> Result<Self> {
        let format = Self::new(pixel, width, height, rate);
        format.check().map(|()| format)
    }

    /// Checks that frames can have this format.
    ///
    /// # Errors
    /// If a side is not 1 to [`Format::MAX_SIDE`], or as [`Pixel::check`].
    pub fn check(&self) -> Result<()> {
        self.pixel.check()?;
        let (Self { width, height, .. }, most) = (self, Self::MAX_SIDE);
        let fits = |side: &usize| (1..=most).contains(side);
        ensure!(fits(width) && fits(height), "frames of {width}x{height}; width and height are 1 to {most}");
        Ok(())
    }

    /// Of a clip of which each field has become a frame: twice the frames a second, times in half the unit, progressive.
    ///
    /// # Errors
    /// If the rate or the unit is out of range then.
    pub fn of_fields(&self) -> Result<Self> {
        let rate = scaled(self.rate, [2, 1]).context("double the frame rate")?;
        let time_base = scaled(self.time_base, [1, 2]).context("halve the unit of times")?;
        Ok(Self { fields: FieldOrder::Progressive, rate, time_base, ..self.clone() })
    }

    /// Of a clip of which one frame of each `cycle` is dropped and the others are shown for as much longer: fewer frames a second,
    /// times in so many parts of the unit as frames are left, which hold all new times exactly.
    ///
    /// # Errors
    /// If the rate or the unit is out of range then.
    pub fn of_cycles(&self, cycle: u32) -> Result<Self> {
        let (cycle, left) = (u64::from(cycle), u64::from(cycle.saturating_sub(1).max(1)));
        let rate = scaled(self.rate, [left, cycle]).context("lower the frame rate")?;
        let time_base = scaled(self.time_base, [1, left]).context("divide the unit of times")?;
        Ok(Self { rate, time_base, ..self.clone() })
    }

    /// Which code values stand for black and white: as [`Pixel::range`] has it.
    pub const fn range(&self) -> Range {
        self.pixel.range(self.colour.range)
    }

    /// Width and height of a plane; chroma of odd sizes rounds up.
    pub fn plane_size(&self, plane: usize) -> (usize, usize) {
        let (w, h) = self.pixel.subsampling(plane);
        let smaller = |side: usize, by: u8| 1usize.checked_shl(by.into()).map_or(1, |parts| side.div_ceil(parts));
        (smaller(self.width, w), smaller(self.height, h))
    }

    /// Samples of all planes.
    pub fn samples(&self) -> usize {
        self.samples_of(self.pixel.planes())
    }

    /// Samples of the first planes; as many as can be counted where a format that fails [`Format::check`] has more.
    fn samples_of(&self, planes: usize) -> usize {
        let sizes = (0..planes).map(|plane| self.plane_size(plane));
        sizes.fold(0, |sum: usize, (w, h)| sum.saturating_add(w.saturating_mul(h)))
    }

    /// Samples of the planes that make up brightness.
    pub fn brightness_samples(&self) -> usize {
        self.samples_of(self.pixel.brightness_planes())
    }

    /// The range of its samples as whole numbers: that of [`Format::range`], but for floats, which have a tag of what they become.
    pub fn whole_range(&self) -> Range {
        self.pixel.whole_range(self.colour.range)
    }

    /// Whether frames of both have planes of the same samples and sizes.
    pub fn planes_match(&self, other: &Self) -> bool {
        let kind = |Pixel { family, alpha, sample, depth, .. }: Pixel| (family, alpha, sample, depth);
        let alike = |plane| self.plane_size(plane) == other.plane_size(plane);
        // A picture of one pixel has the same planes with any subsampling.
        kind(self.pixel) == kind(other.pixel) && (0..self.pixel.planes()).all(alike)
    }

    /// Whether samples of both mean the same too: [`Format::planes_match`], of one range where they are integers.
    pub fn samples_match(&self, other: &Self) -> bool {
        self.planes_match(other) && (self.pixel.sample == Sample::F32 || self.range() == other.range())
    }

    /// Words for two formats: as each is displayed, with the ranges where they would read the same.
    pub fn told_apart(&self, other: &Self) -> [String; 2] {
        let words = [self, other].map(ToString::to_string);
        if words[0] != words[1] {
            return words;
        }
        [self, other].map(|format| format!("{format} of {} range", format!("{:?}", format.range()).to_lowercase()))
    }

    /// Bytes of a frame without padding.
    pub fn packed_bytes(&self) -> usize {
        self.samples().saturating_mul(self.pixel.sample.bytes())
    }
}

/// A ratio times another; as it is where it is none.
fn scaled(ratio: Rational, [num, den]: [u64; 2]) -> Result<Rational> {
    let [Ok(own_num), Ok(own_den)] = [ratio.num, ratio.den].map(u64::try_from) else { return Ok(ratio) };
    Ok(Rational::reduced(own_num * num, own_den * den)?.unwrap_or(ratio))
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
