//! The three lanes in which work for the GPU queues up, and the marks that order them.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cudarc::driver::{CudaContext, CudaStream, result, sys};

use super::device::Device;
use super::error::Explain;
use crate::frame::Ready;

/// Which queue. Work in one runs in order; the three run beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// Host to device.
    Upload,
    /// Kernels.
    Compute,
    /// Device to host.
    Download,
}

/// Whether marks carry the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timed {
    Yes,
    No,
}

/// An event of the driver.
struct Event {
    raw: sys::CUevent,
    context: Arc<CudaContext>,
}

// SAFETY: the driver's events may be used from any thread.
unsafe impl Send for Event {}
// SAFETY: as above; every call on an event is safe beside every other.
unsafe impl Sync for Event {}

impl Drop for Event {
    fn drop(&mut self) {
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: the event was created by the driver and is destroyed once.
        self.context.record_err(unsafe { result::event::destroy(self.raw) });
    }
}

/// A place in a lane: everything that was queued there before it. Its event is used again after the last owner.
pub(super) struct Mark {
    pub(super) lane: Lane,
    event: Option<Event>,
    home: Arc<Mutex<Vec<Event>>>,
    /// When the work before it was done, in milliseconds of a trace, once that was read.
    pub(super) done_ms: OnceLock<f64>,
}

impl Mark {
    /// The first sleep of a thread that waits. The system makes 50 µs more of it, which is still less than what eight
    /// small frames under way take (33 µs each at 720p).
    const NAP: Duration = Duration::from_micros(20);

    pub(super) fn raw(&self) -> sys::CUevent {
        self.event.as_ref().expect("a mark keeps its event until it is dropped").raw
    }

    /// Whether the work before the mark is done. Does not block.
    pub(super) fn is_done(&self) -> Result<bool> {
        // SAFETY: the event lives as long as the mark.
        match unsafe { result::event::query(self.raw()) } {
            Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            other => other.explain().map(|()| true),
        }
    }

    /// Blocks until the work before the mark is done: looks again and again, and sleeps in between, the longer the longer
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

    /// Milliseconds from `start` to this mark. Both must be timed; fails unless both are done.
    pub(super) fn ms_since(&self, start: &Self) -> Result<f64> {
        // SAFETY: both events live as long as their marks.
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

impl Drop for Mark {
    fn drop(&mut self) {
        self.home.lock().unwrap_or_else(PoisonError::into_inner).extend(self.event.take());
    }
}

/// The three lanes of a GPU.
pub(super) struct Lanes {
    device: Device,
    upload: Arc<CudaStream>,
    compute: Arc<CudaStream>,
    download: Arc<CudaStream>,
    timed: Timed,
    free: Arc<Mutex<Vec<Event>>>,
}

impl Lanes {
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

    pub(super) fn stream(&self, lane: Lane) -> &Arc<CudaStream> {
        match lane {
            Lane::Upload => &self.upload,
            Lane::Compute => &self.compute,
            Lane::Download => &self.download,
        }
    }

    /// The driver's handle of a lane.
    pub(super) fn raw(&self, lane: Lane) -> sys::CUstream {
        self.stream(lane).cu_stream()
    }

    /// Marks what was queued in a lane so far.
    pub(super) fn mark(&self, lane: Lane) -> Result<Arc<Mark>> {
        let known = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let event = match known {
            Some(event) => event,
            None => self.event()?,
        };
        // SAFETY: the event is live, and no mark uses it; the stream lives as long as `self`.
        unsafe { result::event::record(event.raw, self.raw(lane)) }.explain()?;
        Ok(Arc::new(Mark { lane, event: Some(event), home: self.free.clone(), done_ms: OnceLock::new() }))
    }

    /// Lets what is queued in `lane` from now on wait for a mark. Does not block.
    pub(super) fn join(&self, lane: Lane, mark: &Mark) -> Result<()> {
        if mark.lane == lane {
            return Ok(());
        }
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: the event lives as long as the mark and the stream as long as `self`; the driver takes note of the
        // event's present state, so that it may be used again at once.
        unsafe { result::stream::wait_event(self.raw(lane), mark.raw(), flags) }.explain()
    }

    /// Lets what is queued in `lane` from now on wait for a moment that somebody else named. Does not block.
    ///
    /// # Safety
    /// What `ready` names must be a live event or stream of this GPU.
    pub(super) unsafe fn join_foreign(&self, lane: Lane, ready: Ready) -> Result<()> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        let event = match ready {
            Ready::Now => return Ok(()),
            Ready::Event(event) => event as sys::CUevent,
            Ready::Stream(stream) => {
                let event = self.event()?;
                // SAFETY: the event is live and nobody else's; the caller vouches for the stream. The driver takes note
                // of the event's state in both calls, so that it may be destroyed right after.
                unsafe {
                    result::event::record(event.raw, stream as sys::CUstream).explain()?;
                    return result::stream::wait_event(self.raw(lane), event.raw, flags).explain();
                }
            }
        };
        // SAFETY: the caller vouches for the event, and the stream lives as long as `self`.
        unsafe { result::stream::wait_event(self.raw(lane), event, flags) }.explain()
    }

    /// Blocks until all lanes are empty.
    pub(super) fn drain(&self) -> Result<()> {
        for lane in [Lane::Upload, Lane::Compute, Lane::Download] {
            self.stream(lane).synchronize().explain()?;
        }
        Ok(())
    }

    fn event(&self) -> Result<Event> {
        let flags = match self.timed {
            Timed::Yes => sys::CUevent_flags::CU_EVENT_DEFAULT,
            Timed::No => sys::CUevent_flags::CU_EVENT_DISABLE_TIMING,
        };
        let mut raw = std::ptr::null_mut();
        self.device.bind()?;
        // SAFETY: a context is current, and the pointer is to a handle that lives through the call.
        unsafe { sys::cuEventCreate(&mut raw, flags as u32) }.result().explain().context("make an event")?;
        Ok(Event { raw, context: self.device.context.clone() })
    }
}
