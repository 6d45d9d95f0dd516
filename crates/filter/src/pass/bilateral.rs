//! Means over the samples around, each weighed by how near it is and how like (Tomasi and Manduchi, 1998).

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::guide::Guide;
use super::operation::{Operation, border_and_finish, size_text};
use super::reach::Reach;
use crate::frame::{Format, Pixel, Sample};

/// A sample `p` and the samples `q` around it, each with a weight by its offset and a weight by its difference.
///
/// - `d = v(q) − v(p)`. What lies outside the plane is what the border says.
/// - `G = range[min(⌊|δ| · fineness⌋, last)]`, the last of which is 0, where `δ` is `d`, or with a guide the difference of
///   the guide's samples, `g(q) − g(p)`; `S = space[|t|][|y|][|x|]` of the offset.
///
/// [`Arithmetic::Integer`], of integer samples: both weights are whole numbers, and `fineness` is a power of two, at most 1,
/// so that the product is exact.
///
/// - `w = ⌊S · G / 2^cut⌋`; `cut` is 0 at 8 bits, else 16: [`Bilateral::cut`].
/// - `W = Σ w` and `D = Σ w · d` are exact in 32 bits, in any order: a pass is refused unless neither can reach 2³¹ for
///   any samples of the format. `Σ S · max(G · d) / 2^cut` bounds the second: [`Bilateral::bounds`]. With a guide any `G`
///   can meet any `d`.
/// - In `f32`, each operation rounded, `D` and `W` converted to nearest, ties to even:
///   `mean = v(p) + ((D / W + 98304) − 98304)`. So the quotient is rounded to 1/128 and the sum is exact: a picture
///   that is brighter by one everywhere becomes one that is brighter by one.
///
/// [`Arithmetic::Real`], of float samples, in `f32`, each operation rounded; a float that is infinite or no number counts
/// as 0 wherever it is met:
///
/// - `d` and `δ` are clamped to what is finite, `|δ| · fineness` to `last`.
/// - `w = S · G`. Over the offsets of which `S` is not 0, ascending in t, then y, then x, from +0 on: `W = W + w`, and
///   `D = w · d + D` in one fused multiply-add.
/// - `mean = v(p) + D / W`.
///
/// The mean goes into the last step in place of a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Bilateral {
    /// How far the window reaches across and down, in samples; at most [`Bilateral::MAX_RADIUS`].
    pub radius: usize,
    /// How far it reaches in time, in frames; at most [`Bilateral::MAX_FRAMES`].
    pub frames: usize,
    /// Weights by offset: `frames + 1` squares of `radius + 1` rows of as many. 0 is left out; the first, that of the
    /// sample itself, is not 0.
    pub space: Arc<[f32]>,
    /// Weights by difference, at most [`Bilateral::MAX_TABLE`].
    pub range: Arc<[f32]>,
    /// How many weights there are for a difference of 1.
    pub fineness: f32,
    /// Whose differences weigh; `None` for those of the plane itself.
    pub guide: Option<Guide>,
    /// In which numbers it computes: integers for integer samples, real numbers for floats.
    pub arithmetic: Arithmetic,
    /// Outside the plane; for integer samples a constant is one that a sample can have.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

/// What whole weights may be, of samples of some depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The largest weight by offset.
    pub space: u32,
    /// The largest weight by difference.
    pub range: u32,
    /// By how many bits their product is shifted down.
    pub cut: u32,
}

impl Bilateral {
    /// The largest radius.
    pub const MAX_RADIUS: usize = 32;
    /// The most frames on either side.
    pub const MAX_FRAMES: usize = 8;
    /// The most weights by difference.
    pub const MAX_TABLE: usize = 4097;
    /// What sums of whole numbers stay below.
    pub const LIMIT: f64 = (1u32 << 31) as f64;

    /// What whole weights may be. Those of 8 bits are as large as leaves a sum of two products 16 bits: 2 · 127 · 128 and
    /// 4 · 127 · 64 are below 2¹⁵.
    pub fn whole(pixel: Pixel) -> Whole {
        match pixel.depth {
            8 => Whole { space: 64, range: 127, cut: 0 },
            _ => Whole { space: (1 << 15) - 1, range: 1 << 16, cut: 16 },
        }
    }

    /// By how many bits a product of whole weights is shifted down.
    pub fn cut(&self, pixel: Pixel) -> u32 {
        Self::whole(pixel).cut
    }

    /// The weight of an offset in t, y and x, none longer than `frames` and `radius`.
    pub fn weight(&self, [t, y, x]: [isize; 3]) -> f32 {
        let side = self.radius + 1;
        self.space[(t.unsigned_abs() * side + y.unsigned_abs()) * side + x.unsigned_abs()]
    }

    /// The offsets that have a weight, and it, ascending in t, then y, then x.
    pub fn offsets(&self) -> impl Iterator<Item = ([isize; 3], f32)> {
        let [frames, radius] = [self.frames, self.radius].map(|reach| -(reach as isize)..=reach as isize);
        let places = frames.flat_map(move |t| {
            let across = radius.clone();
            radius.clone().flat_map(move |y| across.clone().map(move |x| [t, y, x]))
        });
        places.map(|offset| (offset, self.weight(offset))).filter(|(_, weight)| *weight != 0.0)
    }

