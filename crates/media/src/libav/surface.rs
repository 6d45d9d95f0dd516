//! Pictures on a device as encoders there take them: FFmpeg makes their memory and takes it back, and planes are joined
//! into it.

use std::ffi::c_int;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use ffmpeg_next::ffi;

use super::convert::check_frame;
use super::device::{DeviceReference, placed};
use super::error::{NoMemory, check};
use super::image::StoredImageMut;
use super::picture::Picture;
use super::pixel::Stored;
use crate::frame::{EncodingLane, Family, Format, Frame, Pixel};

/// Memory of a device for the pictures that one encoder reads. There is as much as the encoder holds at a time, and one
/// picture more: what it gives back is used again.
pub struct SurfacePool {
    /// FFmpeg's description of the pictures, from which it makes them.
    pictures: *mut ffi::AVBufferRef,
    _device: DeviceReference,
    stored: Stored,
    format: Arc<Format>,
    /// Dropped after the references above; encoders and pictures that refer to the device too are dropped before this
    /// value.
    lane: Box<dyn EncodingLane>,
}

// SAFETY: FFmpeg's references are counted atomically, and the rest may be sent.
unsafe impl Send for SurfacePool {}

impl Drop for SurfacePool {
    fn drop(&mut self) {
        // SAFETY: the reference is this value's own, and given back once.
        unsafe { ffi::av_buffer_unref(&mut self.pictures) };
    }
}

impl SurfacePool {
    /// How NVENC takes pixels from memory of the GPU, if it takes all that they hold: NV12 and P010 for 4:2:0 of 8 and
    /// 10 bits, three planes for 4:4:4, of 10 bits in words of 16.
    pub fn stored(pixel: Pixel) -> Option<Stored> {
        if pixel.family != Family::Yuv || pixel.alpha {
            return None;
        }
        let name = match ((pixel.log2_chroma_w, pixel.log2_chroma_h), pixel.depth) {
            ((1, 1), 8) => "nv12",
            ((1, 1), 10) => "p010le",
            ((0, 0), 8) => "yuv444p",
            ((0, 0), 10) => "yuv444p16le",
            _ => return None,
        };
        Stored::parse(name).ok()
    }

    /// Pictures for frames of a format, made where a lane of the same format works.
    ///
    /// # Errors
    /// If there is no way to store them, FFmpeg was built without CUDA, or refuses.
    pub fn new(lane: Box<dyn EncodingLane>, format: &Arc<Format>) -> Result<Self> {
        super::log::install();
        let stored = Self::stored(format.pixel)
            .with_context(|| format!("no encoder reads {} from GPU memory", format.pixel.name()))?;
        let (width, height) = (c_int::try_from(format.width)?, c_int::try_from(format.height)?);
        // SAFETY: context and stream live as long as the lane, which is dropped after the device.
        let device = unsafe { DeviceReference::new(lane.context(), lane.stream()) }?;
        // SAFETY: the device is live, and the description refers to it. It is made here and belongs to nobody else
        // until it is ready; its fields are filled in before it is made so.
        let pictures = unsafe {
            let raw = ffi::av_hwframe_ctx_alloc(device.raw());
            ensure!(!raw.is_null(), NoMemory);
            let fields = &mut *(*raw).data.cast::<ffi::AVHWFramesContext>();
            fields.format = ffi::AVPixelFormat::AV_PIX_FMT_CUDA;
            fields.sw_format = stored.raw();
            (fields.width, fields.height) = (width, height);
            raw
        };
        let made = Self { pictures, _device: device, stored, format: format.clone(), lane };
        // SAFETY: the description is live and not ready yet.
        check(unsafe { ffi::av_hwframe_ctx_init(made.pictures) })
            .with_context(|| format!("allocate pictures of {} on the GPU", stored.name()))?;
        Ok(made)
    }

