//! What a pass has to know of the frames that go into it, beside their samples: where scenes begin, how bright each is, how the camera moves.
//!
//! It stands beside the pass of a [`super::Step`] and not in it, because backends have nothing to do with it: they add up
//! samples, and the pipeline draws the conclusions.

pub use crate::filter::Mean;

use crate::filter;
use crate::frame::{Pixel, Sample};
use crate::pass::{Finish, Gain, Op};

use super::note::Note;

/// What has to be known for one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Guard {
    /// Where scenes begin, each a clip of its own for the pass.
    pub cuts: Cuts,
    /// How the factor of [`Op::Gain`] comes about.
    pub steady: Option<Steady>,
    /// Frames on each side over which the camera's path is smoothed, where the pass moves frames against its motion.
    pub smoothing: Option<usize>,
}

/// How a pass learns where scenes begin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Cuts {
    /// There is one scene.
    #[default]
    None,
    /// A frame begins one if its scene score, in the input of the pass, is above this: 0 to 1.
    Above(f64),
    /// As the pass before: both are steps of one filter.
    Inherited,
    /// There is one scene, and the pass gets the difference between each frame and the one before: a change of the rate
    /// draws conclusions of its own.
    Differences,
}

/// A frame's factor: the average brightness of a window of frames over its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// Frames in the window, at least 1; of an even number, one more lies before the frame than behind.
    pub size: usize,
    /// How their means become one.
    pub mean: Mean,
    /// What brightness is counted from, in the units of samples of [`Pixel::measured_depth`].
    pub black: f64,
}

impl Steady {
    /// Frames that the window reaches to either side at most.
    pub fn reach(&self) -> usize {
        self.size / 2
    }

    pub(super) fn of(wanted: &filter::Steady, pixel: Pixel) -> Self {
        let black = match pixel.sample {
            Sample::F32 => wanted.black * (65535.0 / 255.0),
            _ => wanted.black * f64::from(1u32 << (pixel.depth - 8)),
        };
        Self { size: wanted.size, mean: wanted.mean, black }
    }
}

impl Guard {
    /// Whether frames have to be measured for it.
    pub fn measures(&self) -> bool {
        self.compares() || self.reach() > 0
    }

    /// Frames on each side that have to be known for one, beside those that the pass looks at.
    pub fn reach(&self) -> usize {
        self.steady.map_or(0, |steady| steady.reach()).max(self.smoothing.unwrap_or(0))
    }

    /// True if each frame is compared with the one before.
    pub fn compares(&self) -> bool {
        matches!(self.cuts, Cuts::Above(_) | Cuts::Differences)
    }
}

/// The op that multiplies by the factor.
pub(super) fn lower(wanted: &filter::Steady, pixel: Pixel) -> (Op, Note) {
    let black = match pixel.sample {
        Sample::F32 => (wanted.black / 255.0) as f32,
        _ => wanted.black as f32 * (1u32 << (pixel.depth - 8)) as f32,
    };
    let finish = Finish { scale: wanted.mix as f32, dry: (1.0 - wanted.mix) as f32, bias: 0.0 };
    let reason = format!("times one number per frame, from the brightness of {} frames", wanted.size);
    (Op::Gain(Gain { black, finish }), Note::new(0, None, reason))
}
