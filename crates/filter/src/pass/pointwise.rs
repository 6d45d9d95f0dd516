//! What becomes of each sample by itself: a table for integers, a few exact operations for floats.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::cost::Operations;
use super::operation::Operation;
use crate::frame::{Format, Sample};

pub use super::power::power;

/// What becomes of each sample, whatever lies around it.
#[derive(Clone, Debug, PartialEq)]
pub enum Pointwise {
    /// Integer samples: sample `i` becomes entry `i`, one above the peak what the peak becomes. `2^depth` entries, all
    /// of them samples of the format.
    Table(Arc<[u16]>),
    /// Float samples: the steps in order, then `v = v · wet`, and if `dry ≠ 0` `v = v + sample · dry`, each operation
    /// rounded to `f32`; at the end every NaN is written as `0x7fc0_0000`.
    Steps {
        /// Run in order; may be empty.
        steps: Vec<PointStep>,
        /// Factor of the result.
        wet: f32,
        /// Factor of the sample itself; 0 leaves the step out.
        dry: f32,
    },
}

impl Pointwise {
    /// This and then `next` as one, where that gives the bytes of both; `None` where it does not.
    ///
    /// Tables compose: what `next` makes of each entry. So do steps that no dry part refers back from:
    /// - The `dry` of `next` would refer to the sample between the two, which a list of steps does not keep, and that of
    ///   `self` adds where there is no step for it. The product with `wet` is a step like others, and one with 1 gives the
    ///   sample itself.
    /// - Between the two every NaN would be written as `0x7fc0_0000`. No step tells one NaN from another: comparisons
    ///   take all of them alike, and every other operation makes a NaN of a NaN, which is written so at the end.
    pub fn then(&self, next: &Self) -> Option<Self> {
        match (self, next) {
            (Self::Table(first), Self::Table(second)) => {
                let entry = |&sample: &u16| second.get(usize::from(sample)).or(second.last()).copied();
                Some(Self::Table(first.iter().map(entry).collect::<Option<_>>()?))
            }
            (Self::Steps { steps, wet, dry: 0.0 }, Self::Steps { steps: more, wet: next_wet, dry: 0.0 }) => {
                let between = (*wet != 1.0).then_some(PointStep::Multiply(*wet));
                let steps = steps.iter().chain(&between).chain(more).cloned().collect();
                Some(Self::Steps { steps, wet: *next_wet, dry: 0.0 })
            }
            _ => None,
        }
    }

    /// Whether it gives every sample back: a table that has an entry for each number that a sample can hold, and that
    /// number in it. Steps at least write every NaN alike, and shorter tables bring what lies above the peak back to it.
    pub fn is_identity(&self, sample: Sample) -> bool {
        match self {
            Self::Table(table) => {
                table.len() == 1 << (8 * sample.bytes())
                    && table.iter().enumerate().all(|(sample, &entry)| sample == usize::from(entry))
            }
            Self::Steps { .. } => false,
        }
    }
}

impl Operation for Pointwise {
    fn kind(&self) -> &'static str {
        "pointwise"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let pixel = format.pixel;
        match self {
            Self::Table(table) => {
                ensure!(pixel.sample != Sample::F32, "a table for float samples");
                let wanted = 1 << pixel.depth;
                ensure!(table.len() == wanted, "a table of {} entries where {wanted} are needed", table.len());
                let largest = table.iter().copied().max().unwrap_or(0);
                ensure!(f32::from(largest) <= pixel.peak(), "{largest} in a table is no sample of {}", pixel.name());
            }
            Self::Steps { steps, .. } => {
                ensure!(pixel.sample == Sample::F32, "steps for integer samples");
                let short = |step: &PointStep| matches!(step, PointStep::Lookup(values) if values.len() < 2);
                ensure!(!steps.iter().any(short), "a table of floats has fewer than two entries");
            }
        }
        Ok(())
    }

    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { dot16: samples, ..Operations::NONE }
    }

    fn shape(&self) -> String {
        match self {
            Self::Table(table) => format!("table of {}", table.len()),
            Self::Steps { steps, .. } => format!("{} steps", steps.len()),
        }
    }
}

/// One operation on a float sample `v`.
#[derive(Clone, Debug, PartialEq)]
pub enum PointStep {
    /// `v · factor`.
    Multiply(f32),
    /// `v + term`.
    Add(f32),
    /// `v` without its sign.
    Absolute,
    /// `low` where `v < low`, else `high` where `v > high`, else `v`; so NaN stays NaN.
    Clamp {
        /// The least.
        low: f32,
        /// The most.
        high: f32,
    },
    /// `above` where `v ≥ level`, else `below`, also for NaN.
    Threshold {
        /// Where it changes.
        level: f32,
        /// What lies below becomes this.
        below: f32,
        /// The rest becomes this.
        above: f32,
    },
    /// [`power`] with this exponent.
    Power(f64),
    /// Straight lines between these values, at least two, which stand at equal distances from 0 to 1; the ends hold
    /// beyond. `p = v · (n − 1)`, kept within `0 ..= n − 1`; between `a` and `b` at places `i = min(floor(p), n − 2)`
    /// and `i + 1`, `(p − i) · (b − a) + a`, of which the last two are fused. NaN stays NaN.
    Lookup(Arc<[f32]>),
}

impl PointStep {
    /// What becomes of one sample.
    #[inline(always)]
    pub fn apply(&self, v: f32) -> f32 {
        match *self {
            Self::Multiply(factor) => v * factor,
            Self::Add(term) => v + term,
            Self::Absolute => v.abs(),
            // Not `f32::clamp`, which may give either zero.
            Self::Clamp { low, .. } if v < low => low,
            Self::Clamp { high, .. } if v > high => high,
            Self::Clamp { .. } => v,
            Self::Threshold { level, below, above } => {
                if v >= level {
                    above
                } else {
                    below
                }
            }
            Self::Power(exponent) => power(v, exponent),
            Self::Lookup(ref values) => lookup(values, v),
        }
    }
}

fn lookup(values: &[f32], v: f32) -> f32 {
    if v.is_nan() {
        return v;
    }
    let last = (values.len() - 1) as f32;
    let p = v * last;
    let p = if p > last {
        last
    } else if p > 0.0 {
        p
    } else {
        0.0
    };
    let i = (p as usize).min(values.len() - 2);
    (p - i as f32).mul_add(values[i + 1] - values[i], values[i])
}
