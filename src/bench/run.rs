//! Repeating a job, or the filter stage alone, and bringing the times together.
//!
//! A repetition is run twice, in turns: once with nothing measured but the clock at its ends, which gives the throughput,
//! and once with the times of every frame, which tell where the time goes. What the second takes more is what measuring
//! costs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail, ensure};

use super::bound::{self, Use};
use super::repetition::{Cost, Detail, pass, stages};
use super::schema::{FirstCosts, Limits, Overhead, PassTimes, Repetition, Run};
use super::statistic::{Distribution, Estimate, median};
use super::synthetic::{End, StampSink, Stamps, Synthetic};
use super::timeline::Piece;
use super::work::{Work, roofline};
use super::{limit, verdict};
use crate::backend::cuda::{Device, Properties, Tracing};
use crate::frame::Format;
use crate::job::{Destination, GpuChoice, Job, Overwrite, Request, Usage, parse_chain, plan_for};
use crate::pipeline::{CHANNEL_FRAMES, Monitor, Sharing, WhenLost};
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

/// Frames of a run for each GPU, where several share the clip; else 0.
fn turn_frames(request: &Request, format: &Arc<Format>) -> Result<u64> {
    let gpus = match &request.gpus {
        None => return Ok(0),
        Some(GpuChoice::These(gpus)) => gpus.len(),
        Some(GpuChoice::All) => Properties::find_all()?.len(),
    };
    let filters = parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref())?;
    let plan = plan_for(&filters, format, request)?;
    Ok(if gpus > 1 { gpus as u64 * Sharing::of(&plan, WhenLost::Fail).run_frames } else { 0 })
}

/// The time that a repetition of the filter stage should take.
const REPETITION: Duration = Duration::from_secs(1);
/// The same for the warm-up, from which the number of frames is estimated.
const WARM_UP: Duration = Duration::from_millis(400);
/// Fewer frames tell nothing of how their times vary, more only take memory for their times.
const FRAMES: (f64, f64) = (10.0, 20_000.0);

/// A subject that is measured step by step, so that two can take turns.
pub struct Runner {
    request: Request,
    subject: Subject,
    method: Method,
    interrupt: Interrupt,
    lead: u64,
    /// Frames of a run for each of several GPUs; 0 where one filters.
    turn: u64,
    frames: u64,
    opened: Option<Opened>,
    first: Option<Detail>,
    /// The repetitions with the times of every frame.
    details: Vec<Detail>,
    /// The same ones without; none if the input can be read only once.
    plain: Vec<Cost>,
}

/// What a job told when it was opened.
#[derive(Clone)]
struct Opened {
    format: Arc<Format>,
    backend: String,
    passes: Vec<String>,
    work: Vec<Work>,
    device: Option<Device>,
    gpus: Vec<usize>,
    pipes: usize,
}

impl Runner {
    /// Gets ready; nothing is opened yet.
    ///
    /// # Errors
    /// If the output would mix with the report, or nothing would be measured.
    pub fn new(request: Request, subject: Subject, method: Method, interrupt: Interrupt) -> Result<Self> {
        if method.repetitions == 0 {
            bail!(Usage::of(anyhow!("nothing to measure without repetitions; type --repetitions 5")));
        }
        if request.destination() == Destination::Stdout {
            let other = "name a file, a pipe in the file system, null: or hash:FILE as --output";
            bail!(Usage::of(anyhow!("the report goes to stdout; {other}")));
        }
        let (turn, lead) = match &subject {
            Subject::Job => (0, 0),
            Subject::Stage(format) => {
                let turn = turn_frames(&request, format)?;
                // All buffers on the way are made and full by then.
                (turn, (Synthetic::FRAMES + 2 * CHANNEL_FRAMES + request.in_flight) as u64 + 2 * turn)
            }
        };
        let mut runner = Self {
            frames: method.frames.unwrap_or(0),
            request,
            subject,
            method,
            interrupt,
            lead,
            turn,
            opened: None,
            first: None,
            details: Vec::new(),
            plain: Vec::new(),
        };
        if runner.reads_a_pipe() {
            (runner.method.warmups, runner.method.repetitions) = (0, 1);
        }
        Ok(runner)
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
                let frames = (fps * REPETITION.as_secs_f64()).clamp(FRAMES.0, FRAMES.1) as u64;
                // At the end of a clip some of several GPUs have nothing to do: of whole turns that is little.
                self.frames = (self.lead + frames).next_multiple_of(self.turn.max(1)) - self.lead;
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
        let is_pair = !self.reads_a_pipe();
        // A machine that changes its pace within a pair favours neither kind.
        let is_plain_first = self.details.len() % 2 == 1;
        if is_pair && is_plain_first {
            self.once_plain()?;
        }
        let detail = self.once(None)?;
        if is_pair && !is_plain_first {
            self.once_plain()?;
        }
        self.first.get_or_insert_with(|| detail.clone());
        self.details.push(detail);
        Ok(())
    }

    /// How many repetitions are to be counted.
    pub fn repetitions(&self) -> usize {
        self.method.repetitions
    }

    /// The job, and the seconds that opening it took.
    fn open(&self, tracing: Tracing, time: Option<Duration>, stamps: &Arc<Stamps>) -> Result<(Job, f64)> {
        let started = Instant::now();
        let (mut request, interrupt) = (self.request.clone(), self.interrupt.clone());
        request.trace = tracing == Tracing::On;
        let job = match &self.subject {
            Subject::Job => Job::open(request, interrupt)?,
            Subject::Stage(format) => {
                let end = match time {
                    Some(time) => End::Time(self.lead, time),
                    None => End::Frames(self.lead + self.frames),
                };
                let source = Box::new(Synthetic::new(format.clone(), end, interrupt));
                Job::between(request, source, Box::new(StampSink::new(self.lead, stamps.clone())))?
            }
        };
        Ok((job, started.elapsed().as_secs_f64()))
    }

