//! A pass as a program for the GPU: which of the kernels in `kernels/` serves each plane, with which engine and tile,
//! and its taps as the kernels read them. Nothing here needs a GPU or a compiler.

mod pointwise;
mod rank;

use std::fmt::Write as _;

use crate::frame::{Pixel, Sample};
use crate::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, Separable, Taps};

use super::geometry::{Extent, THREAD_ROWS, TILE_WIDTH, Tile};

/// What a device allows and the choice of kernels depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Shared memory that one block may ask for.
    pub shared_bytes: usize,
}

/// One class of planes: those with the same op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Rows of output in a tile.
    pub tile_height: usize,
    /// Whether a launch before the last makes unrounded rows in device memory.
    pub long: bool,
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
    /// The classes of planes, at least one.
    pub classes: Vec<Class>,
    /// The class of each plane.
    pub class_of: Vec<usize>,
    /// Shared memory of a block.
    pub shared_bytes: usize,
    /// Frames before the centre of a window.
    pub reach: usize,
}

impl Program {
    /// Words of constant memory that the table may take: 64 KiB less what the compiler keeps for itself.
    pub const CONSTANT_WORDS: usize = 16_000;
    /// Multiply-adds of one thread that are written out in full; more are looped over, with taps from memory.
    const UNROLLED: usize = 3_000;

    /// The program for `pass` on frames of `pixel`.
    pub fn new(pass: &Pass, pixel: Pixel, limits: Limits) -> Self {
        let reach = pass.reach();
        let mut ops: Vec<&Op> = Vec::new();
        let class_of = (pass.ops.iter())
            .map(|op| {
                ops.iter().position(|known| *known == op).unwrap_or_else(|| {
                    ops.push(op);
                    ops.len() - 1
                })
            })
            .collect();
        let (literals, table) = (Vec::new(), Vec::new());
        let mut builder = Builder { pixel, reach, limits, literals, table, scattered: false, shared_bytes: 0 };
        let built: Vec<(String, Class)> = ops.iter().map(|op| builder.op(op)).collect();

        let constant = builder.table.len() <= Self::CONSTANT_WORDS && !builder.scattered;
        let sample = match pixel.sample {
            Sample::U8 => "u8",
            Sample::U16 => "u16",
            Sample::F32 => "float",
        };
        let mut defines = vec![
            format!("-DPIXEL={sample}"),
            format!("-DPEAK={:?}f", pixel.peak()),
            format!("-DREACH={reach}"),
            format!("-DOPS={}", built.len()),
            format!("-DTABLE_WORDS={}", if constant { builder.table.len() } else { 0 }),
            // What keeps the registers of a thread below 128, so that two blocks run side by side.
            "-DBLOCKS=2".to_owned(),
        ];
        defines.extend(built.iter().enumerate().map(|(index, (text, _))| format!("-DOP_{index}={text}")));
        if built.iter().any(|(_, class)| class.long) {
            defines.push("-DLONG".to_owned());
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
            classes: built.into_iter().map(|(_, class)| class).collect(),
            class_of,
            shared_bytes: builder.shared_bytes,
            reach,
        }
    }
}

/// How products are formed and summed; the types of the same names in `kernels/common.cuh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Float,
    Int { small: bool },
    Dot4 { small: bool },
    Dot2 { small: bool },
}

impl Engine {
    /// The fastest that gives the exact sums that the arithmetic asks for. `taps` are the taps it multiplies with, and
    /// `bound` is the largest magnitude of any sum.
    fn new(arithmetic: Arithmetic, pixel: Pixel, border: Border, taps: &[f32], bound: f64) -> Self {
        if arithmetic == Arithmetic::Real {
            return Self::Float;
        }
        let constant = border.constant();
        let whole = constant.fract() == 0.0;
        let small = bound < f64::from(1 << 22);
        let bytes = taps.iter().all(|tap| (-128.0..=127.0).contains(tap));
        if bytes && whole && (0.0..=pixel.peak()).contains(&constant) {
            match pixel.sample {
                Sample::U8 => return Self::Dot4 { small },
                Sample::U16 => return Self::Dot2 { small },
                Sample::F32 => {}
            }
        }
        Self::cells(whole, bound)
    }

    /// An engine over single samples.
    fn cells(whole: bool, bound: f64) -> Self {
        // Sums of whole numbers below 2²⁴ are exact in floats, whose multiply-adds are the faster ones.
        if whole && bound < f64::from(1 << 24) { Self::Float } else { Self::Int { small: bound < f64::from(1 << 22) } }
    }

    /// Samples in 4 bytes of a tile.
    fn lanes(self) -> usize {
        match self {
            Self::Float | Self::Int { .. } => 1,
            Self::Dot4 { .. } => 4,
            Self::Dot2 { .. } => 2,
        }
    }

