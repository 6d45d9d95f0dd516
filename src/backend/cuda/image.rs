//! A frame on the GPU, and one on its way back.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::frame::{Block, Format, Frame, Layout, PlaneLayout, Timing};

use super::launch::Source;
use super::memory::{Buffer, Store};
use super::stream::{Lane, Lanes, Mark};

/// What a buffer is longer than its image.
pub(super) const SLACK_BYTES: usize = 64;

/// Where the planes of an uploaded frame lie in its buffer.
pub(super) struct Placed {
    /// The frame's own layout, moved.
    pub(super) layout: Layout,
    /// Where the first byte lies; rows keep the alignment that they have on the host.
    pub(super) start_bytes: usize,
}

/// Where a frame's planes come to lie, and which bytes of its block are copied: one range that holds all planes.
pub(super) fn placed(frame: &Frame) -> (Placed, Range<usize>) {
    let sample = frame.format.pixel.sample.bytes();
    let ranges = frame.layout().planes.iter().map(|plane| plane.bytes(sample));
    let span = ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0);
    let start_bytes = span.start % Layout::ALIGN_BYTES;
    let moved = |plane: &PlaneLayout| PlaneLayout {
        offset_bytes: plane.offset_bytes - span.start + start_bytes,
        ..plane.clone()
    };
    let layout = Layout { planes: frame.layout().planes.iter().map(moved).collect() };
    (Placed { layout, start_bytes }, span)
}

/// A frame on the GPU, which is only read; clones share it. Dropping the last lets its memory be used again, once
/// everything that was started on it is done.
#[derive(Clone)]
pub struct Image {
    held: Arc<Held>,
}

/// What the clones of an image share. A copy to the host holds a clone until it is done, so that whatever still uses the
/// buffer when this is dropped was started in the compute lane, or in the lane that wrote the buffer.
struct Held {
    buffer: Option<Buffer>,
    layout: Layout,
    timing: Timing,
    ready: Arc<Mark>,
    /// Whether the compute lane has been told to wait for `ready`.
    joined: AtomicBool,
    store: Arc<Store>,
}

impl Image {
    const LIVE: &str = "an image keeps its buffer until it is dropped";

    pub(super) fn new(buffer: Buffer, layout: Layout, timing: Timing, ready: Arc<Mark>, store: &Arc<Store>) -> Self {
        let joined = AtomicBool::new(ready.lane == Lane::Compute);
        let held = Held { buffer: Some(buffer), layout, timing, ready, joined, store: store.clone() };
        Self { held: Arc::new(held) }
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.held.layout
    }

    pub(super) fn timing(&self) -> &Timing {
        &self.held.timing
    }

    fn sample_bytes(&self) -> usize {
        self.held.store.sample_bytes
    }

    pub(super) fn address(&self) -> u64 {
        self.held.buffer.as_ref().expect(Self::LIVE).address
    }

    /// The mark after which the samples are there.
    pub(super) fn ready(&self) -> &Arc<Mark> {
        &self.held.ready
    }

    /// The bytes of the buffer that hold the planes.
    pub(super) fn range(&self) -> Range<usize> {
        let ranges = self.layout().planes.iter().map(|plane| plane.bytes(self.sample_bytes()));
        ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
    }

    /// One plane, as the kernels read it.
    pub(super) fn source(&self, plane: usize) -> Source {
        let plane = &self.layout().planes[plane];
        let wide =
            [plane.offset_bytes, plane.stride * self.sample_bytes()].iter().all(|bytes| bytes.is_multiple_of(16));
        Source { samples: self.address() + plane.offset_bytes as u64, stride: plane.stride as u32, wide: wide.into() }
    }

    /// Lets the compute lane wait until the samples are there; whether that was needed, for the first time.
    pub(super) fn join(&self, lanes: &Lanes) -> Result<bool> {
        if self.held.joined.load(Ordering::Relaxed) {
            return Ok(false);
        }
        lanes.join(Lane::Compute, self.ready())?;
        self.held.joined.store(true, Ordering::Relaxed);
        Ok(true)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.store.put(buffer, self.ready.lane);
        }
    }
}

/// A frame that is being copied back. Dropping it blocks until the copy is done.
pub struct Pending {
    block: Option<Block>,
    format: Arc<Format>,
    image: Image,
    done: Arc<Mark>,
}

impl Pending {
    /// A copy of `image` to the same places of `block`, done at a mark.
    pub(super) fn new(block: Block, format: &Arc<Format>, image: Image, done: Arc<Mark>) -> Self {
        Self { block: Some(block), format: format.clone(), image, done }
    }

    pub(super) fn number(&self) -> u64 {
        self.image.timing().number
    }

    /// The frame. Blocks until it is there.
    pub(super) fn finish(mut self) -> Result<Frame> {
        self.done.wait()?;
        let block = self.block.take().context("a pending frame is finished once")?;
        let (timing, layout) = (self.image.timing().clone(), self.image.layout().clone());
        Frame::from_block(self.format.clone(), timing, layout, Arc::new(block))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if self.block.is_some()
            && let Err(error) = self.done.wait()
        {
            log::debug!("a copy from the GPU failed unheard: {error:#}");
        }
    }
}
