//! Each frame composed with the one before or a second one: bytes by a table of all pairs, deeper samples and floats by the formula of
//! the mode.

use std::ops::{Add, Div, Mul, Sub};

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd, quiet};
use super::walk::{Band, BandFilter, PlaneStage};
use crate::pass::{Compose, ComposeMode};

/// A number that formulas are evaluated in.
trait Composable:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    const ZERO: Self;
    const TWO: Self;

    /// A result of bits.
    fn bits(self, other: Self, combine: fn(u32, u32) -> u32) -> Self;
    fn geometric(self, other: Self) -> Self;
    fn multiply_around_grey(self, other: Self, scale: &Scale<Self>) -> Self;

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self > other { other } else { self }
    }

    #[inline(always)]
    fn most(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn size(self) -> Self {
        if self >= Self::ZERO { self } else { Self::ZERO - self }
    }
}

impl Composable for i64 {
    const ZERO: Self = 0;
    const TWO: Self = 2;

    #[inline(always)]
    fn bits(self, other: Self, combine: fn(u32, u32) -> u32) -> Self {
        combine(self as u32, other as u32).into()
    }

    #[inline(always)]
    fn geometric(self, other: Self) -> Self {
        ((self * other) as f32).sqrt().round_ties_even() as i64
    }

    #[inline(always)]
    fn multiply_around_grey(self, other: Self, scale: &Scale<Self>) -> Self {
        (((self - scale.grey) * other) as f32 / (0.125 * scale.full as f32) + scale.grey as f32) as i64
    }
}

impl Composable for f32 {
    const ZERO: Self = 0.0;
    const TWO: Self = 2.0;

    #[inline(always)]
    fn bits(self, other: Self, combine: fn(u32, u32) -> u32) -> Self {
        f32::from_bits(combine(self.to_bits(), other.to_bits()))
    }

    #[inline(always)]
    fn geometric(self, other: Self) -> Self {
        (self.most(0.0) * other.most(0.0)).sqrt()
    }

    #[inline(always)]
    fn multiply_around_grey(self, other: Self, scale: &Scale<Self>) -> Self {
        (self - scale.grey) * other / 0.125 + scale.grey
    }
}

/// Numbers of the format.
struct Scale<N> {
    /// The largest sample.
    white: N,
    grey: N,
    /// One more than the largest, or 1.
    full: N,
}

#[inline(always)]
fn burn<N: Composable>(a: N, b: N, scale: &Scale<N>) -> N {
    if a <= N::ZERO { a } else { N::ZERO.most(scale.white - (scale.white - b) * scale.full / a) }
}

#[inline(always)]
fn dodge<N: Composable>(a: N, b: N, scale: &Scale<N>) -> N {
    if a >= scale.white { a } else { scale.white.least(b * scale.full / (scale.white - a)) }
}

