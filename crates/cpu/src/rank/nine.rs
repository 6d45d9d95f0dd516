//! Medians of nine: each column of three samples is sorted once, which serves all boxes that it belongs to, and two
//! rows share what sorts the two samples that both of them hold.

use bytemuck::Zeroable;

use super::super::border::Columns;
use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use super::around::{columns, first_frame};
use super::block::{BLOCK, Last, block, block_mut, convert};
use super::key::{Key, Ordered};
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// Medians of squares of 3×3 samples.
pub struct Nine<T: Ordered> {
    frame: usize,
    columns: Columns,
    constant: T::Key,
    last: Last,
}

/// The smaller and the larger of two vectors.
#[inline(always)]
fn sorted<S: Simd, K: Key>(simd: S, a: S::I32, b: S::I32) -> [S::I32; 2] {
    [K::lower(simd, a, b), K::higher(simd, a, b)]
}

/// A sample among two that are sorted.
#[inline(always)]
fn inserted<S: Simd, K: Key>(simd: S, alone: S::I32, [low, high]: [S::I32; 2]) -> [S::I32; 3] {
    let [low, rest] = sorted::<S, K>(simd, alone, low);
    let [middle, high] = sorted::<S, K>(simd, rest, high);
    [low, middle, high]
}

/// Blocks from three columns on.
#[inline(always)]
fn three<K>(line: &[K], x: usize) -> [&[K; BLOCK]; 3] {
    [block(line, x), block(line, x + 1), block(line, x + 2)]
}

/// The median of three.
#[inline(always)]
fn middle<S: Simd, K: Key>(simd: S, [a, b, c]: [S::I32; 3]) -> S::I32 {
    let [a, b] = sorted::<S, K>(simd, a, b);
    K::higher(simd, a, K::lower(simd, b, c))
}

impl<T: Ordered> Nine<T> {
    /// True for ops that this stage serves.
    pub fn fits(op: &Rank) -> bool {
        op.size == [1, 3, 3] && op.rank == 4
    }

    pub fn new(op: &Rank, setting: &Setting) -> Self {
        Self {
            frame: first_frame(op, setting),
            columns: columns(op, setting),
            constant: T::of(op.border.constant()).key(),
            last: Last::new(op, setting.pixel()),
        }
    }

    /// Elements from one line to the next.
    fn stride(&self) -> usize {
        (self.columns.stride() + BLOCK).next_multiple_of(BLOCK)
    }

    /// The columns of two rows of boxes: for each row the smallest, the middle and the largest samples, a line each.
    #[inline(always)]
    fn sort<S: Simd>(&self, simd: S, lines: &Lines<T::Key>, to: &mut [T::Key]) {
        let vector = T::Key::lanes(simd);
        let (above, below) = (lines.line(0, 0), lines.line(0, 3));
        let (first, second) = (lines.line(0, 1), lines.line(0, 2));
        let mut places: [&mut [T::Key]; 6] = Default::default();
        places.iter_mut().zip(to.chunks_exact_mut(self.stride())).for_each(|(place, line)| *place = line);
        let [a, b, c, d, e, f] = places;
        for x in (0..self.columns.width + 2).step_by(BLOCK) {
            let (first, second) = (block(first, x), block(second, x));
            let (above, below) = (block(above, x), block(below, x));
            let (a, b, c) = (block_mut(a, x), block_mut(b, x), block_mut(c, x));
            let (d, e, f) = (block_mut(d, x), block_mut(e, x), block_mut(f, x));
            for at in (0..BLOCK).step_by(vector) {
                let shared = sorted::<S, T::Key>(
                    simd,
                    T::Key::load(simd, &first[at..at + vector]),
                    T::Key::load(simd, &second[at..at + vector]),
                );
                let [low, middle, high] =
                    inserted::<S, T::Key>(simd, T::Key::load(simd, &above[at..at + vector]), shared);
                T::Key::store(simd, low, &mut a[at..at + vector]);
                T::Key::store(simd, middle, &mut b[at..at + vector]);
                T::Key::store(simd, high, &mut c[at..at + vector]);
                let [low, middle, high] =
                    inserted::<S, T::Key>(simd, T::Key::load(simd, &below[at..at + vector]), shared);
                T::Key::store(simd, low, &mut d[at..at + vector]);
                T::Key::store(simd, middle, &mut e[at..at + vector]);
                T::Key::store(simd, high, &mut f[at..at + vector]);
            }
        }
    }

    /// A block of medians of sorted columns.
    #[inline(always)]
    fn medians<S: Simd>(simd: S, sorted: &[T::Key], stride: usize, x: usize, to: &mut [T::Key; BLOCK]) {
        let vector = T::Key::lanes(simd);
        let (smallest, middles) = (three(sorted, x), three(sorted, stride + x));
        let largest = three(sorted, 2 * stride + x);
        for at in (0..BLOCK).step_by(vector) {
            let mut low = T::Key::load(simd, &smallest[0][at..at + vector]);
            let mut high = T::Key::load(simd, &largest[0][at..at + vector]);
            let mut around = [T::Key::load(simd, &middles[0][at..at + vector]); 3];
            for column in 1..3 {
                low = T::Key::higher(simd, low, T::Key::load(simd, &smallest[column][at..at + vector]));
                high = T::Key::lower(simd, high, T::Key::load(simd, &largest[column][at..at + vector]));
                around[column] = T::Key::load(simd, &middles[column][at..at + vector]);
            }
            let around = middle::<S, T::Key>(simd, around);
            T::Key::store(simd, middle::<S, T::Key>(simd, [low, around, high]), &mut to[at..at + vector]);
        }
    }
}

impl<T: Ordered> LineFilter<T> for Nine<T> {
    type Line = T::Key;

    fn shape(&self) -> (usize, usize) {
        (1, self.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, y: Option<usize>, line: &mut [T::Key], _: &mut Buffer) {
        let row = y.map(|y| window.row(self.frame, y));
        convert(row, &self.columns, self.constant, self.last.most, line);
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
        let (stride, width) = (self.stride(), self.columns.width);
        let sorted: &mut [T::Key] = spare.elements(6 * stride);
        self.sort(simd, lines, sorted);
        for (row, sorted) in sorted.chunks_exact(3 * stride).enumerate().take(out.height) {
            let (out, centre) = (out.row_mut(row), window.centre(y + row));
            for x in (0..width).step_by(BLOCK) {
                match T::keys_mut(out).filter(|_| self.last.plain && x + BLOCK <= width) {
                    // Without a last step, keys go from the registers into the row.
                    Some(out) => Self::medians(simd, sorted, stride, x, block_mut(out, x)),
                    None => {
                        let mut keys = [T::Key::zeroed(); BLOCK];
                        Self::medians(simd, sorted, stride, x, &mut keys);
                        self.last.put(simd, &keys, centre, x, out);
                    }
                }
            }
        }
    }
}
