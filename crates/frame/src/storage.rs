//! Where the samples of a frame lie: in memory of the host, or in memory of a device.

use std::fmt;
use std::sync::Arc;

use super::Block;

/// Memory that holds all planes of a frame; clones share it.
#[derive(Clone)]
pub enum Storage {
    /// What the processor reads.
    Host(Arc<Block>),
    /// What a device reads, and the processor does not.
    Device(Arc<dyn Surface>),
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(block) => f.debug_tuple("Host").field(block).finish(),
            Self::Device(surface) => {
                let mut memory = f.debug_struct("Device");
                memory.field("device", &surface.device()).field("bytes", &surface.bytes()).finish_non_exhaustive()
            }
        }
    }
}

/// A piece of a device's memory. Dropping the last clone gives it back to whoever owns it; stages that read it keep a
/// clone until the device has done so.
///
/// # Safety
/// From `address` on there are `bytes` bytes of the device's memory, which stay there and are written by nobody, on
/// the host or on the device, from the moment that [`Surface::ready`] names until the value is dropped. What `ready` names
/// stays valid as long.
pub unsafe trait Surface: Send + Sync {
    /// The number of the device, as its driver counts them.
    fn device(&self) -> usize;

    /// Where it starts, in the unified address space of the driver's primary context of the device.
    fn address(&self) -> u64;

    /// How long it is.
    fn bytes(&self) -> usize;

    /// From when on the samples are there.
    fn ready(&self) -> Ready;

    /// The stage that uses the memory again when the value is dropped, as a number that no other living stage has; `None`
    /// where somebody else does.
    fn stage(&self) -> Option<usize> {
        None
    }
}

/// A moment on a device, in terms of its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// Now.
    Now,
    /// When this event is reached: a `CUevent`.
    Event(u64),
    /// When all work that is queued in this stream by now is done: a `CUstream`; 1 and 2 are CUDA's default streams.
    Stream(u64),
}
