//! The picture turned by any angle.

use std::f64::consts::{FRAC_PI_2, PI};

use anyhow::{Result, ensure};

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::value::Values;
use super::flip;
use super::map::turned;
use super::shown::{ShownFrames, check, number, sides};
use super::warp::{INTERPOLATION, interpolation, warped};
use super::{TAPS, size};
use crate::frame::{Format, Turn};
use crate::pass::{Affine, Placement};

/// The variables of the angle: those of sizes, and those of time, for which it has no value.
const NAMES: &[&str] = &["in_w", "iw", "in_h", "ih", "a", "sar", "dar", "hsub", "vsub", "n", "t"];

pub(in super::super) const SPEC: Spec = Spec {
    name: "rotate",
    elsewhere: &[],
    summary: "turns the picture by any angle",
    description: "Turns clockwise about the centre, in the bytes of FFmpeg's rotate where interpolation is bilinear; point gives \
                  those of its bilinear=0. The angle is one for the whole clip; it may be an expression of sizes and PI. expand=1 \
                  makes the picture as large as ow=rotw(angle):oh=roth(angle) does. Quarter turns that fit the size move samples \
                  as transpose does.",
    own: &[
        Parameter::new("a", Kind::Expression(NAMES), Preset::Is("0"), "angle, clockwise")
            .or(&["angle"])
            .unit("radians"),
        size("w", &["ow", "out_w"], "width of the result"),
        size("h", &["oh", "out_h"], "height of the result"),
        INTERPOLATION,
        Parameter::new(
            "color",
            Kind::Colour,
            Preset::Is("black"),
            "the colour around the picture: a name of CSS, or #RRGGBB, with @ and its opacity from 0 to 1 behind it",
        )
        .or(&["c", "fillcolor", "colour"]),
        Parameter::new("expand", Kind::Switch, Preset::Is("0"), "whether the result holds all of the picture"),
        TAPS,
    ],
    example: "rotate=PI/36:interpolation=lanczos",
    change: Some(rotated),
    ..flip::HORIZONTAL
};

/// Fixed-point numbers: π and its half in 1/2²⁰, the sine in 1/2¹⁶.
const HALF_TURN: i64 = 3_294_199;
const QUARTER_TURN: i64 = 1_647_099;
const THREE_QUARTERS: i64 = 4_941_298;
const ANGLE_UNIT: f64 = (1u32 << 20) as f64;
/// The largest angle whose fixed-point number has 32 bits.
const LARGEST: f64 = 2000.0;
/// Difference below which FFmpeg treats two angles as equal.
const SAME: f64 = f32::EPSILON as f64;

fn rotated(values: &Values, format: &Format) -> Result<Change> {
    let shown = ShownFrames { format };
    let variables = shown.variables();
    let of_angle = [&variables[..], &[("n", f64::NAN), ("t", f64::NAN)]].concat();
    let angle = number("a", values.expression("a"), &of_angle, || 0.0)?;
    ensure!(angle.abs() <= LARGEST, "a={angle} is more than {LARGEST} radians; type an angle within a turn, 2*PI");
    let (width, height) = shown.size();
    let (sine, cosine) = (libm::sin(angle).abs(), libm::cos(angle).abs());
    let (wide, high) = match values.is_on("expand") {
        true => (width as f64 * cosine + height as f64 * sine, width as f64 * sine + height as f64 * cosine),
        false => (width as f64, height as f64),
    };
    let (wide, high) = sides(values, &variables, (wide, high))?;
    // To nearest, halves up, as FFmpeg does here.
    let side = |length: f64| (length + 0.5).max(0.0) as usize;
    let size = (side(wide), side(high));
    check(size)?;
    let is_near = |other: f64| (angle - other).abs() < SAME;
    let pixel = format.pixel;
    let stays = size == (width, height);
    let is_quarter = size == (height, width) && pixel.log2_chroma_w == pixel.log2_chroma_h;
    let plain = match angle {
        _ if stays && is_near(0.0) => return Ok(Change::none(format)),
        _ if stays && is_near(PI) => Some(Turn { transposed: false, mirrored: true, flipped: true }),
        _ if is_quarter && is_near(FRAC_PI_2) => Some(Turn { transposed: true, mirrored: true, flipped: false }),
        _ if is_quarter && is_near(3.0 * FRAC_PI_2) => Some(Turn { transposed: true, mirrored: false, flipped: true }),
        _ => None,
    };
    if let Some(turn) = plain {
        return Ok(turned(format, turn, "samples move"));
    }
    let units = (angle * ANGLE_UNIT) as i64;
    let (s, c) = (sine_16(units), sine_16(units + QUARTER_TURN));
    let course = |from: (usize, usize), size: (usize, usize), plane| {
        let [from_width, from_height, width, height] = [from.0, from.1, size.0, size.1].map(|length| length as i64);
        // Planes with other pixels than luma's, such as chroma of 4:2:2, turn with it. FFmpeg has none of them.
        let (wide, high) = shown.subsampling(plane);
        let (rightwards, downwards) = ((s << high) / (1 << wide), (s << wide) / (1 << high));
        let half = |product: i64| product / 2;
        let first = [
            half(-(height - 1) * rightwards) + half(-(width - 1) * c) + 65536 * (from_width - 1) / 2,
            half(-(height - 1) * c) + half((width - 1) * downwards) + 65536 * (from_height - 1) / 2,
        ];
        Placement::Affine(Affine { first, across: [c, -downwards], down: [rightwards, c] })
    };
    let fill = values.colour("color").levels(format);
    Ok(warped(format, size, &interpolation(values), &fill, "samples lie between others", course))
}

/// FFmpeg's sine of an angle in 1/2²⁰, in 1/2¹⁶ (`int_sin` of `libavfilter/vf_rotate.c`).
fn sine_16(angle: i64) -> i64 {
    let mut angle = if angle < 0 { HALF_TURN - angle } else { angle } % (2 * HALF_TURN);
    if angle >= THREE_QUARTERS {
        angle -= 2 * HALF_TURN;
    }
    if angle >= QUARTER_TURN {
        angle = HALF_TURN - angle;
    }
    let square = angle * angle / (1 << 20);
    let (mut term, mut sum) = (angle, 0);
    for i in [2, 4, 6, 8, 10] {
        sum += term;
        term = -term * square / ((1 << 20) * i * (i + 1));
    }
    (sum + 8) >> 4
}

#[cfg(test)]
mod tests {
    use super::{ANGLE_UNIT, sine_16};

    #[test]
    fn the_sine_is_near_that_of_the_textbook() {
        for step in -4000..=4000 {
            let angle = f64::from(step) * 0.0031;
            let exact = 65536.0 * libm::sin(angle);
            let found = sine_16((angle * ANGLE_UNIT) as i64) as f64;
            assert!((found - exact).abs() < 2.0, "{angle}: {found} for {exact}");
        }
    }
}
