//! Sources and sinks: containers, y4m, raw frames, image sequences and pipes, and the corner where FFmpeg's libraries are
//! called.

#[cfg(feature = "libav")]
pub mod libav;
pub mod pipe;
pub mod sequence;
pub mod shell;
pub mod sink;
pub mod source;
#[cfg(feature = "libav")]
mod still;
pub mod y4m;

use warpreel_frame as frame;
#[cfg(feature = "libav")]
use warpreel_frame::gauge;
use warpreel_frame::strictness;
