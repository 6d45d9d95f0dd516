//! The CUDA stage: the passes as kernels on an NVIDIA GPU, with the bytes of the CPU stage.
//!
//! ```text
//! upload stream    ▸ frame n+2 ▸ frame n+3 …          one copy a frame, from pinned memory
//! compute stream   ▸ passes of frame n+1 …            one launch a pass, all planes at once
//! download stream  ▸ frame n …                        one copy a frame, into pinned memory
//! ```
//!
//! The streams are the driver's, ordered by events. Nothing here waits for the GPU but
//! [`Backend::wait`](crate::backend::Backend::wait), [`Backend::read`](crate::backend::Backend::read) and dropping a
//! [`Cuda`] or a [`Pending`]. Images live in buffers that are used again: a buffer rests until everything that was started
//! on it is done, and is asked for only then, so that streams need not wait for each other's leftovers.
//!
//! In reading order: [`geometry`] and [`program`] say what is to be run, without a GPU; [`library`] and [`compile`] make
//! machine code of it, without a GPU too; `device`, `memory`, `stream` and `launch` are the driver; `stage` is the backend,
//! and `transfer` how frames come and go: from the host by a copy, on the GPU where they lie, or through `split` where
//! planes share their rows; `decoding` keeps what hardware decoders leave, and `encoding` brings frames to hardware
//! encoders through `join`; `metric` measures pairs of frames ([`PairMeter`]); [`probe`] looks whether there is one.

mod answer;
mod asker;
mod capability;
pub mod compile;
mod course;
mod decimate;
mod decoding;
mod device;
mod encoding;
mod engine;
mod error;
mod export;
mod field;
pub mod geometry;
mod image;
mod join;
mod kernel;
pub mod ladder;
mod launch;
pub mod library;
pub mod limit;
mod measure;
mod memory;
mod metering;
mod metric;
mod prepare;
mod probe;
pub mod program;
mod progress;
mod range;
mod selection;
mod span;
mod split;
mod stage;
mod stream;
mod surface;
mod survey;
mod time;
mod trace;
mod transfer;

use warpreel_filter::{backend, pass};
use warpreel_frame as frame;

pub use self::answer::SurveyUnderWay;
pub use self::decoding::DecodingGpu;
pub use self::device::{Device, Properties, driver_version};
pub use self::encoding::EncodingGpu;
pub use self::export::{Export, StreamKeeper};
pub use self::image::{Image, Pending};
pub use self::measure::{CellSums, Measure};
pub use self::metric::PairMeter;
pub use self::prepare::Prepared;
pub use self::probe::probe;
pub use self::stage::Cuda;
pub use self::surface::DeviceBlock;
pub use crate::backend::{Decodable, DecodingCapability, Delivery, DeviceSpan, Found, FoundCompiler, Probe, Tracing};
