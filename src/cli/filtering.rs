//! The main job: a clip, a chain of filters, and where the result goes.

use clap::Args;

use super::option::JobOptions;
use super::reporting::Reporting;
use super::several::Several;

/// The main job.
#[derive(Debug, Args)]
pub struct Filtering {
    /// File, image sequence (frame%04d.png), or - for stdin
    #[arg(required = true)]
    pub input: Option<String>,
    /// File, image sequence, - for stdout (y4m), null: or hash:
    ///
    /// Without one, INPUT is described: length, streams, range, fields, noise and cuts.
    pub output: Option<String>,
    /// More inputs, with -o
    #[arg(hide_short_help = true, value_name = "INPUT")]
    pub more: Vec<String>,
    /// How it is done.
    #[command(flatten)]
    pub options: JobOptions,
    /// Whether there are several inputs.
    #[command(flatten)]
    pub several: Several,
    /// Reports of the run.
    #[command(flatten)]
    pub reporting: Reporting,
}

impl Filtering {
    /// All inputs, where they go into a folder.
    pub fn inputs(&self) -> Vec<String> {
        self.input.iter().chain(&self.output).chain(&self.more).cloned().collect()
    }
}
