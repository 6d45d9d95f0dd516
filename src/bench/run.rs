//! Repeating a job, or the filter stage alone, and bringing the times together.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use super::schema::{FirstCosts, Limits, PassTimes, Repetition, Run, Stage};
use super::statistic::{Distribution, Estimate, median};
use super::synthetic::{End, Synthetic};
use super::timeline::{TRACKS, Timeline};
use super::work::{Ceiling, Work};
use super::{limit, machine, verdict};
use crate::backend::cuda::Device;
use crate::frame::Format;
use crate::job::{Job, Overwrite, Request};
use crate::pipeline::{CHANNEL_FRAMES, Monitor, Reading, Readings};
use crate::sink::null::Null;
use crate::source::Interrupt;

/// What is measured.
#[derive(Clone, Debug)]
pub enum Subject {
    /// The whole job, from file or pipe to file or pipe.
    Job,
    /// The filter stage alone, on frames of this format that lie in memory.
    Stage(Arc<Format>),
}

/// How it is measured.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Repetitions before those that count.
    pub warmups: usize,
    /// Repetitions that count; at least 1.
    pub repetitions: usize,
    /// Frames of a repetition of the filter stage alone; `None` is as many as take about a second.
    pub frames: Option<u64>,
}

/// The time that a repetition of the filter stage should take.
const REPETITION: Duration = Duration::from_secs(1);
/// The same for the warm-up, from which the number of frames is estimated.
const WARM_UP: Duration = Duration::from_millis(400);
/// Fewer frames tell nothing of how their times vary, more only take memory for their times.
const FRAMES: (f64, f64) = (10.0, 20_000.0);

/// One repetition in detail, for `--csv`.
#[derive(Clone, Debug)]
pub struct Detail {
    /// All times.
    pub timeline: Timeline,
    open_s: f64,
    readings: Readings,
    seconds: f64,
}

/// A subject that is measured step by step, so that two can take turns.
pub struct Runner {
    request: Request,
    subject: Subject,
    method: Method,
    interrupt: Interrupt,
    load: Option<f64>,
    lead: u64,
    frames: u64,
    opened: Option<Opened>,
    first: Option<Detail>,
    details: Vec<Detail>,
}

/// What a job told when it was opened.
#[derive(Clone)]
struct Opened {
    format: Arc<Format>,
    backend: String,
    passes: Vec<String>,
    work: Vec<Work>,
    device: Option<Device>,
}

impl Runner {
    /// Gets ready; nothing is opened yet.
    ///
    /// # Errors
    /// If the output would mix with the report, or nothing would be measured.
    pub fn new(mut request: Request, subject: Subject, mut method: Method, interrupt: Interrupt) -> Result<Self> {
        ensure!(method.repetitions > 0, "no repetition tells nothing; type --repetitions 5");
        ensure!(
            request.output != "-" && request.output != "hash:",
            "the report goes to stdout; name a file, a pipe in the file system, null: or hash:FILE as --output"
        );
        request.trace = true;
        if request.input == "-" && matches!(subject, Subject::Job) {
            // What was read from a pipe cannot be read again.
            (method.warmups, method.repetitions) = (0, 1);
        }
        let lead = match subject {
            Subject::Job => 0,
            // All buffers on the way are made and full by then.
            Subject::Stage(_) => (Synthetic::FRAMES + 2 * CHANNEL_FRAMES + request.in_flight) as u64,
        };
        Ok(Self {
            request,
            subject,
            method,
            interrupt,
            load: machine::load(),
            lead,
            frames: method.frames.unwrap_or(0),
            opened: None,
            first: None,
            details: Vec::new(),
        })
    }

    /// Runs what is not counted.
    ///
    /// # Errors
    /// If the job fails or is interrupted.
    pub fn warm_up(&mut self) -> Result<()> {
        // Without a number of frames, the first warm-up is there to find one.
        let estimate = matches!(self.subject, Subject::Stage(_)) && self.method.frames.is_none();
        for index in 0..self.method.warmups.max(usize::from(estimate)) {
            let detail = self.once(if index == 0 && estimate { Some(WARM_UP) } else { None })?;
            if index == 0 && estimate {
                let fps = detail.timeline.frames as f64 / (detail.timeline.length_us / 1e6).max(1e-9);
                self.frames = (fps * REPETITION.as_secs_f64()).clamp(FRAMES.0, FRAMES.1) as u64;
            }
            self.first.get_or_insert(detail);
        }
        Ok(())
    }

