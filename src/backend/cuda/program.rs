//! A pass as a program for the GPU: which of the kernels in `kernels/` serves each plane, with which engine and tile,
//! and its taps as the kernels read them. Nothing here needs a GPU or a compiler.

mod blend;
mod gain;
mod pointwise;
mod rank;
mod separable;

use std::fmt::Write as _;

use crate::frame::{Pixel, Sample};
use crate::pass::{Border, Combine, Dense, Finish, Kernel, Op, Pass, Pointwise};

use super::engine::Engine;
use super::geometry::{Extent, THREAD_ROWS, TILE_WIDTH, Tile};
use super::range::{Sums, combined_range, finish_text, magnitude, sum_range};

/// What a device allows and the choice of kernels depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Shared memory that one block may ask for.
    pub shared_bytes: usize,
}

/// One class of planes: those whose ops differ in nothing but the bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Rows of output in a tile.
    pub tile_height: usize,
    /// How many blocks should run side by side on a multiprocessor, which bounds the registers of a thread: 32 of them
    /// with 8 blocks of 256 threads, 64 with 4.
    pub blocks: usize,
    /// How many rows beyond those of the plane a launch before the last makes, unrounded, in device memory; `None` if
    /// there is no such launch.
    pub rows_before: Option<usize>,
}

/// Source options and taps of one pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// `-D` options for the compiler, in a fixed order.
    pub defines: Vec<String>,
    /// Taps that are read from memory while the kernel runs.
    pub table: Vec<u32>,
    /// Whether the table stands in constant memory (`TABLE`), else in global memory.
    pub constant: bool,
    /// Words that threads read at places of their own, which constant memory is slow at: always in global memory.
    pub lookups: Vec<u32>,
    /// The classes of planes, at least one.
    pub classes: Vec<Class>,
    /// The class of each plane.
    pub class_of: Vec<usize>,
    /// What is added to each plane's samples in the end.
    pub biases: Vec<f32>,
    /// Shared memory of a block.
    pub shared_bytes: usize,
    /// Frames of a window.
    pub window: usize,
    /// Frames before the centre of a window.
    pub reach: usize,
}

impl Program {
    /// Words of constant memory that the table may take: 64 KiB less what the compiler keeps for itself.
    pub const CONSTANT_WORDS: usize = 16_000;
    /// Multiply-adds of one thread that are written out in full, those of all dense kernels of a pass together; more are
    /// looped over, with taps from memory. As many compile in 0.25 s.
    const UNROLLED: usize = 1_000;
    /// Frames of windows of all planes that fit into a launch's arguments; more are read from memory.
    pub(super) const INLINE: usize = 96;
    /// What takes as long to compile as a loop over taps.
    const LOOP: usize = 800;

    /// The program for `pass` on frames of `pixel`.
    pub fn new(pass: &Pass, pixel: Pixel, limits: Limits) -> Self {
        let (window, reach) = (pass.images(), pass.images() / 2);
        let mut shared: Vec<Shared<'_>> = Vec::new();
        let (mut class_of, mut biases) = (Vec::new(), Vec::new());
        for (op, after) in pass.ops.iter().zip(&pass.after) {
            let mut op = op.clone();
            let bias = op.finish_mut().map_or(0.0, |finish| std::mem::take(&mut finish.bias));
            let class = shared.iter().position(|known| known.op == op && known.after == after.as_ref());
            if let Some(class) = class {
                let [low, high] = &mut shared[class].biases;
                (*low, *high) = (low.min(bias), high.max(bias));
            } else {
                shared.push(Shared { op, after: after.as_ref(), biases: [bias; 2] });
            }
            class_of.push(class.unwrap_or(shared.len() - 1));
            biases.push(bias);
        }
        let (literals, table, lookups) = (Vec::new(), Vec::new(), Vec::new());
        let mut builder = Builder {
            pixel,
            reach,
            limits,
            literals,
            table,
            lookups,
            biases: [0.0; 2],
            written: 0,
            shared_bytes: 0,
            two_launches: false,
        };
        builder.two_launches = (pass.ops.iter()).any(|op| matches!(op, Op::Separable(op) if builder.is_long(op)));
        let built: Vec<(String, Class)> = shared.iter().map(|class| builder.class(class)).collect();

        let constant = builder.table.len() <= Self::CONSTANT_WORDS;
        let mut defines = vec![
            format!("-DPIXEL={}", self::pixel(pixel.sample)),
            format!("-DPEAK={:?}f", pixel.peak()),
            format!("-DREACH={reach}"),
            format!("-DOPS={}", built.len()),
            format!("-DTABLE_WORDS={}", if constant { builder.table.len() } else { 0 }),
            format!("-DBLOCKS={}", built.iter().map(|(_, class)| class.blocks).min().unwrap_or(1)),
        ];
        defines.extend(built.iter().enumerate().map(|(index, (text, _))| format!("-DOP_{index}={text}")));
        if builder.two_launches {
            defines.push("-DLONG".to_owned());
        }
        if pass.ops.len() * window > Self::INLINE {
            defines.push("-DFAR".to_owned());
        }
        let mut literals = "-DLITERALS=".to_owned();
        if builder.literals.is_empty() {
            builder.literals.push(0);
        }
        for (index, word) in builder.literals.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            // Writing to a string cannot fail.
            let _ = write!(literals, "{comma}{word:#x}u");
        }
        defines.push(literals);
        Self {
            defines,
            table: builder.table,
            constant,
            lookups: builder.lookups,
            classes: built.into_iter().map(|(_, class)| class).collect(),
            class_of,
            biases,
            shared_bytes: builder.shared_bytes,
            window,
            reach,
        }
    }

    /// Whether a launch before the last makes unrounded rows.
    pub fn takes_two_launches(&self) -> bool {
        self.classes.iter().any(|class| class.rows_before.is_some())
    }
}

