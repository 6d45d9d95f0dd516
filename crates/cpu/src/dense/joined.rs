//! How the sums of several kernels become one value.

use crate::pass::Combine;
use crate::simd::Simd;

/// Joins the sums of kernel number `index` with what came before.
#[inline(always)]
pub fn join<S: Simd>(simd: S, combine: Combine, index: usize, sum: S::F32, before: S::F32) -> S::F32 {
    let value = match combine {
        Combine::Sum | Combine::Largest => sum,
        Combine::Magnitude => simd.mul(sum, sum),
        Combine::Max => simd.abs(sum),
    };
    match (index, combine) {
        (0, _) => value,
        (_, Combine::Max | Combine::Largest) => simd.max(before, value),
        _ => simd.add(before, value),
    }
}

/// What is left to do after the last kernel was joined.
#[inline(always)]
pub fn close<S: Simd>(simd: S, combine: Combine, value: S::F32) -> S::F32 {
    if combine == Combine::Magnitude { simd.sqrt(value) } else { value }
}
