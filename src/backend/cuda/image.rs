//! A frame on the GPU, and one on its way back.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::frame::{Frame, FrameMut, Layout, PlaneLayout, Timing};

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

/// A frame on the GPU. Dropping it lets its memory be used again, once everything that was started on it is done.
pub struct Image {
    buffer: Option<Buffer>,
    layout: Layout,
    sample_bytes: usize,
    pub(super) timing: Timing,
    ready: Arc<Mark>,
    /// Whether the compute lane has been told to wait for `ready`.
    joined: AtomicBool,
    store: Arc<Store>,
}

impl Image {
    const LIVE: &str = "an image keeps its buffer until it is dropped";

    pub(super) fn new(buffer: Buffer, layout: Layout, timing: Timing, ready: Arc<Mark>, store: &Arc<Store>) -> Self {
        let sample_bytes = store.sample_bytes;
        let joined = AtomicBool::new(ready.lane == Lane::Compute);
        Self { buffer: Some(buffer), layout, sample_bytes, timing, ready, joined, store: store.clone() }
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn address(&self) -> u64 {
        self.buffer.as_ref().expect(Self::LIVE).address
    }

    /// The mark after which the samples are there.
    pub(super) fn ready(&self) -> &Arc<Mark> {
        &self.ready
    }

    /// The bytes of the buffer that hold the planes.
    pub(super) fn range(&self) -> Range<usize> {
        let ranges = self.layout.planes.iter().map(|plane| plane.bytes(self.sample_bytes));
        ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
    }

    /// One plane, as the kernels read it.
    pub(super) fn source(&self, plane: usize) -> Source {
        let plane = &self.layout.planes[plane];
        let wide = [plane.offset_bytes, plane.stride * self.sample_bytes].iter().all(|bytes| bytes.is_multiple_of(16));
        Source { samples: self.address() + plane.offset_bytes as u64, stride: plane.stride as u32, wide: wide.into() }
    }

    /// Lets the compute lane wait until the samples are there; whether that was needed, for the first time.
    pub(super) fn join(&self, lanes: &Lanes) -> Result<bool> {
        if self.joined.load(Ordering::Relaxed) {
            return Ok(false);
        }
        lanes.join(Lane::Compute, &self.ready)?;
        self.joined.store(true, Ordering::Relaxed);
        Ok(true)
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.store.put(buffer, self.ready.lane);
        }
    }
}

/// A frame that is being copied back. Dropping it blocks until the copy is done.
pub struct Pending {
    frame: Option<FrameMut>,
    image: Image,
    done: Arc<Mark>,
}

impl Pending {
    pub(super) fn new(frame: FrameMut, image: Image, done: Arc<Mark>) -> Self {
        Self { frame: Some(frame), image, done }
    }

    pub(super) fn number(&self) -> u64 {
        self.image.timing.number
    }

    /// The frame. Blocks until it is there.
    pub(super) fn finish(mut self) -> Result<Frame> {
        self.done.wait()?;
        let frame = self.frame.take().context("a pending frame is finished once")?;
        Ok(frame.freeze(self.image.timing.clone()))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if self.frame.is_some()
            && let Err(error) = self.done.wait()
        {
            log::debug!("a copy from the GPU failed unheard: {error:#}");
        }
    }
}
