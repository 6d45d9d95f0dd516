//! Neighbouring steps as one pass, where that gives the bytes of one after the other.
//!
//! Planes meet only where an op has a guide; but for that two steps join if they do so plane by plane, and [`join`]
//! decides that.
//!
//! What is done to single samples joins the op before it, which has each of them in hand once. It does not join the op
//! after it: that meets a sample once a tile and once a frame of its window, and as its unfiltered centre, in as many
//! places of every backend; and constants and neutral frames, which its borders put among them, would have to stay as
//! they are.

use std::cmp::Ordering;

use crate::filter::{RateChange, Trajectory, letter};
use crate::frame::{Pixel, Sample};
use crate::pass::{
    Arithmetic, Border, Combine, Finish, Kernel, Op, Pass, PlaneOp, Pointwise, Rank, Reach, Separable, Taps, TimeBorder,
};

use super::guard::Guard;
use super::note::Note;

/// A pass, and how it came about.
#[derive(Clone, Debug)]
pub struct Step {
    /// What a backend runs.
    pub pass: Pass,
    /// How each op came about.
    pub notes: Vec<Note>,
    /// Why several steps are one, a sentence for each that was added.
    pub joins: Vec<String>,
    /// What has to be known of the frames that go in.
    pub guard: Guard,
    /// Which frames come out, and how often, at a rate of their own; `None` for each once. Such a step is alone, and its pass
    /// copies, or blends a frame with the next for those in between.
    pub rate: Option<RateChange>,
    /// Whether it says which fields its frames have, so that steps behind it see others than went in.
    pub marks: bool,
    /// The place of the picture that its pass lays over each frame, if that moves.
    pub trajectory: Option<Trajectory>,
}

impl Step {
    /// A step by itself.
    pub(super) fn new(pass: Pass, notes: Vec<Note>) -> Self {
        Self { pass, notes, joins: Vec::new(), guard: Guard::default(), rate: None, marks: false, trajectory: None }
    }

    /// Whether its result depends on the numbers of frames.
    pub(super) fn counts(&self) -> bool {
        self.pass.decimation.is_some() || self.pass.ops().any(|op| op.facts().counts())
    }

    /// Exact reach in frames, before and after.
    pub(super) fn looks(&self) -> [u64; 2] {
        if let Some(decimation) = &self.pass.decimation {
            return [decimation.cycle.into(); 2];
        }
        let reach = self.pass.ops().map(|op| op.facts().reach()).fold(Reach::default(), Reach::union);
        let guard = self.guard.reach();
        [reach.before[0] + guard, reach.after[0] + guard].map(|frames| frames as u64)
    }

    /// Frames needed on either side, for the pass and for what has to be known before it.
    pub(super) fn reach(&self) -> usize {
        if let Some(decimation) = &self.pass.decimation {
            // The whole cycle, the frame before it, and the one behind it, which says how long it is.
            return decimation.cycle as usize;
        }
        self.window_reach() + self.guard.reach()
    }

    /// Frames on either side that are there when it is done: those of the pass, or the next one, before which a frame is
    /// shown.
    pub fn window_reach(&self) -> usize {
        self.pass.reach().max(usize::from(self.rate.is_some()))
    }
}

/// All steps, each joined to the one before it where that may be; and the names of those that cancel out.
pub(super) fn joined(steps: Vec<Step>, pixel: Pixel) -> (Vec<Step>, Vec<String>) {
    let (mut done, mut cancelled): (Vec<Step>, Vec<String>) = (Vec::new(), Vec::new());
    for step in steps {
        let Some(both) = done.last().and_then(|last| join(last, &step, pixel)) else {
            done.push(step);
            continue;
        };
        done.pop();
        if both.pass.ops().all(|op| *op == Op::Copy) {
            cancelled.push(both.pass.name);
        } else {
            done.push(both);
        }
    }
    (done, cancelled)
}

