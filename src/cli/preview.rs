//! `warpreel preview`: a clip, a chain, and how the page is served.

use clap::Args;

use super::chain::Chain;
use super::execution::Execution;
use super::reading::Reading;

/// What to show.
#[derive(Debug, Args)]
pub struct PreviewWords {
    /// The clip: a file, an image sequence, or - for what comes through a pipe
    pub input: String,
    /// How the clip is read.
    #[command(flatten)]
    pub reading: Reading,
    /// What is done to begin with.
    #[command(flatten)]
    pub chain: Chain,
    /// What does the work.
    #[command(flatten)]
    pub execution: Execution,
    /// Print the address and do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// The port of the page on this machine; any that is free unless given
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// The most memory for frames that are kept, in MiB; of a pipe half of it, the rest is for what is filtered
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    pub memory: u32,
    /// The most disk for decoded frames, in MiB, and never more than half of what is free; 0 for none
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(0..=16_777_216))]
    pub scratch: u32,
}
