//! Colours mapped to colours: three planes read together.

mod curves;
mod lattice;
mod matrix;
mod vibrance;

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::operation::Operation;
use crate::frame::{Family, Format, Sample};

pub use curves::ToneCurves;
pub use lattice::{Lattice, LatticeMode};
pub use matrix::ColourMatrix;
pub use vibrance::Vibrance;

/// Each sample becomes that of its own plane of the colour that the colour of its place is mapped to. Everything is `f32`, each
/// operation rounded, none fused; a float sample that is infinite or no number counts as 0.
///
/// The colour of a place is `c = (r, g, b)`, from 0 to 1:
///
/// - RGB: `v · unit` of each plane, with `unit = 1 / peak`, rounded once, or 1 of floats.
/// - Others: `y = (Y − black) · luma`, `u = (U − middle) · chroma`, `v = (V − middle) · chroma`; grey has 0 and 0.
///   `r = y + v · red`, `g = (y − u · green[0]) − v · green[1]`, `b = y + u · blue`: [`ColourMatrix`].
///
/// Subsampled planes are met at the place of the sample that is made, so that a map that changes nothing leaves every
/// sample: [`ColourMatrix::siting`] says where along an axis of `k = 2^n` luma pixels to one of chroma the sample lies,
/// `o = siting / 2` pixels behind the first.
///
/// - Chroma at luma pixel `x`: `i = ⌊(2 x − siting) / 2 k⌋`, `f = ((2 x − siting) mod 2 k) / 2 k`. Samples `i` and `i + 1`, the edge repeated, are mixed as
///   `a · (1 − f) + b · f`: first the two rows, then the two columns. `f = 0` takes `a` as it is.
/// - Luma at chroma sample `i`: the pixels `⌊k i + o⌋` and `⌈k i + o⌉`, the edge repeated; `((a + b) + (c + d)) · ¼` of two rows and two columns.
///
/// The colour in the lattice of `n` points a side: `s = min(max((c − low) · scale, 0), n − 1)`, `scale = (n − 1) / (high − low)`,
/// `p = ⌊s⌋`, `d = s − p`, for each of r, g and b, and `C(i, j, k)` is the colour at `p` plus 1 along the axes of which `i`, `j`, `k` are 1. Points
/// beyond the last have a weight of 0.
///
/// - [`LatticeMode::Tetrahedral`]: with `d₁ ≥ d₂ ≥ d₃` the sorted parts, the steps go along the axis of `d₁`, then `d₂`, then `d₃`:
///   `((1 − d₁) · C₀ + (d₁ − d₂) · C₁ + (d₂ − d₃) · C₂) + d₃ · C₃`, from the left. Of equal parts either order gives the same.
/// - [`LatticeMode::Trilinear`]: `a + (b − a) · d`, along r, then g, then b.
/// - [`LatticeMode::Nearest`]: the point at `⌊s + ½⌋`.
///
/// A curve of `n` pieces for each colour by itself ([`ToneCurves`]): `s` as above, `p = ⌊s + ahead⌋`, `d = s − p`, and
/// `C = ((c₃ · d + c₂) · d + c₁) · d + c₀` of piece `p`.
///
/// Vibrance ([`Vibrance`]), FFmpeg's: `l = (g · weights[1] + r · weights[0]) + b · weights[2]`, `m` the largest of r, g and b less
/// the smallest, and for each of them `C = l + (c − l) · (1 + intensity · (1 − turn · m))`; a colour that is infinite or no number counts as 0.
///
/// With a strength `w` that is not 1 the result is `c · (1 − w) + C · w`.
///
/// - RGB: `⌊min(max(C · peak, 0), peak)⌋`, as FFmpeg cuts off; floats are `C` as it is.
/// - Others: `y = (r · weights[0] + g · weights[1]) + b · weights[2]`. Luma is `y · span + black`; chroma is
///   `((b − y) · back[0]) · chroma_span + middle` and `((r − y) · back[1]) · chroma_span + middle`. Whole numbers are rounded,
///   `⌊min(max(x + ½, 0), peak)⌋`; floats are `x` as it is.
///
/// Any NaN becomes the quiet one.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade {
    /// What becomes of a colour.
    pub map: ColourMap,
    /// Share of the result, above 0 and at most 1.
    pub strength: f32,
    /// How planes that are no RGB become colours; `None` for RGB.
    pub matrix: Option<ColourMatrix>,
}

/// What becomes of a colour.
#[derive(Clone, Debug, PartialEq)]
pub enum ColourMap {
    /// What a lattice says of it.
    Lattice(Arc<Lattice>, LatticeMode),
    /// What three curves say of red, green and blue.
    Curves(Arc<ToneCurves>),
    /// More or less saturation.
    Vibrance(Vibrance),
}

impl Operation for Grade {
    fn kind(&self) -> &'static str {
        "grade"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let pixel = format.pixel;
        ensure!(!pixel.is_alpha(plane), "opacity is no colour");
        ensure!(self.matrix.is_none() == (pixel.family == Family::Rgb), "its matrix is for other planes");
        ensure!(
            self.strength > 0.0 && self.strength <= 1.0,
            "a strength of {} is not above 0, or above 1",
            self.strength
        );
        self.matrix.map_or(Ok(()), |matrix| matrix.check(pixel))?;
        match &self.map {
            ColourMap::Lattice(lattice, _) => lattice.check(),
            ColourMap::Curves(curves) => curves.check(),
            ColourMap::Vibrance(vibrance) => vibrance.check(),
        }
    }

    fn couples(&self) -> bool {
        true
    }

    /// Four colours of three numbers each, or eight; of curves three steps.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        let steps = match &self.map {
            ColourMap::Lattice(_, mode) => 2 * mode.taps() as u64,
            ColourMap::Curves(_) => 6,
            ColourMap::Vibrance(_) => 8,
        };
        Operations { real: steps * samples, ..Operations::NONE }
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    fn shape(&self) -> String {
        match &self.map {
            ColourMap::Lattice(lattice, mode) => {
                let size = lattice.size;
                format!("{size}x{size}x{size}, {}", mode.name())
            }
            ColourMap::Curves(curves) => format!("curves of {} pieces", curves.size),
            ColourMap::Vibrance(_) => "vibrance".to_owned(),
        }
    }

    fn taps(&self) -> usize {
        match &self.map {
            ColourMap::Lattice(_, mode) => mode.taps(),
            ColourMap::Curves(_) | ColourMap::Vibrance(_) => 1,
        }
    }
}