/// Two steps as one; `None` where that would give other bytes. The one place that decides it.
fn join(first: &Step, second: &Step, pixel: Pixel) -> Option<Step> {
    // Cuts and brightness are those of what goes into that very step.
    if [first.guard, second.guard] != [Guard::default(); 2] {
        return None;
    }
    // Whoever reads motion knows it by the one filter that found it.
    if first.pass.ops().chain(second.pass.ops()).any(|op| op.told().is_some()) {
        return None;
    }
    // A guide is what it is before the pass, so the first step has to leave it as it is.
    let guides = second.pass.ops().filter_map(|op| op.facts().guide());
    if guides.into_iter().any(|guide| first.pass.planes[guide.plane].op != Op::Copy) {
        return None;
    }
    // So are all planes of colour, where they are looked at together.
    let couples = second.pass.ops().any(|op| op.facts().couples());
    if couples && first.pass.ops().take(pixel.planes() - usize::from(pixel.alpha)).any(|op| *op != Op::Copy) {
        return None;
    }
    let border_t = match (first.pass.reach(), second.pass.reach()) {
        (_, 0) => first.pass.border_t,
        (0, _) => second.pass.border_t,
        // Which frame this one repeats depends on the reach.
        _ if first.pass.border_t == TimeBorder::Lopsided => return None,
        _ if first.pass.border_t == second.pass.border_t => first.pass.border_t,
        _ => return None,
    };
    let planes = (0..pixel.planes())
        .map(|plane| both(first, second, plane, border_t, pixel.sample))
        .collect::<Option<Vec<_>>>()?;
    let mut why: Vec<(String, Vec<char>)> = Vec::new();
    for (plane, joined) in planes.iter().enumerate() {
        let Some(reason) = &joined.reason else { continue };
        match why.iter_mut().find(|(known, _)| known == reason) {
            Some((_, letters)) => letters.push(letter(pixel, plane)),
            None => why.push((reason.clone(), vec![letter(pixel, plane)])),
        }
    }
    let (one, other) = (&first.pass.name, &second.pass.name);
    let told = match &why[..] {
        [] => "they change different planes".to_owned(),
        reasons => {
            let words = reasons.iter().map(|(reason, letters)| {
                let letters: Vec<String> = letters.iter().map(char::to_string).collect();
                format!("{reason} ({})", letters.join(", "))
            });
            words.collect::<Vec<_>>().join("; ")
        }
    };
    let mut joins = first.joins.clone();
    joins.extend(second.joins.iter().cloned());
    joins.push(format!("\"{other}\" joins \"{one}\": {told}"));
    let mut pass = Pass::new(format!("{one} + {other}"), Vec::new(), border_t);
    let mut notes = Vec::new();
    for Joined { op, after, note, .. } in planes {
        pass.planes.push(PlaneOp { op, after });
        notes.push(note);
    }
    Some(Step { pass, notes, joins, guard: Guard::default(), rate: None, marks: false, trajectory: None })
}

/// What is done to one plane.
struct Joined {
    op: Op,
    after: Option<Pointwise>,
    note: Note,
    /// Why it is done at once; `None` where only one of the two changes the plane.
    reason: Option<String>,
}

/// One plane of two steps.
fn both(first: &Step, second: &Step, plane: usize, border_t: TimeBorder, sample: Sample) -> Option<Joined> {
    let of = |step: &Step| (step.pass.planes[plane].clone(), step.notes[plane].clone());
    let (PlaneOp { op, after }, note) = of(first);
    let (PlaneOp { op: next, after: next_after }, next_note) = of(second);
    let joined = match (op, next) {
        (op, Op::Copy) => return Some(Joined { op, after, note, reason: None }),
        (Op::Copy, op) => return Some(Joined { op, after: next_after, note: next_note, reason: None }),
        (Op::Pointwise(points), Op::Pointwise(next)) => {
            let (points, reason) = composed(&points, &next, sample)?;
            (points.map_or(Op::Copy, Op::Pointwise), None, reason)
        }
        (op, Op::Pointwise(next)) if op.facts().finish().is_some() => match after {
            None => (op, Some(next), "single samples, changed as they are written".to_owned()),
            Some(points) => {
                let (points, reason) = composed(&points, &next, sample)?;
                (op, points, reason)
            }
        },
        (Op::Rank(one), Op::Rank(other)) if after.is_none() => {
            let rank = extremes(&one, &other, border_t)?;
            let [a, b, both] = [&one, &other, &rank].map(|rank| size(rank.size));
            let which = if rank.rank == 0 { "smallest" } else { "largest" };
            (Op::Rank(rank), next_after, format!("the {which} of {a} and then of {b} is that of {both}"))
        }
        (one, other) if after.is_none() => {
            (shifts(&one, &other, border_t)?, next_after, "two shifts are one".to_owned())
        }
        _ => return None,
    };
    let (op, after, reason) = joined;
    Some(Joined { op, after, note: note.and(next_note), reason: Some(reason) })
}

/// Points after points, `None` if nothing is left of them; and why they are one.
fn composed(first: &Pointwise, second: &Pointwise, sample: Sample) -> Option<(Option<Pointwise>, String)> {
    let points = first.then(second)?;
    let reason = match &points {
        points if points.is_identity(sample) => return Some((None, "one undoes the other".to_owned())),
        Pointwise::Table(_) => "two tables are one",
        Pointwise::Steps { .. } => "steps on single samples, in one list",
    };
    Some((Some(points), reason.to_owned()))
}

