//! A clip that is looked at frame by frame, in any order: as it is, and as a chain makes it.

mod machine;
mod wait;

use std::ops::Range;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};

use super::backend::{ChosenBackend, Successor};
use super::exposure::{Exposed, expose};
use super::interrupted::Interrupted;
use super::kept::KeptFrames;
use super::matcher::LastMatcher;
use super::opening::Opening;
use super::planned::PlannedChain;
use super::reel::{Reel, ReelGauge, ReelLength};
use super::request::Request;
use super::scrubbed::Scrubbed;
use super::shot_map::ShotTurn;
use super::stand_in::StandIn;
use super::store::FrameStore;
use super::strength::StrengthCheck;
use super::strip::ReelStrip;
use super::workshop::Workshop;
use crate::filter::Filter;
use crate::frame::{Format, Frame};
use crate::plan::Plan;
use crate::source::CancelToken;
use machine::ScrubMachine;

/// A clip that is looked at, and what filters it.
///
/// ```
/// use warpreel::job::{Choice, Request, Scrubber};
///
/// let request = Request { input: "samples/ten-bit.mp4".to_owned(), backend: Choice::Cpu, ..Request::default() };
/// let mut clip = Scrubber::open(request, 64 << 20, &Default::default())?;
/// let before = clip.frames(5..6)?;
/// let after = clip.filtered("tmix=3,gaussian=2", 5..6, &Default::default())?;
/// assert_eq!((before.len(), after.frames.len()), (1, 1));
/// # anyhow::Ok(())
/// ```
pub struct Scrubber {
    request: Request,
    reel: Reel,
    /// Until something has been to be filtered.
    opening: Arc<Mutex<Option<Opening>>>,
    workshop: Workshop<ChosenBackend>,
    chain: Option<PlannedChain>,
    machine: Option<ScrubMachine>,
    /// Whose machine the workshop makes.
    ordered: Option<Arc<str>>,
    /// Makes a machine where there was one already.
    successor: Option<Successor>,
    /// What filters beside it, or did so last.
    stand_in: Option<StandIn>,
    /// Who filtered last, in a few words.
    filterer: Option<String>,
    kept: KeptFrames<(Arc<str>, u64)>,
    matcher: LastMatcher,
    /// The noise of the first frames, once a chain has asked for it.
    check: Option<StrengthCheck>,
}

impl Scrubber {
    /// Opens the input of a request, and begins to look through it; what the request says of a chain and an output is
    /// nothing here. Frames that are kept take `room` bytes at most, half of them as they are and half filtered; beside them
    /// are those under way. Blocks while a piped input has not begun.
    ///
    /// # Errors
    /// As [`super::Job::open`], where the input is concerned.
    pub fn open(request: Request, room: usize, interrupt: &CancelToken) -> Result<Self> {
        let request = Request { chain: Vec::new(), trace: true, ..request };
        let reel = Reel::open(&request, room / 2, interrupt)?;
        Ok(Self {
            reel,
            opening: Arc::new(Mutex::new(Opening::start(&request))),
            workshop: Workshop::start()?,
            chain: None,
            machine: None,
            ordered: None,
            successor: None,
            stand_in: None,
            filterer: None,
            kept: KeptFrames::new(room / 2),
            matcher: LastMatcher::default(),
            check: None,
            request,
        })
    }

    /// Takes frames from a store that was made for the same request, where they are there. It does not wait for them.
    pub fn take_from(&mut self, store: Arc<FrameStore>) {
        self.reel.take_from(store);
    }

    /// What every frame is.
    pub fn format(&self) -> &Arc<Format> {
        self.reel.format()
    }

    /// How many frames there are. Does not block.
    pub fn length(&self) -> ReelLength {
        self.gauge().length()
    }

    /// The same for whoever asks while another thread has the clip.
    pub fn gauge(&self) -> ReelGauge {
        self.reel.gauge()
    }

