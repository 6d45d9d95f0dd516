//! The clips of the command line: which there are, what is known of each, and those that are open.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::Duration;
use std::{fs, thread};

use anyhow::{Context, Result};
use log::warn;
use serde::Serialize;

use super::catalogue::Catalogue;
use super::chain::ChainReader;
use super::clip::name;
use super::errand::Errands;
use super::output::OutputFolder;
use super::route::{Allowance, Desk, SharedParts};
use super::speed::Stopwatch;
use super::still;
use super::studio::{Occupation, Studio};
use super::survey::SurveyBoard;
use crate::job::{DecoderChoice, FrameStore, Reader, Request, Scrubber, chain_defaults};
use crate::source::CancelToken;

/// Limits of all clips together, and where their jobs write.
pub(super) struct ClipLimits {
    pub(super) memory_bytes: usize,
    pub(super) scratch_bytes: u64,
    pub(super) output_dir: Option<PathBuf>,
}

/// The clips. The page names them by their places, so it can open no other file.
pub(super) struct ClipList {
    /// How clips are read; its input is that of the first.
    request: Request,
    limits: ClipLimits,
    /// Those of the command line, and results of jobs behind them.
    clips: RwLock<Vec<Arc<ListedClip>>>,
    /// How many are of the command line.
    typed: usize,
    /// Index of the clip that is shown first.
    first: usize,
    shared: Arc<SharedParts>,
    /// Open clips with their indices, the most recently used at the end.
    open: Mutex<Vec<(usize, Arc<Desk>)>>,
    /// Held while a clip is opened, so that none is opened twice.
    opening: Mutex<()>,
    interrupt: CancelToken,
}

/// A clip of the list.
#[derive(Default)]
struct ListedClip {
    input: String,
    /// Its input as a segment of an address.
    place: String,
    facts: OnceLock<ClipFacts>,
    /// Whether it is a result, read by none of the options that say how the clips of the command line are read.
    is_result: bool,
}

/// Facts of a clip that are known without looking through it.
#[derive(Clone, Default, Serialize)]
struct ClipFacts {
    width: usize,
    height: usize,
    rate: Option<f64>,
    /// Estimated number of frames.
    frames: Option<u64>,
    bytes: Option<u64>,
    /// Reason that it cannot be opened.
    fault: Option<String>,
}

/// The list for a page.
#[derive(Serialize)]
pub(super) struct ListAnswer {
    clips: Vec<ListedAnswer>,
    /// Index of the clip of the page.
    current: usize,
    /// Whether the facts of all are known.
    settled: bool,
}

#[derive(Serialize)]
struct ListedAnswer {
    name: String,
    input: String,
    place: String,
    facts: Option<ClipFacts>,
}

impl ClipList {
    /// The most clips that are open at a time; the one that was not used for longest is closed for a further one.
    const MOST: usize = 4;
    /// Interval at which background work looks for a pause of orders.
    const NAP: Duration = Duration::from_millis(30);

    /// Opens the first clip that can be opened, and finds out what the others are in the background.
    ///
    /// # Errors
    /// That of the only clip, or of the last if none can be opened.
    pub(super) fn open(
        request: Request,
        others: Vec<String>,
        limits: ClipLimits,
        interrupt: &CancelToken,
    ) -> Result<Self> {
        let mut clips: Vec<Arc<ListedClip>> = Vec::new();
        for input in [request.input.clone()].into_iter().chain(others) {
            if clips.iter().all(|known| known.input != input) {
                clips.push(Arc::new(ListedClip { place: segment(&input), input, ..ListedClip::default() }));
            }
        }
        let shared = SharedParts {
            catalogue: Catalogue::new(),
            errands: Errands::default(),
            stopwatch: Stopwatch::new(),
            allowance: Allowance::new(),
            occupation: Occupation::default(),
        };
        let mut list = Self {
            request,
            limits,
            typed: clips.len(),
            clips: clips.into(),
            first: 0,
            shared: Arc::new(shared),
            open: Mutex::default(),
            opening: Mutex::default(),
            interrupt: interrupt.clone(),
        };
        while let Err(error) = list.desk(list.first) {
            if list.first + 1 == list.typed || interrupt.is_cancelled() {
                return Err(error);
            }
            warn!("{error:#}");
            list.first += 1;
        }
        if list.is_long() {
            list.probe()?;
        }
        Ok(list)
    }

