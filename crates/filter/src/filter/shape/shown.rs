//! A picture as it is shown, and sizes in its terms.

use anyhow::{Result, ensure};

use super::super::expression::Formula;
use super::super::value::Values;
use crate::frame::{Format, Rational};

/// The frames of a format as they are shown.
pub(in super::super) struct ShownFrames<'a> {
    pub(in super::super) format: &'a Format,
}

impl ShownFrames<'_> {
    /// Width and height.
    pub(in super::super) fn size(&self) -> (usize, usize) {
        self.format.turn.size((self.format.width, self.format.height))
    }

    /// How many luma samples share a chroma sample, across and down.
    pub(in super::super) fn grain(&self) -> (usize, usize) {
        let pixel = self.format.pixel;
        self.format.turn.size((1 << pixel.log2_chroma_w, 1 << pixel.log2_chroma_h))
    }

    /// By how many powers of two a plane is narrower and lower.
    pub(in super::super) fn subsampling(&self, plane: usize) -> (u8, u8) {
        let (across, down) = self.format.pixel.subsampling(plane);
        if self.format.turn.transposed { (down, across) } else { (across, down) }
    }

    /// Width of a pixel over its height; 1 where unknown.
    pub(super) fn aspect(&self) -> f64 {
        let aspect = self.format.aspect;
        let aspect = if self.format.turn.transposed { aspect.inverse() } else { aspect };
        aspect.value().unwrap_or(1.0)
    }

    /// The variables of FFmpeg's expressions for sizes, of which those of the output are not known yet.
    pub(super) fn variables(&self) -> Vec<(&'static str, f64)> {
        let ((width, height), (across, down)) = (self.size(), self.grain());
        let (width, height, sar) = (width as f64, height as f64, self.aspect());
        let (a, unknown) = (width / height, f64::NAN);
        let [iw, ih, ow, oh] = [["in_w", "iw"], ["in_h", "ih"], ["out_w", "ow"], ["out_h", "oh"]];
        let both = |names: [&'static str; 2], value| names.map(|name| (name, value));
        let sizes = [both(iw, width), both(ih, height), both(ow, unknown), both(oh, unknown)];
        let rest = [("a", a), ("sar", sar), ("dar", a * sar), ("hsub", across as f64), ("vsub", down as f64)];
        sizes.into_iter().flatten().chain(rest).collect()
    }

    /// The aspect of pixels of a picture of the same shape and another size; as it is where it is unknown, or the new one is
    /// no ratio of 32-bit numbers.
    pub(super) fn aspect_at(&self, (width, height): (usize, usize)) -> Rational {
        let Rational { num, den } = self.format.aspect;
        if num <= 0 || den <= 0 {
            return self.format.aspect;
        }
        let (width, height) = self.format.turn.size((width, height));
        let (from_width, from_height) = (self.format.width as u64, self.format.height as u64);
        let (wide, high) = (num as u64 * from_width * height as u64, den as u64 * from_height * width as u64);
        Rational::reduced(wide, high).ok().flatten().unwrap_or(self.format.aspect)
    }

    /// The format of the same frames in another size.
    ///
    /// # Errors
    /// If there are no such frames.
    pub(super) fn resized(&self, size: (usize, usize)) -> Result<Format> {
        check(size)?;
        let (width, height) = self.format.turn.size(size);
        Ok(Format { width, height, ..self.format.clone() })
    }
}

/// Refuses sizes that frames cannot have.
///
/// # Errors
/// The size, and what may be typed.
pub(super) fn check((width, height): (usize, usize)) -> Result<()> {
    let (most, allowed) = (Format::MAX_SIDE, 1..=Format::MAX_SIDE);
    ensure!(
        allowed.contains(&width) && allowed.contains(&height),
        "the picture would become {width}x{height}; type a size from 1 to {most}"
    );
    Ok(())
}

/// Variables with values.
fn known(variables: &[(&'static str, f64)], more: &[(&'static str, f64)]) -> Vec<(&'static str, f64)> {
    let value = |(name, value): &(&'static str, f64)| {
        let found = more.iter().find(|(other, _)| other == name);
        (*name, found.map_or(*value, |(_, value)| *value))
    };
    variables.iter().map(value).collect()
}

/// The value of an expression, or a default where there is none.
///
/// # Errors
/// If it is no number, or out of the range of sizes.
pub(in super::super) fn number(
    name: &str,
    expression: Option<&Formula>,
    variables: &[(&str, f64)],
    or: impl FnOnce() -> f64,
) -> Result<f64> {
    let Some(expression) = expression else { return Ok(or()) };
    let value = expression.value(variables)?;
    let text = expression.text();
    ensure!(!value.is_nan(), "{name}={text} is not a number here; type one that depends on the frames alone");
    let shown = || if value.abs() < 1e12 { format!("{value:.0}") } else { format!("{value:e}") };
    ensure!(value.abs() < 1e6, "{name}={text} is {}; type one within the size of frames", shown());
    Ok(value)
}

/// Width and height that expressions give, each of which may name the other, or the defaults.
///
/// # Errors
/// As [`number`].
pub(super) fn sides(
    values: &Values,
    variables: &[(&'static str, f64)],
    (width, height): (f64, f64),
) -> Result<(f64, f64)> {
    let side = |name: &str, variables: &[(&str, f64)], or| number(name, values.expression(name), variables, || or);
    let guess = side("w", variables, width).unwrap_or(f64::NAN);
    let high = side("h", &known(variables, &[("out_w", guess), ("ow", guess)]), height)?;
    let wide = side("w", &known(variables, &[("out_h", high), ("oh", high)]), width)?;
    Ok((wide, high))
}

/// Variables with the size of the output.
pub(super) fn sized(variables: &[(&'static str, f64)], (wide, high): (f64, f64)) -> Vec<(&'static str, f64)> {
    known(variables, &[("out_w", wide), ("ow", wide), ("out_h", high), ("oh", high)])
}
