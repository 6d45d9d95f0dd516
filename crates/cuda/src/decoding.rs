//! Pictures that hardware decoders leave on the GPU, kept as frames.
//!
//! Each decoder has a stream of its own. A picture is set apart into planes there, which is the only copy, and the decoder
//! has its memory back at once: what it writes next it writes in the same stream.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use cudarc::driver::{CudaStream, result};

use super::device::Device;
use super::error::Explained;
use super::image::{self, SLACK_BYTES};
use super::memory::DeviceBuffer;
use super::split::Splitter;
use super::stream::RawEvent;
use crate::frame::{DecodingDevice, DecodingLane, Format, Frame, Layout, Ready, Sample, Surface, Timing};

/// A GPU as a place for decoders.
pub struct DecodingGpu {
    device: Device,
    shelf: Arc<FrameShelf>,
}

/// Memory for frames that is used again.
#[derive(Default)]
struct FrameShelf {
    free: Mutex<VecDeque<FrameMemory>>,
    allocated_bytes: AtomicUsize,
}

/// Memory for one frame, and the moment when what was written there last is there.
struct FrameMemory {
    /// A piece of memory of which this is a part.
    _slab: Arc<DeviceBuffer>,
    address: u64,
    bytes: usize,
    written: RawEvent,
}

/// A frame's memory until nobody reads it any more.
struct KeptSurface {
    memory: Option<FrameMemory>,
    shelf: Arc<FrameShelf>,
    ordinal: usize,
}

/// Where one decoder works.
struct GpuLane {
    device: Device,
    stream: Arc<CudaStream>,
    splitter: Option<(Sample, Splitter)>,
    shelf: Arc<FrameShelf>,
}

impl Device {
    /// This GPU as a place for decoders.
    pub fn decoding(&self) -> Arc<DecodingGpu> {
        Arc::new(DecodingGpu { device: self.clone(), shelf: Arc::default() })
    }
}

impl DecodingGpu {
    /// Of the memory that is free, what frames that wait may take.
    const SHARE: usize = 4;

    /// Makes ready for pictures of such samples, so that what is missing is known before the first.
    ///
    /// # Errors
    /// If there is no NVRTC, or the driver refuses.
    pub fn prepare(&self, sample: Sample) -> Result<()> {
        Splitter::new(&self.device, sample).map(drop).context("prepare the deinterleave kernel")
    }

    /// Memory on the GPU for decoded frames; it grows until the steady state.
    pub fn allocated_bytes(&self) -> usize {
        self.shelf.allocated_bytes.load(Ordering::Relaxed)
    }
}

impl DecodingDevice for DecodingGpu {
    fn lane(&self) -> Result<Box<dyn DecodingLane>> {
        self.device.bind()?;
        let stream = self.device.context.new_stream().explain().context("open a stream on the GPU")?;
        Ok(Box::new(GpuLane { device: self.device.clone(), stream, splitter: None, shelf: self.shelf.clone() }))
    }

    fn room_bytes(&self) -> usize {
        let free = self.device.bind().ok().and_then(|()| result::mem_get_info().ok());
        free.map_or(0, |(free, _)| free / Self::SHARE)
    }
}

impl FrameShelf {
    /// Memory is asked for in pieces of about so many bytes, since the driver stops all decoders meanwhile.
    const SLAB_BYTES: usize = 64 << 20;
    /// What parts of a piece begin at a multiple of.
    const ALIGN_BYTES: usize = 512;

    /// Memory of `bytes` bytes. What was there before is overwritten in order, whatever stream wrote it.
    fn take(&self, device: &Device, stream: &CudaStream, bytes: usize) -> Result<FrameMemory> {
        let bytes = bytes.next_multiple_of(Self::ALIGN_BYTES);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = free.iter().position(|memory| memory.bytes == bytes)
            && let Some(memory) = free.remove(place)
        {
            drop(free);
            // Whoever had it need not have waited for what was written.
            // SAFETY: both are live. Readers are done, or the memory would not be here.
            unsafe { memory.written.before(stream.cu_stream()) }?;
            return Ok(memory);
        }
        let count = (Self::SLAB_BYTES / bytes).max(1);
        let slab = Arc::new(DeviceBuffer::new(&device.context, count * bytes)?);
        self.allocated_bytes.fetch_add(count * bytes, Ordering::Relaxed);
        for part in 0..count {
            let address = slab.address + (part * bytes) as u64;
            free.push_back(FrameMemory { _slab: slab.clone(), address, bytes, written: RawEvent::new(device)? });
        }
        free.pop_back().context("decoder memory has no room for a frame")
    }
}

// SAFETY: context and stream are kept in the value; the picture is read by a kernel in that stream.
unsafe impl DecodingLane for GpuLane {
    fn context(&self) -> u64 {
        self.device.context.cu_ctx() as u64
    }

    fn stream(&self) -> u64 {
        self.stream.cu_stream() as u64
    }

    unsafe fn keep(
        &mut self,
        format: &Arc<Format>,
        layout: &Layout,
        address: u64,
        bytes: usize,
        timing: Timing,
    ) -> Result<Frame> {
        let sample = format.pixel.sample;
        let fits = layout.check(format, address as usize, bytes).and_then(|()| image::check_reach(layout));
        fits.with_context(|| format!("the decoded picture does not have the planes of {format}"))?;
        self.device.bind()?;
        let splitter = match self.splitter.take() {
            Some((known, splitter)) if known == sample => splitter,
            _ => Splitter::new(&self.device, sample).context("prepare the deinterleave kernel")?,
        };
        let (_, splitter) = self.splitter.insert((sample, splitter));
        let to = Layout::aligned(format);
        let memory = self.shelf.take(&self.device, &self.stream, to.total_bytes(sample.bytes()) + SLACK_BYTES)?;
        let stream = self.stream.cu_stream();
        // SAFETY: the caller vouches for the picture, whose planes lie within its bytes; the memory holds all planes of the
        // format, and nobody else has it. The stream is live.
        let split = unsafe { splitter.start(stream, (layout, address), (&to, memory.address)) };
        // SAFETY: both are live.
        let written = split.and_then(|()| unsafe { memory.written.record(stream) });
        if written.is_err() {
            // Nobody knows when the memory is written no more; a GPU that failed writes nothing.
            let _ = self.stream.synchronize();
        }
        written?;
        let (shelf, ordinal) = (self.shelf.clone(), self.device.ordinal);
        let surface = KeptSurface { memory: Some(memory), shelf, ordinal };
        Frame::on_device(format.clone(), timing, to, Arc::new(surface))
    }
}

impl KeptSurface {
    const LIVE: &str = "surface memory already released";

    fn memory(&self) -> &FrameMemory {
        self.memory.as_ref().expect(Self::LIVE)
    }
}

impl Drop for KeptSurface {
    fn drop(&mut self) {
        self.shelf.free.lock().unwrap_or_else(PoisonError::into_inner).extend(self.memory.take());
    }
}

// SAFETY: the memory is written once before the event, and again only after the value was dropped, behind the event.
unsafe impl Surface for KeptSurface {
    fn device(&self) -> usize {
        self.ordinal
    }

    fn address(&self) -> u64 {
        self.memory().address
    }

    fn bytes(&self) -> usize {
        self.memory().bytes
    }

    fn ready(&self) -> Ready {
        Ready::Event(self.memory().written.raw() as u64)
    }
}
