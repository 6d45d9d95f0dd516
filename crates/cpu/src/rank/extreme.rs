//! The smallest or the largest: along t and x once a row, then along y.

use super::super::border::Columns;
use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use super::around::{columns, first_frame};
use super::block::{BLOCK, Last};
use super::key::Ordered;
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// Which of the two. The largest is the smallest of the keys turned about.
#[derive(Clone, Copy)]
enum Extremum {
    Smallest,
    Largest,
}

impl Extremum {
    #[inline(always)]
    fn turned<T: Ordered>(self, key: T::Key) -> T::Key {
        match self {
            Self::Smallest => key,
            Self::Largest => !key,
        }
    }
}

/// Extremes over a box.
pub struct Extreme<T: Ordered> {
    end: Extremum,
    size: [usize; 3],
    first_frame: usize,
    columns: Columns,
    constant: T::Key,
    last: Last,
}

impl<T: Ordered> Extreme<T> {
    pub fn new(op: &Rank, setting: &Setting) -> Self {
        let end = if op.rank == 0 { Extremum::Smallest } else { Extremum::Largest };
        Self {
            end,
            size: op.size,
            first_frame: first_frame(op, setting),
            columns: columns(op, setting),
            constant: end.turned::<T>(T::of(op.border.constant()).key()),
            last: Last::new(op, setting.pixel()),
        }
    }

    #[inline(always)]
    fn over_time(&self, window: &PlaneWindow<T>, y: usize, line: &mut [T::Key]) {
        for t in 0..self.size[0] {
            let row = window.row(self.first_frame + t, y);
            let keys = row.iter().map(|&sample| self.end.turned::<T>(sample.key_within(self.last.most)));
            if t == 0 {
                line.iter_mut().zip(keys).for_each(|(least, key)| *least = key);
            } else {
                line.iter_mut().zip(keys).for_each(|(least, key)| *least = (*least).min(key));
            }
        }
    }
}

/// `to[i] = min(from[i], from[i + step])` as far as there are both.
#[inline(always)]
fn shifted<K: Ord + Copy>(from: &[K], step: usize, to: &mut [K]) {
    let pairs = from.iter().zip(&from[step..]);
    to.iter_mut().zip(pairs).for_each(|(to, (&a, &b))| *to = a.min(b));
}

#[inline(always)]
fn lower<K: Ord + Copy>(least: &mut [K; BLOCK], line: &[K]) {
    least.iter_mut().zip(line).for_each(|(least, &key)| *least = (*least).min(key));
}

impl<T: Ordered> LineFilter<T> for Extreme<T> {
    type Line = T::Key;

    fn shape(&self) -> (usize, usize) {
        (1, self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(
        &self,
        _: S,
        window: &PlaneWindow<T>,
        y: Option<usize>,
        line: &mut [T::Key],
        spare: &mut Buffer,
    ) {
        let Some(y) = y else {
            line.fill(self.constant);
            return;
        };
        self.over_time(window, y, &mut line[self.columns.left..]);
        self.columns.pad(line, self.constant);
        // The least of 1, 2, 4, … neighbours, and at last of as many as are wanted.
        let (length, wanted) = (line.len(), self.size[2]);
        let spare = &mut spare.elements::<T::Key>(length)[..length];
        let mut have = 1;
        while have < wanted {
            let step = have.min(wanted - have);
            shifted(line, step, spare);
            line[..length - step].copy_from_slice(&spare[..length - step]);
            have += step;
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
        _: &mut Buffer,
    ) {
        let rows = self.size[1];
        for x in (0..self.columns.width).step_by(BLOCK) {
            // What both rows meet, then what only one of them does.
            let first = *lines.line(0, rows.min(1)).get(x..).and_then(|line| line.first_chunk::<BLOCK>()).expect(ROOM);
            let mut shared = first;
            (2..rows).for_each(|r| lower(&mut shared, &lines.line(0, r)[x..]));
            for row in 0..out.height {
                let mut least = shared;
                match (rows, row) {
                    (1, _) => least = *lines.line(0, row)[x..].first_chunk().expect(ROOM),
                    (_, 0) => lower(&mut least, &lines.line(0, 0)[x..]),
                    _ => lower(&mut least, &lines.line(0, rows)[x..]),
                }
                least.iter_mut().for_each(|key| *key = self.end.turned::<T>(*key));
                self.last.put(simd, &least, window.centre(y + row), x, out.row_mut(row));
            }
        }
    }
}

/// Why a line has a whole block from every multiple of a block on.
const ROOM: &str = "lines have room for a last block that is not full";
