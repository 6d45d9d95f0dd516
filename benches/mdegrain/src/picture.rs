//! A picture of 8 bits and 4:2:0 in memory, as VapourSynth keeps it.

use std::num::NonZeroUsize;

use aligned_vec::{AVec, ConstAlign, avec};
use anyhow::{Context, Result, ensure};
use zoomvtools::{FramePlanes, FramePlanesMut, FrameView, PlaneRef, PlaneSizeTuple};

/// Rows begin at multiples of so many bytes.
const ALIGNMENT: usize = 64;

/// Three planes: luma, and two of chroma of half its width and height.
pub struct Picture {
    planes: [AVec<u8, ConstAlign<ALIGNMENT>>; 3],
    /// Widths of the planes in samples.
    widths: [usize; 3],
    /// From one row to the next, in samples.
    strides: [NonZeroUsize; 3],
}

impl Picture {
    /// All samples 0. Width and height are luma samples; odd or none are an error.
    pub fn black(width: usize, height: usize) -> Result<Picture> {
        ensure!(
            width.is_multiple_of(2) && height.is_multiple_of(2),
            "{width}x{height}: MVTools wants 4:2:0 even in both directions"
        );
        let luma = NonZeroUsize::new(width.next_multiple_of(ALIGNMENT)).context("a picture without columns")?;
        let chroma = NonZeroUsize::new((width / 2).next_multiple_of(ALIGNMENT)).context("a picture without columns")?;
        let strides = [luma, chroma, chroma];
        let heights = [height, height / 2, height / 2];
        let planes = std::array::from_fn(|plane| avec!([ALIGNMENT]| 0; strides[plane].get() * heights[plane]));
        Ok(Picture { planes, widths: [width, width / 2, width / 2], strides })
    }

    /// What zoomvtools reads.
    pub fn view(&self) -> FrameView<'_, u8> {
        FrameView::new(FramePlanes::new(self.planes.each_ref().map(|plane| Some(PlaneRef::new(plane)))), self.pitch())
    }

    /// What zoomvtools writes.
    pub fn planes_mut(&mut self) -> FramePlanesMut<'_, u8> {
        FramePlanesMut::new(self.planes.each_mut().map(|plane| Some(plane.as_mut_slice())))
    }

    /// From one row of each plane to the next, in samples.
    pub fn pitch(&self) -> PlaneSizeTuple {
        (self.strides[0], Some(self.strides[1]), Some(self.strides[2]))
    }

    /// Takes a plane whose rows lie one after the other.
    pub fn set(&mut self, plane: usize, samples: &[u8]) {
        let rows = self.planes[plane].chunks_exact_mut(self.strides[plane].get());
        for (row, from) in rows.zip(samples.chunks_exact(self.widths[plane])) {
            row[..from.len()].copy_from_slice(from);
        }
    }

    /// The samples of a plane, row after row.
    pub fn samples(&self, plane: usize) -> Vec<u8> {
        let rows = self.planes[plane].chunks_exact(self.strides[plane].get());
        rows.flat_map(|row| &row[..self.widths[plane]]).copied().collect()
    }
}
