//! Temporal reach of a plan.

/// Temporal reach of a plan, in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Lookaround {
    /// Frames before one that it looks at; `u64::MAX` for all.
    pub before: u64,
    /// Frames after it.
    pub after: u64,
    /// Frames that a stage buffers before the first comes out: `after`, or more if a window has an even number of frames.
    pub latency: u64,
}
