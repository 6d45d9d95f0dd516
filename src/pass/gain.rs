//! A factor that is known only when a frame is there: what evens out brightness.

use super::Finish;

/// What lies above black, times the factor that the pass is run with: `v = sample − black; v = v · factor;
/// v = v + black`, each operation rounded to `f32`; `v` goes into the last step in place of a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// What stays what it is, in the units of the samples.
    pub black: f32,
    /// The last step.
    pub finish: Finish,
}
