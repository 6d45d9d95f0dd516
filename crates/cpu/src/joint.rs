//! Planes that are made together, whatever is done to them.

use super::simd::{Level, Sample, Simd, WithSimd};
use super::walk::{Band, Banded, JointBand};

/// An operation that makes planes together; its loops are compiled for every set of instructions.
pub trait JointPlanes<T: Sample, U: Sample = T>: Send + Sync {
    /// Which of them runs.
    fn level(&self) -> Level;
    /// How many rows of the first plane a band has: whole blocks, where planes are of different sizes.
    fn band_rows(&self) -> usize;
    /// Makes the rows of a band of all planes.
    fn made<S: Simd>(&self, simd: S, band: JointBand<T, U>);
}

/// Such planes as a stage.
pub struct JointStage<J>(pub J);

impl<T: Sample, U: Sample, J: JointPlanes<T, U>> Banded<T, U> for JointStage<J> {
    fn level(&self) -> Level {
        self.0.level()
    }

    fn band_rows(&self) -> usize {
        self.0.band_rows()
    }

    /// Nothing: planes are made together.
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, _: Band<T, U>) {}

    fn joint(&self, band: JointBand<T, U>) {
        self.0.level().run(MakeJoint { planes: &self.0, band });
    }
}

struct MakeJoint<'a, 'b, 'c, J, T, U> {
    planes: &'a J,
    band: JointBand<'b, 'c, T, U>,
}

impl<T: Sample, U: Sample, J: JointPlanes<T, U>> WithSimd for MakeJoint<'_, '_, '_, J, T, U> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        self.planes.made(simd, self.band);
    }
}
