//! A still picture over a part of the plane.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Result, ensure};

use super::cost::Operations;
use super::guide::Guide;
use super::operation::Operation;
use crate::frame::{Format, Sample};

/// Samples of a picture over those of the plane, in a rectangle; outside it the plane stays as it is. With `d` for a sample of
/// the plane, `s` for that of the picture, `a` for its opacity, and `M` for the format's largest sample:
///
/// - Bytes: `⌊(d · (255 − a) + s · a + 128) · 257 / 2¹⁶⌋`, which is FFmpeg's `overlay`.
/// - 9 to 16 bits: `⌊(d · (M − a) + s · a) / M⌋`, which at 10 bits is FFmpeg's. Samples above `M` are numbers like any others.
/// - Floats, each operation rounded to `f32`, none fused: `d · (1 − a) + s · a`, where `a = 0` gives `d` and `a = 1` gives `s` as
///   they are; any other NaN becomes `0x7fc0_0000`.
///
/// Frames that have opacity `e` of their own, which is not premultiplied ([`OverlayBase`]):
///
/// - Colours have `b` in place of `a` unless `a` is 0 or `M`. Whole numbers: `b = ⌊M² · a / (M · (a + e) − a · e)⌋`, exact, and
///   `e` above `M` is `M`. Floats: `b = a / ((a + e) − a · e)`, with `e` cut to 0 to 1, and 0 where it is infinite or no
///   number.
///   Where a plane is subsampled, `e` is the guide's sample ([`Guide`]).
/// - Opacity itself becomes `d + D((M − d) · a)`, with `D(v) = ⌊(v + 128) · 257 / 2¹⁶⌋` of bytes and `⌊v / M⌋` above; samples of `M`
///   and more stay. Floats: `d + (1 − d) · a`, where `a = 0` gives `d` as it is and `a = 1` gives 1.
///
/// Bytes of planes that are not subsampled are FFmpeg's.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// From left to right, within the plane; at least one.
    pub columns: Range<usize>,
    /// From top to bottom, within the plane; at least one.
    pub rows: Range<usize>,
    /// What lies over the rectangle.
    pub picture: OverlaySamples,
    /// Whether frames have opacity of their own, and where.
    pub base: OverlayBase,
}

/// Samples of a plane of a picture and its opacity, for the rectangle, row by row without padding.
#[derive(Clone, Debug, PartialEq)]
pub enum OverlaySamples {
    /// Up to the largest sample of the format.
    Whole {
        /// The samples; of opacity itself nothing.
        samples: Arc<[u16]>,
        /// How opaque each is.
        opacity: Arc<[u16]>,
    },
    /// Floats.
    Real {
        /// The samples, finite; of opacity itself nothing.
        samples: Arc<[f32]>,
        /// How opaque each is, from 0 to 1.
        opacity: Arc<[f32]>,
    },
}

/// What lies below a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayBase {
    /// A plane of frames without opacity.
    Opaque,
    /// A plane of colour, and the plane with its opacity.
    Colour(Guide),
    /// The plane of opacity itself.
    Opacity,
}

impl Overlay {
    /// Rounded places of the rectangle.
    fn places(&self) -> usize {
        self.columns.len() * self.rows.len()
    }

    /// What a frame's opacity makes of the picture's, both of them whole numbers up to `most`.
    pub fn beside(opacity: u32, below: u32, most: u32) -> u32 {
        if opacity == 0 || opacity >= most {
            return opacity;
        }
        let [a, e, m] = [opacity, below.min(most), most].map(u64::from);
        (m * m * a / (m * (a + e) - a * e)) as u32
    }
}

impl Operation for Overlay {
    fn kind(&self) -> &'static str {
        "overlay"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let (pixel, (width, height)) = (format.pixel, format.plane_size(plane));
        let is_inside = |range: &Range<usize>, end: usize| range.start < range.end && range.end <= end;
        ensure!(is_inside(&self.columns, width) && is_inside(&self.rows, height), "the picture exceeds the plane");
        match self.base {
            OverlayBase::Opaque => ensure!(!pixel.alpha, "frames have opacity of their own"),
            OverlayBase::Opacity => ensure!(pixel.is_alpha(plane), "plane {plane} is not opacity"),
            OverlayBase::Colour(guide) => {
                guide.check(format, plane)?;
                ensure!(pixel.is_alpha(guide.plane), "plane {} is not opacity", guide.plane);
            }
        }
        let has_samples = self.base != OverlayBase::Opacity;
        let fits = |samples: usize, opacity: usize| {
            opacity == self.places() && samples == if has_samples { self.places() } else { 0 }
        };
        match &self.picture {
            OverlaySamples::Whole { samples, opacity } => {
                ensure!(pixel.sample != Sample::F32, "whole numbers for {}", pixel.name());
                ensure!(fits(samples.len(), opacity.len()), "its samples do not fill its rectangle");
                let most = pixel.peak() as u16;
                ensure!(samples.iter().chain(&**opacity).all(|number| *number <= most), "a sample is above {most}");
            }
            OverlaySamples::Real { samples, opacity } => {
                ensure!(pixel.sample == Sample::F32, "floats for {}", pixel.name());
                ensure!(fits(samples.len(), opacity.len()), "its samples do not fill its rectangle");
                ensure!(samples.iter().all(|number| number.is_finite()), "a sample is no finite number");
                ensure!(opacity.iter().all(|number| (0.0..=1.0).contains(number)), "an opacity is not from 0 to 1");
            }
        }
        Ok(())
    }

    /// Two products, a sum and a division by a constant, in the rectangle.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let operations = self.operations(samples);
        match sample {
            Sample::F32 => Operations { real: operations, ..Operations::NONE },
            Sample::U8 | Sample::U16 => Operations { dot16: operations, ..Operations::NONE },
        }
    }

    fn guide(&self) -> Option<Guide> {
        match self.base {
            OverlayBase::Colour(guide) => Some(guide),
            OverlayBase::Opaque | OverlayBase::Opacity => None,
        }
    }

    fn shape(&self) -> String {
        let Self { columns, rows, .. } = self;
        format!("{}x{}+{}+{}", columns.len(), rows.len(), columns.start, rows.start)
    }

    /// The plane read and written, and the picture.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        let (bytes, places) = (sample.bytes() as u64, self.places() as u64);
        let pair = if sample == Sample::F32 { 8 } else { 4 };
        2 * samples * bytes + places * pair
    }

    fn operations(&self, _: u64) -> u64 {
        4 * self.places() as u64
    }
}
