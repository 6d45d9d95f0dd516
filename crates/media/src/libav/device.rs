//! Devices whose context and stream are this program's, as FFmpeg knows them, and where pictures lie there.

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_next::ffi;
use ffmpeg_next::ffi::AVPixelFormat;

use super::error::check;
use crate::frame::{Format, Layout, PlaneLayout};

/// FFmpeg's name for a device whose context and stream are somebody else's.
pub(super) struct DeviceReference {
    raw: *mut ffi::AVBufferRef,
}

// SAFETY: FFmpeg's references are counted atomically.
unsafe impl Send for DeviceReference {}

impl Drop for DeviceReference {
    fn drop(&mut self) {
        // SAFETY: the reference is this value's own, and given back once.
        unsafe { ffi::av_buffer_unref(&mut self.raw) };
    }
}

impl DeviceReference {
    /// A device of CUDA: the handles of its context and of a stream there.
    ///
    /// # Errors
    /// If FFmpeg was built without CUDA, or refuses.
    ///
    /// # Safety
    /// Context and stream live as long as the value and all that FFmpeg refers to it with.
    pub unsafe fn new(context: u64, stream: u64) -> Result<Self> {
        // SAFETY: the device is made here and belongs to nobody else until it is ready; its fields are filled in before
        // it is made so. The caller vouches for context and stream.
        unsafe {
            let raw = ffi::av_hwdevice_ctx_alloc(ffi::AVHWDeviceType::AV_HWDEVICE_TYPE_CUDA);
            ensure!(!raw.is_null(), "this FFmpeg was built without CUDA");
            let made = Self { raw };
            let device = (*raw).data.cast::<ffi::AVHWDeviceContext>();
            let cuda = (*device).hwctx.cast::<ffi::AVCUDADeviceContext>();
            (*cuda).cuda_ctx = context as ffi::CUcontext;
            (*cuda).stream = stream as ffi::CUstream;
            check(ffi::av_hwdevice_ctx_init(raw)).context("share the GPU with FFmpeg")?;
            Ok(made)
        }
    }

    /// FFmpeg's reference, which stays this value's.
    pub fn raw(&self) -> *mut ffi::AVBufferRef {
        self.raw
    }
}

/// Where the planes of a picture on a device lie from its first on, of which `stored` says how it is stored; and how
/// long all that is.
///
/// # Errors
/// If frames of the format are not stored so.
pub(super) fn placed(stored: AVPixelFormat, picture: &ffi::AVFrame, format: &Format) -> Result<(Layout, usize)> {
    let pitch = usize::try_from(picture.linesize[0]).context("rows are stored bottom-up")?;
    let offset = |plane: usize| {
        let (base, start) = (picture.data[0] as usize, picture.data[plane] as usize);
        start.checked_sub(base).context("planes are in separate memory")
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
        other => bail!("the GPU stores {} as {other:?}, which is not supported", format.pixel.name()),
    };
    let end = layout.span(format.pixel.sample.bytes()).end;
    Ok((layout, end))
}
