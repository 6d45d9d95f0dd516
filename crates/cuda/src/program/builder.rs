//! What the operations of a pass add to its program: taps, tables, shared memory, and the types that run them.

use crate::frame::Pixel;
use crate::pass::{Border, Finish};

use super::super::geometry::Tile;
use super::super::range::{SumBounds, clamps};
use super::named::{Made, Named};

/// A file of device code: its name in `kernels/`, and its text.
pub type SourceFile = (&'static str, &'static str);

/// The [`Source`] of that name, for files beside this one.
macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../../kernels/", $name)))
    };
}
pub(super) use source;

/// An operation as a GPU runs it.
pub trait Written {
    /// Its device code, in the order in which it is compiled.
    const SOURCES: &'static [SourceFile];

    /// Adds what it needs to the program of its pass; gives the type in the device code that runs it, and how planes are
    /// cut for that. `after` is what becomes of finished samples.
    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class);

    /// Whether one launch is too few for it. Asked before anything is added.
    fn is_long(&self, _: &Builder) -> bool {
        false
    }
}

/// What a device allows and the choice of kernels depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLimits {
    /// Shared memory that one block may ask for.
    pub shared_bytes: usize,
}

/// One class of planes: those whose ops differ in nothing but the bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Samples of output in a row of a tile.
    pub tile_width: usize,
    /// Rows of output in a tile.
    pub tile_height: usize,
    /// How many blocks should run side by side on a multiprocessor, which bounds the registers of a thread: 32 of them
    /// with 8 blocks of 256 threads, 64 with 4.
    pub blocks: usize,
    /// What a launch before the last makes in device memory; `None` if there is no such launch.
    pub rows_before: Option<RowsBefore>,
}

/// Rows in device memory, each with 4 bytes for every sample of a row of the plane and its padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsBefore {
    /// For each group of rows of the plane.
    pub each: usize,
    /// Rows of the plane in a group; the last may have fewer.
    pub group: usize,
    /// And beyond them.
    pub beyond: usize,
}

impl RowsBefore {
    /// The rows of the plane, unrounded, and some beyond.
    pub(super) fn unrounded(beyond: usize) -> Self {
        Self::each(1, beyond)
    }

    /// So many for each row of the plane, and some beyond.
    pub(super) fn each(each: usize, beyond: usize) -> Self {
        Self { each, group: 1, beyond }
    }

    /// Their bytes, for a plane of so many rows with so many samples, padding included.
    pub fn bytes(self, stride: usize, height: usize) -> usize {
        stride * (self.each * height.div_ceil(self.group) + self.beyond) * 4
    }
}

/// Collects the taps and the shared memory of all ops of a pass.
pub struct Builder {
    /// Of the frames.
    pub(super) pixel: Pixel,
    /// Frames before the centre of the window.
    pub(super) reach: usize,
    /// What the device allows.
    pub(super) limits: BlockLimits,
    /// Words in the instructions.
    pub(super) literals: Vec<u32>,
    /// Words in memory that all threads read at once.
    pub(super) table: Vec<u32>,
    /// Words in memory that threads read at places of their own.
    pub(super) lookups: Vec<u32>,
    /// Between which the biases of the class at hand lie.
    pub(super) biases: [f32; 2],
    /// Multiply-adds of a thread in all dense kernels so far, or what takes as long to compile.
    pub(super) written: usize,
    /// Shared memory of a block so far.
    pub(super) shared_bytes: usize,
    /// Whether separable ops take two launches.
    pub(super) two_launches: bool,
    /// Whether an op forms sums between two launches, of 8 bytes a sample, that are 0 before the first.
    pub(super) sums: bool,
}

impl Builder {
    /// The largest sample that a sum can meet.
    pub(super) fn largest(&self, border: Border) -> f64 {
        f64::from(self.pixel.highest()).max(f64::from(border.constant().abs()))
    }

    /// The lowest and the highest sample that a sum can meet.
    pub(super) fn samples(&self, border: Border) -> [f64; 2] {
        let constant = f64::from(border.constant());
        [constant.min(0.0), constant.max(self.pixel.highest().into())]
    }

    /// The last step of an op of the class at hand.
    pub(super) fn finish(&self, finish: Finish, sums: SumBounds, after: Made) -> Named {
        let [low, high] = clamps(finish, self.biases, self.pixel, sums);
        let [scale, dry] = [finish.scale, finish.dry].map(f32::to_bits);
        let last = Named::default().word("SCALE", scale).word("DRY", dry).flag("ADDS", self.biases != [0.0; 2]);
        last.flag("LOW", low).flag("HIGH", high).made("After", after)
    }

    /// Words that are written into the instructions; where they start.
    pub(super) fn literal(&mut self, words: &[u32]) -> usize {
        let at = self.literals.len();
        self.literals.extend_from_slice(words);
        at
    }

    /// Words of the table; where they start.
    pub(super) fn tabled(&mut self, words: &[u32]) -> usize {
        // Four taps are read at once.
        self.table.resize(self.table.len().next_multiple_of(4), 0);
        let at = self.table.len();
        self.table.extend_from_slice(words);
        at
    }

    /// Words that every thread reads at a place of its own; where they start.
    pub(super) fn looked_up(&mut self, words: &[u32]) -> usize {
        // Four weights are read at once.
        self.lookups.resize(self.lookups.len().next_multiple_of(4), 0);
        let at = self.lookups.len();
        self.lookups.extend_from_slice(words);
        at
    }

    /// The block's shared memory has room for so many bytes.
    pub(super) fn share(&mut self, bytes: usize) {
        self.shared_bytes = self.shared_bytes.max(bytes);
    }
}

/// A border, as the kernels call it.
pub(super) fn border(border: Border) -> String {
    match border {
        Border::Reflect101 => "Reflect101".to_owned(),
        Border::Clamp => "Clamp".to_owned(),
        Border::Reflect => "Reflect".to_owned(),
        Border::Wrap => "Wrap".to_owned(),
        Border::Lopsided => "Lopsided".to_owned(),
        Border::Constant(value) => format!("Constant<{:#x}u>", value.to_bits()),
    }
}

/// A tile, as the kernels call its parts.
pub(super) fn tile(tile: &Tile) -> Named {
    let Tile { rows_per_thread, left, top, columns, rows } = *tile;
    let tile = Named::default().int("R", rows_per_thread).int("LEFT", left).int("TOP", top);
    tile.int("COLUMNS", columns).int("ROWS", rows)
}

/// So many taps or samples in t, y and x, as the kernels call them; `frame` is the first in the window.
pub(super) fn around([nt, ny, nx]: [usize; 3], [_, ay, ax]: [usize; 3], frame: usize) -> Named {
    let around = Named::default().int("FRAME", frame).int("NT", nt).int("NY", ny);
    around.int("AY", ay).int("NX", nx).int("AX", ax)
}
