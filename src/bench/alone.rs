//! Each stage of a job alone, on the frames of the job: decoding to nothing, filtering from memory, encoding from memory.
//! Its rate is what the stage allows when it has all cores.
//!
//! Short and bounded: a stage takes about two seconds at most (and what it has in flight then), and frames that are kept
//! take 256 MiB at most, before and after the filter.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::frame::{Attachment, Format, Frame, Pool, Timing};
use crate::job::{Destination, Job, Lineage, OutputKind, Overwrite, Reader, Request, TypedCut, open_sink};
use crate::pipeline::Monitor;
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// Rate of a stage alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alone {
    /// `decode`, `filter` or `encode`.
    pub stage: String,
    /// Frames that were timed.
    pub frames: u64,
    /// Time that they took.
    pub seconds: f64,
    /// Frames a second.
    pub fps: f64,
}

impl Alone {
    pub(super) fn of(stage: &str, frames: u64, seconds: f64) -> Option<Self> {
        let fps = frames as f64 / seconds;
        (frames > 0 && seconds > 0.0).then(|| Self { stage: stage.to_owned(), frames, seconds, fps })
    }
}

/// The time that a stage should take.
pub(super) const TIME: Duration = Duration::from_millis(600);
/// The most that it may take before it is stopped.
pub(super) const MOST: Duration = Duration::from_millis(1800);
/// Bytes of frames that are kept.
const BYTES: usize = 256 << 20;
/// Bytes of uncompressed frames that are written.
const WRITTEN: usize = 512 << 20;
/// A clip is opened again so often to fill the time.
pub(super) const PASSES: usize = 16;

/// Frames that are kept, as many as fit.
#[derive(Default)]
pub(super) struct FrameStack {
    pub(super) frames: Vec<Frame>,
    bytes: usize,
}

impl FrameStack {
    /// Keeps a frame, without what came with it; breaks where there is no room for another.
    fn keep(&mut self, frame: &Frame) -> ControlFlow<()> {
        let bytes = frame.format().packed_bytes();
        if self.bytes + bytes > BYTES && !self.frames.is_empty() {
            return ControlFlow::Break(());
        }
        let mut frame = frame.clone();
        frame.timing = Timing { attachment: None, motion: None, is_margin: false, ..frame.timing };
        self.bytes += bytes;
        self.frames.push(frame);
        ControlFlow::Continue(())
    }
}

fn go_on(interrupt: &CancelToken) -> Result<()> {
    if interrupt.is_cancelled() {
        bail!("interrupted");
    }
    Ok(())
}

/// Keeps the first frames of a clip.
pub(super) fn keep(request: &Request, kept: &mut FrameStack, interrupt: &CancelToken) -> Result<()> {
    let (pool, began) = (Pool::heap(), Instant::now());
    let mut reader = Reader::open(request, interrupt)?;
    while let Some(frame) = reader.source().next_frame(&pool)? {
        go_on(interrupt)?;
        if kept.keep(&frame).is_break() || began.elapsed() > MOST {
            break;
        }
    }
    Ok(())
}

/// Decodes the clip to nothing.
pub(super) fn decode(open: impl Fn() -> Result<Reader>, interrupt: &CancelToken) -> Result<Option<Alone>> {
    let pool = Pool::heap();
    let (mut frames, mut took) = (0, Duration::ZERO);
    for _ in 0..PASSES {
        let mut reader = open()?;
        let began = Instant::now();
        while took + began.elapsed() < MOST && reader.source().next_frame(&pool)?.is_some() {
            go_on(interrupt)?;
            frames += 1;
        }
        took += began.elapsed();
        if took > TIME {
            break;
        }
    }
    Ok(Alone::of("decode", frames, took.as_secs_f64()))
}

/// Filters kept frames in turns, and keeps what comes of the first.
pub(super) fn filter(
    request: Request,
    frames: Vec<Frame>,
    interrupt: &CancelToken,
) -> Result<(Option<Alone>, FrameStack)> {
    let made = Arc::<Mutex<FilteredFrames>>::default();
    let source = LoopedFrames::new(frames, u64::MAX, interrupt);
    let request = Request { cut: TypedCut::default(), input: "kept frames".to_owned(), ..request };
    Job::between(request, Box::new(source), Box::new(KeepSink(made.clone())))?.run(&Monitor::default())?;
    go_on(interrupt)?;
    let FilteredFrames { kept, times } = std::mem::take(&mut *made.lock().unwrap_or_else(PoisonError::into_inner));
    // Until then buffers were made and filled, and memory for what is kept.
    let settled = times.first().map_or(0, |first| times.partition_point(|time| *time < *first + TIME / 4));
    let lead = settled.max(kept.frames.len()).min(times.len() / 2);
    let alone = match &times[lead..] {
        [begin, .., end] => Alone::of("filter", (times.len() - lead - 1) as u64, (*end - *begin).as_secs_f64()),
        _ => None,
    };
    Ok((alone, kept))
}

