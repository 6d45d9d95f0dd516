//! The frames of a clip in any order: from a store, where they were decoded already, by reading on where that is
//! quicker, and else from the key frame before.

use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::input;
use super::kept::{KeptFrames, bytes};
use super::known::{KnownClip, is_cut};
use super::request::{Request, TypedCut};
use super::stamp::FileStamp;
use super::store::FrameStore;
use crate::frame::{Format, Frame, Pool};
use crate::source::{Approach, CancelToken, Portion, Source};

/// Which frames of a clip are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReelLength {
    /// How many there are, as far as that is known.
    pub frames: Option<u64>,
    /// Whether that is certain; else it is an estimate, or what has come through a pipe.
    pub is_known: bool,
    /// Whether it stays as it is: it is known, or cannot be found out.
    pub is_settled: bool,
    /// Variable frame rate, as far as is known.
    pub is_variable: bool,
}

/// How long a clip is, for whoever asks while another thread reads it; clones share it.
#[derive(Clone)]
pub struct ReelGauge(Gauged);

#[derive(Clone)]
enum Gauged {
    File(Option<u64>, Arc<OnceLock<Result<KnownClip, String>>>),
    Pipe(Arc<(Mutex<PipeState>, Condvar)>),
}

impl ReelGauge {
    /// How many frames there are. Does not block.
    pub fn length(&self) -> ReelLength {
        match &self.0 {
            Gauged::File(estimate, known) => match known.get() {
                Some(Ok(known)) => ReelLength {
                    frames: Some(known.count),
                    is_known: true,
                    is_settled: true,
                    is_variable: known.is_variable,
                },
                found => ReelLength { frames: *estimate, is_settled: found.is_some(), ..ReelLength::default() },
            },
            Gauged::Pipe(state) => {
                let state = state.0.lock().unwrap_or_else(PoisonError::into_inner);
                ReelLength {
                    frames: Some(state.frames.len() as u64),
                    is_known: state.is_over,
                    is_settled: state.is_over,
                    ..ReelLength::default()
                }
            }
        }
    }
}

/// A clip whose frames are asked for by their number in all of it, also where a request cuts out a part.
pub(super) enum Reel {
    File(Box<FileReel>),
    Pipe(PipeReel),
}

/// A clip that can be read again.
pub(super) struct FileReel {
    request: Request,
    interrupt: CancelToken,
    format: Arc<Format>,
    estimate: Option<u64>,
    /// Whether a part was asked for.
    is_cut: bool,
    pool: Pool,
    known: Arc<OnceLock<Result<KnownClip, String>>>,
    /// The source that is open, and the number in the whole clip of its next frame.
    open: Option<(Box<dyn Source>, u64)>,
    /// The file when it was opened.
    stamp: Option<FileStamp>,
    kept: KeptFrames<u64>,
    store: Option<Arc<FrameStore>>,
}

/// What comes through a pipe, as much of it as there is room for.
pub(super) struct PipeReel {
    format: Arc<Format>,
    state: Arc<(Mutex<PipeState>, Condvar)>,
}

#[derive(Default)]
struct PipeState {
    frames: Vec<Frame>,
    is_over: bool,
    fault: Option<String>,
}

impl Reel {
    /// Opens a request's input. Frames take `room` bytes at most; a clip in a pipe ends where they do. Blocks while a piped
    /// input has not begun.
    ///
    /// # Errors
    /// As [`super::Job::open`], where the input is concerned.
    pub(super) fn open(request: &Request, room: usize, interrupt: &CancelToken) -> Result<Self> {
        let source = input::open(request, interrupt)?.0;
        if request.input == "-" {
            return Ok(Self::Pipe(PipeReel::start(source, room, interrupt.clone())?));
        }
        Ok(Self::File(Box::new(FileReel::start(request, source, room, interrupt)?)))
    }

    /// What every frame is.
    pub(super) fn format(&self) -> &Arc<Format> {
        match self {
            Self::File(reel) => &reel.format,
            Self::Pipe(reel) => &reel.format,
        }
    }

    /// Has a store with the frames of the part that was asked for. What is not there is decoded.
    pub(super) fn take_from(&mut self, store: Arc<FrameStore>) {
        if let Self::File(reel) = self {
            reel.store = Some(store);
        }
    }

    /// What tells how many frames there are.
    pub(super) fn gauge(&self) -> ReelGauge {
        ReelGauge(match self {
            Self::File(reel) => Gauged::File(reel.estimate, reel.known.clone()),
            Self::Pipe(reel) => Gauged::Pipe(reel.state.clone()),
        })
    }

