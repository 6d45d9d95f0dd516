//! What is told, and where.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What is told when it is done.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reporting")]
pub struct Reporting {
    /// Write statistics of the run: frames, fps, and how long each stage worked and waited; - is stdout
    #[arg(long, value_name = "FILE.json")]
    pub stats: Option<PathBuf>,
    /// Write when each frame was decoded, uploaded, filtered, downloaded and encoded, for ui.perfetto.dev; - is stdout
    #[arg(long, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
    /// How far it is: a line that moves on a terminal and one now and then elsewhere, or a line of JSON each second on stderr
    #[arg(long, value_enum, default_value_t, value_name = "HOW", conflicts_with = "live")]
    pub progress: ProgressName,
    /// Draw a screen while it runs: fps, stages, frames under way, memory, the last minute
    #[arg(long, conflicts_with = "quiet")]
    pub live: bool,
}

/// How it is told how far a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressName {
    /// A line that moves on a terminal; elsewhere a line now and then; nothing with --quiet
    #[default]
    Auto,
    /// A line of JSON each second, and one at the end
    Json,
    /// Nothing
    None,
}

/// How much is said on stderr.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reporting")]
pub struct Verbosity {
    /// Say more; twice for what the codecs say
    #[arg(short, long, action = clap::ArgAction::Count, global = true, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}
