//! Any sink beside which the motion of frames is written: a line of JSON for each frame and each frame in which its blocks
//! were looked for.

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::Serialize;

use super::{Output, Overwrite, Sink, Target};
use crate::frame::{Attachment, Frame, Motion};

/// A line.
#[derive(Serialize)]
struct VectorLine {
    /// The frame's number, from 0.
    frame: u64,
    /// That of the other frame.
    reference: u64,
    /// The plane in which motion was looked for.
    plane: usize,
    /// Samples along a block's side.
    block: usize,
    /// Samples from one block to the next; the first begins that much to the left of the plane and above it.
    step: usize,
    /// Blocks in a row.
    columns: usize,
    /// Rows of blocks.
    rows: usize,
    /// For each block, row by row: how far to the right it lies in the other frame, in half samples.
    dx: Vec<i16>,
    /// How far down.
    dy: Vec<i16>,
    /// The sum of absolute differences, in 8 bits.
    sad: Vec<u32>,
}

/// A file of vectors.
struct VectorFile {
    name: Arc<str>,
    output: BufWriter<Output>,
}

/// A sink, and files of the motion of the frames that it is given. They are begun with the first frame, and get their names
/// when the sink has finished.
pub struct Vectors {
    sink: Box<dyn Sink>,
    names: Vec<Arc<str>>,
    overwrite: Overwrite,
    files: Vec<VectorFile>,
}

impl Vectors {
    /// With files of these names, each for the motion that is called so. Touches none of them.
    pub fn new(sink: Box<dyn Sink>, names: Vec<Arc<str>>, overwrite: Overwrite) -> Self {
        Self { sink, names, overwrite, files: Vec::new() }
    }

    fn begin(&mut self) -> Result<()> {
        for name in std::mem::take(&mut self.names) {
            let output = Output::file(Target::create(name.as_ref().as_ref(), self.overwrite)?)?;
            self.files.push(VectorFile { name, output: BufWriter::new(output) });
        }
        Ok(())
    }

    fn write(&mut self, number: u64, motion: &Motion) -> Result<()> {
        let file = self.files.iter_mut().find(|file| file.name == *motion.name());
        let Some(VectorFile { output, .. }) = file else { return Ok(()) };
        for (blocks, reference, vectors) in motion.fields() {
            let line = VectorLine {
                frame: number,
                reference,
                plane: blocks.plane,
                block: blocks.side,
                step: blocks.step,
                columns: blocks.count[0],
                rows: blocks.count[1],
                dx: vectors.iter().map(|vector| vector.x).collect(),
                dy: vectors.iter().map(|vector| vector.y).collect(),
                sad: vectors.iter().map(|vector| vector.sum).collect(),
            };
            serde_json::to_writer(&mut *output, &line)?;
            output.write_all(b"\n")?;
        }
        Ok(())
    }

    /// The files, each written to its end.
    fn ended(files: Vec<VectorFile>) -> Result<Vec<Output>> {
        let ended = files.into_iter().map(|VectorFile { name, output }| {
            output.into_inner().map_err(|error| error.into_error()).with_context(|| format!("write {name:?}"))
        });
        ended.collect()
    }
}

impl Sink for Vectors {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.begin()?;
        let number = frame.timing.number;
        let motion = frame.timing.motion.clone();
        for motion in motion.iter().flat_map(|motion| motion.all()) {
            let name = motion.name();
            self.write(number, motion).with_context(|| format!("write the vectors of frame {number} to {name:?}"))?;
        }
        self.sink.put(frame)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        let Self { sink, files, .. } = *self;
        let files = Self::ended(files)?;
        sink.finish(trailer)?;
        files.into_iter().try_for_each(Output::finish)
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        let Self { sink, files, .. } = *self;
        let files = Self::ended(files)?;
        let kept = sink.finish_partial(rest)?;
        files.into_iter().try_for_each(|file| file.finish_partial().map(drop))?;
        Ok(kept)
    }

    fn describe(&self) -> Vec<String> {
        self.sink.describe()
    }
}
