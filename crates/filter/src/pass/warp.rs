//! Samples between samples: pictures turned by any angle, or seen from another place.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::affine::Affine;
use super::correction::{Correction, Stabilized, WarpEdge};
use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use crate::frame::{Format, Sample, Turn};

/// Each sample of the result lies at a place of the centre frame, in steps of 1/65536 sample, and is made of the samples
/// around that place. `W` and `H` are width and height of the source as it is shown, `column = ⌊x / 65536⌋`,
/// `fx = x mod 65536`, and `row` and `fy` likewise.
///
/// - [`Placement::Affine`]: where not `-1 ≤ column ≤ W` and `-1 ≤ row ≤ H`, the sample is `fill`.
/// - [`Placement::Projective`]: outside the source its edge is repeated.
/// - [`Placement::Stabilized`]: with [`WarpEdge::Fill`] as the first; otherwise each sample outside is the one inside that
///   [`WarpEdge::inside`] names.
///
/// [`Interpolation`] says how it is made. Places outside the source are clamped to `0 ..= W - 1` and
/// `0 ..= H - 1`, but for those that are mirrored.
///
/// The linear ones with whole numbers are those of FFmpeg's `rotate` and `perspective` (`libavfilter/vf_rotate.c`,
/// `vf_perspective.c`).
#[derive(Clone, Debug, PartialEq)]
pub struct Warp {
    /// Width and height of the plane that goes in, as it is shown.
    pub from: (usize, usize),
    /// Turn of that plane in memory. The result is stored as it is shown.
    pub turn: Turn,
    /// Width and height of the plane that comes out.
    pub size: (usize, usize),
    /// Place of each sample.
    pub placement: Placement,
    /// Its interpolation.
    pub interpolation: Interpolation,
    /// Sample outside the source, where the edge is not repeated.
    pub fill: f32,
}

/// Places of the result's samples in the source.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// Along straight lines, evenly.
    Affine(Affine),
    /// As a plane seen in perspective.
    Projective(Projective),
    /// Against the motion of the camera, which is another for each frame ([`crate::backend::Inputs::correction`]).
    Stabilized(Stabilized),
}

/// With `I = i · 2^finer[0]`, `J = j · 2^finer[1]` and `n(t) = t[0] · I + t[1] · J + t[2]`, in `f64`, each operation rounded and
/// from left to right, `u = 256 · n(terms[0]) / n(terms[2])`, rounded to a whole number, ties to even, no number and what lies
/// below becoming `-2³⁰`, and what lies above `2³⁰`; `x = ⌊u / 2^finer[0]⌋ · 256`. `y` is made of `terms[1]` and `finer[1]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projective {
    /// The three sums.
    pub terms: [[f64; 3]; 3],
    /// By how many powers of two the plane has fewer columns and rows than the picture.
    pub finer: [u8; 2],
}

impl Projective {
    /// The furthest place, in 1/256 of a pixel.
    pub const MOST: f64 = (1u32 << 30) as f64;

    /// One of the three sums.
    pub fn sum([across, down, first]: [f64; 3], [i, j]: [f64; 2]) -> f64 {
        across * i + down * j + first
    }
}

/// Interpolation of a sample from those around its place. `p(c, r)` is a sample of the source.
#[derive(Clone, Debug, PartialEq)]
pub enum Interpolation {
    /// `p(column, row)`.
    Nearest,
    /// Of the four around. `column` and `row` are clamped first; in perspective `fx` is 0 where `column` was below 0, and `fy`
    /// likewise. `c₀ = column`, `c₁ = min(c₀ + 1, W - 1)`, and rows likewise. Of [`Placement::Stabilized`], `column` and
    /// `column + 1` come inside one by one:
    ///
    /// - Whole numbers: `⌊((65536 - fy) ((65536 - fx) p₀₀ + fx p₁₀) + fy ((65536 - fx) p₀₁ + fx p₁₁) + a) / 2³²⌋`, `a` being 0
    ///   of [`Placement::Affine`] and `2³¹` of the others.
    /// - Floats: with `f = fx / 65536`, `g = fy / 65536` and `mix(a, b, f) = f · b + (1 - f) · a`, the product on the right
    ///   rounded, the rest a fused multiply-add: `mix(mix(p₀₀, p₁₀, f), mix(p₀₁, p₁₁, f), g)`. Any NaN becomes the quiet one.
    Linear,
    /// Of `taps` columns from `column - taps / 2 + 1` on and as many rows, by the weights of the phases `⌊fx / 256⌋` and
    /// `⌊fy / 256⌋`: in `f32` each row from left to right, then the sums of rows from top to bottom, each from +0 on with fused
    /// multiply-adds. Whole numbers are rounded to nearest, halves up, and clamped to the format; any NaN becomes the quiet one.
    Weighted {
        /// Columns and rows; even.
        taps: usize,
        /// Those of all phases, one after another.
        weights: Arc<[f32]>,
    },
}

