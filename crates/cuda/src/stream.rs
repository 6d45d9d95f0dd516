//! The three streams in which work for the GPU queues up, and the events that order them.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cudarc::driver::{CudaContext, CudaStream, result, sys};

use super::device::Device;
use super::error::Explained;
use crate::frame::Ready;

/// Which stream. Work in one runs in order; the three run beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamRole {
    /// Host to device.
    Upload,
    /// Kernels.
    Compute,
    /// Device to host.
    Download,
}

/// Whether events carry the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timed {
    Yes,
    No,
}

/// An event of the driver, which it knows by a handle.
pub(super) struct RawEvent {
    raw: sys::CUevent,
    context: Arc<CudaContext>,
}

// SAFETY: the driver's events may be used from any thread.
unsafe impl Send for RawEvent {}
// SAFETY: as above; every call on an event is safe beside every other.
unsafe impl Sync for RawEvent {}

impl RawEvent {
    /// An event that carries no time.
    pub(super) fn new(device: &Device) -> Result<Self> {
        Self::made(device, Timed::No)
    }

    fn made(device: &Device, timed: Timed) -> Result<Self> {
        let flags = match timed {
            Timed::Yes => sys::CUevent_flags::CU_EVENT_DEFAULT,
            Timed::No => sys::CUevent_flags::CU_EVENT_DISABLE_TIMING,
        };
        let mut raw = std::ptr::null_mut();
        device.bind()?;
        // SAFETY: a context is current, and the pointer is to a handle that lives through the call.
        unsafe { sys::cuEventCreate(&mut raw, flags as u32) }
            .result()
            .explain()
            .context("create an event on the GPU")?;
        Ok(Self { raw, context: device.context.clone() })
    }

    /// The driver's handle.
    pub(super) fn raw(&self) -> sys::CUevent {
        self.raw
    }

    /// Puts it behind what was queued in a stream so far.
    ///
    /// # Safety
    /// The stream must be live, and of the event's GPU.
    pub(super) unsafe fn record(&self, stream: sys::CUstream) -> Result<()> {
        // SAFETY: the event is live; the caller vouches for the stream.
        unsafe { result::event::record(self.raw, stream) }.explain()
    }

    /// Lets what is queued in a stream from now on wait for it. Does not block.
    ///
    /// # Safety
    /// The stream must be live.
    pub(super) unsafe fn before(&self, stream: sys::CUstream) -> Result<()> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: the event is live; the caller vouches for the stream.
        unsafe { result::stream::wait_event(stream, self.raw, flags) }.explain()
    }

    /// Whether the work before it is done. Does not block.
    pub(super) fn is_done(&self) -> Result<bool> {
        // SAFETY: the event is live.
        match unsafe { result::event::query(self.raw) } {
            Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            other => other.explain().map(|()| true),
        }
    }
}

impl Drop for RawEvent {
    fn drop(&mut self) {
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: the event was created by the driver and is destroyed once.
        self.context.record_err(unsafe { result::event::destroy(self.raw) });
    }
}

/// A place in a stream: everything that was queued there before it. What the driver has for it is used again after the
/// last owner.
pub(super) struct Event {
    pub(super) stream: StreamRole,
    raw: Option<RawEvent>,
    home: Arc<Mutex<Vec<RawEvent>>>,
    /// When the work before it was done, in milliseconds of a trace, once that was read.
    pub(super) done_ms: OnceLock<f64>,
}

impl Event {
    /// The first sleep of a thread that waits. The system makes 50 µs more of it, which is still less than what eight
    /// small frames under way take (33 µs each at 720p).
    const NAP: Duration = Duration::from_micros(20);

    fn handle(&self) -> &RawEvent {
        self.raw.as_ref().expect("an event keeps its handle until it is dropped")
    }

    pub(super) fn raw(&self) -> sys::CUevent {
        self.handle().raw
    }

    /// Whether the work before the event is done. Does not block.
    pub(super) fn is_done(&self) -> Result<bool> {
        self.handle().is_done()
    }

    /// Blocks until the work before the event is done: looks again and again, and sleeps in between, the longer the longer
    /// it has waited. Events to sleep on (`CU_EVENT_BLOCKING_SYNC`) are no choice: each interrupts the processor when it
    /// is reached, whether anybody waits or not. At 1080p these are 40,000 interrupts a second, which took a tenth of
    /// the frames a second on an H200 in a virtual machine, and at times half of them.
    pub(super) fn wait(&self) -> Result<()> {
        let started = Instant::now();
        while !self.is_done()? {
            let waited = started.elapsed();
            if waited < Self::NAP {
                std::thread::yield_now();
            } else {
                std::thread::sleep((waited / 8).clamp(Self::NAP, 50 * Self::NAP));
            }
        }
        Ok(())
    }

