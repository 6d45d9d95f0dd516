//! Repeating a job, or the filter stage alone, and bringing the times together.
//!
//! A repetition is run twice, in turns: once with nothing measured but the clock at its ends, which gives the throughput,
//! and once with the times of every frame, which tell where the time goes. What the second takes more is what measuring
//! costs.

mod summary;

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::backend::cuda::{Device, Properties, Tracing};

use crate::bench::bound::{self, Pipes};
use crate::bench::limit;
use crate::bench::rate::{self, MeasuredStages};
use crate::bench::repetition::{Cost, Detail};
use crate::bench::schema::Limits;
use crate::bench::second::SlowSecond;
use crate::bench::shot;
use crate::bench::slow::{SlowFrame, note_packets, slowest_of};
use crate::bench::synthetic::{End, StampSink, Stamps, Synthetic};
use crate::bench::timeline::Piece;
use crate::bench::work::{Traffic, Work};
use crate::frame::Format;
use crate::job::{Destination, GpuChoice, Job, Overwrite, Request, Usage, VideoChoice, parse_chain, plan_for};
use crate::pipeline::{CHANNEL_FRAMES, Monitor, Sharing, WhenLost};
use crate::source::{CancelToken, FrameTime};

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
    interrupt: CancelToken,
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
    /// The stages alone and the job without each of them, or why they were not measured.
    alone: Result<MeasuredStages, String>,
    /// The packet of each frame of the clip; empty where that is not known.
    packets: Vec<FrameTime>,
    /// The slowest frames of all repetitions; none before the last.
    slowest: Vec<SlowFrame>,
    /// What a shell does before each repetition.
    prepare: Option<String>,
}

/// What a job told when it was opened.
#[derive(Clone)]
struct Opened {
    format: Arc<Format>,
    /// Format of frames that leave the chain.
    output: Arc<Format>,
    backend: String,
    passes: Vec<String>,
    work: Vec<Work>,
    traffic: Traffic,
    device: Option<Device>,
    gpus: Vec<usize>,
    pipes: Pipes,
    /// Decoder, where frames are coded.
    decoder: Option<String>,
}

impl Opened {
    /// Whether frames come to lie on the GPU by being decoded there.
    fn is_decoded_on_gpu(&self) -> bool {
        self.decoder.as_ref().is_some_and(|decoder| !decoder.starts_with("software"))
    }
}

impl Runner {
    /// Gets ready; nothing is opened yet.
    ///
    /// # Errors
    /// If the output would mix with the report, or nothing would be measured.
    pub fn new(request: Request, subject: Subject, method: Method, interrupt: CancelToken) -> Result<Self> {
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
            alone: Ok(MeasuredStages::default()),
            packets: Vec::new(),
            slowest: Vec::new(),
            prepare: None,
        };
        if runner.reads_a_pipe() {
            (runner.method.warmups, runner.method.repetitions) = (0, 1);
        }
        Ok(runner)
    }

    /// The same, with what a shell does before each repetition. Its output is left out.
    pub fn prepared_by(self, prepare: Option<String>) -> Self {
        Self { prepare, ..self }
    }

    fn prepare(&self) -> Result<()> {
        let Some(command) = &self.prepare else { return Ok(()) };
        let mut shell = Command::new("sh");
        let status = shell.args(["-c", command]).stdin(Stdio::null()).stdout(Stdio::null()).status();
        let status = status.with_context(|| format!("--prepare {command:?}: run sh"))?;
        ensure!(status.success(), "--prepare {command:?} failed with {status}; try it in a shell");
        Ok(())
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

    /// Measures the stages of a job alone, and looks for reasons of the slowest frames in the clip, where its input can be read
    /// again. Called after the last repetition.
    ///
    /// # Errors
    /// If it is interrupted.
    pub fn measure_alone(&mut self) -> Result<()> {
        self.slowest = slowest_of(self.details.iter().map(|detail| &detail.slowest[..]));
        let Some(opened) = &self.opened else { return Ok(()) };
        let Request { input, videos, chunk, chunks_from, .. } = &self.request;
        let is_special = fs::metadata(input).is_ok_and(|found| !found.is_file());
        let is_part = *videos != VideoChoice::First || chunk.is_some() || chunks_from.is_some();
        if matches!(self.subject, Subject::Stage(_)) || input == "-" || is_special || is_part {
            return Ok(());
        }
        let decoding = opened.device.as_ref().filter(|_| opened.is_decoded_on_gpu());
        let alone = rate::measure(&self.request, decoding, !opened.passes.is_empty(), &self.interrupt);
        self.go_on()?;
        self.alone = alone.map_err(|error| format!("{error:#}"));
        self.packets = rate::packets(&self.request, &self.interrupt).unwrap_or_default();
        // Where a chain changes how many frames there are, those that leave are not those of the packets.
        if self.details.iter().any(|detail| detail.cost.frames != self.packets.len() as u64) {
            self.packets.clear();
            return Ok(());
        }
        note_packets(&mut self.slowest, &self.packets);
        // A reason that is not found is none: the job itself has read the clip.
        shot::find(&self.request, &mut self.slowest, &self.interrupt).ok();
        self.go_on()
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
        self.prepare()?;
        let stamps = Arc::default();
        let (job, open_s) = self.open(Tracing::Off, None, &stamps)?;
        self.plain.push(Cost::of(job, open_s, &Monitor::default(), &stamps)?);
        self.go_on()
    }

    fn once(&mut self, time: Option<Duration>) -> Result<Detail> {
        self.prepare()?;
        let stamps = Arc::default();
        let (job, open_s) = self.open(Tracing::On, time, &stamps)?;
        if self.opened.is_none() {
            self.opened = Some(Opened {
                format: job.format().clone(),
                output: job.plan().output(),
                backend: job.backend().to_owned(),
                passes: job.plan().steps().iter().map(|step| step.pass.name.clone()).collect(),
                work: Work::of(job.plan()),
                traffic: Traffic::of(job.plan()),
                device: job.device().cloned(),
                gpus: job.gpus(),
                pipes: bound::pipes(&self.request, job.is_plain()),
                decoder: job.decoder().map(str::to_owned),
            });
        }
        // The output of the first run is our own from now on.
        self.request.overwrite = Overwrite::Replace;
        let detail = Detail::of(job, open_s, &stamps, self.lead as usize)?;
        self.go_on()?;
        Ok(detail)
    }

    fn go_on(&self) -> Result<()> {
        if self.interrupt.is_cancelled() {
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
        limit::measure(opened.format.packed_bytes(), self.request.threads.filter, opened.device.as_ref())
    }

    /// The GPU that filtered, if one did.
    pub fn device(&self) -> Option<&Device> {
        self.opened.as_ref()?.device.as_ref()
    }

    /// The repetitions that count.
    pub fn details(&self) -> &[Detail] {
        &self.details
    }

    /// The slowest second of all repetitions; none before one was run.
    pub fn slowest_second(&self) -> Option<&SlowSecond> {
        SlowSecond::slowest(self.details.iter().map(|detail| &detail.second))
    }

    /// The packet of each frame of the clip, in their order; empty where that is not known.
    pub fn packets(&self) -> &[FrameTime] {
        &self.packets
    }

    /// Some frames of the last repetition piece by piece, for the picture of the overlap; empty before it was run.
    pub fn pieces(&self) -> &[Piece] {
        self.details.last().map_or(&[], |detail| &detail.timeline.pieces)
    }
}