impl Interpolation {
    /// Phases of weights.
    pub const PHASES: usize = 256;
    /// The most columns and rows.
    pub const MAX_TAPS: usize = 32;

    fn check(&self) -> Result<()> {
        let Self::Weighted { taps, weights } = self else { return Ok(()) };
        ensure!((2..=Self::MAX_TAPS).contains(taps) && taps % 2 == 0, "{taps} taps are not even, or not 2 to 32");
        let (count, due) = (weights.len(), taps * Self::PHASES);
        ensure!(count == due, "{count} weights are not {due}");
        ensure!(weights.iter().all(|weight| weight.abs() < 65536.0), "a weight is not a number below 65536");
        Ok(())
    }
}

impl Placement {
    /// Places along straight lines in a plane of `size`, where a pass is run with a correction; those of all frames where
    /// it has none. `None` for a plane in perspective.
    pub fn affine(&self, size: (usize, usize), correction: &Correction) -> Option<Affine> {
        match self {
            Self::Affine(affine) => Some(*affine),
            Self::Projective(_) => None,
            Self::Stabilized(placement) => Some(placement.affine(size, correction)),
        }
    }

    /// Extension of the source beyond its edges.
    pub fn edge(&self) -> WarpEdge {
        match self {
            Self::Affine(_) => WarpEdge::Fill,
            Self::Projective(_) => WarpEdge::Clamp,
            Self::Stabilized(placement) => placement.edge,
        }
    }

    fn check(&self) -> Result<()> {
        match self {
            Self::Affine(Affine { first, across, down }) => {
                let far = [first, across, down].into_iter().flatten().any(|place| place.abs() > Affine::MOST);
                ensure!(!far, "it begins too far outside");
            }
            Self::Projective(Projective { terms, finer }) => {
                ensure!(terms.iter().flatten().all(|term| term.is_finite()), "a sum is not finite");
                ensure!(finer.iter().all(|power| *power <= 4), "its plane is too coarse");
            }
            Self::Stabilized(placement) => placement.check()?,
        }
        Ok(())
    }
}

impl Operation for Warp {
    fn kind(&self) -> &'static str {
        "warp"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let (got, due) = (self.from, self.turn.size(format.plane_size(plane)));
        ensure!(got == due, "it is for planes of {}x{}, not of {}x{}", got.0, got.1, due.0, due.1);
        let (width, height) = self.size;
        ensure!(width > 0 && height > 0, "it leaves no samples");
        ensure!(width <= Format::MAX_SIDE && height <= Format::MAX_SIDE, "{width}x{height} is too large");
        self.placement.check()?;
        let keeps = self.size == self.from;
        ensure!(keeps || !matches!(self.placement, Placement::Stabilized(_)), "a stabilized plane keeps its size");
        self.interpolation.check()?;
        let fits = format.pixel.sample == Sample::F32
            || self.fill.fract() == 0.0 && (0.0..=format.pixel.peak()).contains(&self.fill);
        ensure!(fits, "what lies outside, {}, is no sample", self.fill);
        Ok(())
    }

    fn size(&self) -> Option<(usize, usize)> {
        Some(self.size)
    }

    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { real: self.taps() as u64 * samples, ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        Reach::default()
    }

    fn shape(&self) -> String {
        let course = match self.placement {
            Placement::Affine(_) => "turned",
            Placement::Projective(_) => "in perspective",
            Placement::Stabilized(_) => "stabilized",
        };
        let around = match &self.interpolation {
            Interpolation::Nearest => "nearest".to_owned(),
            Interpolation::Linear => "of 2x2".to_owned(),
            Interpolation::Weighted { taps, .. } => format!("of {taps}x{taps}"),
        };
        format!("{}x{} {course}, {around}", self.size.0, self.size.1)
    }

    fn taps(&self) -> usize {
        match self.interpolation {
            Interpolation::Nearest => 1,
            Interpolation::Linear => 4,
            Interpolation::Weighted { taps, .. } => taps * taps,
        }
    }

    fn bytes(&self, sample: Sample, _: u64) -> u64 {
        let samples = self.from.0 * self.from.1 + self.size.0 * self.size.1;
        (samples * sample.bytes()) as u64
    }
}
