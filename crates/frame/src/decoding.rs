//! Devices on which decoders leave their pictures, as those who decode know them.

use std::sync::Arc;

use anyhow::Result;

use super::{Format, Frame, Layout, Timing};

/// A device on which decoders work.
pub trait DecodingDevice: Send + Sync {
    /// What one decoder needs there.
    ///
    /// # Errors
    /// If the driver refuses.
    fn lane(&self) -> Result<Box<dyn DecodingLane>>;

    /// How many bytes of the device frames may take that wait for others.
    fn room_bytes(&self) -> usize;
}

/// Where one decoder works: a context and a stream of the device, and a way to keep what it leaves there for a moment.
///
/// # Safety
/// Context and stream are live until the value is dropped, and of one device. [`DecodingLane::keep`] reads the picture in
/// that stream alone.
pub unsafe trait DecodingLane: Send {
    /// The driver's handle of the device's primary context: a `CUcontext`.
    fn context(&self) -> u64;

    /// The driver's handle of the stream: a `CUstream`.
    fn stream(&self) -> u64;

    /// Starts to copy a picture of `bytes` bytes into memory of its own, each plane by itself and each sample as its value.
    /// Does not block.
    ///
    /// # Errors
    /// If the layout does not fit the format or the bytes, or there is no room.
    ///
    /// # Safety
    /// From `address` on there are as many bytes of the device's memory, and what is queued in the stream later may write them,
    /// but nothing else before that.
    unsafe fn keep(
        &mut self,
        format: &Arc<Format>,
        layout: &Layout,
        address: u64,
        bytes: usize,
        timing: Timing,
    ) -> Result<Frame>;
}
