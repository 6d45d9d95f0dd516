//! Where the planes of a frame lie in its block of memory.

use std::ops::Range;

use anyhow::{Result, ensure};

use super::Format;

/// Where one plane lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaneLayout {
    /// From the start of the block to the first sample.
    pub offset_bytes: usize,
    /// From one row to the next, in samples.
    pub stride: usize,
    /// Samples in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl PlaneLayout {
    /// From the first sample to the end of the last row, in bytes of the block.
    pub fn bytes(&self, sample_bytes: usize) -> Range<usize> {
        let samples = (self.height - 1) * self.stride + self.width;
        self.offset_bytes..self.offset_bytes + samples * sample_bytes
    }
}

/// Where all planes of a frame lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// One entry a plane, 1 to 4.
    pub planes: Vec<PlaneLayout>,
}

impl Layout {
    /// What rows of [`Layout::aligned`] start at a multiple of: a cache line, and the widest vector there is.
    pub const ALIGN_BYTES: usize = 64;

    /// Rows padded to [`Layout::ALIGN_BYTES`]. For common sizes this is [`Layout::packed`] too.
    pub fn aligned(format: &Format) -> Self {
        let sample = format.pixel.sample.bytes();
        Self::with_stride(format, |width| (width * sample).next_multiple_of(Self::ALIGN_BYTES) / sample)
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
                let (width, height) = format.plane_size(plane);
                let plane = PlaneLayout { offset_bytes, stride: stride(width), width, height };
                offset_bytes += plane.stride * height * sample;
                plane
            })
            .collect();
        Self { planes }
    }

    /// Bytes from the start of the block to the end of the last plane, its last row padded.
    pub fn total_bytes(&self, sample_bytes: usize) -> usize {
        self.planes.iter().map(|p| p.offset_bytes + p.stride * p.height * sample_bytes).max().unwrap_or(0)
    }

    /// The bytes of all samples, if nothing lies between them.
    pub fn packed_range(&self, format: &Format) -> Option<Range<usize>> {
        let sample = format.pixel.sample.bytes();
        let start = self.planes.first()?.offset_bytes;
        let mut end = start;
        for plane in &self.planes {
            if plane.offset_bytes != end || plane.stride != plane.width {
                return None;
            }
            end = plane.bytes(sample).end;
        }
        Some(start..end)
    }

    /// Fails unless every plane has the format's size, is aligned to its samples, and lies within `block_bytes`.
    pub(super) fn check(&self, format: &Format, block_bytes: usize) -> Result<()> {
        let sample = format.pixel.sample.bytes();
        ensure!(self.planes.len() == format.pixel.planes(), "{} planes for {format}", self.planes.len());
        for (index, plane) in self.planes.iter().enumerate() {
            ensure!((plane.width, plane.height) == format.plane_size(index), "plane {index} has the wrong size");
            ensure!(plane.width > 0 && plane.height > 0, "plane {index} is empty");
            ensure!(plane.stride >= plane.width, "rows of plane {index} overlap");
            ensure!(plane.offset_bytes % sample == 0, "plane {index} is not aligned");
            ensure!(plane.bytes(sample).end <= block_bytes, "plane {index} reaches outside its memory");
        }
        Ok(())
    }
}
