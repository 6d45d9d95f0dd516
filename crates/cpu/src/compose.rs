//! Each frame composed with the one before: bytes by a table of all pairs, deeper samples and floats by the formula of the mode.

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
    }
}

/// Samples that are composed.
pub trait Composed: Sample {
    /// The results of all pairs, that of `a` and `b` at `a · 256 + b`; empty where the formula is evaluated.
    fn table(op: &Compose, depth: u8) -> Vec<Self>;

    /// A row of `now` with the one of the frame before.
    fn row(stage: &ComposedPlane<Self>, now: &[Self], before: &[Self], to: &mut [Self]);
}

/// The result of a pair of integers of a format of so many bits.
#[inline(always)]
fn whole(op: &Compose, depth: u8, a: u16, b: u16) -> u16 {
    let full = 1i64 << depth;
    let scale = Scale { white: full - 1, grey: full / 2, full };
    let [a, b] = [a, b].map(|sample| i64::from(sample).min(scale.white));
    let value = composed(op.mode, a, b, &scale).clamp(0, scale.white);
    (a as f32 + (value - a) as f32 * op.opacity) as u16
}

impl Composed for u8 {
    fn table(op: &Compose, depth: u8) -> Vec<u8> {
        (0..=u16::MAX).map(|pair| whole(op, depth, pair >> 8, pair & 0xff) as u8).collect()
    }

    #[inline(always)]
    fn row(stage: &ComposedPlane<u8>, now: &[u8], before: &[u8], to: &mut [u8]) {
        for ((to, &a), &b) in to.iter_mut().zip(now).zip(before) {
            *to = stage.table[usize::from(a) << 8 | usize::from(b)];
        }
    }
}

impl Composed for u16 {
    fn table(_: &Compose, _: u8) -> Vec<u16> {
        Vec::new()
    }

    #[inline(always)]
    fn row(stage: &ComposedPlane<u16>, now: &[u16], before: &[u16], to: &mut [u16]) {
        for ((to, &a), &b) in to.iter_mut().zip(now).zip(before) {
            *to = whole(&stage.op, stage.depth, a, b);
        }
    }
}

impl Composed for f32 {
    fn table(_: &Compose, _: u8) -> Vec<f32> {
        Vec::new()
    }

    #[inline(always)]
    fn row(stage: &ComposedPlane<f32>, now: &[f32], before: &[f32], to: &mut [f32]) {
        let scale = Scale { white: 1.0, grey: 0.5, full: 1.0 };
        for ((to, &a), &b) in to.iter_mut().zip(now).zip(before) {
            *to = quiet(a + (composed(stage.op.mode, a, b, &scale) - a) * stage.op.opacity);
        }
    }
}

/// A plane that is composed with that of the frame before.
pub struct ComposedPlane<T> {
    op: Compose,
    depth: u8,
    table: Vec<T>,
}

impl<T: Composed> BandFilter<T> for ComposedPlane<T> {
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        let middle = window.planes.len() / 2;
        for y in 0..out.height {
            let (now, before) = (window.row(middle, first + y), window.row(middle - 1, first + y));
            T::row(self, now, before, out.row_mut(y));
        }
    }
}

impl<T: Composed> Staged<T> for Compose {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let depth = setting.pixel().depth;
        Ok(setting.bands(ComposedPlane { op: *self, depth, table: T::table(self, depth) }))
    }
}
