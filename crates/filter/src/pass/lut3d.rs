//! Colours looked up in a lattice: three planes read together.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::operation::Operation;
use crate::frame::{Family, Format, Pixel, Sample};

/// Each sample becomes what a lattice of colours says of its own plane at the colour of its place. Everything is `f32`, each
/// operation rounded, none fused; a float sample that is infinite or no number counts as 0.
///
/// The colour of a place is `c = (r, g, b)`, from 0 to 1:
///
/// - RGB: `v · unit` of each plane, with `unit = 1 / peak`, rounded once, or 1 of floats.
/// - Others: `y = (Y − black) · luma`, `u = (U − middle) · chroma`, `v = (V − middle) · chroma`; grey has 0 and 0.
///   `r = y + v · red`, `g = (y − u · green[0]) − v · green[1]`, `b = y + u · blue`: [`ColourMatrix`].
///
/// Subsampled planes are met at the place of the sample that is made, so that a lattice that changes nothing leaves every
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
/// With a strength `w` that is not 1 the result is `c · (1 − w) + C · w`.
///
/// - RGB: `⌊min(max(C · peak, 0), peak)⌋`, as FFmpeg cuts off; floats are `C` as it is.
/// - Others: `y = (r · weights[0] + g · weights[1]) + b · weights[2]`. Luma is `y · span + black`; chroma is
///   `((b − y) · back[0]) · chroma_span + middle` and `((r − y) · back[1]) · chroma_span + middle`. Whole numbers are rounded,
///   `⌊min(max(x + ½, 0), peak)⌋`; floats are `x` as it is.
///
/// Any NaN becomes the quiet one.
#[derive(Clone, Debug, PartialEq)]
pub struct Lut3d {
    /// The colours.
    pub lattice: Arc<Lattice>,
    /// How colours between points are found.
    pub mode: LatticeMode,
    /// Share of the result, above 0 and at most 1.
    pub strength: f32,
    /// How planes that are no RGB become colours; `None` for RGB.
    pub matrix: Option<ColourMatrix>,
}

/// How colours between the points of a lattice are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatticeMode {
    /// Of the four corners of a tetrahedron.
    Tetrahedral,
    /// Of the eight corners of a cell.
    Trilinear,
    /// The nearest point.
    Nearest,
}

/// Colours at equal distances along red, green and blue.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// Points a side, 2 to [`Lattice::MAX_SIZE`].
    pub size: usize,
    /// `size³` colours of red, green and blue, red running fastest, then green; finite, and no −0.
    pub points: Arc<[[f32; 3]]>,
    /// The colour of the first point.
    pub low: [f32; 3],
    /// Points to a step of 1.
    pub scale: [f32; 3],
}

impl PartialEq for Lattice {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.points, &other.points) || self.points == other.points;
        same && (self.size, self.low, self.scale) == (other.size, other.low, other.scale)
    }
}

impl Lattice {
    /// The most points a side.
    pub const MAX_SIZE: usize = 256;
    /// Bound of the magnitude of its numbers, exclusive.
    pub const LIMIT: f32 = 1e9;

    /// A lattice whose first point is the colour `low`, and the last `high`.
    ///
    /// # Errors
    /// If the number of points is none of a lattice, a number is out of range, or `high` does not lie above `low`.
    pub fn new(size: usize, points: Vec<[f32; 3]>, low: [f32; 3], high: [f32; 3]) -> Result<Self> {
        let span = |axis: usize| high[axis] - low[axis];
        let scale = [0, 1, 2].map(|axis| ((size.max(1) - 1) as f64 / f64::from(span(axis))) as f32);
        // No −0, so that a weight of 0 gives the same zero everywhere.
        let points = points.into_iter().map(|point| point.map(|number| number + 0.0)).collect();
        let lattice = Self { size, points, low, scale };
        ensure!([0, 1, 2].iter().all(|axis| span(*axis) > 0.0), "its domain is empty");
        lattice.check().map(|()| lattice)
    }

    fn check(&self) -> Result<()> {
        let Self { size, points, low, scale } = self;
        let most = Self::MAX_SIZE;
        ensure!((2..=most).contains(size), "{size} points a side; it is 2 to {most}");
        ensure!(
            points.len() == size.pow(3),
            "{} colours, where {size} points a side have {}",
            points.len(),
            size.pow(3)
        );
        let fits = |number: &f32| number.abs() < Self::LIMIT;
        ensure!(points.iter().flatten().all(fits), "a number of its colours is not below {:e}", Self::LIMIT);
        ensure!(
            low.iter().all(fits) && scale.iter().all(|scale| fits(scale) && *scale > 0.0),
            "its domain is out of range"
        );
        Ok(())
    }
}

