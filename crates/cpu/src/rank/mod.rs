//! The sample of a given rank around each sample: along one axis after another for the extremes, by networks of
//! comparators for small boxes, those of the smallest medians written out, and by counting for large ones.

mod around;
mod block;
mod count;
mod extreme;
mod histogram;
mod key;
mod median;
mod network;
mod nine;
mod select;
mod square;
mod temporal;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::walk::{LineCost, PlaneStage};
use crate::pass::Rank;
use around::walk;
use key::Ordered;
use median::Median;
use nine::Nine;
use square::{Five, Seven};
use temporal::Temporal;

/// Samples, and the way for boxes of them that nothing else takes.
pub trait Ranked: Ordered {
    /// The largest box of samples of so many bits that a network is the fastest way for, in samples. Networks take as long
    /// whatever the picture is; the other ways were measured on a film (`samples/bigbuckbunny-720p.mp4`), in milliseconds
    /// of one core's user time for a plane of 1280×720, medians of square boxes, on a Zen 4 with AVX-512. Medians of 3×3,
    /// 5×5 and 7×7 samples have ways of their own ([`nine`], [`median`]), which take less.
    fn largest_network(depth: u8) -> usize;
    /// The way for boxes that are larger.
    fn large(op: &Rank, setting: &Setting) -> Box<dyn PlaneStage<Self>>;
}

impl Ranked for u8 {
    /// A network takes 9 ms for 49 samples, 30 for 121, 40 for 165 and 43 for 169; histograms take 39 to 41 for all.
    fn largest_network(_: u8) -> usize {
        165
    }

    fn large(op: &Rank, setting: &Setting) -> Box<dyn PlaneStage<u8>> {
        Box::new(histogram::Histogram::new(op, setting))
    }
}

impl Ranked for u16 {
    /// A network takes 14 ms for 49 samples, 49 for 121, 83 for 169 and 119 for 225. Counting takes longer the more values
    /// there are: for 121, 169 and 225 samples 49, 55 and 62 ms at 10 bits, 56, 62 and 68 at 12; for the latter two 80 and
    /// 86 at 14, 118 and 120 at 16.
    fn largest_network(depth: u8) -> usize {
        match depth {
            ..=12 => 121,
            13..=15 => 165,
            _ => 225,
        }
    }

    fn large(op: &Rank, setting: &Setting) -> Box<dyn PlaneStage<u16>> {
        walk(op, setting, count::Count::new(op, setting), LineCost::Cheap)
    }
}

impl Ranked for f32 {
    /// A network takes 28 ms for 49 samples, 228 for 225 and 452 for 361, the largest measured; selecting takes 164, 423
    /// and 635.
    fn largest_network(_: u8) -> usize {
        361
    }

    fn large(op: &Rank, setting: &Setting) -> Box<dyn PlaneStage<f32>> {
        walk(op, setting, select::Select::new(op, setting), LineCost::Cheap)
    }
}

impl<T: Ranked> Staged<T> for Rank {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(stage(self, setting))
    }
}

/// The stage for a plane.
fn stage<T: Ranked>(op: &Rank, setting: &Setting) -> Box<dyn PlaneStage<T>> {
    match op.samples() {
        _ if op.is_extreme() => walk(op, setting, extreme::Extreme::<T>::new(op, setting), LineCost::Cheap),
        _ if Nine::<T>::fits(op) => walk(op, setting, Nine::<T>::new(op, setting), LineCost::Cheap),
        _ if Median::<T, Five>::fits(op) => walk(op, setting, Median::<T, Five>::new(op, setting), LineCost::Cheap),
        _ if Median::<T, Seven>::fits(op) => walk(op, setting, Median::<T, Seven>::new(op, setting), LineCost::Cheap),
        _ if Temporal::fits(op) => {
            let (filter, nothing) = (Temporal::new(op, setting), LineCost::Nothing);
            walk(op, setting, filter, nothing)
        }
        samples if samples <= T::largest_network(setting.pixel().depth) => {
            walk(op, setting, network::Networks::<T>::new(op, setting), LineCost::Cheap)
        }
        _ => T::large(op, setting),
    }
}