    /// The largest `G · d` that weights by difference allow, of samples up to `peak`.
    pub fn largest(range: &[f32], fineness: f32, peak: f32) -> f64 {
        let step = 1.0 / f64::from(fineness);
        let products = range.iter().enumerate().map(|(i, &weight)| {
            let furthest = ((i + 1) as f64 * step - 1.0).ceil().min(peak.into());
            f64::from(weight) * furthest
        });
        products.fold(0.0, f64::max)
    }

    /// The largest `G · d` of samples up to `peak`.
    fn furthest(&self, peak: f32) -> f64 {
        match self.guide {
            Some(_) => f64::from(self.range[0]) * f64::from(peak),
            None => Self::largest(&self.range, self.fineness, peak),
        }
    }

    /// What `Σ w` and `Σ w · |d|` stay at or below, of whole weights.
    pub fn bounds(&self, pixel: Pixel) -> [f64; 2] {
        let space: f64 = self.offsets().map(|(_, weight)| f64::from(weight)).sum();
        let part = space / f64::from(1u32 << self.cut(pixel));
        [part * f64::from(self.range[0]), part * self.furthest(pixel.highest())]
    }

    fn check_whole(&self, pixel: Pixel) -> Result<()> {
        let Self { space, range, fineness, border, .. } = self;
        let most = Self::whole(pixel);
        for (name, weights, most) in [("offset", space, most.space), ("difference", range, most.range)] {
            let fits = |weight: &f32| weight.fract() == 0.0 && (0.0..=most as f32).contains(weight);
            ensure!(weights.iter().all(fits), "a weight by {name} is not a whole number from 0 to {most}");
        }
        let steps = if pixel.depth == 8 { 0..=0 } else { 0..=16 };
        let halved = steps.clone().any(|n| *fineness == 1.0 / (1u32 << n) as f32);
        ensure!(halved, "a fineness of {fineness} is not 1 halved {} to {} times", steps.start(), steps.end());
        ensure!(range.windows(2).all(|pair| pair[0] >= pair[1]), "weights by difference ascend");
        let own = (space[0] as u32 * range[0] as u32) >> most.cut;
        ensure!(own > 0, "the sample itself has no weight");
        let bound = self.bounds(pixel).into_iter().fold(0.0, f64::max);
        ensure!(bound < Self::LIMIT, "sums may reach {bound}, which is not below 2^31");
        border.check(pixel.peak())
    }

    fn check_real(&self) -> Result<()> {
        let Self { space, range, fineness, .. } = self;
        let fits = |weight: &f32| (0.0..=1.0).contains(weight) && weight.is_sign_positive();
        ensure!(space.iter().chain(range.iter()).all(fits), "a weight is not from 0 to 1");
        ensure!(*fineness > 0.0 && fineness.is_finite(), "a fineness of {fineness} is not above 0");
        ensure!(space[0] * range[0] > 0.0, "the sample itself has no weight");
        Ok(())
    }
}

impl Operation for Bilateral {
    fn kind(&self) -> &'static str {
        "bilateral"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let Self { radius, frames, space, range, guide, .. } = self;
        guide.map_or(Ok(()), |guide| guide.check(format, plane))?;
        ensure!(*radius <= Self::MAX_RADIUS, "a radius of {radius} samples is more than {}", Self::MAX_RADIUS);
        ensure!(*frames <= Self::MAX_FRAMES, "{frames} frames on either side are more than {}", Self::MAX_FRAMES);
        let wanted = (frames + 1) * (radius + 1) * (radius + 1);
        ensure!(space.len() == wanted, "{} weights by offset are not {wanted}", space.len());
        let count = range.len();
        ensure!(
            (2..=Self::MAX_TABLE).contains(&count),
            "{count} weights by difference are not 2 to {}",
            Self::MAX_TABLE
        );
        ensure!(range.last() == Some(&0.0), "the last weight by difference is not 0");
        match (format.pixel.sample, self.arithmetic) {
            (Sample::F32, Arithmetic::Real) => self.check_real(),
            (Sample::U8 | Sample::U16, Arithmetic::Integer) => self.check_whole(format.pixel),
            (Sample::F32, Arithmetic::Integer) => anyhow::bail!("integer sums of float samples"),
            (_, Arithmetic::Real) => anyhow::bail!("real sums of integer samples"),
        }
    }

    /// A product and two sums for each sample that is looked at: weights differ from pair to pair.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let each = 3 * self.taps() as u64 * samples;
        match sample {
            Sample::U8 => Operations { dot8: each, ..Operations::NONE },
            Sample::U16 => Operations { word: each, ..Operations::NONE },
            Sample::F32 => Operations { real: each, ..Operations::NONE },
        }
    }

    fn reach(&self) -> Reach {
        let (frames, side) = (2 * self.frames + 1, 2 * self.radius + 1);
        Reach::of([frames, side, side], [self.frames, self.radius, self.radius])
    }

    fn guide(&self) -> Option<Guide> {
        self.guide
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(self.arithmetic)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        let of = self.guide.map_or(String::new(), |guide| format!(", weighed by plane {}", guide.plane));
        format!("{} of {}{of}", self.taps(), size_text(self.reach().size()))
    }

    fn taps(&self) -> usize {
        self.offsets().count()
    }

    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        let beside = self.guide.map_or(0, |guide| 1u64 << (guide.finer[0] + guide.finer[1]));
        let frames = 2 * self.frames as u64 + 1;
        samples * (frames * (1 + beside) + 1) * sample.bytes() as u64
    }
}
