//! `warpreel explain`: a chain, and the frames or the job that it is explained for.

use clap::Args;

use super::option::JobOptions;

/// What to explain.
#[derive(Debug, Args)]
pub struct Explain {
    /// Clip to take the format from; without one, see --size and --format
    pub input: Option<String>,
    /// Output to plan for: prints how every stream would be written; writes nothing
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
    /// Measure the limits of this machine, and print the shortest time they allow
    #[arg(long)]
    pub limits: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
}