/// How planes of luma and chroma become colours, and colours such planes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColourMatrix {
    /// The sample of black.
    pub black: f32,
    /// Samples from black to white.
    pub span: f32,
    /// 1 over that.
    pub luma: f32,
    /// The sample of no colour.
    pub middle: f32,
    /// Samples of chroma from −½ to ½.
    pub chroma_span: f32,
    /// 1 over that.
    pub chroma: f32,
    /// Part of `v` that is added to red.
    pub red: f32,
    /// Parts of `u` and `v` that are subtracted from green.
    pub green: [f32; 2],
    /// Part of `u` that is added to blue.
    pub blue: f32,
    /// Weights of red, green and blue in luma.
    pub weights: [f32; 3],
    /// From differences of blue and red from luma to `u` and `v`.
    pub back: [f32; 2],
    /// Halves of a luma pixel by which samples of chroma lie behind the first pixel that they cover, across and down.
    pub siting: [usize; 2],
}

impl ColourMatrix {
    /// Of the weights of red and blue in luma, for samples of a format whose range is known.
    pub fn new([kr, kb]: [f64; 2], format: Pixel, is_limited: bool, siting: [usize; 2]) -> Self {
        let kg = 1.0 - kr - kb;
        let unit = match format.sample {
            Sample::F32 => 1.0 / 255.0,
            _ => f64::from(1u32 << (format.depth - 8)),
        };
        let peak = f64::from(format.peak());
        let (black, span, chroma_span) =
            if is_limited { (16.0 * unit, 219.0 * unit, 224.0 * unit) } else { (0.0, peak, peak) };
        let [to_red, to_blue] = [kr, kb].map(|weight| 2.0 * (1.0 - weight));
        Self {
            black: black as f32,
            span: span as f32,
            luma: (1.0 / span) as f32,
            middle: Pixel { family: Family::Yuv, ..format }.neutral(1),
            chroma_span: chroma_span as f32,
            chroma: (1.0 / chroma_span) as f32,
            red: to_red as f32,
            green: [(to_blue * kb / kg) as f32, (to_red * kr / kg) as f32],
            blue: to_blue as f32,
            weights: [kr, kg, kb].map(|weight| weight as f32),
            back: [(1.0 / to_blue) as f32, (1.0 / to_red) as f32],
            siting,
        }
    }

    /// Where samples of chroma lie, by the code of the stream (FFmpeg's `AVChromaLocation`); where that says nothing, beside the
    /// left pixel and between the rows, as MPEG-2 and H.264 have them.
    pub fn siting(pixel: Pixel, code: u8) -> [usize; 2] {
        let centre = |n: u8| (1usize << n) - 1;
        let (across, down) = (pixel.log2_chroma_w.min(2), pixel.log2_chroma_h.min(2));
        let x = if matches!(code, 2 | 4 | 6) { centre(across) } else { 0 };
        let y = match code {
            3 | 4 => 0,
            5 | 6 => 2 * centre(down),
            _ => centre(down),
        };
        [x, y]
    }

    fn check(&self, pixel: Pixel) -> Result<()> {
        let Self { black, span, luma, middle, chroma_span, chroma, red, green, blue, weights, back, siting } = self;
        let single = [black, span, luma, middle, chroma_span, chroma, red, blue];
        let all = single.into_iter().chain(green).chain(weights).chain(back);
        ensure!(all.into_iter().all(|number| number.abs() < Lattice::LIMIT), "a number of its matrix is out of range");
        let (across, down) = (pixel.log2_chroma_w, pixel.log2_chroma_h);
        let fits = |siting: usize, n: u8| siting <= 2 * ((1usize << n) - 1);
        ensure!(fits(siting[0], across) && fits(siting[1], down), "its chroma lies outside its pixels");
        Ok(())
    }
}

impl Operation for Lut3d {
    fn kind(&self) -> &'static str {
        "lut3d"
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
        self.lattice.check()
    }

    fn couples(&self) -> bool {
        true
    }

    /// Four colours of three numbers each, or eight.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { real: 2 * self.taps() as u64 * samples, ..Operations::NONE }
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    fn shape(&self) -> String {
        let size = self.lattice.size;
        let mode = match self.mode {
            LatticeMode::Tetrahedral => "tetrahedral",
            LatticeMode::Trilinear => "trilinear",
            LatticeMode::Nearest => "nearest",
        };
        format!("{size}x{size}x{size}, {mode}")
    }

    fn taps(&self) -> usize {
        match self.mode {
            LatticeMode::Tetrahedral => 4,
            LatticeMode::Trilinear => 8,
            LatticeMode::Nearest => 1,
        }
    }
}
