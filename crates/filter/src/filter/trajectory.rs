//! The place of a picture in each frame: expressions of the frame's number and time.

use std::fmt;

use anyhow::{Context, Result};

use super::expression::{Formula, RunningFormula};
use crate::frame::{Format, Margin, Timing};
use crate::pass::OverlayPlace;

/// A place that moves from frame to frame, as FFmpeg's `overlay` has it: for each frame x, then y, then x again, which may name each
/// other's latest value. What they can name beside sizes:
///
/// | name | value |
/// |---|---|
/// | `n` | the frame's number in the clip, from 0, also where a part of it is read |
/// | `t` | its presentation time in the clip in seconds, likewise; NAN where the clip has no time base |
///
/// Without FFmpeg there are no expressions, so nothing moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    formulas: [Formula; 2],
    /// The variables that stay.
    known: Vec<(&'static str, f64)>,
    /// Luma pixels to a sample of chroma, across and down.
    grain: (usize, usize),
}

/// The variables that change from frame to frame.
const CHANGING: [&str; 4] = ["n", "t", "x", "y"];

impl Trajectory {
    /// That of expressions for x and y of which one names `n` or `t`; `None` where neither does, so that all frames have the same
    /// place. `known` has the variables that stay; `grain` is how many luma pixels share a sample of chroma.
    pub(super) fn new([x, y]: [&Formula; 2], known: Vec<(&'static str, f64)>, grain: (usize, usize)) -> Option<Self> {
        let moves = [x, y].iter().any(|formula| formula.names("n") || formula.names("t"));
        moves.then(|| Self { formulas: [x.clone(), y.clone()], known, grain })
    }

    /// What has to be known of the clip beyond the part of it that is read: the frames' numbers where it names `n`, and every frame
    /// before where it keeps values from frame to frame.
    pub fn margin(&self) -> Margin {
        let [x, y] = &self.formulas;
        // What is named before it is made is that of the frame before.
        let recalls = x.names("x") || y.names("y") || x.names("y") && y.names("x");
        let keeps = recalls || self.formulas.iter().any(Formula::keeps_values);
        let counts = self.formulas.iter().any(|formula| formula.names("n"));
        Margin { before: if keeps { u64::MAX } else { 0 }, counts, ..Margin::default() }
    }

    /// Gets ready for the first frame of a clip.
    ///
    /// # Errors
    /// If an expression cannot be read.
    pub fn watch(&self, format: &Format) -> Result<TrajectoryWatch> {
        let names: Vec<&str> = CHANGING.into_iter().chain(self.known.iter().map(|(name, _)| *name)).collect();
        let values = [f64::NAN; CHANGING.len()].into_iter().chain(self.known.iter().map(|(_, value)| *value));
        let [x, y] = &self.formulas;
        Ok(TrajectoryWatch {
            words: self.to_string(),
            formulas: [x.running(&names)?, y.running(&names)?],
            values: values.collect(),
            seconds: format.time_base.value().unwrap_or(f64::NAN),
            grain: self.grain,
        })
    }
}

impl fmt::Display for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = &self.formulas;
        write!(f, "x={x}, y={y}")
    }
}

/// A trajectory over one clip. It has a memory, because FFmpeg's expressions can keep values from frame to frame.
pub struct TrajectoryWatch {
    words: String,
    formulas: [RunningFormula; 2],
    /// Of the changing variables, then of the others.
    values: Vec<f64>,
    /// How long a unit of the time base is.
    seconds: f64,
    grain: (usize, usize),
}

impl TrajectoryWatch {
    /// The place in the clip's next frame; asked once for each frame, in order. Where an expression is NAN, the picture is outside.
    ///
    /// # Errors
    /// If the loops of an expression evaluate more than 16,777,216 bytes of text in one frame.
    pub fn place(&mut self, timing: &Timing) -> Result<OverlayPlace> {
        let Self { words, formulas, values, seconds, grain } = self;
        values[0] = timing.number as f64;
        values[1] = timing.pts.saturating_add(timing.offset) as f64 * *seconds;
        for axis in [0, 1, 0] {
            let value = formulas[axis].value(values);
            values[2 + axis] = value.with_context(|| format!("{words} on frame {}", timing.number))?;
        }
        Ok(OverlayPlace::new((values[2], values[3]), *grain))
    }
}
