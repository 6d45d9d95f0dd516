//! `warpreel explain`: a chain, and the frames or the job that it is explained for.

use clap::Args;

use super::option::JobOptions;

/// What to explain.
#[derive(Debug, Args)]
pub struct Explain {
    /// A clip whose format counts; without one, see --size and --format
    pub input: Option<String>,
    /// Where it would go, to be told what would become of every stream; nothing is run, and nothing made or touched
    pub output: Option<String>,
    /// How it would be done.
    #[command(flatten)]
    pub options: JobOptions,
    /// Frame size to explain for
    #[arg(long, value_name = "WxH", default_value = "1920x1080", conflicts_with = "input")]
    pub size: String,
    /// Pixel format to explain for
    #[arg(long, value_name = "FORMAT", default_value = "yuv420p", conflicts_with = "input")]
    pub format: String,
    /// Measure what this machine can do at best, and print the least time that this allows
    #[arg(long)]
    pub limits: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
}
