//! The parts of FFmpeg that more than one layer needs: its log, its error codes, and its expressions.

pub mod condition;
pub mod error;
pub mod log;

use warpreel_frame as frame;
