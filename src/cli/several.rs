//! Several inputs, each filtered alike into a folder.

use clap::Args;

/// Several inputs into one folder.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Several inputs")]
pub struct Several {
    /// Filter each INPUT into this folder, under its own name
    ///
    /// The folder is created if it is missing. --container chooses another extension. Of an INPUT that is a folder each video is
    /// filtered, and existing outputs are skipped without -y; warpreel DIR OUTDIR/ is short for it.
    #[arg(short = 'o', long, value_name = "DIR", conflicts_with_all = ["stats", "metrics_file", "trace", "live"])]
    pub into: Option<String>,
    /// Skip inputs whose output exists
    #[arg(long, hide_short_help = true, conflicts_with = "overwrite")]
    pub skip_existing: bool,
    /// Filter the videos in the folders of a folder too, into folders of the same names
    #[arg(long, hide_short_help = true)]
    pub recursive: bool,
    /// Watch the folder INPUT, and filter each video in it once it no longer grows, until Ctrl-C
    ///
    /// A file is taken when its size and modification time have not changed for --settle seconds and no program has it open for
    /// writing. Videos whose output exists are skipped, also after a restart; with -y a video that changed is filtered again. One
    /// that fails is not tried again until it changes.
    #[arg(long, hide_short_help = true, conflicts_with = "skip_existing")]
    pub watch: bool,
    /// Seconds that a file must not have changed for, with --watch
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value_t = 5, requires = "watch")]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=3600))]
    pub settle: u16,
    /// Number of inputs to filter at a time; they share the threads
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
}
