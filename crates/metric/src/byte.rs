//! Activity of bytes, in vectors of 16-bit numbers.

use super::activity::{Active, change, high_pass};
use super::psnr::SquaredError;
use crate::simd::Simd;

/// Of 16-bit numbers, one in both halves of each lane.
#[inline(always)]
fn twice<S: Simd>(simd: S, number: i32) -> S::I32 {
    simd.splat_i32(number << 16 | number)
}

/// The sum of all lanes, which are not negative.
#[inline(always)]
fn total<S: Simd>(simd: S, lanes: S::I32) -> u64 {
    let mut each = [0i32; 32];
    simd.store_integers(lanes, &mut each[..S::LANES]);
    let mut sum = 0;
    for lane in each {
        sum += lane as u64;
    }
    sum
}

impl Active for u8 {
    type Number = i16;

    #[inline(always)]
    fn number(self) -> i16 {
        self.into()
    }

    #[inline(always)]
    fn apart(self, other: u8) -> u32 {
        self.abs_diff(other).into()
    }

    #[inline(always)]
    fn error<S: Simd>(simd: S, a: &[u8], b: &[u8]) -> u64 {
        let step = 2 * S::LANES;
        let ((a, a_rest), (b, b_rest)) = (whole(a, step), whole(b, step));
        let mut sum = simd.splat_i32(0);
        for (a, b) in a.chunks_exact(step).zip(b.chunks_exact(step)) {
            let apart = simd.sub_u16(simd.halves_u8(a), simd.halves_u8(b));
            sum = simd.dot_i16(sum, apart, apart);
        }
        total(simd, sum) + u8::squares(a_rest, b_rest) as u64
    }

    #[inline(always)]
    fn high_pass<S: Simd>(simd: S, [above, row, below]: [&[u8]; 3]) -> u64 {
        let (step, width) = (2 * S::LANES, row.len() - 2);
        let (ones, twelve) = (twice(simd, 1), twice(simd, 12));
        let mut sum = simd.splat_i32(0);
        let mut x = 0;
        while x + step <= width {
            let at = |row: &[u8], x: usize| simd.halves_u8(&row[x..]);
            // At most 24 · 255, of either sign.
            let upright = simd.sum_u16(at(above, x + 1), at(below, x + 1));
            let sides = simd.sum_u16(upright, simd.sum_u16(at(row, x), at(row, x + 2)));
            let left = simd.sum_u16(at(above, x), at(below, x));
            let right = simd.sum_u16(at(above, x + 2), at(below, x + 2));
            let around = simd.sum_u16(simd.sum_u16(sides, sides), simd.sum_u16(left, right));
            let passed = simd.sub_u16(simd.mul_u16(at(row, x + 1), twelve), around);
            sum = simd.dot_i16(sum, simd.abs_i16(passed), ones);
            x += step;
        }
        let rest = if x < width { high_pass([&above[x..], &row[x..], &below[x..]]) } else { 0 };
        total(simd, sum) + rest
    }

    #[inline(always)]
    fn change<S: Simd>(simd: S, row: &[u8], one: &[u8]) -> u64 {
        let step = 4 * S::LANES;
        let ((row, row_rest), (one, one_rest)) = (whole(row, step), whole(one, step));
        let mut sum = simd.splat_i32(0);
        for (a, b) in row.chunks_exact(step).zip(one.chunks_exact(step)) {
            sum = simd.add_i32(sum, simd.apart_u8(simd.load_integers(a), simd.load_integers(b)));
        }
        total(simd, sum) + change(row_rest, one_rest)
    }
}

/// As many whole vectors as there are, and the rest.
#[inline(always)]
fn whole(row: &[u8], step: usize) -> (&[u8], &[u8]) {
    row.split_at(row.len() / step * step)
}
