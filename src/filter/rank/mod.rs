//! What takes one of the samples around: medians, and the smallest and largest.

pub(super) mod median;
pub(super) mod morphology;
