//! Several inputs, each filtered alike into a folder.

use clap::Args;

/// Several inputs into one folder.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Several inputs")]
pub struct Several {
    /// Filter all inputs into this folder, each under its own name, and --container for another ending; it is made where it
    /// is missing
    #[arg(short = 'o', long, value_name = "DIR", conflicts_with_all = ["stats", "trace", "live"])]
    pub into: Option<String>,
    /// Leave outputs that exist as they are
    #[arg(long, requires = "into", conflicts_with = "overwrite")]
    pub skip_existing: bool,
    /// How many inputs are filtered at a time; they share the threads
    #[arg(long, value_name = "N", default_value_t = 1, requires = "into")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
}
