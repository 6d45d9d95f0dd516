//! A pass as a program for the GPU: which of the kernels in `kernels/` serves each plane, with which engine and tile,
//! and its taps as the kernels read them. Nothing here needs a GPU or a compiler.

mod builder;
mod named;

use std::fmt::Write as _;

use crate::frame::{Pixel, Sample};
use crate::pass::{self, Op, Pass, PlaneOp, Pointwise};

use super::geometry::{THREAD_ROWS, TILE_WIDTH};
use builder::{Builder, Written};
use named::{Made, Named};

pub use builder::{BlockLimits, Class, RowsBefore, SourceFile};

pass::operations!(pass::modules);

/// For [`pass::operations`]: each is asked itself.
macro_rules! written {
    ($($stem:ident $Op:ident $about:literal)*) => {
        /// The device code of all operations, in an order in which it compiles.
        pub(super) const SOURCES: &[&[SourceFile]] = &[$(<pass::$Op as Written>::SOURCES),*];

        fn class(op: &Op, builder: &mut Builder, after: Made) -> (Made, Class) {
            match op {
                Op::Copy => {
                    let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 8, rows_before: None };
                    (Made::of("Copy", Named::default()), class)
                }
                $(Op::$Op(op) => op.class(builder, after),)*
            }
        }

        fn is_long(op: &Op, builder: &Builder) -> bool {
            match op {
                Op::Copy => false,
                $(Op::$Op(op) => op.is_long(builder),)*
            }
        }
    };
}
pass::operations!(written);

/// What one pass is compiled from: its options and taps.
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
    /// Whether there are 8 bytes a sample between two launches, 0 before the first, instead of 4 of any value.
    pub sums: bool,
    /// Frames of a window.
    pub window: usize,
    /// Frames before the centre of a window.
    pub reach: usize,
}

impl Program {
    /// Words of constant memory that the table may take: 64 KiB less what the compiler keeps for itself.
    pub const CONSTANT_WORDS: usize = 16_000;
    /// Frames of windows of all planes that fit into a launch's arguments; more are read from memory.
    pub(super) const INLINE: usize = 96;

    /// The program for `pass` on frames of `pixel`.
    pub fn new(pass: &Pass, pixel: Pixel, limits: BlockLimits) -> Self {
        let (window, reach) = (pass.images(), pass.images() / 2);
        let mut shared: Vec<ClassOp<'_>> = Vec::new();
        let (mut class_of, mut biases) = (Vec::new(), Vec::new());
        for PlaneOp { op, after } in &pass.planes {
            let mut op = op.clone();
            let bias = op.finish_mut().map_or(0.0, |finish| std::mem::take(&mut finish.bias));
            let class = shared.iter().position(|known| known.op == op && known.after == after.as_ref());
            if let Some(class) = class {
                let [low, high] = &mut shared[class].biases;
                (*low, *high) = (low.min(bias), high.max(bias));
            } else {
                shared.push(ClassOp { op, after: after.as_ref(), biases: [bias; 2] });
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
            sums: false,
        };
        builder.two_launches = pass.ops().any(|op| is_long(op, &builder));
        let built = shared.iter().map(|ClassOp { op, after, biases }| {
            let after = after.map_or_else(|| Made::kind("Nothing"), |points| builder.mapping(points));
            builder.biases = *biases;
            class(op, &mut builder, after)
        });
        let built: Vec<(Made, Class)> = built.collect();

        let constant = builder.table.len() <= Self::CONSTANT_WORDS;
        let mut defines = vec![
            format!("-DPIXEL={}", self::pixel(pixel.sample)),
            format!("-DPEAK={:?}f", pixel.peak()),
            format!("-DREACH={reach}"),
            format!("-DOPS={}", built.len()),
            format!("-DTABLE_WORDS={}", if constant { builder.table.len() } else { 0 }),
            format!("-DSHARED_BYTES={}", builder.shared_bytes),
            format!("-DBLOCKS={}", built.iter().map(|(_, class)| class.blocks).min().unwrap_or(1)),
        ];
        let text = |(index, (made, class)): (usize, &(Made, Class))| {
            format!("-DOP_{index}={}", made.text(&format!("Op{index}"), [class.tile_width, class.tile_height]))
        };
        defines.extend(built.iter().enumerate().map(text));
        if builder.two_launches || built.iter().any(|(_, class)| class.rows_before.is_some()) {
            defines.push("-DLONG".to_owned());
        }
        if pass.planes.len() * window > Self::INLINE {
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
            sums: builder.sums,
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
struct ClassOp<'a> {
    /// With a bias of 0.
    op: Op,
    after: Option<&'a Pointwise>,
    /// The smallest and the largest bias.
    biases: [f32; 2],
}
