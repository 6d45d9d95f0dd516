//! The parts of FFmpeg that more than one layer needs: its log, the damage that decoders log, its error codes, and its expressions.

pub mod condition;
pub mod damage;
pub mod error;
pub mod expression;
pub mod log;

use warpreel_frame as frame;