    /// How many frames there are for certain; `None` where the clip comes through a pipe. Blocks while it is looked through.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn count(&self) -> Result<Option<u64>> {
        self.reel.count()
    }

    /// The number of the first frame that is shown at a time or later, in units of the time base; as many as there are where
    /// none is. Times are those of the whole clip, also where a request cuts out a part. Blocks while it is looked through.
    ///
    /// # Errors
    /// If it cannot be, or the clip comes through a pipe.
    pub fn number_from(&self, time: i64) -> Result<u64> {
        self.reel.number_from(time)
    }

    /// Who filtered last, in a few words.
    pub fn backend(&self) -> Option<&str> {
        self.filterer.as_deref()
    }

    /// The memory of the frames that are kept, in bytes.
    pub fn kept_bytes(&self) -> usize {
        self.reel.kept_bytes() + self.kept.bytes()
    }

    /// Frames as they are; fewer where the clip ends. Blocks while they are decoded.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn frames(&mut self, wanted: Range<u64>) -> Result<Vec<Frame>> {
        let before = self.reel.before()?;
        let mut frames = Vec::new();
        for number in self.within(wanted) {
            match self.reel.frame(before + number)? {
                Some(frame) => frames.push(frame),
                None => break,
            }
        }
        Ok(frames)
    }

    /// The same, scaled to the size and chroma of what a chain makes of them.
    ///
    /// # Errors
    /// Also [`super::Usage`] if the chain is wrong or does not fit the clip.
    pub fn matched(&mut self, chain: &str, wanted: Range<u64>) -> Result<Vec<Frame>> {
        let (from, to) = (self.format().clone(), self.ready(chain)?.planned.plan.output());
        let frames = self.frames(wanted)?;
        self.matcher.matched(&self.request, frames, [&from, &to])
    }

    /// Frames as a chain makes them, scaled to the size and chroma of what another chain makes.
    ///
    /// # Errors
    /// As [`Self::filtered`] and [`Self::matched`].
    pub fn filtered_like(
        &mut self,
        [chain, like]: [&str; 2],
        wanted: Range<u64>,
        interrupt: &CancelToken,
    ) -> Result<Scrubbed> {
        let to = self.ready(like)?.planned.plan.output();
        let from = self.ready(chain)?.planned.plan.output();
        let mut scrubbed = self.filtered(chain, wanted, interrupt)?;
        scrubbed.frames = self.matcher.matched(&self.request, scrubbed.frames, [&from, &to])?;
        Ok(scrubbed)
    }

    /// The wanted frames that there are, as far as that is known.
    fn within(&self, wanted: Range<u64>) -> Range<u64> {
        match self.length() {
            ReelLength { frames: Some(count), is_known: true, .. } => wanted.start.min(count)..wanted.end.min(count),
            _ => wanted,
        }
    }

    /// Frames as a chain makes them of the clip, each with the frames around it that filters look at. Where a GPU may be used
    /// and takes long to be made ready for a chain, the CPU answers; the samples are the same. `interrupt` stops it before it
    /// is done. Blocks.
    ///
    /// # Errors
    /// [`super::Usage`] if the chain is wrong or does not fit the clip; if frames cannot be read or filtered; or
    /// [`Interrupted`].
    pub fn filtered(&mut self, chain: &str, wanted: Range<u64>, interrupt: &CancelToken) -> Result<Scrubbed> {
        let (wanted, mut made) = (self.within(wanted), None::<Scrubbed>);
        let (mut next, before) = (wanted.start, self.reel.before()?);
        // One piece per shot, because the chain changes there.
        while next < wanted.end || made.is_none() {
            let mut known = self.ready(chain)?;
            let mut end = wanted.end;
            if known.shots.is_some() {
                let frame = self.reel.frame(before + next)?;
                // A shot may end within the margin.
                let last = self.reel.frame(before + next + known.planned.plan.margin().after)?;
                known = known.at([frame.as_ref(), last.as_ref()], &self.format().clone(), &self.request)?;
                self.chain = Some(known.clone());
                if let Some((_, turn)) = &known.shots {
                    end = (next + 1).min(wanted.end);
                    while end < wanted.end && self.reel.frame(before + end)?.is_some_and(|frame| turn.has(&frame)) {
                        end += 1;
                    }
                }
            }
            let piece = self.piece(&known, next..end.max(next), interrupt)?;
            let is_end = piece.frames.len() as u64 != end - next;
            made = Some(match made {
                Some(made) => made.and(piece),
                None => piece,
            });
            next = end;
            if is_end {
                break;
            }
        }
        made.context("there is no frame")
    }

    /// Filters frames of one shot.
    fn piece(&mut self, chain: &PlannedChain, wanted: Range<u64>, interrupt: &CancelToken) -> Result<Scrubbed> {
        let PlannedChain { key, planned, filters, shots, .. } = chain;
        let (finding, is_provisional) = match shots {
            Some((_, turn)) => (turn.finding.clone(), !turn.is_certain),
            None => (None, false),
        };
        let remark = self.remark(filters)?.or(chain.shown().map(str::to_owned));
        let told = |frames, costs| Scrubbed { frames, costs, finding, remark, is_provisional };
        let known: Option<Vec<Frame>> = wanted.clone().map(|number| self.kept.get(&(key.clone(), number))).collect();
        if let Some(frames) = known {
            return Ok(told(frames, Vec::new()));
        }
        if planned.plan.steps().is_empty() {
            return Ok(told(self.frames(wanted)?, Vec::new()));
        }
        let before = self.reel.before()?;
        let wanted = before + wanted.start..before + wanted.end;
        let first = wanted.start - before;
        let turn = shots.as_ref().map(|(_, turn)| turn);
        let Exposed { frames, costs } = match self.stood_in(key, planned, &wanted, turn, interrupt)? {
            Some(exposed) => exposed,
            None => self.exposed(&planned.plan, wanted, turn, interrupt)?,
        };
        // Frames with a provisional strength are filtered again later.
        for (number, frame) in (first..).zip(&frames).filter(|_| !is_provisional) {
            self.kept.put((key.clone(), number), frame.clone());
        }
        Ok(told(frames, costs))
    }

    /// The remark on a chain; of a pipe nothing is read for that.
    fn remark(&mut self, filters: &[Filter]) -> Result<Option<String>> {
        if !StrengthCheck::is_wanted(filters) || self.request.input == "-" {
            return Ok(None);
        }
        if self.check.is_none() {
            let mut check = StrengthCheck::new(self.format());
            let first = self.reel.before()?;
            for number in first.. {
                // A fault in these frames is reported where they are shown.
                let frame = self.reel.frame(number).ok().flatten();
                if !check.take(frame.as_ref()) {
                    break;
                }
            }
            self.check = Some(check);
        }
        Ok(self.check.as_ref().and_then(|check| check.remark(filters)))
    }

    /// What the machine makes, which is ready.
    fn exposed(
        &mut self,
        plan: &Plan,
        wanted: Range<u64>,
        turn: Option<&ShotTurn>,
        interrupt: &CancelToken,
    ) -> Result<Exposed> {
        let Self { reel, machine: Some(ScrubMachine { backend, .. }), .. } = self else {
            bail!("there is no filter");
        };
        let exposed =
            expose(backend, &mut ReelStrip::new(reel, plan, wanted, turn.cloned(), interrupt), plan, interrupt);
        match &exposed {
            Ok(_) => self.filterer = Some(backend.brief.clone()),
            Err(error) => {
                // A GPU that failed is opened anew.
                if !error.is::<Interrupted>() {
                    self.successor = None;
                }
                // What is under way in it belongs to nobody.
                self.machine = None;
            }
        }
        exposed
    }

    /// What is to be done by this chain.
    fn ready(&mut self, chain: &str) -> Result<PlannedChain> {
        let chain = match self.chain.take() {
            Some(known) if *known.text == *chain => known,
            before => PlannedChain::of(chain, self.format(), &self.request, before)?,
        };
        self.chain = Some(chain.clone());
        Ok(chain)
    }
}

#[cfg(test)]
mod tests;