    /// Lets an encoder that is not open yet read pictures of this pool.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn serve(&self, context: &mut ffi::AVCodecContext) -> Result<()> {
        context.pix_fmt = ffi::AVPixelFormat::AV_PIX_FMT_CUDA;
        context.sw_pix_fmt = self.stored.raw();
        // SAFETY: the reference is live; the new one belongs to the encoder.
        context.hw_frames_ctx = unsafe { ffi::av_buffer_ref(self.pictures) };
        ensure!(!context.hw_frames_ctx.is_null(), NoMemory);
        Ok(())
    }

    /// A picture for an encoder that this pool serves, from a frame that lies on the device; its samples are there when
    /// the lane's stream comes to what is queued next. `properties` are what came with the frame. Does not block,
    /// unless FFmpeg has to make memory.
    ///
    /// # Errors
    /// If the frame is of another format or lies elsewhere, or memory runs out.
    pub(super) fn picture(&mut self, frame: &Frame, properties: Option<&Picture>) -> Result<Picture> {
        check_frame(frame, &self.format)?;
        let mut picture = Picture::describe(frame, self.stored, properties)?;
        // SAFETY: the description is live and ready, and the picture has no samples yet.
        check(unsafe { ffi::av_hwframe_get_buffer(self.pictures, picture.fields_mut(), 0) })
            .with_context(|| format!("allocate a picture of {} on the GPU", self.format))?;
        let raw = picture.raw();
        let (layout, end) = placed(self.stored.raw(), raw, &self.format)?;
        // SAFETY: FFmpeg gives a picture all rows of the planes that it names, of that pitch, in this device's memory;
        // it belongs to the picture until that is given back, and then to the pool, of which the next is written in the
        // same stream, in which encoders read too.
        unsafe { self.lane.join(frame, &layout, raw.data[0] as u64, end) }?;
        Ok(picture)
    }

    /// What an encoder would read: the samples of frames, which all are joined first, each as one picture without
    /// padding. Blocks until they are on the host. Of the chroma of an odd height FFmpeg does not bring the last row.
    ///
    /// # Errors
    /// As for an encoder, or if FFmpeg cannot bring them to the host.
    pub fn read_back(&mut self, frames: &[Frame]) -> Result<Vec<Vec<u8>>> {
        let pictures: Vec<_> = frames.iter().map(|frame| self.picture(frame, None)).collect::<Result<_>>()?;
        pictures.iter().map(|picture| self.packed(picture)).collect()
    }

    /// The samples of a picture, without padding.
    fn packed(&self, picture: &Picture) -> Result<Vec<u8>> {
        let mut there = Picture::new();
        // SAFETY: the first picture is blank, and the other one of this device's, which is live.
        check(unsafe { ffi::av_hwframe_transfer_data(there.fields_mut(), picture.raw(), 0) })
            .context("download a picture from the GPU")?;
        let image = there.image().context("the picture from the GPU is empty")?;
        let size = (self.format.width, self.format.height);
        let mut bytes = vec![0; self.stored.packed_bytes(size.0, size.1)];
        StoredImageMut::within(self.stored, size, 1, &mut bytes)?.copy(&image)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Sample;

    #[test]
    fn pixels_that_an_encoder_takes_whole() {
        let yuv = |w, h, depth| Pixel::integer(Family::Yuv, w, h, depth);
        let name = |pixel| SurfacePool::stored(pixel).map(Stored::name);
        assert_eq!(name(yuv(1, 1, 8)), Some("nv12"));
        assert_eq!(name(yuv(1, 1, 10)), Some("p010le"));
        assert_eq!(name(yuv(0, 0, 8)), Some("yuv444p"));
        assert_eq!(name(yuv(0, 0, 10)), Some("yuv444p16le"));
        for pixel in [yuv(1, 1, 12), yuv(1, 1, 16), yuv(0, 0, 12), yuv(1, 0, 8), yuv(1, 0, 10), yuv(2, 2, 8)] {
            assert_eq!(name(pixel), None, "{}", pixel.name());
        }
        let float = Pixel { sample: Sample::F32, depth: 32, ..yuv(0, 0, 8) };
        let others =
            [Pixel { alpha: true, ..yuv(1, 1, 8) }, float, Pixel::gray(8), Pixel::integer(Family::Rgb, 0, 0, 8)];
        for pixel in others {
            assert_eq!(name(pixel), None, "{}", pixel.name());
        }
    }
}