    /// Runs one repetition that counts.
    ///
    /// # Errors
    /// If the job fails or is interrupted.
    pub fn repeat(&mut self) -> Result<()> {
        let detail = self.once(None)?;
        self.first.get_or_insert_with(|| detail.clone());
        self.details.push(detail);
        Ok(())
    }

    /// How many repetitions are to be counted.
    pub fn repetitions(&self) -> usize {
        self.method.repetitions
    }

    fn once(&mut self, time: Option<Duration>) -> Result<Detail> {
        let started = Instant::now();
        let (request, interrupt) = (self.request.clone(), self.interrupt.clone());
        let job = match &self.subject {
            Subject::Job => Job::open(request, interrupt)?,
            Subject::Stage(format) => {
                let end = match time {
                    Some(time) => End::Time(self.lead, time),
                    None => End::Frames(self.lead + self.frames),
                };
                let source = Box::new(Synthetic::new(format.clone(), end));
                Job::between(request, source, Box::new(Null), interrupt)?
            }
        };
        let open_s = started.elapsed().as_secs_f64();
        let lead = self.lead + if self.lead > 0 { job.plan().latency() as u64 } else { 0 };
        if self.opened.is_none() {
            self.opened = Some(Opened {
                format: job.format().clone(),
                backend: job.backend().to_owned(),
                passes: job.plan().passes.iter().map(|pass| pass.name.clone()).collect(),
                work: Work::of(job.plan()),
                device: job.device().cloned(),
            });
        }
        // The output of the first run is our own from now on.
        self.request.overwrite = Overwrite::Replace;
        let detail = Detail::of(job, lead as usize, open_s)?;
        if self.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            bail!("interrupted");
        }
        Ok(detail)
    }

    /// Measures the limits of the machine that filtered.
    ///
    /// # Errors
    /// As [`limit::measure`]; also if nothing was run.
    pub fn limits(&self) -> Result<Limits> {
        let Some(opened) = &self.opened else { bail!("nothing was run") };
        limit::measure(opened.format.packed_bytes(), self.request.threads, opened.device.as_ref())
    }

    /// The GPU that filtered, if one did.
    pub fn device(&self) -> Option<&Device> {
        self.opened.as_ref()?.device.as_ref()
    }

    /// The repetitions that count.
    pub fn details(&self) -> &[Detail] {
        &self.details
    }

    /// Brings the times together.
    ///
    /// # Errors
    /// If nothing was measured.
    pub fn result(&self, limits: &Limits) -> Result<Run> {
        let (Some(opened), Some(first)) = (&self.opened, &self.first) else { bail!("nothing was run") };
        let repetitions: Vec<Repetition> = self.details.iter().map(Detail::repetition).collect();
        ensure!(repetitions.iter().all(|repetition| repetition.frames > 0), "the clip has no frames to measure");
        let rates: Vec<f64> = repetitions.iter().map(|one| one.frames as f64 / one.seconds).collect();
        let fps = Estimate::of(&rates);
        let stages = stages(&self.details, limits, opened.format.packed_bytes());
        let ceiling = Ceiling::of(limits);
        let passes: Vec<PassTimes> = (0..opened.passes.len())
            .map(|index| {
                let times = self.details.iter().flat_map(|detail| detail.timeline.passes[index].iter().copied());
                pass(&opened.passes[index], &opened.work[index], Distribution::of_us(times), &ceiling)
            })
            .collect();
        let total = |of: fn(&Work) -> u64| opened.work.iter().map(of).sum::<u64>() as f64;
        let pixels = (opened.format.width * opened.format.height) as f64;
        let again = |of: fn(&Detail) -> f64| median(&self.details.iter().map(of).collect::<Vec<_>>());
        let open_s = |detail: &Detail| detail.open_s;
        let frame_s = |detail: &Detail| detail.timeline.first_frame_us / 1e6;
        Ok(Run {
            chain: self.request.chain.join(","),
            input: match self.subject {
                Subject::Job => self.request.input.clone(),
                Subject::Stage(_) => "synthetic".to_owned(),
            },
            output: self.request.output.clone(),
            format: opened.format.to_string(),
            backend: opened.backend.clone(),
            lead_frames: self.lead,
            megapixel_s: fps.mean * pixels / 1e6,
            gb_s: fps.mean * total(|work| work.bytes) / 1e9,
            gop_s: fps.mean * total(|work| work.operations) / 1e9,
            verdict: verdict::sentence(&stages),
            remarks: verdict::remarks(&repetitions, &fps, self.load),
            stages,
            passes,
            first: FirstCosts {
                open_s: open_s(first),
                open_again_s: again(open_s),
                frame_s: frame_s(first),
                frame_again_s: again(frame_s),
            },
            timeline: self.details.last().map(|detail| detail.timeline.pieces.clone()).unwrap_or_default(),
            repetitions,
            fps,
        })
    }
}