/// The type of a sample, as the kernels call it.
pub(super) fn pixel(sample: Sample) -> &'static str {
    match sample {
        Sample::U8 => "u8",
        Sample::U16 => "u16",
        Sample::F32 => "float",
    }
}

/// What planes of one class share.
struct Shared<'a> {
    /// With a bias of 0.
    op: Op,
    after: Option<&'a Pointwise>,
    /// The smallest and the largest bias.
    biases: [f32; 2],
}

/// Collects the taps and the shared memory of all ops of a pass.
struct Builder {
    pixel: Pixel,
    reach: usize,
    limits: Limits,
    literals: Vec<u32>,
    table: Vec<u32>,
    lookups: Vec<u32>,
    /// Between which the biases of the class at hand lie.
    biases: [f32; 2],
    /// Multiply-adds of a thread in all dense kernels so far, or what takes as long to compile.
    written: usize,
    shared_bytes: usize,
    /// Whether separable ops take two launches.
    two_launches: bool,
}

impl Builder {
    fn class(&mut self, class: &Shared<'_>) -> (String, Class) {
        let after = class.after.map(|points| self.finished(points)).unwrap_or_default();
        self.biases = class.biases;
        match &class.op {
            Op::Copy => ("Copy".to_owned(), Class { tile_height: 4 * THREAD_ROWS, blocks: 8, rows_before: None }),
            Op::Dense(op) => self.dense(op, &after),
            Op::Separable(op) => self.separable(op, &after),
            Op::Pointwise(op) => self.pointwise(op),
            Op::Rank(op) => self.rank(op, &after),
            Op::Blend(op) => self.blend(op),
            Op::Gain(op) => self.gain(op, &after),
        }
    }

    /// The largest sample that a sum can meet.
    fn largest(&self, border: Border) -> f64 {
        f64::from(self.pixel.highest()).max(f64::from(border.constant().abs()))
    }

    /// The lowest and the highest sample that a sum can meet.
    fn samples(&self, border: Border) -> [f64; 2] {
        let constant = f64::from(border.constant());
        [constant.min(0.0), constant.max(self.pixel.highest().into())]
    }

    /// The last step of an op of the class at hand.
    fn finish(&self, finish: Finish, sums: Sums, after: &str) -> String {
        finish_text(finish, self.biases, self.pixel, sums, after)
    }

    fn literal(&mut self, words: &[u32]) -> usize {
        let at = self.literals.len();
        self.literals.extend_from_slice(words);
        at
    }

    fn tabled(&mut self, words: &[u32]) -> usize {
        // Four taps are read at once.
        self.table.resize(self.table.len().next_multiple_of(4), 0);
        let at = self.table.len();
        self.table.extend_from_slice(words);
        at
    }

