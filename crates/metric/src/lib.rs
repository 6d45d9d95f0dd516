//! Difference of two frames: [`QualityMeter`] measures pairs of frames in the metrics that people compare video with.
//!
//! | metric | definition |
//! |---|---|
//! | [`Metric::Psnr`] | FFmpeg's `psnr`: the mean squared error as decibels below the largest sample |
//! | [`Metric::Ssim`] | FFmpeg's `ssim`: structural similarity of windows of 8×8 samples, four apart |
//! | [`Metric::Xpsnr`] | FFmpeg's `xpsnr`: PSNR of errors weighted less where blocks are busy |
//! | [`Metric::Ssimulacra2`] | the reference's SSIMULACRA2: structural errors, ringing and blurring at six scales |
//!
//! The values of all frames are a [`QualitySeries`], their figures a [`QualitySummary`].
//!
//! Planes count by their samples, opacity included, as they do in FFmpeg. Floats are measured as they are, with 1 as the largest
//! sample; infinities and what is no number count as 0. Every sum has one order, so the numbers depend neither on the number of
//! threads nor on the instructions of the machine. Another machine may form the sums, in that order: [`QualityMeter::on`].

mod activity;
mod block;
mod byte;
mod coarse;
mod file;
mod meter;
mod metric;
mod psnr;
mod score;
mod series;
mod ssim;
mod ssimulacra2;
mod summary;
mod survey;
mod table;
mod worker;
mod xpsnr;

use warpreel_cpu::simd;
use warpreel_frame as frame;

pub use meter::QualityMeter;
pub use metric::Metric;
pub use score::{MetricScores, PlaneScores};
pub use series::{QualityColumn, QualityRow, QualitySeries};
pub use summary::{ColumnSummary, QualitySummary, WorstFrame};
