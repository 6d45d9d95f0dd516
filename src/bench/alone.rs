//! Each stage of a job alone, on the frames of the job: decoding to nothing, filtering from memory, encoding from memory.
//! Its rate is what the stage allows when it has all cores.
//!
//! Short and bounded: a stage takes about two seconds at most (and what it has in flight then), and frames that are kept
//! take 256 MiB at most, before and after the filter.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::backend::cuda::Device;
use crate::frame::{Attachment, Format, Frame, Pool, Timing};
use crate::job::{
    DecoderChoice, Destination, Encoding, Job, Lineage, OutputKind, Overwrite, Reader, Request, TypedCut, open_sink,
};
use crate::pipeline::Monitor;
use crate::sink::Sink;
use crate::source::{CancelToken, FrameTime, Source};

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
    fn of(stage: &str, frames: u64, seconds: f64) -> Option<Self> {
        let fps = frames as f64 / seconds;
        (frames > 0 && seconds > 0.0).then(|| Self { stage: stage.to_owned(), frames, seconds, fps })
    }
}

/// The time that a stage should take.
const TIME: Duration = Duration::from_millis(600);
/// The most that it may take before it is stopped.
const MOST: Duration = Duration::from_millis(1800);
/// Bytes of frames that are kept.
const BYTES: usize = 256 << 20;
/// Bytes of uncompressed frames that are written.
const WRITTEN: usize = 512 << 20;
/// A clip is opened again so often to fill the time.
const PASSES: usize = 16;

/// Frames that are kept, as many as fit.
#[derive(Default)]
struct FrameStack {
    frames: Vec<Frame>,
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

/// Measures the stages of a job alone that can be: a file is decoded again, by `decoding` where that is a GPU, and an output is
/// written to a file beside the real one, which is removed. `filters` says whether there are passes.
///
/// # Errors
/// If the clip cannot be read or filtered as before, or it is interrupted.
pub fn measure(
    request: &Request,
    decoding: Option<&Device>,
    filters: bool,
    interrupt: &CancelToken,
) -> Result<Vec<Alone>> {
    let (output, decoder) = ("null:".to_owned(), DecoderChoice::Software);
    let plain = Request { compare: None, encoding: Encoding::default(), output, decoder, ..request.clone() };
    let mut kept = FrameStack::default();
    let open = || match decoding {
        Some(device) => Reader::open_on(&Request { decoder: request.decoder, ..plain.clone() }, interrupt, device),
        None => Reader::open(&plain, interrupt),
    };
    keep(&plain, &mut kept, interrupt).context("decode frames to filter")?;
    let mut found = Vec::from_iter(decode(open, interrupt).context("measure decoding alone")?);
    if filters && !kept.frames.is_empty() {
        let (alone, filtered) = filter(plain, kept.frames, interrupt).context("measure filtering alone")?;
        found.extend(alone);
        kept = filtered;
    }
    found.extend(encode(request, &kept.frames, interrupt).context("measure encoding alone")?);
    Ok(found)
}

/// The packet of each frame of the clip, in the order in which they are shown.
///
/// # Errors
/// If the clip cannot be looked through.
pub fn packets(request: &Request, interrupt: &CancelToken) -> Result<Vec<FrameTime>> {
    let request = Request { decoder: DecoderChoice::Software, ..request.clone() };
    let index = Reader::open(&request, interrupt)?.source().index()?;
    Ok(index.frames)
}

fn go_on(interrupt: &CancelToken) -> Result<()> {
    if interrupt.is_cancelled() {
        bail!("interrupted");
    }
    Ok(())
}

/// Keeps the first frames of a clip.
fn keep(request: &Request, kept: &mut FrameStack, interrupt: &CancelToken) -> Result<()> {
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
fn decode(open: impl Fn() -> Result<Reader>, interrupt: &CancelToken) -> Result<Option<Alone>> {
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
fn filter(request: Request, frames: Vec<Frame>, interrupt: &CancelToken) -> Result<(Option<Alone>, FrameStack)> {
    let Some(first) = frames.first() else { return Ok(Default::default()) };
    let (format, made) = (first.format().clone(), Arc::<Mutex<FilteredFrames>>::default());
    let (kept, frames) = (frames, Vec::new());
    let source = LoopedFrames { format, kept, frames, number: 0, began: None, interrupt: interrupt.clone() };
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
fn encode(request: &Request, frames: &[Frame], interrupt: &CancelToken) -> Result<Option<Alone>> {
    let (Some(first), Destination::Path(path)) = (frames.first(), request.destination()) else { return Ok(None) };
    let is_special = std::fs::metadata(path).is_ok_and(|found| !found.is_file());
    let (Some(name), false) = (path.file_name(), is_special) else { return Ok(None) };
    let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new().prefix(".warpreel-").tempdir_in(beside)?;
    let written = folder.path().join(name).display().to_string();
    let output = if request.kind() == OutputKind::Hash { format!("hash:{written}") } else { written };
    let request = Request { output, chain: Vec::new(), overwrite: Overwrite::Replace, ..request.clone() };
    let mut sink = open_sink(&request, &Lineage::of(first.format().clone()))?;
    let (began, step) = (Instant::now(), step(frames));
    let (is_plain, mut count) = (request.kind().is_plain(), 0);
    for frame in frames.iter().cycle() {
        go_on(interrupt)?;
        let took = began.elapsed();
        let has_all = count as usize >= frames.len();
        let is_long = is_plain && count as usize * first.format().packed_bytes() > WRITTEN;
        if took > MOST || has_all && (took > TIME || is_long) {
            break;
        }
        sink.put(at(frame, count, step))?;
        count += 1;
    }
    sink.finish(None)?;
    Ok(Alone::of("encode", count, began.elapsed().as_secs_f64()))
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

/// A clip of kept frames, in turns until the time is over. They are brought to the memory into which the job decodes, because a GPU reads
/// that much faster than any other.
struct LoopedFrames {
    format: Arc<Format>,
    kept: Vec<Frame>,
    /// Copies of as many of them as were wanted yet.
    frames: Vec<Frame>,
    number: u64,
    began: Option<Instant>,
    interrupt: CancelToken,
}

impl Source for LoopedFrames {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let began = *self.began.get_or_insert_with(Instant::now);
        // All kept frames once, if there is time for that.
        let has_all = self.number >= self.kept.len() as u64;
        let time = if has_all { TIME } else { MOST };
        if self.interrupt.is_cancelled() || began.elapsed() > time && self.number > 0 {
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
