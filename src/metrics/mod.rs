//! Difference of two clips, frame by frame: `warpreel metrics`.
//!
//! ```text
//! A ──Frame──▶ decode thread ─┐
//!                             ├─▶ QualityMeter ──▶ QualitySeries ──▶ table · JSON lines · CSV · page
//! B ──Frame──▶ decode thread ─┘
//! ```
//!
//! The arithmetic is in [`warpreel_metric`], and for GPUs in [`crate::backend::cuda::PairMeter`]; here two clips become pairs of frames. Of a
//! job, a source and a sink give the pairs ([`crate::job::Request::metrics`]).

mod align;
mod html;
mod pair;

pub use html::page;
pub use pair::ClipPair;
pub use warpreel_metric::{
    Metric, MetricScores, PlaneScores, QualityMeter, QualityRow, QualitySeries, QualitySummary, WorstFrame,
};
