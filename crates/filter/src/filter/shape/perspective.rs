//! The picture as it is seen from another place.

use anyhow::{Result, ensure};

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::value::Values;
use super::TAPS;
use super::flip;
use super::shown::{ShownFrames, number};
use super::warp::{INTERPOLATION, interpolation, warped};
use crate::frame::Format;
use crate::pass::{Placement, Projective};

/// The variables of corners.
const NAMES: &[&str] = &["W", "H", "in_w", "iw", "in_h", "ih", "a", "sar", "dar", "hsub", "vsub"];

/// A coordinate of a corner.
const fn corner(name: &'static str, preset: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Expression(NAMES), Preset::Derived(preset), help).unit("pixels")
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "perspective",
    elsewhere: &["keystone", "warpPerspective"],
    summary: "corrects or applies perspective",
    description: "Four corners of the input become those of the picture, in the bytes of FFmpeg's perspective with its linear \
                  interpolation: a screen filmed from the side becomes a rectangle. With sense=destination the picture's corners \
                  go to these places instead. The edge of the input is repeated outside it.",
    own: &[
        corner("x0", "0", "column of the top left corner"),
        corner("y0", "0", "row of the top left corner"),
        corner("x1", "W", "column of the top right corner"),
        corner("y1", "0", "row of the top right corner"),
        corner("x2", "0", "column of the bottom left corner"),
        corner("y2", "H", "row of the bottom left corner"),
        corner("x3", "W", "column of the bottom right corner"),
        corner("y3", "H", "row of the bottom right corner"),
        INTERPOLATION,
        Parameter::new(
            "sense",
            Kind::Word(&["source", "destination"]),
            Preset::Is("source"),
            "source: the corners are places of the input; destination: of the result",
        ),
        TAPS,
    ],
    example: "perspective=W*0.02:H*0.05:W*0.97:0:0:H*0.96:W:H",
    change: Some(seen),
    ..flip::HORIZONTAL
};

fn seen(values: &Values, format: &Format) -> Result<Change> {
    let shown = ShownFrames { format };
    let (width, height) = shown.size();
    let (w, h) = (width as f64, height as f64);
    let mut variables = shown.variables();
    variables.extend([("W", w), ("H", h)]);
    variables.retain(|(name, _)| NAMES.contains(name));
    let place = |name: &'static str, or: f64| number(name, values.expression(name), &variables, || or);
    let corners = [
        [place("x0", 0.0)?, place("y0", 0.0)?],
        [place("x1", w)?, place("y1", 0.0)?],
        [place("x2", 0.0)?, place("y2", h)?],
        [place("x3", w)?, place("y3", h)?],
    ];
    let terms = match values.word("sense") {
        "destination" => to_corners(corners, w, h),
        _ => from_corners(corners, w, h),
    };
    // A sum that is 0 everywhere has no quotients.
    let spans = terms.iter().all(|sum| sum.iter().any(|term| *term != 0.0));
    ensure!(
        spans && terms.iter().flatten().all(|term| term.is_finite()),
        "the corners lie on a line; type four of a rectangle seen from the side"
    );
    if corners == [[0.0, 0.0], [w, 0.0], [0.0, h], [w, h]] {
        return Ok(Change::none(format));
    }
    let placement = |_, _, plane| {
        let (across, down) = shown.subsampling(plane);
        Placement::Projective(Projective { terms, finer: [across, down] })
    };
    let fill = vec![0.0; format.pixel.planes()];
    Ok(warped(format, (width, height), &interpolation(values), &fill, "samples lie between others", placement))
}

/// The sums of a picture whose corners are these of the input, as FFmpeg forms them (`libavfilter/vf_perspective.c`).
fn from_corners([a, b, c, d]: [[f64; 2]; 4], w: f64, h: f64) -> [[f64; 3]; 3] {
    let across = ((a[0] - b[0] - c[0] + d[0]) * (c[1] - d[1]) - (a[1] - b[1] - c[1] + d[1]) * (c[0] - d[0])) * h;
    let down = ((a[1] - b[1] - c[1] + d[1]) * (b[0] - d[0]) - (a[0] - b[0] - c[0] + d[0]) * (b[1] - d[1])) * w;
    let q = (b[0] - d[0]) * (c[1] - d[1]) - (c[0] - d[0]) * (b[1] - d[1]);
    let axis =
        |n: usize| [q * (b[n] - a[n]) * h + across * b[n], q * (c[n] - a[n]) * w + down * c[n], q * a[n] * w * h];
    [axis(0), axis(1), [across, down, q * w * h]]
}

/// The sums of a picture whose own corners go to these places.
fn to_corners([a, b, c, d]: [[f64; 2]; 4], w: f64, h: f64) -> [[f64; 3]; 3] {
    let t0 = a[0] * (d[1] - b[1]) + b[0] * (a[1] - d[1]) + d[0] * (b[1] - a[1]);
    let t1 = b[0] * (c[1] - d[1]) + c[0] * (d[1] - b[1]) + d[0] * (b[1] - c[1]);
    let t2 = a[0] * (d[1] - c[1]) + c[0] * (a[1] - d[1]) + d[0] * (c[1] - a[1]);
    let t3 = a[0] * (b[1] - c[1]) + b[0] * (c[1] - a[1]) + c[0] * (a[1] - b[1]);
    let (e, g) = (a[1] * c[0] - a[0] * c[1], a[1] * b[0] - a[0] * b[1]);
    [
        [t0 * t1 * w * (c[1] - a[1]), t0 * t1 * w * (a[0] - c[0]), t0 * t1 * w * e],
        [t1 * t2 * h * (b[1] - a[1]), t1 * t2 * h * (a[0] - b[0]), t1 * t2 * h * g],
        [
            t1 * t2 * (b[1] - a[1]) + t0 * t3 * (c[1] - d[1]),
            t1 * t2 * (a[0] - b[0]) + t0 * t3 * (d[0] - c[0]),
            t1 * t2 * g + t0 * t3 * (c[0] * d[1] - c[1] * d[0]),
        ],
    ]
}
