//! The trait of the stages that run passes ([`Backend`]), and what they share: frames made small ([`Reduction`]), the networks of comparisons, fields as
//! pictures of their own ([`Separated`]), sums over pairs of frames ([`PairSummer`]), and the facts that a GPU reports.

mod gpu;
pub mod network;
mod pair;
mod reduction;
mod seam;
mod separated;

pub use gpu::{
    Decodable, DecodingCapability, Delivery, DeviceLimits, DeviceSpan, Found, FoundCompiler, Probe, Tracing,
};
pub use pair::{
    BlockPlan, BlockSums, PairSummer, PairSums, PairWants, PerceptionPlan, PerceptionScale, PlannedBlock,
    SimilarityPlan,
};
pub use reduction::Reduction;
pub use seam::{Backend, Inputs};
pub use separated::Separated;