    /// Samples in 16 bytes of a tile.
    fn step(self) -> usize {
        4 * self.lanes()
    }

    fn text(self) -> String {
        match self {
            Self::Float => "Float".to_owned(),
            Self::Int { small } => format!("Int<{small}>"),
            Self::Dot4 { small } => format!("Dot4<{small}>"),
            Self::Dot2 { small } => format!("Dot2<{small}>"),
        }
    }

    /// A tap as this engine reads it.
    fn word(self, tap: f32) -> u32 {
        if self == Self::Float { tap.to_bits() } else { tap as i32 as u32 }
    }

    /// The taps of one row as a thread's four sums meet them, where the row starts `pad` samples after the words that
    /// the thread reads: `[word][sum]`, packed. With one lane, the taps themselves.
    fn row(self, taps: &[f32], pad: usize) -> Vec<u32> {
        let lanes = self.lanes();
        if lanes == 1 {
            return taps.iter().map(|&tap| self.word(tap)).collect();
        }
        let words = (pad + taps.len() + 3).div_ceil(4) * 4 / lanes;
        let mut row = Vec::with_capacity(4 * words);
        for word in 0..words {
            for sum in 0..4 {
                row.push((0..lanes).fold(0, |packed, lane| {
                    let tap = (word * lanes + lane).checked_sub(pad + sum).and_then(|index| taps.get(index));
                    packed | (tap.map_or(0, |&tap| tap as i32 as u8 as u32) << (8 * lane))
                }));
            }
        }
        row
    }
}

/// Collects the taps and the shared memory of all ops of a pass.
struct Builder {
    pixel: Pixel,
    reach: usize,
    limits: Limits,
    literals: Vec<u32>,
    table: Vec<u32>,
    /// Whether threads read the table at places of their own.
    scattered: bool,
    shared_bytes: usize,
}

impl Builder {
    fn op(&mut self, op: &Op) -> (String, Class) {
        match op {
            Op::Copy => ("Copy".to_owned(), Class { tile_height: 4 * THREAD_ROWS, long: false }),
            Op::Dense(op) => self.dense(op),
            Op::Separable(op) => self.separable(op),
            Op::Pointwise(op) => self.pointwise(op),
            Op::Rank(op) => self.rank(op),
        }
    }

