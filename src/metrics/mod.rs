//! Difference of two clips, frame by frame: `warpreel metrics`.
//!
//! ```text
//! A ──Frame──▶ decode thread ─┐
//!                             ├─▶ QualityMeter ──▶ QualitySeries ──▶ table · JSON lines · CSV · page
//! B ──Frame──▶ decode thread ─┘
//! ```
//!
//! The arithmetic is in [`warpreel_metric`]; here two clips become pairs of frames, and numbers of frames become figures of a clip.

mod align;
mod file;
mod html;
mod pair;
mod series;
mod summary;
mod table;

pub use pair::ClipPair;
pub use series::{QualityRow, QualitySeries};
pub use summary::{QualitySummary, WorstFrame};
pub use warpreel_metric::{Metric, MetricScores, PlaneScores, QualityMeter};
