//! Claims of the elements of arrays, which the Python module takes before it reads or writes them. The module itself is tested in
//! Python.

use std::collections::HashSet;

#[path = "../python/src/claim.rs"]
#[allow(clippy::module_inception)]
mod claim;

use claim::{Access, Claim, Elements};

/// The addresses of all bytes.
fn bytes(start: usize, y: (isize, usize), x: (isize, usize), size: usize) -> HashSet<usize> {
    let place = |row: usize, column: usize| start.wrapping_add_signed(row as isize * y.0 + column as isize * x.0);
    let places = (0..y.1).flat_map(|row| (0..x.1).map(move |column| (row, column)));
    places.flat_map(|(row, column)| (0..size).map(move |byte| place(row, column) + byte)).collect()
}

#[test]
fn no_shared_byte_is_missed_and_neighbours_are_apart() {
    let axes = |count| [-24, -12, -3, -1, 1, 2, 3, 4, 12, 24].map(|stride: isize| (stride, count));
    let mut grids = Vec::new();
    for y in axes(3).into_iter().chain([(7, 1)]) {
        for x in axes(2).into_iter().chain([(5, 1)]) {
            grids.extend([1000, 1001, 1004, 1012, 1070].map(|start| (start, y, x, 1 + start % 2)));
        }
    }
    for a in &grids {
        let own = bytes(a.0, a.1, a.2, a.3);
        for b in &grids {
            let meets = Elements::grid(a.0, a.1, a.2, a.3).meet(&Elements::grid(b.0, b.1, b.2, b.3));
            assert!(meets || own.is_disjoint(&bytes(b.0, b.1, b.2, b.3)), "{a:?} and {b:?}");
        }
    }
    // The halves of a picture, and its channels.
    let left = Elements::grid(1000, (100, 10), (1, 50), 1);
    assert!(!left.meet(&Elements::grid(1050, (100, 10), (1, 50), 1)));
    assert!(left.meet(&Elements::grid(1049, (100, 10), (1, 50), 1)));
    let red = Elements::grid(1000, (90, 10), (3, 30), 1);
    assert!(!red.meet(&Elements::grid(1001, (90, 10), (3, 30), 1)) && red.meet(&red));
}

#[test]
fn what_is_written_is_used_by_nobody_else() {
    let elements = Elements::all(1 << 40, 10);
    let read = Claim::take(elements, Access::Read);
    assert!(read.is_some() && Claim::take(elements, Access::Read).is_some());
    assert!(Claim::take(elements, Access::Write).is_none());
    drop(read);
    let write = Claim::take(elements, Access::Write);
    assert!(write.is_some() && Claim::take(elements, Access::Read).is_none());
}
