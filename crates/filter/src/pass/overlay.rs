//! A still picture, or the frames of another clip, over a part of the plane.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Result, ensure};

use super::cost::Operations;
use super::guide::Guide;
use super::operation::Operation;
use super::place::{OverlayMotion, OverlayPart, OverlayPlace};
use crate::frame::{Format, Pixel, Sample};

/// Samples of a picture over those of the plane, in a rectangle; outside it the plane stays as it is. The picture is the same for all
/// frames, or a frame of another clip for each. The rectangle is the same too, or lies where the frame has it
/// ([`crate::backend::Inputs::place`]), cut to the plane ([`Overlay::part`]). With `d` for a sample of the plane, `s` for that of the picture, `a` for its opacity, and `M` for the format's largest sample:
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
///
/// Of a clip ([`OverlayClip`]), opacity above `M` is `M`; that of floats is cut to 0 to 1, and 0 where it is no number.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// From left to right, within the plane, or of a picture that moves from 0 on; at least one.
    pub columns: Range<usize>,
    /// From top to bottom, likewise.
    pub rows: Range<usize>,
    /// How the rectangle follows the place of each frame; `None` where it stays.
    pub motion: Option<OverlayMotion>,
    /// What lies over the rectangle.
    pub picture: OverlaySamples,
    /// Whether frames have opacity of their own, and where.
    pub base: OverlayBase,
}

/// Samples of a plane of a picture and its opacity, for the rectangle; those of still pictures row by row without padding.
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
    /// Those of the second image of the pass.
    Clip(OverlayClip),
}

/// Frames of another clip, cut to the rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct OverlayClip {
    /// Format of these frames, the same for all planes of a pass: their planes are as wide as the rectangle, and have its samples from
    /// their first row on.
    pub format: Arc<Format>,
    /// How opaque they are.
    pub opacity: ClipOpacity,
}

/// How opaque the frames of another clip are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClipOpacity {
    /// All samples alike: a whole number up to the largest sample, of floats a number from 0 to 1.
    Even(f32),
    /// Each sample by itself: as many rows of the same plane as the rectangle has, from this row on.
    FromRow(usize),
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

impl OverlayBase {
    /// The base of a plane of such pixels.
    pub fn of(pixel: Pixel, plane: usize) -> Self {
        let alpha = pixel.planes() - 1;
        match pixel.alpha {
            false => Self::Opaque,
            true if plane == alpha => Self::Opacity,
            true => Self::Colour(Guide::of(pixel, plane, alpha)),
        }
    }
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

    /// The opacity of a sample at `place` of a plane that is subsampled by `(across, down)` powers of two, of a picture of `size` luma
    /// pixels whose opacity is `alpha`: of whole numbers that of FFmpeg's `overlay`, which is cut off, and takes the last column and row
    /// by themselves; of floats, and of planes that FFmpeg has not, the mean.
    pub fn covering(
        sample: Sample,
        (across, down): (u8, u8),
        (width, height): (usize, usize),
        alpha: impl Fn(usize, usize) -> f64,
        (x, y): (usize, usize),
    ) -> f64 {
        if (across, down) == (0, 0) {
            return alpha(x, y);
        }
        let is_real = sample == Sample::F32;
        if is_real || across > 1 || down > 1 {
            let range = |at: usize, shift: u8, end: usize| at << shift..((at + 1) << shift).min(end);
            let (columns, rows) = (range(x, across, width), range(y, down, height));
            let count = (columns.len() * rows.len()) as f64;
            let sum: f64 = rows.flat_map(|y| columns.clone().map(move |x| (x, y))).map(|(x, y)| alpha(x, y)).sum();
            return if is_real { sum / count } else { (sum / count).floor() };
        }
        let (columns, rows) = (width.div_ceil(1 << across), height.div_ceil(1 << down));
        let (is_pair, is_double) = (across > 0 && x + 1 < columns, down > 0 && y + 1 < rows);
        let (x, y) = (x << across, y << down);
        // Above 8 bits FFmpeg's second row is the one after the next.
        let next = y + if sample == Sample::U8 { 1 } else { 2 };
        let first = alpha(x, y);
        if is_pair && is_double {
            let sum = first + alpha(x, next) + alpha(x + 1, y) + alpha(x + 1, next);
            return (sum / 4.0).floor();
        }
        let beside = if is_pair { ((first + alpha(x + 1, y)) / 2.0).floor() } else { first };
        let below = if is_double { ((first + alpha(x, next)) / 2.0).floor() } else { first };
        ((beside + below) / 2.0).floor()
    }

