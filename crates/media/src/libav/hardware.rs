//! Decoders that work on a device: FFmpeg is given this program's context and stream there, and its pictures are copied in
//! that stream before they are given back.

use std::ffi::c_int;
use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, ensure};
use ffmpeg_next::ffi;
use ffmpeg_next::ffi::AVPixelFormat;

use super::device::{DeviceReference, placed};
use super::picture::Picture;
use crate::frame::{DecodingLane, Format, Frame, Timing};

/// A device for one decoder.
pub(super) struct Hardware {
    device: DeviceReference,
    /// Dropped after the reference above; every decoder that refers to the device too is dropped before this value.
    lane: Box<dyn DecodingLane>,
}

impl Hardware {
    /// Pictures beside those that the codec refers to: one that is copied, one that is taken meanwhile.
    const EXTRA_PICTURES: c_int = 2;

    /// A device for one decoder.
    ///
    /// # Errors
    /// If FFmpeg was built without CUDA, or refuses.
    pub fn new(lane: Box<dyn DecodingLane>) -> Result<Self> {
        // SAFETY: context and stream live as long as the lane, which is dropped after the device.
        let device = unsafe { DeviceReference::new(lane.context(), lane.stream()) };
        Ok(Self { device: device.map_err(software)?, lane })
    }

    /// Lets a decoder that is not open yet work here, if the device knows its codec.
    pub fn serve(&self, context: &mut ffi::AVCodecContext) -> Result<()> {
        // SAFETY: the reference is live; the new one belongs to the decoder.
        context.hw_device_ctx = unsafe { ffi::av_buffer_ref(self.device.raw()) };
        ensure!(!context.hw_device_ctx.is_null(), "out of memory");
        context.extra_hw_frames = Self::EXTRA_PICTURES;
        Ok(())
    }

    /// A picture that lies on the device, as a frame of its own there.
    ///
    /// # Errors
    /// If it is stored in a way that is not known, or there is no room.
    pub fn keep(&mut self, picture: &Picture, format: &Arc<Format>, timing: Timing) -> Result<Frame> {
        let raw = picture.raw();
        let stored = stored(raw).context("the pixel layout of a picture on the GPU is not supported")?;
        let base = raw.data[0] as u64;
        let (layout, end) = placed(stored, raw, format).map_err(software)?;
        // SAFETY: FFmpeg gives a picture all rows of the planes that it names, of that pitch, in this device's memory; it
        // belongs to the picture until that is given back, and then to the decoder, which writes it in the same stream.
        unsafe { self.lane.keep(format, &layout, base, end, timing) }
    }
}

/// How a picture on a device is stored there.
fn stored(picture: &ffi::AVFrame) -> Option<AVPixelFormat> {
    // SAFETY: a picture on a device has a reference to what describes its memory, live as long as itself.
    unsafe {
        let frames = picture.hw_frames_ctx.as_ref()?.data.cast::<ffi::AVHWFramesContext>().as_ref()?;
        Some(frames.sw_format)
    }
}

/// An error of the device's, with what to type.
fn software(error: Error) -> Error {
    anyhow!("{error:#}; type --decoder software")
}