/// Evaluates a mode.
#[inline(always)]
fn composed<N: Composable>(mode: ComposeMode, a: N, b: N, scale: &Scale<N>) -> N {
    let (zero, two) = (N::ZERO, N::TWO);
    let &Scale { white, grey, .. } = scale;
    match mode {
        ComposeMode::Multiply => a * b / white,
        ComposeMode::Multiply128 => a.multiply_around_grey(b, scale),
        ComposeMode::Negation => white - (white - a - b).size(),
        ComposeMode::Extremity => (white - a - b).size(),
        ComposeMode::Screen => white - (white - a) * (white - b) / white,
        ComposeMode::Overlay if a < grey => two * (a * b / white),
        ComposeMode::Overlay => white - two * ((white - a) * (white - b) / white),
        ComposeMode::HardLight if b < grey => two * (b * a / white),
        ComposeMode::HardLight => white - two * ((white - b) * (white - a) / white),
        ComposeMode::HardMix if a < white - b => zero,
        ComposeMode::HardMix => white,
        ComposeMode::Heat if a == zero => zero,
        ComposeMode::Heat => white - ((white - b) * (white - b) / a).least(white),
        ComposeMode::Freeze if b == zero => zero,
        ComposeMode::Freeze => white - ((white - a) * (white - a) / b).least(white),
        ComposeMode::Divide if b == zero => white,
        ComposeMode::Divide => white * a / b,
        ComposeMode::Dodge => dodge(a, b, scale),
        ComposeMode::Burn => burn(a, b, scale),
        ComposeMode::SoftLight => a * a / white + two * (b * (a * (white - a) / white) / white),
        ComposeMode::Exclusion => a + b - two * a * b / white,
        ComposeMode::PinLight if b < grey => a.least(two * b),
        ComposeMode::PinLight => a.most(two * (b - grey)),
        ComposeMode::Reflect if b == white => b,
        ComposeMode::Reflect => white.least(a * a / (white - b)),
        ComposeMode::Glow if a == white => a,
        ComposeMode::Glow => white.least(b * b / (white - a)),
        ComposeMode::And => a.bits(b, |a, b| a & b),
        ComposeMode::Or => a.bits(b, |a, b| a | b),
        ComposeMode::Xor => a.bits(b, |a, b| a ^ b),
        ComposeMode::VividLight if a < grey => burn(two * a, b, scale),
        ComposeMode::VividLight => dodge(two * (a - grey), b, scale),
        ComposeMode::LinearLight if b < grey => b + two * a - white,
        ComposeMode::LinearLight => b + two * (a - grey),
        ComposeMode::SoftDifference if a > b && b == white => zero,
        ComposeMode::SoftDifference if a > b => (a - b) * white / (white - b),
        ComposeMode::SoftDifference if b == zero => zero,
        ComposeMode::SoftDifference => (b - a) * white / b,
        ComposeMode::Geometric => a.geometric(b),
        ComposeMode::Harmonic if a == zero && b == zero => zero,
        ComposeMode::Harmonic => two * a * b / (a + b),
        ComposeMode::HardOverlay if a == white => white,
        ComposeMode::HardOverlay if a > grey => white.least(white * b / (two * white - two * a)),
        ComposeMode::HardOverlay => white.least(two * a * b / white),
        // Its share is against the other sample, which is done where shares are.
        ComposeMode::Normal => a,
        ComposeMode::Addition => white.least(a + b),
        ComposeMode::Average => (a + b) / two,
        ComposeMode::Subtract => zero.most(a - b),
        ComposeMode::Difference => (a - b).size(),
        ComposeMode::Darken => a.least(b),
        ComposeMode::Lighten => a.most(b),
        ComposeMode::GrainExtract => grey + a - b,
        ComposeMode::GrainMerge => a + b - grey,
        ComposeMode::Phoenix => a.least(b) - a.most(b) + white,
    }
}

/// Samples that are composed.
pub trait Composed: Sample {
    /// The results of all pairs, that of `a` and `b` at `a · 256 + b`; empty where the formula is evaluated.
    fn table(op: &Compose, depth: u8) -> Vec<Self>;

    /// A row of `now` with that of its partner.
    fn row(stage: &ComposedPlane<Self>, now: &[Self], partner: &[Self], to: &mut [Self]);
}

/// The result of a pair of integers of a format of so many bits.
#[inline(always)]
fn whole(op: &Compose, depth: u8, a: u16, b: u16) -> u16 {
    let full = 1i64 << depth;
    let scale = Scale { white: full - 1, grey: full / 2, full };
    let [a, b] = [a, b].map(|sample| i64::from(sample).min(scale.white));
    if op.mode == ComposeMode::Normal {
        return shared(a as f32, b as f32, op.opacity) as u16;
    }
    let value = composed(op.mode, a, b, &scale).clamp(0, scale.white);
    (a as f32 + (value - a) as f32 * op.opacity) as u16
}

/// A share of one number, and the rest of another.
#[inline(always)]
fn shared(a: f32, b: f32, opacity: f32) -> f32 {
    a * opacity + b * (1.0 - opacity)
}

