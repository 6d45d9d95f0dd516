//! Stand-ins for source, backend and sink that count, and fail when told to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use warpreel::backend::{Backend, Inputs};
use warpreel::frame::{Attachment, Format, Frame, Pixel, Pool, Rational, Timing};
use warpreel::pass::{Answers, Arithmetic, Blend, Border, Finish, Op, Pass, Questions, Separable, Taps, TimeBorder};
use warpreel::pipeline::{FilterLane, Lanes, Monitor, Pipeline, RunOutcome, Sharing, WhenLost};
use warpreel::plan::{Bypass, Guard, Plan};
use warpreel::source::{CancelToken, Source};

use super::collector::{Collector, Log, Written};

/// What rides on the end of every clip here.
pub const TRAILER: u64 = 4711;

/// Where a run fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    Source,
    Upload,
    Run,
    Measure,
    Read,
    Download,
    Wait,
    Sink,
    Finish,
}

/// Fails in one place, at one count of calls.
#[derive(Clone, Copy)]
pub struct Trap {
    fault: Option<Fault>,
    at: u64,
}

impl Trap {
    pub fn check(self, here: Fault, count: u64) -> Result<()> {
        if self.fault == Some(here) && count == self.at {
            bail!("{here:?} failed at {count}");
        }
        Ok(())
    }
}

/// A pass that needs `reach` frames on either side.
pub fn pass(reach: usize, border_t: TimeBorder) -> Pass {
    let t = Taps { weights: vec![1.0; 2 * reach + 1], anchor: reach };
    let op = Separable {
        t,
        x: Taps::identity(),
        y: Taps::identity(),
        arithmetic: Arithmetic::Integer,
        border: Border::Clamp,
        finish: Finish::PLAIN,
    };
    Pass::new(format!("sum={reach}"), vec![Op::Separable(op)], border_t)
}

/// A pass that blends.
pub fn blend() -> Pass {
    let op = Op::Blend(Blend::Even(0.5));
    Pass::new("blend", vec![op], TimeBorder::Clamp)
}

/// When frame `number` is shown: at uneven times.
pub fn time_of(number: u64) -> (i64, i64) {
    let number = number as i64;
    (number * 10 + number % 3, 10 + number % 2)
}

/// A whole pipeline of stand-ins.
pub struct Rig {
    source: Clip,
    plan: Plan,
    backend: Adder,
    /// Where several backends share the clip.
    lanes: Option<Lanes<Adder>>,
    sink: Option<Box<Collector>>,
    log: Arc<Mutex<Log>>,
    pub pool: Pool,
    pub interrupt: CancelToken,
    pub monitor: Monitor,
}

impl Rig {
    /// A clip of `length` frames through `passes`.
    pub fn new(length: u64, passes: Vec<Pass>) -> Self {
        let trap = Trap { fault: None, at: 0 };
        let pool = Pool::heap();
        let format = Arc::new(Format::new(Pixel::gray(16), 1, 1, Rational::new(25, 1)));
        let log = Arc::new(Mutex::new(Log::default()));
        let interrupt = CancelToken::default();
        let sample = |number| number as u16 + 1;
        Self {
            plan: Plan::from_passes(&format, passes).expect("passes for the format"),
            source: Clip {
                format,
                first: 0,
                length,
                next: 0,
                sample,
                held: None,
                trap,
                interrupt: interrupt.clone(),
                end: None,
                is_over: false,
            },
            backend: Adder {
                pool: pool.clone(),
                trap,
                counts: [0; 6],
                runs: HashMap::new(),
                in_flight: 0,
                unread: 0,
                most_unread: 0,
                delay: Duration::ZERO,
            },
            lanes: None,
            sink: Some(Box::new(Collector { log: log.clone(), trap, delay: Duration::ZERO })),
            log,
            pool,
            interrupt,
            monitor: Monitor::default(),
        }
    }

    /// Takes memory from this pool.
    pub fn pooled(mut self, pool: Pool) -> Self {
        self.backend.pool = pool.clone();
        self.pool = pool;
        self
    }

    /// Gives passes a way round them.
    pub fn bypassed(mut self, bypasses: Vec<Bypass>) -> Self {
        self.plan = self.plan.with_bypasses(bypasses).expect("ways round passes of the plan");
        self
    }

