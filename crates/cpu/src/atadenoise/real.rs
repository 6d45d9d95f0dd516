//! Samples as `f32`: floats, and integers with weights or with sums of distances that 16 bits do not hold.

use super::super::finish::VECTORS;
use super::super::simd::{Sample, Simd};
use super::block::{At, Goal, Meet, Side, Way, taken};
use crate::pass::Atadenoise;

/// [`Way`] for all samples.
pub struct Real;

/// Samples as they are summed.
pub trait Summand: Sample {
    /// Whether it is their distances that are summed.
    const FROM_CENTRE: bool;
}

impl Summand for u8 {
    const FROM_CENTRE: bool = false;
}

impl Summand for u16 {
    const FROM_CENTRE: bool = false;
}

impl Summand for f32 {
    const FROM_CENTRE: bool = true;
}

/// A vector of lanes.
struct RealVector<S: Simd> {
    centre: S::F32,
    single: S::F32,
    total: S::F32,
    /// What each side is away; infinitely far once it ended.
    far: [S::F32; 2],
    /// Which of them says whether anything goes on.
    side: Side,
    together: bool,
    sum: S::F32,
    weighed: S::F32,
}

impl<S: Simd, T: Summand> Meet<S, T> for RealVector<S> {
    #[inline(always)]
    fn begin(simd: S, op: &Atadenoise, centre: &[T]) -> Self {
        let (centre, zero) = (T::read(simd, centre), simd.splat(0.0));
        Self {
            centre,
            single: simd.splat(op.single),
            total: simd.splat(op.total),
            far: [zero; 2],
            side: Side::Before,
            together: op.together,
            sum: if T::FROM_CENTRE { zero } else { centre },
            weighed: simd.splat(1.0),
        }
    }

    #[inline(always)]
    fn meet(&mut self, simd: S, side: Side, samples: &[T], weight: f32) {
        let (this, other) = (side as usize, 1 - side as usize);
        let (never, weight) = (simd.splat(f32::INFINITY), simd.splat(weight));
        let samples = T::read(simd, samples);
        let away = simd.mul_add(self.centre, simd.splat(-1.0), samples);
        let distance = simd.abs(away);
        let far = simd.where_below(distance, self.single, simd.add(self.far[this], distance), never);
        self.far[this] = far;
        if self.together {
            self.far[other] = simd.where_below(far, self.total, self.far[other], never);
        }
        let sum = simd.add(self.sum, simd.mul(weight, if T::FROM_CENTRE { away } else { samples }));
        self.sum = simd.where_below(far, self.total, sum, self.sum);
        self.weighed = simd.where_below(far, self.total, simd.add(self.weighed, weight), self.weighed);
    }

    #[inline(always)]
    fn turn(&mut self, _: S) {
        self.side = Side::After;
    }

    #[inline(always)]
    fn is_done(&self, simd: S) -> bool {
        let alive = simd.where_below(self.far[self.side as usize], self.total, simd.splat(1.0), simd.splat(0.0));
        simd.is_zero(simd.whole(alive))
    }
}

/// A whole number where a mean of integers is weighted: to nearest, ties to even.
#[inline(always)]
fn mean<S: Simd, T: Summand>(
    simd: S,
    weighted: bool,
    RealVector { centre, sum, weighed, .. }: RealVector<S>,
) -> S::F32 {
    let mean = simd.div(sum, weighed);
    match (T::FROM_CENTRE, weighted) {
        (true, _) => simd.add(centre, mean),
        (false, false) => mean,
        // From 2²³ on floats are whole numbers.
        (false, true) => simd.add(simd.add(mean, simd.splat(8_388_608.0)), simd.splat(-8_388_608.0)),
    }
}

impl<T: Summand> Way<T> for Real {
    #[inline(always)]
    fn put<S: Simd>(simd: S, Goal { op, finish }: &Goal, at: At<T>, to: &mut [T]) {
        let mut means = [simd.splat(0.0); VECTORS];
        for (n, mean) in means.iter_mut().enumerate() {
            let held = taken::<S, T, RealVector<S>>(simd, op, at.rows, at.from + n * S::LANES);
            *mean = self::mean::<S, T>(simd, !op.weights.is_empty(), held);
        }
        finish.put(simd, means, at.centre, at.x, to);
    }
}
