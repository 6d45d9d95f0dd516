//! Pairs of frames measured on the GPU: the sums from which metrics follow, in the order of the CPU.
//!
//! ```text
//! upload stream    ▸ both frames of pair n+1 …        from pinned memory, as frames that are filtered
//! compute stream   ▸ kernels of pair n …              they write the sums of rows and blocks into the host's pinned memory
//! host             ▸ adds the sums of pair n−1 …
//! ```

mod block;
mod launch;
mod perception;
mod plain;

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};

use crate::backend::{PairSummer, PairSums, PairWants, Tracing};
use crate::frame::{Frame, Memory, Pool};
use crate::pass::Pass;

use self::block::BlockSummer;
use self::launch::SumAddress;
use self::perception::PerceptionSummer;
use self::plain::{ErrorSummer, SimilaritySummer};
use super::device::Device;
use super::image::Image;
use super::kernel::Kernels;
use super::memory::Pinned;
use super::stage::Cuda;
use super::stream::{Event, StreamRole};
use super::trace;

/// Forms sums over pairs of frames of one format on one GPU.
pub struct PairMeter {
    /// Dropped first: that waits for all work.
    stage: Cuda,
    name: String,
    errors: Option<ErrorSummer>,
    similarities: Option<SimilaritySummer>,
    blocks: Option<BlockSummer>,
    perception: Option<PerceptionSummer>,
    /// Number of all sums of a pair, each of 8 bytes.
    words: usize,
    /// Memory that no kernel writes to.
    free: Vec<Pinned>,
    under_way: VecDeque<PairUnderWay>,
}

/// A pair whose sums are being formed.
struct PairUnderWay {
    sums: Pinned,
    done: Arc<Event>,
    /// Number of the reference, for messages.
    number: u64,
}

impl PairMeter {
    /// One pair being uploaded, one in the kernels, and one whose sums the host adds.
    const IN_FLIGHT: usize = 3;

    /// Compiles the kernels, or finds them in the user's cache. `pool` must be made from [`Device::allocator`]; frames in its memory are
    /// uploaded fastest.
    ///
    /// # Errors
    /// If the plans do not fit the format, there is no NVRTC, memory runs out, or the driver refuses.
    pub fn new(device: &Device, wants: &PairWants, pool: Pool) -> Result<Self> {
        let made = Self::made(device, wants, pool);
        made.with_context(|| format!("prepare to measure on GPU {}", device.ordinal)).map_err(advised)
    }

    fn made(device: &Device, wants: &PairWants, pool: Pool) -> Result<Self> {
        wants.check()?;
        let format = &wants.format;
        let passes: Arc<[Pass]> = Arc::new([]);
        let stage = Cuda::new(device, device.prepare(&passes, format)?, pool, Self::IN_FLIGHT, Tracing::Off)?;
        let kernels = Kernels::new(device, |compiler| compiler.metric(format.pixel.sample))?;
        let errors = wants.errors.then(|| ErrorSummer::new(&kernels, format)).transpose()?;
        let similarities = wants.similarity.as_ref().map(|plan| SimilaritySummer::new(&kernels, plan)).transpose()?;
        let blocks = wants.blocks.as_ref().map(|plan| BlockSummer::new(device, &kernels, format, plan)).transpose()?;
        let perception = wants.perception.as_ref().filter(|plan| !plan.scales.is_empty());
        let perception = perception.map(|plan| PerceptionSummer::new(device, &kernels, format, plan)).transpose()?;
        let name = format!("cuda, {}", device.name);
        let mut meter = Self {
            stage,
            name,
            errors,
            similarities,
            blocks,
            perception,
            words: 0,
            free: Vec::new(),
            under_way: VecDeque::new(),
        };
        meter.words = meter.parts().iter().sum();
        Ok(meter)
    }

    /// Number of sums of each kind, in the order in which they follow each other.
    fn parts(&self) -> [usize; 4] {
        [
            self.errors.as_ref().map_or(0, ErrorSummer::words),
            self.similarities.as_ref().map_or(0, SimilaritySummer::words),
            self.blocks.as_ref().map_or(0, BlockSummer::words),
            self.perception.as_ref().map_or(0, PerceptionSummer::words),
        ]
    }