    /// What the picture covers of the plane in a frame that has it at a place; `None` where that is nothing.
    pub fn part(&self, place: OverlayPlace) -> Option<OverlayPart> {
        let Self { columns, rows, .. } = self;
        match self.motion {
            Some(motion) => motion.part((columns.len(), rows.len()), place),
            None => Some(OverlayPart { columns: columns.clone(), rows: rows.clone(), first: (0, 0) }),
        }
    }

    /// Places of a plane that the picture covers at most.
    fn covered(&self) -> usize {
        self.motion.map_or(self.places(), |motion| {
            let (width, height) = motion.plane;
            self.columns.len().min(width) * self.rows.len().min(height)
        })
    }

    /// The frames of another clip that lie over the plane, if the picture is no still one.
    pub fn clip(&self) -> Option<&OverlayClip> {
        match &self.picture {
            OverlaySamples::Clip(clip) => Some(clip),
            OverlaySamples::Whole { .. } | OverlaySamples::Real { .. } => None,
        }
    }
}

impl OverlayClip {
    /// Fails unless its frames have what a rectangle of so many columns and rows of a plane takes.
    fn check(&self, format: &Format, plane: usize, (columns, rows): (usize, usize)) -> Result<()> {
        let pixel = format.pixel;
        self.format.check()?;
        ensure!(self.format.pixel == pixel, "a second clip of {} for {}", self.format.pixel.name(), pixel.name());
        let (width, height) = self.format.plane_size(plane);
        let last = match self.opacity {
            ClipOpacity::Even(opacity) => {
                let most = if pixel.sample == Sample::F32 { 1.0 } else { pixel.peak() };
                let is_step = pixel.sample == Sample::F32 || opacity.fract() == 0.0;
                ensure!((0.0..=most).contains(&opacity) && is_step, "the opacity {opacity} is not from 0 to {most}");
                0
            }
            ClipOpacity::FromRow(row) => {
                ensure!(row >= rows, "opacity from row {row} on lies within {rows} rows of samples");
                row
            }
        };
        let ends = last.checked_add(rows).is_some_and(|end| end <= height);
        ensure!(width == columns && ends, "the second clip's {width}x{height} samples do not fill {columns}x{rows}");
        Ok(())
    }
}

impl Operation for Overlay {
    fn kind(&self) -> &'static str {
        "overlay"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let (pixel, (width, height)) = (format.pixel, format.plane_size(plane));
        let is_inside = |range: &Range<usize>, end: usize| range.start < range.end && range.end <= end;
        match self.motion {
            Some(motion) => motion.check(format, plane, &self.columns, &self.rows)?,
            None => {
                let fits = is_inside(&self.columns, width) && is_inside(&self.rows, height);
                ensure!(fits, "the picture exceeds the plane");
            }
        }
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
            OverlaySamples::Clip(clip) => clip.check(format, plane, (self.columns.len(), self.rows.len()))?,
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

    fn second_input(&self) -> bool {
        self.clip().is_some()
    }

    fn second_format(&self) -> Option<&Arc<Format>> {
        self.clip().map(|clip| &clip.format)
    }

    fn guide(&self) -> Option<Guide> {
        match self.base {
            OverlayBase::Colour(guide) => Some(guide),
            OverlayBase::Opaque | OverlayBase::Opacity => None,
        }
    }

    fn shape(&self) -> String {
        let Self { columns, rows, .. } = self;
        match self.motion {
            Some(_) => format!("{}x{}, moving", columns.len(), rows.len()),
            None => format!("{}x{}+{}+{}", columns.len(), rows.len(), columns.start, rows.start),
        }
    }

    /// The plane read and written, and the picture.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        let (bytes, places) = (sample.bytes() as u64, self.covered() as u64);
        let pair = match (self.clip().map(|clip| clip.opacity), sample) {
            (Some(ClipOpacity::Even(_)), _) => bytes,
            (Some(ClipOpacity::FromRow(_)), _) => 2 * bytes,
            (None, Sample::F32) => 8,
            (None, Sample::U8 | Sample::U16) => 4,
        };
        2 * samples * bytes + places * pair
    }

    fn operations(&self, _: u64) -> u64 {
        4 * self.covered() as u64
    }
}
