//! What can be done: a [`Pass`] turns a window of frames into one frame, each plane by an [`Op`] of its own.
//!
//! This is plain data. The plan makes it, every backend executes it, and the arithmetic that all of them keep, so that
//! the bytes are the same, is written here:
//!
//! - Taps are applied as correlation: the tap at index `i` meets the sample at `x + i − anchor`.
//! - [`Arithmetic::Integer`]: the sum is exact in `i32`, in any order, then converted to `f32` (to nearest, ties to even).
//! - [`Arithmetic::Real`]: the sum is `f32`, one fused multiply-add a tap, starting at +0, ascending in t, then y, then x.
//! - [`Separable`] runs t, then x, then y; what stands between is unrounded (`i32` or `f32`).
//! - The last step is [`Finish`], each operation rounded to `f32`.
//! - What [`Pass::after`] says becomes of the finished sample, which is rounded as one of the format.
//! - A frame beyond the clip's ends that [`TimeBorder`] makes neutral is neutral inside the plane. Outside the plane
//!   [`Border::Constant`] holds in every frame, also in that one.

mod blend;
mod gain;
mod pointwise;
mod power;
mod rank;

use crate::frame::Format;

pub use blend::Blend;
pub use gain::Gain;
pub use pointwise::{Pointwise, Step, power};
pub use rank::Rank;

/// What lies outside a plane.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Border {
    /// `dcb|abcd|cba`: mirrored about the middle of the edge sample. OpenCV's default, and mostly FFmpeg's.
    #[default]
    Reflect101,
    /// `aaa|abcd|ddd`: the edge sample repeated.
    Clamp,
    /// `cba|abcd|dcb`: mirrored about the edge itself.
    Reflect,
    /// `dcb|abcd|dcb`: [`Border::Reflect101`] at the left and the top, [`Border::Reflect`] at the right and the
    /// bottom. What FFmpeg's `convolution` does in some versions, which the filter's description names.
    Lopsided,
    /// `bcd|abcd|abc`: the other side.
    Wrap,
    /// One value everywhere, in the units of the plane's samples; for [`Arithmetic::Integer`] one that a sample can have.
    Constant(f32),
}

impl Border {
    /// The index in `0..length` that stands for any `index`; `None` where the constant does.
    /// Works however far outside the index lies.
    pub fn index(self, index: isize, length: usize) -> Option<usize> {
        let n = length as isize;
        if (0..n).contains(&index) {
            return Some(index as usize);
        }
        let mirrored = |period: isize, last: isize| {
            let i = index.rem_euclid(period);
            if i < n { i } else { last - i }
        };
        Some(match self {
            Self::Reflect101 if n == 1 => 0,
            Self::Reflect101 => mirrored(2 * n - 2, 2 * n - 2),
            Self::Reflect => mirrored(2 * n, 2 * n - 1),
            Self::Lopsided => mirrored(2 * n - 1, 2 * n - 1),
            Self::Clamp => index.clamp(0, n - 1),
            Self::Wrap => index.rem_euclid(n),
            Self::Constant(_) => return None,
        } as usize)
    }

    /// The constant, or 0 for the other modes.
    pub fn constant(self) -> f32 {
        if let Self::Constant(value) = self { value } else { 0.0 }
    }
}

/// What lies before the first frame and after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TimeBorder {
    /// The end frame repeated.
    #[default]
    Clamp,
    /// Mirrored about the end frame.
    Reflect101,
    /// Frames of no light and no colour ([`crate::frame::Pixel::neutral`]).
    Zero,
}

impl TimeBorder {
    /// The frame in `0..length` that stands for any `index`; `None` for a frame of zeros.
    pub fn index(self, index: isize, length: usize) -> Option<usize> {
        match self {
            Self::Clamp => Border::Clamp.index(index, length),
            Self::Reflect101 => Border::Reflect101.index(index, length),
            Self::Zero => (0..length as isize).contains(&index).then_some(index as usize),
        }
    }
}

/// In which numbers a sum is formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// All taps are integers and Σ|tap| times what a sample's type holds is below 2³¹: exact in `i32`. Never for float
    /// samples.
    Integer,
    /// `f32` with fused multiply-adds in a fixed order.
    Real,
}

/// Taps along one axis; a single tap of 1 does nothing: samples pass through, also −0, which a sum would make +0.
#[derive(Clone, Debug, PartialEq)]
pub struct Taps {
    /// One weight a sample; integers (below 2²⁴, so exact) in [`Arithmetic::Integer`]. Never empty.
    pub weights: Vec<f32>,
    /// The index of the tap that meets the sample itself.
    pub anchor: usize,
}

impl Taps {
    /// The single tap of 1.
    pub fn identity() -> Self {
        Self { weights: vec![1.0], anchor: 0 }
    }

    /// Whether nothing is done along this axis.
    pub fn is_identity(&self) -> bool {
        self.weights == [1.0] && self.anchor == 0
    }

    /// How far the taps reach to either side.
    pub fn reach(&self) -> usize {
        self.anchor.max(self.weights.len() - 1 - self.anchor)
    }
}

/// Taps in t, y and x.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// How many taps in t, y, x; none is 0.
    pub size: [usize; 3],
    /// The index of the tap that meets the sample itself, in t, y, x.
    pub anchor: [usize; 3],
    /// All weights, ascending in t, then y, then x.
    pub weights: Vec<f32>,
}