    /// The memory of the frames that are kept, in bytes.
    pub(super) fn kept_bytes(&self) -> usize {
        match self {
            Self::File(reel) => reel.kept.bytes(),
            Self::Pipe(reel) => reel.kept_bytes(),
        }
    }

    /// How many frames there are; `None` where that is known at the end of a pipe alone. Blocks while the clip is looked
    /// through.
    ///
    /// # Errors
    /// If it cannot be.
    pub(super) fn count(&self) -> Result<Option<u64>> {
        match self {
            Self::File(reel) => Ok(Some(reel.known()?.count)),
            Self::Pipe(_) => Ok(None),
        }
    }

    /// The number of the first frame of the part that is shown at a time or later, in units of the time base of the whole clip;
    /// as many as there are where none is. Blocks while the clip is looked through.
    ///
    /// # Errors
    /// If it cannot be, or comes through a pipe.
    pub(super) fn number_from(&self, time: i64) -> Result<u64> {
        let Self::File(reel) = self else { bail!("the clip comes through a pipe, which cannot be sought in") };
        Ok(reel.known()?.number_from(time))
    }

    /// How many frames of the clip lie before the part that was asked for. Blocks until that is known.
    ///
    /// # Errors
    /// If it cannot be found out.
    pub(super) fn before(&self) -> Result<u64> {
        match self {
            Self::File(reel) if reel.is_cut => Ok(reel.known()?.first),
            Self::File(_) | Self::Pipe(_) => Ok(0),
        }
    }

    /// A frame by its number in the whole clip; `None` behind the last. Blocks while it is decoded.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn frame(&mut self, number: u64) -> Result<Option<Frame>> {
        match self {
            Self::File(reel) => reel.frame(number),
            Self::Pipe(reel) => reel.frame(number),
        }
    }
}

impl FileReel {
    fn start(request: &Request, source: Box<dyn Source>, room: usize, interrupt: &CancelToken) -> Result<Self> {
        let (format, estimate) = (source.format().clone(), source.length());
        let (is_cut, known) = (is_cut(&request.cut), Arc::new(OnceLock::new()));
        let reel = Self {
            request: Request { cut: TypedCut::default(), ..request.clone() },
            interrupt: interrupt.clone(),
            format,
            estimate,
            is_cut,
            pool: Pool::heap(),
            known: known.clone(),
            // What was opened for a part gives no frames outside it.
            open: (!is_cut).then_some((source, 0)),
            stamp: FileStamp::of(&request.input),
            kept: KeptFrames::new(room),
            store: None,
        };
        let (request, whole, interrupt) = (request.clone(), reel.request.clone(), interrupt.clone());
        let look = move || {
            let found = KnownClip::look(&request, &whole, &interrupt);
            let _ = known.set(found.map_err(|error| format!("{error:#}")));
        };
        thread::Builder::new().name("index".into()).spawn(look).context("start a thread")?;
        Ok(reel)
    }

