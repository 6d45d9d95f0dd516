//! Decoders that work on a device: FFmpeg is given this program's context and stream there, and its pictures are copied in
//! that stream before they are given back.

use std::ffi::c_int;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_next::ffi;
use ffmpeg_next::ffi::AVPixelFormat;

use super::error::check;
use super::picture::Picture;
use crate::frame::{DecodingLane, Format, Frame, Layout, PlaneLayout, Timing};

/// FFmpeg's name for a device whose context and stream are somebody else's.
pub(super) struct Hardware {
    raw: *mut ffi::AVBufferRef,
    /// Dropped after the reference above; every decoder that refers to the device too is dropped before this value.
    lane: Box<dyn DecodingLane>,
}

// SAFETY: FFmpeg's references are counted atomically, and the lane may be sent.
unsafe impl Send for Hardware {}

impl Drop for Hardware {
    fn drop(&mut self) {
        // SAFETY: the reference is this value's own, and given back once.
        unsafe { ffi::av_buffer_unref(&mut self.raw) };
    }
}

impl Hardware {
    /// Pictures beside those that the codec refers to: one that is copied, one that is taken meanwhile.
    const EXTRA_PICTURES: c_int = 2;

    /// A device for one decoder.
    ///
    /// # Errors
    /// If FFmpeg was built without CUDA, or refuses.
    pub fn new(lane: Box<dyn DecodingLane>) -> Result<Self> {
        // SAFETY: the device is made here and belongs to nobody else until it is ready; its fields are filled in before it is
        // made so. Context and stream live as long as the lane, which is dropped after the device.
        unsafe {
            let raw = ffi::av_hwdevice_ctx_alloc(ffi::AVHWDeviceType::AV_HWDEVICE_TYPE_CUDA);
            ensure!(!raw.is_null(), "this FFmpeg was built without CUDA; type --decoder software");
            let made = Self { raw, lane };
            let device = (*raw).data.cast::<ffi::AVHWDeviceContext>();
            let cuda = (*device).hwctx.cast::<ffi::AVCUDADeviceContext>();
            (*cuda).cuda_ctx = made.lane.context() as ffi::CUcontext;
            (*cuda).stream = made.lane.stream() as ffi::CUstream;
            check(ffi::av_hwdevice_ctx_init(raw)).context("give FFmpeg the GPU")?;
            Ok(made)
        }
    }

    /// Lets a decoder that is not open yet work here, if the device knows its codec.
    pub fn serve(&self, context: &mut ffi::AVCodecContext) -> Result<()> {
        // SAFETY: the reference is live; the new one belongs to the decoder.
        context.hw_device_ctx = unsafe { ffi::av_buffer_ref(self.raw) };
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
        let stored = stored(raw).context("a picture on the GPU is stored in a way that is not known")?;
        let base = raw.data[0] as u64;
        let (layout, end) = placed(stored, raw, format)?;
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

/// Where the planes of a picture lie from its first on, and how long all that is.
fn placed(stored: AVPixelFormat, picture: &ffi::AVFrame, format: &Format) -> Result<(Layout, usize)> {
    let pitch = usize::try_from(picture.linesize[0]).context("rows go upwards")?;
    let offset = |plane: usize| {
        let (base, start) = (picture.data[0] as usize, picture.data[plane] as usize);
        start.checked_sub(base).context("planes lie apart")
    };
    let chroma = (format.pixel.log2_chroma_w, format.pixel.log2_chroma_h);
    let layout = match stored {
        AVPixelFormat::AV_PIX_FMT_NV12 | AVPixelFormat::AV_PIX_FMT_P010LE | AVPixelFormat::AV_PIX_FMT_P016LE
            if chroma == (1, 1) =>
        {
            ensure!(picture.linesize[1] == picture.linesize[0], "planes with rows of several lengths");
            Layout::semi_planar(format, pitch, offset(1)?)?
        }
        AVPixelFormat::AV_PIX_FMT_YUV444P | AVPixelFormat::AV_PIX_FMT_YUV444P16LE if chroma == (0, 0) => {
            let sample = format.pixel.sample.bytes();
            let plane = |index: usize| -> Result<_> {
                ensure!(picture.linesize[index] == picture.linesize[0], "planes with rows of several lengths");
                Ok(PlaneLayout::new(offset(index)?, pitch / sample, format.plane_size(index)))
            };
            let planes = (0..format.pixel.planes()).map(plane).collect::<Result<_>>()?;
            let shift = if sample == 2 { 16 - format.pixel.depth } else { 0 };
            Layout { shift, ..Layout::new(planes) }
        }
        other => {
            bail!("the GPU stores {} as {other:?}, which is not known; type --decoder software", format.pixel.name())
        }
    };
    let end = layout.span(format.pixel.sample.bytes()).end;
    Ok((layout, end))
}