impl Kernel {
    /// How many frames it reaches to either side.
    pub fn reach_t(&self) -> usize {
        self.anchor[0].max(self.size[0] - 1 - self.anchor[0])
    }
}

/// How the sums of several kernels over the same samples become one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combine {
    /// `((a + b) + c) + …` in `f32`; with one kernel, its sum.
    Sum,
    /// `sqrt(((a·a) + b·b) + …)`, every operation rounded to `f32`, the root correctly.
    Magnitude,
    /// The largest absolute value; of a number and a NaN the number.
    Max,
    /// The largest; of a number and a NaN the number. Which zero stands for both makes no difference, because the bias
    /// that is added last is never −0.
    Largest,
}

/// The last step, each operation rounded to `f32`:
/// `v = sum · scale; if dry ≠ 0 { v = v + centre · dry }; v = v + bias`, then for integer samples
/// `floor(v + 0.5)` clamped to `0 ..= 2^depth − 1`, NaN giving 0. Float samples keep `v`, but every NaN is written as
/// `0x7fc0_0000`, since which NaN an operation gives depends on the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finish {
    /// Factor of the sum.
    pub scale: f32,
    /// Weight of the unfiltered sample (of the centre frame); 0 leaves the step out.
    pub dry: f32,
    /// Added last, in the units of the samples.
    pub bias: f32,
}

impl Finish {
    /// The sum itself.
    pub const PLAIN: Self = Self { scale: 1.0, dry: 0.0, bias: 0.0 };
}

/// A kernel that is the product of one along each axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Separable {
    /// Run first.
    pub t: Taps,
    /// Run second.
    pub x: Taps,
    /// Run last.
    pub y: Taps,
    /// In which numbers; bounds hold for the product of all three.
    pub arithmetic: Arithmetic,
    /// Outside the plane.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

/// One or more kernels of any shape over the same samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// At least one.
    pub kernels: Vec<Kernel>,
    /// How several become one; also applied to a single one.
    pub combine: Combine,
    /// In which numbers each sum is formed; the combination is in `f32`.
    pub arithmetic: Arithmetic,
    /// Outside the plane.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

/// What is done to one plane.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// The samples of the centre frame, untouched.
    Copy,
    /// Along one axis after another.
    Separable(Separable),
    /// All taps at once.
    Dense(Dense),
    /// Each sample by itself.
    Pointwise(Pointwise),
    /// One of the samples around, by its rank.
    Rank(Rank),
    /// Two frames as one; in a pass that holds nothing else but copies.
    Blend(Blend),
    /// Each sample times the number that the frame is given when the pass is run.
    Gain(Gain),
}

impl Op {
    /// The last step, of ops that have one.
    pub fn finish_mut(&mut self) -> Option<&mut Finish> {
        match self {
            Self::Copy | Self::Pointwise(_) | Self::Blend(_) => None,
            Self::Rank(op) => Some(&mut op.finish),
            Self::Separable(op) => Some(&mut op.finish),
            Self::Dense(op) => Some(&mut op.finish),
            Self::Gain(op) => Some(&mut op.finish),
        }
    }

    /// How many frames it needs before and after the centre.
    pub fn reach_t(&self) -> usize {
        match self {
            Self::Copy | Self::Pointwise(_) | Self::Blend(_) | Self::Gain(_) => 0,
            Self::Rank(op) => op.reach_t(),
            Self::Separable(op) => op.t.reach(),
            Self::Dense(op) => op.kernels.iter().map(Kernel::reach_t).max().unwrap_or(0),
        }
    }
}

/// One or more filters, or a step of one, as machines execute them: a window of frames in, one frame of the same format
/// out.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// What the user called it, for messages and statistics: `gaussian=sigma=2`, `gaussian=sigma=2 + invert`.
    pub name: String,
    /// One a plane.
    pub ops: Vec<Op>,
    /// One a plane: what becomes of each finished sample of the op's result, as if in a pass of its own. `None` beside
    /// [`Op::Copy`] and [`Op::Pointwise`], of which it would make another [`Op::Pointwise`].
    pub after: Vec<Option<Pointwise>>,
    /// Before the first frame and after the last.
    pub border_t: TimeBorder,
}

impl Pass {
    /// Ops with nothing after them.
    pub fn new(name: impl Into<String>, ops: Vec<Op>, border_t: TimeBorder) -> Self {
        Self { name: name.into(), after: vec![None; ops.len()], ops, border_t }
    }

    /// How many frames the window holds on either side of the centre.
    pub fn reach(&self) -> usize {
        self.ops.iter().map(Op::reach_t).max().unwrap_or(0)
    }

    /// Whether it makes one frame of two.
    pub fn is_blend(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Blend(_)))
    }

    /// How many frames its window has; the centre is in the middle.
    pub fn window(&self) -> usize {
        2 * self.reach() + 1
    }

    /// How many images it looks at: those of the window, and before them the second one of a blend. The centre is at place
    /// `images / 2`.
    pub fn images(&self) -> usize {
        self.window() + usize::from(self.is_blend())
    }

    /// Whether the pass says what is done to each of the format's planes.
    pub fn fits(&self, format: &Format) -> bool {
        [self.ops.len(), self.after.len()] == [format.pixel.planes(); 2]
    }
}
