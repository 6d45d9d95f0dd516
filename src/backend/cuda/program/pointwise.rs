//! Samples one by one, on their own or as another op finishes them: `kernels/pointwise.cu`.

use super::super::geometry::THREAD_ROWS;
use super::builder::{Builder, Class, SourceFile, Written, source};
use crate::pass::{Pointwise, Step};

/// Entries of a table that is brought to shared memory; `NEAR` in the kernel.
const NEAR: usize = 4096;

impl Written for Pointwise {
    const SOURCES: &'static [SourceFile] = &[source!("pointwise.cu")];

    fn class(&self, builder: &mut Builder, _: &str) -> (String, Class) {
        let class = Class { tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        let text = match self {
            Self::Table(table) => {
                if table.len() <= NEAR {
                    builder.share(2 * table.len());
                }
                format!("Points<{},{}>", builder.entries(table), table.len())
            }
            Self::Steps { .. } => format!("Steps<{}>", builder.mapping(self)),
        };
        (text, class)
    }
}

impl Builder {
    /// What becomes of the finished samples of an op, as the last parameter of its last step.
    pub(super) fn finished(&mut self, points: &Pointwise) -> String {
        format!(",{}", self.mapping(points))
    }

    /// The type that maps one sample.
    fn mapping(&mut self, points: &Pointwise) -> String {
        match points {
            Pointwise::Table(table) => format!("Entry<{},{}>", self.entries(table), table.len()),
            Pointwise::Steps { steps, wet, dry } => {
                let steps: String = steps.iter().map(|step| format!(",{}", self.step(step))).collect();
                format!("Curve<{:#x}u,{:#x}u{steps}>", wet.to_bits(), dry.to_bits())
            }
        }
    }

    fn step(&mut self, step: &Step) -> String {
        let bits = |number: &f32| format!("{:#x}u", number.to_bits());
        match step {
            Step::Multiply(factor) => format!("Multiply<{}>", bits(factor)),
            Step::Add(term) => format!("Add<{}>", bits(term)),
            Step::Absolute => "Absolute".to_owned(),
            Step::Clamp { low, high } => format!("Between<{},{}>", bits(low), bits(high)),
            Step::Threshold { level, below, above } => {
                format!("Threshold<{},{},{}>", bits(level), bits(below), bits(above))
            }
            Step::Power(exponent) => format!("Power<{:#x}ull>", exponent.to_bits()),
            Step::Lookup(values) => {
                let words: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
                format!("Lookup<{},{}>", self.looked_up(&words), values.len())
            }
        }
    }

    /// The entries of a table, two in a word.
    fn entries(&mut self, table: &[u16]) -> usize {
        let pairs: Vec<u32> = table
            .chunks(2)
            .map(|pair| pair.iter().rev().fold(0, |word, &entry| word << 16 | u32::from(entry)))
            .collect();
        self.looked_up(&pairs)
    }
}
