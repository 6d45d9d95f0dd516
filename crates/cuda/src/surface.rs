//! Memory on a GPU that a program fills itself, for frames that are born there.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::device::Device;
use super::memory::DeviceBuffer;
use crate::frame::{Ready, Surface};

/// A piece of a GPU's memory, filled once.
pub struct DeviceBlock {
    buffer: DeviceBuffer,
    ordinal: usize,
}

impl Device {
    /// A copy of `bytes` on this GPU, as memory of frames. Blocks until it is there.
    ///
    /// # Errors
    /// If the GPU has no room.
    pub fn block(&self, bytes: &[u8]) -> Result<Arc<DeviceBlock>> {
        let buffer = DeviceBuffer::holding(&self.context, bytes);
        let buffer = buffer.with_context(|| format!("copy {} bytes to GPU {}", bytes.len(), self.ordinal))?;
        Ok(Arc::new(DeviceBlock { buffer, ordinal: self.ordinal }))
    }
}

// SAFETY: the buffer is filled before the block is made, written by nobody afterwards, and freed with it, for which the
// driver waits for work that uses it.
unsafe impl Surface for DeviceBlock {
    fn device(&self) -> usize {
        self.ordinal
    }

    fn address(&self) -> u64 {
        self.buffer.address
    }

    fn bytes(&self) -> usize {
        self.buffer.bytes
    }

    fn ready(&self) -> Ready {
        Ready::Now
    }
}
