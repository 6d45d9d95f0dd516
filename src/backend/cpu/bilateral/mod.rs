//! Means over the samples around, by how near and how like they are.

mod lane;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::Sample;
use super::walk::{LineCost, PlaneStage};
use crate::pass::Bilateral;
use lane::{Laned, Weighed};

/// Samples, and their stage.
pub trait Smoothed: Sample {
    /// What differences are formed and summed in.
    type Number: Weighed;
}

impl Smoothed for u8 {
    type Number = i32;
}

impl Smoothed for u16 {
    type Number = i32;
}

impl Smoothed for f32 {
    type Number = f32;
}

impl<T: Smoothed> Staged<T> for Bilateral {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let row_reach = setting.row_reach(self.border, self.radius, self.radius);
        Ok(setting.walk(Laned::<T::Number>::new(self, setting), row_reach, LineCost::Cheap))
    }
}
