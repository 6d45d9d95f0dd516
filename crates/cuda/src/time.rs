//! How long a pass takes by itself: launches in a row, between two events.

use anyhow::{Context, Result, ensure};

use super::course::Course;
use super::image::{Image, SLACK_BYTES};
use super::launch::{PassCall, SourcePlane};
use super::memory::DeviceBuffer;
use super::progress::Ticket;
use super::stage::Cuda;
use super::stream::StreamRole;
use crate::backend::Tracing;

impl Cuda {
    /// Results that take turns, as images do.
    const TARGETS: usize = 4;

    /// Microseconds of the pass at position `pass`, the mean of each of `batches` batches of `launches`, by the GPU's
    /// clock. `images` take turns as what the window holds, the same in all of its places. Blocks.
    ///
    /// # Errors
    /// If the stage was made with [`Tracing::Off`], there is no image, or the device fails.
    pub fn times_us(&mut self, pass: usize, images: &[Image], batches: usize, launches: usize) -> Result<Vec<f64>> {
        ensure!(self.trace.is_some(), "times need {:?}", Tracing::On);
        ensure!(!images.is_empty() && launches > 0, "there is nothing to time");
        self.device.bind()?;
        let step = self.steps.get(pass).with_context(|| format!("there is no pass {pass}"))?;
        images.iter().try_for_each(|image| step.check_input(image))?;
        let layout = step.layout.clone();
        let bytes = layout.total_bytes(step.output.pixel.sample.bytes()) + SLACK_BYTES;
        let targets: Vec<DeviceBuffer> =
            (0..Self::TARGETS).map(|_| DeviceBuffer::new(&self.device.context, bytes)).collect::<Result<_>>()?;
        let (window, planes) = (step.kernel.images(), step.format.pixel.planes());
        let sources: Vec<Vec<SourcePlane>> = images
            .iter()
            .map(|image| (0..planes).flat_map(|plane| std::iter::repeat_n(image.source(plane), window)).collect())
            .collect();
        images.iter().try_for_each(|image| image.join(&self.streams).map(drop))?;
        let mut times = Vec::with_capacity(batches);
        // The first batch warms up.
        for _ in 0..=batches {
            let begin = self.streams.record(StreamRole::Compute)?;
            for turn in 0..launches {
                let address = targets[turn % Self::TARGETS].address;
                let target: Vec<(u64, u32)> = (layout.planes.iter())
                    .map(|plane| (address + plane.offset_bytes as u64, plane.stride as u32))
                    .collect();
                let Self { steps, device, streams, between, .. } = self;
                let (sources, between) = (&sources[turn % images.len()], between.as_ref());
                let call = PassCall {
                    target: &target,
                    sources,
                    between,
                    factor: 1.0,
                    fields: [0; 4],
                    courses: [Course::default(); 4],
                    ticket: Ticket::default(),
                };
                steps[pass].kernel.start(device, streams, call)?;
            }
            let end = self.streams.record(StreamRole::Compute)?;
            end.wait()?;
            times.push(end.ms_since(&begin)? * 1e3 / launches as f64);
        }
        Ok(times.split_off(1))
    }
}
