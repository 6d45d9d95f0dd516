//! Sums over small patches of some rows at once, along x and then y, in 16 bits each or the largest that there is.

use super::super::simd::Simd;
use super::comparable::Difference;

/// The most samples along the side of a patch.
pub const WIDEST: usize = 7;
/// Rows that share most of their sums along y.
pub const ROWS: usize = 4;

/// Sums of a vector of squares and those to the right of it, along x: of each one, of three, of five, of seven.
#[derive(Clone, Copy)]
pub struct Along<V> {
    pub sums: [V; WIDEST / 2 + 1],
}

impl<V: Copy> Along<V> {
    /// Those of the vector before. A sum is one of two squares, and the next smaller one from two places on; so of a row's
    /// last vector those in the first places are right.
    #[inline(always)]
    pub fn before<S: Simd<I32 = V>, const PATCH: usize>(self, simd: S, squared: V) -> Self {
        let mut sums = [squared; WIDEST / 2 + 1];
        let next = simd.up_by_16(simd.follow(squared, self.sums[0]));
        let next = simd.or_i32(simd.down_i32(squared, simd.splat_i32(16)), next);
        let two = u16::plus(simd, squared, next);
        for i in 1..PATCH / 2 + 1 {
            sums[i] = u16::plus(simd, two, simd.follow(sums[i - 1], self.sums[i - 1]));
        }
        Self { sums }
    }
}

/// The sums along y of the patches of [`ROWS`] rows, for a vector of columns from `x` on. What all of them have is summed
/// once, and what is above and below that grows row by row.
#[inline(always)]
pub fn squares_of<S: Simd, const PATCH: usize>(
    simd: S,
    lines: &[&[u16]; WIDEST + ROWS - 1],
    x: usize,
) -> [S::I32; ROWS] {
    let mut rows = [simd.splat_i32(0); WIDEST + ROWS - 1];
    for (row, line) in rows[..PATCH + ROWS - 1].iter_mut().zip(lines) {
        *row = simd.load_integers(&line[x..]);
    }
    let mut found = [rows[ROWS - 1]; ROWS];
    if PATCH < ROWS {
        for (row, found) in found.iter_mut().enumerate() {
            *found = rows[row];
            for i in 1..PATCH {
                *found = u16::plus(simd, *found, rows[row + i]);
            }
        }
        return found;
    }
    for row in &rows[ROWS..PATCH] {
        found[0] = u16::plus(simd, found[0], *row);
    }
    let [mut above, mut below] = [rows[ROWS - 2], rows[PATCH]];
    found = [found[0]; ROWS];
    for i in 1..ROWS {
        if i > 1 {
            above = u16::plus(simd, above, rows[ROWS - 1 - i]);
            below = u16::plus(simd, below, rows[PATCH - 1 + i]);
        }
        found[ROWS - 1 - i] = u16::plus(simd, found[ROWS - 1 - i], above);
        found[i] = u16::plus(simd, found[i], below);
    }
    found
}
