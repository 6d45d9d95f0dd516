//! Activity of pictures larger than HD, where two rows and two columns count as one.

use super::activity::{Active, Pictures, SampleBlock, inside};
use crate::frame::Plane;

/// Fewest columns within the edges that the high-pass filter is computed of; FFmpeg drops the result for fewer.
const LEAST: usize = 13;

/// Rows and columns at the edges of a plane whose activity in space is not measured.
pub const EDGE: usize = 2;

/// True if the inner part of a block is wide enough for the high-pass filter. Its width is counted from the block's left side, as in FFmpeg.
pub fn is_wide(inner: &SampleBlock, block: &SampleBlock) -> bool {
    inner.left + inner.width - block.left >= LEAST
}

/// As [`super::activity`]'s: the sum of the magnitudes in space and of how many samples, and that in time.
#[inline(always)]
pub fn activity<T: Active>(pictures: &Pictures<'_, T>, block: &SampleBlock) -> (Option<(u64, usize)>, u64) {
    let plane = &pictures.pair[0];
    let Some(inner) = inside((plane.width, plane.height), block, EDGE) else { return (None, 0) };
    let mut space = 0;
    if is_wide(&inner, block) {
        let mut sums = [const { Vec::new() }; 3];
        for y in (inner.top..inner.top + inner.height).step_by(2) {
            space += high_pass(plane, &inner, y, &mut sums);
        }
    }
    let mut time = 0;
    let one = pictures.before[0];
    let two = pictures.before[1].filter(|_| pictures.order == 2);
    let factor = if pictures.order == 2 { 2 } else { 1 };
    for y in (block.top..block.top + block.height).step_by(2) {
        for x in (block.left..block.left + block.width).step_by(2) {
            let four = |plane: &Option<Plane<'_, T>>| plane.as_ref().map_or(0, |plane| square(plane, x, y));
            let change = square(plane, x, y) - factor * four(&one) + four(&two);
            time += u64::from(change.unsigned_abs());
        }
    }
    (Some((space, inner.width * inner.height)), time)
}

/// The sum of 2×2 samples, those beyond the plane being its last ones.
#[inline(always)]
fn square<T: Active>(plane: &Plane<'_, T>, x: usize, y: usize) -> i32 {
    let right = (x + 1).min(plane.width - 1);
    let [upper, lower] = [plane.row(y), plane.row((y + 1).min(plane.height - 1))];
    [upper[x], upper[right], lower[x], lower[right]].map(|sample| sample.measured() as i32).iter().sum()
}

/// The sum of the magnitudes of a high-pass filter of 6×6 samples around each second column of rows `y` and `y + 1`. `sums` is
/// memory.
#[inline(always)]
fn high_pass<T: Active>(plane: &Plane<'_, T>, inner: &SampleBlock, y: usize, sums: &mut [Vec<i32>; 3]) -> u64 {
    // Rows in pairs: the middle ones, those beside them, and the outer ones.
    for (distance, sums) in sums.iter_mut().enumerate() {
        let [upper, lower] = [y - distance, (y + 1 + distance).min(plane.height - 1)].map(|y| plane.row(y));
        sums.clear();
        let columns = inner.left - 2..(inner.left + inner.width + 4).min(plane.width);
        let both = upper[columns.clone()].iter().zip(&lower[columns]);
        sums.extend(both.map(|(a, b)| (a.measured() + b.measured()) as i32));
        sums.resize(inner.width + 6, sums.last().copied().unwrap_or_default());
    }
    let [near, beside, outer] = sums;
    let mut sum = 0;
    for x in (2..inner.width + 2).step_by(2) {
        let middle = 12 * (near[x] + near[x + 1]) - 3 * (near[x - 1] + near[x + 2]) - (near[x - 2] + near[x + 3]);
        let sides =
            3 * (beside[x] + beside[x + 1]) + 2 * (beside[x - 1] + beside[x + 2]) + (beside[x - 2] + beside[x + 3]);
        let ends = outer[x - 1] + outer[x] + outer[x + 1] + outer[x + 2];
        sum += u64::from((middle - sides - ends).unsigned_abs());
    }
    sum
}
