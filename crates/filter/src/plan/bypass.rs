//! What goes round a filter: frames that it does not act on, and the parts of the others that it leaves alone.

use std::ops::Range;

use anyhow::Result;

use crate::filter::{Condition, Filter, Region};
use crate::frame::Format;
use crate::pass::{Blend, Op, Pass};

use super::join::Step;
use super::note::Note;

/// A way round some passes of a plan. Each frame that goes into the first of them is kept until its result comes out
/// of the last; then either it goes on in place of the result, or both become one, or the result goes on.
#[derive(Clone, Debug)]
pub struct Bypass {
    /// The passes that it goes round, at least one.
    pub steps: Range<usize>,
    /// For which frames the passes act; all where there is no condition.
    pub enable: Option<Condition>,
    /// The pass that makes one of what went in and what came out, right behind the steps; where there is none, what came
    /// out goes on.
    pub blend: Option<usize>,
}

impl Bypass {
    /// The pass that the frames go to afterwards.
    pub fn next(&self) -> usize {
        self.blend.map_or(self.steps.end, |blend| blend + 1)
    }
}

/// The pass that blends what went into a filter with what came out; `None` where all of the latter is wanted. `mixes`
/// has for each plane how much of the result is wanted beside rectangle and mask, `None` where nothing is changed.
///
/// # Errors
/// If the filter's rectangle or mask does not fit the format.
pub(super) fn blend(filter: &Filter, mixes: &[Option<f64>], format: &Format) -> Result<Option<Step>> {
    filter.roi().map_or(Ok(()), |region| region.check(format))?;
    filter.mask().map_or(Ok(()), |mask| mask.check(format))?;
    // Planes of one size share their weights.
    let mut known: Vec<((u8, u8), f64, Blend)> = Vec::new();
    let ops = mixes.iter().enumerate().map(|(plane, mix)| {
        let Some(mix) = *mix else { return (Op::Copy, Note::new(0, None, "not selected or unchanged")) };
        let size = format.pixel.subsampling(plane);
        let found = known.iter().find(|(other, other_mix, _)| (*other, *other_mix) == (size, mix));
        let blend = found.map_or_else(|| weights(filter, mix, format, plane), |(_, _, blend)| blend.clone());
        known.push((size, mix, blend.clone()));
        match blend.is_second() {
            true => (Op::Copy, Note::new(0, None, "only the result")),
            false => (Op::Blend(blend), Note::new(0, None, reason(filter, mix))),
        }
    });
    let (ops, notes): (Vec<Op>, Vec<Note>) = ops.unzip();
    if ops.iter().all(|op| *op == Op::Copy) {
        return Ok(None);
    }
    let name = format!("{} (blend)", filter.text);
    Ok(Some(Step::new(Pass::new(name, ops, filter.border_t()), notes)))
}

/// How much of the result there is in one plane: the mask times the mix inside the rectangle.
fn weights(filter: &Filter, mix: f64, format: &Format, plane: usize) -> Blend {
    let (width, height) = format.plane_size(plane);
    let (columns, rows) = filter.roi().map_or((0..width, 0..height), |region| region.within(format, plane));
    let Some(mask) = filter.mask() else {
        let all = columns == (0..width) && rows == (0..height);
        let weight = mix as f32;
        return if all { Blend::Even(weight) } else { Blend::Inside { columns, rows, weight } };
    };
    let weight = |x: usize, y: usize| match columns.contains(&x) && rows.contains(&y) {
        true => (mask.weight(format, plane, x, y) * mix) as f32,
        false => 0.0,
    };
    let weights = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| weight(x, y)).collect();
    Blend::Each { width, weights }
}

fn reason(filter: &Filter, mix: f64) -> String {
    let parts = [
        filter.roi().map(Region::to_string),
        filter.mask().map(|mask| mask.path.clone()),
        (mix != 1.0).then(|| format!("mix={mix}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("with the input: {}", parts.join(", "))
}
