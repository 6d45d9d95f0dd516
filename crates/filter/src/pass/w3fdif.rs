//! Deinterlacing by Weston's three-field filter, as FFmpeg's `w3fdif` does it.

use anyhow::Result;

use super::bwdif::work;
use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use super::scan::Deinterlacing;
use crate::frame::{Format, Sample};

/// Of a frame `cur` behind `prev`, the rows of the field that was taken later: low frequencies of the field that stays, high
/// ones of the field itself and of the one before it.
///
/// A rebuilt row `y`, at any column, with `l(k) = cur[y−k] + cur[y+k]` and `s(k) = (cur + prev)[y−k] + (cur + prev)[y+k]`, but
/// `s(0) = cur[y] + prev[y]`, and with the weights `w` of [`W3fdif::weights`]:
/// `((w₀ l(1) + w₁ l(3)) + ((w₂ s(0) + w₃ s(2)) + w₄ s(4))) / 2¹⁵`. Terms whose weight is 0 are left out.
///
/// A row outside stands for the nearest row inside that is an even number of rows away; a plane of one row stays what it is. Of
/// integer samples all is exact, the division rounds down, samples above the format's largest count as the largest, and the result is
/// clamped to the format. Of float samples each operation is rounded to `f32`, sums of rows from above to below, `cur + prev`
/// first; nothing is clamped, and a NaN becomes `0x7fc0_0000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct W3fdif {
    /// Which frames, and which field.
    pub fields: Deinterlacing,
    /// With nine rows instead of five.
    pub complex: bool,
}

impl W3fdif {
    /// The weights of `l(1)`, `l(3)`, `s(0)`, `s(2)` and `s(4)`.
    pub const fn weights(&self) -> [i32; 5] {
        if self.complex { [17236, -852, 5570, -3801, 1016] } else { [16384, 0, 4096, -2048, 0] }
    }

    /// The row that stands for row `y` of a plane of `height` rows.
    pub fn row(y: isize, height: usize) -> usize {
        let height = height as isize;
        let inside = if y < 0 { y.rem_euclid(2) } else { y - 2 * ((y - height + 2) / 2).max(0) };
        inside.clamp(0, height - 1) as usize
    }
}

impl Operation for W3fdif {
    fn kind(&self) -> &'static str {
        "w3fdif"
    }

    /// Any frames do.
    fn check(&self, _: &Format, _: usize) -> Result<()> {
        Ok(())
    }

    /// Half of the samples, each a product and a sum for each weight, and the sums of rows.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        work(sample, self.operations(samples))
    }

    fn reach(&self) -> Reach {
        let rows = if self.complex { 4 } else { 2 };
        Reach { before: [1, rows, 0], after: [0, rows, 0] }
    }

    fn deinterlacing(&self) -> Option<Deinterlacing> {
        Some(self.fields)
    }

    fn shape(&self) -> String {
        format!("{}, {}", if self.complex { "complex" } else { "simple" }, self.fields.words())
    }

    /// The frame, one field of the one before, and the result.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        5 * samples / 2 * sample.bytes() as u64
    }

    fn operations(&self, samples: u64) -> u64 {
        let each = if self.complex { 19 } else { 11 };
        each * samples / 2
    }
}