fn size([t, y, x]: [usize; 3]) -> String {
    if t == 1 { format!("{x}x{y}") } else { format!("{x}x{y}x{t}") }
}

/// The most samples along an axis of a joined box: as many as a filter can ask for by itself. Longer ones need more
/// shared memory than GPUs have.
const LONGEST: usize = 255;

/// Two extremes in the same direction as one, of the box that the two make together.
///
/// An extreme is that of a set of samples, so it is enough that the sets are the same. The set of the first at a place
/// `p` is `B(p + b1)` for all offsets `b1` of its box, where `B` is the border; that of both is the union of the first's
/// over the places `p = B(x + b2)`; and that of the joined box is `B(x + b1 + b2)`. Sets are products of those along
/// each axis. For places `p` inside there is nothing to show; for the others, which exist only where the second box has
/// more than one sample along the axis:
/// - Reflections and [`Border::Wrap`]: `B` is the same for `i` and `g(i)`, `g` any of the reflections or translations that
///   it is made of, and `g(p) + b1 = g(p ± b1)`, minus for reflections. So the sets are the same if, for reflections,
///   the first box has `−b1` for each `b1`. This holds in planes of any size.
/// - [`Border::Clamp`]: boxes are intervals around 0. If `x + b2` lies before the plane, then `p = 0` is a place anyway, and
///   brings all from 0 to the end of the first box; of the joined box what `x + b2 + b1` clamps to is among those.
/// - [`Border::Constant`]: the places inside bring the samples of the joined box; and the constant is in either set exactly
///   if the joined box reaches outside, because 0 is in both boxes. Neutral frames beyond the clip's ends are such a
///   constant in time; outside the plane they hold the border's constant like all others, and that is there then.
///
/// That samples pass through the last step in between makes no difference: [`Finish::PLAIN`] gives every integer back, and
/// of floats makes +0 of −0 and writes NaNs alike, as it does in the end.
fn extremes(first: &Rank, second: &Rank, border_t: TimeBorder) -> Option<Rank> {
    let last = |rank: &Rank| rank.rank + 1 == rank.samples();
    let smallest = first.rank == 0 && second.rank == 0;
    let largest = last(first) && last(second);
    if !(smallest || largest) || [first.finish, second.finish] != [Finish::PLAIN; 2] {
        return None;
    }
    let border = common(first.border, second.border, [first.size, second.size].map(|[_, y, x]| y * x > 1))?;
    let turns = [
        border_t == TimeBorder::Reflect101,
        matches!(border, Border::Reflect101 | Border::Reflect | Border::Lopsided),
        matches!(border, Border::Reflect101 | Border::Reflect | Border::Lopsided),
    ];
    let lopsided = |axis: usize| first.size[axis] != 2 * first.anchor[axis] + 1 && second.size[axis] > 1;
    if (0..3).any(|axis| turns[axis] && lopsided(axis)) {
        return None;
    }
    let size = [0, 1, 2].map(|axis| first.size[axis] + second.size[axis] - 1);
    let samples: usize = size.iter().product();
    if size.iter().any(|size| *size > LONGEST) || samples > Rank::MAX_SAMPLES {
        return None;
    }
    let anchor = [0, 1, 2].map(|axis| first.anchor[axis] + second.anchor[axis]);
    Some(Rank { size, anchor, rank: if smallest { 0 } else { samples - 1 }, border, finish: Finish::PLAIN })
}

/// The border of two ops of which `reach` says whether they reach outside the plane.
fn common(first: Border, second: Border, reach: [bool; 2]) -> Option<Border> {
    match reach {
        [_, false] => Some(first),
        [false, _] => Some(second),
        _ => (first == second).then_some(first),
    }
}

/// Two ops that only move integer samples as one that moves them all the way.
///
/// Each sample is `B(B(x + b) + a)`, `B` the border, and of the joined op `B(x + b + a)`. Along an axis on which one of
/// the two moves nothing they are the same; else with [`Border::Wrap`], and with [`Border::Clamp`] and [`Border::Constant`]
/// where both move the same way, because what one of them brings from outside the other leaves there. Reflections turn the
/// way about. In time it is the same; but a frame beyond the clip's ends is neutral also where the second op would bring
/// the constant of the plane's border into it.
fn shifts(first: &Op, second: &Op, border_t: TimeBorder) -> Option<Op> {
    let ((a, first), (b, second)) = (shift(first)?, shift(second)?);
    let border = common(first, second, [a, b].map(|[_, y, x]| y != 0 || x != 0))?;
    let constant = matches!(border, Border::Constant(_));
    let ends = matches!(border_t, TimeBorder::Clamp | TimeBorder::Zero);
    for axis in 0..3 {
        let same_way = a[axis].signum() * b[axis].signum() >= 0;
        let free = match axis {
            0 => same_way && ends,
            _ => border == Border::Wrap || same_way && (border == Border::Clamp || constant),
        };
        if a[axis] != 0 && b[axis] != 0 && !free {
            return None;
        }
    }
    if constant && border_t == TimeBorder::Zero && b[0] != 0 {
        return None;
    }
    let [t, y, x] = [0, 1, 2].map(|axis| moved(a[axis] + b[axis]));
    if [&t, &y, &x].into_iter().all(Taps::is_identity) {
        return Some(Op::Copy);
    }
    let (arithmetic, finish) = (Arithmetic::Integer, Finish::PLAIN);
    Some(Op::Separable(Separable { t, x, y, arithmetic, border, finish }))
}

