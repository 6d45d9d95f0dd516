//! A frame as PNG, written by the same sink as in a run.

use std::fs;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use bytemuck::Pod;

use crate::frame::{Format, Frame, Pool, Sample, Turner};
use crate::job::{Lineage, Request, open_sink};

/// Encodes a PNG. Blocks.
///
/// # Errors
/// If PNG cannot store the format, or the temporary file cannot be written.
pub(super) fn png(mut frame: Frame) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir().context("make a folder for a picture")?;
    let path = folder.path().join("frame.png");
    let output = path.to_str().context("make a folder for a picture")?.to_owned();
    // A single picture starts at 0.
    (frame.timing.pts, frame.timing.offset) = (0, 0);
    let request = Request { output, ..Request::default() };
    let mut sink = open_sink(&request, &Lineage::of(frame.format().clone()))?;
    sink.put(frame)?;
    sink.finish(None)?;
    fs::read(&path).context("read the picture")
}

/// Format after rotation.
pub(super) fn shown(format: &Format) -> Arc<Format> {
    Turner::new(format).map_or_else(|| Arc::new(format.clone()), |turner| turner.format().clone())
}

/// Rotates a frame for display.
///
/// # Errors
/// If its samples are in device memory.
pub(super) fn upright(frame: Frame) -> Result<Frame> {
    match Turner::new(frame.format()) {
        Some(turner) => turner.run(&frame),
        None => Ok(frame),
    }
}

/// Composes columns of `before` up to `edge` and of `after` from there.
///
/// # Errors
/// If their formats differ.
pub(super) fn split(before: &Frame, after: &Frame, edge: usize) -> Result<Frame> {
    if !before.format().planes_match(after.format()) {
        bail!("before and after are of different sizes");
    }
    match after.format().pixel.sample {
        Sample::U8 => divided::<u8>(before, after, edge),
        Sample::U16 => divided::<u16>(before, after, edge),
        Sample::F32 => divided::<f32>(before, after, edge),
    }
}

fn divided<T: Pod>(before: &Frame, after: &Frame, edge: usize) -> Result<Frame> {
    let (old, now, format) = (before.host()?, after.host()?, Arc::clone(after.format()));
    let mut made = Pool::heap().frame(&format)?;
    for (index, mut plane) in made.planes_mut::<T>().into_iter().enumerate() {
        let (right, _) = format.pixel.subsampling(index);
        for y in 0..plane.height {
            let row = plane.row_mut(y);
            let edge = (edge >> right).min(row.len());
            row[..edge].copy_from_slice(&old.plane::<T>(index).row(y)[..edge]);
            row[edge..].copy_from_slice(&now.plane::<T>(index).row(y)[edge..]);
        }
    }
    Ok(made.freeze(after.timing.clone()))
}
