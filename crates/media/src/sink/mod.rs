//! Where frames go. A [`Sink`] takes frames in presentation order, and nothing stands under the final name of the
//! output before [`Sink::finish`] has returned.

pub mod compared;
#[cfg(feature = "libav")]
pub mod container;
#[cfg(feature = "libav")]
mod converted;
#[cfg(feature = "libav")]
pub mod encoding;
pub mod fate;
pub mod file_set;
mod grid;
mod guarded;
pub mod hash;
#[cfg(feature = "libav")]
pub mod language;
pub mod null;
pub mod output;
pub mod partial;
mod punctual;
#[cfg(feature = "libav")]
pub mod raw;
mod sealed;
mod sum;
pub mod target;
mod turned;
mod vectors;
#[cfg(feature = "libav")]
pub mod wish;
pub mod y4m;

pub use compared::Compared;
#[cfg(feature = "libav")]
pub use converted::Converted;
#[cfg(feature = "libav")]
pub use grid::lose;
pub use guarded::Guarded;
pub use output::Output;
pub use punctual::Punctual;
pub use sealed::Sealed;
pub use sum::FrameSum;
pub use target::{Overwrite, Target};
pub use turned::Turned;
pub use vectors::Vectors;
pub use warpreel_frame::sink::Sink;
