//! Luma and chroma as colours, and colours as those.

use anyhow::{Result, ensure};

use super::lattice::Lattice;
use crate::frame::{Family, Pixel, Sample};

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

    pub(super) fn check(&self, pixel: Pixel) -> Result<()> {
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
