//! Numbers that follow the frames, as they are typed: `640`, `iw/2`, `trunc(ih/4)*2`.

use std::fmt;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::number::number;

/// A number, or an expression of FFmpeg's over some variables, where FFmpeg is there to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: Arc<str>,
    /// Its value, where it has no variables.
    number: Option<f64>,
}

impl Formula {
    /// Reads a number, or an expression over variables of these names.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(text: &str, names: &[&str]) -> Result<Self> {
        let number = number(text).ok();
        if number.is_none() {
            evaluated(text, names, None)?;
        }
        Ok(Self { text: text.into(), number })
    }

    /// Its value for these variables; those that are not known yet are NaN.
    ///
    /// # Errors
    /// If it names others, or its loops do not end.
    pub(super) fn value(&self, variables: &[(&str, f64)]) -> Result<f64> {
        if let Some(number) = self.number {
            return Ok(number);
        }
        let (names, values): (Vec<&str>, Vec<f64>) = variables.iter().copied().unzip();
        evaluated(&self.text, &names, Some(&values)).with_context(|| format!("evaluate {:?}", self.text))
    }

    /// As it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The value of an expression; without values it is only read.
#[cfg(feature = "libav")]
fn evaluated(text: &str, names: &[&str], values: Option<&[f64]>) -> Result<f64> {
    let mut parsed = warpreel_ffmpeg::expression::Expression::parse(&turned_sizes(text), names)?;
    values.map_or(Ok(f64::NAN), |values| parsed.value(values))
}

/// An expression with FFmpeg's `rotw(angle)` and `roth(angle)`, the size of a picture that is turned, written out: they belong
/// to its `rotate` and are no functions of expressions. Parentheses that do not close are left to whoever reads it.
#[cfg(feature = "libav")]
fn turned_sizes(text: &str) -> String {
    let (mut left, mut written) = (text, String::new());
    while let Some(at) = ["rotw(", "roth("].iter().filter_map(|name| left.find(name)).min() {
        let (before, call) = left.split_at(at);
        let (name, behind) = call.split_at("rotw(".len());
        let mut open = 1;
        let end = behind.find(|letter| {
            open += i32::from(letter == '(') - i32::from(letter == ')');
            open == 0
        });
        let is_name = before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let Some((angle, after)) = end.filter(|_| !is_name).map(|end| (&behind[..end], &behind[end + 1..])) else {
            written += before;
            written += name;
            left = behind;
            continue;
        };
        let angle = turned_sizes(angle);
        let [of_width, of_height] = if name == "rotw(" { ["cos", "sin"] } else { ["sin", "cos"] };
        written += &format!("{before}(abs(iw*{of_width}({angle}))+abs(ih*{of_height}({angle})))");
        left = after;
    }
    written + left
}

/// None is read without FFmpeg.
#[cfg(not(feature = "libav"))]
fn evaluated(_: &str, _: &[&str], _: Option<&[f64]>) -> Result<f64> {
    anyhow::bail!("FFmpeg evaluates it, and this build has no FFmpeg; type a number")
}

#[cfg(all(test, feature = "libav"))]
mod tests {
    use super::{Formula, turned_sizes};

    #[test]
    fn sizes_of_turned_pictures_are_written_out() {
        let turned = "2+(abs(iw*cos(PI/(4)))+abs(ih*sin(PI/(4))))*3";
        assert_eq!(turned_sizes("2+rotw(PI/(4))*3"), turned);
        assert_eq!(turned_sizes("roth(a)"), "(abs(iw*sin(a))+abs(ih*cos(a)))");
        for left in ["iw/2", "rotw", "rotw(1", "xrotw(1)", "roth(", ""] {
            assert_eq!(turned_sizes(left), left);
        }
        let nested = Formula::parse("rotw(roth(0))", &["iw", "ih"]).expect("parse");
        let value = nested.value(&[("iw", 30.0), ("ih", 20.0)]).expect("evaluate");
        assert_eq!(value, (30.0 * 20f64.cos()).abs() + (20.0 * 20f64.sin()).abs());
        assert!(Formula::parse("rotw(1", &["iw", "ih"]).is_err());
    }
}
