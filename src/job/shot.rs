//! A clip shot by shot, for chains that are to suit how noisy it is: frames are read ahead, measured, and given on.
//!
//! A [`Shots`] is a source that ends where the chain has to change, and goes on when it is asked again. For a part of a
//! clip the shots are those of the whole: another source reads the clip
//! from its beginning, as far as the part goes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::input;
use super::request::{Request, TypedCut};
use crate::backend::{Backend, Cpu};
use crate::engine::Scores;
use crate::filter::Filter;
use crate::frame::{Attachment, Format, Frame, Pool};
use crate::noise::NoiseMeter;
use crate::source::{CancelToken, Source};

/// The scene score above which a frame begins a shot, unless a filter that is to be settled says otherwise.
const CUT: f64 = 0.4;

/// How much of a shot is looked at: seconds, frames, and bytes of frames.
const SECONDS: f64 = 2.0;
const FRAMES: usize = 50;
const BYTES: usize = 256 << 20;

/// A source, and what is known of how noisy it is.
pub(super) struct Shots {
    source: Box<dyn Source>,
    /// Of a part: the shots of the clip, where they are not found in the source.
    finder: Option<Box<ShotFinder>>,
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
    interrupt: CancelToken,
}

/// What a chain was made for.
#[derive(Clone)]
struct Settled {
    /// When the first frame is shown that it is for, after the clip's beginning.
    from: i64,
    deviations: Vec<f64>,
    filters: Vec<Filter>,
    /// What was found, and what it stands for, in a line.
    finding: String,
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
    /// As [`Source::next_frame`], or if threads cannot be started.
    pub(super) fn open(
        source: Box<dyn Source>,
        filters: &[Filter],
        threads: usize,
        interrupt: CancelToken,
    ) -> Result<Self> {
        let mut shots = Self::new(source, filters, threads, interrupt)?;
        let pool = Pool::heap();
        if let Some((first, _)) = shots.read(&pool)? {
            shots.begin(first, &pool)?;
        }
        Ok(shots)
    }

    /// The same for the source of a request, which may be a part of a clip: its shots are those of the clip, which is read
    /// from its beginning, but for a pipe.
    ///
    /// # Errors
    /// As [`Shots::open`], or if the clip cannot be opened once more.
    pub(super) fn of_request(
        request: &Request,
        source: Box<dyn Source>,
        filters: &[Filter],
        interrupt: &CancelToken,
    ) -> Result<Self> {
        let (threads, heard) = (request.threads.filter, interrupt.clone());
        let TypedCut { start, end, duration, frames } = &request.cut;
        let is_cut = start.is_some() || end.is_some() || duration.is_some() || frames.is_some();
        if !is_cut && request.chunk.is_none() {
            return Self::open(source, filters, threads, heard);
        }
        if input::is_stream(&request.input) {
            let name = if request.input == "-" { "stdin" } else { &request.input };
            log::warn!(
                "noise is measured in the part of {name} alone; name a file to filter it as a part of the whole clip"
            );
            return Self::open(source, filters, threads, heard);
        }
        let whole = Request { cut: TypedCut::default(), chunk: None, ..request.clone() };
        let whole = input::open(&whole, interrupt)?.0;
        Self::of_part(source, whole, filters, threads, heard)
    }

    /// The same for a part of a clip, with the shots that `whole` has, which reads the clip from its beginning. Blocks until
    /// the part's first frame is there and `whole` has come so far.
    ///
    /// # Errors
    /// As [`Shots::open`].
    fn of_part(
        source: Box<dyn Source>,
        whole: Box<dyn Source>,
        filters: &[Filter],
        threads: usize,
        interrupt: CancelToken,
    ) -> Result<Self> {
        let finder = ShotFinder::new(Self::open(whole, filters, threads, interrupt.clone())?);
        let mut shots = Self::new(source, filters, threads, interrupt)?;
        shots.finder = Some(Box::new(finder));
        if let Some(first) = shots.source.next_frame(&Pool::heap())? {
            shots.enter(&first)?;
            shots.turns = false;
            shots.ahead.push_back(first);
        }
        Ok(shots)
    }

    fn new(source: Box<dyn Source>, filters: &[Filter], threads: usize, interrupt: CancelToken) -> Result<Self> {
        let typed = filters.iter().filter(|filter| filter.is_measured()).map(Filter::cut);
        let threshold = typed.map(|typed| typed.unwrap_or(CUT)).fold(0.0, f64::max);
        let format = source.format();
        Ok(Self {
            filters: filters.to_vec(),
            threshold: Some(threshold).filter(|threshold| *threshold > 0.0),
            scores: Scores::new(format),
            judge: Cpu::new(Arc::from([]), format.clone(), Pool::heap(), threads)?,
            source,
            finder: None,
            before: None,
            ahead: VecDeque::new(),
            next: None,
            settled: None,
            turns: false,
            goes_on: Arc::default(),
            interrupt,
        })
    }

    /// The shots of the clip, for a part of it that begins with the frame after those that were given.
    fn enter(&mut self, frame: &Frame) -> Result<()> {
        let Some(finder) = &mut self.finder else { return Ok(()) };
        let found = finder.at(time(frame))?;
        let is_new = |found: &&Settled| self.settled.as_ref().is_none_or(|known| known.from != found.from);
        if let Some(found) = found.filter(is_new) {
            self.turns = self.settled.as_ref().is_some_and(|known| known.filters != found.filters);
            self.settled = Some(found.clone());
            if self.turns {
                self.tell();
            }
        }
        Ok(())
    }

    /// The chain that suits what comes next; the typed one for a clip without frames.
    pub(super) fn chain(&self) -> &[Filter] {
        self.settled.as_ref().map_or(&self.filters, |settled| &settled.filters)
    }

