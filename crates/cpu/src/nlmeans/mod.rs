//! Means over samples whose surroundings look alike.
//!
//! All rows are first made into padded lines of what is compared and of what is summed. Where one frame is looked at, and
//! patches are small and sums have 16 bits, two samples share their weight ([`mutual`]). Else a band is cut into strips of
//! columns whose sums stay in the second cache, and takes one offset after another over all of a strip ([`alike`]). So
//! each sample meets its offsets in order either way. For an offset, squared differences are summed along x and y: no
//! sum is ever subtracted, so that 16 bits suffice wherever larger sums have no weight.

mod alike;
mod comparable;
mod mutual;
mod offset;
mod patch;
mod total;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::walk::PlaneStage;
use crate::pass::{GuideSteps, Nlmeans};
use alike::Alike;
use comparable::{Comparable, Difference, Squared};
use mutual::Mutual;
use offset::MutualOffsets;

/// Samples, and the stage for a plane of them.
trait Summed: Comparable {
    /// That stage.
    fn stage(op: &Nlmeans, setting: &Setting) -> Box<dyn PlaneStage<Self>>;
}

/// The stage whose sums have 16 bits, by weights that two samples share where that is better.
fn short<T: Comparable>(op: &Nlmeans, setting: &Setting, weightless: u16) -> Box<dyn PlaneStage<T>>
where
    T::Key: Squared<u16>,
{
    let alike = Alike::<T, u16>::new(op, setting, weightless);
    match MutualOffsets::of(alike.patch, alike.search).filter(|_| alike.frames == 0) {
        Some(offsets) => Box::new(Mutual::new(alike, offsets, setting)),
        None => Box::new(alike),
    }
}

impl Summed for u8 {
    /// Differences are summed in as few bits as do.
    fn stage(op: &Nlmeans, setting: &Setting) -> Box<dyn PlaneStage<u8>> {
        let weightless = op.table.len() - 1;
        match u16::try_from(weightless) {
            Ok(weightless) if weightless <= comparable::LARGEST_SQUARE => short(op, setting, weightless),
            _ => Box::new(Alike::<u8, u32>::new(op, setting, u32::try_from(weightless).unwrap_or(u32::MOST))),
        }
    }
}

impl Summed for u16 {
    fn stage(op: &Nlmeans, setting: &Setting) -> Box<dyn PlaneStage<u16>> {
        short(op, setting, GuideSteps::WEIGHTLESS)
    }
}

impl Summed for f32 {
    fn stage(op: &Nlmeans, setting: &Setting) -> Box<dyn PlaneStage<f32>> {
        short(op, setting, GuideSteps::WEIGHTLESS)
    }
}

impl<T: Summed> Staged<T> for Nlmeans {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(T::stage(self, setting))
    }
}
