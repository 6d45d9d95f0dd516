//! Blocks filtered together with those that look like them: `kernels/bm3d.cu`.

use super::super::geometry::TILE_WIDTH;
use super::super::range::SumBounds;
use super::builder::{Builder, Class, RowsBefore, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::pass::{Bm3d, Operation as _, Shrink};

/// Rows of the plane in a tile.
const HEIGHT: usize = 32;
/// Warps of a block.
const WARPS: usize = 8;
/// Words that a warp turns blocks in.
const TURNED: usize = 4 * 72;

impl Written for Bm3d {
    const SOURCES: &'static [SourceFile] = &[source!("bm3d.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let highest = f64::from(builder.pixel.highest());
        let noise = f64::from(self.sigma) * 32.0;
        let known = SumBounds { range: [-noise, highest + noise], bound: highest + noise, taps: self.taps() };
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let (limit, last) = match self.shrink {
            Shrink::Threshold(threshold) => (threshold, false),
            Shrink::Wiener { power, .. } => (power, true),
        };
        let sizes = (0..6).map(|i| 1 << i);
        let scales = sizes.clone().map(|n| self.scale(n)).chain(sizes.map(Self::unscale));
        let words: Vec<u32> = Self::window().into_iter().chain(scales).map(f32::to_bits).collect();
        let at = builder.looked_up(&words);
        let cosines = builder.literal(&Self::cosines().map(f32::to_bits));
        let made = made.int("GROUP", self.group).int("RANGE", self.range).int("STEP", self.step).int("AT", at);
        let made = made.int("FRAMES", self.frames).int("NEAR", self.near);
        let made = made.int("COSINES", cosines).int("KEY_SHIFT", Self::key_shift(builder.pixel) as usize);
        let made = made.flag("WIENER", last).word("LIMIT", limit.to_bits()).word("MOST", self.most().to_bits());
        let made = made.word("UNIT", (self.sigma / 16.0).to_bits());
        let (around, read) = (2 * (self.range + Self::SIDE - 1), 2 * size_of::<u32>());
        let pitch = (TILE_WIDTH + around + read) / 4 * 4;
        builder.share(pitch * (HEIGHT + around) + 4 * WARPS * TURNED);
        builder.sums = true;
        let blocks = if last && self.group > 16 { 1 } else { 2 };
        (
            Made::of("Bm3d", made.int("PITCH", pitch)),
            Class { tile_width: TILE_WIDTH, tile_height: HEIGHT, blocks, rows_before: Some(RowsBefore::each(2, 0)) },
        )
    }

    fn is_long(&self, _: &Builder) -> bool {
        true
    }
}