    /// The measured filters of the chain with their strengths, in order.
    pub(super) fn settled_filters(&self) -> Vec<Filter> {
        let both = self.filters.iter().zip(self.chain());
        both.filter(|(typed, _)| typed.is_measured()).map(|(_, settled)| settled.clone()).collect()
    }

    /// The chain for the rest of the clip, where the source has ended because it changes.
    pub(super) fn turn(&mut self) -> Option<&[Filter]> {
        self.goes_on.store(false, Ordering::Release);
        std::mem::take(&mut self.turns).then(|| self.chain())
    }

    /// Whether the source has ended only because the chain changes.
    pub(super) fn goes_on(&self) -> Arc<AtomicBool> {
        self.goes_on.clone()
    }

    /// What was found, and what it stands for, in a line.
    pub(super) fn finding(&self) -> Option<String> {
        Some(self.settled.as_ref()?.finding.clone())
    }

    /// The same of a shot that begins with frame `number`.
    fn describe(&self, number: u64, deviations: &[f64], frames: usize, filters: &[Filter]) -> String {
        let pixel = self.source.format().pixel;
        let plane =
            |(plane, deviation): (usize, &f64)| format!("{} {deviation:.2}", crate::filter::letter(pixel, plane));
        let planes: Vec<String> = deviations.iter().enumerate().map(plane).collect();
        let chosen = filters.iter().zip(&self.filters).filter(|(_, typed)| typed.is_measured());
        let chosen: Vec<String> = chosen.map(|(filter, _)| filter.to_string()).collect();
        let planes = planes.join(", ");
        format!("noise from frame {number}, in 8-bit levels, over {frames} frames: {planes}; {}", chosen.join(","))
    }

    /// What there is to say of a typed strength beside those that were measured.
    pub(super) fn remark(&self, filter: &Filter) -> Option<String> {
        filter.strength_remark(self.source.format().pixel, &self.settled.as_ref()?.deviations)
    }

    /// Says what was found.
    pub(super) fn tell(&self) {
        if let Some(finding) = self.finding() {
            log::info!("{finding}");
        }
    }

    /// The next frame, and whether it begins a shot.
    fn read(&mut self, pool: &Pool) -> Result<Option<(Frame, bool)>> {
        let Some(frame) = self.source.next_frame(pool)? else { return Ok(None) };
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
        while self.ahead.len() < most && !self.interrupt.is_cancelled() {
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
        let first = self.ahead.front().or(self.before.as_ref());
        let (from, number) = first.map_or((0, 0), |frame| (time(frame), frame.timing.number));
        let finding = self.describe(number, &deviations, frames, &filters);
        self.settled = Some(Settled { from, deviations, filters, finding });
        if changes {
            self.turns = true;
            self.tell();
        }
    }
}

impl Source for Shots {
    fn inner(&self) -> Option<&dyn Source> {
        Some(self.source.as_ref())
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Source> {
        Some(self.source.as_mut())
    }

    fn format(&self) -> &Arc<Format> {
        self.source.format()
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        loop {
            // Where the user has stopped the clip, what rides on the frames that were read is still wanted.
            if self.turns && !self.interrupt.is_cancelled() {
                self.goes_on.store(true, Ordering::Release);
                return Ok(None);
            }
            if let Some(frame) = self.ahead.pop_front() {
                return Ok(Some(frame));
            }
            if self.finder.is_some() {
                let Some(frame) = self.source.next_frame(pool)? else { return Ok(None) };
                self.enter(&frame)?;
                self.ahead.push_back(frame);
                continue;
            }
            match self.next.take().map(|frame| (frame, true)).map_or_else(|| self.read(pool), |next| Ok(Some(next)))? {
                Some((frame, true)) => self.begin(frame, pool)?,
                other => return Ok(other.map(|(frame, _)| frame)),
            }
        }
    }

    fn length(&self) -> Option<u64> {
        self.source.length()
    }

    fn trailer(&mut self) -> Option<Attachment> {
        if self.goes_on.load(Ordering::Acquire) { None } else { self.source.trailer() }
    }

    fn until(&self) -> Option<i64> {
        let goes_on = self.goes_on.load(Ordering::Acquire);
        self.ahead.front().filter(|_| goes_on).map(time)
    }
}

/// When a frame is shown, after the beginning of the clip that it is of.
pub(super) fn time(frame: &Frame) -> i64 {
    frame.timing.pts + frame.timing.offset
}

/// The shots of a clip, found in order as far as they are asked for.
pub(super) struct ShotFinder {
    /// Reads the clip from its beginning; the frames go nowhere.
    clip: Shots,
    pool: Pool,
    /// What was found and is still to be asked for, and before it what was given last.
    found: VecDeque<Settled>,
    /// Up to when all shots are known; `None` before the first frame.
    known: Option<i64>,
    is_over: bool,
}

impl ShotFinder {
    fn new(clip: Shots) -> Self {
        let found = clip.settled.iter().cloned().collect();
        Self { clip, pool: Pool::heap(), found, known: None, is_over: false }
    }

    /// What the chain is settled for at a time, which is not before the one that was asked for last. Blocks while the clip
    /// is read so far.
    fn at(&mut self, time: i64) -> Result<Option<&Settled>> {
        while !self.is_over && self.known.is_none_or(|known| known < time) {
            match self.clip.next_frame(&self.pool)? {
                Some(frame) => self.known = Some(self::time(&frame)),
                None if self.clip.turn().is_some() => self.found.extend(self.clip.settled.clone()),
                None => self.is_over = true,
            }
        }
        while self.found.get(1).is_some_and(|next| next.from <= time) {
            self.found.pop_front();
        }
        Ok(self.found.front())
    }
}
