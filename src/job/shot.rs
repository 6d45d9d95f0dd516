//! A clip shot by shot, for chains that are to suit how noisy it is: frames are read ahead, measured, and given on.
//!
//! A [`Shots`] is a source that ends where the chain has to change, and goes on when it is asked again; a [`LentSink`] sink
//! is finished only when the clip is.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow};

use crate::backend::{Backend, Cpu};
use crate::engine::Scores;
use crate::filter::Filter;
use crate::frame::{Attachment, Format, Frame, Pool};
use crate::gauge::Gauge;
use crate::libav::Stored;
use crate::noise::NoiseMeter;
use crate::sink::Sink;
use crate::source::{Defects, Interrupt, Source};

/// The scene score above which a frame begins a shot, unless a filter that is to be settled says otherwise.
const CUT: f64 = 0.4;

/// How much of a shot is looked at: seconds, frames, and bytes of frames.
const SECONDS: f64 = 2.0;
const FRAMES: usize = 50;
const BYTES: usize = 256 << 20;

/// A source, and what is known of how noisy it is.
pub(super) struct Shots {
    source: Box<dyn Source>,
    /// As they were typed.
    filters: Vec<Filter>,
    /// The scene score above which a frame begins a shot, if cuts are looked for.
    threshold: Option<f64>,
    scores: Scores,
    judge: Cpu,
    /// The frame that was read last.
    before: Option<Frame>,
    /// Frames of the shot that have been read and not given on.
    ahead: VecDeque<Frame>,
    /// The frame that begins the next shot.
    next: Option<Frame>,
    settled: Option<Settled>,
    /// Whether the chain has changed for what comes next, and nobody has asked for it.
    turns: bool,
    goes_on: Arc<AtomicBool>,
    interrupt: Interrupt,
}

/// What a chain was made for.
struct Settled {
    deviations: Vec<f64>,
    frames: usize,
    filters: Vec<Filter>,
}

impl Shots {
    /// Whether a chain has to be settled at all.
    pub(super) fn are_wanted(filters: &[Filter]) -> bool {
        filters.iter().any(Filter::is_measured)
    }

    /// Reads the beginning of the clip and measures it; whatever lies around it has to be asked for before. Blocks while two
    /// seconds of it come in, or what there is.
    ///
    /// # Errors
    /// As [`Source::next`], or if threads cannot be started.
    pub(super) fn open(
        source: Box<dyn Source>,
        filters: &[Filter],
        threads: usize,
        interrupt: Interrupt,
    ) -> Result<Self> {
        let typed = filters.iter().filter(|filter| filter.is_measured()).map(Filter::cut);
        let threshold = typed.map(|typed| typed.unwrap_or(CUT)).fold(0.0, f64::max);
        let format = source.format();
        let mut shots = Self {
            filters: filters.to_vec(),
            threshold: Some(threshold).filter(|threshold| *threshold > 0.0),
            scores: Scores::new(format),
            judge: Cpu::new(Arc::from([]), format.clone(), Pool::heap(), threads)?,
            source,
            before: None,
            ahead: VecDeque::new(),
            next: None,
            settled: None,
            turns: false,
            goes_on: Arc::default(),
            interrupt,
        };
        let pool = Pool::heap();
        if let Some((first, _)) = shots.read(&pool)? {
            shots.begin(first, &pool)?;
        }
        Ok(shots)
    }

    /// The chain that suits what comes next; the typed one for a clip without frames.
    pub(super) fn chain(&self) -> &[Filter] {
        self.settled.as_ref().map_or(&self.filters, |settled| &settled.filters)
    }

    /// The chain for the rest of the clip, where the source has ended because it changes.
    pub(super) fn turn(&mut self) -> Option<&[Filter]> {
        self.goes_on.store(false, Ordering::Release);
        std::mem::take(&mut self.turns).then(|| self.chain())
    }

    /// What was found, and what it stands for, in a line.
    pub(super) fn finding(&self) -> Option<String> {
        let Settled { deviations, frames, filters } = self.settled.as_ref()?;
        let pixel = self.source.format().pixel;
        let plane =
            |(plane, deviation): (usize, &f64)| format!("{} {deviation:.2}", crate::filter::letter(pixel, plane));
        let planes: Vec<String> = deviations.iter().enumerate().map(plane).collect();
        let chosen = filters.iter().zip(&self.filters).filter(|(_, typed)| typed.is_measured());
        let chosen: Vec<String> = chosen.map(|(filter, _)| filter.to_string()).collect();
        let number = self.ahead.front().or(self.before.as_ref()).map_or(0, |frame| frame.timing.number);
        let planes = planes.join(", ");
        Some(format!(
            "noise from frame {number}, in 8-bit levels, over {frames} frames: {planes}; {}",
            chosen.join(",")
        ))
    }

    /// Says what was found.
    pub(super) fn tell(&self) {
        if let Some(finding) = self.finding() {
            log::info!("{finding}");
        }
    }

