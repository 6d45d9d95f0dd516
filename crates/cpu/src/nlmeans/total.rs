//! Sums over squares of any side, along x and then y: of up to seven at once, and of more by doubling: the sums of two
//! neighbours, of four, of eight, and of those the ones that the side is made of. Eleven is one and two and eight.

use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::comparable::{Difference, Squared};

/// The most sums of a vector of the widest set of instructions.
pub const WIDEST: usize = 32;
/// The most parts that a side has.
const MOST_PARTS: usize = 7;

/// What a side is made of: sums of neighbours by doublings, and from which place on.
pub struct Parts {
    side: usize,
    /// Doublings, that of single numbers among them.
    levels: usize,
    /// The doubling, and how many places lie before it.
    taken: Vec<(usize, usize)>,
}

impl Parts {
    /// Of so many.
    pub fn of(side: usize) -> Self {
        if side <= MOST_PARTS {
            return Self { side, levels: 1, taken: (0..side).map(|place| (0, place)).collect() };
        }
        let levels = side.ilog2() as usize + 1;
        let mut taken = Vec::new();
        let mut before = 0;
        for level in (0..levels).filter(|level| side >> level & 1 == 1) {
            taken.push((level, before));
            before += 1 << level;
        }
        Self { side, levels, taken }
    }

    /// Rows of which the sums are kept.
    fn rows(&self) -> usize {
        self.side.next_power_of_two()
    }
}

/// Sums of an offset over a strip.
pub struct Totals<'a, U> {
    parts: &'a Parts,
    /// Columns of the strip.
    columns: usize,
    /// Elements of a line along x.
    wide: usize,
    /// Along x, a line for each doubling, and one for the result.
    across: &'a mut [U],
    /// Along y, for each doubling its last rows.
    down: &'a mut [U],
}

impl<'a, U: Difference> Totals<'a, U> {
    /// For a strip of so many columns, a multiple of [`WIDEST`].
    pub fn new(parts: &'a Parts, columns: usize, memory: &'a mut Buffer) -> Self {
        let (levels, rows) = (parts.levels, parts.rows());
        let wide = columns + (parts.side + rows).next_multiple_of(WIDEST) + WIDEST;
        let across = (levels + 1) * wide;
        let all = across + levels * rows * columns;
        let (across, down) = memory.elements::<U>(all)[..all].split_at_mut(across);
        Self { parts, columns, wide, across, down }
    }

    /// Where the sums of a row and a doubling stand along y.
    #[inline(always)]
    fn slot(&self, row: usize, level: usize) -> usize {
        let rows = self.parts.rows();
        (level * rows + (row & (rows - 1))) * self.columns
    }

    /// Takes in row `i` of differences.
    #[inline(always)]
    pub fn row<S: Simd, K: Squared<U>>(&mut self, simd: S, i: usize, a: &[K], b: &[K]) {
        let (levels, rows, wide, columns) = (self.parts.levels, self.parts.rows(), self.wide, self.columns);
        let needed = columns + (self.parts.side - 1).next_multiple_of(WIDEST);
        let vector = U::IN_LANE * S::LANES;
        let (a, b, squares) = (&a[..needed], &b[..needed], &mut self.across[..needed]);
        let mut x = 0;
        while x + vector <= needed {
            let squared = K::squared(simd, &a[x..x + vector], &b[x..x + vector]);
            simd.store_integers(squared, &mut squares[x..x + vector]);
            x += vector;
        }
        for level in 1..levels {
            let (from, to) = self.across[(level - 1) * wide..].split_at_mut(wide);
            add(simd, &mut to[..needed], [from, &from[1 << (level - 1)..]]);
        }
        let at = self.slot(i, 0);
        let mut lines: [&[U]; MOST_PARTS] = [&[]; MOST_PARTS];
        for (line, &(level, before)) in lines.iter_mut().zip(&self.parts.taken) {
            *line = &self.across[level * wide + before..];
        }
        sum(simd, &mut self.down[at..at + columns], lines, self.parts.taken.len());
        for level in 1..levels {
            let above = self.slot(i.wrapping_sub(1 << (level - 1)), level - 1);
            let (here, at) = (self.slot(i, level - 1), self.slot(i, level));
            let (from, to) = self.down.split_at_mut(level * rows * columns);
            add(simd, &mut to[at - level * rows * columns..][..columns], [&from[here..], &from[above..]]);
        }
    }

    /// The sums over the squares of which row `i` is the last.
    #[inline(always)]
    pub fn squares<S: Simd>(&mut self, simd: S, i: usize) -> &mut [U] {
        let mut lines: [&[U]; MOST_PARTS] = [&[]; MOST_PARTS];
        for (line, &(level, before)) in lines.iter_mut().zip(&self.parts.taken) {
            *line = &self.down[self.slot(i - before, level)..];
        }
        let found = &mut self.across[self.parts.levels * self.wide..][..self.columns];
        sum(simd, found, lines, self.parts.taken.len());
        found
    }
}

/// The sums of the first `count` of some lines.
#[inline(always)]
fn sum<S: Simd, U: Difference>(simd: S, to: &mut [U], lines: [&[U]; MOST_PARTS], count: usize) {
    let [a, b, c, d, e, f, g] = lines;
    match count {
        1 => to.copy_from_slice(&a[..to.len()]),
        2 => add(simd, to, [a, b]),
        3 => add(simd, to, [a, b, c]),
        4 => add(simd, to, [a, b, c, d]),
        5 => add(simd, to, [a, b, c, d, e]),
        6 => add(simd, to, [a, b, c, d, e, f]),
        _ => add(simd, to, [a, b, c, d, e, f, g]),
    }
}

/// The sums of all of them. `to` is whole vectors long.
#[inline(always)]
fn add<S: Simd, U: Difference, const N: usize>(simd: S, to: &mut [U], lines: [&[U]; N]) {
    let (vector, length) = (U::IN_LANE * S::LANES, to.len());
    let mut even = [&[][..]; N];
    for (even, line) in even.iter_mut().zip(lines) {
        *even = &line[..length];
    }
    let mut x = 0;
    while x + vector <= length {
        let mut sum = simd.load_integers(&even[0][x..x + vector]);
        for line in &even[1..] {
            sum = U::plus(simd, sum, simd.load_integers(&line[x..x + vector]));
        }
        simd.store_integers(sum, &mut to[x..x + vector]);
        x += vector;
    }
}