    /// Shares the clip out to so many backends, each as the one was told to be until now, in runs of so many frames.
    pub fn shared(mut self, lanes: usize, run_frames: u64, when_lost: WhenLost) -> Self {
        let lane = |gpu| FilterLane { gpu, name: format!("lane {gpu}"), backend: self.backend.clone() };
        let lanes = (0..lanes).map(lane).collect();
        self.lanes = Some(Lanes { lanes, sharing: Sharing { run_frames, when_lost } });
        self
    }

    /// Lets one of several backends fail.
    pub fn fail_lane(mut self, lane: usize, fault: Fault, at: u64) -> Self {
        self.lanes.as_mut().unwrap().lanes[lane].backend.trap = Trap { fault: Some(fault), at };
        self
    }

    /// Makes one of several backends far slower than the others.
    pub fn slow_lane(mut self, lane: usize) -> Self {
        self.lanes.as_mut().unwrap().lanes[lane].backend.delay = Duration::from_millis(5);
        self
    }

    /// How many frames may be under way where several backends share the clip.
    pub fn room(&self) -> usize {
        self.lanes.as_ref().unwrap().room(&self.plan)
    }

    /// How often each pass was run.
    pub fn runs(&self) -> Vec<u64> {
        let runs = &self.backend.runs;
        (0..self.plan.steps().len()).map(|pass| runs.get(&pass).copied().unwrap_or(0)).collect()
    }

    /// Lets that many downloads be under way.
    pub fn in_flight(mut self, frames: usize) -> Self {
        self.backend.in_flight = frames;
        self
    }

    /// Lets a pass know these things of its input.
    pub fn guard(mut self, pass: usize, guard: Guard) -> Self {
        self.plan = self.plan.with_guard(pass, guard).expect("a pass of the plan");
        self
    }

    /// Gives the frames these samples, by their number.
    pub fn samples(mut self, sample: fn(u64) -> u16) -> Self {
        self.source.sample = sample;
        self
    }

    /// Takes the clip from a place in its input: its first frame has this number there.
    pub fn cut_at(mut self, first: u64) -> Self {
        self.source.first = first;
        self
    }

    /// Gives no frame before all but the latest `frames` have come out.
    pub fn held(mut self, frames: usize) -> Self {
        self.source.held = Some((self.log.clone(), frames));
        self
    }

    /// The most sums that were asked for and not read at any time.
    pub fn most_unread(&self) -> usize {
        self.backend.most_unread
    }

    /// Fails in `fault` at its call number `at`; once for each stage.
    pub fn fail(mut self, fault: Fault, at: u64) -> Self {
        let trap = Trap { fault: Some(fault), at };
        match fault {
            Fault::Source => self.source.trap = trap,
            Fault::Upload | Fault::Run | Fault::Measure | Fault::Read | Fault::Download | Fault::Wait => {
                self.backend.trap = trap;
            }
            Fault::Sink | Fault::Finish => self.sink.as_mut().unwrap().trap = trap,
        }
        self
    }

    /// Makes the sink by far the slowest.
    pub fn slow_sink(mut self) -> Self {
        self.sink.as_mut().unwrap().delay = Duration::from_millis(1);
        self
    }

    /// Runs it to its end.
    pub fn run(&mut self) -> Result<RunOutcome> {
        let sink = self.sink.take().unwrap();
        let Self { source, backend, lanes, plan, pool, monitor, interrupt, .. } = self;
        let pipeline = Pipeline::new(plan, pool).monitor(monitor).cancel(interrupt);
        match lanes {
            None => pipeline.run(source, backend, sink),
            Some(lanes) => pipeline.share(source, lanes, sink),
        }
    }

    /// What reached the sink.
    pub fn written(&self) -> Vec<Written> {
        self.log.lock().unwrap().frames.clone()
    }

    /// What came after the last frame.
    pub fn trailer(&self) -> Option<u64> {
        self.log.lock().unwrap().trailer
    }

    /// What came with frames that were not written, and after them.
    pub fn rest(&self) -> Vec<u64> {
        self.log.lock().unwrap().rest.clone()
    }

    /// Whether the output was completed.
    pub fn finished(&self) -> bool {
        self.log.lock().unwrap().finished
    }
}

struct Clip {
    format: Arc<Format>,
    first: u64,
    length: u64,
    next: u64,
    sample: fn(u64) -> u16,
    held: Option<(Arc<Mutex<Log>>, usize)>,
    trap: Trap,
    /// Ends the clip, two frames later: when is its own to know.
    interrupt: CancelToken,
    end: Option<u64>,
    is_over: bool,
}

