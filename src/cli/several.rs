//! Several inputs, each filtered alike into a folder.

use clap::Args;

/// Several inputs into one folder.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Several inputs")]
pub struct Several {
    /// Filter each INPUT into this folder, under its own name
    ///
    /// The folder is created if it is missing. --container chooses another extension.
    #[arg(short = 'o', long, value_name = "DIR", conflicts_with_all = ["stats", "trace", "live"])]
    pub into: Option<String>,
    /// Skip inputs whose output exists
    #[arg(long, hide_short_help = true, requires = "into", conflicts_with = "overwrite")]
    pub skip_existing: bool,
    /// Number of inputs to filter at a time; they share the threads
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1, requires = "into")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
}
