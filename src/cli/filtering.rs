//! The main job: a clip, a chain of filters, and where the result goes.

use std::path::Path;

use clap::Args;

use super::option::JobOptions;
use super::reporting::Reporting;
use super::several::Several;

/// The main job.
#[derive(Debug, Args)]
pub struct Filtering {
    /// File, folder, image sequence (frame%04d.png), or - for stdin
    #[arg(required = true)]
    pub input: Option<String>,
    /// File, image sequence, - for stdout (y4m), null: or hash:
    ///
    /// Without one, INPUT is described: length, streams, range, fields, noise and cuts. For an INPUT that is a folder, the
    /// folder of the outputs.
    pub output: Option<String>,
    /// More inputs, with -o
    #[arg(hide_short_help = true, value_name = "INPUT")]
    pub more: Vec<String>,
    /// Work in parts, and continue from those that are complete if the job was stopped
    ///
    /// The parts, of 250 frames, are kept in the folder OUTPUT.resume until the output is complete. After Ctrl-C, a crash or a
    /// power cut, type the same command again.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    #[arg(conflicts_with_all = ["into", "chunk", "chunks_from", "conceal", "stats", "trace", "live", "watch"])]
    pub resume: bool,
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

    /// Makes the output the folder of several where the input is a folder: `warpreel clips filtered` is
    /// `warpreel clips -o filtered`. The name of a file, `out.mp4`, remains one.
    pub(super) fn take_folder(&mut self) {
        let (Some(input), Some(output)) = (&self.input, &self.output) else { return };
        let is_special = output == "-" || output == "null:" || output.starts_with("hash:");
        let path = Path::new(output);
        let is_folder = output.ends_with('/') || path.is_dir() || path.extension().is_none() && !path.exists();
        let is_meant = Path::new(input).is_dir() && is_folder && !is_special;
        if is_meant && self.more.is_empty() && self.several.into.is_none() {
            self.several.into = self.output.take();
        }
    }
}
