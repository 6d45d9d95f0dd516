//! Luma and chroma of one colour space as those of another, in the whole numbers of FFmpeg's `colorspace`
//! (`libavfilter/vf_colorspace.c`, `colorspacedsp_template.c`), and HDR as SDR by the same steps with other tables between them.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::operation::Operation;
use super::tone::{LogTable, ToneSteps, Weights3};
use crate::frame::{Family, Format, Pixel, Sample};

/// Three planes of YUV as those of another matrix, range, depth, other primaries or another transfer. Whole numbers are exact in
/// `i32`, in any order; `⌊ ⌋` rounds down, and a sample counts as at most the peak of its depth.
///
/// `d` is the depth of the input and `e` that of the output, `m = 2^(d − 1)` and `n = 2^(e − 1)` are their samples of no colour,
/// and `a`, `b` are their samples of black. `y = Y − a`, `u = U − m`, `v = V − m`. Every result is clamped to `0 ..= 2^e − 1`.
///
/// [`ColourPath::Direct`], with `s = 14 + d − e`, `h = 2^(s − 1)` and the weights `w`:
///
/// - luma: `⌊(w₀₀ y + w₀₁ u + w₀₂ v + h + b 2^s) / 2^s⌋`, with the chroma of the block that the pixel belongs to;
/// - chroma: `⌊(w₁₁ u + w₁₂ v + h + n 2^s) / 2^s⌋`, and the same with `w₂₁` and `w₂₂`.
///
/// [`ColourPath::Linear`] takes each luma pixel, with the chroma of its block, through red, green and blue of 16 bits, of
/// which [`ColourSteps::WHITE`] is white:
///
/// 1. `c = ⌊(t_c0 y + t_c1 u + t_c2 v + 2^(d − 2)) / 2^(d − 1)⌋`, with `t` = `to_rgb`, clamped to 16 bits with a sign;
/// 2. `c = linear[min(max(c + 2048, 0), 32767)]`;
/// 3. if there are `primaries`, `⌊(p_c0 r + p_c1 g + p_c2 b + 8192) / 2^14⌋`, clamped likewise;
/// 4. `c = coded[min(max(c + 2048, 0), 32767)]`.
///
/// [`ColourPath::Tone`] has steps 1 and 4 in common with that, and `f32` between them, each operation rounded, none fused:
///
/// 1. as above;
/// 2. `c = linear[max(c, 0)]`: the light of each colour;
/// 3. with a [`super::SystemGamma`], each colour times `factors(l)`, of the luminance `l = (r w₀ + g w₁) + b w₂`;
/// 4. each colour times `gain(max(r, g, b))`: their ratios stay, and with them the hue;
/// 5. `(p_c0 r + p_c1 g) + p_c2 b`, with `p` = `primaries`;
/// 6. `c = coded(c)`: a number below 0, of a colour that the primaries do not have, is 0, and one above white is white.
///
/// `factors(l)`, `gain(m)` and `coded(c)` are values of a [`LogTable`].
///
/// With `k = 29 − e` and `f` = `to_yuv`, luma is `b + ⌊(f₀₀ r + f₀₁ g + f₀₂ b + 2^(k − 1)) / 2^k⌋`. Chroma is the same of rows 1
/// and 2 with `n` in place of black, of the mean of its block: `⌊(r₀ + r₁ + r₂ + r₃ + 2) / 4⌋` of two columns and two rows,
/// `⌊(r₀ + r₁ + 1) / 2⌋` of two columns.
///
/// A block at an odd edge repeats its last column or row. FFmpeg takes no odd sizes; it has these bytes for the picture with its
/// edge repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct Colorspace {
    /// Pixels that go in; sample type, depth and subsampling count.
    pub from: Pixel,
    /// Pixels that come out, of the same subsampling.
    pub to: Pixel,
    /// The sample of black that goes in, and that comes out.
    pub black: [i32; 2],
    /// By which way.
    pub path: ColourPath,
}

/// How luma and chroma become others.
#[derive(Clone, Debug, PartialEq)]
pub enum ColourPath {
    /// By one matrix. The first number of the rows of chroma is 0.
    Direct(Weights3),
    /// Through linear light.
    Linear(Arc<ColourSteps>),
    /// From HDR to SDR.
    Tone(Arc<ToneSteps>),
}

/// What becomes of luma and chroma on the way through linear light.
#[derive(Debug, PartialEq)]
pub struct ColourSteps {
    /// Red, green and blue of luma and both planes of chroma.
    pub to_rgb: Weights3,
    /// Linear light of coded values, [`ColourSteps::ENTRIES`] of them.
    pub linear: Vec<i16>,
    /// Red, green and blue of other primaries, in 16384ths.
    pub primaries: Option<Weights3>,
    /// Coded values of linear light, as many.
    pub coded: Vec<i16>,
    /// Luma and both planes of chroma of red, green and blue.
    pub to_yuv: Weights3,
}