impl Detail {
    /// Runs a job, not counting the first `lead` frames.
    ///
    /// # Errors
    /// If the job fails.
    pub fn of(job: Job, lead: usize, open_s: f64) -> Result<Self> {
        let passes: Vec<String> = job.plan().passes.iter().map(|pass| pass.name.clone()).collect();
        let monitor = Monitor::traced();
        let report = job.run(&monitor)?;
        let spans = monitor.trace.as_ref().map(|trace| trace.spans()).unwrap_or_default();
        let timeline = Timeline::of(&spans, &passes, lead);
        Ok(Self { timeline, open_s, readings: report.stages, seconds: report.seconds })
    }

    fn repetition(&self) -> Repetition {
        let Timeline { frames, length_us, .. } = self.timeline;
        Repetition { frames, seconds: length_us / 1e6, open_s: self.open_s }
    }
}

/// The stages of all repetitions together.
pub fn stages(details: &[Detail], limits: &Limits, frame_bytes: usize) -> Vec<Stage> {
    let length_us: f64 = details.iter().map(|detail| detail.timeline.length_us).sum();
    let seconds: f64 = details.iter().map(|detail| detail.seconds).sum();
    let stage = |&name: &&str| {
        let tracks = || details.iter().flat_map(|detail| &detail.timeline.tracks).filter(|track| track.name == name);
        tracks().next()?;
        let readings: Option<Vec<Reading>> = details.iter().map(|detail| reading(&detail.readings, name)).collect();
        let part = |of: fn(&Reading) -> f64| {
            readings.as_ref().map(|readings| readings.iter().map(of).sum::<f64>() / seconds.max(1e-9))
        };
        let per_frame = Distribution::of_us(tracks().flat_map(|track| track.per_frame_us.iter().copied()));
        let bus_gb_s = limits.device.and_then(|device| match name {
            "upload" => Some(device.pinned_up_gb_s),
            "download" => Some(device.pinned_down_gb_s),
            _ => None,
        });
        Some(Stage {
            name: name.to_owned(),
            busy: (tracks().map(|track| track.busy_us).sum::<f64>() / length_us.max(1e-3)).min(1.0),
            starved: part(|reading| reading.starved_s),
            blocked: part(|reading| reading.blocked_s),
            share: bus_gb_s.map(|gb_s| frame_bytes as f64 / (gb_s * 1e6) / per_frame.p50_ms.max(1e-9)),
            per_frame,
        })
    };
    TRACKS.iter().filter_map(stage).collect()
}

fn reading(readings: &Readings, name: &str) -> Option<Reading> {
    match name {
        "decode" => Some(readings.decode),
        "filter" => Some(readings.filter),
        "encode" => Some(readings.encode),
        _ => None,
    }
}

fn pass(name: &str, work: &Work, per_frame: Distribution, ceiling: &Ceiling) -> PassTimes {
    let ms = per_frame.p50_ms.max(1e-9);
    let (memory_ms, arithmetic_ms) = work.least_ms(ceiling);
    let least_ms = memory_ms.max(arithmetic_ms);
    PassTimes {
        name: name.to_owned(),
        bytes: work.bytes,
        operations: work.operations,
        gb_s: work.bytes as f64 / (ms * 1e6),
        gop_s: work.operations as f64 / (ms * 1e6),
        least_ms,
        share: least_ms / ms,
        bound: if memory_ms >= arithmetic_ms { "memory" } else { "arithmetic" }.to_owned(),
        per_frame,
    }
}
