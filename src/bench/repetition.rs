//! One repetition of a job: what it took, in all and in detail; and what several make of a stage and of a pass.

use anyhow::Result;

use super::cpu::CountedCpu;
use super::fault::FaultWatch;
use super::machine::{Load, LoadMeter};
use super::partner::PartnerWatch;
use super::process::ProcessUsage;
use super::schema::{Limits, PassTimes, Repetition, Stage};
use super::second::SlowSecond;
use super::slow::{Circumstances, CoreWait, SlowFrame, slowest};
use super::statistic::Distribution;
use super::synthetic::Stamps;
use super::thread::{CoreMoment, ThreadWatch};
use super::timeline::{TRACKS, Timeline, Track};
use super::work::{Traffic, Work};
use crate::job::Job;
use crate::pipeline::Monitor;
use crate::plan::Roofline;
use crate::thread::cores;

/// One repetition in detail, for `--csv`.
#[derive(Clone, Debug)]
pub struct Detail {
    /// All times.
    pub timeline: Timeline,
    /// What it took.
    pub cost: Cost,
    /// CPU time by stage, where that was watched.
    pub cpu: Option<CountedCpu>,
    /// Its slowest frames, the slowest first.
    pub slowest: Vec<SlowFrame>,
    /// Its slowest second.
    pub second: SlowSecond,
}

/// What a repetition took.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Opening the input, preparing the passes and the output.
    pub open_s: f64,
    /// The frames that count.
    pub frames: u64,
    /// How long they took, by a clock that runs with and without a trace.
    pub seconds: f64,
    /// Time of the whole run.
    pub wall_s: f64,
    /// Seconds of cores that the program used, all of them together.
    pub processor_s: f64,
    /// The same of those that there were, 0 to 1.
    pub cores: f64,
    /// How many cores other programs used meanwhile, on average; `None` where the system does not tell.
    pub others: Option<f64>,
    /// The program's time and memory, as the system counts them; `None` where it does not.
    pub usage: Option<ProcessUsage>,
}

impl Cost {
    /// Runs a job, which was opened in `open_s`. `stamps` are those of its sink, if that is a
    /// [`super::synthetic::StampSink`].
    ///
    /// # Errors
    /// If the job fails.
    pub fn of(job: Job, open_s: f64, monitor: &Monitor, stamps: &Stamps) -> Result<Self> {
        let (partners, meter) = (PartnerWatch::start(job.request()), LoadMeter::start());
        let before = ProcessUsage::start();
        let report = job.run(monitor)?;
        let Load { wall_s, processor_s, others } = meter.finish(partners.finish());
        let usage = ProcessUsage::now().zip(before).map(|(now, before)| now.since(before));
        let cores = processor_s / (wall_s * cores() as f64).max(1e-9);
        let (frames, seconds) = match stamps.seconds() {
            Some(seconds) => (stamps.frames(), seconds),
            None => (report.frames, report.seconds),
        };
        Ok(Self { open_s, frames, seconds, wall_s, processor_s, cores, others, usage })
    }

    /// As it is written down.
    pub fn repetition(&self) -> Repetition {
        let Self { frames, seconds, open_s, cores, others, usage, .. } = *self;
        Repetition { frames, seconds, open_s, cores: Some(cores), others: others.map(|others| others.max(0.0)), usage }
    }

    /// How many cores other programs used during several repetitions, on average over all of their time; `None` where that is not
    /// known.
    pub fn others(costs: &[&Self]) -> Option<f64> {
        let known = || costs.iter().filter_map(|cost| Some((cost.others? * cost.wall_s, cost.wall_s)));
        let (core_s, wall_s) =
            known().fold((0.0, 0.0), |(core_s, wall_s), (more, time)| (core_s + more, wall_s + time));
        (wall_s > 0.0).then(|| (core_s / wall_s).max(0.0))
    }
}

