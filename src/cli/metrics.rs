//! `warpreel metrics`: two clips, what is measured, and where the figures go.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::execution::BackendName;
use super::reading::Excerpt;

/// Clips and options of a comparison.
#[derive(Debug, Args)]
pub struct MetricsWords {
    /// Reference: a file, an image sequence, or - for stdin
    #[arg(value_name = "A")]
    pub reference: String,
    /// Clip to compare with it, of the same size, pixel format, frame rate and length
    #[arg(value_name = "B")]
    pub other: String,
    /// Metrics, separated by commas; default: all
    #[arg(short, long = "metric", value_enum, value_name = "LIST", value_delimiter = ',')]
    pub metrics: Vec<MetricName>,
    /// The part of both clips.
    #[command(flatten)]
    pub excerpt: Excerpt,
    /// Find by how many frames one clip begins before the other, and compare the common part
    #[arg(long)]
    pub align: bool,
    /// Where to measure: auto, cpu or cuda
    ///
    /// auto uses the GPU if it works; otherwise it uses the CPU and prints why. The figures are the same.
    #[arg(long, value_enum, default_value_t, value_name = "NAME", help_heading = "Execution")]
    pub backend: BackendName,
    /// Number of the GPU, as printed by doctor
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 0, help_heading = "Execution")]
    pub device: usize,
    /// Threads for decoding and measuring, each; 0, the default, suits the cores
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, help_heading = "Execution")]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Write a line of JSON for each frame, and one of the summary; - is stdout, without the tables
    #[arg(long, value_name = "FILE.jsonl", help_heading = "Reporting")]
    pub json: Option<PathBuf>,
    /// Write a line of CSV for each frame; - is stdout, without the tables
    #[arg(long, value_name = "FILE.csv", help_heading = "Reporting")]
    pub csv: Option<PathBuf>,
    /// Write a page with a plot of each metric over time, which needs no network
    #[arg(long, value_name = "FILE.html", help_heading = "Reporting")]
    pub html: Option<PathBuf>,
    /// Replace existing reports
    #[arg(short = 'y', long)]
    pub overwrite: bool,
}

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MetricName {
    /// Peak signal-to-noise ratio in decibels, as FFmpeg's psnr
    Psnr,
    /// Structural similarity, as FFmpeg's ssim
    Ssim,
    /// PSNR of errors weighted by how well they are seen, in decibels, as FFmpeg's xpsnr
    Xpsnr,
    /// Similarity as people see it: 100 for equal pictures, 30 for low quality
    Ssimulacra2,
}
