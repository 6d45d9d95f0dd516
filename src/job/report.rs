//! What a run tells of itself when it is done.

use std::time::Duration;

use serde::Serialize;

use super::{Machine, Request};
use crate::frame::{Format, Pool};
use crate::pipeline::Readings;
use crate::plan::Plan;
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
}

impl Report {
    #[expect(clippy::too_many_arguments, reason = "a report gathers from every part of a run")]
    pub(super) fn new(
        request: &Request,
        format: &Format,
        machine: &Machine,
        plan: &Plan,
        defects: Defects,
        stages: Readings,
        elapsed: Duration,
        pool: &Pool,
    ) -> Self {
        let frames = stages.encode.frames;
        let seconds = elapsed.as_secs_f64();
        Self {
            version: 1,
            input: request.input.clone(),
            output: request.output.clone(),
            format: format.to_string(),
            passes: plan.passes.iter().map(|pass| pass.name.clone()).collect(),
            backend: machine.to_string(),
            frames,
            seconds,
            fps: if seconds > 0.0 { frames as f64 / seconds } else { 0.0 },
            pace: stages.pace_since(&Readings::default()),
            stages,
            defects,
            frame_memory_bytes: pool.allocated_bytes(),
        }
    }

    /// One line: `132 frames in 1.02 s, 129.4 fps; encode sets the pace`.
    pub fn summary(&self) -> String {
        let plural = if self.frames == 1 { "" } else { "s" };
        let Self { frames, seconds, fps, pace, .. } = self;
        format!("{frames} frame{plural} in {seconds:.2} s, {fps:.1} fps; {pace} sets the pace")
    }
}
