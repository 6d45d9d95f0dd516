//! Chunks of a clip, for `warpreel.ray`: where they are, how they are stored, and how they are joined.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use warpreel::job::{
    Choice, ChunkFeed, ChunkQueue, Division, DryRun, Encoding, Fidelity, Job, Request, StoredChunk, chunks as cut,
    parse_chain,
};
use warpreel::source::CancelToken;

use super::error::{raised, refused};
use super::job::{told, watched};
use super::option::{Call, path, request};

/// The chunks of about `frames` frames in which a clip can be filtered, in order, as
/// `warpreel explain --chunk N --json` has them, the `files` that the chain reads, the `codec` and `ending` of files in
/// which chunks are `stored` without loss, and `encoded` as the output is if that is an encoded film. `frames` is for a
/// feed, `cut` has the options of the part that is joined. Whether the output could be written with the options is looked at first; nothing is written.
#[pyfunction]
#[pyo3(signature = (input, output, chain, frames, reading, writing))]
pub fn chunks<'py>(
    input: &Bound<'py, PyAny>,
    output: &Bound<'py, PyAny>,
    chain: Vec<String>,
    frames: u64,
    reading: &Bound<'py, PyDict>,
    writing: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = input.py();
    let (input, output) = (path(input)?, path(output)?);
    let job = request(Call::Run, &input, &output, Some(writing))?;
    let work = Request { chain, ..request(Call::Run, &input, "null:", Some(reading))? };
    let look = move || -> Result<String> {
        let shape = shape(&work)?;
        let job = Request { chain: shape.clone(), fields: work.fields, ..job };
        let dry_run = DryRun::of(job, CancelToken::default(), |_| Ok(None))?;
        if let Some(obstacle) = &dry_run.obstacle {
            bail!("{obstacle}");
        }
        let list = cut(&work, Division::Length(frames), &CancelToken::default())?;
        // FFmpeg's containers have no place for floats.
        let ending = if dry_run.plan.format.contains("f32") { "raw" } else { "nut" };
        let files = work.chain_files();
        let work = Request { chain: shape, ..work };
        let codec = if ending == "nut" { Some(lossless(&work)) } else { None };
        let encoded = dry_run.encoder.map(|encoder| {
            // NUT keeps times exactly, but has no name for some codecs.
            let ending = if fits(&work, &encoder, Fidelity::Lossy) { "nut" } else { "mkv" };
            serde_json::json!({ "codec": encoder, "ending": ending })
        });
        let stored = serde_json::json!({ "codec": codec, "ending": ending });
        let frames = list.frames.map(|frames| serde_json::to_string(&frames)).transpose()?;
        // A second clip may end the clip; the job that joins has no chain.
        let cut = serde_json::json!({ "end": list.cut.end, "duration": list.cut.duration });
        let told = serde_json::json!({
            "chunks": list.chunks, "files": files, "stored": stored, "encoded": encoded, "frames": frames, "cut": cut
        });
        Ok(told.to_string())
    };
    let text = py.detach(look).map_err(raised)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// The filters of a chain that change the size or the shape of frames: what the others do is the same to an output.
fn shape(work: &Request) -> Result<Vec<String>> {
    let filters = parse_chain(&work.chain, work.border.as_deref(), work.planes.as_deref())?;
    Ok(filters.iter().filter(|filter| filter.spec.change.is_some()).map(ToString::to_string).collect())
}

/// The encoder that stores a clip's frames without loss at the least cost.
fn lossless(work: &Request) -> &'static str {
    const QUICK: &str = "ffvhuff";

    // It does not take all formats, nor all sizes.
    if fits(work, QUICK, Fidelity::Lossless) { QUICK } else { "ffv1" }
}

/// Whether a chunk of a clip can be stored in NUT by an encoder.
fn fits(work: &Request, codec: &str, fidelity: Fidelity) -> bool {
    let encoding = Encoding { codec: Some(codec.into()), fidelity, ..Encoding::default() };
    // Which chunk does not matter; one whose place is known spares looking through the clip.
    let (chunk, output) = ("1/1@0+1:0..".parse().ok(), "chunk.nut".into());
    let trial = Request { output, chunk, encoding, backend: Choice::Cpu, ..work.clone() };
    DryRun::of(trial, CancelToken::default(), |_| Ok(None)).is_ok()
}

/// The chunks that a job joins, added in order while others are still made.
#[pyclass(frozen)]
pub struct Feed {
    feed: Mutex<Option<ChunkFeed>>,
    queue: Mutex<Option<ChunkQueue>>,
}

#[pymethods]
impl Feed {
    /// With `frames` as `chunks` gives it.
    #[new]
    fn new(frames: Option<&str>) -> PyResult<Self> {
        let frames = frames.map(serde_json::from_str).transpose().map_err(|error| refused(error.into()))?;
        let (feed, queue) = ChunkFeed::new(frames);
        Ok(Self { feed: Mutex::new(Some(feed)), queue: Mutex::new(Some(queue)) })
    }

    /// Adds the file of a chunk that is complete, and the MD5 of its frames.
    fn add(&self, path: PathBuf, md5: Option<String>) {
        if let Some(feed) = &*held(&self.feed) {
            feed.add(StoredChunk { path, md5 });
        }
    }

    /// There are no more.
    fn end(&self) {
        if let Some(feed) = held(&self.feed).take() {
            feed.end();
        }
    }

    /// No more are made, though some are missing: the job fails. Nothing where all are there.
    fn abandon(&self) {
        held(&self.feed).take();
    }
}

/// Joins the chunks of a feed, which can be done once, as `warpreel.run` with `chunks_from` does.
#[pyfunction]
#[pyo3(signature = (input, output, feed, *, progress = None, **options))]
pub fn join<'py>(
    input: &Bound<'py, PyAny>,
    output: &Bound<'py, PyAny>,
    feed: &Bound<'py, Feed>,
    progress: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = input.py();
    let (input, output) = (path(input)?, path(output)?);
    let request = request(Call::Run, &input, &output, options)?;
    let queue = held(&feed.get().queue).take().ok_or_else(|| PyValueError::new_err("the chunks are already joined"))?;
    told(py, &watched(py, |interrupt| Job::join(request, queue, interrupt), progress, &[&input, &output])?)
}

/// What a mutex holds; whoever panicked with it had no part in what it is.
fn held<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
