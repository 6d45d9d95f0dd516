//! Pictures turned from stored pixels into planar frames and back.

use std::ffi::c_int;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_sys_next as ffi;

use super::error::{NoMemory, check};
use super::picture::Picture;
use super::pixel::{How, Stored};
use super::repack::Component;
use super::version;
use crate::frame::{Colour, Family, Format, Frame, FrameMut, Layout, Pixel, Pool, Range};

/// Turns pictures of one stored pixel format and size into planar frames, or frames into such pictures. Where
/// [`Stored::is_lossless`] holds, it moves bits and computes nothing.
pub struct Converter {
    stored: Stored,
    format: Arc<Format>,
    work: Work,
    scratch: Vec<u8>,
}

enum Work {
    Copy,
    Repack(Vec<Component>),
    Scale(Scaler),
    /// Colours of a palette or of few bits: libswscale looks them up exactly where it makes packed bytes of them,
    /// which another converter turns into planes. To planes it would go by way of YUV.
    LookUp {
        scaler: Scaler,
        packed: Vec<u8>,
        planar: Box<Converter>,
    },
}

/// Pointers to the first byte of each plane, and from one row to the next in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Image {
    pub(super) data: [*mut u8; 4],
    pub(super) linesize: [c_int; 4],
}

/// Which way a converter works.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    ToPlanar,
    FromPlanar,
}

impl Converter {
    /// A converter from stored pictures to frames of `format`, whose pixel must be [`Stored::pixel`].
    ///
    /// # Errors
    /// If it is another pixel, or FFmpeg cannot read such pictures.
    pub fn to_planar(stored: Stored, format: &Arc<Format>) -> Result<Self> {
        ensure!(stored.pixel() == format.pixel, "{} does not become {}", stored.name(), format.pixel.name());
        Self::new(stored, format, Way::ToPlanar)
    }

    /// A converter from frames of `format` to stored pictures of the same size. Where [`Stored::pixel`] is not the
    /// format's pixel, depth, subsampling and colour family are converted by libswscale with the format's matrix and
    /// range.
    ///
    /// # Errors
    /// If FFmpeg cannot write such pictures.
    pub fn from_planar(stored: Stored, format: &Arc<Format>) -> Result<Self> {
        Self::new(stored, format, Way::FromPlanar)
    }

    fn new(stored: Stored, format: &Arc<Format>, way: Way) -> Result<Self> {
        let work = match stored.how() {
            How::Native if stored.pixel() == format.pixel => Work::Copy,
            How::Repack if stored.pixel() == format.pixel => Work::Repack(stored.components()),
            How::Scale if way == Way::ToPlanar && (format.pixel.family, format.pixel.depth) == (Family::Rgb, 8) => {
                let middle = Stored::parse(if format.pixel.alpha { "rgba" } else { "rgb24" })?;
                let scaler = Scaler::between(stored, middle, format)?;
                Work::LookUp { scaler, packed: Vec::new(), planar: Box::new(Self::to_planar(middle, format)?) }
            }
            _ => Work::Scale(Scaler::new(stored, format, way)?),
        };
        Ok(Self { stored, format: format.clone(), work, scratch: Vec::new() })
    }

    /// A frame from the bytes of one picture without padding, of which there must be at least
    /// [`Stored::packed_bytes`].
    ///
    /// # Errors
    /// If there are fewer bytes or memory runs out.
    pub fn unpack(&mut self, bytes: &[u8], pool: &Pool) -> Result<FrameMut> {
        let needed = self.stored.packed_bytes(self.format.width, self.format.height);
        ensure!(needed > 0 && bytes.len() >= needed, "a picture of {} bytes has {needed}", bytes.len());
        let image = self.image(bytes.as_ptr().cast_mut(), 1)?;
        let Some((mut scratch, padded)) = self.scratch()? else {
            // SAFETY: the image lies within `bytes`, which outlives the call and is only read.
            return unsafe { self.unpack_image(&image, pool) };
        };
        // SAFETY: both images have this format and size; the first lies within `bytes`, the second within `scratch`.
        let frame = unsafe {
            self.copy(&image, &padded);
            self.unpack_image(&padded, pool)
        };
        scratch.clear();
        self.scratch = scratch;
        frame
    }

