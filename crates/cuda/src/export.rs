//! Results that leave for other programs' work on the same GPU. Both sides wait for each other in their streams, and the host
//! for neither.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use cudarc::driver::{CudaStream, result, sys};

use super::device::Device;
use super::error::Explained;
use super::stage::Cuda;
use super::stream::StreamRole;
use crate::frame::{Frame, Ready, Storage, Surface};

/// A finished frame of a stage that delivers on its GPU, for as long as others read it. When it is dropped, its memory is
/// used again once what they queued by then is done.
pub struct Export {
    surface: Arc<dyn Surface>,
    device: Device,
    /// The streams that may write the memory next.
    writers: [Arc<CudaStream>; 2],
    /// The streams that read it.
    readers: Mutex<Vec<ReadingStream>>,
}

/// What keeps a stream of somebody else's alive.
pub type StreamKeeper = Box<dyn Any + Send + Sync>;

/// A stream that reads.
struct ReadingStream {
    stream: u64,
    /// What keeps it alive; `None` where it may be gone by the time the memory comes back.
    keeper: Option<StreamKeeper>,
}

/// CUDA's legacy default stream, which is always there.
const LEGACY_DEFAULT: u64 = 1;

impl Cuda {
    /// A frame that this stage delivered, for others' work.
    ///
    /// # Errors
    /// If the frame was delivered by another stage, or lies in memory that somebody else uses again.
    pub fn export(&self, frame: &Frame) -> Result<Export> {
        let Storage::Device(surface) = frame.storage() else {
            bail!("frame {} is on the host", frame.timing.number);
        };
        let (theirs, ours) = (surface.device(), self.device.ordinal);
        ensure!(theirs == ours, "it is on GPU {theirs}, and this stage runs on GPU {ours}");
        let is_own = surface.stage() == Some(Arc::as_ptr(&self.store) as usize);
        ensure!(is_own, "frame {} was not delivered by this stage, which cannot keep its memory", frame.timing.number);
        let writers = [StreamRole::Compute, StreamRole::Upload].map(|role| self.streams.stream(role).clone());
        Ok(Export { surface: surface.clone(), device: self.device.clone(), writers, readers: Mutex::default() })
    }

    /// Lets what is queued in a stream from now on wait until the frames that were uploaded have been copied. One that lies
    /// on the GPU in planes, with some bytes behind them, is not copied and not waited for. Does not block.
    ///
    /// # Errors
    /// If the driver refuses.
    ///
    /// # Safety
    /// `stream` must be a live stream of this GPU.
    pub unsafe fn read_before(&self, stream: u64) -> Result<()> {
        self.device.bind()?;
        // SAFETY: the stage keeps its stream, and the caller vouches for the other.
        unsafe { follow(self.streams.raw(StreamRole::Upload) as u64, [stream]) }
    }
}

impl Export {
    /// The memory that holds the frame.
    pub fn surface(&self) -> &Arc<dyn Surface> {
        &self.surface
    }

    /// Keeps the memory from being used again before the GPU has come to rest: for readers that wait for the samples
    /// themselves, in streams that nobody knows.
    pub fn lend_unordered(&self) {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.push(ReadingStream { stream: 0, keeper: None });
    }

    /// Lets what is queued in a stream from now on wait until the samples are there. 1 and 2 are CUDA's default streams. Does
    /// not block. `keeper` keeps the stream alive until the memory is back; of a stream without one nothing can be asked
    /// then, so that the GPU has to come to rest before the memory is used again.
    ///
    /// # Errors
    /// If the driver refuses.
    ///
    /// # Safety
    /// `stream` must be a live stream of this GPU, and with a keeper stay so until that is dropped.
    pub unsafe fn lend(&self, stream: u64, keeper: Option<StreamKeeper>) -> Result<()> {
        self.device.bind()?;
        let what = || format!("let stream {stream:#x} wait for a frame on GPU {}", self.device.ordinal);
        match self.surface.ready() {
            Ready::Now => {}
            // SAFETY: the surface keeps its event, and the caller vouches for the stream.
            Ready::Event(event) => unsafe { wait(stream, event as sys::CUevent) }.with_context(what)?,
            Ready::Stream(_) => bail!("a frame of the stage has no event"),
        }
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if !readers.iter().any(|reader| reader.stream == stream && reader.keeper.is_some() == keeper.is_some()) {
            readers.push(ReadingStream { stream, keeper });
        }
        Ok(())
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        let readers = std::mem::take(self.readers.get_mut().unwrap_or_else(PoisonError::into_inner));
        let writers = || self.writers.iter().map(|writer| writer.cu_stream() as u64);
        let settle = |reader: &ReadingStream| {
            if reader.keeper.is_none() && reader.stream != LEGACY_DEFAULT {
                return result::ctx::synchronize().explain();
            }
            // SAFETY: the streams that may write the memory next are kept, and so is the reader, for which its keeper was
            // vouched or which is always there.
            unsafe { follow(reader.stream, writers()) }
        };
        let settled = self.device.bind().and_then(|()| readers.iter().try_for_each(settle));
        if let Err(error) = settled {
            log::debug!("releasing a frame on the GPU failed: {error:#}");
            // Nobody knows when the others are done; then the GPU comes to rest before the memory is used again.
            let _ = result::ctx::synchronize();
        }
    }
}

/// Lets streams wait for what another has queued.
///
/// # Safety
/// All must be live, and of the GPU whose context is current.
unsafe fn follow(first: u64, next: impl IntoIterator<Item = u64>) -> Result<()> {
    let mut event = std::ptr::null_mut();
    let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
    // SAFETY: a context is current; the pointer is to a handle that lives through the call. The caller vouches for the
    // streams. The driver takes note of the event's state, so that it may be destroyed right after.
    unsafe {
        sys::cuEventCreate(&mut event, flags).result().explain()?;
        let told = result::event::record(event, first as sys::CUstream)
            .explain()
            .and_then(|()| next.into_iter().try_for_each(|stream| wait(stream, event)));
        let gone = result::event::destroy(event).explain();
        told.and(gone)
    }
}

/// Lets a stream wait for an event.
///
/// # Safety
/// Both must be live.
unsafe fn wait(stream: u64, event: sys::CUevent) -> Result<()> {
    let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
    // SAFETY: the caller vouches for both.
    unsafe { result::stream::wait_event(stream as sys::CUstream, event, flags) }.explain()
}
