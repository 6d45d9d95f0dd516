//! A job's run from its first frame to its report.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow};
use warpreel_metric::QualitySummary;

use super::field::FieldPlan;
use super::kind::Destination;
use super::lent::LentSink;
use super::material::JobInput;
use super::open::Job;
use super::output::Begun;
use super::report::{Interruption, Report};
use crate::pipeline::{Monitor, Readings, RunOutcome};
use crate::plan::Plan;

impl Job {
    /// Filters the whole clip. Blocks until the output is complete; `monitor` may be read meanwhile. Where the user stops it,
    /// what the output holds by then is completed under another name, see [`Interruption`].
    ///
    /// # Errors
    /// The first cause, also that a file would hold no frame; the output then has not got its final name.
    pub fn run(self, monitor: &Monitor) -> Result<Report> {
        let (report, outcome) = self.attempt(monitor);
        outcome.map(|()| report)
    }

    /// The same, with a report of a run that failed too: the frames until then, the defects of the input, and the cause.
    pub fn attempt(self, monitor: &Monitor) -> (Report, Result<()>) {
        if self.extras.is_empty() { self.alone(monitor) } else { self.with_extras(monitor) }
    }

    /// Runs it without other videos.
    pub(super) fn alone(self, monitor: &Monitor) -> (Report, Result<()>) {
        let started = Instant::now();
        let Self { request, mut input, decoder, plan, mut machine, output, chunk, interrupt, scores, .. } = self;
        let Begun { sink, streams, .. } = output;
        let backend = machine.name.clone();
        let stored = sink.describe();
        let length = input.source().length().map(|frames| plan.length(frames));
        let names = |plan: &Plan| plan.steps().iter().map(|step| step.pass.name.clone()).collect::<Vec<_>>();
        let mut passes = names(&plan);
        let remark = plan.filters().iter().find_map(|filter| filter.remark.clone());
        let ended = (|| -> Result<_> {
            let shots = match &mut input {
                JobInput::Plain(source) => return machine.run(source.as_mut(), &plan, sink, monitor, &interrupt),
                JobInput::Shots(shots) => shots,
            };
            shots.tell();
            let lent = LentSink::new(sink, shots);
            let mut ended = machine.run(shots.as_mut(), &plan, Box::new(lent.again()), monitor, &interrupt)?;
            while let Some(chain) = shots.turn().filter(|_| ended.0 == RunOutcome::Complete) {
                let planned = FieldPlan::of(chain, plan.format(), &request)?;
                machine = machine.another(&request, &planned)?;
                passes.extend(names(&planned.plan));
                let sink = Box::new(lent.again());
                let (outcome, bytes) = machine.run(shots.as_mut(), &planned.plan, sink, monitor, &interrupt)?;
                ended = (outcome, ended.1.max(bytes));
            }
            Ok(ended)
        })();
        let (outcome, device_memory_bytes, mut error) = match ended {
            Ok((outcome, bytes)) => (Some(outcome), bytes, None),
            Err(error) => (None, None, Some(error)),
        };
        let (source, decoding_bytes) = (input.source(), decoder.allocated_bytes());
        let stages = monitor.read();
        let seconds = started.elapsed().as_secs_f64();
        let frames = stages.encode.frames;
        let interrupted = outcome.and_then(|outcome| Interruption::of(outcome, length));
        let place = match (&interrupted, request.destination()) {
            (Some(interruption), _) => interruption.kept.as_deref().map(Path::new),
            (None, Destination::Path(path)) => Some(path).filter(|_| error.is_none()),
            (None, Destination::Nowhere | Destination::Stdout | Destination::Address(_)) => None,
        };
        let file = place.and_then(|path| fs::metadata(path).ok()).filter(Metadata::is_file);
        let whole = place.filter(|_| interrupted.is_none() && file.is_some());
        let bytes = file.map(|found| found.len());
        let chunk = match chunk.filter(|_| error.is_none()).map(|chunk| chunk.finish(&request, whole)).transpose() {
            Ok(chunk) => chunk,
            Err(fault) => {
                error = Some(fault);
                None
            }
        };
        let loss = source.live().and_then(|live| live.loss());
        let loss = loss.map(|loss| anyhow!("{loss}; the output is complete up to there, {frames} frames"));
        let error = error.or(loss);
        let scores = scores.map(|scores| scores.take()).filter(|series| error.is_none() && !series.rows().is_empty());
        let report = Report {
            version: Report::VERSION,
            input: request.input,
            output: request.output,
            format: source.format().to_string(),
            passes,
            remark,
            backend,
            stored,
            streams,
            bytes,
            frames,
            chunk,
            interrupted,
            seconds,
            fps: if seconds > 0.0 { frames as f64 / seconds } else { 0.0 },
            pace: stages.pace_since(&Readings::default()),
            stages,
            gpus: monitor.read_lanes(),
            decoders: monitor.read_decoders(),
            live: source.live().map(|live| live.read()),
            defects: source.defects(),
            frame_memory_bytes: machine.pool.allocated_bytes(),
            decoder: decoder.name,
            metrics: scores.as_ref().map(QualitySummary::of),
            scores,
            device_memory_bytes: device_memory_bytes.map(|bytes| bytes + decoding_bytes),
            error: error.as_ref().map(|error| format!("{error:#}")),
        };
        (report, error.map_or(Ok(()), Err))
    }
}
