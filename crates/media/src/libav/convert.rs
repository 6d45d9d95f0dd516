//! Pictures turned from stored pixels into planar frames and back.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::error::NoMemory;
use super::image::{StoredImage, StoredImageMut, roomy};
use super::palette::Painter;
use super::picture::Picture;
use super::pixel::{How, Stored};
use super::recode::{self, Recode};
use super::repack::Component;
use super::scaler::Scaler;
use crate::frame::{Colour, Family, Format, Frame, FrameMut, Layout, Pixel, Pool, Range};

/// Turns pictures of one stored pixel format and size into planar frames, or frames into such pictures. Where
/// [`Stored::is_lossless`] holds, it moves bits and computes nothing.
pub struct Converter {
    stored: Stored,
    format: Arc<Format>,
    work: Conversion,
    scratch: Vec<u8>,
}

enum Conversion {
    Copy,
    Repack(Vec<Component>),
    Scale(Scaler),
    /// Other code values, and what another converter makes of them.
    Recode {
        recode: Recode,
        next: Box<Converter>,
    },
    /// Colours of a palette or of few bits: libswscale looks them up exactly where it makes packed bytes of them,
    /// which another converter turns into planes. To planes it would go by way of YUV.
    LookUp {
        scaler: Scaler,
        packed: Vec<u8>,
        planar: Box<Converter>,
    },
    /// Colours of a palette that is chosen for the pictures, from packed bytes that another converter makes.
    Paint {
        packing: Box<Converter>,
        packed: Vec<u8>,
        painter: Painter,
    },
}

/// Which way a converter works.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    ToPlanar,
    FromPlanar,
}

impl Converter {
    /// A converter from stored pictures to frames of `format`, whose pixel must be [`Stored::pixel`].
    ///
    /// # Errors
    /// If it is another pixel, or FFmpeg cannot read such pictures.
    pub fn to_planar(stored: Stored, format: &Arc<Format>) -> Result<Self> {
        ensure!(stored.pixel() == format.pixel, "{} cannot be converted to {}", stored.name(), format.pixel.name());
        Self::new(stored, format, format.colour, Direction::ToPlanar)
    }

    /// A converter from frames of `format` to stored pictures of the same size. Where [`Stored::pixel`] is not the
    /// format's pixel, depth, subsampling and colour family are converted with the format's matrix and range; what is
    /// not full range by its name keeps the range, but grey and RGB become limited YUV.
    ///
    /// # Errors
    /// If FFmpeg cannot write such pictures.
    pub fn from_planar(stored: Stored, format: &Arc<Format>) -> Result<Self> {
        Self::coded_as(stored, format, coded_colour(stored, format))
    }

    /// The same for pictures whose colours are to mean `colour`: samples are converted where its matrix or range is
    /// another than theirs.
    ///
    /// # Errors
    /// As [`Converter::from_planar`].
    pub fn coded_as(stored: Stored, format: &Arc<Format>, colour: Colour) -> Result<Self> {
        if let Some(whole) = recode::whole(format.pixel) {
            let recode = Recode::new(format, whole, format.colour);
            let next = Box::new(Self::coded_as(stored, recode.format(), colour)?);
            let work = Conversion::Recode { recode, next };
            return Ok(Self { stored, format: format.clone(), work, scratch: Vec::new() });
        }
        if !recode::is_needed(stored, format, colour) {
            return Self::new(stored, format, colour, Direction::FromPlanar);
        }
        let recode = match stored.pixel().family {
            // Grey of full range, of which each colour is a copy.
            Family::Rgb => Recode::new(format, format.pixel, Colour { range: Range::Full, ..format.colour }),
            _ => Recode::new(format, stored.pixel(), colour),
        };
        let next = Box::new(Self::new(stored, recode.format(), colour, Direction::FromPlanar)?);
        let work = Conversion::Recode { recode, next };
        Ok(Self { stored, format: format.clone(), work, scratch: Vec::new() })
    }

    /// Whether frames of `format` cannot be read as they are by who takes `stored` with the meaning `colour`.
    pub(crate) fn is_needed(stored: Stored, format: &Format, colour: Colour) -> bool {
        !stored.is_planar_native() || stored.pixel() != format.pixel || recode::is_needed(stored, format, colour)
    }

