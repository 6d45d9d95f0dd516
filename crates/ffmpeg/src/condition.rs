//! FFmpeg's timeline editing: for which frames of a clip a filter acts, as an expression of `av_expr`.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::expression::Expression;
use crate::frame::{Format, Timing};

/// An expression that is right, as it was typed. What it can name, as in FFmpeg's `enable`:
///
/// | name | value |
/// |---|---|
/// | `t` | the frame's presentation time in the clip in seconds, also where a part of it is read; NAN where the clip has no time base |
/// | `n` | the frame's number in the clip, from 0, likewise |
/// | `w`, `h` | luma pixels across and down |
///
/// FFmpeg's `pos`, the place in the file, is not there: frames do not carry it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    text: Arc<str>,
}

/// The names of its variables.
const NAMES: [&str; 4] = ["t", "n", "w", "h"];

impl Condition {
    /// Reads an expression with FFmpeg's own parser.
    ///
    /// # Errors
    /// What is wrong with it, in FFmpeg's words; also if it is longer than 4096 bytes.
    pub fn parse(text: &str) -> Result<Self> {
        Expression::parse(text, &NAMES)?;
        Ok(Self { text: text.into() })
    }

    /// As it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Gets ready for the first frame of a clip.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn watch(&self, format: &Format) -> Result<Watch> {
        let text = self.text.clone();
        let parsed = Expression::parse(&text, &NAMES).with_context(|| format!("evaluate enable={text:?}"))?;
        let base = format.time_base;
        let seconds = if base.den == 0 { f64::NAN } else { f64::from(base.num) / f64::from(base.den) };
        Ok(Watch { text, parsed, seconds, size: [format.width as f64, format.height as f64] })
    }
}

/// A condition over one clip. It has a memory, because FFmpeg's expressions can keep values from frame to frame.
pub struct Watch {
    /// As it was typed.
    text: Arc<str>,
    parsed: Expression,
    /// How long a unit of the time base is.
    seconds: f64,
    size: [f64; 2],
}

impl Watch {
    /// Whether the condition holds for the clip's next frame; asked once for each frame, in order. As in FFmpeg, it
    /// holds where the expression's magnitude is at least one half, and not where it is NAN.
    ///
    /// # Errors
    /// If its loops evaluate more than 16,777,216 bytes of text in one frame.
    pub fn holds(&mut self, timing: &Timing) -> Result<bool> {
        let [width, height] = self.size;
        let time = timing.pts.saturating_add(timing.offset) as f64 * self.seconds;
        let value = self.parsed.value(&[time, timing.number as f64, width, height]);
        let value = value.with_context(|| format!("enable={:?} on frame {}", self.text, timing.number))?;
        Ok(value.abs() >= 0.5)
    }
}
