//! A frame on the GPU, and one on its way back.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail, ensure};

use crate::frame::{Block, Format, Frame, Layout, PlaneLayout, Ready, Surface, Timing};

use super::launch::SourcePlane;
use super::memory::{DeviceBuffer, Store};
use super::stream::{Event, StreamRole, Streams};

/// What a buffer is longer than its image.
pub(super) const SLACK_BYTES: usize = 64;

/// Refuses planes that kernels do not reach: they count samples in 32 bits from the first of a plane to the last. Frames of
/// their own are far smaller; a view of somebody's memory may have rows as far apart as it likes.
///
/// # Errors
/// If a plane is such a view.
pub(super) fn check_reach(layout: &Layout) -> Result<()> {
    for (index, plane) in layout.planes.iter().enumerate() {
        let last = plane.stride.checked_mul(plane.height).filter(|last| i32::try_from(*last).is_ok());
        let rows = plane.stride;
        ensure!(last.is_some(), "rows of plane {index} are {rows} samples apart, too far for a GPU; copy it together");
    }
    Ok(())
}

/// Where planes of such a layout come to lie in a buffer of their own, and which bytes of their memory are copied: one
/// range that holds all planes. Rows keep the alignment that they have where they come from; the second is where the
/// range starts in the buffer.
pub(super) fn placed(layout: &Layout, sample_bytes: usize) -> (Layout, usize, Range<usize>) {
    let span = layout.span(sample_bytes);
    let start_bytes = span.start % Layout::ALIGN_BYTES;
    let moved = |plane: &PlaneLayout| PlaneLayout {
        offset_bytes: plane.offset_bytes - span.start + start_bytes,
        ..plane.clone()
    };
    (Layout::new(layout.planes.iter().map(moved).collect()), start_bytes, span)
}

/// A frame on the GPU, which is only read; clones share it. Dropping the last lets its memory be used again, once
/// everything that was started on it is done.
#[derive(Clone)]
pub struct Image {
    held: Arc<Held>,
}

/// What the clones of an image share. A copy to the host holds a clone until it is done, so that whatever still uses the
/// buffer when this is dropped was started in the compute stream, or in the stream that wrote the buffer.
struct Held {
    memory: Option<ImageMemory>,
    format: Arc<Format>,
    layout: Layout,
    timing: Timing,
    ready: Arc<Event>,
    /// Whether the compute stream has been told to wait for `ready`.
    joined: AtomicBool,
    store: Arc<Store>,
}

/// Whose memory an image lies in.
pub(super) enum ImageMemory {
    /// The stage's.
    Own(DeviceBuffer),
    /// Somebody else's, on the same GPU.
    Lent(Arc<dyn Surface>),
}

impl ImageMemory {
    fn address(&self) -> u64 {
        match self {
            Self::Own(buffer) => buffer.address,
            Self::Lent(surface) => surface.address(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Own(buffer) => buffer.bytes,
            Self::Lent(surface) => surface.bytes(),
        }
    }
}

impl Image {
    const LIVE: &str = "image memory already released";

    pub(super) fn new(
        memory: ImageMemory,
        (format, layout): (&Arc<Format>, Layout),
        timing: Timing,
        ready: Arc<Event>,
        store: &Arc<Store>,
    ) -> Self {
        let joined = AtomicBool::new(ready.stream == StreamRole::Compute);
        let format = format.clone();
        let held = Held { memory: Some(memory), format, layout, timing, ready, joined, store: store.clone() };
        Self { held: Arc::new(held) }
    }

    /// The image as a frame on the GPU, done when its event is; what it tells of its motion, which would have to be waited
    /// for too, stays behind.
    pub(super) fn into_frame(self) -> Result<Frame> {
        let (timing, layout) = (Timing { motion: None, ..self.timing().clone() }, self.layout().clone());
        Frame::on_device(self.format().clone(), timing, layout, self.held)
    }

    /// Of its samples.
    pub(super) fn format(&self) -> &Arc<Format> {
        &self.held.format
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.held.layout
    }

    pub(super) fn timing(&self) -> &Timing {
        &self.held.timing
    }

    fn sample_bytes(&self) -> usize {
        self.held.format.pixel.sample.bytes()
    }

    pub(super) fn address(&self) -> u64 {
        self.held.memory.as_ref().expect(Self::LIVE).address()
    }

