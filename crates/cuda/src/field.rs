//! Which rows a launch rebuilds, as `kernels/field.cuh` reads it.

use crate::pass::{Op, Scan};

/// No field before is known.
const OPENS: u32 = 2;
/// The frame passes through.
const PASSES: u32 = 4;

/// The word of a plane for a frame; 0 for ops that rebuild no fields.
pub(super) fn word(op: &Op, scan: &Scan) -> u32 {
    match op.facts().deinterlacing().map(|fields| fields.task(scan)) {
        None => 0,
        Some(None) => PASSES,
        Some(Some(task)) => task.rebuilt as u32 | if task.opens { OPENS } else { 0 },
    }
}
