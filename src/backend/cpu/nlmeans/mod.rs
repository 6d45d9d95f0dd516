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
use crate::pass::{Nlmeans, Scale};
use alike::Alike;
use comparable::{Comparable, Difference, Squared};
use mutual::Mutual;
use offset::MutualOffsets;

/// Samples, and the stage for a plane of them whose sums are of 16 bits.
trait Summed: Comparable {
    /// That stage, or that of 32 bits where samples have no other.
    fn short(op: &Nlmeans, setting: &Setting, scale: Scale, weightless: u16) -> Box<dyn PlaneStage<Self>>;
}

/// That stage, by weights that two samples share where that is better.
fn short<T: Comparable>(alike: Alike<T, u16>, setting: &Setting) -> Box<dyn PlaneStage<T>>
where
    T::Key: Squared<u16>,
{
    match MutualOffsets::of(alike.patch, alike.search).filter(|_| alike.frames == 0) {
        Some(offsets) => Box::new(Mutual::new(alike, offsets, setting)),
        None => Box::new(alike),
    }
}

impl Summed for u8 {
    fn short(op: &Nlmeans, setting: &Setting, scale: Scale, weightless: u16) -> Box<dyn PlaneStage<u8>> {
        short(Alike::new(op, setting, scale, weightless), setting)
    }
}

impl Summed for u16 {
    fn short(op: &Nlmeans, setting: &Setting, scale: Scale, weightless: u16) -> Box<dyn PlaneStage<u16>> {
        short(Alike::new(op, setting, scale, weightless), setting)
    }
}

impl Summed for f32 {
    fn short(op: &Nlmeans, setting: &Setting, scale: Scale, weightless: u16) -> Box<dyn PlaneStage<f32>> {
        Box::new(Alike::<f32, u32>::new(op, setting, scale, weightless.into()))
    }
}

impl<T: Summed> Staged<T> for Nlmeans {
    /// Differences are summed in as few bits as do.
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let scale = self.scale(setting.pixel());
        let weightless = (self.table.len() as u64 - 1) << scale.shift;
        Ok(match u16::try_from(weightless) {
            Ok(weightless) if scale.cut == 0 && weightless <= comparable::LARGEST_SQUARE => {
                T::short(self, setting, scale, weightless)
            }
            _ => {
                let weightless = u32::try_from(weightless).map_or(u32::MOST, |weightless| weightless.min(u32::MOST));
                Box::new(Alike::<T, u32>::new(self, setting, scale, weightless))
            }
        })
    }
}
