//! Second clips: opened as inputs are, read ahead by a thread of their own, and converted to the format of the frames that they meet.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::input;
use super::matcher::SizeMatcher;
use super::request::{Request, TypedCut};
use crate::frame::{Format, Frame, Pool, Turner};
use crate::libav::{Converter, Stored};
use crate::pass::ClipOpener;
use crate::plan::Plan;
use crate::sink::Converted;
use crate::source::{CancelToken, Source};

/// Frames that are decoded before they are due.
const AHEAD: usize = 4;

/// Opens second clips from files.
pub(super) struct SecondClips;

impl ClipOpener for SecondClips {
    fn open(&self, path: &str, format: &Arc<Format>, from: Duration) -> Result<Box<dyn Source>> {
        let start = (!from.is_zero()).then(|| from.as_secs_f64().to_string());
        let cut = TypedCut { start, ..TypedCut::default() };
        let request = Request { input: path.to_owned(), cut, ..Request::default() };
        let interrupt = CancelToken::default();
        let (source, _) = input::open(&request, &interrupt)?;
        let fitting = Fitting::new(&request, source.format(), format)?;
        Ok(Box::new(SecondClip::start(source, fitting, interrupt)?))
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
        let mut clip = clips.open(path, &format, Duration::ZERO).with_context(what)?;
        let is_empty = clip.next_frame(&Pool::heap()).with_context(what)?.is_none();
        ensure!(!is_empty, "{}: the second clip {path:?} has no frames; name another file", step.pass.name);
    }
    Ok(())
}

/// Conversion of frames of one format to another.
struct Fitting {
    /// Frames as they are shown, and those as the frames that they meet are stored.
    turning: Vec<Turner>,
    /// Other colours, and grey: by FFmpeg, with the picture between its two halves.
    recolouring: Option<(Converter, Converter, Vec<u8>)>,
    /// Another size, subsampling, depth or range.
    sizing: Option<SizeMatcher>,
}

impl Fitting {
    fn new(request: &Request, from: &Arc<Format>, to: &Arc<Format>) -> Result<Self> {
        let (mut between, mut turning) = (from.clone(), Vec::new());
        for turn in [from.turn, to.turn.inverse()].into_iter().filter(|_| from.turn != to.turn) {
            let turner = Turner::new(&Format { turn, ..Format::clone(&between) });
            between = turner.as_ref().map_or(between, |turner| turner.format().clone());
            turning.extend(turner);
        }
        between = Arc::new(Format { turn: to.turn, ..Format::clone(&between) });
        let mut recolouring = None;
        if (from.pixel.family, from.pixel.alpha) != (to.pixel.family, to.pixel.alpha) {
            let stored = Stored::planar(to.pixel).with_context(|| format!("FFmpeg has no {}", to.pixel.name()))?;
            let packing = Converter::from_planar(stored, &between)?;
            let picture = vec![0; stored.packed_bytes(between.width, between.height)];
            between = Converted::format(stored, &between);
            recolouring = Some((packing, Converter::to_planar(stored, &between)?, picture));
        }
        let sizing = match between.samples_match(to) {
            true => None,
            false => Some(SizeMatcher::new(request, &between, to)?),
        };
        Ok(Self { turning, recolouring, sizing })
    }

    fn run(&mut self, mut frame: Frame, pool: &Pool) -> Result<Frame> {
        for turner in &self.turning {
            frame = turner.run(&frame)?;
        }
        if let Some((packing, planar, picture)) = &mut self.recolouring {
            packing.pack(&frame, picture)?;
            frame = planar.unpack(picture, pool)?.freeze(frame.timing.clone());
        }
        match &mut self.sizing {
            Some(sizing) => sizing.run(frame),
            None => Ok(frame),
        }
    }
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
    fn start(source: Box<dyn Source>, fitting: Fitting, interrupt: CancelToken) -> Result<Self> {
        let (sender, frames) = mpsc::sync_channel(AHEAD);
        let format = source.format().clone();
        let work = move || read(source, fitting, &sender);
        let thread = thread::Builder::new().name("second clip".into()).spawn(work).context("start a thread")?;
        Ok(Self { format, interrupt, frames: Some(frames), thread: Some(thread) })
    }
}

/// Sends the frames of a clip until it ends, fails, or nobody takes them.
fn read(mut source: Box<dyn Source>, mut fitting: Fitting, sender: &SyncSender<Result<Frame>>) {
    let pool = Pool::heap();
    let mut next = move || {
        let Some(frame) = source.next_frame(&pool)? else { return Ok(None) };
        fitting.run(frame, &pool).map(Some)
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
