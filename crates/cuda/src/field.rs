//! Which rows a launch rebuilds, or takes from another frame, as `kernels/field.cuh` and `kernels/fieldmatch.cu` read it; and the
//! key of grain, as `kernels/grain.cu` reads it.

use crate::pass::{Op, Scan};

/// No field before is known.
const OPENS: u32 = 2;
/// The frame passes through.
const PASSES: u32 = 4;
/// Rows come from another frame.
const WOVEN: u32 = 8;
/// That is the one after.
const FROM_AFTER: u32 = 16;

/// The word of a plane for a frame with that number; 0 for ops that know neither. Of grain it is the key of the frame.
pub(super) fn word(op: &Op, scan: &Scan, number: u64) -> u32 {
    if let Op::Grain(op) = op {
        return op.frame_key(number);
    }
    if let (Op::Fieldmatch(_), Some(weave)) = (op, scan.weave) {
        return weave.rows as u32 | WOVEN | if weave.from_next { FROM_AFTER } else { 0 };
    }
    match op.facts().deinterlacing().map(|fields| fields.task(scan)) {
        None => 0,
        Some(None) => PASSES,
        Some(Some(task)) => task.rebuilt as u32 | if task.opens { OPENS } else { 0 },
    }
}
