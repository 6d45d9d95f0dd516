//! Small boxes by networks of comparators, a block of columns at a time: first every column of the box is sorted, which
//! serves all boxes that it belongs to, then the sorted columns of each box are merged as far as the result needs it.

use super::super::border::Columns;
use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use super::around::{columns, first_frame};
use super::block::{BLOCK, Last, convert};
use super::key::Ordered;
use crate::backend::network::{Exchange, Network};
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// A box of at most [`largest_network`](super::Ranked::largest_network) samples.
pub struct Networks<T: Ordered> {
    size: [usize; 3],
    first_frame: usize,
    columns: Columns,
    constant: T::Key,
    last: Last,
    /// Sorts the samples of one column of the box, of all its frames.
    column: Network,
    /// Takes one of the samples of all sorted columns.
    select: Network,
    /// How many lists it selects from, how long they are, and by how many columns they are apart.
    lists: usize,
    length: usize,
    apart: usize,
}

impl<T: Ordered> Networks<T> {
    pub fn new(op: &Rank, setting: &Setting) -> Self {
        let [t, y, x] = op.size;
        // A single column is selected from unsorted.
        let (lists, length, apart) = if x == 1 { (t * y, 1, 0) } else { (x, t * y, 1) };
        Self {
            size: op.size,
            first_frame: first_frame(op, setting),
            columns: columns(op, setting),
            constant: T::of(op.border.constant()).key(),
            last: Last::new(op, setting.pixel()),
            column: Network::sort(if x == 1 { 0 } else { t * y }),
            select: Network::select(lists, length, op.rank),
            lists,
            length,
            apart,
        }
    }
}

/// Runs steps on registers of `side` keys side by side.
#[inline(always)]
pub fn run<K: Ord + Copy>(steps: &[Exchange], registers: &mut [K], side: usize) {
    for &step in steps {
        let (Exchange::Both(a, b) | Exchange::Low(a, b) | Exchange::High(a, b)) = step;
        let ranges = [a, b].map(|register| register * side..(register + 1) * side);
        let Ok([a, b]) = registers.get_disjoint_mut(ranges) else { continue };
        match step {
            Exchange::Both(..) => a.iter_mut().zip(b).for_each(|(a, b)| (*a, *b) = ((*a).min(*b), (*a).max(*b))),
            Exchange::Low(..) => a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a).min(*b)),
            Exchange::High(..) => a.iter_mut().zip(b).for_each(|(a, b)| *b = (*a).max(*b)),
        }
    }
}

impl<T: Ordered> Networks<T> {
    /// One block of a row, into the first of the registers that come back.
    #[inline(always)]
    fn block<'a>(
        &self,
        lines: &Lines<T::Key>,
        row: usize,
        x: usize,
        side: usize,
        memory: &'a mut [T::Key],
    ) -> &'a [T::Key] {
        let [frames, rows, columns] = self.size;
        // Columns that are sorted for a block: its own, and what boxes reach beyond it.
        let wide = side + columns - 1;
        let (sorted, registers) = memory.split_at_mut(frames * rows * wide);
        for t in 0..frames {
            for r in 0..rows {
                let place = (t * rows + r) * wide;
                sorted[place..place + wide].copy_from_slice(&lines.line(t, row + r)[x..x + wide]);
            }
        }
        run(&self.column.steps, sorted, wide);
        for list in 0..self.lists {
            for place in 0..self.length {
                let from = if self.apart == 0 { list } else { self.column.results[place] };
                let keys = &sorted[from * wide + list * self.apart..][..side];
                registers[(list * self.length + place) * side..][..side].copy_from_slice(keys);
            }
        }
        run(&self.select.steps, registers, side);
        &registers[self.select.results[0] * side..][..side]
    }
}

impl<T: Ordered> LineFilter<T> for Networks<T> {
    type Line = T::Key;

    fn shape(&self) -> (usize, usize) {
        (self.size[0], self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, y: Option<usize>, lines: &mut [T::Key], _: &mut Buffer) {
        for (t, line) in lines.chunks_exact_mut(self.columns.stride()).enumerate() {
            let row = y.map(|y| window.row(self.first_frame + t, y));
            convert(row, &self.columns, self.constant, self.last.most, line);
        }
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &Lines<T::Key>,
        out: &mut PlaneMut<T>,
        spare: &mut Buffer,
    ) {
        let [frames, rows, columns] = self.size;
        let most = frames * rows * (SIDE_BYTES / size_of::<T>() + columns - 1)
            + self.lists * self.length * SIDE_BYTES / size_of::<T>();
        let memory: &mut [T::Key] = spare.elements(most);
        for row in 0..out.height {
            for x in (0..self.columns.width).step_by(SIDE_BYTES / size_of::<T>()) {
                let side = (self.columns.width - x).next_multiple_of(BLOCK).min(SIDE_BYTES / size_of::<T>());
                let keys = self.block(lines, row, x, side, memory);
                for (n, keys) in keys.as_chunks::<BLOCK>().0.iter().enumerate() {
                    if x + n * BLOCK < self.columns.width {
                        self.last.put(simd, keys, window.centre(y + row), x + n * BLOCK, out.row_mut(row));
                    }
                }
            }
        }
    }
}

/// Bytes of a register: enough that a step takes longer than it takes to read what it is, and few enough that those of
/// a 5x5 box stay in the first cache.
pub const SIDE_BYTES: usize = 512;
