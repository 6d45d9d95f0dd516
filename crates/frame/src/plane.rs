//! Views of one plane: rows of samples, so that the code that filters never sees a stride.

use super::PlaneLayout;

/// One plane to read.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a, T> {
    samples: &'a [T],
    stride: usize,
    /// Samples in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl<'a, T> Plane<'a, T> {
    pub(super) fn new(samples: &'a [T], layout: &PlaneLayout) -> Self {
        Self { samples, stride: layout.stride, width: layout.width, height: layout.height }
    }

    /// All rows and what lies between them: from the first sample to the last.
    pub fn samples(&self) -> &'a [T] {
        self.samples
    }

    /// From one row to the next, in samples.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Rows without padding, top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        let (samples, stride, width) = (self.samples, self.stride, self.width);
        (0..self.height).map(move |y| &samples[y * stride..][..width])
    }

    /// Row `y`, from the top.
    ///
    /// # Panics
    /// If there is no such row, as an index into a slice does.
    pub fn row(&self, y: usize) -> &'a [T] {
        &self.samples[y * self.stride..][..self.width]
    }
}

/// One plane to write.
#[derive(Debug)]
pub struct PlaneMut<'a, T> {
    samples: &'a mut [T],
    stride: usize,
    /// Samples in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl<'a, T> PlaneMut<'a, T> {
    pub(super) fn new(samples: &'a mut [T], layout: &PlaneLayout) -> Self {
        Self { samples, stride: layout.stride, width: layout.width, height: layout.height }
    }

    /// The first row, and the second one where there is one.
    #[inline]
    pub fn pair_mut(&mut self) -> (&mut [T], Option<&mut [T]>) {
        let (first, rest) = self.samples.split_at_mut(self.stride.min(self.samples.len()));
        (&mut first[..self.width], (self.height > 1).then(|| &mut rest[..self.width]))
    }

    /// Row `y`, from the top.
    ///
    /// # Panics
    /// If there is no such row, as an index into a slice does.
    #[inline]
    pub fn row_mut(&mut self, y: usize) -> &mut [T] {
        &mut self.samples[y * self.stride..][..self.width]
    }

    /// The same rows, for as long as this one is not used.
    pub fn reborrow(&mut self) -> PlaneMut<'_, T> {
        PlaneMut { samples: self.samples, stride: self.stride, width: self.width, height: self.height }
    }

    /// The plane cut into bands of at most `rows` rows, top to bottom, so that threads can write side by side.
    pub fn bands(self, rows: usize) -> Vec<PlaneMut<'a, T>> {
        let (stride, width, rows) = (self.stride, self.width, rows.max(1));
        let mut rest = self.samples;
        let mut bands = Vec::with_capacity(self.height.div_ceil(rows));
        let mut left = self.height;
        while left > 0 {
            let height = rows.min(left);
            let length = if height == left { rest.len() } else { height * stride };
            let (samples, tail) = std::mem::take(&mut rest).split_at_mut(length);
            bands.push(PlaneMut { samples, stride, width, height });
            rest = tail;
            left -= height;
        }
        bands
    }
}
