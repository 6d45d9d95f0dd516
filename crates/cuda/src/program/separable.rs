//! Separable sums: `kernels/separable.cu` and `kernels/long.cu`.

use std::iter::repeat_n;

use super::super::engine::ProductEngine;
use super::super::geometry::{Halo, THREAD_ROWS, TILE_WIDTH, Tile};
use super::super::range::{SumBounds, magnitude, sum_range};
use super::builder::{self, Builder, Class, RowsBefore, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::frame::Sample;
use crate::pass::{Arithmetic, Separable, Taps};

/// Taps along an axis that are written into the instructions; more are looped over, because code for them takes long to
/// compile.
const WRITTEN: usize = 24;
/// The same for samples that need not be finite: a loop over taps takes longer where no zeros may stand around them.
const WRITTEN_FLOAT: usize = 48;
/// Taps along y from which on a thread makes 8 rows, which meet a row that it has read in as many sums.
const TALL: usize = 17;
/// Taps along both axes up to which one launch serves wherever its tile has room.
const SHORT: usize = 32;

impl Written for Separable {
    const SOURCES: &'static [SourceFile] = &[source!("separable.cu"), source!("long.cu")];

    fn class(&self, program: &mut Builder, after: Made) -> (Made, Class) {
        let [along_x, sums] = program.engines(self);
        let bound = program.bound(self);
        let axes = [&self.t, &self.x, &self.y];
        let range = axes.iter().fold(program.samples(self.border), |range, taps| sum_range(&taps.weights, range));
        let known = SumBounds { range, bound, taps: axes.iter().map(|taps| taps.weights.len()).sum() };
        let flat = self.x.is_identity() && self.y.is_identity();
        let made = Named::default().kind("Border", border(self.border)).kind("Sums", sums.text());
        let made = made.part("Last", program.finish(self.finish, known, after));
        let made = made.int("FRAME", program.reach - self.t.anchor);
        let from = if self.t.weights.len() <= 16 { From::Literal(0) } else { From::Table(0, 0) };
        let made = made.axis("T", program.axis(&self.t, sums, from));
        let Some(tile) = program.tile(self, along_x).filter(|_| flat || !program.two_launches) else {
            let long = Long::new(&self.x);
            let tile = long.tile();
            program.share(tile.bytes(1));
            let made = made.axis("X", program.axis(&self.x, sums, long.taps(&self.x)));
            let made = made.axis("Y", program.axis(&self.y, sums, below(Long::ROWS)));
            let made = made.int("R", Long::ROWS).int("PARTS", long.parts).int("PART", long.part);
            let rows_before = Some(RowsBefore::unrounded(self.y.weights.len() - 1));
            let class = Class { tile_width: TILE_WIDTH, tile_height: Long::ROWS * THREAD_ROWS, blocks: 4, rows_before };
            return (Made::of("Long", made.part("Tile", builder::tile(&tile))), class);
        };
        program.share(bytes(self, &tile, along_x));
        let written = if program.pixel.sample == Sample::F32 { WRITTEN_FLOAT } else { WRITTEN };
        let pad = (tile.left - self.x.anchor) % 4;
        let x = match self.x.weights.len() {
            taps if taps <= written => From::Literal(pad),
            _ if along_x.samples_per_word() > 1 => From::Packed(pad),
            _ => From::Table(pad + 3, 8),
        };
        let y = if self.y.weights.len() <= written { From::Literal(0) } else { below(tile.rows_per_thread) };
        let made = made.axis("X", program.axis(&self.x, along_x, x)).axis("Y", program.axis(&self.y, sums, y));
        let made = made.kind("Engine", along_x.text()).part("Tile", builder::tile(&tile));
        let blocks = if along_x.samples_per_word() > 1 && tile.rows_per_thread == 4 { 6 } else { 4 };
        (
            Made::of("Separable", made),
            Class { tile_width: TILE_WIDTH, tile_height: tile.height(), blocks, rows_before: None },
        )
    }

    /// Two blocks of it must have room side by side, or the kernel be short. Measured on an H200, where two launches are
    /// faster otherwise. They then are for all planes, since the shared memory of a launch is that of its largest tile.
    fn is_long(&self, builder: &Builder) -> bool {
        builder.tile(self, builder.engines(self)[0]).is_none()
    }
}

impl Builder {
    /// The largest sum that there can be.
    fn bound(&self, op: &Separable) -> f64 {
        [&op.t, &op.x, &op.y].map(|taps| magnitude(&taps.weights).max(1.0)).iter().product::<f64>()
            * self.largest(op.border)
    }

    /// How sums along x are formed, and the others.
    fn engines(&self, op: &Separable) -> [ProductEngine; 2] {
        if op.arithmetic == Arithmetic::Real {
            return [ProductEngine::Float; 2];
        }
        let sums = ProductEngine::cells(op.border.constant().fract() == 0.0, self.bound(op));
        let largest = magnitude(&op.x.weights).max(1.0) * self.largest(op.border);
        let x = ProductEngine::new(op.arithmetic, self.pixel, op.border, &op.x.weights, largest);
        let direct = !op.x.is_identity() && op.t.is_identity();
        [if direct && x.samples_per_word() > 1 { x } else { sums }, sums]
    }

    /// The tile for a single launch; `None` if two are better.
    fn tile(&self, op: &Separable, along_x: ProductEngine) -> Option<Tile> {
        let extent = Halo {
            left: op.x.anchor,
            right: op.x.weights.len() - 1 - op.x.anchor,
            top: op.y.anchor,
            bottom: op.y.weights.len() - 1 - op.y.anchor,
        };
        let [nx, ny] = [&op.x, &op.y].map(|taps| taps.weights.len());
        let tile = |rows| Tile::new(extent, along_x.step(), rows);
        let best = tile(if ny >= TALL { 8 } else { 4 });
        if 2 * bytes(op, &best, along_x) <= self.limits.shared_bytes {
            return Some(best);
        }
        let fits = |tile: &Tile| nx.max(ny) <= SHORT && bytes(op, tile, along_x) <= self.limits.shared_bytes;
        [best, tile(4)].into_iter().find(fits)
    }

    /// The taps of one axis; `None` for one along which nothing is done.
    fn axis(&mut self, taps: &Taps, engine: ProductEngine, from: From) -> Option<Named> {
        if taps.is_identity() {
            return None;
        }
        let (at, name) = match from {
            From::Literal(pad) => (self.literal(&engine.row(&taps.weights, pad)), "Literal"),
            From::Packed(pad) => (self.tabled(&engine.row(&taps.weights, pad)), "Table"),
            From::Table(before, after) => {
                let words = taps.weights.iter().map(|&tap| engine.word(tap));
                let words: Vec<u32> = repeat_n(0, before).chain(words).chain(repeat_n(0, after)).collect();
                (self.tabled(&words), "Table")
            }
        };
        let axis = Named::default().flag("USED", true).int("N", taps.weights.len()).int("A", taps.anchor);
        Some(axis.int("TAPS", at).kind("From", name))
    }
}

impl Named {
    /// An axis, or that nothing is done along it.
    fn axis(self, name: &str, axis: Option<Named>) -> Self {
        match axis {
            Some(axis) => self.part(name, axis),
            None => self.kind(name, "None"),
        }
    }
}

/// Shared memory of a single launch.
fn bytes(op: &Separable, tile: &Tile, along_x: ProductEngine) -> usize {
    match (op.x.is_identity(), op.y.is_identity()) {
        (true, true) => 0,
        (false, false) => tile.bytes(along_x.samples_per_word()) + tile.between_bytes(),
        _ => tile.bytes(along_x.samples_per_word()),
    }
}

/// Where the taps of an axis stand.
#[derive(Clone, Copy)]
enum From {
    /// In the instructions, packed with a pad.
    Literal(usize),
    /// In memory, packed with a pad.
    Packed(usize),
    /// In memory, with zeros before and after them.
    Table(usize, usize),
}

/// Taps along y in memory, for threads that make so many rows: the first and the last row that they read meet one tap
/// and zeros, and they read four rows at a time.
fn below(rows_per_thread: usize) -> From {
    From::Table(rows_per_thread - 1, rows_per_thread + 3)
}

/// How `Long` in `kernels/long.cu` goes along x.
struct Long {
    left: usize,
    parts: usize,
    part: usize,
}

impl Long {
    /// Rows that a thread makes in the second launch.
    const ROWS: usize = 8;
    /// Rows of a tile of the first.
    const BAND: usize = 32;
    /// The most quads of taps at a time.
    const MOST: usize = 32;

    fn new(x: &Taps) -> Self {
        let left = x.anchor.next_multiple_of(4);
        let quads = (left - x.anchor + x.weights.len() + 6) / 4;
        let parts = quads.div_ceil(Self::MOST);
        Self { left, parts, part: quads.div_ceil(parts).next_multiple_of(2) }
    }

    fn tile(&self) -> Tile {
        let columns = TILE_WIDTH + 4 * self.part;
        Tile { rows_per_thread: Self::BAND / THREAD_ROWS, left: self.left, top: 0, columns, rows: Self::BAND }
    }

    /// Each part reads as many taps as the others, and four more.
    fn taps(&self, x: &Taps) -> From {
        let before = self.left - x.anchor + 3;
        From::Table(before, 4 * (self.parts * self.part + 1) + 3 - before - x.weights.len())
    }
}
