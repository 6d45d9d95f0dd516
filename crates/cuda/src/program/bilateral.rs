//! Means over the samples around, by how near and how like they are: `kernels/bilateral.cu`, and with a guide
//! `kernels/joint.cu`.

use super::super::geometry::TILE_WIDTH;
use super::super::range::SumBounds;
use super::builder::{Builder, Class, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::frame::Sample;
use crate::pass::{Bilateral, Operation as _};

/// Rows of output in a tile of `Weighed` and of `Joint`.
const HEIGHT: usize = 16;
/// Rows of output that a thread of `Bytes` makes, of one column.
const ROWS: usize = 16;
/// The largest radius that `Bytes` is written out for.
const LARGEST: usize = 10;
/// Rows of output in a tile of `Bytes`.
const DOWN: usize = 2 * ROWS;

impl Written for Bilateral {
    const SOURCES: &'static [SourceFile] = &[source!("bilateral.cu"), source!("joint.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let highest = f64::from(builder.pixel.highest());
        // A mean lies between the samples, but for its roundings.
        let known = SumBounds { range: [0.0, highest], bound: highest, taps: self.taps() };
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.int("RADIUS", self.radius).int("FRAMES", self.frames);
        if let Some(bytes) = bytes(self, builder) {
            builder.share(bytes);
            let made = made.int("SPACE", builder.tabled(&doubled(self))).int("R", ROWS);
            let made = made.int("RANGE", builder.looked_up(&entries(self))).flag("PAIRED", pairs(self));
            return (
                Made::of("Bytes", made),
                Class { tile_width: TILE_WIDTH, tile_height: DOWN, blocks: 2, rows_before: None },
            );
        }
        let whole = builder.pixel.sample != Sample::F32;
        let word = |weight: &f32| if whole { *weight as u32 } else { weight.to_bits() };
        let words = |weights: &[f32]| weights.iter().map(word).collect::<Vec<_>>();
        let made = made.int("SPACE", builder.tabled(&words(&self.space)));
        let made = made.int("RANGE", builder.looked_up(&words(&self.range))).int("LAST", self.range.len() - 1);
        let made = made.word("FINENESS", self.fineness.to_bits());
        let shift = if whole { (1.0 / self.fineness) as usize } else { 1 }.trailing_zeros() as usize;
        let made = made.int("SHIFT", shift).int("CUT", if whole { self.cut(builder.pixel) as usize } else { 0 });
        let side = 2 * self.radius;
        let (places, edges) = ((TILE_WIDTH + side) * (HEIGHT + side), 4 * (TILE_WIDTH + HEIGHT + 2 * side));
        let most = builder.limits.shared_bytes;
        let class = Class { tile_width: TILE_WIDTH, tile_height: HEIGHT, blocks: 2, rows_before: None };
        let Some(guide) = self.guide else {
            // The largest tile, 62,528 bytes, fits the least of those that GPUs offer.
            let (tile, all) = (4 * places + edges, 4 * places + edges + 4 * self.range.len());
            builder.share(if all <= most { all } else { tile });
            return (Made::of("Weighed", made.flag("HELD", all <= most)), class);
        };
        // Two integers share a word.
        let pairs = places * if whole { 4 } else { 8 };
        let tiled = pairs + edges <= most;
        let tile = edges + if tiled { pairs } else { 0 };
        let all = tile + 4 * self.range.len();
        builder.share(if all <= most { all } else { tile });
        let [across, down] = guide.finer.map(|power| power as usize);
        let made = made.flag("HELD", all <= most).flag("TILED", tiled);
        let made = made.int("GUIDE", guide.plane).int("ACROSS", across).int("DOWN", down);
        (Made::of("Joint", made), class)
    }
}

/// The bytes that a block of `Bytes` takes in shared memory; `None` where it does not serve.
fn bytes(op: &Bilateral, builder: &Builder) -> Option<usize> {
    let side = 2 * op.radius;
    let bytes = 4 * (32 * 511 + (TILE_WIDTH + side) * (DOWN + side) + TILE_WIDTH + DOWN + 2 * side);
    let serves = builder.pixel.sample == Sample::U8 && op.radius <= LARGEST && op.guide.is_none();
    // Its sums are twice those that are meant.
    let fits = op.bounds(builder.pixel).iter().all(|bound| 2.0 * bound < Bilateral::LIMIT);
    (serves && fits && bytes <= builder.limits.shared_bytes).then_some(bytes)
}

/// For every difference from −255 to 255 its weight, and above it in 16 bits the weighed difference.
fn entries(op: &Bilateral) -> Vec<u32> {
    let entry = |d: i32| {
        let weight = op.range.get(d.unsigned_abs() as usize).map_or(0, |&weight| weight as i32);
        ((weight * d) as u32) << 16 | weight as u32
    };
    (-255..=255).map(entry).collect()
}

/// Whether two weighed differences have room in 16 bits.
fn pairs(op: &Bilateral) -> bool {
    2.0 * Bilateral::largest(&op.range, op.fineness, 255.0) < f64::from(1 << 15)
}

/// Weights by offset, in the first and in the last byte of a word. Those of the middle column are met twice; the
/// others are twice as large.
fn doubled(op: &Bilateral) -> Vec<u32> {
    let times = |i: usize| if i.is_multiple_of(op.radius + 1) { 1 } else { 2 };
    op.space.iter().enumerate().map(|(i, &weight)| times(i) * weight as u32 * 0x0100_0001).collect()
}
