//! What to do about damage, and about what an output cannot hold.

/// What to do about damage, and about what an output cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Say so and go on.
    #[default]
    Lenient,
    /// Fail.
    Strict,
}