    /// What was read from a pipe cannot be read again.
    fn reads_a_pipe(&self) -> bool {
        self.request.input == "-" && matches!(self.subject, Subject::Job)
    }

    fn once_plain(&mut self) -> Result<()> {
        let stamps = Arc::default();
        let (job, open_s) = self.open(Tracing::Off, None, &stamps)?;
        self.plain.push(Cost::of(job, open_s, &Monitor::default(), &stamps)?);
        self.go_on()
    }

    fn once(&mut self, time: Option<Duration>) -> Result<Detail> {
        let stamps = Arc::default();
        let (job, open_s) = self.open(Tracing::On, time, &stamps)?;
        if self.opened.is_none() {
            self.opened = Some(Opened {
                format: job.format().clone(),
                backend: job.backend().to_owned(),
                passes: job.plan().steps.iter().map(|step| step.pass.name.clone()).collect(),
                work: Work::of(job.plan()),
                device: job.device().cloned(),
                gpus: job.gpus(),
                pipes: bound::pipes(&self.request, job.is_plain()),
            });
        }
        // The output of the first run is our own from now on.
        self.request.overwrite = Overwrite::Replace;
        let detail = Detail::of(job, open_s, &stamps, self.lead as usize)?;
        self.go_on()?;
        Ok(detail)
    }

    fn go_on(&self) -> Result<()> {
        if self.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            bail!("interrupted");
        }
        Ok(())
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

    /// Some frames of the last repetition piece by piece, for the picture of the overlap; empty before it was run.
    pub fn pieces(&self) -> &[Piece] {
        self.details.last().map_or(&[], |detail| &detail.timeline.pieces)
    }

    /// Brings the times together.
    ///
    /// # Errors
    /// If nothing was measured.
    pub fn result(&self, limits: &Limits) -> Result<Run> {
        let (Some(opened), Some(first)) = (&self.opened, &self.first) else { bail!("nothing was run") };
        let costs: Vec<&Cost> = if self.plain.is_empty() {
            self.details.iter().map(|detail| &detail.cost).collect()
        } else {
            self.plain.iter().collect()
        };
        let repetitions: Vec<Repetition> = costs.iter().map(|cost| cost.repetition()).collect();
        ensure!(repetitions.iter().all(|repetition| repetition.frames > 0), "the clip has no frames to measure");
        let rates: Vec<f64> = repetitions.iter().map(|one| one.frames as f64 / one.seconds).collect();
        let fps = Estimate::of(&rates);
        let stages = stages(&self.details, limits, opened.format.packed_bytes());
        let roof = roofline(limits);
        let passes: Vec<PassTimes> = (0..opened.passes.len())
            .map(|index| {
                let times = self.details.iter().flat_map(|detail| detail.timeline.passes[index].iter().copied());
                pass(&opened.passes[index], &opened.work[index], Distribution::of_us(times), &roof)
            })
            .collect();
        let bounds = bound::bounds(
            &Use {
                fps: fps.mean,
                frame_bytes: opened.format.packed_bytes(),
                work: &opened.work,
                stages: &stages,
                is_job: matches!(self.subject, Subject::Job),
                pipes: opened.pipes,
                cores: median(&costs.iter().map(|cost| cost.cores).collect::<Vec<_>>()),
                gpus: opened.gpus.len(),
            },
            limits,
        );
        let total = |of: fn(&Work) -> u64| opened.work.iter().map(of).sum::<u64>() as f64;
        let pixels = (opened.format.width * opened.format.height) as f64;
        let again = |of: fn(&Detail) -> f64| median(&self.details.iter().map(of).collect::<Vec<_>>());
        let open_s = |detail: &Detail| detail.cost.open_s;
        let frame_s = |detail: &Detail| detail.timeline.first_frame_us / 1e6;
        let mut run = Run {
            chain: self.request.chain.join(","),
            input: match self.subject {
                Subject::Job => self.request.input.clone(),
                Subject::Stage(_) => "synthetic".to_owned(),
            },
            output: self.request.output.clone(),
            format: opened.format.to_string(),
            backend: opened.backend.clone(),
            gpus: opened.gpus.clone(),
            gain: None,
            lead_frames: self.lead,
            megapixel_s: fps.mean * pixels / 1e6,
            gb_s: fps.mean * total(|work| work.bytes) / 1e9,
            gop_s: fps.mean * total(|work| work.operations) / 1e9,
            verdict: verdict::sentence(&stages),
            remarks: verdict::remarks(&repetitions, &fps),
            stages,
            passes,
            bounds,
            overhead: self.overhead(),
            first: FirstCosts {
                open_s: open_s(first),
                open_again_s: again(open_s),
                frame_s: frame_s(first),
                frame_again_s: again(frame_s),
            },
            repetitions,
            fps,
        };
        run.remarks.extend(bound::faults(&run));
        Ok(run)
    }

    /// What measuring costs, if each repetition was run twice.
    fn overhead(&self) -> Option<Overhead> {
        let pairs = self.details.iter().map(|detail| &detail.cost).zip(&self.plain);
        let ratios = |of: fn(&Cost) -> f64| {
            let ratios: Vec<f64> = pairs.clone().map(|(with, without)| of(with) / of(without).max(1e-9)).collect();
            let estimate = Estimate::of(&ratios);
            [estimate.median, estimate.min, estimate.max]
        };
        let (time, processor_time) = (ratios(|cost| cost.seconds), ratios(|cost| cost.processor_s));
        (!self.plain.is_empty()).then_some(Overhead { pairs: self.plain.len(), time, processor_time })
    }
}
