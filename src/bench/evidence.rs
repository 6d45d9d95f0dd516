//! Evidence of predictions. Without a stage a job is as fast as it was when it was measured without it; where that cannot be, as the slowest
//! of the others alone, and as the cores allow that are left to them.

use super::alone::Alone;
use super::cpu::CpuTime;
use super::prediction::Prediction;
use super::schema::Stage;
use super::thread::StageKind;

/// Figures that a prediction rests on.
pub struct Evidence<'a> {
    /// Frames a second of the job.
    pub fps: f64,
    /// Threads and queues.
    pub stages: &'a [Stage],
    /// CPU time by stage.
    pub cpu: Option<&'a CpuTime>,
    /// Stages alone.
    pub alone: &'a [Alone],
    /// The job without a stage, where that was measured.
    pub without: &'a [Alone],
}

/// The stage that a thread or queue belongs to: a GPU's queues are part of filtering.
fn part(stage: &str) -> &'static str {
    match stage.split(' ').next() {
        Some("decode" | "decoder") => "decode",
        Some("encode") => "encode",
        _ => "filter",
    }
}

impl Evidence<'_> {
    /// Predictions for all stages that cost something.
    pub fn predictions(&self) -> Vec<Prediction> {
        let parts = [StageKind::Decode, StageKind::Filter, StageKind::Encode].map(StageKind::name);
        parts.into_iter().filter(|name| self.costs(name)).filter_map(|name| self.without(name)).collect()
    }

    /// True if a stage takes a hundredth of the CPU time, or of the time of a thread.
    fn costs(&self, name: &str) -> bool {
        let share = self.cpu.and_then(|cpu| cpu.stage(name)).map_or(0.0, |stage| stage.share);
        let busy = self.stages.iter().filter(|stage| part(&stage.name) == name).map(|stage| stage.busy);
        share >= 0.01 || busy.fold(0.0, f64::max) >= 0.01
    }

    /// Frames a second that a stage allows: measured alone, else what its busiest thread or queue would do if it never
    /// waited, neither for others nor for a core.
    fn rate(&self, name: &str) -> Option<f64> {
        let alone = self.alone.iter().find(|alone| alone.stage == name).map(|alone| alone.fps);
        let no_core = self.cpu.and_then(|cpu| cpu.stage(name)).and_then(|stage| stage.no_core).unwrap_or(0.0);
        let own = self.stages.iter().filter(|stage| part(&stage.name) == name);
        let busy = own.map(|stage| if stage.starved.is_some() { stage.busy - no_core } else { stage.busy });
        let busy = busy.fold(0.0, f64::max);
        alone.or((busy > 0.0).then(|| self.fps / busy))
    }

    fn without(&self, name: &str) -> Option<Prediction> {
        let others = ["decode", "filter", "encode"].into_iter().filter(|other| *other != name && self.costs(other));
        let mut limits: Vec<(f64, &str)> = others.filter_map(|other| Some((self.rate(other)?, other))).collect();
        if let Some((cpu, stage)) = self.cpu.and_then(|cpu| Some((cpu, cpu.stage(name)?))) {
            // As many cores as it has now where none is left, else what no run gets more of.
            let cores =
                if cpu.is_full() { cpu.used } else { CpuTime::FULL * cpu.cores as f64 - cpu.others.unwrap_or(0.0) };
            let rest = cpu.used - stage.cores;
            if rest > 0.0 && cores > rest {
                limits.push((self.fps * cores / rest, "cores"));
            }
        }
        let (computed, limit) = limits.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let measured = self.without.iter().find(|without| without.stage == name).map(|without| without.fps);
        // By these figures less work makes no job slower. Measured it may: without filters no GPU decodes.
        let fps = measured.unwrap_or(computed.max(self.fps));
        Some(Prediction { without: name.to_owned(), fps, limit: limit.to_owned() })
    }
}
