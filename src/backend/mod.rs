//! Who does it: a [`Backend`] executes passes on frames. It is made for one list of passes and one format, so that
//! all preparation happens before the first frame.

pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(not(feature = "cuda"))]
#[path = "absent.rs"]
pub mod cuda;
mod gpu;
mod network;
mod seam;
mod separated;

pub use cpu::Cpu;
pub use cuda::Cuda;
pub use seam::{Backend, Inputs};
pub use separated::Separated;