    /// All clips.
    fn all(&self) -> Vec<Arc<ListedClip>> {
        self.clips.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether there are several clips.
    pub(super) fn is_long(&self) -> bool {
        self.all().len() > 1
    }

    /// Lists the result of a job, unless it is listed, and returns its place in an address. Where it was open it is closed:
    /// another file may have its name now.
    pub(super) fn add(&self, result: String) -> String {
        let at = |clips: &[Arc<ListedClip>]| clips.iter().position(|known| known.input == result);
        let is_result = at(&self.all()).is_none_or(|at| at >= self.typed);
        let clip = ListedClip { place: segment(&result), input: result.clone(), is_result, ..ListedClip::default() };
        let (place, request) = (clip.place.clone(), self.reading(&clip));
        let _ = clip.facts.set(ClipFacts::of(&request, &self.interrupt));
        let mut clips = self.clips.write().unwrap_or_else(PoisonError::into_inner);
        let known = at(&clips);
        match known.and_then(|at| clips.get_mut(at)) {
            Some(known) => *known = Arc::new(clip),
            None => clips.push(Arc::new(clip)),
        }
        drop(clips);
        let closed: Vec<(usize, Arc<Desk>)> = self.lock().extract_if(.., |(index, _)| known == Some(*index)).collect();
        drop(closed);
        place
    }

    /// How a clip is read.
    fn reading(&self, clip: &ListedClip) -> Request {
        let request = Request { input: clip.input.clone(), ..self.request.clone() };
        if !clip.is_result {
            return request;
        }
        Request { raw: None, fps: None, cut: Default::default(), fields: Default::default(), ..request }
    }

    /// Index of the clip that is shown first.
    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// Its place in an address.
    pub(super) fn first_place(&self) -> String {
        self.all().get(self.first).map_or_else(String::new, |clip| clip.place.clone())
    }

    /// Index of the clip at a place, a segment of an address.
    pub(super) fn find(&self, place: &str) -> Option<usize> {
        self.all().iter().position(|clip| clip.place == place)
    }

    /// Parts that all clips share.
    pub(super) fn shared(&self) -> &SharedParts {
        &self.shared
    }

    /// The list, for the page of a clip.
    pub(super) fn answer(&self, current: usize) -> ListAnswer {
        let all = self.all();
        let settled = all.len() == 1 || all.iter().all(|clip| clip.facts.get().is_some());
        let answer = |clip: &Arc<ListedClip>| {
            let ListedClip { input, place, facts, .. } = &**clip;
            ListedAnswer { name: name(input), input: input.clone(), place: place.clone(), facts: facts.get().cloned() }
        };
        ListAnswer { clips: all.iter().map(answer).collect(), current, settled }
    }

    /// An open clip, which counts as used; `None` if it is not open. Does not block.
    pub(super) fn opened(&self, index: usize) -> Option<Arc<Desk>> {
        let mut open = self.lock();
        let at = open.iter().position(|(known, _)| *known == index)?;
        let used = open.remove(at);
        let desk = used.1.clone();
        open.push(used);
        Some(desk)
    }

    /// The same, opened if it is not. Blocks meanwhile.
    ///
    /// # Errors
    /// As [`crate::job::Job::open`] where the input is concerned.
    pub(super) fn desk(&self, index: usize) -> Result<Arc<Desk>> {
        if let Some(desk) = self.opened(index) {
            return Ok(desk);
        }
        let _alone = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(desk) = self.opened(index) {
            return Ok(desk);
        }
        // Closed before the other is opened, so that both do not take memory.
        let closed: Vec<(usize, Arc<Desk>)> = {
            let mut open = self.lock();
            let more = (open.len() + 1).saturating_sub(Self::MOST);
            open.drain(..more).collect()
        };
        drop(closed);
        let clip = self.all().get(index).context("there is no such clip")?.clone();
        let desk = Arc::new(self.set_up(&clip)?);
        self.lock().push((index, desk.clone()));
        Ok(desk)
    }

    /// Stops everything that runs.
    pub(super) fn end(&self) {
        self.shared.stopwatch.end();
        self.shared.errands.end();
        drop(std::mem::take(&mut *self.lock()));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(usize, Arc<Desk>)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a clip with its share of memory and disk. Results have the smallest share, beside all of the others.
    fn set_up(&self, clip: &ListedClip) -> Result<Desk> {
        let Self { limits, shared, interrupt, .. } = self;
        let request = self.reading(clip);
        let shares = if clip.is_result { Self::MOST } else { self.typed.clamp(1, Self::MOST) };
        let own = (clip.is_result || self.typed > 1).then(CancelToken::default);
        let interrupt = own.as_ref().unwrap_or(interrupt);
        let defaults = chain_defaults(request.border.as_deref(), request.planes.as_deref())?;
        let mut scrubber = Scrubber::open(request.clone(), limits.memory_bytes / shares, interrupt)?;
        let format = scrubber.format().clone();
        let store = FrameStore::open(&request, &format, limits.scratch_bytes, shares as u64).map(Arc::new);
        if let Some(store) = &store {
            scrubber.take_from(store.clone());
        }
        let chain = ChainReader::new(&request, defaults, &format)?;
        let studio = Studio::start(scrubber, shared.occupation.clone())?;
        let occupations = [shared.occupation.clone(), shared.stopwatch.occupation()];
        let survey = SurveyBoard::start(&request, &format, store, occupations, interrupt)?;
        let folder = OutputFolder::new(&request, limits.output_dir.as_deref());
        Ok(Desk { request, format, chain, studio, survey, folder, shared: shared.clone(), interrupt: own })
    }

    /// Finds out what the clips are, one after the other, in a thread that gives way to orders.
    fn probe(&self) -> Result<()> {
        let (clips, shared, interrupt) = (self.all(), self.shared.clone(), self.interrupt.clone());
        let request = Request { threads: 1.into(), decoder: DecoderChoice::Software, ..self.request.clone() };
        let probe = move || {
            for clip in clips.iter() {
                while shared.occupation.load(Ordering::Relaxed) > 0 && !interrupt.is_cancelled() {
                    thread::sleep(Self::NAP);
                }
                if interrupt.is_cancelled() {
                    return;
                }
                let facts = ClipFacts::of(&Request { input: clip.input.clone(), ..request.clone() }, &interrupt);
                let _ = clip.facts.set(facts);
            }
        };
        thread::Builder::new().name("list".into()).spawn(probe).context("start a thread")?;
        Ok(())
    }
}

impl ClipFacts {
    fn of(request: &Request, interrupt: &CancelToken) -> Self {
        match Reader::open(request, interrupt) {
            Ok(mut reader) => {
                let format = still::shown(reader.lineage().format());
                let bytes = fs::metadata(&request.input).ok().filter(fs::Metadata::is_file).map(|found| found.len());
                let (width, height, rate) = (format.width, format.height, format.rate.value());
                Self { width, height, rate, frames: reader.source().length(), bytes, fault: None }
            }
            Err(error) => Self { fault: Some(format!("{error:#}")), ..Self::default() },
        }
    }
}

/// A text as a segment of an address, as `encodeURIComponent` of scripts writes it.
fn segment(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    let written = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn places_are_segments() {
        assert_eq!(segment("a/b ü.mkv"), "a%2Fb%20%C3%BC.mkv");
        assert_eq!(segment("../it's (1)?#.mkv"), "..%2Fit's%20(1)%3F%23.mkv");
    }
}
