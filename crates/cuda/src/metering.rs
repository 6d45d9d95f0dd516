//! Asking the GPU how bright frames are: sums, and sums over cells.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::image::Image;
use super::measure::{CellSums, Measure, Meter};
use super::stage::Cuda;
use super::stream::StreamRole;
use super::trace;
use crate::frame::Format;

impl Cuda {
    /// Makes ready to measure frames, so that the first one need not wait for the compiler.
    ///
    /// # Errors
    /// If there is no NVRTC, or the driver refuses.
    pub fn prepare_measuring(&mut self) -> Result<()> {
        let between: Vec<_> = self.steps.iter().map(|step| step.format.clone()).collect();
        between.iter().chain([&self.format.clone()]).try_for_each(|format| self.prepare_measuring_of(format))
    }

    fn prepare_measuring_of(&mut self, format: &Arc<Format>) -> Result<()> {
        let sample = format.pixel.sample;
        if self.meters.iter().all(|(known, _)| *known != sample) {
            let meter = Meter::new(&self.device, format);
            let what = || format!("prepare to measure brightness on GPU {}", self.device.ordinal);
            self.meters.push((sample, meter.with_context(what)?));
        }
        Ok(())
    }

    /// Asks for a sum of an image, or of its differences from the one before.
    ///
    /// # Errors
    /// If an image is of another stage, or the driver refuses.
    pub(super) fn ask(&mut self, image: &Image, before: Option<&Image>) -> Result<Measure> {
        [Some(image), before].into_iter().flatten().try_for_each(|image| self.check_own(image))?;
        self.device.bind()?;
        self.prepare_measuring_of(image.format())?;
        // The image before was uploaded before.
        before.map_or(Ok(false), |before| before.join(&self.streams))?;
        let newest = image.join(&self.streams)?.then(|| image.ready());
        let start = self.begin(StreamRole::Compute, newest)?;
        let slot = self.meter(image)?.start(&self.device, &self.streams, image, before)?;
        let done = self.queued(Ok(()), StreamRole::Compute, image.timing().number, trace::MEASURE, start)?;
        self.store.launched(&done);
        Ok(Measure::new(slot, done, image.timing().number))
    }

    /// Asks for the sums over the cells of an image.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub(super) fn ask_cells(&mut self, image: &Image) -> Result<CellSums> {
        self.check_own(image)?;
        self.device.bind()?;
        self.prepare_measuring_of(image.format())?;
        let newest = image.join(&self.streams)?.then(|| image.ready());
        let start = self.begin(StreamRole::Compute, newest)?;
        let (slot, count) = self.meter(image)?.start_cells(&self.device, &self.streams, image)?;
        let done = self.queued(Ok(()), StreamRole::Compute, image.timing().number, trace::MEASURE, start)?;
        self.store.launched(&done);
        Ok(CellSums::new(Measure::new(slot, done, image.timing().number), count))
    }

    /// The kernels for an image's samples.
    fn meter(&self, image: &Image) -> Result<&Meter> {
        let sample = image.format().pixel.sample;
        let meter = self.meters.iter().find(|(known, _)| *known == sample);
        meter.map(|(_, meter)| meter).context("the brightness kernels were not loaded")
    }
}