    /// The event after which the samples are there.
    pub(super) fn ready(&self) -> &Arc<Event> {
        &self.held.ready
    }

    /// Whether it was made by the stage of this store: of its GPU and format, in the order of its streams.
    pub(super) fn is_of(&self, store: &Arc<Store>) -> bool {
        Arc::ptr_eq(&self.held.store, store)
    }

    /// Whether somebody else owns the memory.
    pub(super) fn is_lent(&self) -> bool {
        matches!(self.held.memory, Some(ImageMemory::Lent(_)))
    }

    /// The bytes of the memory that hold the planes.
    pub(super) fn range(&self) -> Range<usize> {
        self.layout().span(self.sample_bytes())
    }

    /// One plane, as the kernels read it.
    pub(super) fn source(&self, plane: usize) -> SourcePlane {
        let plane = &self.layout().planes[plane];
        let samples = self.address() + plane.offset_bytes as u64;
        let wide = [samples, (plane.stride * self.sample_bytes()) as u64].iter().all(|bytes| bytes.is_multiple_of(16));
        SourcePlane { samples, stride: plane.stride as u32, wide: wide.into() }
    }

    /// Lets the compute stream wait until the samples are there; whether that was needed, for the first time.
    pub(super) fn join(&self, streams: &Streams) -> Result<bool> {
        if self.held.joined.load(Ordering::Relaxed) {
            return Ok(false);
        }
        streams.join(StreamRole::Compute, self.ready())?;
        self.held.joined.store(true, Ordering::Relaxed);
        Ok(true)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        match self.memory.take() {
            Some(ImageMemory::Own(buffer)) => self.store.put(buffer, self.ready.stream),
            Some(ImageMemory::Lent(surface)) => self.store.keep(surface),
            None => {}
        }
    }
}

// SAFETY: the memory is kept until `drop`, and written by nobody after the event `ready`, which is not used again while
// this lives. Other stages that read it keep it until they have done so.
unsafe impl Surface for Held {
    fn device(&self) -> usize {
        self.store.ordinal()
    }

    fn address(&self) -> u64 {
        self.memory.as_ref().map_or(0, ImageMemory::address)
    }

    fn bytes(&self) -> usize {
        self.memory.as_ref().map_or(0, ImageMemory::bytes)
    }

    fn ready(&self) -> Ready {
        Ready::Event(self.ready.raw() as u64)
    }

    fn stage(&self) -> Option<usize> {
        matches!(self.memory, Some(ImageMemory::Own(_))).then(|| Arc::as_ptr(&self.store) as usize)
    }
}

/// A frame on its way out. Dropping it blocks until nothing is copied any more.
pub struct Pending {
    image: Image,
    copy: Option<Copied>,
}

/// A copy of an image in the host's memory, there when an event is done.
struct Copied {
    block: Block,
    done: Arc<Event>,
}

impl Pending {
    /// A copy of `image` to the same places of `block`, done at an event.
    pub(super) fn copied(block: Block, image: Image, done: Arc<Event>) -> Self {
        Self { image, copy: Some(Copied { block, done }) }
    }

    /// An image that stays where it is.
    pub(super) fn there(image: Image) -> Self {
        Self { image, copy: None }
    }

    pub(super) fn number(&self) -> u64 {
        self.image.timing().number
    }

    /// The event after which the samples are on the GPU.
    pub(super) fn made(&self) -> &Arc<Event> {
        self.image.ready()
    }

    /// The frame, as [`Backend::wait`](crate::backend::Backend::wait) gives it, for a program that waits in one thread while
    /// another uses the stage. Blocks until it is there, if it comes to the host.
    ///
    /// # Errors
    /// If the GPU failed.
    pub fn finish(mut self) -> Result<Frame> {
        let Some(copy) = &self.copy else { return self.image.clone().into_frame() };
        copy.done.wait()?;
        let Some(Copied { block, .. }) = self.copy.take() else { bail!("frame already finished") };
        let (timing, layout) = (self.image.timing().clone(), self.image.layout().clone());
        Frame::from_block(self.image.format().clone(), timing, layout, Arc::new(block))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(copy) = &self.copy
            && let Err(error) = copy.done.wait()
        {
            log::debug!("a copy from the GPU failed: {error:#}");
        }
    }
}
