//! Kernels that users write themselves.

pub(super) mod convolution;
pub(super) mod kernel;
