//! Samples one by one, on their own or as another op finishes them: `kernels/pointwise.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::{PointStep, Pointwise};

/// Entries of a table that is brought to shared memory.
const NEAR: usize = 4096;

impl Written for Pointwise {
    const SOURCES: &'static [SourceFile] = &[source!("pointwise.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        let text = match self {
            Self::Table(table) => {
                let near = table.len() <= NEAR;
                if near {
                    builder.share(2 * table.len());
                }
                Made::of("Points", builder.entries(table).flag("NEAR", near))
            }
            Self::Steps { .. } => Made::of("Steps", Named::default().made("Map", builder.mapping(self))),
        };
        (text, class)
    }
}

impl Builder {
    /// The type that maps one sample, also one that another op has just finished.
    pub(super) fn mapping(&mut self, points: &Pointwise) -> Made {
        match points {
            Pointwise::Table(table) => Made::of("Entry", self.entries(table)),
            Pointwise::Steps { steps, wet, dry } => {
                let factors = Named::default().word("WET", wet.to_bits()).word("DRY", dry.to_bits());
                Made::of("Curve", factors.all_made("Steps", "Step", steps.iter().map(|step| self.step(step))))
            }
        }
    }

    fn step(&mut self, step: &PointStep) -> Made {
        let nothing = Named::default();
        match step {
            PointStep::Multiply(factor) => Made::kind(format!("Multiply<{:#x}u>", factor.to_bits())),
            PointStep::Add(term) => Made::kind(format!("Add<{:#x}u>", term.to_bits())),
            PointStep::Absolute => Made::kind("Absolute"),
            PointStep::Clamp { low, high } => {
                Made::of("Between", nothing.word("LOW", low.to_bits()).word("HIGH", high.to_bits()))
            }
            PointStep::Threshold { level, below, above } => {
                let ends = nothing.word("BELOW", below.to_bits()).word("ABOVE", above.to_bits());
                Made::of("Threshold", ends.word("LEVEL", level.to_bits()))
            }
            PointStep::Power(exponent) => Made::kind(format!("Power<{:#x}ull>", exponent.to_bits())),
            PointStep::Lookup(values) => {
                let words: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
                Made::of("Lookup", nothing.int("AT", self.looked_up(&words)).int("N", values.len()))
            }
        }
    }

    /// The entries of a table, two in a word.
    fn entries(&mut self, table: &[u16]) -> Named {
        let pairs: Vec<u32> = table
            .chunks(2)
            .map(|pair| pair.iter().rev().fold(0, |word, &entry| word << 16 | u32::from(entry)))
            .collect();
        Named::default().int("AT", self.looked_up(&pairs)).int("ENTRIES", table.len())
    }
}
