//! `warpreel bench`: what is measured, how, and where the figures go.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::execution::Execution;
use super::option::JobOptions;

const BENCH_EXAMPLES: &str = "\
Examples:
  warpreel bench in.mp4 -f gaussian=sigma=2                  the whole job, to null:
  warpreel bench -f gaussian=sigma=2 --size 3840x2160        the filter stage alone
  warpreel bench in.mp4 -f sobel --output out.mkv --json result.json --html result.html
  warpreel bench in.mp4 -f sobel --markdown result.md --trace slowest.json
  warpreel bench copy                                        the limits of this machine
  warpreel bench compare gaussian=sigma=2 box=radius=4       two chains, repeated in turns
  warpreel bench compare before.json after.json              two results
  warpreel bench in.mp4 -f sobel --baseline main --fail-above 5%      against --save-baseline main
  warpreel bench decode in.mp4                               decoding speed by number of decoders
  warpreel bench ladder                                      a 3x3 box, from a textbook kernel to ours";

/// What to measure, and where the figures go.
#[derive(Debug, Args)]
#[command(override_usage = "warpreel bench [OPTIONS] [INPUT]\n       warpreel bench <COMMAND>")]
#[command(after_help = BENCH_EXAMPLES)]
pub struct Bench {
    /// What to measure other than a job or the filter stage.
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
    /// Clip for the whole job; without one the filter stage is measured alone, see --size and --format
    pub input: Option<String>,
    /// Output: null:, a file, a named pipe, or hash:FILE
    #[arg(long, value_name = "OUTPUT", default_value = "null:", requires = "input")]
    pub output: String,
    /// The frames where there is no clip.
    #[command(flatten)]
    pub shape: SyntheticFrames,
    /// How the job is done.
    #[command(flatten)]
    pub options: JobOptions,
    /// How it is measured.
    #[command(flatten)]
    pub method: Measuring,
    /// Comparison with an earlier result.
    #[command(flatten)]
    pub against: Against,
    /// Where the figures go.
    #[command(flatten)]
    pub files: BenchFiles,
}

/// What to measure other than a job or the filter stage.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Measure the limits of this machine: copies, arithmetic, pipes, and the GPU's bus and launches
    Copy {
        /// The frames where there is no clip.
        #[command(flatten)]
        shape: SyntheticFrames,
        /// What does the work.
        #[command(flatten)]
        execution: Execution,
        /// Where the figures go.
        #[command(flatten)]
        files: BenchFiles,
        /// Replace existing reports
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
    /// Compare two chains, repeated in turns, or two results written with --json
    Compare {
        /// A chain, or a result
        a: String,
        /// Another one
        b: String,
        /// Clip for whole jobs; without one the filter stage is measured alone
        #[arg(long, value_name = "INPUT")]
        input: Option<String>,
        /// Stop after this many frames
        #[arg(long, value_name = "N")]
        frames: Option<u64>,
        /// The frames where there is no clip.
        #[command(flatten)]
        shape: SyntheticFrames,
        /// What does the work.
        #[command(flatten)]
        execution: Execution,
        /// How it is measured.
        #[command(flatten)]
        method: Measuring,
        /// Where the figures go.
        #[command(flatten)]
        files: BenchFiles,
        /// Replace existing reports
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
    /// Measure how fast several decoders decode one file in parallel, in total and each
    Decode {
        /// The file
        input: String,
        /// What does the work.
        #[command(flatten)]
        execution: Execution,
        /// Number of measurements of each figure, in turns with the others
        #[arg(long, value_name = "N", default_value_t = 3)]
        repetitions: usize,
        /// Where the figures go.
        #[command(flatten)]
        files: BenchFiles,
        /// Replace existing reports
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
    /// Measure a 2-D kernel in every version, from the textbook's to the production kernel, and on the CPU
    Ladder {
        /// Kernel: a chain of one filter
        #[arg(short, long, value_name = "CHAIN", default_value = "convolution=1 1 1 1 1 1 1 1 1")]
        filter: String,
        /// Samples outside the picture, unless the filter sets border=
        #[arg(long, value_name = "MODE", default_value = "zero")]
        border: String,
        /// Sizes of the 8-bit planes
        #[arg(
            long,
            value_name = "WxH,…",
            value_delimiter = ',',
            default_value = "256x256,512x512,1024x1024,2048x2048,3840x2160"
        )]
        sizes: Vec<String>,
        /// What does the work.
        #[command(flatten)]
        execution: Execution,
        /// Where the figures go.
        #[command(flatten)]
        files: BenchFiles,
        /// Replace existing reports
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
}

/// The frames of the filter stage alone.
#[derive(Debug, Args)]
pub struct SyntheticFrames {
    /// Frame size without an input; default 1920x1080
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Pixel format without an input; default yuv420p
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
}

/// How it is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub struct Measuring {
    /// Measured repetitions, each run twice: for frames per second, and for times of frames; a pipe runs once
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub repetitions: usize,
    /// Warm-up repetitions, which are not counted
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub warmup: usize,
    /// Run this in a shell before each repetition, to empty caches or to make the input
    #[arg(long, value_name = "COMMAND")]
    pub prepare: Option<String>,
}

/// Comparison of a measurement with an earlier one.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub struct Against {
    /// Keep the result under a name, or in a .json file, for --baseline
    #[arg(long, value_name = "NAME")]
    pub save_baseline: Option<String>,
    /// Compare with the result that has this name
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Exit with 1 if slower than the baseline by more than this, with 95 % confidence
    #[arg(long, value_name = "PERCENT", requires = "baseline", value_parser = percentage)]
    pub fail_above: Option<f64>,
}

/// Where the figures go, beside stdout.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reporting")]
pub struct BenchFiles {
    /// Write all figures as JSON, described in docs/bench-schema.md
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write one line for each frame
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Write a page with charts, which needs no network
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Write the tables as Markdown, with what their words mean
    #[arg(long, value_name = "FILE.md")]
    pub markdown: Option<PathBuf>,
    /// Write a trace of the slowest second, for ui.perfetto.dev
    #[arg(long, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
}

/// A percentage as a part, 0 to 1.
fn percentage(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>();
    let percent = number.ok().filter(|percent| (0.0..100.0).contains(percent));
    percent.map(|percent| percent / 100.0).ok_or_else(|| format!("{text:?} is no percentage; type 5%"))
}
