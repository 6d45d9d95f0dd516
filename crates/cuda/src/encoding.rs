//! Frames on the GPU, brought to where hardware encoders read them.
//!
//! Each encoder has a stream of its own. A frame's planes are joined there once the stage has made them, which is the
//! only copy, and the encoder reads what comes of it in the same stream: events order all of it, and the host waits for
//! none.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use cudarc::driver::CudaStream;

use super::device::Device;
use super::error::Explained;
use super::join::Joiner;
use super::stream::{RawEvent, wait_for};
use crate::frame::{EncodingDevice, EncodingLane, Format, Frame, Layout, Storage, Surface};

/// A GPU as a place for encoders.
pub struct EncodingGpu {
    device: Device,
}

/// Where one encoder works.
struct EncoderLane {
    device: Device,
    stream: Arc<CudaStream>,
    joiner: Joiner,
    format: Arc<Format>,
    /// What the stream still reads, the oldest first, each until its event is done.
    reading: VecDeque<(RawEvent, Arc<dyn Surface>)>,
    /// Events that nobody waits for.
    free: Vec<RawEvent>,
}

impl Device {
    /// This GPU as a place for encoders.
    pub fn encoding(&self) -> Arc<EncodingGpu> {
        Arc::new(EncodingGpu { device: self.clone() })
    }
}

impl EncodingDevice for EncodingGpu {
    fn lane(&self, format: &Arc<Format>) -> Result<Box<dyn EncodingLane>> {
        let (device, format) = (self.device.clone(), format.clone());
        device.bind()?;
        let joiner = Joiner::new(&device, format.pixel.sample).context("prepare the interleave kernel")?;
        let stream = device.context.new_stream().explain().context("open a stream on the GPU")?;
        Ok(Box::new(EncoderLane { device, stream, joiner, format, reading: VecDeque::new(), free: Vec::new() }))
    }
}

impl EncoderLane {
    /// Lets go of frames that were read.
    fn release(&mut self) -> Result<()> {
        while let Some((event, _)) = self.reading.front() {
            if !event.is_done()? {
                break;
            }
            self.free.extend(self.reading.pop_front().map(|(event, _)| event));
        }
        Ok(())
    }

    fn surface<'a>(&self, frame: &'a Frame) -> Result<&'a Arc<dyn Surface>> {
        let (number, ours) = (frame.timing.number, self.device.ordinal);
        let Storage::Device(surface) = frame.storage() else {
            bail!("frame {number} is on the host, and the encoder reads from GPU {ours}");
        };
        let theirs = surface.device();
        ensure!(theirs == ours, "frame {number} is on GPU {theirs}, and the encoder reads from GPU {ours}");
        Ok(surface)
    }
}

// SAFETY: context and stream are kept in the value; the picture is written by a kernel in that stream, which comes to
// rest where its end is not known.
unsafe impl EncodingLane for EncoderLane {
    fn context(&self) -> u64 {
        self.device.context.cu_ctx() as u64
    }

    fn stream(&self) -> u64 {
        self.stream.cu_stream() as u64
    }

    unsafe fn join(&mut self, frame: &Frame, layout: &Layout, address: u64, bytes: usize) -> Result<()> {
        let pixel = self.format.pixel;
        let sizes = |layout: &Layout| layout.planes.iter().map(|plane| (plane.width, plane.height)).collect::<Vec<_>>();
        ensure!(frame.format().pixel == pixel, "the frame is {}, and the clip {}", frame.format(), self.format);
        ensure!(
            sizes(layout) == sizes(frame.layout()) && layout.span(pixel.sample.bytes()).end <= bytes,
            "the encoder's picture does not have the planes of {}",
            frame.format()
        );
        let surface = self.surface(frame)?;
        self.device.bind()?;
        self.release()?;
        let stream = self.stream.cu_stream();
        let event = self.free.pop().map_or_else(|| RawEvent::new(&self.device), Ok)?;
        // SAFETY: a surface promises that what its `ready` names is live for as long as itself, and it is of this GPU.
        unsafe { wait_for(&self.device, stream, surface.ready()) }?;
        // SAFETY: the stream is live and has been told to wait for the samples. The frame's layout was checked against
        // its memory, which is kept in `reading` until the event is done; the caller vouches for the picture, whose
        // planes lie within its bytes and are of the same sizes.
        let joined = unsafe { self.joiner.start(stream, (frame.layout(), surface.address()), (layout, address)) };
        // SAFETY: both are live.
        let read = joined.and_then(|()| unsafe { event.record(stream) });
        if read.is_err() {
            // Nobody knows when the frame is read and the picture written; a GPU that failed does neither.
            let _ = self.stream.synchronize();
        }
        read?;
        self.reading.push_back((event, surface.clone()));
        Ok(())
    }
}

impl Drop for EncoderLane {
    fn drop(&mut self) {
        // What is read must not be given back before. A GPU that failed reads nothing any more.
        if let Err(error) = self.device.bind().and_then(|()| self.stream.synchronize().explain()) {
            log::debug!("the GPU did not finish its work: {error:#}");
        }
    }
}