    /// Milliseconds from `start` to this event. Both must be timed; fails unless both are done.
    pub(super) fn ms_since(&self, start: &Self) -> Result<f64> {
        // SAFETY: the driver's events live as long as `start` and `self`.
        unsafe { result::event::elapsed(start.raw(), self.raw()) }.explain().map(f64::from)
    }

    /// The same, or `None` unless both are done. Does not block.
    pub(super) fn ms_since_if_done(&self, start: &Self) -> Result<Option<f64>> {
        // SAFETY: as above.
        match unsafe { result::event::elapsed(start.raw(), self.raw()) } {
            Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NOT_READY => Ok(None),
            other => other.explain().map(|ms| Some(f64::from(ms))),
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        self.home.lock().unwrap_or_else(PoisonError::into_inner).extend(self.raw.take());
    }
}

/// The three streams of a GPU.
pub(super) struct Streams {
    device: Device,
    upload: Arc<CudaStream>,
    compute: Arc<CudaStream>,
    download: Arc<CudaStream>,
    timed: Timed,
    free: Arc<Mutex<Vec<RawEvent>>>,
}

impl Streams {
    pub(super) fn new(device: &Device, timed: Timed) -> Result<Self> {
        let stream = || device.context.new_stream().explain().context("open a stream on the GPU");
        Ok(Self {
            device: device.clone(),
            upload: stream()?,
            compute: stream()?,
            download: stream()?,
            timed,
            free: Arc::default(),
        })
    }

    pub(super) fn stream(&self, kind: StreamRole) -> &Arc<CudaStream> {
        match kind {
            StreamRole::Upload => &self.upload,
            StreamRole::Compute => &self.compute,
            StreamRole::Download => &self.download,
        }
    }

    /// The driver's handle of a stream.
    pub(super) fn raw(&self, kind: StreamRole) -> sys::CUstream {
        self.stream(kind).cu_stream()
    }

    /// Records an event behind what was queued in a stream so far.
    pub(super) fn record(&self, stream: StreamRole) -> Result<Arc<Event>> {
        let known = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let event = match known {
            Some(event) => event,
            None => RawEvent::made(&self.device, self.timed)?,
        };
        // SAFETY: the driver's event is live, and no [`Event`] has it; the stream lives as long as `self`.
        unsafe { result::event::record(event.raw, self.raw(stream)) }.explain()?;
        Ok(Arc::new(Event { stream, raw: Some(event), home: self.free.clone(), done_ms: OnceLock::new() }))
    }

    /// Lets what is queued in `stream` from now on wait for an event. Does not block.
    pub(super) fn join(&self, stream: StreamRole, event: &Event) -> Result<()> {
        if event.stream == stream {
            return Ok(());
        }
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: the driver's event lives as long as `event` and the stream as long as `self`; the driver takes note of the
        // event's present state, so that it may be used again at once.
        unsafe { result::stream::wait_event(self.raw(stream), event.raw(), flags) }.explain()
    }

    /// Lets what is queued in `stream` from now on wait for a moment that somebody else named. Does not block.
    ///
    /// # Safety
    /// What `ready` names must be a live event or stream of this GPU.
    pub(super) unsafe fn join_foreign(&self, stream: StreamRole, ready: Ready) -> Result<()> {
        // SAFETY: the caller vouches for what is named, and the stream lives as long as `self`.
        unsafe { wait_for(&self.device, self.raw(stream), ready) }
    }

    /// Blocks until all streams are empty.
    pub(super) fn drain(&self) -> Result<()> {
        for stream in [StreamRole::Upload, StreamRole::Compute, StreamRole::Download] {
            self.stream(stream).synchronize().explain()?;
        }
        Ok(())
    }
}

/// Lets what is queued in a stream from now on wait for a moment that somebody named. Does not block.
///
/// # Safety
/// The stream must be live, and what `ready` names a live event or stream, all of this GPU.
pub(super) unsafe fn wait_for(device: &Device, stream: sys::CUstream, ready: Ready) -> Result<()> {
    let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
    match ready {
        Ready::Now => Ok(()),
        // SAFETY: the caller vouches for both.
        Ready::Event(event) => unsafe { result::stream::wait_event(stream, event as sys::CUevent, flags) }.explain(),
        Ready::Stream(theirs) => {
            let event = RawEvent::new(device)?;
            // SAFETY: the event is live and nobody else's; the caller vouches for both streams. The driver takes note of
            // the event's state in both calls, so that it may be destroyed right after.
            unsafe {
                event.record(theirs as sys::CUstream)?;
                event.before(stream)
            }
        }
    }
}
