//! Chunks of a clip, for `warpreel.ray`.

use anyhow::{Result, bail};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use warpreel::job::{Division, Rehearsal, Request, chunks as cut};
use warpreel::source::Interrupt;

use super::error::raised;
use super::option::{path, request};

/// The chunks of about `frames` frames in which a clip can be filtered, in order, as
/// `warpreel explain --chunk N --json` has them, and the `files` that the chain reads. Whether the output could be
/// written with the options is looked at first; nothing is written.
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
    let job = request(&input, &output, Some(writing))?;
    let work = Request { chain, ..request(&input, "null:", Some(reading))? };
    // FFmpeg's containers have no place for floats.
    let ending = |format: &str| if format.contains("f32") { "raw" } else { "nut" };
    let look = move || -> Result<String> {
        let rehearsal = Rehearsal::of(job, Interrupt::default(), |_| Ok(None))?;
        if let Some(obstacle) = &rehearsal.obstacle {
            bail!("{obstacle}");
        }
        let chunks = cut(&work, Division::Length(frames), &Interrupt::default())?;
        let told = serde_json::json!({ "chunks": chunks, "files": work.chain_files(), "ending": ending(&rehearsal.plan.format) });
        Ok(told.to_string())
    };
    let text = py.detach(look).map_err(raised)?;
    py.import("json")?.call_method1("loads", (text,))
}
