//! The frames of a clip in any order: read on where that is quicker, and else from the key frame before.

use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};

use super::input;
use super::kept::KeptFrames;
use super::request::{Request, TypedCut};
use crate::frame::{Format, Frame, Pool};
use crate::source::{FrameIndex, Interrupt, Portion, Source};

/// Which frames of a clip are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReelLength {
    /// How many there are, as far as that is known.
    pub frames: Option<u64>,
    /// Whether that is certain; else it is an estimate, or what has come through a pipe.
    pub is_known: bool,
}

/// A clip whose frames are asked for by their number in all of it, also where a request cuts out a part.
pub(super) enum Reel {
    File(Box<FileReel>),
    Pipe(PipeReel),
}

/// A clip that can be read again.
pub(super) struct FileReel {
    request: Request,
    interrupt: Interrupt,
    format: Arc<Format>,
    estimate: Option<u64>,
    /// Whether a part was asked for.
    is_cut: bool,
    pool: Pool,
    known: Arc<OnceLock<Result<KnownClip, String>>>,
    /// The source that is open, and the number in the whole clip of its next frame.
    open: Option<(Box<dyn Source>, u64)>,
    kept: KeptFrames<u64>,
}

/// What looking through a clip finds.
struct KnownClip {
    index: FrameIndex,
    /// The part that was asked for: how many frames lie before it, and how many it has.
    first: u64,
    count: u64,
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
    pub(super) fn open(request: &Request, room: usize, interrupt: &Interrupt) -> Result<Self> {
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

    /// How many frames there are. Does not block.
    pub(super) fn length(&self) -> ReelLength {
        match self {
            Self::File(reel) => match reel.known.get() {
                Some(Ok(known)) => ReelLength { frames: Some(known.count), is_known: true },
                Some(Err(_)) | None => ReelLength { frames: reel.estimate, is_known: reel.known.get().is_some() },
            },
            Self::Pipe(reel) => {
                let state = reel.state.0.lock().unwrap_or_else(PoisonError::into_inner);
                ReelLength { frames: Some(state.frames.len() as u64), is_known: state.is_over }
            }
        }
    }

    /// How many frames of the clip lie before the part that was asked for. Blocks until that is known.
    pub(super) fn before(&self) -> u64 {
        match self {
            Self::File(reel) if reel.is_cut => reel.known.wait().as_ref().map_or(0, |known| known.first),
            Self::File(_) | Self::Pipe(_) => 0,
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
    fn start(request: &Request, source: Box<dyn Source>, room: usize, interrupt: &Interrupt) -> Result<Self> {
        let (format, estimate) = (source.format().clone(), source.length());
        let known = Arc::new(OnceLock::new());
        let reel = Self {
            request: Request { cut: TypedCut::default(), ..request.clone() },
            interrupt: interrupt.clone(),
            format,
            estimate,
            is_cut: is_cut(&request.cut),
            pool: Pool::heap(),
            known: known.clone(),
            open: None,
            kept: KeptFrames::new(room),
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
        if !self.is_ahead(number) {
            self.seek(number)?;
        }
        while let Some((source, next)) = &mut self.open {
            let Some(frame) = source.next(&self.pool)? else {
                self.open = None;
                break;
            };
            let at = *next;
            *next += 1;
            self.kept.put(at, frame.clone());
            if at == number {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    /// Whether a frame comes sooner by reading on than from a key frame.
    fn is_ahead(&self, number: u64) -> bool {
        const FEW: u64 = 4;

        let Some((_, next)) = &self.open else { return false };
        let key =
            self.known.get().and_then(|known| known.as_ref().ok()).and_then(|known| known.index.key_before(number));
        *next <= number && (number - next <= FEW || key.is_some_and(|key| key <= *next))
    }

    fn seek(&mut self, number: u64) -> Result<()> {
        self.open = None;
        let portion = match number {
            0 => None,
            _ => self.portion(number)?,
        };
        if number > 0 && portion.is_none() {
            return Ok(());
        }
        let mut source = input::open(&self.request, &self.interrupt)?.0;
        ensure!(source.format() == &self.format, "{:?} has become another clip", self.request.input);
        if let Some(portion) = portion {
            source.keep_to(portion);
        }
        self.open = Some((source, number));
        Ok(())
    }

    /// The clip from a frame on; `None` behind the last. Blocks until the clip is looked through.
    fn portion(&self, number: u64) -> Result<Option<Portion>> {
        let known = self.known.wait().as_ref().map_err(|fault| anyhow!("{fault}"))?;
        let Some(from) = usize::try_from(number).ok().and_then(|place| known.index.frames.get(place)) else {
            return Ok(None);
        };
        let frames = known.index.frames.len() as u64 - number;
        Ok(Some(Portion { first: number, frames, from: from.time, to: None }))
    }
}

/// Whether less than a whole clip is read.
fn is_cut(cut: &TypedCut) -> bool {
    let TypedCut { start, end, duration, frames } = cut;
    start.is_some() || end.is_some() || duration.is_some() || frames.is_some()
}

impl KnownClip {
    /// Looks through a clip, and finds the part of it that a request cuts out. Blocks.
    fn look(request: &Request, whole: &Request, interrupt: &Interrupt) -> Result<Self> {
        let index = input::open(whole, interrupt)?.0.index()?;
        let all = index.frames.len() as u64;
        if !is_cut(&request.cut) {
            return Ok(Self { index, first: 0, count: all });
        }
        let mut part = input::open(request, interrupt)?.0;
        let count = part.index()?.frames.len() as u64;
        let first = part.next(&Pool::heap())?.map_or(0, |frame| {
            let time = frame.timing.pts + frame.timing.offset;
            index.frames.partition_point(|known| known.time < time) as u64
        });
        Ok(Self { index, first, count: count.min(all.saturating_sub(first)) })
    }
}

impl PipeReel {
    fn start(mut source: Box<dyn Source>, room: usize, interrupt: Interrupt) -> Result<Self> {
        let format = source.format().clone();
        let most = (room / format.packed_bytes().max(1)).max(1);
        let state = Arc::new((Mutex::new(PipeState::default()), Condvar::new()));
        let shared = state.clone();
        let read = move || {
            let (state, news) = &*shared;
            let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
            let pool = Pool::heap();
            let mut count = 0;
            while count < most && !interrupt.load(std::sync::atomic::Ordering::Relaxed) {
                match source.next(&pool) {
                    Ok(Some(mut frame)) => {
                        frame.timing.attachment = None;
                        lock().frames.push(frame);
                        count += 1;
                        news.notify_all();
                    }
                    Ok(None) => break,
                    Err(error) => {
                        lock().fault = Some(format!("{error:#}"));
                        break;
                    }
                }
            }
            if count == most {
                log::warn!("the first {count} frames fill the memory that there is; give more with --memory");
            }
            lock().is_over = true;
            news.notify_all();
        };
        thread::Builder::new().name("pipe".into()).spawn(read).context("start a thread")?;
        Ok(Self { format, state })
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
