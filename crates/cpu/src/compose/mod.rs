//! Each frame composed with the one before or a second one, by the formula of the mode.

mod number;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd, quiet};
use super::walk::{Band, BandFilter, PlaneStage};
use crate::pass::{Compose, ComposeMode};
use number::{Composable, Scale, Whole, burn, cut, dodge, select};

/// A row of samples that are composed, as numbers of type `N`.
trait Pairs<N> {
    /// Makes each of them of its own number and its partner's.
    fn each(self, compose: impl Fn(N, N) -> N);
}

/// Composes a row by a mode: each has a loop of its own, without a choice within.
#[inline(always)]
fn composed<N: Composable>(mode: ComposeMode, scale: &Scale<N>, row: impl Pairs<N>) {
    let (zero, two) = (N::ZERO, N::TWO);
    let &Scale { white, grey, .. } = scale;
    let product = move |a: N, b: N| a * b / white;
    let screened = move |a: N, b: N| (white - a) * (white - b) / white;
    match mode {
        ComposeMode::Multiply => row.each(product),
        ComposeMode::Multiply128 => row.each(|a, b| a.multiply_around_grey(b, scale)),
        ComposeMode::Negation => row.each(|a, b| white - (white - a - b).size()),
        ComposeMode::Extremity => row.each(|a, b| (white - a - b).size()),
        ComposeMode::Screen => row.each(|a, b| white - screened(a, b)),
        ComposeMode::Overlay => row.each(|a, b| select(a < grey, two * product(a, b), white - two * screened(a, b))),
        ComposeMode::HardLight => row.each(|a, b| select(b < grey, two * product(b, a), white - two * screened(b, a))),
        ComposeMode::HardMix => row.each(|a, b| select(a < white - b, zero, white)),
        ComposeMode::Heat => row.each(|a, b| {
            let part = white - ((white - b) * (white - b) / a).least(white);
            select(a == zero, zero, part)
        }),
        ComposeMode::Freeze => row.each(|a, b| {
            let part = white - ((white - a) * (white - a) / b).least(white);
            select(b == zero, zero, part)
        }),
        ComposeMode::Divide => row.each(|a, b| select(b == zero, white, white * a / b)),
        ComposeMode::Dodge => row.each(|a, b| dodge(a, b, scale)),
        ComposeMode::Burn => row.each(|a, b| burn(a, b, scale)),
        ComposeMode::SoftLight => row.each(|a, b| a * a / white + two * (b * (a * (white - a) / white) / white)),
        ComposeMode::Exclusion => row.each(|a, b| a + b - two * a * b / white),
        ComposeMode::PinLight => row.each(|a, b| select(b < grey, a.least(two * b), a.most(two * (b - grey)))),
        ComposeMode::Reflect => row.each(|a, b| select(b == white, b, white.least(a * a / (white - b)))),
        ComposeMode::Glow => row.each(|a, b| select(a == white, a, white.least(b * b / (white - a)))),
        ComposeMode::And => row.each(|a, b| a.bits(b, |a, b| a & b)),
        ComposeMode::Or => row.each(|a, b| a.bits(b, |a, b| a | b)),
        ComposeMode::Xor => row.each(|a, b| a.bits(b, |a, b| a ^ b)),
        ComposeMode::VividLight => {
            row.each(|a, b| select(a < grey, burn(two * a, b, scale), dodge(two * (a - grey), b, scale)))
        }
        ComposeMode::LinearLight => row.each(|a, b| select(b < grey, b + two * a - white, b + two * (a - grey))),
        ComposeMode::SoftDifference => row.each(|a, b| {
            let (more, less, rest) = select(a > b, (a, b, white - b), (b, a, b));
            let part = (more - less) * white / rest;
            select(rest == zero, zero, part)
        }),
        ComposeMode::Geometric => row.each(Composable::geometric),
        ComposeMode::Harmonic => row.each(|a, b| select(a == zero && b == zero, zero, two * a * b / (a + b))),
        ComposeMode::HardOverlay => row.each(|a, b| {
            let part = select(a > grey, white * b / (two * white - two * a), two * a * b / white);
            select(a == white, white, white.least(part))
        }),
        // Its share is against the other sample, which is done where shares are.
        ComposeMode::Normal => row.each(|a, _| a),
        ComposeMode::Addition => row.each(|a, b| white.least(a + b)),
        ComposeMode::Average => row.each(|a, b| (a + b) / two),
        ComposeMode::Subtract => row.each(|a, b| zero.most(a - b)),
        ComposeMode::Difference => row.each(|a, b| (a - b).size()),
        ComposeMode::Darken => row.each(Composable::least),
        ComposeMode::Lighten => row.each(Composable::most),
        ComposeMode::GrainExtract => row.each(|a, b| grey + a - b),
        ComposeMode::GrainMerge => row.each(|a, b| a + b - grey),
        ComposeMode::Phoenix => row.each(|a, b| a.least(b) - a.most(b) + white),
    }
}

