//! One frame on its way to the next, with the weight of the frame.

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd, quiet};
use super::walk::{Band, BandFilter, PlaneStage};
use crate::frame;
use crate::pass;

/// Samples, and the way from one to another.
pub trait Fade: Sample {
    /// A row on its way from `from` to `next`, `weight` of the latter out of [`pass::Crossfade::whole`]; all rows are equally
    /// long.
    fn row(weight: u32, from: &[Self], next: &[Self], to: &mut [Self]);
}

impl Fade for u8 {
    #[inline(always)]
    fn row(weight: u32, from: &[u8], next: &[u8], to: &mut [u8]) {
        // 255 · 128 and half of 128 fit into 16 bits, in which twice as many columns are computed at once.
        let (first, second) = (128 - weight as u16, weight as u16);
        for ((to, &a), &b) in to.iter_mut().zip(from).zip(next) {
            *to = ((u16::from(a) * first + u16::from(b) * second + 64) >> 7) as u8;
        }
    }
}

impl Fade for u16 {
    #[inline(always)]
    fn row(weight: u32, from: &[u16], next: &[u16], to: &mut [u16]) {
        let (first, second) = (32768 - weight, weight);
        for ((to, &a), &b) in to.iter_mut().zip(from).zip(next) {
            *to = ((u32::from(a) * first + u32::from(b) * second + 16384) >> 15) as u16;
        }
    }
}

impl Fade for f32 {
    #[inline(always)]
    fn row(weight: u32, from: &[f32], next: &[f32], to: &mut [f32]) {
        let second = weight as f32 / 32768.0;
        let first = 1.0 - second;
        for ((to, &a), &b) in to.iter_mut().zip(from).zip(next) {
            *to = quiet(a * first + b * second);
        }
    }
}

/// A plane on its way to that of the next frame.
pub struct PlaneFade {
    whole: u32,
}

impl<T: Fade> BandFilter<T> for PlaneFade {
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        let (middle, weight) = (window.planes.len() / 2, (window.factor as u32).min(self.whole));
        for y in 0..out.height {
            let (from, next) = (window.row(middle, first + y), window.row(middle + 1, first + y));
            T::row(weight, from, next, out.row_mut(y));
        }
    }
}

impl<T: Fade> Staged<T> for pass::Crossfade {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let sample: frame::Sample = setting.pixel().sample;
        let whole = Self::whole(sample);
        Ok(setting.bands(PlaneFade { whole }))
    }
}
