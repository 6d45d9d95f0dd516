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
use crate::frame::{Format, Sample};

/// A sample `p` and the samples `q` around it, each with a weight by its offset, `S = space[|t|][|y|][|x|]`, and a weight by its
/// difference, `G`. What lies outside the plane is what the border says. With a guide the guide's samples say how much two differ.
///
/// [`Arithmetic::Integer`], of 8 bits: both weights are whole numbers, and `fineness` is 1.
///
/// - `d = v(q) − v(p)`. `G = range[min(|δ|, last)]`, where `δ` is `d`, or with a guide `g(q) − g(p)`.
/// - `w = S · G`. `W = Σ w` and `D = Σ w · d` are exact in 32 bits, in any order: a pass is refused unless neither can reach 2³¹ for
///   any samples. `Σ S · max(G · d)` bounds the second: [`Bilateral::bounds`]. With a guide any `G` can meet any `d`.
/// - In `f32`, each operation rounded, `D` and `W` converted to nearest, ties to even:
///   `mean = v(p) + ((D / W + 98304) − 98304)`. So the quotient is rounded to 1/128 and the sum is exact: a picture
///   that is brighter by one everywhere becomes one that is brighter by one.
///
/// [`Arithmetic::Real`], of samples above 8 bits and of floats, which differ in whole steps ([`Bilateral::step`]). A float that is infinite or
/// no number counts as 0 wherever it is met, and others are clamped to ±[`Bilateral::LARGEST`].
///
/// - `s(v) = round(v · fineness)`, in `f32`, ties to even; the product of a float is clamped to ±[`Bilateral::FURTHEST`] before.
///   `G = range[min(|s(q) − s(p)|, last)]`, a whole number below 256.
/// - In `f32`, each operation rounded, from +0 on: frames ascend; in each, columns of offsets `x` from 0 to `radius`, in each, rows ascend.
///   The samples `a` at `−x` and `b` at `x` are taken together: `W = S · (Ga + Gb) + W` and `D = S · (Gb · v(b) + Ga · v(a)) + D`, each
///   sum of a product fused. In the middle column there is one: `W = S · G + W` and `D = S · (G · v) + D`. A weight `S` of 0
///   changes neither.
/// - `mean = D / W`.
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
    /// Weights by difference, whole numbers: at most [`Bilateral::MAX_TABLE`] at 8 bits, above [`Bilateral::MAX_STEPS`].
    pub range: Arc<[f32]>,
    /// How many weights there are for a difference of 1; at most 1 for integer samples.
    pub fineness: f32,
    /// Whose differences weigh; `None` for those of the plane itself.
    pub guide: Option<Guide>,
    /// In which numbers it computes: integers at 8 bits, real numbers above and for floats.
    pub arithmetic: Arithmetic,
    /// Outside the plane; for integer samples a constant is one that a sample can have.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

impl Bilateral {
    /// The largest radius.
    pub const MAX_RADIUS: usize = 32;
    /// The most frames on either side.
    pub const MAX_FRAMES: usize = 8;
    /// The most weights by difference at 8 bits: one for each, and the 0.
    pub const MAX_TABLE: usize = 257;
    /// And above.
    pub const MAX_STEPS: usize = 128;
    /// What sums of whole numbers stay below.
    pub const LIMIT: f64 = (1u32 << 31) as f64;
    /// The largest weight by offset at 8 bits, and the largest by difference. They leave a sum of two products 16 bits: 2 · 127 · 128
    /// and 4 · 127 · 64 are below 2¹⁵.
    pub const WHOLE: [u32; 2] = [64, 127];
    /// The largest weight by difference above 8 bits: its product with a sample of 16 bits is exact.
    pub const MOST: u32 = 255;
    /// The largest magnitude of a float, 2¹⁰²: the sums of weighed ones are finite.
    pub const LARGEST: f32 = f32::from_bits((127 + 102) << 23);
    /// The most steps of a float from 0.
    pub const FURTHEST: f32 = 4_194_303.0;

