//! One frame on its way to the next, with a weight that is known only when the pass runs.

use anyhow::Result;

use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use crate::frame::{Format, Sample};

/// Of the frame `a` in the middle of the window and the frame `b` after it, with the pass's factor `i` as the weight of `b`,
/// a whole number from 0 to `K` ([`Crossfade::whole`]):
///
/// - Integer samples: `(a · (K − i) + b · i + K / 2) / K`, rounded down. Samples above the format's largest are numbers like
///   any others.
/// - Float samples, each operation rounded to `f32`, with `w = i / K`: `a · (1 − w) + b · w`; a NaN becomes `0x7fc0_0000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossfade;

impl Crossfade {
    /// The weight of all of a frame: of samples of one byte, and of others.
    pub fn whole(sample: Sample) -> u32 {
        match sample {
            Sample::U8 => 128,
            Sample::U16 | Sample::F32 => 32768,
        }
    }
}

impl Operation for Crossfade {
    fn kind(&self) -> &'static str {
        "crossfade"
    }

    /// Any frames do.
    fn check(&self, _: &Format, _: usize) -> Result<()> {
        Ok(())
    }

    /// Two products, two sums and a shift.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let operations = self.operations(samples);
        match sample {
            Sample::F32 => Operations { real: operations, ..Operations::NONE },
            Sample::U8 | Sample::U16 => Operations { dot16: operations, ..Operations::NONE },
        }
    }

    fn reach(&self) -> Reach {
        Reach { before: [0; 3], after: [1, 0, 0] }
    }

    fn shape(&self) -> String {
        "of 2 frames".to_owned()
    }

    /// The two frames and the result.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        3 * samples * sample.bytes() as u64
    }

    fn operations(&self, samples: u64) -> u64 {
        5 * samples
    }
}