    /// Writes a frame as one picture without padding into `out`, which must have at least [`Stored::packed_bytes`].
    ///
    /// # Errors
    /// If there is less room or libswscale fails.
    pub fn pack(&mut self, frame: &Frame, out: &mut [u8]) -> Result<()> {
        let needed = self.stored.packed_bytes(self.format.width, self.format.height);
        ensure!(needed > 0 && out.len() >= needed, "no room for a picture of {needed} bytes in {}", out.len());
        out[..needed].fill(0);
        let image = self.image(out.as_mut_ptr(), 1)?;
        let Some((mut scratch, padded)) = self.scratch()? else {
            // SAFETY: the image lies within `out`, which is writable, outlives the call and was filled with zeros.
            return unsafe { self.pack_image(frame, &image) };
        };
        // SAFETY: both images have this format and size; the first lies within `out`, the second within `scratch`.
        unsafe {
            self.pack_image(frame, &padded)?;
            self.copy(&padded, &image);
        }
        scratch.clear();
        self.scratch = scratch;
        Ok(())
    }

    /// A picture for an encoder, with rows aligned, in memory from `pool`.
    pub(super) fn picture(&mut self, frame: &Frame, pool: &Pool, properties: Option<&Picture>) -> Result<Picture> {
        let (width, height) = (self.format.width as c_int, self.format.height as c_int);
        let align = Layout::ALIGN_BYTES as c_int;
        // SAFETY: the function only computes.
        let bytes = check(unsafe { ffi::av_image_get_buffer_size(self.stored.raw(), width, height, align) })?;
        let mut block = pool.block(bytes as usize + Layout::ALIGN_BYTES)?;
        block.bytes_mut().fill(0);
        let image = self.image(block.bytes_mut().as_mut_ptr(), align)?;
        // SAFETY: the image lies within the block, which nobody else has and which was filled with zeros.
        unsafe { self.pack_image(frame, &image) }?;
        Picture::over(Arc::new(block), image, frame, self.stored, properties)
    }

