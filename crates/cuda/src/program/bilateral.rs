//! Means over the samples around, by how near and how like they are: of bytes `kernels/bilateral.cu`, and with a guide
//! `kernels/joint.cu`; above 8 bits `kernels/bilateral_stepped.cu`.

use super::super::geometry::TILE_WIDTH;
use super::super::range::SumBounds;
use super::builder::{BlockLimits, Builder, Class, SourceFile, Written, border, source};
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
/// Bytes of shared memory that are left to other ops of a program, which shift where `SteppedMeans` starts.
const SPARE: usize = 128;

impl Written for Bilateral {
    const SOURCES: &'static [SourceFile] =
        &[source!("bilateral.cu"), source!("joint.cu"), source!("bilateral_stepped.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let highest = f64::from(builder.pixel.highest());
        // A mean lies between the samples, but for its roundings.
        let known = SumBounds { range: [0.0, highest], bound: highest, taps: self.taps() };
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.int("RADIUS", self.radius).int("FRAMES", self.frames);
        if builder.pixel.sample != Sample::U8 {
            return stepped(self, builder, made);
        }
        if let Some(bytes) = bytes(self, builder) {
            builder.share(bytes);
            let made = made.int("SPACE", builder.tabled(&doubled(self))).int("R", ROWS);
            let made = made.int("RANGE", builder.looked_up(&entries(self))).flag("PAIRED", pairs(self));
            return (
                Made::of("Bytes", made),
                Class { tile_width: TILE_WIDTH, tile_height: DOWN, blocks: 2, rows_before: None },
            );
        }
        let words = |weights: &[f32]| weights.iter().map(|&weight| weight as u32).collect::<Vec<_>>();
        let made = made.int("SPACE", builder.tabled(&words(&self.space)));
        let made = made.int("RANGE", builder.looked_up(&words(&self.range))).int("LAST", self.range.len() - 1);
        let side = 2 * self.radius;
        let (places, edges) = ((TILE_WIDTH + side) * (HEIGHT + side), 4 * (TILE_WIDTH + HEIGHT + 2 * side));
        let most = builder.limits.shared_bytes;
        let class = Class { tile_width: TILE_WIDTH, tile_height: HEIGHT, blocks: 2, rows_before: None };
        // The largest tile, 62,528 bytes, fits the least of those that GPUs offer but for the guide's; there two samples share a word.
        let tiled = self.guide.is_none() || 4 * places + edges <= most;
        let tile = edges + if tiled { 4 * places } else { 0 };
        let all = tile + 4 * self.range.len();
        builder.share(if all <= most { all } else { tile });
        let made = made.flag("HELD", all <= most);
        match self.guide {
            None => (Made::of("Weighed", made), class),
            Some(_) => (Made::of("Joint", guided(self, made).flag("TILED", tiled)), class),
        }
    }
}

/// What says where the guide is.
fn guided(op: &Bilateral, made: Named) -> Named {
    let Some(guide) = op.guide else { return made };
    let [across, down] = guide.finer.map(|power| power as usize);
    made.int("GUIDE", guide.plane).int("ACROSS", across).int("DOWN", down)
}

/// Above 8 bits.
fn stepped(op: &Bilateral, builder: &mut Builder, made: Named) -> (Made, Class) {
    let words = |weights: &[f32]| weights.iter().map(|weight| weight.to_bits()).collect::<Vec<_>>();
    let made = made.int("SPACE", builder.tabled(&words(&op.space))).int("EXTENT", builder.tabled(&extents(op)));
    let made = made.int("RANGE", builder.looked_up(&words(&op.range))).int("LAST", op.range.len() - 1);
    let Tiling { rows, copies, tiled, bytes } = Tiling::of(op, builder.limits);
    builder.share(bytes);
    let made = made.word("FINENESS", op.fineness.to_bits()).int("R", rows);
    let made = guided(op, made.int("COPIES", copies).flag("TILED", tiled).flag("GUIDED", op.guide.is_some()));
    let class = Class { tile_width: TILE_WIDTH, tile_height: 2 * rows, blocks: 2, rows_before: None };
    (Made::of("SteppedMeans", made), class)
}

/// For each column of offsets how far its weights reach up and down; −1 for none.
fn extents(op: &Bilateral) -> Vec<u32> {
    let mut furthest = vec![-1i32; op.radius + 1];
    for ([_, y, x], _) in op.offsets() {
        let reach = &mut furthest[x.unsigned_abs()];
        *reach = (*reach).max(y.unsigned_abs() as i32);
    }
    furthest.into_iter().map(|reach| reach as u32).collect()
}

/// How `SteppedMeans` uses shared memory.
struct Tiling {
    /// Rows of output that a thread makes, of one column.
    rows: usize,
    /// Copies of the weights.
    copies: usize,
    tiled: bool,
    bytes: usize,
}

impl Tiling {
    /// The most that fits.
    fn of(op: &Bilateral, BlockLimits { shared_bytes }: BlockLimits) -> Self {
        let side = 2 * op.radius;
        let tiling = |rows: usize, copies: usize, tiled: bool| {
            let (wide, high) = (TILE_WIDTH + side, 2 * rows + side);
            let weights = 4 * copies * (2 * op.range.len() - 1);
            let tile = if tiled { 8 * wide * high } else { 8 * rows * TILE_WIDTH };
            let bytes = weights.next_multiple_of(16) + tile.next_multiple_of(16) + 4 * (wide + high) + SPARE;
            Self { rows, copies, tiled, bytes }
        };
        let fewer = [[16, 32], [8, 32], [4, 32], [8, 1], [4, 1], [2, 1]];
        let fits = |tiling: &Self| tiling.bytes + SPARE <= shared_bytes;
        fewer
            .map(|[rows, copies]| tiling(rows, copies, true))
            .into_iter()
            .find(fits)
            .unwrap_or_else(|| tiling(1, 1, false))
    }
}

/// The bytes that a block of `Bytes` takes in shared memory; `None` where it does not serve.
fn bytes(op: &Bilateral, builder: &Builder) -> Option<usize> {
    let side = 2 * op.radius;
    let bytes = 4 * (32 * 511 + (TILE_WIDTH + side) * (DOWN + side) + TILE_WIDTH + DOWN + 2 * side);
    let serves = op.radius <= LARGEST && op.guide.is_none();
    // Its sums are twice those that are meant.
    let fits = op.bounds().iter().all(|bound| 2.0 * bound < Bilateral::LIMIT);
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
    2.0 * Bilateral::largest(&op.range) < f64::from(1 << 15)
}

/// Weights by offset, in the first and in the last byte of a word. Those of the middle column are met twice; the
/// others are twice as large.
fn doubled(op: &Bilateral) -> Vec<u32> {
    let times = |i: usize| if i.is_multiple_of(op.radius + 1) { 1 } else { 2 };
    op.space.iter().enumerate().map(|(i, &weight)| times(i) * weight as u32 * 0x0100_0001).collect()
}
