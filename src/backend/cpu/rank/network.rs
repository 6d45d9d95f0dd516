//! Small boxes by networks of comparators, a block of columns at a time: first every column of the box is sorted, which
//! serves all boxes that it belongs to, then the sorted columns of each box are merged as far as the result needs it.

use bytemuck::Zeroable;

use super::super::super::network::{self, Step};
use super::super::border::Columns;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::walk::{Lines, Stencil};
use super::super::window::Window;
use super::{BLOCK, Last, Ordered, Place, convert};
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// Columns that are sorted for a block: its own, and what boxes reach beyond it.
const WIDE: usize = BLOCK + 64;

/// A box of at most [`Ordered::NETWORK`] samples.
pub struct Network<T: Ordered> {
    size: [usize; 3],
    first_frame: usize,
    columns: Columns,
    constant: T::Key,
    last: Last,
    /// Sorts the samples of one column of the box, of all its frames.
    column: network::Network,
    /// Takes one of the samples of all sorted columns.
    select: network::Network,
    /// How many lists it selects from, how long they are, and by how many columns they are apart.
    lists: usize,
    length: usize,
    apart: usize,
}

impl<T: Ordered> Network<T> {
    pub fn new(op: &Rank, place: Place) -> Self {
        let [t, y, x] = op.size;
        // A single column is selected from unsorted.
        let (lists, length, apart) = if x == 1 { (t * y, 1, 0) } else { (x, t * y, 1) };
        Self {
            size: op.size,
            first_frame: place.first_frame(op),
            columns: place.columns(op),
            constant: T::of(op.border.constant()).key(),
            last: Last::new(op, place.pixel),
            column: network::Network::sort(if x == 1 { 0 } else { t * y }),
            select: network::Network::select(lists, length, op.rank),
            lists,
            length,
            apart,
        }
    }
}

/// Runs steps on registers of `N` keys side by side.
#[inline(always)]
fn run<K: Ord + Copy, const N: usize>(steps: &[Step], registers: &mut [[K; N]]) {
    for &step in steps {
        let (Step::Both(a, b) | Step::Low(a, b) | Step::High(a, b)) = step;
        let Ok([a, b]) = registers.get_disjoint_mut([a, b]) else { continue };
        match step {
            Step::Both(..) => a.iter_mut().zip(b).for_each(|(a, b)| (*a, *b) = ((*a).min(*b), (*a).max(*b))),
            Step::Low(..) => a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a).min(*b)),
            Step::High(..) => a.iter_mut().zip(b).for_each(|(a, b)| *b = (*a).max(*b)),
        }
    }
}

impl<T: Ordered> Stencil<T> for Network<T> {
    type Line = T::Key;

    fn shape(&self) -> (usize, usize) {
        (self.size[0], self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &Window<T>, y: Option<usize>, lines: &mut [T::Key], _: &mut Buffer) {
        for (t, line) in lines.chunks_exact_mut(self.columns.stride()).enumerate() {
            match y {
                Some(y) => convert(window.row(self.first_frame + t, y), &self.columns, self.constant, line),
                None => line.fill(self.constant),
            }
        }
    }

    #[inline(always)]
    fn filter<S: Simd>(&self, simd: S, window: &Window<T>, y: usize, lines: &Lines<T::Key>, out: &mut PlaneMut<T>) {
        let [frames, rows, _] = self.size;
        let mut sorted = [[T::Key::zeroed(); WIDE]; MOST];
        let mut registers = [[T::Key::zeroed(); BLOCK]; MOST];
        for row in 0..out.height {
            for x in (0..self.columns.width).step_by(BLOCK) {
                for t in 0..frames {
                    for r in 0..rows {
                        let line = &lines.line(t, row + r)[x..];
                        let count = line.len().min(WIDE);
                        sorted[t * rows + r][..count].copy_from_slice(&line[..count]);
                    }
                }
                run(&self.column.steps, &mut sorted[..frames * rows]);
                for list in 0..self.lists {
                    for place in 0..self.length {
                        let from = if self.apart == 0 { list } else { self.column.results[place] };
                        let keys = &sorted[from][list * self.apart..][..BLOCK];
                        registers[list * self.length + place].copy_from_slice(keys);
                    }
                }
                run(&self.select.steps, &mut registers[..self.lists * self.length]);
                let keys = &registers[self.select.results[0]];
                self.last.put(simd, keys, window.centre(y + row), x, out.row_mut(row));
            }
        }
    }
}

/// The most registers: [`Ordered::NETWORK`] of any samples.
const MOST: usize = 169;
