//! Rows as bytes: the highest 8 bits of each sample, whatever its format.

use super::super::simd::Sample;
use crate::frame::Plane;

/// Samples that have a byte.
pub trait Coarse: Sample {
    /// The bytes of a row; `shift` is how many bits more than 8 samples of the format have.
    fn coarsen(row: &[Self], shift: u32, to: &mut [u8]);

    /// The samples themselves, where they are bytes.
    fn bytes(_: &[Self]) -> Option<&[u8]> {
        None
    }
}

impl Coarse for u8 {
    #[inline(always)]
    fn coarsen(row: &[u8], _: u32, to: &mut [u8]) {
        to.copy_from_slice(row);
    }

    #[inline(always)]
    fn bytes(samples: &[u8]) -> Option<&[u8]> {
        Some(samples)
    }
}

impl Coarse for u16 {
    #[inline(always)]
    fn coarsen(row: &[u16], shift: u32, to: &mut [u8]) {
        to.iter_mut().zip(row).for_each(|(to, v)| *to = (v >> shift).min(255) as u8);
    }
}

impl Coarse for f32 {
    #[expect(clippy::manual_clamp, reason = "of a NaN and a number the number is meant")]
    #[inline(always)]
    fn coarsen(row: &[f32], _: u32, to: &mut [u8]) {
        // From 2²³ to 2²⁴ floats are whole numbers, and their bits count them. A cast would be done one by one.
        const WHOLE: f32 = 8_388_608.0;
        let byte = |v: f32| ((v.max(0.0).min(1.0) * 255.0 + WHOLE).to_bits() - WHOLE.to_bits()) as u8;
        to.iter_mut().zip(row).for_each(|(to, v)| *to = byte(*v));
    }
}

/// Some rows of a plane as bytes.
#[derive(Clone, Copy)]
pub struct CoarseRows<'a> {
    bytes: &'a [u8],
    stride: usize,
    width: usize,
    /// The row with which the bytes begin.
    first: usize,
}

impl<'a> CoarseRows<'a> {
    /// How many bytes of memory that takes beside the plane.
    pub fn room<T: Coarse>(plane: &Plane<T>, rows: usize) -> usize {
        if T::bytes(plane.samples()).is_some() { 0 } else { rows * plane.width }
    }

    /// The rows from one to before another, in memory of [`CoarseRows::room`] where they have to be made.
    #[inline(always)]
    pub fn of<T: Coarse>(plane: &Plane<'a, T>, [first, end]: [usize; 2], shift: u32, room: &'a mut [u8]) -> Self {
        let width = plane.width;
        if let Some(bytes) = T::bytes(plane.samples()) {
            return Self { bytes, stride: plane.stride(), width, first: 0 };
        }
        for (y, to) in (first..end).zip(room.chunks_exact_mut(width.max(1))) {
            T::coarsen(plane.row(y), shift, to);
        }
        Self { bytes: room, stride: width, width, first }
    }

    /// A row.
    #[inline(always)]
    pub fn row(&self, y: usize) -> &'a [u8] {
        &self.bytes[(y - self.first) * self.stride..][..self.width]
    }
}
