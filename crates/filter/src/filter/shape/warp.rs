//! Pictures whose samples lie between those of the input: frames that come out as they are shown, and the curves they are made by.

use std::sync::Arc;

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::value::Values;
use super::kernel::SamplingCurve;
use crate::frame::{Format, Turn};
use crate::pass::{Interpolation, Op, Placement, Warp};

/// Interpolation of samples.
pub(in super::super) const INTERPOLATION: Parameter = Parameter::new(
    "interpolation",
    Kind::Name(&["bilinear", "linear", "point", "bicubic", "lanczos", "spline16", "spline36", "spline64"]),
    Preset::Is("bilinear"),
    "how samples are made of those around: bilinear (also called linear) as FFmpeg, or by a curve of scale",
)
.or(&["filter", "kernel"]);
/// b and c of bicubic.
const CATMULL_ROM: [f64; 2] = [0.0, 0.5];

/// The interpolation that was typed.
pub(in super::super) fn interpolation(values: &Values) -> Interpolation {
    match values.word("interpolation") {
        "point" => Interpolation::Nearest,
        "bilinear" | "linear" => Interpolation::Linear,
        name => weighted(&SamplingCurve::named(name, CATMULL_ROM, values.count("taps") as u32)),
    }
}

/// The weights of all phases of a curve; of each phase they sum to 1.
fn weighted(curve: &SamplingCurve) -> Interpolation {
    let taps = 2 * curve.support() as usize;
    let phases = 0..Interpolation::PHASES;
    let weights = phases.flat_map(|phase| {
        let part = phase as f64 / Interpolation::PHASES as f64;
        let row: Vec<f64> = (0..taps).map(|tap| curve.at(tap as f64 - (taps / 2 - 1) as f64 - part)).collect();
        let sum: f64 = row.iter().sum();
        row.into_iter().map(move |weight| (weight / sum) as f32)
    });
    Interpolation::Weighted { taps, weights: weights.collect::<Arc<[f32]>>() }
}

/// Frames of a format as they are shown, each sample from where `placement` says; it is given width and height of the plane that
/// goes in and of the one that comes out, and its number. `size` is that of the frames that come out.
pub(super) fn warped(
    format: &Format,
    size: (usize, usize),
    interpolation: &Interpolation,
    fill: &[f32],
    reason: &str,
    placement: impl Fn((usize, usize), (usize, usize), usize) -> Placement,
) -> Change {
    let shown = Format { turn: Turn::default(), ..format.turn.turned(format) };
    let to = Format { width: size.0, height: size.1, ..shown.clone() };
    let op = |plane| {
        let (from, size) = (shown.plane_size(plane), to.plane_size(plane));
        let placement = placement(from, size, plane);
        let interpolation = interpolation.clone();
        let op = Warp { from, turn: format.turn, size, placement, interpolation, fill: fill[plane] };
        (Op::Warp(op), reason.to_owned())
    };
    Change::to(&to, op)
}
