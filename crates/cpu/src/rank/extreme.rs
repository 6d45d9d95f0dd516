//! The smallest or the largest: along t once a row, then along y, and along x last.

use bytemuck::Zeroable;

use super::super::border::Columns;
use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use super::around::{columns, first_frame};
use super::block::{BLOCK, Last, block, block_mut};
use super::key::{Key, Ordered};
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// Extremes over a box.
pub struct Extreme<T: Ordered> {
    is_largest: bool,
    size: [usize; 3],
    first_frame: usize,
    columns: Columns,
    constant: T::Key,
    last: Last,
}

/// Vectors that are compared at once.
const VECTORS: usize = 4;

/// Elements that a line has room for at its end: the widest [`VECTORS`].
const ROOM: usize = 256;

/// The one of two keys.
#[inline(always)]
fn best<S: Simd, K: Key, const LARGEST: bool>(simd: S, a: S::I32, b: S::I32) -> S::I32 {
    if LARGEST { K::higher(simd, a, b) } else { K::lower(simd, a, b) }
}

/// The best of a vector and of that `step` further on.
#[inline(always)]
fn pair<S: Simd, K: Key, const LARGEST: bool>(simd: S, line: &[K], step: usize) -> S::I32 {
    best::<S, K, LARGEST>(simd, K::load(simd, line), K::load(simd, &line[step..]))
}

/// The bests of four keys each: of those of a block, and those some columns further on.
#[inline(always)]
fn four<S: Simd, K: Key, const LARGEST: bool>(simd: S, lines: [&[K; BLOCK]; 4], to: &mut [K; BLOCK]) {
    let vector = K::lanes(simd);
    for at in (0..BLOCK).step_by(vector) {
        let mut key = K::load(simd, &lines[0][at..at + vector]);
        for line in &lines[1..] {
            key = best::<S, K, LARGEST>(simd, key, K::load(simd, &line[at..at + vector]));
        }
        K::store(simd, key, &mut to[at..at + vector]);
    }
}

/// `line[i]` becomes the best of `line[i]` and `line[i + step]` as far as there are both.
#[inline(always)]
fn doubled<S: Simd, K: Key, const LARGEST: bool>(simd: S, line: &mut [K], step: usize) {
    let vector = K::lanes(simd);
    // Nothing that is written is read later.
    for x in (0..line.len() - step - vector + 1).step_by(vector) {
        let line = &mut line[x..x + step + vector];
        K::store(simd, pair::<S, K, LARGEST>(simd, line, step), line);
    }
}

impl<T: Ordered> Extreme<T> {
    pub fn new(op: &Rank, setting: &Setting) -> Self {
        Self {
            is_largest: op.rank > 0,
            size: op.size,
            first_frame: first_frame(op, setting),
            columns: columns(op, setting),
            constant: T::of(op.border.constant()).key(),
            last: Last::new(op, setting.pixel()),
        }
    }

    /// Elements of a row on its way along x.
    fn stride(&self) -> usize {
        (self.columns.stride() + ROOM).next_multiple_of(ROOM)
    }

    /// Two rows, of lines that hold nothing outside the plane.
    #[inline(always)]
    fn down<S: Simd, const LARGEST: bool>(&self, simd: S, lines: &Lines<T::Key>, to: [&mut [T::Key]; 2]) {
        let (rows, vector) = (self.size[1], T::Key::lanes(simd));
        let block = VECTORS * vector;
        let [first, second] = to;
        let (first, second) = (&mut first[self.columns.left..], &mut second[self.columns.left..]);
        for x in (0..self.columns.width).step_by(block) {
            // The lines that both rows share first, then the one that each has alone.
            let mut shared = [simd.splat_i32(0); VECTORS];
            for (n, value) in shared.iter_mut().enumerate() {
                *value = T::Key::load(simd, &lines.line(0, rows.min(1))[x + n * vector..]);
            }
            for r in 2..rows {
                let line = &lines.line(0, r)[x..x + block];
                for (n, value) in shared.iter_mut().enumerate() {
                    *value = best::<S, T::Key, LARGEST>(simd, *value, T::Key::load(simd, &line[n * vector..]));
                }
            }
            for (alone, to) in [(0, &mut *first), (rows, &mut *second)] {
                let (line, to) = (&lines.line(0, alone)[x..x + block], &mut to[x..x + block]);
                for (n, &shared) in shared.iter().enumerate() {
                    let at = n * vector..(n + 1) * vector;
                    let key = T::Key::load(simd, &line[at.clone()]);
                    let key = if rows == 1 { key } else { best::<S, T::Key, LARGEST>(simd, shared, key) };
                    T::Key::store(simd, key, &mut to[at]);
                }
            }
        }
    }

    /// A row, of keys that reach beyond the plane at both ends.
    #[inline(always)]
    fn across<S: Simd, const LARGEST: bool>(&self, simd: S, line: &mut [T::Key], centre: &[T], out: &mut [T]) {
        let wanted = self.size[2];
        // The best of 1, 2, 4, … neighbours, until four of these make up as many as are wanted.
        let mut have = 1;
        while 4 * have < wanted {
            doubled::<S, T::Key, LARGEST>(simd, line, have);
            have *= 2;
        }
        let near = have.min(wanted - have);
        let far = wanted - have - near;
        for x in (0..self.columns.width).step_by(BLOCK) {
            let lines = [block(line, x), block(line, x + near), block(line, x + far), block(line, x + near + far)];
            match T::keys_mut(out).filter(|_| self.last.plain && x + BLOCK <= self.columns.width) {
                // Without a last step, keys go from the registers into the row.
                Some(out) => four::<S, T::Key, LARGEST>(simd, lines, block_mut(out, x)),
                None => {
                    let mut keys = [T::Key::zeroed(); BLOCK];
                    four::<S, T::Key, LARGEST>(simd, lines, &mut keys);
                    self.last.put(simd, &keys, centre, x, out);
                }
            }
        }
    }

    /// Two rows, or one.
    #[inline(always)]
    fn rows<S: Simd, const LARGEST: bool>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        lines: &Lines<T::Key>,
        out: &mut PlaneMut<T>,
        spare: &mut Buffer,
    ) {
        let stride = self.stride();
        let (first, rest) = spare.elements(2 * stride).split_at_mut(stride);
        let second = &mut rest[..stride];
        self.down::<S, LARGEST>(simd, lines, [first, second]);
        for (row, line) in [first, second].into_iter().enumerate().take(out.height) {
            self.columns.pad(line, self.constant);
            self.across::<S, LARGEST>(simd, line, window.centre(y + row), out.row_mut(row));
        }
    }
}

impl<T: Ordered> LineFilter<T> for Extreme<T> {
    type Line = T::Key;

    fn shape(&self) -> (usize, usize) {
        (1, self.columns.width.next_multiple_of(ROOM))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, y: Option<usize>, line: &mut [T::Key], _: &mut Buffer) {
        let Some(y) = y else {
            line.fill(self.constant);
            return;
        };
        for t in 0..self.size[0] {
            let row = window.row(self.first_frame + t, y);
            let keys = line.iter_mut().zip(row.iter().map(|&sample| sample.key_within(self.last.most)));
            match (t, self.is_largest) {
                (0, _) => keys.for_each(|(best, key)| *best = key),
                (_, false) => keys.for_each(|(best, key)| *best = (*best).min(key)),
                (_, true) => keys.for_each(|(best, key)| *best = (*best).max(key)),
            }
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
        if self.is_largest {
            self.rows::<S, true>(simd, window, y, lines, out, spare);
        } else {
            self.rows::<S, false>(simd, window, y, lines, out, spare);
        }
    }
}