impl ColourSteps {
    /// Entries of the tables.
    pub const ENTRIES: usize = LogTable::<i16>::ENTRIES;
    /// Where the entry of 0 is.
    pub const ZERO: i32 = 2048;
    /// White.
    pub const WHITE: i32 = 28672;
}

impl Colorspace {
    /// The depths that it is defined for.
    pub const DEPTHS: [u8; 3] = [8, 10, 12];

    /// Whether it is defined for such pixels.
    pub fn takes(pixel: Pixel) -> bool {
        let known = matches!((pixel.log2_chroma_w, pixel.log2_chroma_h), (0, 0) | (1, 0) | (1, 1));
        let is_whole = pixel.sample != Sample::F32 && Self::DEPTHS.contains(&pixel.depth);
        pixel.family == Family::Yuv && !pixel.alpha && known && is_whole
    }

    /// Binary places of the last sum.
    pub fn places(&self) -> u32 {
        match self.path {
            ColourPath::Direct(_) => 14 + u32::from(self.from.depth) - u32::from(self.to.depth),
            ColourPath::Linear(_) | ColourPath::Tone(_) => 29 - u32::from(self.to.depth),
        }
    }

    /// The samples of no colour, that goes in and that comes out.
    pub fn middle(&self) -> [i32; 2] {
        [self.from, self.to].map(|pixel| 1 << (pixel.depth - 1))
    }
}

/// Fails unless sums of three numbers of up to `most`, with so much added, have room in 32 bits.
fn check_room(weights: &Weights3, most: i64, added: i64) -> Result<()> {
    let largest =
        weights.iter().map(|row| row.iter().map(|weight| i64::from(weight.unsigned_abs())).sum::<i64>()).max();
    ensure!(largest.unwrap_or(0) * most + added < 1 << 31, "a sum of its weights has no room in 32 bits");
    Ok(())
}

impl Operation for Colorspace {
    fn kind(&self) -> &'static str {
        "colorspace"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let Self { from, to, black, path } = self;
        ensure!(*from == format.pixel, "it is for samples of {}, not of {}", from.name(), format.pixel.name());
        for pixel in [from, to] {
            ensure!(Self::takes(*pixel), "it is not defined for {}", pixel.name());
        }
        ensure!(from.subsampling(1) == to.subsampling(1), "it keeps the subsampling of chroma");
        let middle = self.middle();
        let dark = |end: usize| (0..middle[end]).contains(&black[end]);
        ensure!(dark(0) && dark(1), "its black is out of range");
        let highest = i64::from(2 * middle[0]);
        let added = (2 * i64::from(middle[1])) << self.places();
        match path {
            ColourPath::Direct(weights) => {
                ensure!(weights[1][0] == 0 && weights[2][0] == 0, "its chroma depends on luma");
                check_room(weights, highest, added)
            }
            ColourPath::Linear(steps) => {
                let whole = steps.linear.len() == ColourSteps::ENTRIES && steps.coded.len() == ColourSteps::ENTRIES;
                ensure!(whole, "its tables have another size");
                check_room(&steps.to_rgb, highest, i64::from(middle[0]))?;
                steps.primaries.iter().try_for_each(|primaries| check_room(primaries, 1 << 15, 1 << 13))?;
                check_room(&steps.to_yuv, 1 << 15, 1 << self.places())
            }
            ColourPath::Tone(steps) => {
                steps.check()?;
                check_room(&steps.to_rgb, highest, i64::from(middle[0]))?;
                check_room(&steps.to_yuv, 1 << 15, 1 << self.places())
            }
        }
    }

    fn converts(&self) -> Option<Pixel> {
        Some(self.to)
    }

    fn couples(&self) -> bool {
        true
    }

    fn joins_sizes(&self) -> bool {
        true
    }

    fn least(&self, _: Sample, samples: u64) -> Operations {
        let operations = self.operations(samples);
        match self.path {
            ColourPath::Tone(_) => Operations { real: operations, ..Operations::NONE },
            _ => Operations { dot16: operations, ..Operations::NONE },
        }
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(match self.path {
            ColourPath::Tone(_) => Arithmetic::Real,
            _ => Arithmetic::Integer,
        })
    }

    fn shape(&self) -> String {
        let by = match &self.path {
            ColourPath::Direct(_) => "by one matrix",
            ColourPath::Linear(steps) if steps.primaries.is_some() => "through linear light, to other primaries",
            ColourPath::Linear(_) => "through linear light",
            ColourPath::Tone(_) => "from HDR to SDR",
        };
        if self.from.depth == self.to.depth {
            return by.to_owned();
        }
        format!("{by}, {} to {} bits", self.from.depth, self.to.depth)
    }

    fn taps(&self) -> usize {
        match &self.path {
            ColourPath::Direct(_) => 3,
            ColourPath::Linear(steps) if steps.primaries.is_some() => 9,
            ColourPath::Linear(_) => 6,
            // Of each colour its factors, and a sum.
            ColourPath::Tone(_) => 12,
        }
    }

    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        samples * (sample.bytes() + self.to.sample.bytes()) as u64
    }
}