impl Detail {
    /// Runs a job, not counting the first `lead` frames. `stamps` are those of its sink, if that is a
    /// [`super::synthetic::StampSink`].
    ///
    /// # Errors
    /// If the job fails.
    pub fn of(job: Job, open_s: f64, stamps: &Stamps, lead: usize) -> Result<Self> {
        let passes: Vec<String> = job.plan().steps().iter().map(|step| step.pass.name.clone()).collect();
        let is_one_for_one = job.plan().count_changes().next().is_none();
        let (watch, faults) = (ThreadWatch::start(), FaultWatch::default());
        let monitor = Monitor::traced().watched_by(watch.looker()).counted_by(faults.counter());
        let cost = Cost::of(job, open_s, &monitor, stamps)?;
        let (stages, moments) = watch.finish();
        let trace = monitor.trace.as_ref();
        let spans = trace.map(|trace| trace.spans()).unwrap_or_default();
        let wait = |moment: &CoreMoment| CoreWait {
            at_us: trace.map_or(0.0, |trace| 1e6 * moment.at.duration_since(trace.started()).as_secs_f64()),
            no_core_us: moment.no_core_s.map(|no_core_s| no_core_s.map(|seconds| 1e6 * seconds)),
        };
        let circumstances = Circumstances { waits: moments.iter().map(wait).collect(), faults: faults.take() };
        let slowest = slowest(&spans, lead, &circumstances);
        let cpu = CountedCpu { wall_s: cost.wall_s, process_s: cost.processor_s, stages };
        let mut timeline = Timeline::of(&spans, &passes, lead);
        if !is_one_for_one {
            // Frames that leave are not those that were decoded.
            timeline.latency_us.fill(f64::NAN);
        }
        Ok(Self { timeline, cost, cpu: Some(cpu), slowest, second: SlowSecond::of(&spans, lead) })
    }
}

/// The stages of all repetitions together.
pub fn stages(details: &[Detail], limits: &Limits, traffic: Traffic, is_decoded_on_gpu: bool) -> Vec<Stage> {
    let length_us: f64 = details.iter().map(|detail| detail.timeline.length_us).sum();
    let has_queues = |track: &Track| matches!(track.kind, "upload" | "compute" | "download");
    let all = || details.iter().flat_map(|detail| &detail.timeline.tracks);
    let mut names: Vec<(&str, &str)> = Vec::new();
    for kind in TRACKS {
        let own = all().filter(|track| track.kind == kind).map(|track| (kind, track.name.as_str()));
        for name in own {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let stage = |(kind, name): (&str, &str)| {
        let tracks: Vec<&Track> = all().filter(|track| track.name == name).collect();
        let is_queue = has_queues(tracks.first()?);
        let part = |of: fn(&Track) -> f64| tracks.iter().map(|track| of(track)).sum::<f64>() / length_us.max(1e-3);
        let thread = |of: fn(&Track) -> f64| (!is_queue).then(|| part(of));
        let per_frame = Distribution::of_us(tracks.iter().flat_map(|track| track.per_frame_us.iter().copied()));
        let bus = limits.device.and_then(|device| match kind {
            // What the GPU has decoded does not cross the bus.
            "upload" if !is_decoded_on_gpu => Some((device.pinned_up_gb_s, traffic.incoming)),
            "download" => Some((device.pinned_down_gb_s, traffic.outgoing)),
            _ => None,
        });
        let waits_for_device =
            kind == "filter" && details.iter().any(|detail| detail.timeline.tracks.iter().any(has_queues));
        Some(Stage {
            name: name.to_owned(),
            busy: part(|track| track.busy_us),
            starved: thread(|track| track.starved_us),
            blocked: thread(|track| track.blocked_us),
            device: if waits_for_device { thread(|track| track.device_us) } else { None },
            idle: thread(|track| track.idle_us),
            share: bus.map(|(gb_s, bytes)| bytes / (gb_s * 1e6) / per_frame.p50_ms.max(1e-9)),
            per_frame,
        })
    };
    names.into_iter().filter_map(stage).collect()
}

/// The times of one pass, against the limits.
pub fn pass(name: &str, work: &Work, per_frame: Distribution, roof: &Roofline) -> PassTimes {
    let ms = per_frame.p50_ms.max(1e-9);
    let (memory_ms, arithmetic_ms) = (roof.memory_ms(work.bytes), roof.arithmetic_ms(&work.needed));
    let least_ms = memory_ms.max(arithmetic_ms);
    PassTimes {
        name: name.to_owned(),
        bytes: work.bytes,
        operations: work.operations,
        needed: work.needed,
        runs: work.runs,
        gb_s: work.bytes as f64 / (ms * 1e6),
        gop_s: work.operations as f64 / (ms * 1e6),
        least_ms,
        share: least_ms / ms,
        bound: if memory_ms >= arithmetic_ms { "memory" } else { "arithmetic" }.to_owned(),
        per_frame,
    }
}