/// Taps that bring the sample at this distance.
fn moved(distance: isize) -> Taps {
    let mut weights = vec![0.0; distance.unsigned_abs() + 1];
    match distance.cmp(&0) {
        Ordering::Less => weights[0] = 1.0,
        _ => weights[distance as usize] = 1.0,
    }
    Taps { weights, anchor: (-distance).max(0) as usize }
}

/// From how far in t, y and x an op brings samples, if that is all it does, and its border.
fn shift(op: &Op) -> Option<([isize; 3], Border)> {
    let (distance, border, finish) = match op {
        Op::Separable(Separable { t, x, y, arithmetic: Arithmetic::Integer, border, finish }) => {
            let distances = [t, y, x].map(|taps| Some(only(&taps.weights)? as isize - taps.anchor as isize));
            let [Some(t), Some(y), Some(x)] = distances else { return None };
            ([t, y, x], border, finish)
        }
        Op::Dense(op) if op.arithmetic == Arithmetic::Integer && op.combine == Combine::Sum => {
            let [Kernel { size: [_, rows, columns], anchor, weights }] = &op.kernels[..] else { return None };
            let at = only(weights)?;
            let place = [at / columns / rows, at / columns % rows, at % columns];
            ([0, 1, 2].map(|axis| place[axis] as isize - anchor[axis] as isize), &op.border, &op.finish)
        }
        _ => return None,
    };
    (*finish == Finish::PLAIN).then_some((distance, *border))
}

/// The place of a 1 among zeros.
fn only(weights: &[f32]) -> Option<usize> {
    let at = weights.iter().position(|weight| *weight != 0.0)?;
    (weights[at] == 1.0 && weights[at + 1..].iter().all(|weight| *weight == 0.0)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BORDERS: [Border; 6] =
        [Border::Reflect101, Border::Clamp, Border::Reflect, Border::Lopsided, Border::Wrap, Border::Constant(0.0)];

    /// Where the samples of a row of `length` come from that a box of `size` and `anchor` holds at `x`.
    fn set(border: Border, length: usize, (size, anchor): (usize, usize), x: usize) -> Vec<Option<usize>> {
        (0..size).map(|i| border.index((x + i) as isize - anchor as isize, length)).collect()
    }

    /// Boxes of any size and anchor: where they are joined, both ways hold the same samples.
    #[test]
    fn joined_boxes_hold_the_same_samples() {
        let boxes = || (1..6).flat_map(|size| (0..size).map(move |anchor| (size, anchor)));
        let (mut joined, mut refused) = (0, 0);
        for border in BORDERS {
            for (first, second) in boxes().flat_map(|first| boxes().map(move |second| (first, second))) {
                let rank = |(size, anchor)| {
                    let (size, anchor) = ([1, 1, size], [0, 0, anchor]);
                    Rank { size, anchor, rank: 0, border, finish: Finish::PLAIN }
                };
                let Some(both) = extremes(&rank(first), &rank(second), TimeBorder::Clamp) else {
                    refused += 1;
                    continue;
                };
                joined += 1;
                for (length, x) in (1..7).flat_map(|length| (0..length).map(move |x| (length, x))) {
                    let places = set(border, length, second, x).into_iter();
                    let through = |place: Option<usize>| match place {
                        Some(place) => set(border, length, first, place),
                        None => vec![None],
                    };
                    let mut one_by_one: Vec<_> = places.flat_map(through).collect();
                    let mut at_once = set(border, length, (both.size[2], both.anchor[2]), x);
                    for set in [&mut one_by_one, &mut at_once] {
                        set.sort();
                        set.dedup();
                    }
                    assert_eq!(at_once, one_by_one, "{border:?}, {first:?}, {second:?}, {x} of {length}");
                }
            }
        }
        assert!(joined > refused && refused > 0, "{joined} joined, {refused} refused");
    }
}
