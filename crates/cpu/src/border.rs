//! What lies outside a plane, as tables that are made once: which column or row stands for one that is outside.

use crate::pass::Border;

/// Marks a place that the constant stands for.
const OUTSIDE: u32 = u32::MAX;

fn table(border: Border, range: std::ops::Range<isize>, length: usize) -> Vec<u32> {
    range.map(|index| border.index(index, length).map_or(OUTSIDE, |index| index as u32)).collect()
}

/// A line of samples with room for what the taps reach to the left and to the right of it.
pub struct Columns {
    /// Places before the first sample.
    pub left: usize,
    /// Samples.
    pub width: usize,
    /// Places after the last sample.
    pub right: usize,
    before: Vec<u32>,
    after: Vec<u32>,
}

impl Columns {
    /// The widest block of columns that is filtered at once; lines have room for a last block that is not full.
    pub const BLOCK: usize = 128;

    /// For taps that reach `left` and `right` samples beyond the one they are centred on.
    pub fn new(border: Border, width: usize, left: usize, right: usize) -> Self {
        let before = table(border, -(left as isize)..0, width);
        let after = table(border, width as isize..(width + right) as isize, width);
        Self { left, width, right, before, after }
    }

    /// Elements from one line to the next: all places, and what may be read or written beyond them.
    pub fn stride(&self) -> usize {
        self.left + self.width.next_multiple_of(Self::BLOCK) + (self.right + 1).next_multiple_of(64)
    }

    /// Fills the places outside from the samples, which stand from `left` on.
    pub fn pad<A: Copy>(&self, line: &mut [A], constant: A) {
        let (before, rest) = line.split_at_mut(self.left);
        let (samples, after) = rest.split_at_mut(self.width);
        for (places, indices) in [(before, &self.before), (after, &self.after)] {
            for (place, &index) in places.iter_mut().zip(indices) {
                *place = if index == OUTSIDE { constant } else { samples[index as usize] };
            }
        }
    }
}

/// The rows that the taps of a plane's rows meet, from the topmost outside to the lowest; or columns, likewise.
pub struct Rows {
    index: Vec<u32>,
}

impl Rows {
    /// For taps that reach `top` rows up and `bottom` rows down.
    pub fn new(border: Border, height: usize, top: usize, bottom: usize) -> Self {
        Self { index: table(border, -(top as isize)..(height + bottom) as isize, height) }
    }

    /// The plane's row at a place that counts from the topmost outside; `None` for a row of the constant.
    pub fn source(&self, place: usize) -> Option<usize> {
        let index = self.index[place];
        (index != OUTSIDE).then_some(index as usize)
    }
}
