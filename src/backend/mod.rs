//! The stages that run passes: the CPU, and NVIDIA's GPUs.
//!
//! [`ChooseBackend::backend`] chooses one at run time, as the program does with `--backend`; [`ChosenMeter`] the one that measures metrics.
//!
//! Frames that stay on a GPU from end to end:
//!
//! ```no_run
//! # fn main() -> anyhow::Result<()> {
//! use std::sync::Arc;
//! use warpreel::backend::Cuda;
//! use warpreel::backend::cuda::{Delivery, Device, Tracing};
//! use warpreel::engine::Engine;
//! use warpreel::filter::{Defaults, parse};
//! use warpreel::frame::{Format, Frame, Layout, Pixel, Pool, Rational, Timing};
//! use warpreel::plan::plan;
//!
//! let (device, format) = (Device::open(0)?, Arc::new(Format::new(Pixel::gray(8), 64, 48, Rational::new(25, 1))));
//! let plan = plan(&parse("gaussian=2", &Defaults::default())?, &format)?;
//! let prepared = device.prepare(&plan.passes(), &format)?;
//! let pool = Pool::new(device.allocator());
//! let cuda = Cuda::new(&device, prepared, pool, Cuda::IN_FLIGHT, Tracing::Off)?.delivering(Delivery::Device);
//! let mut engine = Engine::new(cuda, plan)?;
//! let surface = device.block(&[7; 64 * 48])?;
//! let frame = Frame::on_device(format.clone(), Timing::at(0), Layout::packed(&format), surface)?;
//! assert!(engine.clip([frame])?[0].host().is_err());
//! # Ok(())
//! # }
//! ```

pub(crate) mod any;
mod builder;
mod choice;
#[cfg(feature = "libav")]
mod meter;

pub use any::{AnyBackend, Either};
pub use builder::{AnyEngineBuilder, ChooseBackend, cuda_stage};
pub use choice::Choice;
#[cfg(feature = "libav")]
pub use meter::ChosenMeter;
pub use warpreel_cpu::{self as cpu, Cpu};
pub use warpreel_cuda::{self as cuda, Cuda};
pub use warpreel_filter::backend::{Backend, BlockSums, Inputs, PairSummer, PairSums, PairWants, Separated};
