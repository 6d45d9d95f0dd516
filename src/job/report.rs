//! What a run tells of itself when it is done.

use serde::Serialize;

use crate::pipeline::{Readings, RunOutcome};
use crate::source::Defects;

/// Statistics of a finished run, as `--stats` writes them.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this layout.
    pub version: u32,
    /// As typed.
    pub input: String,
    /// As typed.
    pub output: String,
    /// `yuv420p 1280x720 at 25 fps`.
    pub format: String,
    /// The passes that ran, in order.
    pub passes: Vec<String>,
    /// Who filtered, and why.
    pub backend: String,
    /// Frames written.
    pub frames: u64,
    /// How the user stopped it, if so.
    pub interrupted: Option<Interruption>,
    /// From the first frame asked for to the output complete.
    pub seconds: f64,
    /// `frames / seconds`.
    pub fps: f64,
    /// The stage that worked longest: all others waited for it.
    pub pace: &'static str,
    /// How long each stage worked and waited.
    pub stages: Readings,
    /// What was wrong with the input.
    pub defects: Defects,
    /// Memory of all frames there ever were at a time.
    pub frame_memory_bytes: usize,
    /// Memory used on the GPU; `null` where none filtered.
    pub device_memory_bytes: Option<usize>,
}

/// A run that the user stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interruption {
    /// How many frames the whole clip would have had, where that is known or can be estimated.
    pub of: Option<u64>,
    /// Where those that were written stand, if that is a file; its name is not the output's.
    pub kept: Option<String>,
}

impl Interruption {
    /// Of a clip of `of` frames; `None` where the output is complete.
    pub(super) fn of(outcome: RunOutcome, of: Option<u64>) -> Option<Self> {
        match outcome {
            RunOutcome::Complete => None,
            RunOutcome::Interrupted { kept } => Some(Self { of, kept: kept.map(|path| path.display().to_string()) }),
        }
    }
}

impl Report {
    /// The version of this layout; it rises when a field changes its meaning or goes.
    pub const VERSION: u32 = 1;

    /// One line: `132 frames in 1.02 s, 129.4 fps; encode sets the pace`, or, where the user stopped it,
    /// `interrupted at frame 70 of 132; the first 70 are in out.partial.mp4`.
    pub fn summary(&self) -> String {
        let Self { frames, seconds, fps, pace, .. } = self;
        let plural = if *frames == 1 { "" } else { "s" };
        if let Some(Interruption { of, kept }) = &self.interrupted {
            let of = of.filter(|of| of > frames).map_or(String::new(), |of| format!(" of {of}"));
            return match (frames, kept) {
                (0, _) => "interrupted before the first frame; nothing is written".to_owned(),
                (1, Some(kept)) => format!("interrupted at frame 1{of}; the first is in {kept}"),
                (_, Some(kept)) => format!("interrupted at frame {frames}{of}; the first {frames} are in {kept}"),
                (_, None) => format!("interrupted at frame {frames}{of}"),
            };
        }
        format!("{frames} frame{plural} in {seconds:.2} s, {fps:.1} fps; {pace} sets the pace")
    }
}