    /// Room for a padded picture, because libswscale may touch memory up to a vector behind the end of a row.
    fn scratch(&mut self) -> Result<Option<(Vec<u8>, Image)>> {
        if !matches!(self.work, Work::Scale(_) | Work::LookUp { .. }) {
            return Ok(None);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let image = self.padded(&mut scratch)?;
        Ok(Some((scratch, image)))
    }

    /// A picture of the stored format in `bytes`, which grow to hold it with padding.
    fn padded(&self, bytes: &mut Vec<u8>) -> Result<Image> {
        let (width, height) = (self.format.width as c_int, self.format.height as c_int);
        let align = Layout::ALIGN_BYTES;
        // SAFETY: the function only computes.
        let needed = unsafe { ffi::av_image_get_buffer_size(self.stored.raw(), width, height, align as c_int) };
        bytes.resize(check(needed)? as usize + 2 * align, 0);
        let start = bytes.as_ptr().align_offset(align).min(align);
        self.image(bytes[start..].as_mut_ptr(), align as c_int)
    }

    /// # Safety
    /// Both must be pictures of the stored format and size, the second one writable.
    unsafe fn copy(&self, src: &Image, dst: &Image) {
        let (width, height) = (self.format.width as c_int, self.format.height as c_int);
        let (mut data, mut linesize) = (dst.data, dst.linesize);
        let source = src.data.map(<*mut u8>::cast_const);
        // SAFETY: the caller vouches for both pictures; the arrays have four entries each.
        unsafe {
            let (data, linesize) = (data.as_mut_ptr(), linesize.as_mut_ptr());
            let source = source.as_ptr().cast_mut();
            ffi::av_image_copy(data, linesize, source, src.linesize.as_ptr(), self.stored.raw(), width, height);
        }
    }

    /// A picture of the stored format at `bytes`, its rows aligned to `align` bytes.
    fn image(&self, bytes: *mut u8, align: c_int) -> Result<Image> {
        let mut image = Image { data: [std::ptr::null_mut(); 4], linesize: [0; 4] };
        let (width, height) = (self.format.width as c_int, self.format.height as c_int);
        let (data, linesize) = (image.data.as_mut_ptr(), image.linesize.as_mut_ptr());
        // SAFETY: both arrays have the four entries that the function fills; it computes addresses within
        // `packed_bytes` of `bytes` and does not follow them.
        check(unsafe { ffi::av_image_fill_arrays(data, linesize, bytes, self.stored.raw(), width, height, align) })?;
        Ok(image)
    }

    /// # Safety
    /// Every row of every plane of a picture of this converter's stored format and size must be readable.
    pub(super) unsafe fn unpack_image(&mut self, image: &Image, pool: &Pool) -> Result<FrameMut> {
        let mut frame = pool.frame(&self.format).context(NoMemory)?;
        // SAFETY: the caller vouches for the image.
        unsafe { self.fill(&mut frame, image) }?;
        Ok(frame)
    }

    /// # Safety
    /// As [`Converter::unpack_image`]; the frame must be of this converter's format.
    unsafe fn fill(&mut self, frame: &mut FrameMut, image: &Image) -> Result<()> {
        match &mut self.work {
            // SAFETY: the caller vouches for the source; the target is a frame of the same format and size.
            Work::Copy => unsafe { self.copy(image, &image_of(frame)) },
            Work::Repack(components) => {
                let sample = self.format.pixel.sample.bytes();
                let layout = frame.layout().clone();
                let bytes = frame.bytes_mut();
                for component in components {
                    let plane = &layout.planes[component.plane];
                    let length = component.row_bytes(plane.width);
                    for y in 0..plane.height {
                        // SAFETY: the caller vouches for this row, and a row has the bytes its samples reach into.
                        let row = unsafe { std::slice::from_raw_parts(image.row(component.stored_plane, y), length) };
                        let start = plane.offset_bytes + y * plane.stride * sample;
                        component.unpack(row, &mut bytes[start..start + plane.width * sample]);
                    }
                }
            }
            // SAFETY: the caller vouches for the source; the target is a frame of the scaler's format and size.
            Work::Scale(scaler) => unsafe { scaler.run(image, &image_of(frame)) }?,
            Work::LookUp { scaler, packed, planar } => {
                let middle = planar.padded(packed)?;
                // SAFETY: the caller vouches for the source and the frame; what lies between is within `packed`, of the
                // size of both and of the format that the scaler writes and the planar converter reads.
                unsafe {
                    scaler.run(image, &middle)?;
                    planar.fill(frame, &middle)?;
                }
            }
        }
        Ok(())
    }

    /// # Safety
    /// Every row of every plane of a picture of this converter's stored format and size must be writable, belong to
    /// nobody else, and hold zeros.
    pub(super) unsafe fn pack_image(&mut self, frame: &Frame, image: &Image) -> Result<()> {
        check_frame(frame, &self.format)?;
        let host = frame.host()?;
        match &mut self.work {
            Work::Copy => {
                for plane in 0..frame.plane_count() {
                    for (y, row) in host.rows(plane).enumerate() {
                        // SAFETY: the caller vouches for this row of the same format, so of the same length.
                        unsafe { std::ptr::copy_nonoverlapping(row.as_ptr(), image.row(plane, y), row.len()) };
                    }
                }
            }
            Work::Repack(components) => {
                for component in components {
                    for (y, row) in host.rows(component.plane).enumerate() {
                        let length = component.row_bytes(row.len() / self.format.pixel.sample.bytes());
                        let stored = image.row(component.stored_plane, y);
                        // SAFETY: the caller vouches for this row, and a row has the bytes its samples reach into.
                        component.pack(row, unsafe { std::slice::from_raw_parts_mut(stored, length) });
                    }
                }
            }
            Work::LookUp { .. } => bail!("a palette is only read"),
            // SAFETY: the source is a frame of the scaler's format and size, which it only reads; the caller vouches
            // for the target.
            Work::Scale(scaler) => unsafe { scaler.run(&image_to_read(frame)?, image) }?,
        }
        Ok(())
    }
}

/// Fails unless a frame has the pixel and size of `format`.
pub(super) fn check_frame(frame: &Frame, format: &Format) -> Result<()> {
    let kind = |format: &Format| (format.pixel, format.width, format.height);
    ensure!(kind(frame.format()) == kind(format), "a frame of {} among frames of {format}", frame.format());
    Ok(())
}

impl Image {
    fn row(&self, plane: usize, y: usize) -> *mut u8 {
        self.data[plane].wrapping_offset(y as isize * self.linesize[plane] as isize)
    }
}

/// What the colours of `format` mean once they are stored as `stored`: the same, unless RGB becomes YUV or the other way
/// round. Then sizes of high definition get the matrix of BT.709 and smaller ones that of BT.601, in limited range.
pub(crate) fn coded_colour(stored: Stored, format: &Format) -> Colour {
    match (format.pixel.family, stored.pixel().family) {
        (Family::Rgb, Family::Yuv) => {
            let matrix = if format.height >= 720 { 1 } else { 6 };
            Colour { range: Range::Limited, matrix, ..format.colour }
        }
        (Family::Yuv, Family::Rgb) => Colour { range: Range::Full, matrix: 0, siting: 0, ..format.colour },
        _ => format.colour,
    }
}

/// Where the planes of a frame lie that is being written.
fn image_of(frame: &mut FrameMut) -> Image {
    let sample = frame.format().pixel.sample.bytes();
    let layout = frame.layout().clone();
    let base = frame.bytes_mut().as_mut_ptr();
    image_at(base, &layout, sample)
}

/// Where the planes of a frame lie that is complete; they must only be read.
///
/// # Errors
/// If it is not on the host.
pub(super) fn image_to_read(frame: &Frame) -> Result<Image> {
    let base = frame.host()?.bytes().as_ptr().cast_mut();
    Ok(image_at(base, frame.layout(), frame.format().pixel.sample.bytes()))
}

fn image_at(base: *mut u8, layout: &Layout, sample: usize) -> Image {
    let mut image = Image { data: [std::ptr::null_mut(); 4], linesize: [0; 4] };
    for (index, plane) in layout.planes.iter().enumerate() {
        image.data[index] = base.wrapping_add(plane.offset_bytes);
        image.linesize[index] = (plane.stride * sample) as c_int;
    }
    image
}

/// libswscale between two pixel formats of one size.
struct Scaler {
    context: *mut ffi::SwsContext,
    height: c_int,
}

// SAFETY: the context has no tie to the thread that made it, and only one thread at a time can have the `&mut`.
unsafe impl Send for Scaler {}

impl Scaler {
    /// From pictures of one pixel format and this size to another, without a word on their colours.
    fn between(src: Stored, dst: Stored, format: &Format) -> Result<Self> {
        let (width, height) = (format.width as c_int, format.height as c_int);
        let null = std::ptr::null_mut();
        // SAFETY: the function only computes, and takes null for filters and parameters.
        let context = unsafe {
            let flags = version::EXACT_SCALING;
            ffi::sws_getContext(width, height, src.raw(), width, height, dst.raw(), flags, null, null, std::ptr::null())
        };
        ensure!(!context.is_null(), "libswscale cannot turn {} into {}", src.name(), dst.name());
        Ok(Self { context, height })
    }

