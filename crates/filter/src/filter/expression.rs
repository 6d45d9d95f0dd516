//! Numbers that follow the frames, as they are typed: `640`, `iw/2`, `trunc(ih/4)*2`.

use std::fmt;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::number::number;

#[cfg(not(feature = "libav"))]
use absent::NoExpression as Expression;
#[cfg(feature = "libav")]
use warpreel_ffmpeg::expression::Expression;

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
            Expression::parse(text, names)?;
        }
        Ok(Self { text: text.into(), number })
    }

    /// Its value for these variables; those that are not known yet are NaN.
    ///
    /// # Errors
    /// If it names others, or its loops do not end.
    pub(super) fn value(&self, variables: &[(&str, f64)]) -> Result<f64> {
        let (names, values): (Vec<&str>, Vec<f64>) = variables.iter().copied().unzip();
        self.running(&names)?.value(&values)
    }

    /// Itself, to be evaluated for one frame after another over variables of these names.
    ///
    /// # Errors
    /// If it names others.
    pub(super) fn running(&self, names: &[&str]) -> Result<RunningFormula> {
        let value = match self.number {
            Some(number) => FormulaValue::Number(number),
            None => {
                let parsed = Expression::parse(&self.text, names);
                FormulaValue::Expression(parsed.with_context(|| format!("evaluate {:?}", self.text))?)
            }
        };
        Ok(RunningFormula { text: self.text.clone(), value })
    }

    /// Whether it names a variable.
    pub(super) fn names(&self, variable: &str) -> bool {
        self.number.is_none() && words(&self.text).any(|word| word == variable)
    }

    /// Whether it keeps values from one evaluation to the next, or may.
    pub(super) fn keeps_values(&self) -> bool {
        self.number.is_none() && keeps_values(&self.text)
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

/// A formula that is evaluated for one frame after another; functions that keep values keep them.
pub(super) struct RunningFormula {
    text: Arc<str>,
    value: FormulaValue,
}

/// How it gets its value.
enum FormulaValue {
    Number(f64),
    Expression(Expression),
}

impl RunningFormula {
    /// Its value for one value of each variable, in the order of the names.
    ///
    /// # Errors
    /// If its loops do not end.
    pub(super) fn value(&mut self, values: &[f64]) -> Result<f64> {
        match &mut self.value {
            FormulaValue::Number(number) => Ok(*number),
            FormulaValue::Expression(expression) => {
                expression.value(values).with_context(|| format!("evaluate {:?}", self.text))
            }
        }
    }
}

/// The names in an expression: of variables, functions and constants.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.split(move |letter| !is_part(letter)).filter(|word| !word.is_empty())
}

/// Whether an expression keeps values from one evaluation to the next, or may.
pub(super) fn keeps_values(text: &str) -> bool {
    /// The functions of FFmpeg's expressions that read or write what they keep.
    const KEEPING: [&str; 7] = ["st", "ld", "random", "randomi", "while", "taylor", "root"];

    words(text).any(|word| KEEPING.contains(&word))
}

/// None is read without FFmpeg.
#[cfg(not(feature = "libav"))]
mod absent {
    use anyhow::{Result, bail};

    /// An expression of a build that cannot read any.
    pub enum NoExpression {}

    impl NoExpression {
        /// Reads none.
        pub fn parse(_: &str, _: &[&str]) -> Result<Self> {
            bail!("FFmpeg evaluates it, and this build has no FFmpeg; type a number")
        }

        /// Its value.
        pub fn value(&mut self, _: &[f64]) -> Result<f64> {
            match *self {}
        }
    }
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
