//! Second clips: opened as inputs are, read ahead by a thread of their own, and converted to the format of the frames that they meet.

mod ending;
mod fitting;
mod placing;

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

pub use self::ending::check_no_end;
pub(super) use self::ending::ended_request;
use self::fitting::Fitting;
use self::placing::Placing;
use super::input;
use super::request::{Request, TypedCut};
use crate::frame::{Format, Frame, Pool};
use crate::pass::{ClipFit, ClipOpener, ClipShape, CompanionClip};
use crate::plan::Plan;
use crate::source::{CancelToken, Source};

/// Frames that are decoded before they are due.
const AHEAD: usize = 4;

/// Opens second clips from files.
pub(super) struct SecondClips;

impl ClipOpener for SecondClips {
    fn open(&self, clip: &CompanionClip, format: &Arc<Format>, from: Duration) -> Result<Box<dyn Source>> {
        let start = (!from.is_zero()).then(|| from.as_secs_f64().to_string());
        let request = request(&clip.path, TypedCut { start, ..TypedCut::default() });
        let interrupt = CancelToken::default();
        let (source, _) = input::open(&request, &interrupt)?;
        let bringing = match &clip.fit {
            ClipFit::Scaled => Bringing::Scaled(Fitting::new(&request, source.format(), format)?),
            ClipFit::Placed(placed) => Bringing::Placed(Placing::new(&request, source.format(), placed)?),
        };
        Ok(Box::new(SecondClip::start(source, bringing, interrupt)?))
    }

    fn shape(&self, path: &str) -> Result<ClipShape> {
        let (source, _) = input::open(&request(path, TypedCut::default()), &CancelToken::default())?;
        let Format { width, height, turn, pixel, .. } = **source.format();
        let (width, height) = turn.size((width, height));
        Ok(ClipShape { width, height, has_alpha: pixel.alpha })
    }
}

/// What opens a part of a second clip.
fn request(path: &str, cut: TypedCut) -> Request {
    Request { input: path.to_owned(), cut, ..Request::default() }
}

/// How frames become those that a pass reads.
enum Bringing {
    Scaled(Fitting),
    Placed(Placing),
}

impl Bringing {
    fn run(&mut self, frame: Frame, pool: &Pool) -> Result<Frame> {
        match self {
            Self::Scaled(fitting) => fitting.run(frame, pool),
            Self::Placed(placing) => placing.run(frame, pool),
        }
    }
}

/// Opens the second clips of a plan, and reads the first frame of each, so that nothing is written for a chain that cannot run. Blocks.
///
/// # Errors
/// If one cannot be opened, read, or converted to the format of the frames that it meets.
pub(super) fn check(plan: &Plan) -> Result<()> {
    for (step, format) in plan.steps().iter().zip(plan.formats()) {
        let Some(companion) = &step.pass.companion else { continue };
        let (path, what) =
            (&companion.path, || format!("{}: read the second clip {:?}", step.pass.name, companion.path));
        let Some(clips) = &companion.clips else { continue };
        let mut clip = clips.open(companion, &format, Duration::ZERO).with_context(what)?;
        let is_empty = clip.next_frame(&Pool::heap()).with_context(what)?.is_none();
        ensure!(!is_empty, "{}: the second clip {path:?} has no frames; name another file", step.pass.name);
    }
    Ok(())
}

/// A second clip, whose frames a thread decodes and converts.
struct SecondClip {
    format: Arc<Format>,
    /// Ends the thread's reading.
    interrupt: CancelToken,
    /// None after the last frame, and once nobody reads any more.
    frames: Option<Receiver<Result<Frame>>>,
    thread: Option<JoinHandle<()>>,
}

impl SecondClip {
    fn start(source: Box<dyn Source>, bringing: Bringing, interrupt: CancelToken) -> Result<Self> {
        let (sender, frames) = mpsc::sync_channel(AHEAD);
        let format = source.format().clone();
        let work = move || read(source, bringing, &sender);
        let thread = thread::Builder::new().name("second clip".into()).spawn(work).context("start a thread")?;
        Ok(Self { format, interrupt, frames: Some(frames), thread: Some(thread) })
    }
}

/// Sends the frames of a clip until it ends, fails, or nobody takes them.
fn read(mut source: Box<dyn Source>, mut bringing: Bringing, sender: &SyncSender<Result<Frame>>) {
    let pool = Pool::heap();
    let mut next = move || {
        let Some(frame) = source.next_frame(&pool)? else { return Ok(None) };
        bringing.run(frame, &pool).map(Some)
    };
    while let Some(frame) = next().transpose() {
        let is_last = frame.is_err();
        if sender.send(frame).is_err() || is_last {
            return;
        }
    }
}

impl Source for SecondClip {
    /// Of the times of its frames; their samples are of the format that they were converted to.
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, _: &Pool) -> Result<Option<Frame>> {
        let Some(frames) = &self.frames else { return Ok(None) };
        match frames.recv() {
            Ok(frame) => frame.map(Some),
            Err(_) => {
                self.frames = None;
                Ok(None)
            }
        }
    }

    fn length(&self) -> Option<u64> {
        None
    }
}

impl Drop for SecondClip {
    fn drop(&mut self) {
        self.interrupt.cancel();
        self.frames = None;
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}
