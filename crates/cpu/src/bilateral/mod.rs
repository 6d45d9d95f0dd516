//! Means over the samples around, by how near and how like they are.

mod byte;
mod lane;

use anyhow::Result;

use super::guide::Averaged;
use super::operation::{Setting, Staged};
use super::simd::Sample;
use super::walk::{LineCost, PlaneStage};
use crate::pass::Bilateral;
use byte::Bytes;
use lane::{Laned, Weighed};

/// Samples, and their stage.
pub trait Smoothed: Sample {
    /// The stage of a plane of them.
    fn stage(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<Self>>;
}

/// Any samples, a lane each, in numbers of type `A`.
fn lanes<T: Sample + Averaged, A: Weighed>(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<T>> {
    let row_reach = setting.row_reach(op.border, op.radius, op.radius);
    match op.guide {
        None => setting.walk(Laned::<A, false>::new(op, setting), row_reach, LineCost::Cheap),
        Some(_) => setting.walk(Laned::<A, true>::new(op, setting), row_reach, LineCost::Cheap),
    }
}

impl Smoothed for u8 {
    fn stage(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<u8>> {
        Box::new(Bytes::new(op, setting))
    }
}

impl Smoothed for u16 {
    fn stage(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<u16>> {
        lanes::<u16, i32>(op, setting)
    }
}

impl Smoothed for f32 {
    fn stage(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<f32>> {
        lanes::<f32, f32>(op, setting)
    }
}

impl<T: Smoothed> Staged<T> for Bilateral {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(T::stage(self, setting))
    }
}
