//! Error and activity of many blocks.

use super::activity::{self, Active, BlockActivity, Pictures, SampleBlock};
use super::coarse;
use crate::frame::Plane;
use crate::simd::{Level, Simd, WithSimd};

struct BlockSurvey<'a, 'b, T> {
    pictures: &'a Pictures<'b, T>,
    blocks: &'a [SampleBlock],
    sums: &'a mut [BlockActivity],
}

impl<T: Active> WithSimd for BlockSurvey<'_, '_, T> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        for (block, sums) in self.blocks.iter().zip(self.sums) {
            sums.error = error(simd, &self.pictures.pair, block);
            (sums.space, sums.time) = match self.pictures.is_large {
                true => coarse::activity(self.pictures, block),
                false => activity::activity(simd, self.pictures, block),
            };
        }
    }
}

struct ErrorSurvey<'a, 'b, T> {
    pair: &'a [Plane<'b, T>; 2],
    blocks: &'a [SampleBlock],
    sums: &'a mut [BlockActivity],
}

impl<T: Active> WithSimd for ErrorSurvey<'_, '_, T> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        for (block, sums) in self.blocks.iter().zip(self.sums) {
            sums.error = error(simd, self.pair, block);
        }
    }
}

/// The sum of squared differences of a block.
#[inline(always)]
fn error<S: Simd, T: Active>(simd: S, [a, b]: &[Plane<'_, T>; 2], block: &SampleBlock) -> u64 {
    let mut sum = 0;
    for y in block.top..block.top + block.height {
        let [a, b] = [&a.row(y)[block.left..][..block.width], &b.row(y)[block.left..][..block.width]];
        sum += T::error(simd, a, b);
    }
    sum
}

/// The sums of each of some blocks.
pub fn blocks<T: Active>(level: Level, pictures: &Pictures<'_, T>, blocks: &[SampleBlock], sums: &mut [BlockActivity]) {
    level.run(BlockSurvey { pictures, blocks, sums });
}

/// The squared differences alone of each of some blocks.
pub fn errors<T: Active>(level: Level, pair: &[Plane<'_, T>; 2], blocks: &[SampleBlock], sums: &mut [BlockActivity]) {
    level.run(ErrorSurvey { pair, blocks, sums });
}