/// Encodes kept frames in turns; `None` where nothing is written, or a pipe or device takes it.
pub(super) fn encode(request: &Request, frames: &[Frame], interrupt: &CancelToken) -> Result<Option<Alone>> {
    let (Some(first), Some(output)) = (frames.first(), OutputBeside::new(request)?) else { return Ok(None) };
    let mut sink = open_sink(output.request(), &Lineage::of(first.format().clone()))?;
    let (began, step) = (Instant::now(), step(frames));
    let (most, mut count) = (output.most_frames(first.format()), 0);
    for frame in frames.iter().cycle() {
        go_on(interrupt)?;
        let took = began.elapsed();
        let has_all = count as usize >= frames.len();
        if took > MOST || has_all && (took > TIME || count >= most) {
            break;
        }
        sink.put(at(frame, count, step))?;
        count += 1;
    }
    sink.finish(None)?;
    Ok(Alone::of("encode", count, began.elapsed().as_secs_f64()))
}

/// An output in a hidden folder beside the real one, which is removed with it.
pub(super) struct OutputBeside {
    request: Request,
    /// Removed when this is dropped.
    _folder: TempDir,
}

impl OutputBeside {
    /// `None` where [`Self::place`] gives none.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub(super) fn new(request: &Request) -> Result<Option<Self>> {
        let Some((beside, name)) = Self::place(request) else { return Ok(None) };
        let folder = tempfile::Builder::new().prefix(".warpreel-").tempdir_in(beside)?;
        let written = folder.path().join(name).display().to_string();
        let output = if request.kind() == OutputKind::Hash { format!("hash:{written}") } else { written };
        let request = Request { output, chain: Vec::new(), overwrite: Overwrite::Replace, ..request.clone() };
        Ok(Some(Self { request, _folder: folder }))
    }

    /// Folder and name of the output; `None` where nothing is written, or a pipe or device takes it.
    pub(super) fn place(request: &Request) -> Option<(&Path, &OsStr)> {
        let Destination::Path(path) = request.destination() else { return None };
        let is_special = std::fs::metadata(path).is_ok_and(|found| !found.is_file());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some((folder, path.file_name().filter(|_| !is_special)?))
    }

    /// Request for the hidden output.
    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    /// How many frames of a format may be written: as many as wanted, unless they are not compressed.
    pub(super) fn most_frames(&self, format: &Format) -> u64 {
        if self.request.kind().is_plain() { (WRITTEN / format.packed_bytes().max(1)).max(1) as u64 } else { u64::MAX }
    }
}

/// The time from frame to frame.
fn step(frames: &[Frame]) -> i64 {
    match frames {
        [first, second, ..] => (second.timing.pts - first.timing.pts).max(1),
        _ => 1,
    }
}

/// A kept frame at another place of a clip.
fn at(frame: &Frame, number: u64, step: i64) -> Frame {
    let mut frame = frame.clone();
    let pts = step.saturating_mul(i64::try_from(number).unwrap_or(i64::MAX));
    frame.timing = Timing { number, origin: None, pts, offset: 0, ..frame.timing };
    frame
}

/// A clip of kept frames, in turns until the time is over, which begins when each was there once. They are brought to the memory into
/// which the job decodes, because a GPU reads that much faster than any other; making it takes longer than decoding.
pub(super) struct LoopedFrames {
    kept: Vec<Frame>,
    format: Arc<Format>,
    /// Copies of as many of them as were wanted yet.
    frames: Vec<Frame>,
    number: u64,
    most: u64,
    began: Option<Instant>,
    interrupt: CancelToken,
}

impl LoopedFrames {
    /// `most` frames in all, of `kept`, which is not empty.
    pub(super) fn new(kept: Vec<Frame>, most: u64, interrupt: &CancelToken) -> Self {
        let (format, interrupt) = (kept[0].format().clone(), interrupt.clone());
        Self { kept, format, frames: Vec::new(), number: 0, most, began: None, interrupt }
    }
}

impl Source for LoopedFrames {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let lead = self.kept.len() as u64;
        if self.number == lead {
            self.began = None;
        }
        let began = *self.began.get_or_insert_with(Instant::now);
        let has_all = self.number >= lead;
        let time = if has_all { TIME } else { MOST };
        let is_over = began.elapsed() > time && self.number > 0 || self.number >= self.most;
        if self.interrupt.is_cancelled() || is_over {
            return Ok(None);
        }
        let index = (self.number % self.kept.len() as u64) as usize;
        if index == self.frames.len() {
            self.frames.push(pool.copy(&self.kept[index])?);
        }
        let frame = at(&self.frames[index], self.number, step(&self.kept));
        self.number += 1;
        Ok(Some(frame))
    }

    fn length(&self) -> Option<u64> {
        None
    }
}

/// Frames that came out of a filter, and their times.
#[derive(Default)]
struct FilteredFrames {
    kept: FrameStack,
    times: Vec<Instant>,
}

/// Keeps the first frames, and notes when each came.
struct KeepSink(Arc<Mutex<FilteredFrames>>);

impl Sink for KeepSink {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        made.times.push(Instant::now());
        // Frames beyond those that fit are not kept.
        let _ = made.kept.keep(&frame);
        Ok(())
    }

    fn finish(self: Box<Self>, _: Option<Attachment>) -> Result<()> {
        Ok(())
    }
}
