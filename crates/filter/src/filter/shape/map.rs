//! Whole-sample maps: where a sample of the result comes from, in terms of the picture as it is shown or as it is stored.

use super::super::change::Change;
use crate::frame::{Format, Turn};
use crate::pass::{Border, Course, Op, Remap};

/// `place = matrix · place + offset`, a turn by quarters, a mirroring and a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SampleMap {
    matrix: [[isize; 2]; 2],
    offset: [isize; 2],
}

impl SampleMap {
    /// Moves: the first sample comes from `(x, y)`.
    pub(super) fn moved(x: isize, y: isize) -> Self {
        Self { matrix: [[1, 0], [0, 1]], offset: [x, y] }
    }

    /// Mirrors a picture of this size: left and right, top and bottom.
    fn mirrored((width, height): (usize, usize), across: bool, down: bool) -> Self {
        let axis = |is: bool, length: usize| if is { (-1, length as isize - 1) } else { (1, 0) };
        let ((x, first_x), (y, first_y)) = (axis(across, width), axis(down, height));
        Self { matrix: [[x, 0], [0, y]], offset: [first_x, first_y] }
    }

    /// Exchanges rows and columns.
    fn transposed() -> Self {
        Self { matrix: [[0, 1], [1, 0]], offset: [0, 0] }
    }

    /// First `self`, then `next`.
    fn then(self, next: Self) -> Self {
        let entry = |row: usize, column: usize| (0..2).map(|k| next.matrix[row][k] * self.matrix[k][column]).sum();
        let matrix = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
        let moved = |row: usize| (0..2).map(|k| next.matrix[row][k] * self.offset[k]).sum::<isize>() + next.offset[row];
        Self { matrix, offset: [moved(0), moved(1)] }
    }

    /// From places of a shown picture of this size to those of the stored one.
    fn stored(turn: Turn, shown: (usize, usize)) -> Self {
        let mirrored = Self::mirrored(shown, turn.mirrored, turn.flipped);
        if turn.transposed { mirrored.then(Self::transposed()) } else { mirrored }
    }

    /// From places of a stored picture to those of the shown one, which has this size.
    fn shown(turn: Turn, shown: (usize, usize)) -> Self {
        let mirrored = Self::mirrored(shown, turn.mirrored, turn.flipped);
        if turn.transposed { Self::transposed().then(mirrored) } else { mirrored }
    }
}

/// Frames whose pictures are turned as they are shown. `reason` says why each plane is what it is.
pub(super) fn turned(format: &Format, turn: Turn, reason: &str) -> Change {
    // Which turn of the stored picture that is does not depend on its size.
    let whole = Format { width: 1, height: 1, ..format.clone() };
    let op = |from: &Format, to: &Format, plane| {
        remap(from, to, plane, Border::Clamp, |_, after| SampleMap::stored(turn, after))
    };
    let stored = match op(&whole, &turn.turned(&whole), 0) {
        Op::Remap(Remap { transposed: true, columns, rows, .. }) => {
            Turn { transposed: true, mirrored: rows.backwards, flipped: columns.backwards }
        }
        Op::Remap(Remap { columns, rows, .. }) => {
            Turn { transposed: false, mirrored: columns.backwards, flipped: rows.backwards }
        }
        _ => Turn::default(),
    };
    let to = stored.turned(format);
    Change::to(&to, |plane| (op(format, &to, plane), reason.to_owned()))
}

/// The op for a plane. `map` is given width and height of the plane that goes in and of the one that comes out, as they are
/// shown, and says where a shown sample of the latter comes from in the former.
pub(super) fn remap(
    from: &Format,
    to: &Format,
    plane: usize,
    border: Border,
    map: impl FnOnce((usize, usize), (usize, usize)) -> SampleMap,
) -> Op {
    let (before, after) = (from.plane_size(plane), to.plane_size(plane));
    let (shown_before, shown_after) = (from.turn.size(before), to.turn.size(after));
    let map = SampleMap::shown(to.turn, shown_after)
        .then(map(shown_before, shown_after))
        .then(SampleMap::stored(from.turn, shown_before));
    let course = |row: usize, column: usize| Course { first: map.offset[row], backwards: map.matrix[row][column] < 0 };
    let transposed = map.matrix[0][0] == 0;
    let (columns, rows) = if transposed { (course(0, 1), course(1, 0)) } else { (course(0, 0), course(1, 1)) };
    let op = Remap { from: before, size: after, transposed, columns, rows, border };
    if op.is_identity() { Op::Copy } else { Op::Remap(op) }
}
