//! Places along straight lines.

/// `(x, y) = first + i · across + j · down` of the sample in column `i` and row `j`, in 1/65536 of a sample; each a pair of
/// x and y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    /// Place of the first sample.
    pub first: [i64; 2],
    /// From a sample to its right neighbour.
    pub across: [i64; 2],
    /// From a sample to the one below.
    pub down: [i64; 2],
}

impl Affine {
    /// The farthest that a place, or a step, may lie away: far outside of all frames.
    pub const MOST: i64 = 1 << 40;
}