    /// The next frame, and whether it begins a shot.
    fn read(&mut self, pool: &Pool) -> Result<Option<(Frame, bool)>> {
        let Some(frame) = self.source.next(pool)? else { return Ok(None) };
        let mut is_cut = false;
        if let (Some(threshold), Some(before)) = (self.threshold, &self.before) {
            let measure = self.judge.measure(&frame, Some(before))?;
            is_cut = self.scores.next(self.judge.read(measure)?) > threshold;
        }
        self.before = Some(frame.clone());
        Ok(Some((frame, is_cut)))
    }

    /// Reads ahead in a shot that begins with a frame, measures it, and settles the chain.
    fn begin(&mut self, first: Frame, pool: &Pool) -> Result<()> {
        let format = self.source.format().clone();
        let mut meter = NoiseMeter::new(&format);
        let most = format.rate.value().map_or(FRAMES, |rate| (SECONDS * rate).ceil() as usize);
        let most = most.clamp(2, FRAMES).min((BYTES / format.packed_bytes().max(1)).max(2));
        meter.push(&first)?;
        self.ahead.push_back(first);
        while self.ahead.len() < most && !self.interrupt.load(Ordering::Relaxed) {
            match self.read(pool)? {
                Some((frame, false)) => {
                    meter.push(&frame)?;
                    self.ahead.push_back(frame);
                }
                Some((frame, true)) => {
                    self.next = Some(frame);
                    break;
                }
                None => break,
            }
        }
        self.settle(meter.deviations(), meter.frames());
        Ok(())
    }

    /// Takes in how noisy the shot is; the chain stays where that differs little from what it was made for, or where the
    /// shot is a single frame, of which nothing is known.
    fn settle(&mut self, deviations: Vec<f64>, frames: usize) {
        let differs = |before: &Settled| {
            let mut pairs = before.deviations.iter().zip(&deviations);
            frames > 0 && pairs.any(|(before, now)| (before - now).abs() > (0.15 * before).max(0.3))
        };
        if !self.settled.as_ref().is_none_or(differs) {
            return;
        }
        let pixel = self.source.format().pixel;
        let settle = |filter: &Filter| {
            let is_settled = filter.is_measured() && frames > 0;
            if is_settled { filter.settled(pixel, &deviations) } else { filter.clone() }
        };
        let filters: Vec<Filter> = self.filters.iter().map(settle).collect();
        let changes = self.settled.is_some() && self.chain() != filters;
        self.settled = Some(Settled { deviations, frames, filters });
        if changes {
            self.turns = true;
            self.tell();
        }
    }
}

impl Source for Shots {
    fn format(&self) -> &Arc<Format> {
        self.source.format()
    }

    fn next(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        loop {
            // Where the user has stopped the clip, what rides on the frames that were read is still wanted.
            if self.turns && !self.interrupt.load(Ordering::Relaxed) {
                self.goes_on.store(true, Ordering::Release);
                return Ok(None);
            }
            if let Some(frame) = self.ahead.pop_front() {
                return Ok(Some(frame));
            }
            match self.next.take().map(|frame| (frame, true)).map_or_else(|| self.read(pool), |next| Ok(Some(next)))? {
                Some((frame, true)) => self.begin(frame, pool)?,
                other => return Ok(other.map(|(frame, _)| frame)),
            }
        }
    }

    fn decoders(&self) -> usize {
        self.source.decoders()
    }

    fn watch(&mut self, gauges: Vec<Arc<Gauge>>) {
        self.source.watch(gauges);
    }

    fn length(&self) -> Option<u64> {
        self.source.length()
    }

    fn is_plain(&self) -> bool {
        self.source.is_plain()
    }

    fn stored(&self) -> Option<Stored> {
        self.source.stored()
    }

    fn trailer(&mut self) -> Option<Attachment> {
        if self.goes_on.load(Ordering::Acquire) { None } else { self.source.trailer() }
    }

    fn defects(&self) -> Defects {
        self.source.defects()
    }
}

/// A sink that several runs write to, one after the other.
pub(super) struct LentSink {
    sink: Arc<Mutex<Option<Box<dyn Sink>>>>,
    goes_on: Arc<AtomicBool>,
}

impl LentSink {
    /// A sink for all of the clip.
    pub(super) fn new(sink: Box<dyn Sink>, shots: &Shots) -> Self {
        Self { sink: Arc::new(Mutex::new(Some(sink))), goes_on: shots.goes_on.clone() }
    }

    /// The same sink for another run.
    pub(super) fn again(&self) -> Self {
        Self { sink: self.sink.clone(), goes_on: self.goes_on.clone() }
    }

    fn take(&self) -> Result<Box<dyn Sink>> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner).take().context("the output is already finished")
    }
}

impl Sink for LentSink {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        sink.as_mut().ok_or_else(|| anyhow!("the output is already finished"))?.put(frame)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        if self.goes_on.load(Ordering::Acquire) { Ok(()) } else { self.take()?.finish(trailer) }
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.take()?.finish_partial(rest)
    }
}