    fn new(stored: Stored, format: &Format, way: Way) -> Result<Self> {
        // Grey with opacity is never planar in FFmpeg; where it must be computed with, the grey is what counts.
        let opaque = Pixel { alpha: false, ..format.pixel };
        let planar = Stored::planar(format.pixel)
            .or_else(|| Stored::planar(opaque))
            .with_context(|| format!("FFmpeg has no pixel format for {}", format.pixel.name()))?;
        let (src, dst) = if way == Way::ToPlanar { (stored, planar) } else { (planar, stored) };
        let scaler = Self::between(src, dst, format)?;
        let context = scaler.context;
        let coded = if way == Way::ToPlanar { format.colour } else { coded_colour(stored, format) };
        let full = |colour: Colour| c_int::from(colour.range == Range::Full);
        let yuv = if format.pixel.family == Family::Rgb { coded } else { format.colour };
        let matrix = match yuv.matrix {
            1 => ffi::SWS_CS_ITU709,
            7 => ffi::SWS_CS_SMPTE240M,
            9 | 10 => ffi::SWS_CS_BT2020,
            _ => ffi::SWS_CS_ITU601,
        };
        // SAFETY: the context was just made; the table of coefficients lives as long as the program.
        unsafe {
            let table = ffi::sws_getCoefficients(matrix);
            // Not supported between formats of one colour family, where it is not needed either.
            ffi::sws_setColorspaceDetails(context, table, full(format.colour), table, full(coded), 0, 1 << 16, 1 << 16);
        }
        Ok(scaler)
    }

    /// # Safety
    /// The source must be readable and the target writable, as pictures of the scaler's formats and size.
    unsafe fn run(&mut self, src: &Image, dst: &Image) -> Result<()> {
        let source = src.data.map(<*mut u8>::cast_const);
        // SAFETY: the caller vouches for both pictures, and the context is alive while `self` is.
        let rows = unsafe {
            let (src_linesize, dst_linesize) = (src.linesize.as_ptr(), dst.linesize.as_ptr());
            ffi::sws_scale(self.context, source.as_ptr(), src_linesize, 0, self.height, dst.data.as_ptr(), dst_linesize)
        };
        check(rows).context("convert pixels with libswscale")?;
        Ok(())
    }
}

impl Drop for Scaler {
    fn drop(&mut self) {
        // SAFETY: the context was made by libswscale and is freed once.
        unsafe { ffi::sws_freeContext(self.context) };
    }
}