    /// The largest sample that a sum can meet.
    fn largest(&self, border: Border) -> f64 {
        f64::from(self.pixel.peak()).max(f64::from(border.constant().abs()))
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

    fn dense(&mut self, op: &Dense) -> (String, Class) {
        let taps: Vec<f32> = op.kernels.iter().flat_map(|kernel| kernel.weights.iter().copied()).collect();
        let largest = self.largest(op.border);
        let bound = (op.kernels.iter()).map(|kernel| magnitude(&kernel.weights) * largest).fold(0.0, f64::max);
        let mut engine = Engine::new(op.arithmetic, self.pixel, op.border, &taps, bound);
        let extent = op.kernels.iter().map(extent).fold(Extent::default(), Extent::union);
        let macs: usize = op.kernels.iter().map(|kernel| macs(kernel, engine)).sum();
        let mut tile = Tile::new(extent, engine.step(), if macs * 8 <= Program::UNROLLED { 8 } else { 4 });
        let mut fits = tile.bytes(engine.lanes()) <= self.limits.shared_bytes;
        if !fits {
            tile = Tile::new(extent, engine.step(), 1);
            fits = tile.bytes(engine.lanes()) <= self.limits.shared_bytes;
        }
        if !fits && engine.lanes() > 1 {
            engine = Engine::cells(true, bound);
        }
        let unrolled = fits && macs * tile.rows_per_thread <= Program::UNROLLED;
        let from = if unrolled { "Literal" } else { "Table" };
        let mut kernels = String::new();
        for kernel in &op.kernels {
            let [nt, ny, nx] = kernel.size;
            let [at, ay, ax] = kernel.anchor;
            let pad = if fits { (tile.left - ax) % 4 } else { 0 };
            let words: Vec<u32> = kernel.weights.chunks(nx).flat_map(|row| engine.row(row, pad)).collect();
            let at_word = if unrolled { self.literal(&words) } else { self.tabled(&words) };
            let frame = self.reach - at;
            let _ = write!(kernels, ",Kernel<{frame},{nt},{ny},{ay},{nx},{ax},{at_word},{from}>");
        }
        let combine = match op.combine {
            Combine::Sum => "SUM",
            Combine::Magnitude => "MAGNITUDE",
            Combine::Max => "MAX",
        };
        let (engine_text, border, finish) = (engine.text(), border(op.border), finish(op.finish));
        if !fits {
            let text = format!("Sparse<{engine_text},{border},{finish},{combine}{kernels}>");
            return (text, Class { tile_height: THREAD_ROWS, long: false });
        }
        self.shared_bytes = self.shared_bytes.max(tile.bytes(engine.lanes()));
        let tile_text = tile_text(&tile);
        let text = format!("Dense<{engine_text},{border},{finish},{combine},{tile_text}{kernels}>");
        (text, Class { tile_height: tile.height(), long: false })
    }

    fn separable(&mut self, op: &Separable) -> (String, Class) {
        let (has_t, has_x, has_y) = (!op.t.is_identity(), !op.x.is_identity(), !op.y.is_identity());
        let largest = self.largest(op.border);
        let [st, sx, sy] = [&op.t, &op.x, &op.y].map(|taps| magnitude(&taps.weights).max(1.0));
        let whole = op.border.constant().fract() == 0.0;
        let (along_x, sums) = match op.arithmetic {
            Arithmetic::Real => (Engine::Float, Engine::Float),
            Arithmetic::Integer => {
                let sums = Engine::cells(whole, st * sx * sy * largest);
                let direct = has_x && !has_t;
                let x = Engine::new(op.arithmetic, self.pixel, op.border, &op.x.weights, sx * largest);
                (if direct && x.lanes() > 1 { x } else { sums }, sums)
            }
        };
        let extent = Extent {
            left: op.x.anchor,
            right: op.x.weights.len() - 1 - op.x.anchor,
            top: op.y.anchor,
            bottom: op.y.weights.len() - 1 - op.y.anchor,
        };
        let frame = self.reach - op.t.anchor;
        let (border, finish) = (border(op.border), finish(op.finish));
        let bytes = |tile: &Tile| match (has_x, has_y) {
            (false, false) => 0,
            (true, true) => tile.bytes(along_x.lanes()) + tile.between_bytes(),
            _ => tile.bytes(along_x.lanes()),
        };
        let fitting = [8, 4].map(|rows| Tile::new(extent, along_x.step(), rows)).into_iter().find(|tile| {
            let written = 4 * op.x.weights.len() + 4 * tile.rows_per_thread * op.y.weights.len();
            let tall = tile.rows_per_thread == 4 || op.y.weights.len() > 8;
            tall && bytes(tile) <= self.limits.shared_bytes && written <= Program::UNROLLED
        });
        let Some(tile) = fitting else {
            let [t, x, y] = [&op.t, &op.x, &op.y].map(|taps| self.axis(taps, sums, None));
            let text = format!("Long<{},{border},{finish},{frame},{t},{x},{y}>", sums.text());
            return (text, Class { tile_height: THREAD_ROWS, long: true });
        };
        self.shared_bytes = self.shared_bytes.max(bytes(&tile));
        let t = self.axis(&op.t, sums, (op.t.weights.len() <= 16).then_some(0));
        let pad = (tile.left - op.x.anchor) % 4;
        let x = self.axis(&op.x, along_x, Some(pad));
        let y = self.axis(&op.y, sums, Some(0));
        let (x_engine, sum_engine, tile_text) = (along_x.text(), sums.text(), tile_text(&tile));
        let text = format!("Separable<{x_engine},{sum_engine},{border},{finish},{tile_text},{frame},{t},{x},{y}>");
        (text, Class { tile_height: tile.height(), long: false })
    }

    /// The taps of one axis: as literals with a pad, or in the table.
    fn axis(&mut self, taps: &Taps, engine: Engine, literal_pad: Option<usize>) -> String {
        if taps.is_identity() {
            return "None".to_owned();
        }
        let words = engine.row(&taps.weights, literal_pad.unwrap_or(0));
        let (at, from) = match literal_pad {
            Some(_) => (self.literal(&words), "Literal"),
            None => (self.tabled(&words), "Table"),
        };
        format!("Axis<{},{},{at},{from}>", taps.weights.len(), taps.anchor)
    }
}

/// Σ|tap|.
fn magnitude(taps: &[f32]) -> f64 {
    taps.iter().map(|tap| f64::from(tap.abs())).sum()
}

fn extent(kernel: &Kernel) -> Extent {
    let [_, ny, nx] = kernel.size;
    let [_, ay, ax] = kernel.anchor;
    Extent { left: ax, right: nx - 1 - ax, top: ay, bottom: ny - 1 - ay }
}

/// Multiply-adds of a thread for one row of four samples.
fn macs(kernel: &Kernel, engine: Engine) -> usize {
    let [nt, ny, nx] = kernel.size;
    nt * ny * 4 * (nx + engine.lanes() - 1).div_ceil(engine.lanes())
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

fn finish(finish: Finish) -> String {
    let [scale, dry, bias] = [finish.scale, finish.dry, finish.bias].map(f32::to_bits);
    format!("Finish<{scale:#x}u,{dry:#x}u,{bias:#x}u>")
}

fn tile_text(tile: &Tile) -> String {
    format!("Tile<{},{},{},{},{}>", tile.rows_per_thread, tile.left, tile.top, tile.columns, tile.rows)
}