/// Samples that are composed.
pub trait Composed: Sample {
    /// A row of `now` with that of its partner, of a format of so many bits.
    fn row(op: &Compose, depth: u8, now: &[Self], partner: &[Self], to: &mut [Self]);
}

/// A row, its partner, and where the result goes; and the share of the result.
struct ComposedRow<'a, T> {
    now: &'a [T],
    partner: &'a [T],
    to: &'a mut [T],
    opacity: f32,
    /// The largest sample.
    white: T,
}

macro_rules! pairs {
    ($($T:ty: $F:ty),*) => {
        $(
            impl Pairs<Whole<$F>> for ComposedRow<'_, $T> {
                #[inline(always)]
                fn each(self, compose: impl Fn(Whole<$F>, Whole<$F>) -> Whole<$F>) {
                    let Self { now, partner, to, opacity, white } = self;
                    for ((to, &a), &b) in to.iter_mut().zip(now).zip(partner) {
                        let [a, b] = [a, b].map(|sample| <$F>::from(sample.min(white)));
                        let value = compose(Whole(a), Whole(b)).most(Whole(0.0)).least(Whole(white.into())).0;
                        *to = cut(a as f32 + (value - a) as f32 * opacity) as $T;
                    }
                }
            }
        )*
    };
}

pairs!(u8: f32, u16: f32, u16: f64);

impl Pairs<f32> for ComposedRow<'_, f32> {
    #[inline(always)]
    fn each(self, compose: impl Fn(f32, f32) -> f32) {
        for ((to, &a), &b) in self.to.iter_mut().zip(self.now).zip(self.partner) {
            *to = quiet(a + (compose(a, b) - a) * self.opacity);
        }
    }
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
                        *to = cut(shared(a, b, op.opacity)) as $sample;
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

/// The largest number of bits whose products, twice, are below 2²⁴.
const SHORT: u8 = 11;

impl Composed for u8 {
    #[inline(always)]
    fn row(op: &Compose, depth: u8, now: &[u8], partner: &[u8], to: &mut [u8]) {
        if sums_of_bytes(op, depth, now, partner, to) {
            return;
        }
        let row = ComposedRow { now, partner, to, opacity: op.opacity, white: ((1u16 << depth) - 1) as u8 };
        composed(op.mode, &Scale::of(depth).map(|number| Whole(number as f32)), row);
    }
}

impl Composed for u16 {
    #[inline(always)]
    fn row(op: &Compose, depth: u8, now: &[u16], partner: &[u16], to: &mut [u16]) {
        if sums_of_words(op, depth, now, partner, to) {
            return;
        }
        let row = ComposedRow { now, partner, to, opacity: op.opacity, white: ((1u32 << depth) - 1) as u16 };
        match depth {
            ..=SHORT => composed(op.mode, &Scale::of(depth).map(|number| Whole(number as f32)), row),
            _ => composed(op.mode, &Scale::of(depth).map(|number| Whole(f64::from(number))), row),
        }
    }
}

impl Composed for f32 {
    #[inline(always)]
    fn row(op: &Compose, _: u8, now: &[f32], partner: &[f32], to: &mut [f32]) {
        if op.mode == ComposeMode::Normal {
            for ((to, &a), &b) in to.iter_mut().zip(now).zip(partner) {
                *to = quiet(shared(a, b, op.opacity));
            }
            return;
        }
        let row = ComposedRow { now, partner, to, opacity: op.opacity, white: 1.0 };
        composed(op.mode, &Scale { white: 1.0, grey: 0.5, full: 1.0 }, row);
    }
}

/// A plane that is composed with that of another frame.
pub struct ComposedPlane {
    op: Compose,
    depth: u8,
}

impl<T: Composed> BandFilter<T> for ComposedPlane {
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        // The frame before, or the second input, precedes the centre.
        let middle = window.planes.len() / 2;
        for y in 0..out.height {
            let (now, partner) = (window.row(middle, first + y), window.row(middle - 1, first + y));
            T::row(&self.op, self.depth, now, partner, out.row_mut(y));
        }
    }
}

impl<T: Composed> Staged<T> for Compose {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(setting.bands(ComposedPlane { op: *self, depth: setting.pixel().depth }))
    }
}
