//! A factor that is known only when a frame is there: what evens out brightness.

use anyhow::Result;

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, finish};
use crate::frame::{Format, Sample};

/// What lies above black, times the factor that the pass is run with: `v = sample − black; v = v · factor;
/// v = v + black`, each operation rounded to `f32`; `v` goes into the last step in place of a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// What stays what it is, in the units of the samples.
    pub black: f32,
    /// The last step.
    pub finish: Finish,
}

impl Operation for Gain {
    fn kind(&self) -> &'static str {
        "gain"
    }

    /// Any numbers do.
    fn check(&self, _: &Format, _: usize) -> Result<()> {
        Ok(())
    }

    /// A difference, a product and a sum.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { real: 3 * samples, ..Operations::NONE }
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    finish!();
}
