//! A clip that is looked at frame by frame, in any order: as it is, and as a chain makes it.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, anyhow, bail};

use super::backend::ChosenBackend;
use super::chain::parse_chain;
use super::field::FieldPlan;
use super::input;
use super::interrupted::Interrupted;
use super::kept::KeptFrames;
use super::opening::Opening;
use super::reel::{Reel, ReelGauge, ReelLength};
use super::request::Request;
use super::shot::Shots;
use super::usage::Usage;
use crate::filter::Filter;
use crate::frame::{Attachment, Format, Frame, Pool};
use crate::pipeline::{Doing, Monitor, RunOutcome, Span};
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{Interrupt, Source};

/// A clip that is looked at, and what filters it.
///
/// ```
/// use warpreel::job::{Choice, Request, Scrubber};
///
/// let input = "samples/ten-bit.mp4".to_owned(); let mut clip = Scrubber::open(Request { input, backend: Choice::Cpu,
/// ..Request::default() }, 64 << 20, &Default::default())?; let before = clip.frames(5..6)?; let after =
/// clip.filtered("tmix=3,gaussian=2", 5..6, &Default::default())?; assert_eq!((before.len(), after.frames.len()), (1, 1));
/// # anyhow::Ok(())
/// ```
pub struct Scrubber {
    request: Request,
    reel: Reel,
    opening: Option<Opening>,
    machine: Option<ScrubMachine>,
    kept: KeptFrames<(Arc<str>, u64)>,
    interrupt: Interrupt,
}

/// A chain that is ready to run.
struct ScrubMachine {
    planned: PlannedChain,
    /// `None` while nothing has been to be done.
    backend: Option<ChosenBackend>,
}

/// A chain for a clip.
struct PlannedChain {
    text: Arc<str>,
    planned: FieldPlan,
    finding: Option<String>,
}

/// Frames that a chain made.
#[derive(Clone)]
pub struct Scrubbed {
    /// In order; fewer than were asked for where the clip ends.
    pub frames: Vec<Frame>,
    /// What each pass took for all of them, in milliseconds, in the order of the passes; empty where they were there already.
    pub costs: Vec<(String, f64)>,
    /// What was measured, where a filter is to suit how noisy the clip begins.
    pub finding: Option<String>,
}

