//! The trait of the stages that run passes ([`Backend`]), and what they share: frames made small ([`Reduction`]), the networks of comparisons, fields as
//! pictures of their own ([`Separated`]), and the facts that a GPU reports.

mod gpu;
pub mod network;
mod reduction;
mod seam;
mod separated;

pub use gpu::{
    Decodable, DecodingCapability, Delivery, DeviceLimits, DeviceSpan, Found, FoundCompiler, Probe, Tracing,
};
pub use reduction::Reduction;
pub use seam::{Backend, Inputs};
pub use separated::Separated;
