//! Two backends for the two fields of interlaced frames: each field is a picture of its own.

use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::{Backend, Inputs};
use crate::frame::{Field, Format, Frame, Pool};
use crate::pass::{Answers, Questions};

/// A backend of whole frames over two of fields, both made for the same passes and [`Format::field`].
///
/// Fields go in as views with twice the stride, without a copy, and come back as frames of a pool, into which their rows are
/// copied. They may have another depth or other colours then. Windows in time hold fields of one parity; brightness and scenes
/// are those of whole frames.
pub struct Separated<B> {
    fields: [B; 2],
    /// Of whole frames that go in, and of their fields.
    format: Arc<Format>,
    half: Arc<Format>,
    /// Of whole frames that come out.
    output: Arc<Format>,
    pool: Pool,
}

impl<B: Backend> Separated<B> {
    /// Over backends for the top and the bottom field, for whole frames of `format`; those that come out are of `output`, and made
    /// in `pool`.
    ///
    /// # Errors
    /// If frames that go in have no equal fields.
    pub fn new(fields: [B; 2], format: &Arc<Format>, output: &Arc<Format>, pool: Pool) -> Result<Self> {
        let Format { rate, time_base, .. } = **format;
        // Frames are given another rate behind this.
        let output = Arc::new(Format { rate, time_base, ..Format::clone(output) });
        Ok(Self { fields, format: format.clone(), half: Arc::new(format.field()?), output, pool })
    }

    /// Format of a frame's fields.
    fn half(&self, frame: &Frame) -> Result<Arc<Format>> {
        if *frame.format() == self.format {
            return Ok(self.half.clone());
        }
        // A second clip may meet frames of another depth than those that go in.
        Ok(Arc::new(frame.format().field()?))
    }

    /// The backends of the top and the bottom field.
    pub fn fields(&self) -> &[B; 2] {
        &self.fields
    }

    /// The same, to be asked what they did.
    pub fn fields_mut(&mut self) -> &mut [B; 2] {
        &mut self.fields
    }

    /// Does the same for both fields.
    fn both<T>(&mut self, mut act: impl FnMut(&mut B, usize) -> Result<T>) -> Result<[T; 2]> {
        let [top, bottom] = &mut self.fields;
        Ok([act(top, 0)?, act(bottom, 1)?])
    }
}

/// One field of each image.
fn each<'a, I>(images: &[Option<&'a [I; 2]>], field: usize) -> Vec<Option<&'a I>> {
    images.iter().map(|image| image.map(|image| &image[field])).collect()
}

impl<B: Backend> Backend for Separated<B> {
    type Image = [B::Image; 2];
    type Pending = [B::Pending; 2];
    type Measure = [B::Measure; 2];
    type Cells = B::Cells;
    type Survey = B::Survey;

    fn upload(&mut self, frame: Frame) -> Result<Self::Image> {
        let half = self.half(&frame)?;
        self.both(|backend, field| backend.upload(frame.field(&half, Field::ALL[field])?))
    }

    fn upload_beside(&mut self, pass: usize, frame: Frame) -> Result<Self::Image> {
        let half = self.half(&frame)?;
        self.both(|backend, field| backend.upload_beside(pass, frame.field(&half, Field::ALL[field])?))
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>) -> Result<Self::Image> {
        self.both(|backend, field| {
            let (window, second) = (each(inputs.window, field), each(inputs.second, field));
            backend.run(
                pass,
                &Inputs {
                    window: &window,
                    second: &second,
                    factor: inputs.factor,
                    scan: inputs.scan,
                    correction: inputs.correction,
                    place: inputs.place,
                    number: inputs.number,
                },
            )
        })
    }

    fn measure(&mut self, image: &Self::Image, before: Option<&Self::Image>) -> Result<Self::Measure> {
        self.both(|backend, field| backend.measure(&image[field], before.map(|before| &before[field])))
    }

    fn read(&mut self, [top, bottom]: Self::Measure) -> Result<u64> {
        let [one, other] = &mut self.fields;
        one.read(top)?.checked_add(other.read(bottom)?).context("the brightness sum of both fields overflows")
    }

    fn reduce(&mut self, _: &Self::Image) -> Result<Self::Cells> {
        bail!("motion is found in whole frames; type --fields frame")
    }

    fn cells(&mut self, cells: Self::Cells) -> Result<Vec<u32>> {
        self.fields[0].cells(cells)
    }

    fn survey(&mut self, _: usize, _: &Inputs<'_, Self::Image>, _: Questions) -> Result<Self::Survey> {
        bail!("fields are matched in whole frames; type --fields frame")
    }

    fn answers(&mut self, survey: Self::Survey) -> Result<Answers> {
        self.fields[0].answers(survey)
    }

    fn download(&mut self, [top, bottom]: Self::Image) -> Result<Self::Pending> {
        let [one, other] = &mut self.fields;
        Ok([one.download(top)?, other.download(bottom)?])
    }

    fn wait(&mut self, [top, bottom]: Self::Pending) -> Result<Frame> {
        let [one, other] = &mut self.fields;
        self.pool.woven(&self.output, [&one.wait(top)?, &other.wait(bottom)?])
    }

    fn in_flight(&self) -> usize {
        self.fields[0].in_flight()
    }
}