impl Scrubber {
    /// Opens the input of a request, and begins to look through it; what the request says of a chain and an output is
    /// nothing here. Frames that are kept take `room` bytes at most, half of them as they are and half filtered; beside them
    /// are those under way. Blocks while a piped input has not begun.
    ///
    /// # Errors
    /// As [`super::Job::open`], where the input is concerned.
    pub fn open(request: Request, room: usize, interrupt: &Interrupt) -> Result<Self> {
        let request = Request { chain: Vec::new(), trace: true, ..request };
        let reel = Reel::open(&request, room / 2, interrupt)?;
        let opening = Opening::start(&request);
        let kept = KeptFrames::new(room / 2);
        Ok(Self { request, reel, opening, machine: None, kept, interrupt: interrupt.clone() })
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

    /// Who filtered last, in a few words.
    pub fn backend(&self) -> Option<&str> {
        let machine = self.machine.as_ref()?;
        machine.backend.as_ref().map(|backend| backend.brief.as_str())
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

    /// The wanted frames that there are, as far as that is known.
    fn within(&self, wanted: Range<u64>) -> Range<u64> {
        match self.length() {
            ReelLength { frames: Some(count), is_known: true, .. } => wanted.start.min(count)..wanted.end.min(count),
            _ => wanted,
        }
    }

    /// Frames as a chain makes them of the clip, each with the frames around it that filters look at. `interrupt` stops it
    /// before it is done. Blocks.
    ///
    /// # Errors
    /// [`Usage`] if the chain is wrong or does not fit the clip; if frames cannot be read or filtered; or [`Interrupted`].
    pub fn filtered(&mut self, chain: &str, wanted: Range<u64>, interrupt: &Interrupt) -> Result<Scrubbed> {
        let wanted = self.within(wanted);
        let PlannedChain { text, planned, finding } = &self.ready(chain)?.planned;
        let (text, finding, is_idle) = (text.clone(), finding.clone(), planned.plan.steps.is_empty());
        let costs = Vec::new();
        let known: Option<Vec<Frame>> = wanted.clone().map(|number| self.kept.get(&(text.clone(), number))).collect();
        if let Some(frames) = known {
            return Ok(Scrubbed { frames, costs, finding });
        }
        if is_idle {
            return Ok(Scrubbed { frames: self.frames(wanted)?, costs, finding });
        }
        let before = self.reel.before()?;
        let wanted = before + wanted.start..before + wanted.end;
        let Self { reel, machine: Some(ScrubMachine { planned, backend: Some(backend) }), .. } = self else {
            bail!("there is nothing that filters");
        };
        let plan = &planned.planned.plan;
        let margin = plan.margin();
        let read = wanted.start.saturating_sub(margin.before)..wanted.end.saturating_add(margin.after);
        let mut strip = ReelStrip { reel, next: read.start, end: read.end, wanted: wanted.clone(), interrupt };
        let (caught, monitor) = (Catch::default(), Monitor::traced());
        let outcome = backend.run(&mut strip, plan, Box::new(caught.clone()), &monitor, interrupt);
        if !matches!(outcome, Ok((RunOutcome::Complete, _))) {
            // What is under way in it belongs to nobody.
            self.machine = None;
            outcome?;
            bail!(Interrupted);
        }
        let frames = std::mem::take(&mut *caught.0.lock().unwrap_or_else(PoisonError::into_inner));
        let spans = monitor.trace.as_ref().map_or_else(Vec::new, |trace| trace.spans());
        let numbers: Vec<u64> = frames.iter().map(|frame| frame.timing.number).collect();
        let costs = pass_costs(plan, &spans, &numbers);
        for (number, frame) in (wanted.start - before..).zip(&frames) {
            self.kept.put((text.clone(), number), frame.clone());
        }
        Ok(Scrubbed { frames, costs, finding })
    }

    /// What filters by this chain.
    fn ready(&mut self, chain: &str) -> Result<&ScrubMachine> {
        if self.machine.as_ref().is_none_or(|machine| *machine.planned.text != *chain) {
            let planned = self.planned(chain)?;
            let backend = match (planned.planned.plan.steps.is_empty(), self.machine.take()) {
                (true, before) => before.and_then(|before| before.backend),
                (false, Some(ScrubMachine { backend: Some(before), .. })) => {
                    Some(before.another(&self.request, &planned.planned)?)
                }
                (false, _) => Some(self.chosen(&planned.planned)?),
            };
            self.machine = Some(ScrubMachine { planned, backend });
        }
        self.machine.as_ref().ok_or_else(|| anyhow!("there is nothing that filters"))
    }

    /// The GPU stays open between chains.
    fn chosen(&mut self, planned: &FieldPlan) -> Result<ChosenBackend> {
        let opening = self.opening.take().or_else(|| Opening::start(&self.request));
        ChosenBackend::choose(&self.request, planned, opening)
    }

    fn planned(&self, chain: &str) -> Result<PlannedChain> {
        let Request { border, planes, .. } = &self.request;
        let texts: Vec<String> = Some(chain.to_owned()).filter(|text| !text.trim().is_empty()).into_iter().collect();
        let mut filters = parse_chain(&texts, border.as_deref(), planes.as_deref())?;
        let mut finding = None;
        if Shots::are_wanted(&filters) {
            if self.request.input == "-" {
                let fault = "a clip in a pipe is not measured; type denoise=medium, or name a file";
                bail!(Usage::of(anyhow!(fault)));
            }
            let source = input::open(&self.request, &self.interrupt)?.0;
            let shots = Shots::open(source, &filters, self.request.threads, self.interrupt.clone())?;
            (filters, finding) = (shots.chain().to_vec(), shots.finding());
        }
        let planned =
            FieldPlan::of(&filters, self.format(), &self.request).map_err(|error| match error.is::<Usage>() {
                true => error,
                false => Usage::of(error).into(),
            })?;
        Ok(PlannedChain { text: chain.into(), planned, finding })
    }
}

/// What a chain becomes for a clip of that format, read and run as a request says. A filter that would be measured has its
/// medium strength.
///
/// # Errors
/// If the chain does not fit the clip.
pub fn plan_for(filters: &[Filter], format: &Arc<Format>, request: &Request) -> Result<Plan> {
    Ok(FieldPlan::of(filters, format, request)?.plan)
}

/// How long passes worked on some frames.
fn pass_costs(plan: &Plan, spans: &[Span], numbers: &[u64]) -> Vec<(String, f64)> {
    let tracks = ["filter", "compute"];
    let is_wanted =
        |span: &&Span| span.doing == Doing::Work && tracks.contains(&span.track) && numbers.contains(&span.frame);
    let cost = |name: &str| {
        let own = spans.iter().filter(is_wanted).filter(|span| span.name == name);
        own.map(|span| span.length_us / 1e3).sum()
    };
    plan.steps.iter().map(|step| (step.pass.name.clone(), cost(&step.pass.name))).collect()
}

/// Some frames of a reel with those around them, as a clip.
struct ReelStrip<'a> {
    reel: &'a mut Reel,
    next: u64,
    end: u64,
    wanted: Range<u64>,
    interrupt: &'a Interrupt,
}

impl Source for ReelStrip<'_> {
    fn format(&self) -> &Arc<Format> {
        self.reel.format()
    }

    fn next(&mut self, _: &Pool) -> Result<Option<Frame>> {
        if self.next >= self.end || self.interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let Some(mut frame) = self.reel.frame(self.next)? else { return Ok(None) };
        frame.timing.is_margin = !self.wanted.contains(&self.next);
        frame.timing.attachment = None;
        self.next += 1;
        Ok(Some(frame))
    }

    fn length(&self) -> Option<u64> {
        Some(self.wanted.end - self.wanted.start)
    }
}

/// A sink that keeps what it is given.
#[derive(Clone, Default)]
struct Catch(Arc<Mutex<Vec<Frame>>>);

impl Sink for Catch {
    fn put(&mut self, mut frame: Frame) -> Result<()> {
        frame.timing.motion = None;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(frame);
        Ok(())
    }

    fn finish(self: Box<Self>, _: Option<Attachment>) -> Result<()> {
        Ok(())
    }
}
