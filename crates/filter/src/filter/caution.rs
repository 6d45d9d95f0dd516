//! Values that are allowed, and that a user may not have meant: taps, angles, sizes.

use std::f64::consts::TAU;

use super::chain::Filter;
use super::matrix::ParsedKernels;
use super::parameter::Kind;
use super::shape::{crop, rotate};
use super::stencil::Matrix;

impl Filter {
    /// One line on values that are allowed but unusual: taps in a row as long as a square, an angle in degrees, a shape where a
    /// size is taken. `None` where nothing is.
    pub fn caution(&self) -> Option<String> {
        let taps = || self.kernels().flat_map(|parsed| &parsed.kernels).find_map(unwrapped);
        let words = taps().or_else(|| self.in_degrees()).or_else(|| self.as_shape()).or_else(|| self.as_factor());
        let words = words.or_else(|| self.as_period())?;
        Some(format!("{}: {words}", self.excerpt()))
    }

    /// Of an angle that was typed as a number of more than a turn.
    fn in_degrees(&self) -> Option<String> {
        let angle = self.plain("a").filter(|angle| self.spec.name == rotate::SPEC.name && angle.abs() > TAU)?;
        let turns = (angle / TAU * 100.0).round() / 100.0;
        Some(format!("{angle} radians are {turns} turns; for degrees type rotate={angle}*PI/180"))
    }

    /// Of a picture that would be cropped to the size of an icon, by two numbers that are a shape.
    fn as_shape(&self) -> Option<String> {
        const LARGEST: f64 = 21.0;
        let side = |name| self.plain(name).filter(|side| self.spec.name == crop::SPEC.name && *side <= LARGEST);
        let (width, height) = (side("w")?, side("h")?);
        Some(format!("the picture becomes {width}x{height} pixels; for that shape type crop=iw:iw*{height}/{width}"))
    }

    /// Of a picture that would get a few pixels wide, by a number that is a factor, or a shape, `crop=16/9`.
    fn as_factor(&self) -> Option<String> {
        const LARGEST: f64 = 10.0;
        let width = self.values().expression("w")?.text();
        let is_one = |name: &str| self.spec.name == name;
        let number = |text: &str| text.trim().parse::<f64>().ok();
        if let (true, Some((first, second))) = (is_one("crop"), width.split_once('/')) {
            let shape = number(first)? / number(second)?;
            return (shape < LARGEST).then(|| {
                format!("the picture becomes {shape:.2} pixels wide; for that shape type crop=iw:iw*{second}/{first}")
            });
        }
        if let Some(thousands) = width.strip_suffix('k').filter(|_| is_one("scale")).and_then(number) {
            return Some(format!("{width} is {} pixels; for UHD type scale=3840:-2", thousands * 1000.0));
        }
        let factor = number(width).filter(|width| is_one("scale") && (1.0..=LARGEST).contains(width))?;
        Some(format!(
            "the picture becomes {factor} pixels wide; for {factor} times that size type scale=iw*{factor}:-2"
        ))
    }

    /// Of a condition that is a difference, `enable=10-20`.
    fn as_period(&self) -> Option<String> {
        let (from, to) = self.values().condition()?.text().split_once('-')?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        (is_number(from) && is_number(to)).then(|| {
            format!(
                "{from}-{to} is one number, the same for all frames; for seconds type enable='between(t,{from},{to})'"
            )
        })
    }

    /// A value that was typed as a number where an expression may be.
    fn plain(&self, name: &str) -> Option<f64> {
        self.values().expression(name)?.text().parse().ok()
    }

    /// The kernels that were typed.
    fn kernels(&self) -> impl Iterator<Item = &ParsedKernels> {
        let parameters = self.spec.parameters().filter(|p| matches!(p.kind, Kind::Kernel | Kind::File));
        parameters.filter_map(|parameter| self.values().kernel(parameter.name))
    }
}

/// Of a kernel in one row of as many taps as a square has, unless they rise and fall as those of a blur do.
fn unwrapped(kernel: &Matrix) -> Option<String> {
    let [1, 1, count] = kernel.size else { return None };
    let side =
        (1..).step_by(2).take_while(|side| side * side <= count).find(|side| side * side == count && *side > 1)?;
    let taps = &kernel.weights;
    let peak = count / 2;
    let is_bell = taps[..=peak].is_sorted() && taps[peak..].is_sorted_by(|a, b| a >= b) && taps[0] < taps[peak];
    if is_bell {
        return None;
    }
    let advice = match count {
        9 => {
            let row = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
            format!("kernel='{}'", taps.chunks(side).map(row).collect::<Vec<_>>().join("; "))
        }
        _ => format!("with ; after each of its {side} rows"),
    };
    Some(format!("{count} taps in one row; a square of {side}x{side} is typed {advice}"))
}
