//! Kernels of any shape: `kernels/dense.cu`.

use super::super::engine::ProductEngine;
use super::super::geometry::{Halo, THREAD_ROWS, TILE_WIDTH, Tile};
use super::super::range::{SumBounds, combined_range, magnitude, sum_range};
use super::builder::{self, Builder, Class, SourceFile, Written, around, border, source};
use super::named::{Made, Named};
use crate::pass::{Combine, Dense, Kernel};

/// Multiply-adds of one thread that are written out in full, those of all dense kernels of a pass together; more are
/// looped over, with taps from memory. As many compile in 0.25 s.
const UNROLLED: usize = 1_000;
/// What takes as long to compile as a loop over taps.
const LOOP: usize = 800;

impl Written for Dense {
    const SOURCES: &'static [SourceFile] = &[source!("dense.cu")];

    fn class(&self, program: &mut Builder, after: Made) -> (Made, Class) {
        let taps: Vec<f32> = self.kernels.iter().flat_map(|kernel| kernel.weights.iter().copied()).collect();
        let largest = program.largest(self.border);
        let bound = (self.kernels.iter()).map(|kernel| magnitude(&kernel.weights) * largest).fold(0.0, f64::max);
        let mut engine = ProductEngine::new(self.arithmetic, program.pixel, self.border, &taps, bound);
        let extent = self.kernels.iter().map(extent).fold(Halo::default(), Halo::union);
        let macs: usize = self.kernels.iter().map(|kernel| macs(kernel, engine)).sum();
        // Measured on an H200: many small blocks hide the memory best; sums over several frames are better kept in
        // many registers. Two rows compile in half the time of four and cost up to a twentieth more, or nothing where
        // many kernels share what is read.
        let several = self.kernels.iter().any(|kernel| kernel.size[0] > 1);
        let packed = engine.samples_per_word() > 1;
        let is_short = |rows: usize| program.written + macs * rows <= UNROLLED;
        let rows: &[usize] = match self.kernels.len() {
            5.. => &[2],
            _ if several && packed => &[8, 4, 2],
            _ => &[4, 2],
        };
        let rows = rows.iter().copied().find(|&rows| is_short(rows)).unwrap_or(4);
        let mut tile = Tile::new(extent, engine.step(), rows);
        let mut fits = tile.bytes(engine.samples_per_word()) <= program.limits.shared_bytes;
        if !fits {
            tile = Tile::new(extent, engine.step(), 1);
            fits = tile.bytes(engine.samples_per_word()) <= program.limits.shared_bytes;
        }
        if !fits && engine.samples_per_word() > 1 {
            engine = ProductEngine::cells(true, bound);
        }
        let unrolled = fits && is_short(tile.rows_per_thread);
        program.written += if unrolled { macs * tile.rows_per_thread } else { LOOP };
        // Taps of several frames take turns in the same instructions.
        let known = unrolled && self.kernels.iter().all(|kernel| kernel.size[0] == 1);
        let from = match (unrolled, known) {
            (_, true) => "Literal",
            (true, false) => "Written",
            (false, _) => "Table",
        };
        let kernels = self.kernels.iter().map(|kernel| {
            let ([_, _, nx], [at, _, ax]) = (kernel.size, kernel.anchor);
            let pad = if fits { (tile.left - ax) % 4 } else { 0 };
            let words: Vec<u32> = kernel.weights.chunks(nx).flat_map(|row| engine.row(row, pad)).collect();
            let at_word = if known { program.literal(&words) } else { program.tabled(&words) };
            around(kernel.size, kernel.anchor, program.reach - at).int("TAPS", at_word).kind("From", from)
        });
        let made = Named::default().parts("Kernels", "Kernel", kernels);
        let combine = match self.combine {
            Combine::Sum => "SUM",
            Combine::Magnitude => "MAGNITUDE",
            Combine::Max => "MAX",
            Combine::Largest => "LARGEST",
        };
        let ranges = self.kernels.iter().map(|kernel| sum_range(&kernel.weights, program.samples(self.border)));
        let sums = SumBounds { range: combined_range(self.combine, ranges), bound, taps: taps.len() };
        let finish = program.finish(self.finish, sums, after);
        let made = made.kind("Engine", engine.text()).kind("Border", border(self.border));
        let made = made.part("Last", finish).constant("COMBINE", combine);
        if !fits {
            return (
                Made::of("Sparse", made),
                Class { tile_width: TILE_WIDTH, tile_height: THREAD_ROWS, blocks: 4, rows_before: None },
            );
        }
        program.share(tile.bytes(engine.samples_per_word()));
        let made = Made::of("Dense", made.part("Tile", builder::tile(&tile)));
        let blocks = if packed && known && self.kernels.len() == 1 { 8 } else { 4 };
        (made, Class { tile_width: TILE_WIDTH, tile_height: tile.height(), blocks, rows_before: None })
    }
}

fn extent(kernel: &Kernel) -> Halo {
    let [_, ny, nx] = kernel.size;
    let [_, ay, ax] = kernel.anchor;
    Halo { left: ax, right: nx - 1 - ax, top: ay, bottom: ny - 1 - ay }
}

/// Multiply-adds of a thread for one row of four samples and one frame.
fn macs(kernel: &Kernel, engine: ProductEngine) -> usize {
    let [_, ny, nx] = kernel.size;
    ny * 4 * (nx + engine.samples_per_word() - 1).div_ceil(engine.samples_per_word())
}
