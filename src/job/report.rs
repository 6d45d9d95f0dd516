//! What a run tells of itself when it is done.

use serde::Serialize;

use crate::pipeline::Readings;
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

impl Report {
    /// The version of this layout; it rises when a field changes its meaning or goes.
    pub const VERSION: u32 = 1;

    /// One line: `132 frames in 1.02 s, 129.4 fps; encode sets the pace`.
    pub fn summary(&self) -> String {
        let plural = if self.frames == 1 { "" } else { "s" };
        let Self { frames, seconds, fps, pace, .. } = self;
        format!("{frames} frame{plural} in {seconds:.2} s, {fps:.1} fps; {pace} sets the pace")
    }
}