/// Modes of sums and comparisons in arithmetic that compilers turn into vectors: a row of `now` with its partner. False, with nothing
/// written, for the others. `$wide` holds the sum of two samples.
macro_rules! sums {
    ($name:ident, $sample:ty, $wide:ty) => {
        #[inline(always)]
        fn $name(op: &Compose, depth: u8, now: &[$sample], partner: &[$sample], to: &mut [$sample]) -> bool {
            let (white, grey) = (((1u32 << depth) - 1) as $wide, (1u32 << (depth - 1)) as $wide);
            macro_rules! each {
                ($value:expr) => {
                    for ((to, &a), &b) in to.iter_mut().zip(now).zip(partner) {
                        let value: fn($wide, $wide, $wide, $wide) -> $wide = $value;
                        *to = value(<$wide>::from(a).min(white), <$wide>::from(b).min(white), white, grey) as $sample;
                    }
                };
            }
            match op.mode {
                ComposeMode::Normal => {
                    for ((to, &a), &b) in to.iter_mut().zip(now).zip(partner) {
                        let [a, b] = [a, b].map(|sample| <$wide>::from(sample).min(white) as f32);
                        *to = shared(a, b, op.opacity) as i32 as $sample;
                    }
                }
                _ if op.opacity != 1.0 => return false,
                ComposeMode::Addition => each!(|a, b, white, _| (a + b).min(white)),
                ComposeMode::Average => each!(|a, b, _, _| (a + b) >> 1),
                ComposeMode::Subtract => each!(|a, b, _, _| (a - b).max(0)),
                ComposeMode::Difference => each!(|a, b, _, _| (a - b).abs()),
                ComposeMode::Darken => each!(|a, b, _, _| a.min(b)),
                ComposeMode::Lighten => each!(|a, b, _, _| a.max(b)),
                ComposeMode::GrainExtract => each!(|a, b, white, grey| (grey + a - b).clamp(0, white)),
                ComposeMode::GrainMerge => each!(|a, b, white, grey| (a + b - grey).clamp(0, white)),
                ComposeMode::Phoenix => each!(|a, b, white, _| a.min(b) - a.max(b) + white),
                ComposeMode::Negation => each!(|a, b, white, _| white - (white - a - b).abs()),
                ComposeMode::Extremity => each!(|a, b, white, _| (white - a - b).abs()),
                ComposeMode::And => each!(|a, b, _, _| a & b),
                ComposeMode::Or => each!(|a, b, _, _| a | b),
                ComposeMode::Xor => each!(|a, b, _, _| a ^ b),
                _ => return false,
            }
            true
        }
    };
}

sums!(sums_of_bytes, u8, i16);
sums!(sums_of_words, u16, i32);

impl Composed for u8 {
    fn table(op: &Compose, depth: u8) -> Vec<u8> {
        (0..=u16::MAX).map(|pair| whole(op, depth, pair >> 8, pair & 0xff) as u8).collect()
    }

    #[inline(always)]
    fn row(stage: &ComposedPlane<u8>, now: &[u8], partner: &[u8], to: &mut [u8]) {
        if sums_of_bytes(&stage.op, stage.depth, now, partner, to) {
            return;
        }
        for ((to, &a), &b) in to.iter_mut().zip(now).zip(partner) {
            *to = stage.table[usize::from(a) << 8 | usize::from(b)];
        }
    }
}

impl Composed for u16 {
    fn table(_: &Compose, _: u8) -> Vec<u16> {
        Vec::new()
    }

    #[inline(always)]
    fn row(stage: &ComposedPlane<u16>, now: &[u16], partner: &[u16], to: &mut [u16]) {
        if sums_of_words(&stage.op, stage.depth, now, partner, to) {
            return;
        }
        for ((to, &a), &b) in to.iter_mut().zip(now).zip(partner) {
            *to = whole(&stage.op, stage.depth, a, b);
        }
    }
}

impl Composed for f32 {
    fn table(_: &Compose, _: u8) -> Vec<f32> {
        Vec::new()
    }

    #[inline(always)]
    fn row(stage: &ComposedPlane<f32>, now: &[f32], partner: &[f32], to: &mut [f32]) {
        let scale = Scale { white: 1.0, grey: 0.5, full: 1.0 };
        let Compose { mode, opacity, .. } = stage.op;
        for ((to, &a), &b) in to.iter_mut().zip(now).zip(partner) {
            *to = quiet(match mode {
                ComposeMode::Normal => shared(a, b, opacity),
                mode => a + (composed(mode, a, b, &scale) - a) * opacity,
            });
        }
    }
}

/// A plane that is composed with that of another frame.
pub struct ComposedPlane<T> {
    op: Compose,
    depth: u8,
    table: Vec<T>,
}

impl<T: Composed> BandFilter<T> for ComposedPlane<T> {
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        // The frame before, or the second input, precedes the centre.
        let middle = window.planes.len() / 2;
        for y in 0..out.height {
            let (now, partner) = (window.row(middle, first + y), window.row(middle - 1, first + y));
            T::row(self, now, partner, out.row_mut(y));
        }
    }
}

impl<T: Composed> Staged<T> for Compose {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let depth = setting.pixel().depth;
        Ok(setting.bands(ComposedPlane { op: *self, depth, table: T::table(self, depth) }))
    }
}