    fn new(stored: Stored, format: &Arc<Format>, colour: Colour, direction: Direction) -> Result<Self> {
        let work = match stored.how() {
            How::Native if stored.pixel() == format.pixel => Conversion::Copy,
            How::Repack if stored.pixel() == format.pixel => Conversion::Repack(stored.components()),
            How::Scale
                if direction == Direction::ToPlanar
                    && (format.pixel.family, format.pixel.depth) == (Family::Rgb, 8) =>
            {
                let middle = Stored::parse(if format.pixel.alpha { "rgba" } else { "rgb24" })?;
                let scaler = Scaler::between(stored, middle, format)?;
                Conversion::LookUp { scaler, packed: Vec::new(), planar: Box::new(Self::to_planar(middle, format)?) }
            }
            How::Scale if direction == Direction::FromPlanar && stored.is_palette() => {
                let packing = Box::new(Self::from_planar(Stored::parse("rgba")?, format)?);
                Conversion::Paint { packing, packed: Vec::new(), painter: Painter::default() }
            }
            _ => Conversion::Scale(scaler(stored, format, colour, direction)?),
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
        ensure!(needed > 0 && bytes.len() >= needed, "the picture has {} bytes; {needed} are needed", bytes.len());
        self.unpack_close(&StoredImage::within(self.stored, self.size(), 1, bytes)?, pool)
    }

    /// [`Converter::unpack_image`] of a picture behind whose rows there may be no memory, which libswscale might touch: copied with
    /// padding where it is used.
    ///
    /// # Errors
    /// As [`Converter::unpack_image`].
    pub(super) fn unpack_close(&mut self, image: &StoredImage<'_>, pool: &Pool) -> Result<FrameMut> {
        if !self.is_scaling() {
            return self.unpack_image(image, pool);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut padded = self.padded(&mut scratch)?;
        padded.copy(image)?;
        let frame = self.unpack_image(&padded.as_image(), pool);
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
        ensure!(needed > 0 && out.len() >= needed, "a picture of {needed} bytes does not fit into {}", out.len());
        out[..needed].fill(0);
        let mut image = StoredImageMut::within(self.stored, self.size(), 1, out)?;
        if !self.is_scaling() {
            return self.pack_image(frame, &mut image);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut padded = self.padded(&mut scratch)?;
        self.pack_image(frame, &mut padded)?;
        image.copy(&padded.as_image())?;
        scratch.clear();
        self.scratch = scratch;
        Ok(())
    }

    /// A picture for an encoder, with rows aligned, in memory from `pool`.
    pub(super) fn picture(&mut self, frame: &Frame, pool: &Pool, properties: Option<&Picture>) -> Result<Picture> {
        let bytes = self.stored.bytes(self.format.width, self.format.height, Layout::ALIGN_BYTES);
        let mut block = pool.block(bytes + Layout::ALIGN_BYTES)?;
        block.bytes_mut().fill(0);
        let mut image = StoredImageMut::within(self.stored, self.size(), Layout::ALIGN_BYTES, block.bytes_mut())?;
        self.pack_image(frame, &mut image)?;
        Picture::over(Arc::new(block), frame, self.stored, properties)
    }

    fn size(&self) -> (usize, usize) {
        (self.format.width, self.format.height)
    }

    /// Whether pictures need padding, because libswscale may touch memory up to a vector behind the end of a row.
    fn is_scaling(&self) -> bool {
        match &self.work {
            Conversion::Copy | Conversion::Repack(_) => false,
            Conversion::Scale(_) | Conversion::LookUp { .. } | Conversion::Paint { .. } => true,
            Conversion::Recode { next, .. } => next.is_scaling(),
        }
    }

    /// A picture of the stored format in `bytes`, which grow to hold it with padding.
    fn padded<'a>(&self, bytes: &'a mut Vec<u8>) -> Result<StoredImageMut<'a>> {
        let align = Layout::ALIGN_BYTES;
        bytes.resize(self.stored.bytes(self.format.width, self.format.height, align) + 2 * align, 0);
        let start = bytes.as_ptr().align_offset(align).min(align);
        StoredImageMut::within(self.stored, self.size(), align, &mut bytes[start..])
    }

    /// A frame of a picture of this converter's stored format and size.
    ///
    /// # Errors
    /// If it is another picture, memory runs out or libswscale fails.
    pub(super) fn unpack_image(&mut self, image: &StoredImage<'_>, pool: &Pool) -> Result<FrameMut> {
        let mut frame = pool.frame(&self.format).context(NoMemory)?;
        self.fill(&mut frame, image)?;
        Ok(frame)
    }

    /// Fills a frame of this converter's format.
    fn fill(&mut self, frame: &mut FrameMut, image: &StoredImage<'_>) -> Result<()> {
        match &mut self.work {
            Conversion::Copy => StoredImageMut::of_frame(frame, self.stored)?.copy(image)?,
            Conversion::Repack(components) => {
                let sample = self.format.pixel.sample.bytes();
                let layout = frame.layout().clone();
                let bytes = frame.bytes_mut();
                for component in components {
                    let plane = &layout.planes[component.plane];
                    let length = component.row_bytes(plane.width);
                    for y in 0..plane.height {
                        let row = image.row(component.stored_plane, y, length)?;
                        let start = plane.offset_bytes + y * plane.stride * sample;
                        component.unpack(row, &mut bytes[start..start + plane.width * sample]);
                    }
                }
            }
            Conversion::Scale(scaler) => scaler.run(image, &mut StoredImageMut::of_frame(frame, scaler.to())?)?,
            Conversion::LookUp { scaler, packed, planar } => {
                let mut middle = planar.padded(packed)?;
                scaler.run(image, &mut middle)?;
                planar.fill(frame, &middle.as_image())?;
            }
            Conversion::Paint { .. } => bail!("palettes can only be written"),
            Conversion::Recode { .. } => bail!("other code values can only be written"),
        }
        Ok(())
    }

    /// Fills a picture of this converter's stored format and size, which holds zeros.
    fn pack_image(&mut self, frame: &Frame, image: &mut StoredImageMut<'_>) -> Result<()> {
        check_frame(frame, &self.format)?;
        let host = frame.host()?;
        match &mut self.work {
            Conversion::Copy => {
                for plane in 0..frame.plane_count() {
                    for (y, row) in host.rows(plane).enumerate() {
                        image.row_mut(plane, y, row.len())?.copy_from_slice(row);
                    }
                }
            }
            Conversion::Repack(components) => {
                for component in components {
                    for (y, row) in host.rows(component.plane).enumerate() {
                        let length = component.row_bytes(row.len() / self.format.pixel.sample.bytes());
                        component.pack(row, image.row_mut(component.stored_plane, y, length)?);
                    }
                }
            }
            Conversion::LookUp { .. } => bail!("palettes can only be read"),
            Conversion::Recode { recode, next } => next.pack_image(&recode.run(frame, &Pool::heap())?, image)?,
            Conversion::Paint { packing, packed, painter } => {
                let mut middle = packing.padded(packed)?;
                packing.pack_image(frame, &mut middle)?;
                let Format { width, height, .. } = *self.format;
                let middle = middle.as_image();
                let rows = (0..height).map(|y| middle.row(0, y, 4 * width)).collect::<Result<Vec<_>>>()?;
                painter.look(&rows);
                for (y, row) in rows.into_iter().enumerate() {
                    painter.paint(y, row, image.row_mut(0, y, width)?);
                }
                painter.write(image.row_mut(1, 0, Painter::BYTES)?);
            }
            Conversion::Scale(scaler) => {
                let frame = roomy(frame, &Pool::heap())?;
                scaler.run(&StoredImage::of_frame(&frame, scaler.from())?, image)?;
            }
        }
        Ok(())
    }
}

/// Fails unless a frame has the pixel and size of `format`.
pub(super) fn check_frame(frame: &Frame, format: &Format) -> Result<()> {
    let kind = |format: &Format| (format.pixel, format.width, format.height);
    ensure!(kind(frame.format()) == kind(format), "the frame is {}, and the clip {format}", frame.format());
    Ok(())
}

/// What the colours of `format` mean once they are stored as `stored`, as far as the pixel format decides it: the same,
/// unless it is full range by its name, or RGB becomes YUV or the other way round. Then sizes of high definition get the
/// matrix of BT.709 and smaller ones that of BT.601, in limited range.
pub(crate) fn coded_colour(stored: Stored, format: &Format) -> Colour {
    let colour = match (format.pixel.family, stored.pixel().family) {
        (Family::Rgb, Family::Yuv) => Colour { range: Range::Limited, matrix: guessed_matrix(format), ..format.colour },
        (Family::Gray, Family::Yuv) => Colour { range: Range::Limited, ..format.colour },
        (Family::Yuv | Family::Gray, Family::Rgb) => {
            Colour { range: Range::Full, matrix: 0, siting: 0, ..format.colour }
        }
        (Family::Rgb | Family::Yuv, Family::Gray) => {
            Colour { range: Range::Full, matrix: 2, siting: 0, ..format.colour }
        }
        _ => format.colour,
    };
    if stored.is_full_range() { Colour { range: Range::Full, ..colour } } else { colour }
}

/// The matrix that players guess for YUV without a tag, by its size: BT.709 for high definition, else BT.601.
pub(crate) fn guessed_matrix(format: &Format) -> u8 {
    if format.width >= 1280 || format.height > 576 { 1 } else { 6 }
}

/// libswscale between frames of `format` and stored pictures whose colours mean `colour`.
fn scaler(stored: Stored, format: &Format, colour: Colour, direction: Direction) -> Result<Scaler> {
    // Grey with opacity is never planar in FFmpeg; where it must be computed with, the grey is what counts.
    let opaque = Pixel { alpha: false, ..format.pixel };
    let planar = Stored::planar(format.pixel)
        .or_else(|| Stored::planar(opaque))
        .with_context(|| format!("FFmpeg has no pixel format for {}", format.pixel.name()))?;
    let (from, to) = if direction == Direction::ToPlanar { (stored, planar) } else { (planar, stored) };
    let yuv = if format.pixel.family == Family::Rgb { colour } else { format.colour };
    let mut scaler = Scaler::between(from, to, format)?;
    let coded = Format { pixel: stored.pixel(), colour, ..format.clone() };
    scaler.set_colours(yuv.matrix, format.range(), coded.range());
    Ok(scaler)
}
