//! A pipeline of stand-ins for source, backend and sink, which count, and fail when told to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use warpreel::frame::{Format, Pixel, Pool, Rational};
use warpreel::pass::{Arithmetic, Blend, Border, Finish, Op, Pass, Separable, Taps, TimeBorder};
use warpreel::pipeline::{FilterLane, Lanes, Monitor, Pipeline, RunOutcome, Sharing, WhenLost};
use warpreel::plan::{Bypass, Guard, Plan};
use warpreel::source::CancelToken;

use super::adder::Adder;
use super::clip::Clip;
use super::collector::{Collector, Log, Written};
use super::trap::{Fault, Trap};

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