impl Source for Clip {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let number = self.next;
        self.trap.check(Fault::Source, number)?;
        if self.interrupt.is_cancelled() {
            self.length = *self.end.get_or_insert(number + 2);
        }
        if number == self.length {
            self.is_over = true;
            return Ok(None);
        }
        self.next += 1;
        if let Some((log, frames)) = &self.held {
            while log.lock().unwrap().frames.len() + frames < number as usize {
                thread::sleep(Duration::from_micros(100));
            }
        }
        let mut frame = pool.frame(&self.format)?;
        frame.planes_mut::<u16>()[0].row_mut(0)[0] = (self.sample)(number);
        let (pts, duration) = time_of(number);
        let attachment: Attachment = Arc::new(number);
        let number = self.first + number;
        Ok(Some(frame.freeze(Timing { number, pts, duration, attachment: Some(attachment), ..Timing::default() })))
    }

    fn length(&self) -> Option<u64> {
        Some(self.length)
    }

    fn trailer(&mut self) -> Option<Attachment> {
        self.is_over.then(|| Arc::new(TRAILER) as Attachment)
    }
}

/// Adds up the window; of the two frames of a blend, three times the first.
#[derive(Clone)]
struct Adder {
    pool: Pool,
    trap: Trap,
    counts: [u64; 6],
    runs: HashMap<usize, u64>,
    in_flight: usize,
    unread: usize,
    most_unread: usize,
    /// How long a pass takes.
    delay: Duration,
}

impl Adder {
    fn check(&mut self, verb: usize, fault: Fault) -> Result<()> {
        self.trap.check(fault, self.counts[verb])?;
        self.counts[verb] += 1;
        Ok(())
    }
}

/// What the stand-in for a blend makes of two samples.
pub fn blended(original: u16, result: u16) -> u16 {
    original.wrapping_mul(3).wrapping_add(result)
}

pub fn first_sample(frame: &Frame) -> u16 {
    frame.host().expect("a frame on the host").plane::<u16>(0).row(0)[0]
}

impl Backend for Adder {
    type Image = Frame;
    type Pending = Frame;
    type Measure = u64;
    type Cells = Vec<u32>;
    type Survey = Answers;

    fn upload(&mut self, frame: Frame) -> Result<Frame> {
        self.check(0, Fault::Upload)?;
        Ok(frame)
    }

    fn upload_beside(&mut self, _: usize, frame: Frame) -> Result<Frame> {
        Ok(frame)
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Frame>) -> Result<Frame> {
        thread::sleep(self.delay);
        let Inputs { window, second, factor, .. } = *inputs;
        self.check(1, Fault::Run)?;
        *self.runs.entry(pass).or_default() += 1;
        let centre = window[window.len() / 2].expect("the centre is there");
        let mut sum = self.pool.frame(centre.format())?;
        let samples = window.iter().flatten().map(|frame| first_sample(frame));
        sum.planes_mut::<u16>()[0].row_mut(0)[0] = match second.first().copied().flatten() {
            Some(original) => blended(first_sample(original), first_sample(centre)),
            None => (f32::from(samples.fold(0, u16::wrapping_add)) * factor) as u16,
        };
        Ok(sum.freeze(centre.timing.clone()))
    }

    fn measure(&mut self, image: &Frame, before: Option<&Frame>) -> Result<u64> {
        self.check(4, Fault::Measure)?;
        self.unread += 1;
        self.most_unread = self.most_unread.max(self.unread);
        Ok(first_sample(image).abs_diff(before.map_or(0, first_sample)).into())
    }

    fn read(&mut self, measure: u64) -> Result<u64> {
        self.check(5, Fault::Read)?;
        self.unread -= 1;
        Ok(measure)
    }

    fn reduce(&mut self, image: &Frame) -> Result<Vec<u32>> {
        Ok(vec![first_sample(image).into()])
    }

    fn cells(&mut self, cells: Vec<u32>) -> Result<Vec<u32>> {
        Ok(cells)
    }

    fn survey(&mut self, _: usize, _: &Inputs<'_, Frame>, _: Questions) -> Result<Answers> {
        Ok(Answers::NONE)
    }

    fn answers(&mut self, survey: Answers) -> Result<Answers> {
        Ok(survey)
    }

    fn download(&mut self, image: Frame) -> Result<Frame> {
        self.check(2, Fault::Download)?;
        Ok(image)
    }

    fn wait(&mut self, pending: Frame) -> Result<Frame> {
        self.check(3, Fault::Wait)?;
        Ok(pending)
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }
}
