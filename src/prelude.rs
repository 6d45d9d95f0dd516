//! The types that most programs use: `use warpreel::prelude::*;`.
//!
//! ```
//! use std::sync::Arc;
//! use warpreel::prelude::*;
//!
//! fn main() -> Result<(), Error> {
//!     let format = Arc::new(Format::try_new(Pixel::gray(8), 64, 48, Rational::new(25, 1))?);
//!     let mut engine = Engine::builder("tmix=3,gaussian=1", &format).build()?;
//!     let frame = |number: u64| Frame::from_samples(&format, Timing::at(number), vec![20 * number as u8; 64 * 48]);
//!     let frames = engine.clip((0..10).map(frame).collect::<Result<Vec<_>, _>>()?)?;
//!     assert_eq!(frames[4].host()?.plane::<u8>(0).row(0)[0], 80);
//!     Ok(())
//! }
//! ```
//!
//! Everything else, such as passes, is in the modules beside it.

pub use crate::backend::{AnyBackend, Backend, Choice, ChooseBackend, Cpu, Cuda};
pub use crate::engine::{AdjustableEngine, Engine, Session};
pub use crate::error::{Error, ErrorKind};
pub use crate::frame::{Format, Frame, Layout, Pixel, Pool, Rational, Sample, Timing};
#[cfg(feature = "libav")]
pub use crate::job::{Job, Overwrite, Reader, Request, open_sink};
pub use crate::pipeline::Monitor;
pub use crate::plan::Plan;
pub use crate::sink::Sink;
pub use crate::source::{CancelToken, Source};
