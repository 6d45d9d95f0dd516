//! Where the planes of a frame lie in its memory.

use std::ops::Range;

use anyhow::{Context, Result, ensure};

use super::Format;

/// Where one plane lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaneLayout {
    /// Which piece of the memory it lies in, where that has several; 0 elsewhere. Only on the host it is more than 0.
    pub piece: usize,
    /// From the start of the memory, or of its piece, to the first sample.
    pub offset_bytes: usize,
    /// From one row to the next, in samples of any plane.
    pub stride: usize,
    /// From one sample to the next in a row, in samples of any plane: 1 where the plane lies by itself, 2 where two
    /// planes take turns, as the chroma of NV12 does. Only on devices it is more than 1.
    pub step: usize,
    /// Samples in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl PlaneLayout {
    /// A plane that lies by itself.
    pub fn new(offset_bytes: usize, stride: usize, (width, height): (usize, usize)) -> Self {
        Self { piece: 0, offset_bytes, stride, step: 1, width, height }
    }

    /// The same in another piece of the memory.
    pub fn in_piece(self, piece: usize) -> Self {
        Self { piece, ..self }
    }

    /// From the first sample to the end of the last row, in bytes of the memory. Of a plane that [`Layout`] checked it
    /// fits into a `usize`.
    pub fn bytes(&self, sample_bytes: usize) -> Range<usize> {
        let rows = self.height.saturating_sub(1).saturating_mul(self.stride);
        let bytes = rows.saturating_add(self.row_samples()).saturating_mul(sample_bytes);
        self.offset_bytes..self.offset_bytes.saturating_add(bytes)
    }

    /// Samples of any plane from the first of a row to the last.
    fn row_samples(&self) -> usize {
        self.width.saturating_sub(1).saturating_mul(self.step).saturating_add(1)
    }

    /// The end of the last row, or `None` if it does not fit.
    fn end_bytes(&self, sample_bytes: usize) -> Option<usize> {
        let row = (self.width.checked_sub(1)?).checked_mul(self.step)?.checked_add(1)?;
        let samples = (self.height.checked_sub(1)?).checked_mul(self.stride)?.checked_add(row)?;
        samples.checked_mul(sample_bytes)?.checked_add(self.offset_bytes)
    }
}

/// Where all planes of a frame lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// One entry a plane, 1 to 4.
    pub planes: Vec<PlaneLayout>,
    /// How many zero bits stand below the value of each sample, as in P010, where it is 6. Only on devices it is more
    /// than 0.
    pub shift: u8,
}

impl Layout {
    /// What rows of [`Layout::aligned`] start at a multiple of: a cache line, and the widest vector there is.
    pub const ALIGN_BYTES: usize = 64;

    /// Planes that were placed somewhere, with samples as they are.
    pub fn new(planes: Vec<PlaneLayout>) -> Self {
        Self { planes, shift: 0 }
    }

    /// Rows padded to [`Layout::ALIGN_BYTES`]. For common sizes this is [`Layout::packed`] too.
    pub fn aligned(format: &Format) -> Self {
        let sample = format.pixel.sample.bytes();
        let padded = |width: usize| width.checked_mul(sample)?.checked_next_multiple_of(Self::ALIGN_BYTES);
        Self::with_stride(format, |width| padded(width).map_or(width, |bytes| bytes / sample))
    }

    /// No padding: planes and rows follow each other, as in y4m and raw files.
    pub fn packed(format: &Format) -> Self {
        Self::with_stride(format, |width| width)
    }

    fn with_stride(format: &Format, stride: impl Fn(usize) -> usize) -> Self {
        let sample = format.pixel.sample.bytes();
        let mut offset_bytes = 0;
        let planes = (0..format.pixel.planes())
            .map(|plane| {
                let size = format.plane_size(plane);
                let plane = PlaneLayout::new(offset_bytes, stride(size.0), size);
                let bytes = plane.stride.saturating_mul(plane.height).saturating_mul(sample);
                offset_bytes = offset_bytes.saturating_add(bytes);
                plane
            })
            .collect();
        Self::new(planes)
    }

