//! Kernels of any shape, all taps at once.

mod dot;
mod joined;
mod kernel;
pub mod part;
mod small;
mod span;

pub use dot::Dot;
pub use kernel::Dense;
pub use span::Span;
