//! Device code without a GPU: how planes are cut, which kernels serve a pass, and that all of them compile.

mod cache;
mod colorspace;
mod colour;
mod compile;
mod compose;
mod deblock;
mod geometry;
mod grain;
mod library;
mod op;
mod overlay;
mod program;

pub use compile::nvrtc;
