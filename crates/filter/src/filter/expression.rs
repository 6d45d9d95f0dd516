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
    let mut parsed = warpreel_ffmpeg::expression::Expression::parse(text, names)?;
    values.map_or(Ok(f64::NAN), |values| parsed.value(values))
}

/// None is read without FFmpeg.
#[cfg(not(feature = "libav"))]
fn evaluated(_: &str, _: &[&str], _: Option<&[f64]>) -> Result<f64> {
    anyhow::bail!("FFmpeg evaluates it, and this build has no FFmpeg; type a number")
}

#[cfg(all(test, feature = "libav"))]
mod tests {
    use super::Formula;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "FFmpeg's expressions have the C library's values")]
    fn turned_pictures_have_a_size() {
        let value = |text: &str| {
            let parsed = Formula::parse(text, &["ih", "n", "iw"]).expect("parse");
            parsed.value(&[("ih", 20.0), ("n", 7.0), ("iw", 30.0)]).expect("evaluate")
        };
        assert_eq!(value("rotw(0)+1"), 31.0);
        assert_eq!(value("rotw(roth(0))"), (30.0 * 20f64.cos()).abs() + (20.0 * 20f64.sin()).abs());
        assert!((value("roth(PI/(2))") - 30.0).abs() < 1e-9);
        for wrong in ["rotw(1", "rotw", "rotw()", "turned(1)"] {
            assert!(Formula::parse(wrong, &["iw", "ih"]).is_err(), "{wrong}");
        }
        let nested = format!("{}0{}", "rotw(".repeat(60), ")".repeat(60));
        assert!(
            Formula::parse(&nested, &["iw", "ih"])
                .is_ok_and(|parsed| parsed.value(&[("iw", 1.0), ("ih", 1.0)]).is_ok())
        );
        assert!(Formula::parse("rotw(1)", &["n", "t"]).is_err());
    }
}
