//! Where frames come from. A [`Source`] gives frames in presentation order, written straight into pool memory.

#[cfg(feature = "libav")]
pub mod container;
pub mod cut;
pub mod input;
#[cfg(feature = "libav")]
pub mod raw;
mod tapped;
pub mod y4m;

pub use cut::{Cut, CutPoint};
pub use input::Input;
pub use tapped::Tapped;
pub use warpreel_frame::source::*;
