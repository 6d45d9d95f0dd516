//! Reports of a run, and where they go.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Reports of a run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reporting")]
pub struct Reporting {
    /// Write statistics: frames, fps, time of each stage
    ///
    /// Working and waiting times are listed for each stage. A run that fails writes them too, with the cause. - is stdout.
    #[arg(long, value_name = "FILE.json")]
    pub stats: Option<PathBuf>,
    /// Write the metrics of each frame, with --metrics: JSON lines, CSV, or a page with plots, by the name's ending
    #[arg(long, hide_short_help = true, value_name = "FILE.jsonl|csv|html", requires = "metrics")]
    pub metrics_file: Option<PathBuf>,
    /// Write a trace of every frame through every stage, for ui.perfetto.dev; - is stdout
    #[arg(long, hide_short_help = true, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
    /// How to report progress on stderr
    #[arg(long, hide_short_help = true, value_enum, default_value_t, value_name = "HOW", conflicts_with = "live")]
    pub progress: ProgressName,
    /// Show a live screen: fps, stages, frames in flight, memory, the last minute
    #[arg(long, hide_short_help = true, conflicts_with = "quiet")]
    pub live: bool,
}

/// How progress is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressName {
    /// A progress bar on a terminal, else a line now and then; nothing with --quiet
    #[default]
    Auto,
    /// A line of JSON each second, and one at the end
    Json,
    /// Nothing
    None,
}

/// Amount of messages on stderr.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reporting")]
pub struct Verbosity {
    /// Print more; -vv adds the messages of the codecs
    #[arg(short, long, action = clap::ArgAction::Count, global = true, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Print errors only
    #[arg(short, long, global = true)]
    pub quiet: bool,
}
