//! Kernels of any shape: `kernels/dense.cu`.

use std::fmt::Write as _;

use super::super::engine::Engine;
use super::super::geometry::{Extent, THREAD_ROWS, Tile};
use super::super::range::{Sums, combined_range, magnitude, sum_range};
use super::builder::{Builder, Class, SourceFile, Written, border, source, tile_text};
use crate::pass::{Combine, Dense, Kernel};

/// Multiply-adds of one thread that are written out in full, those of all dense kernels of a pass together; more are
/// looped over, with taps from memory. As many compile in 0.25 s.
const UNROLLED: usize = 1_000;
/// What takes as long to compile as a loop over taps.
const LOOP: usize = 800;

impl Written for Dense {
    const SOURCES: &'static [SourceFile] = &[source!("dense.cu")];

    fn class(&self, builder: &mut Builder, after: &str) -> (String, Class) {
        let taps: Vec<f32> = self.kernels.iter().flat_map(|kernel| kernel.weights.iter().copied()).collect();
        let largest = builder.largest(self.border);
        let bound = (self.kernels.iter()).map(|kernel| magnitude(&kernel.weights) * largest).fold(0.0, f64::max);
        let mut engine = Engine::new(self.arithmetic, builder.pixel, self.border, &taps, bound);
        let extent = self.kernels.iter().map(extent).fold(Extent::default(), Extent::union);
        let macs: usize = self.kernels.iter().map(|kernel| macs(kernel, engine)).sum();
        // Measured on an H200: many small blocks hide the memory best; sums over several frames are better kept in
        // many registers. Two rows compile in half the time of four and cost up to a twentieth more, or nothing where
        // many kernels share what is read.
        let several = self.kernels.iter().any(|kernel| kernel.size[0] > 1);
        let packed = engine.lanes() > 1;
        let is_short = |rows: usize| builder.written + macs * rows <= UNROLLED;
        let rows: &[usize] = match self.kernels.len() {
            5.. => &[2],
            _ if several && packed => &[8, 4, 2],
            _ => &[4, 2],
        };
        let rows = rows.iter().copied().find(|&rows| is_short(rows)).unwrap_or(4);
        let mut tile = Tile::new(extent, engine.step(), rows);
        let mut fits = tile.bytes(engine.lanes()) <= builder.limits.shared_bytes;
        if !fits {
            tile = Tile::new(extent, engine.step(), 1);
            fits = tile.bytes(engine.lanes()) <= builder.limits.shared_bytes;
        }
        if !fits && engine.lanes() > 1 {
            engine = Engine::cells(true, bound);
        }
        let unrolled = fits && is_short(tile.rows_per_thread);
        builder.written += if unrolled { macs * tile.rows_per_thread } else { LOOP };
        // Taps of several frames take turns in the same instructions.
        let known = unrolled && self.kernels.iter().all(|kernel| kernel.size[0] == 1);
        let from = match (unrolled, known) {
            (_, true) => "Literal",
            (true, false) => "Written",
            (false, _) => "Table",
        };
        let mut kernels = String::new();
        for kernel in &self.kernels {
            let [nt, ny, nx] = kernel.size;
            let [at, ay, ax] = kernel.anchor;
            let pad = if fits { (tile.left - ax) % 4 } else { 0 };
            let words: Vec<u32> = kernel.weights.chunks(nx).flat_map(|row| engine.row(row, pad)).collect();
            let at_word = if known { builder.literal(&words) } else { builder.tabled(&words) };
            let frame = builder.reach - at;
            let _ = write!(kernels, ",Kernel<{frame},{nt},{ny},{ay},{nx},{ax},{at_word},{from}>");
        }
        let combine = match self.combine {
            Combine::Sum => "SUM",
            Combine::Magnitude => "MAGNITUDE",
            Combine::Max => "MAX",
            Combine::Largest => "LARGEST",
        };
        let ranges = self.kernels.iter().map(|kernel| sum_range(&kernel.weights, builder.samples(self.border)));
        let sums = Sums { range: combined_range(self.combine, ranges), bound, taps: taps.len() };
        let finish = builder.finish(self.finish, sums, after);
        let (engine_text, border) = (engine.text(), border(self.border));
        if !fits {
            let text = format!("Sparse<{engine_text},{border},{finish},{combine}{kernels}>");
            return (text, Class { tile_height: THREAD_ROWS, blocks: 4, rows_before: None });
        }
        builder.share(tile.bytes(engine.lanes()));
        let tile_text = tile_text(&tile);
        let text = format!("Dense<{engine_text},{border},{finish},{combine},{tile_text}{kernels}>");
        let blocks = if packed && known && self.kernels.len() == 1 { 8 } else { 4 };
        (text, Class { tile_height: tile.height(), blocks, rows_before: None })
    }
}

fn extent(kernel: &Kernel) -> Extent {
    let [_, ny, nx] = kernel.size;
    let [_, ay, ax] = kernel.anchor;
    Extent { left: ax, right: nx - 1 - ax, top: ay, bottom: ny - 1 - ay }
}

/// Multiply-adds of a thread for one row of four samples and one frame.
fn macs(kernel: &Kernel, engine: Engine) -> usize {
    let [_, ny, nx] = kernel.size;
    ny * 4 * (nx + engine.lanes() - 1).div_ceil(engine.lanes())
}