    /// The number of the step that a sample is in, above 8 bits. Integer samples and a fineness of at most 1 give at most 65535.
    #[inline(always)]
    pub fn step(value: f32, fineness: f32) -> i32 {
        // From 2²³ to 2²⁴ floats are whole numbers, and their bits count them.
        const WHOLE: f32 = 12_582_912.0;
        let place = (value * fineness).clamp(-Self::FURTHEST, Self::FURTHEST);
        (place + WHOLE).to_bits() as i32 - WHOLE.to_bits() as i32
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

    /// The largest `G · d` that weights by difference allow at 8 bits.
    pub fn largest(range: &[f32]) -> f64 {
        let products =
            range.iter().enumerate().map(|(difference, &weight)| f64::from(weight) * difference.min(255) as f64);
        products.fold(0.0, f64::max)
    }

    /// What `Σ w` and `Σ w · |d|` stay at or below, at 8 bits.
    pub fn bounds(&self) -> [f64; 2] {
        let space: f64 = self.offsets().map(|(_, weight)| f64::from(weight)).sum();
        let first = f64::from(self.range[0]);
        [space * first, space * if self.guide.is_some() { first * 255.0 } else { Self::largest(&self.range) }]
    }

    fn check_whole(&self) -> Result<()> {
        let Self { space, range, fineness, .. } = self;
        for (name, weights, most) in [("offset", space, Self::WHOLE[0]), ("difference", range, Self::WHOLE[1])] {
            check_whole_numbers(name, weights, most)?;
        }
        ensure!(*fineness == 1.0, "a fineness of {fineness} is not 1");
        ensure!(range.windows(2).all(|pair| pair[0] >= pair[1]), "weights by difference ascend");
        let bound = self.bounds().into_iter().fold(0.0, f64::max);
        ensure!(bound < Self::LIMIT, "sums may reach {bound}, which is not below 2^31");
        Ok(())
    }

    fn check_real(&self, sample: Sample) -> Result<()> {
        let Self { space, range, fineness, .. } = self;
        let fits = |weight: &f32| (0.0..=1.0).contains(weight) && weight.is_sign_positive();
        ensure!(space.iter().all(fits), "a weight by offset is not from 0 to 1");
        check_whole_numbers("difference", range, Self::MOST)?;
        ensure!(*fineness > 0.0 && fineness.is_finite(), "a fineness of {fineness} is not above 0");
        ensure!(sample == Sample::F32 || *fineness <= 1.0, "a fineness of {fineness} is more than 1");
        Ok(())
    }
}

fn check_whole_numbers(name: &str, weights: &[f32], most: u32) -> Result<()> {
    let fits =
        |weight: &f32| weight.fract() == 0.0 && (0.0..=most as f32).contains(weight) && weight.is_sign_positive();
    ensure!(weights.iter().all(fits), "a weight by {name} is not a whole number from 0 to {most}");
    Ok(())
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
        let most = if self.arithmetic == Arithmetic::Integer { Self::MAX_TABLE } else { Self::MAX_STEPS };
        ensure!((2..=most).contains(&count), "{count} weights by difference are not 2 to {most}");
        ensure!(range.last() == Some(&0.0), "the last weight by difference is not 0");
        match (format.pixel.sample, self.arithmetic) {
            (Sample::U8, Arithmetic::Integer) => self.check_whole()?,
            (sample @ (Sample::U16 | Sample::F32), Arithmetic::Real) => self.check_real(sample)?,
            (_, Arithmetic::Integer) => anyhow::bail!("integer sums of samples above 8 bits"),
            (_, Arithmetic::Real) => anyhow::bail!("real sums of samples of 8 bits"),
        }
        ensure!(space[0] * range[0] > 0.0, "the sample itself has no weight");
        if format.pixel.sample == Sample::F32 { Ok(()) } else { self.border.check(format.pixel.peak()) }
    }

    /// A product and two sums for each sample that is looked at: weights differ from pair to pair.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let each = 3 * self.taps() as u64 * samples;
        match sample {
            Sample::U8 => Operations { dot8: each, ..Operations::NONE },
            Sample::U16 | Sample::F32 => Operations { real: each, ..Operations::NONE },
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
