//! `warpreel preview`: clips, a chain, and how the page is served.

use std::path::PathBuf;

use clap::Args;

use super::chain::Chain;
use super::execution::Execution;
use super::reading::Reading;

/// What to show.
#[derive(Debug, Args)]
pub struct PreviewWords {
    /// Clips: files, image sequences, folders, whose videos are listed, or - for stdin
    ///
    /// The page shows the first, and a list to open the others from.
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<String>,
    /// List the videos in the folders of a folder too
    #[arg(long)]
    pub recursive: bool,
    /// How the clip is read.
    #[command(flatten)]
    pub reading: Reading,
    /// The filters to begin with.
    #[command(flatten)]
    pub chain: Chain,
    /// What does the work.
    #[command(flatten)]
    pub execution: Execution,
    /// Print the address without opening the browser
    #[arg(long)]
    pub no_open: bool,
    /// Port of the page on this machine; default: any free port
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// File that keeps the secret part of the address, made if missing; with --port the address stays the same
    #[arg(long, value_name = "FILE")]
    pub token: Option<PathBuf>,
    /// Folder that jobs of the page write in; default: the clip's
    #[arg(long, value_name = "FOLDER")]
    pub output_dir: Option<PathBuf>,
    /// Memory for cached frames of all clips, in MiB; half of it for a piped clip, the rest for filtered frames
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    pub memory: u32,
    /// Disk space for decoded frames of all clips, in MiB, at most half of the free space; 0 disables it
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(0..=16_777_216))]
    pub scratch: u32,
}
