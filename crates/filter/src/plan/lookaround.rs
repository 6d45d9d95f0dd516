//! How far a plan looks in time.

/// How far a plan looks, in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Lookaround {
    /// Frames before one that it looks at; `u64::MAX` for all.
    pub before: u64,
    /// Frames after it.
    pub after: u64,
    /// Frames that go in before the first comes out, less one, where a stage does not run ahead: as many as `after`, or more
    /// where a window has an even number of frames.
    pub latency: u64,
}