    fn frame(&mut self, number: u64) -> Result<Option<Frame>> {
        if let Some(frame) = self.kept.get(&number) {
            return Ok(Some(frame));
        }
        if let Some(frame) = self.stored(number) {
            self.kept.put(number, frame.clone());
            return Ok(Some(frame));
        }
        if !self.is_near(number) && !self.seek(number)? {
            return Ok(None);
        }
        while let Some((mut source, at)) = self.open.take() {
            let Some(mut frame) = source.next_frame(&self.pool)? else { break };
            self.open = Some((source, at + 1));
            frame.timing.attachment = None;
            self.kept.put(at, frame.clone());
            if at == number {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    /// A frame out of the store. Who filled that met the frames that can be decoded, and here those are counted that the
    /// file promises: it is the time by which they are the same.
    fn stored(&self, number: u64) -> Option<Frame> {
        let (store, Ok(known)) = (self.store.as_ref()?, self.known.get()?) else { return None };
        let time = |number: u64| Some(known.index.frames.get(usize::try_from(number).ok()?)?.time);
        let key = known.index.key_before(number).and_then(time);
        store.frame(time(number)?, number, key, &self.pool)
    }

    /// Whether a frame comes next, or a few frames later.
    fn is_near(&self, number: u64) -> bool {
        let is_near = |next: u64| (next..=next.saturating_add(Self::NEAR)).contains(&number);
        let known = self.known.get().and_then(|known| known.as_ref().ok());
        self.open.as_ref().is_some_and(|(_, next)| is_near(*next)) && known.is_none_or(|known| known.has(number))
    }

    /// Goes to a frame, or to one a little before it; `false` if it lies behind the last. Blocks until the clip is looked
    /// through, unless it is the first.
    fn seek(&mut self, number: u64) -> Result<bool> {
        let (first, approach) = match number {
            0 => (0, Approach::KeyFrame),
            _ => {
                let known = self.known()?;
                if !known.has(number) {
                    return Ok(false);
                }
                let key = known.index.key_before(number);
                // Whoever looks at a frame steps back from it sooner than from others.
                let first = key.map_or(number, |key| key.max(number.saturating_sub(Self::NEAR)));
                let is_ahead = |next: u64| next <= first && key.is_some_and(|key| key <= next);
                let reads_on = self.open.as_ref().is_some_and(|(_, next)| is_ahead(*next));
                (first, if reads_on { Approach::ReadOn } else { Approach::KeyFrame })
            }
        };
        let portion = self.portion(first)?;
        let opened =
            self.open.take().filter(|_| self.stamp.is_some() && self.stamp == FileStamp::of(&self.request.input));
        if let (Some((mut source, _)), Some(portion)) = (opened, portion)
            && source.go_to(portion, approach)
        {
            self.open = Some((source, first));
            return Ok(true);
        }
        self.stamp = FileStamp::of(&self.request.input);
        let mut source = input::open(&self.request, &self.interrupt)?.0;
        ensure!(source.format() == &self.format, "{:?} has changed on disk", self.request.input);
        if let Some(portion) = portion {
            source.keep_to(portion);
        }
        self.open = Some((source, first));
        Ok(true)
    }

    /// How many frames are read on rather than sought, and as many are decoded and kept before one that is sought.
    const NEAR: u64 = 8;

    /// The clip from a frame on; `None` for all of it.
    fn portion(&self, first: u64) -> Result<Option<Portion>> {
        if first == 0 {
            return Ok(None);
        }
        let frames = &self.known()?.index.frames;
        let from = usize::try_from(first).ok().and_then(|place| frames.get(place)).context("a frame of the clip")?;
        Ok(Some(Portion { first, frames: frames.len() as u64 - first, from: from.time, to: None }))
    }

    /// What looking through the clip has found. Blocks until that is done.
    fn known(&self) -> Result<&KnownClip> {
        self.known.wait().as_ref().map_err(|fault| anyhow!("{fault}"))
    }
}

impl PipeReel {
    fn start(mut source: Box<dyn Source>, room: usize, interrupt: CancelToken) -> Result<Self> {
        let format = source.format().clone();
        let state = Arc::new((Mutex::new(PipeState::default()), Condvar::new()));
        let shared = state.clone();
        let read = move || {
            let (state, news) = &*shared;
            let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
            let pool = Pool::heap();
            let mut used = 0;
            while !interrupt.is_cancelled() {
                match source.next_frame(&pool) {
                    Ok(Some(mut frame)) => {
                        frame.timing.attachment = None;
                        used += bytes(&frame);
                        let mut state = lock();
                        if used > room && !state.frames.is_empty() {
                            let count = state.frames.len();
                            let advice = "raise the limit with --memory";
                            log::warn!("the first {count} frames fill the memory for the clip; {advice}");
                            break;
                        }
                        state.frames.push(frame);
                        news.notify_all();
                    }
                    Ok(None) => break,
                    Err(error) => {
                        lock().fault = Some(format!("{error:#}"));
                        break;
                    }
                }
            }
            lock().is_over = true;
            news.notify_all();
        };
        thread::Builder::new().name("pipe".into()).spawn(read).context("start a thread")?;
        Ok(Self { format, state })
    }

    fn kept_bytes(&self) -> usize {
        let state = self.state.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.frames.iter().map(bytes).sum()
    }

    fn frame(&self, number: u64) -> Result<Option<Frame>> {
        let (state, news) = &*self.state;
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanting = |state: &mut PipeState| state.frames.len() <= place && !state.is_over;
        let state = news.wait_while(state, is_wanting).unwrap_or_else(PoisonError::into_inner);
        match (state.frames.get(place), &state.fault) {
            (None, Some(fault)) => Err(anyhow!("{fault}")),
            (frame, _) => Ok(frame.cloned()),
        }
    }
}
