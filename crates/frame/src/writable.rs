//! Frames that are being written.

use std::sync::Arc;

use anyhow::{Result, ensure};
use bytemuck::Pod;

use super::{Block, Format, Frame, Layout, PlaneMut, Timing};

/// A picture on the host that is being written; nobody else can see it.
#[derive(Debug)]
pub struct FrameMut {
    format: Arc<Format>,
    layout: Layout,
    block: Block,
}

impl FrameMut {
    /// A writable frame over a block.
    ///
    /// # Errors
    /// As [`Frame::from_block`]; also if planes overlap or are not in ascending order, or the block may only be read.
    pub fn new(format: Arc<Format>, layout: Layout, mut block: Block) -> Result<Self> {
        layout.check_host(&format, |piece| block.piece(piece))?;
        let read: Vec<_> = (0..).map_while(|piece| block.piece(piece).map(<[u8]>::len)).collect();
        let written: Vec<_> = block.pieces_mut().iter().map(|piece| piece.len()).collect();
        ensure!(read == written, "the frame's memory is read-only");
        let sample = format.pixel.sample.bytes();
        for pair in layout.planes.windows(2) {
            let is_behind = pair[0].bytes(sample).end <= pair[1].offset_bytes;
            ensure!(
                pair[0].piece < pair[1].piece || pair[0].piece == pair[1].piece && is_behind,
                "planes of the frame overlap, so it cannot be written"
            );
        }
        Ok(Self { format, layout, block })
    }

    /// What its samples are.
    pub fn format(&self) -> &Arc<Format> {
        &self.format
    }

    /// Where the planes lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// All planes at once, so that they can be written side by side.
    ///
    /// # Panics
    /// If `T` is not the type of the format's samples; [`FrameMut::try_planes_mut`] returns an error instead.
    pub fn planes_mut<T: Pod>(&mut self) -> Vec<PlaneMut<'_, T>> {
        match self.try_planes_mut() {
            Ok(planes) => planes,
            Err(error) => panic!("{error}"),
        }
    }

    /// All planes at once, checked.
    ///
    /// # Errors
    /// If `T` is not `u8`, `u16` or `f32` as [`super::Pixel::sample`] says.
    pub fn try_planes_mut<T: Pod>(&mut self) -> Result<Vec<PlaneMut<'_, T>>> {
        let (format, sample) = (&self.format, self.format.pixel.sample.bytes());
        ensure!(format.pixel.sample.is::<T>(), "samples of {format} are not {}", std::any::type_name::<T>());
        let mut pieces = self.block.pieces_mut().into_iter();
        let mut rest = pieces.next().unwrap_or_default();
        let (mut piece, mut start) = (0, 0);
        let mut planes = Vec::with_capacity(self.layout.planes.len());
        for plane in &self.layout.planes {
            while piece < plane.piece {
                rest = pieces.next().unwrap_or_default();
                (piece, start) = (piece + 1, 0);
            }
            let range = plane.bytes(sample);
            let (head, tail) = std::mem::take(&mut rest).split_at_mut(range.end - start);
            planes.push(PlaneMut::new(bytemuck::cast_slice_mut(&mut head[range.start - start..]), plane));
            rest = tail;
            start = range.end;
        }
        Ok(planes)
    }

    /// All samples in order without padding, if they lie that way in memory.
    pub fn packed_bytes_mut(&mut self) -> Option<&mut [u8]> {
        let range = self.layout.packed_range(&self.format)?;
        Some(&mut self.block.bytes_mut()[range])
    }

    /// The whole block, padding included, or the first piece of several.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.block.bytes_mut()
    }

    /// Copies rows of samples into a plane, from its first on; each is as long as the plane's own.
    pub(super) fn fill_rows<'a>(&mut self, plane: usize, rows: impl Iterator<Item = &'a [u8]>) {
        let (sample, plane) = (self.format.pixel.sample.bytes(), &self.layout.planes[plane]);
        let starts = (plane.offset_bytes..).step_by(plane.stride * sample);
        let piece = self.block.pieces_mut().into_iter().nth(plane.piece);
        let bytes = piece.unwrap_or_default();
        for (row, start) in rows.zip(starts) {
            bytes[start..start + row.len()].copy_from_slice(row);
        }
    }

    /// Ends the writing.
    pub fn freeze(self, timing: Timing) -> Frame {
        Frame::written(self.format, timing, self.layout, self.block)
    }
}
