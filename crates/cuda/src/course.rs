//! Where planes are met in frames that are moved, and where pictures lie that move.

use crate::pass::{Affine, Correction, Op, Overlay, OverlayPlace, Pass, Placement, Warp};

/// Places of a stabilized plane's samples, x and y in 1/65536: of the first, to the right, down. Of a picture that moves, column and
/// row of its first sample, then zeros.
pub(super) type Course = [i64; 6];

/// Where the planes of a result are met in a frame that is moved so far, and where a picture lies that moves; zeros for other planes.
pub(super) fn of(pass: &Pass, correction: &Correction, place: OverlayPlace) -> [Course; 4] {
    let mut courses = [Course::default(); 4];
    for (course, op) in courses.iter_mut().zip(pass.ops()) {
        match op {
            Op::Warp(Warp { placement: Placement::Stabilized(placement), size, .. }) => {
                let Affine { first, across, down } = placement.affine(*size, correction);
                *course = [first[0], first[1], across[0], across[1], down[0], down[1]];
            }
            Op::Overlay(Overlay { columns, rows, motion: Some(motion), .. }) => {
                let (column, row) = motion.corner((columns.len(), rows.len()), place);
                *course = [column as i64, row as i64, 0, 0, 0, 0];
            }
            _ => {}
        }
    }
    courses
}
