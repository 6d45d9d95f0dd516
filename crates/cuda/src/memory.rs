//! Memory on both sides of the bus: pinned blocks for the pool, and buffers on the GPU that are used again and again.

use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, anyhow};
use cudarc::driver::{CudaContext, result, sys};

use crate::frame::{Allocator, Memory, Surface};

use super::device::Device;
use super::error::{Explained, wording};
use super::stream::{Event, StreamRole};

/// Makes pinned host memory, which the GPU copies from and to without the processor.
pub(super) struct Pinner {
    context: Arc<CudaContext>,
}

impl Pinner {
    pub(super) fn new(context: Arc<CudaContext>) -> Self {
        Self { context }
    }
}

impl Allocator for Pinner {
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>> {
        Ok(Box::new(Pinned::new(&self.context, bytes)?))
    }
}

impl Device {
    /// Makes memory that this GPU reads and writes at full speed.
    pub fn allocator(&self) -> Box<dyn Allocator> {
        Box::new(Pinner::new(self.context.clone()))
    }
}

/// Pinned host memory; ordinary and cached for the host, never write-combined.
pub(super) struct Pinned {
    start: NonNull<u8>,
    bytes: usize,
    context: Arc<CudaContext>,
}

// SAFETY: the memory is owned by this value alone and belongs to no thread.
unsafe impl Send for Pinned {}
// SAFETY: shared references only read.
unsafe impl Sync for Pinned {}

impl Pinned {
    pub(super) fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<Self> {
        let what = || format!("pin {} MiB of memory", bytes.div_ceil(1 << 20));
        context.bind_to_thread().explain().with_context(what)?;
        // SAFETY: a context is current; portable, so that every context may use the memory.
        let start = unsafe { result::malloc_host(bytes.max(1), sys::CU_MEMHOSTALLOC_PORTABLE) };
        let start = start.map_err(|error| match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                anyhow!("this machine is out of memory; free some, or type --in-flight 1, or --backend cpu")
            }
            _ => anyhow!(wording(error)),
        });
        let start = NonNull::new(start.with_context(what)?.cast::<u8>()).with_context(what)?;
        // SAFETY: the driver gave `bytes` bytes; written once, so that they may be read as `u8` ever after.
        unsafe { start.as_ptr().write_bytes(0, bytes) };
        Ok(Self { start, bytes, context: context.clone() })
    }
}

impl Pinned {
    /// Where it lies for the GPU, which is where it lies for the host: addresses are unified on every 64-bit system.
    pub(super) fn address(&self) -> sys::CUdeviceptr {
        self.start.as_ptr() as u64
    }
}

// SAFETY: `start` is set once, and the driver's memory lies there until `drop`; nobody else knows of it but the GPU, of
// which whoever gives it work keeps the memory until that is done.
unsafe impl Memory for Pinned {
    fn bytes(&self) -> &[u8] {
        // SAFETY: `new` wrote all of these bytes, and they are freed only with `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`, and the exclusive reference is the only one.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: the driver gave this pointer to `new`, and it is freed once. Copies from or to it have ended:
        // whoever starts one keeps the memory until then.
        self.context.record_err(unsafe { result::free_host(self.start.as_ptr().cast()) });
    }
}

/// A piece of the GPU's memory.
pub(super) struct DeviceBuffer {
    pub(super) address: sys::CUdeviceptr,
    pub(super) bytes: usize,
    context: Arc<CudaContext>,
}

impl DeviceBuffer {
    pub(super) fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<Self> {
        let what = || {
            let free = result::mem_get_info().map_or(0, |(free, _)| free);
            let [wanted, free] = [bytes.div_ceil(1 << 20), free >> 20];
            format!("allocate {wanted} MiB on GPU {}, where {free} MiB are free", context.ordinal())
        };
        context.bind_to_thread().explain().with_context(what)?;
        // SAFETY: a context is current, and the size is not zero.
        let address = unsafe { result::malloc_sync(bytes.max(1)) }.explain().with_context(what)?;
        Ok(Self { address, bytes, context: context.clone() })
    }

    /// A buffer that holds these bytes. Blocks until they are there for every stream.
    pub(super) fn holding(context: &Arc<CudaContext>, bytes: &[u8]) -> Result<Self> {
        let buffer = Self::new(context, bytes.len())?;
        buffer.fill(bytes)?;
        Ok(buffer)
    }