    fn begin(&mut self, [reference, other]: [&Frame; 2]) -> Result<()> {
        ensure!(self.under_way.len() < Self::IN_FLIGHT, "{} pairs are under way already", Self::IN_FLIGHT);
        let stage = &mut self.stage;
        for frame in [reference, other] {
            let (own, format) = (&stage.format, frame.format());
            ensure!(own.planes_match(format), "the frame is {format}, and {own} is measured");
        }
        let images = [stage.send(reference)?, stage.send(other)?];
        stage.device.bind()?;
        for image in &images {
            image.join(&stage.streams)?;
        }
        let sums = match self.free.pop() {
            Some(sums) => sums,
            None => Pinned::new(&stage.device.context, self.words * size_of::<u64>())?,
        };
        let number = reference.timing.number;
        // Images that the kernels read rest until these are done only if they are dropped after that is known.
        let _before = self.blocks.as_ref().map(BlockSummer::before);
        let work = self.launch(&images, sums.address());
        let done = self.stage.queued(work, StreamRole::Compute, number, trace::MEASURE, None)?;
        self.stage.store.launched(&done);
        self.under_way.push_back(PairUnderWay { sums, done, number });
        Ok(())
    }

    /// Queues all kernels, which write from an address on.
    fn launch(&mut self, images: &[Image; 2], address: u64) -> Result<()> {
        let [errors, similarities, blocks, _] = self.parts();
        let to = |words: usize| address + (words * size_of::<u64>()) as u64;
        let streams = &self.stage.streams;
        if let Some(summer) = &self.errors {
            summer.start(streams, images, SumAddress(to(0)))?;
        }
        if let Some(summer) = &self.similarities {
            summer.start(streams, images, SumAddress(to(errors)))?;
        }
        if let Some(summer) = &mut self.blocks {
            summer.start(streams, images, SumAddress(to(errors + similarities)))?;
        }
        if let Some(summer) = &self.perception {
            summer.start(streams, images, SumAddress(to(errors + similarities + blocks)))?;
        }
        Ok(())
    }

    fn end(&mut self, pair: PairUnderWay) -> Result<PairSums> {
        pair.done.wait()?;
        let words = bytemuck::cast_slice::<u8, u64>(&pair.sums.bytes()[..self.words * size_of::<u64>()]);
        let [errors, similarities, blocks, _] = self.parts();
        let (errors, words) = words.split_at(errors);
        let (similarities, words) = words.split_at(similarities);
        let (blocks, scales) = words.split_at(blocks);
        let sums = PairSums {
            errors: self.errors.as_ref().map_or(Vec::new(), |summer| summer.read(errors)),
            similarities: self.similarities.as_ref().map_or(Vec::new(), |summer| summer.read(similarities)),
            blocks: block::read(blocks),
            scales: self.perception.as_ref().map_or(Vec::new(), |summer| summer.read(scales)),
        };
        self.free.push(pair.sums);
        Ok(sums)
    }

    fn outcome<T>(&self, outcome: Result<T>, number: u64) -> Result<T> {
        let what = || format!("measure frame {number} on GPU {}", self.stage.device.ordinal);
        outcome.with_context(what).map_err(advised)
    }
}

impl PairSummer for PairMeter {
    fn name(&self) -> &str {
        &self.name
    }

    fn in_flight(&self) -> usize {
        Self::IN_FLIGHT
    }

    fn start(&mut self, pair: [&Frame; 2]) -> Result<()> {
        let begun = self.begin(pair);
        self.outcome(begun, pair[0].timing.number)
    }

    fn finish(&mut self) -> Result<PairSums> {
        let pair = self.under_way.pop_front().context("no pair of frames is being measured")?;
        let number = pair.number;
        let ended = self.end(pair);
        self.outcome(ended, number)
    }
}

/// An error with the advice that helps here: the number of frames in flight is not the user's.
fn advised(error: anyhow::Error) -> anyhow::Error {
    anyhow!(format!("{error:#}").replace("type --in-flight 1, or --backend cpu", "type --backend cpu"))
}
