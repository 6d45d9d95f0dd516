//! Neighbouring steps that bring samples from other places as one.

use crate::pass::{Op, Pass};

use super::guard::Guard;
use super::join::Step;

/// Two steps that only bring samples from other places as one, though each may change the size of frames; `None` where one of
/// them does anything else, or the second reads outside of what the first makes.
pub(super) fn joined(first: &Step, second: &Step) -> Option<Step> {
    let is_plain = |step: &Step| {
        let Step { pass, guard, rate, marks, trajectory, .. } = step;
        let is_apart = pass.decimation.is_some() || pass.companion.is_some() || rate.is_some() || trajectory.is_some();
        !is_apart && !marks && *guard == Guard::default()
    };
    if first.pass.planes.len() != second.pass.planes.len() || !is_plain(first) || !is_plain(second) {
        return None;
    }
    let ops = first.pass.planes.iter().zip(&second.pass.planes).map(|(one, other)| match (&one.op, &other.op) {
        _ if one.after.is_some() || other.after.is_some() => None,
        (Op::Copy, op @ (Op::Copy | Op::Remap(_))) | (op @ Op::Remap(_), Op::Copy) => Some(op.clone()),
        (Op::Remap(one), Op::Remap(other)) => {
            let op = one.then(other)?;
            Some(if op.is_identity() { Op::Copy } else { Op::Remap(op) })
        }
        _ => None,
    });
    let ops = ops.collect::<Option<Vec<_>>>()?;
    let (one, other) = (&first.pass.name, &second.pass.name);
    let mut pass = Pass::new(format!("{one} + {other}"), ops, second.pass.border_t);
    pass.target = second.pass.target.clone().or_else(|| first.pass.target.clone());
    let notes = first.notes.iter().zip(&second.notes).map(|(note, next)| note.clone().and(next.clone())).collect();
    let why = format!("\"{other}\" joins \"{one}\": samples come from their places at once");
    let joins = first.joins.iter().chain(&second.joins).cloned().chain([why]).collect();
    Some(Step { joins, ..Step::new(pass, notes) })
}
