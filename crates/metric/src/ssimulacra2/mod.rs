//! SSIMULACRA2 (version 2.1), as its reference has it: how far two pictures look apart, from structural errors, ringing and blurring at
//! six scales. 100 is equal, 90 and more is not seen, 30 is low quality.
//!
//! 1. Samples become linear light: YUV by the matrix of its tag or the one that players guess, chroma by linear interpolation from where
//!    it is sited, and sRGB's transfer function for all clips, as the reference has it for pictures.
//! 2. Light becomes XYB: cube roots of three receptors, of which X is red less green, Y their mean, and B blue less Y.
//! 3. X, Y and B, their squares and products are blurred by the nine taps of the reference's recursive Gaussian of sigma 1.5, with zeros
//!    outside the picture.
//! 4. The structural error is `1 − (1 − (m1 − m2)²) (2 (s12 − m1 m2) + c) / (s11 + s22 − m1² − m2² + c)`, at least 0, with `c` 0.0009; the edge
//!    `(1 + |b − m2|) / (1 + |a − m1|) − 1` is ringing where it is above 0, and blurring below.
//! 5. Of each the mean, and the 4th root of the mean of 4th powers. Pictures of half the size, means of 2×2 in linear light, give the next of
//!    six scales, until a side is below 8.
//! 6. The score is a polynomial of the sum of all these with 108 weights, most of them zero.
//!
//! Steps 1 to 4 are in f32, multiplications and additions fused where the source says so; sums are f64 by rows, of 256 columns in eight
//! sums of f32 each. Grey is three equal colours; opacity is not seen.

mod linear;
mod tile;
mod weight;

use super::worker::MetricThreads;
use crate::frame::{Format, Host};
use crate::simd::Sample;
use linear::{FrameLight, LightConversion, LinearRows, SmallLight};
use tile::{CompareBand, LightBand, RowSums};
use warpreel_filter::backend::{PerceptionPlan, PerceptionScale};
use weight::{SCALES, WantedFigures, score, wanted};

/// The smallest side of a picture that is measured.
const LEAST: usize = 8;

/// Measures pairs of frames.
#[derive(Debug)]
pub struct Ssimulacra2 {
    conversion: LightConversion,
    /// Pictures of two scales in turns.
    small: [[SmallLight; 2]; 2],
}

impl Ssimulacra2 {
    /// Of frames of a format.
    pub fn new(format: &Format) -> Self {
        Self { conversion: LightConversion::of(format), small: Default::default() }
    }

    /// The score of two frames, the reference first; none of frames with a side below 8.
    pub fn score<T: Sample>(&mut self, threads: &MetricThreads, hosts: [Host<'_>; 2]) -> Option<f64> {
        let Self { conversion, small: [now, next] } = self;
        let frames = hosts.map(|host| FrameLight::<T>::new(host, conversion));
        let count = sizes(frames[0].width(), frames[0].height()).len();
        let mut scales = Vec::with_capacity(count);
        for scale in 0..count {
            let is_last = scale + 1 == count;
            scales.push(match scale {
                0 => compare(threads, scale, &frames, (!is_last).then_some(&mut *now)),
                _ => compare(threads, scale, now, (!is_last).then_some(&mut *next)),
            });
            if scale > 0 {
                std::mem::swap(now, next);
            }
        }
        (count > 0).then(|| score(&scales))
    }
}

/// Width and height of each scale: there is one where the one before was large enough.
fn sizes(width: usize, height: usize) -> Vec<(usize, usize)> {
    let next = |(width, height): &(usize, usize)| {
        (*width.min(height) >= LEAST).then(|| (width.div_ceil(2), height.div_ceil(2)))
    };
    let first = (width.min(height) >= LEAST).then_some((width, height));
    std::iter::successors(first, next).take(SCALES).collect()
}

/// Sums wanted of frames of a format, for another machine.
pub fn plan(format: &Format) -> PerceptionPlan {
    let scale = |(scale, (width, height)): (usize, (usize, usize))| {
        let wanted = wanted(scale).map(|WantedFigures { structure, edges }| [structure, edges]);
        PerceptionScale { width, height, wanted }
    };
    let scales = sizes(format.width, format.height).into_iter().enumerate().map(scale).collect();
    LightConversion::of(format).plan(scales)
}

/// The score of the sums of rows of all scales; none of no scale.
pub fn score_of(format: &Format, scales: &[Vec<RowSums>]) -> Option<f64> {
    let sizes = sizes(format.width, format.height);
    let means: Vec<_> = scales.iter().zip(sizes).map(|(rows, size)| means(rows, size)).collect();
    (!means.is_empty()).then(|| score(&means))
}

/// The means of one scale, and the pictures of the next where they are wanted.
fn compare<A: LinearRows + Sync>(
    threads: &MetricThreads,
    scale: usize,
    pictures: &[A; 2],
    next: Option<&mut [SmallLight; 2]>,
) -> [[f64; 6]; 3] {
    /// Fewest rows a piece: eight more are made for each.
    const FEWEST: usize = 32;
    let (width, height) = (pictures[0].width(), pictures[0].height());
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let rows = threads.piece(height, FEWEST).next_multiple_of(2);
    let mut sums = vec![RowSums::default(); height];
    let bands = sums.chunks_mut(rows).enumerate().map(|(index, sums)| (index * rows, sums));
    let bands: Vec<LightBand<'_>> = match next {
        None => bands.map(|(first, sums)| LightBand { first, sums, half: None }).collect(),
        Some(next) => {
            next.iter_mut().for_each(|picture| picture.resize(half_width, half_height));
            let [a, b] = next
                .each_mut()
                .map(|picture| picture.planes.each_mut().map(|plane| plane.chunks_mut(half_width * rows / 2)));
            let mut halves = [a, b];
            let mut half = || {
                let [a, b] = &mut halves;
                [a, b].map(|planes| planes.each_mut().map(|plane| plane.next().unwrap_or_default()))
            };
            bands.map(|(first, sums)| LightBand { first, sums, half: Some(half()) }).collect()
        }
    };
    let wanted = wanted(scale);
    threads.each(bands, |band| threads.level.run(CompareBand { pictures, wanted: &wanted, band }));
    means(&sums, (width, height))
}

/// The means of a picture of a size, of the sums of its rows.
fn means(rows: &[RowSums], (width, height): (usize, usize)) -> [[f64; 6]; 3] {
    let mut totals = [[0.0; 6]; 3];
    for row in rows {
        for (totals, sums) in totals.iter_mut().zip(row) {
            totals.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
    }
    totals.map(|sums| sums.map(|sum| sum / (width * height) as f64))
}
