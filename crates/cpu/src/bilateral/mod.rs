//! Means over the samples around, by how near and how like they are.

mod byte;
mod stepped;
mod weight;

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::Sample;
use super::walk::PlaneStage;
use crate::pass::Bilateral;
use byte::Bytes;
use stepped::Stepped;

/// Samples, and their stage.
pub trait Smoothed: Sample {
    /// The stage of a plane of them.
    fn stage(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<Self>>;
}

impl Smoothed for u8 {
    fn stage(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<u8>> {
        Box::new(Bytes::new(op, setting))
    }
}

impl Smoothed for u16 {
    fn stage(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<u16>> {
        Box::new(Stepped::<u16>::new(op, setting))
    }
}

impl Smoothed for f32 {
    fn stage(op: &Bilateral, setting: &Setting) -> Box<dyn PlaneStage<f32>> {
        Box::new(Stepped::<f32>::new(op, setting))
    }
}

impl<T: Smoothed> Staged<T> for Bilateral {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(T::stage(self, setting))
    }
}