    /// Luma in rows of `pitch_bytes`, and at `chroma_bytes` rows of the same length in which the two chroma planes take
    /// turns: NV12 for 8 bits; for more, P010, P012 and P016, which keep the value in the high bits. What hardware
    /// decoders give.
    ///
    /// # Errors
    /// If the format is not YUV of 8 to 16 bits without opacity, or the pitch is no multiple of a sample.
    pub fn semi_planar(format: &Format, pitch_bytes: usize, chroma_bytes: usize) -> Result<Self> {
        let (pixel, sample) = (format.pixel, format.pixel.sample.bytes());
        let fits = pixel.is_chroma(1) && !pixel.alpha && pixel.depth <= 16;
        ensure!(fits, "{} has no semi-planar layout; only YUV of 8 to 16 bits has one", pixel.name());
        ensure!(
            pitch_bytes.is_multiple_of(sample),
            "the pitch of {pitch_bytes} bytes is not a multiple of the sample size, {sample}"
        );
        let stride = pitch_bytes / sample;
        let chroma = |index| {
            let start = chroma_bytes.saturating_add(index * sample);
            let plane = PlaneLayout::new(start, stride, format.plane_size(1));
            PlaneLayout { step: 2, ..plane }
        };
        let luma = PlaneLayout::new(0, stride, format.plane_size(0));
        let shift = if pixel.depth == 8 { 0 } else { 16 - pixel.depth };
        Ok(Self { planes: vec![luma, chroma(0), chroma(1)], shift })
    }

    /// Whether each plane lies by itself and its samples are as they are: what the host and every stage read.
    pub fn is_planar(&self) -> bool {
        self.shift == 0 && self.planes.iter().all(|plane| plane.step == 1)
    }

    /// Whether all planes lie in the first piece of their memory, as all do that no program lent in several.
    pub fn is_in_one_piece(&self) -> bool {
        self.planes.iter().all(|plane| plane.piece == 0)
    }

    /// Bytes from the start of the memory to the end of the last plane, its last row padded.
    pub fn total_bytes(&self, sample_bytes: usize) -> usize {
        let end = |plane: &PlaneLayout| {
            let rows = plane.stride.saturating_mul(plane.height).saturating_mul(sample_bytes);
            plane.offset_bytes.saturating_add(rows)
        };
        self.planes.iter().map(end).max().unwrap_or(0)
    }

    /// From the first byte that holds a sample to the last; empty where there is no plane.
    pub fn span(&self, sample_bytes: usize) -> Range<usize> {
        let ranges = self.planes.iter().map(|plane| plane.bytes(sample_bytes));
        ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
    }

    /// The bytes of all samples, if nothing lies between them.
    pub fn packed_range(&self, format: &Format) -> Option<Range<usize>> {
        let sample = format.pixel.sample.bytes();
        let start = self.planes.first()?.offset_bytes;
        let mut end = start;
        for plane in &self.planes {
            if plane.piece != 0 || plane.offset_bytes != end || plane.stride != plane.width || plane.step != 1 {
                return None;
            }
            end = plane.bytes(sample).end;
        }
        Some(start..end)
    }

    /// Fails unless the host can read a frame that lies so in memory.
    pub(super) fn check_host<'a>(&self, format: &Format, piece: impl Fn(usize) -> Option<&'a [u8]>) -> Result<()> {
        self.check_in(format, |index| piece(index).map(|piece| (piece.as_ptr() as usize, piece.len())))?;
        ensure!(self.is_planar(), "shared rows and samples in high bits are for frames on a device only");
        Ok(())
    }

    /// Fails unless every plane has the format's size, is aligned to its samples, and lies within `memory_bytes` that
    /// start at `address`.
    pub fn check(&self, format: &Format, address: usize, memory_bytes: usize) -> Result<()> {
        self.check_in(format, |piece| (piece == 0).then_some((address, memory_bytes)))
    }

    /// The same where `place` says where each piece starts, and how long it is.
    fn check_in(&self, format: &Format, place: impl Fn(usize) -> Option<(usize, usize)>) -> Result<()> {
        format.check()?;
        let sample = format.pixel.sample.bytes();
        ensure!(
            self.planes.len() == format.pixel.planes(),
            "the layout has {} planes, which {format} does not",
            self.planes.len()
        );
        ensure!(
            self.shift == 0 || u32::from(self.shift) + u32::from(format.pixel.depth) <= 16,
            "the shift is {}",
            self.shift
        );
        for (index, plane) in self.planes.iter().enumerate() {
            ensure!((plane.width, plane.height) == format.plane_size(index), "plane {index} has the wrong size");
            ensure!(plane.width > 0 && plane.height > 0, "plane {index} is empty");
            let place = place(plane.piece);
            let (address, memory_bytes) =
                place.with_context(|| format!("plane {index} is in no piece of the memory"))?;
            ensure!(plane.step > 0, "samples of plane {index} overlap");
            let end = plane.end_bytes(sample).filter(|&end| end <= memory_bytes);
            ensure!(end.is_some(), "plane {index} exceeds its memory of {memory_bytes} bytes");
            ensure!(
                plane.stride >= plane.row_samples(),
                "rows of plane {index} overlap: the stride is {} for {} samples",
                plane.stride,
                plane.row_samples()
            );
            ensure!(address.wrapping_add(plane.offset_bytes).is_multiple_of(sample), "plane {index} is not aligned");
        }
        Ok(())
    }
}