    fn dense(&mut self, op: &Dense, after: &str) -> (String, Class) {
        let taps: Vec<f32> = op.kernels.iter().flat_map(|kernel| kernel.weights.iter().copied()).collect();
        let largest = self.largest(op.border);
        let bound = (op.kernels.iter()).map(|kernel| magnitude(&kernel.weights) * largest).fold(0.0, f64::max);
        let mut engine = Engine::new(op.arithmetic, self.pixel, op.border, &taps, bound);
        let extent = op.kernels.iter().map(extent).fold(Extent::default(), Extent::union);
        let macs: usize = op.kernels.iter().map(|kernel| macs(kernel, engine)).sum();
        // Measured on an H200: many small blocks hide the memory best; sums over several frames are better kept in
        // many registers. Two rows compile in half the time of four and cost up to a twentieth more, or nothing where
        // many kernels share what is read.
        let several = op.kernels.iter().any(|kernel| kernel.size[0] > 1);
        let packed = engine.lanes() > 1;
        let is_short = |rows: usize| self.written + macs * rows <= Program::UNROLLED;
        let rows: &[usize] = match op.kernels.len() {
            5.. => &[2],
            _ if several && packed => &[8, 4, 2],
            _ => &[4, 2],
        };
        let rows = rows.iter().copied().find(|&rows| is_short(rows)).unwrap_or(4);
        let mut tile = Tile::new(extent, engine.step(), rows);
        let mut fits = tile.bytes(engine.lanes()) <= self.limits.shared_bytes;
        if !fits {
            tile = Tile::new(extent, engine.step(), 1);
            fits = tile.bytes(engine.lanes()) <= self.limits.shared_bytes;
        }
        if !fits && engine.lanes() > 1 {
            engine = Engine::cells(true, bound);
        }
        let unrolled = fits && is_short(tile.rows_per_thread);
        self.written += if unrolled { macs * tile.rows_per_thread } else { Program::LOOP };
        // Taps of several frames take turns in the same instructions.
        let known = unrolled && op.kernels.iter().all(|kernel| kernel.size[0] == 1);
        let from = match (unrolled, known) {
            (_, true) => "Literal",
            (true, false) => "Written",
            (false, _) => "Table",
        };
        let mut kernels = String::new();
        for kernel in &op.kernels {
            let [nt, ny, nx] = kernel.size;
            let [at, ay, ax] = kernel.anchor;
            let pad = if fits { (tile.left - ax) % 4 } else { 0 };
            let words: Vec<u32> = kernel.weights.chunks(nx).flat_map(|row| engine.row(row, pad)).collect();
            let at_word = if known { self.literal(&words) } else { self.tabled(&words) };
            let frame = self.reach - at;
            let _ = write!(kernels, ",Kernel<{frame},{nt},{ny},{ay},{nx},{ax},{at_word},{from}>");
        }
        let combine = match op.combine {
            Combine::Sum => "SUM",
            Combine::Magnitude => "MAGNITUDE",
            Combine::Max => "MAX",
            Combine::Largest => "LARGEST",
        };
        let ranges = op.kernels.iter().map(|kernel| sum_range(&kernel.weights, self.samples(op.border)));
        let sums = Sums { range: combined_range(op.combine, ranges), bound, taps: taps.len() };
        let finish = self.finish(op.finish, sums, after);
        let (engine_text, border) = (engine.text(), border(op.border));
        if !fits {
            let text = format!("Sparse<{engine_text},{border},{finish},{combine}{kernels}>");
            return (text, Class { tile_height: THREAD_ROWS, blocks: 4, rows_before: None });
        }
        self.shared_bytes = self.shared_bytes.max(tile.bytes(engine.lanes()));
        let tile_text = tile_text(&tile);
        let text = format!("Dense<{engine_text},{border},{finish},{combine},{tile_text}{kernels}>");
        let blocks = if packed && known && op.kernels.len() == 1 { 8 } else { 4 };
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

fn border(border: Border) -> String {
    match border {
        Border::Reflect101 => "Reflect101".to_owned(),
        Border::Clamp => "Clamp".to_owned(),
        Border::Reflect => "Reflect".to_owned(),
        Border::Wrap => "Wrap".to_owned(),
        Border::Lopsided => "Lopsided".to_owned(),
        Border::Constant(value) => format!("Constant<{:#x}u>", value.to_bits()),
    }
}

fn tile_text(tile: &Tile) -> String {
    format!("Tile<{},{},{},{},{}>", tile.rows_per_thread, tile.left, tile.top, tile.columns, tile.rows)
}
