//! Devices on which encoders read their pictures, as those who encode know them.

use std::sync::Arc;

use anyhow::Result;

use super::{Format, Frame, Layout};

/// A device on which encoders work.
pub trait EncodingDevice: Send + Sync {
    /// What one encoder of frames of a format needs there. Blocks while a kernel is compiled, where the user's cache
    /// has none.
    ///
    /// # Errors
    /// If the kernel cannot be made, or the driver refuses.
    fn lane(&self, format: &Arc<Format>) -> Result<Box<dyn EncodingLane>>;
}

/// Where one encoder works: a context and a stream of the device, and a way to bring frames there to where it reads
/// them.
///
/// # Safety
/// Context and stream are live until the value is dropped, and of one device. [`EncodingLane::join`] writes the picture
/// in that stream alone, and where it fails, nothing is written any more when it returns.
pub unsafe trait EncodingLane: Send {
    /// The driver's handle of the device's primary context: a `CUcontext`.
    fn context(&self) -> u64;

    /// The driver's handle of the stream: a `CUstream`.
    fn stream(&self) -> u64;

    /// Starts to copy a frame that lies on the device into a picture of `bytes` bytes, once its samples are there: each
    /// plane to where `layout` has it, and each sample as far up as that says. Keeps the frame until the device has
    /// read it. Does not block.
    ///
    /// # Errors
    /// If the frame lies elsewhere, the layout does not fit the lane's format or the bytes, or the driver refuses.
    ///
    /// # Safety
    /// From `address` on there are as many bytes of the device's memory, and what is queued in the stream later may use
    /// them, but nothing else before that.
    unsafe fn join(&mut self, frame: &Frame, layout: &Layout, address: u64, bytes: usize) -> Result<()>;
}