    /// Replaces the first bytes. Blocks until they are there for every stream: a copy from ordinary memory may return
    /// while the last of it is under way, and the streams do not wait for it by themselves.
    pub(super) fn fill(&self, bytes: &[u8]) -> Result<()> {
        assert!(bytes.len() <= self.bytes, "{1} bytes do not fit a buffer of {0} bytes", self.bytes, bytes.len());
        // SAFETY: the buffer is at least as long as the bytes.
        unsafe { result::memcpy_htod_sync(self.address, bytes) }.explain()?;
        result::ctx::synchronize().explain()
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: the address came from `malloc_sync` and is freed once; the driver waits for work that uses it.
        self.context.record_err(unsafe { result::free_sync(self.address) });
    }
}

/// A buffer that nobody owns, and the work that may still use it.
struct Resting {
    buffer: DeviceBuffer,
    after: Option<Arc<Event>>,
}

/// What others lent, and the work that may still read it.
struct Lent {
    surface: Arc<dyn Surface>,
    after: Option<Arc<Event>>,
}

/// Buffers for images. In the steady state none is made: how many there are is bounded by the frames in flight.
///
/// Each stream has its own, which saves asking the driver: what the compute stream wrote it alone has used until the host
/// has it back, so it may write it again at once. What the upload stream wrote rests until the kernels have read it.
pub(super) struct Store {
    context: Arc<CudaContext>,
    uploaded: Mutex<VecDeque<Resting>>,
    computed: Mutex<VecDeque<Resting>>,
    latest: Mutex<Option<Arc<Event>>>,
    allocated_bytes: AtomicUsize,
    lent: Mutex<VecDeque<Lent>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// Buffers are made in steps, so that frames of slightly different padding share them.
    const GRAIN_BYTES: usize = 1 << 16;

    pub(super) fn new(context: Arc<CudaContext>) -> Self {
        let (uploaded, computed, latest, lent) = Default::default();
        Self { context, uploaded, computed, latest, allocated_bytes: AtomicUsize::new(0), lent }
    }

    fn shelf(&self, stream: StreamRole) -> &Mutex<VecDeque<Resting>> {
        if stream == StreamRole::Upload { &self.uploaded } else { &self.computed }
    }

    /// A buffer that `stream` writes, [`StreamRole::Upload`] or [`StreamRole::Compute`]. Never blocks for the GPU.
    pub(super) fn take(&self, bytes: usize, stream: StreamRole) -> Result<DeviceBuffer> {
        let bytes = bytes.next_multiple_of(Self::GRAIN_BYTES);
        let mut resting = lock(self.shelf(stream));
        // The first to be put back is the first to be free.
        if let Some(index) = resting.iter().position(|resting| (bytes..=2 * bytes).contains(&resting.buffer.bytes)) {
            let usable = match &resting[index].after {
                Some(event) => event.stream == stream || event.is_done()?,
                None => true,
            };
            if usable && let Some(found) = resting.remove(index) {
                return Ok(found.buffer);
            }
        }
        drop(resting);
        let buffer = DeviceBuffer::new(&self.context, bytes)?;
        self.allocated_bytes.fetch_add(bytes, Ordering::Relaxed);
        Ok(buffer)
    }

    /// Takes a buffer back that `stream` wrote. It rests until everything launched so far is done.
    pub(super) fn put(&self, buffer: DeviceBuffer, stream: StreamRole) {
        let after = lock(&self.latest).clone();
        lock(self.shelf(stream)).push_back(Resting { buffer, after });
    }

    /// Takes what others lent. It is kept until everything launched so far is done.
    pub(super) fn keep(&self, surface: Arc<dyn Surface>) {
        let after = lock(&self.latest).clone();
        lock(&self.lent).push_back(Lent { surface, after });
    }

    /// Gives back what others lent and nothing reads any more. Does not block.
    pub(super) fn give_back(&self) -> Result<()> {
        loop {
            let mut lent = lock(&self.lent);
            match lent.front() {
                Some(Lent { after: Some(event), .. }) if !event.is_done()? => return Ok(()),
                None => return Ok(()),
                Some(_) => {}
            }
            let oldest = lent.pop_front();
            // Whoever gets it back may do what it likes, so the lock is not held.
            drop(lent);
            drop(oldest.map(|oldest| oldest.surface));
        }
    }

    /// The number of the GPU.
    pub(super) fn ordinal(&self) -> usize {
        self.context.ordinal()
    }

    /// Says that `event` comes after everything launched so far.
    pub(super) fn launched(&self, event: &Arc<Event>) {
        *lock(&self.latest) = Some(event.clone());
    }

    /// All memory made for images so far.
    pub(super) fn allocated_bytes(&self) -> usize {
        self.allocated_bytes.load(Ordering::Relaxed)
    }
}
