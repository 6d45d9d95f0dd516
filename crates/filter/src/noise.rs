//! How noisy a clip is: what changes from one frame to the next where nothing moves.
//!
//! Planes are cut into blocks of 16x16 samples; what is left over at the right and below is not looked at, but in planes
//! smaller than that. A block's noise is the variance of the differences of its samples from those of the frame before,
//! halved: the difference of two frames is noisy twice. Motion and texture that moves make it larger, so of all blocks of
//! a frame the one counts above the lowest tenth, whose variance is 0.888 of the mean's where all is noise (chi-squared).
//! Of the frames of a clip the one in the middle counts, so that no cut matters.
//!
//! - Left out are blocks in which a sixteenth of the samples or more are black or white altogether, since noise is cut off
//!   there, and rows and columns of one tone at the edges, as beside a picture in a letter box.
//! - A frame that is the one before is left out, as where a film was drawn on twos, unless all are.
//! - All sums are whole numbers, of samples as [`crate::frame::Measured`] has them, and exact; the root comes last.
//!
//! That noise spreads over neighbouring samples changes nothing. Noise that stands still, or that an encoder has taken
//! out of what does not move, is not there to be found; and where everything moves and has texture, texture counts as noise.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Result, ensure};

use crate::frame::{Format, Frame, Measured, Plane, Sample};

/// Samples along the side of a block.
const SIDE: usize = 16;

/// The part of all blocks that are less noisy than the one that counts.
const QUANTILE: f64 = 0.1;

/// A tenth of all variances of 256 normal numbers lies below this part of their mean (chi-squared, 255 degrees).
const SHARE: f64 = 0.888;

/// Measures one clip, frame by frame.
pub struct NoiseMeter {
    format: Arc<Format>,
    before: Option<Frame>,
    /// For each frame that was measured the variances of its planes, in units of their samples.
    variances: Vec<Vec<f64>>,
    /// Frames that were the one before.
    repeated: usize,
}

impl NoiseMeter {
    /// Of a clip of which no frame has been seen.
    pub fn new(format: &Arc<Format>) -> Self {
        Self { format: format.clone(), before: None, variances: Vec::new(), repeated: 0 }
    }

    /// Looks at the clip's next frame.
    ///
    /// # Errors
    /// If the frame is not of the format, or not in the host's memory.
    pub fn push(&mut self, frame: &Frame) -> Result<()> {
        ensure!(frame.format() == &self.format, "frame {} has another format", frame.timing.number);
        if let Some(before) = &self.before {
            let planes = 0..self.format.pixel.planes();
            let found = match self.format.pixel.sample {
                Sample::U8 => planes.map(|plane| variance::<u8>(before, frame, plane)).collect::<Result<Vec<_>>>()?,
                Sample::U16 => planes.map(|plane| variance::<u16>(before, frame, plane)).collect::<Result<Vec<_>>>()?,
                Sample::F32 => planes.map(|plane| variance::<f32>(before, frame, plane)).collect::<Result<Vec<_>>>()?,
            };
            // Of a frame that was only repeated nothing is learnt.
            if found.iter().any(|found| !found.is_same) {
                self.variances.push(found.into_iter().map(|found| found.variance).collect());
            } else {
                self.repeated += 1;
            }
        }
        self.before = Some(frame.clone());
        Ok(())
    }

    /// The standard deviation of the noise of each plane, in steps of 8 bits, to hundredths; 0 for a clip of less than two
    /// frames.
    pub fn deviations(&self) -> Vec<f64> {
        let unit = f64::from(1u32 << (self.format.pixel.measured_depth() - 8));
        let middle = |plane: usize| {
            let mut all: Vec<f64> = self.variances.iter().map(|planes| planes[plane]).collect();
            all.sort_by(f64::total_cmp);
            let middle = all.get(all.len() / 2).copied().unwrap_or(0.0);
            ((middle / SHARE).sqrt() / unit * 100.0).round() / 100.0
        };
        (0..self.format.pixel.planes()).map(middle).collect()
    }

    /// How many frames count, each with the one before; 0 where nothing is known.
    pub fn frames(&self) -> usize {
        if self.variances.is_empty() { self.repeated } else { self.variances.len() }
    }
}

/// What one plane of a frame says.
struct PlaneNoise {
    variance: f64,
    /// Whether it is that of the frame before.
    is_same: bool,
}

/// What one block says.
#[derive(Clone, Copy)]
struct BlockNoise {
    /// `n Σd² − (Σd)²` of `n` differences.
    spread: u64,
    count: u64,
    /// Whether much of it is black or white.
    is_cut: bool,
}

fn variance<T: Measured + bytemuck::Pod>(before: &Frame, frame: &Frame, plane: usize) -> Result<PlaneNoise> {
    let peak = (1u32 << frame.format().pixel.measured_depth()) - 1;
    let (before, now) = (before.host()?.plane::<T>(plane), frame.host()?.plane::<T>(plane));
    let [rows, columns] = picture(&before, &now);
    let starts = |range: Range<usize>| {
        range.clone().step_by(SIDE).filter(move |at| at + SIDE <= range.end || *at == range.start)
    };
    let places = starts(rows.clone()).flat_map(|y| starts(columns.clone()).map(move |x| (x, y)));
    let block = |(x, y)| block(&before, &now, x..columns.end.min(x + SIDE), y..rows.end.min(y + SIDE), peak);
    let blocks: Vec<BlockNoise> = places.map(block).collect();
    let is_same = blocks.iter().all(|block| block.spread == 0);
    let kept = blocks.iter().filter(|block| !block.is_cut);
    let variance = |block: &BlockNoise| block.spread as f64 / (block.count * (block.count - 1).max(1)) as f64;
    let mut variances: Vec<f64> = kept.map(variance).collect();
    variances.sort_by(f64::total_cmp);
    let place = (variances.len() as f64 * QUANTILE) as usize;
    Ok(PlaneNoise { variance: variances.get(place).copied().unwrap_or(0.0) / 2.0, is_same })
}

/// The rows and columns within bars of one tone.
fn picture<T: Measured>(before: &Plane<'_, T>, now: &Plane<'_, T>) -> [Range<usize>; 2] {
    let row_is_flat = |y: &usize| {
        let first = now.row(*y)[0].measured();
        [before, now].iter().all(|plane| plane.row(*y).iter().all(|sample| sample.measured() == first))
    };
    let rows = within(now.height, row_is_flat);
    let columns = within(now.width, |x: &usize| {
        let first = now.row(rows.start.min(now.height - 1))[*x].measured();
        rows.clone().all(|y| [before, now].iter().all(|plane| plane.row(y)[*x].measured() == first))
    });
    [rows, columns]
}

/// What lies between the flat ones at the beginning and those at the end.
fn within(count: usize, is_flat: impl Fn(&usize) -> bool) -> Range<usize> {
    let start = (0..count).take_while(&is_flat).count();
    start..count - (start..count).rev().take_while(is_flat).count()
}

fn block<T: Measured>(
    before: &Plane<'_, T>,
    now: &Plane<'_, T>,
    columns: Range<usize>,
    rows: Range<usize>,
    peak: u32,
) -> BlockNoise {
    let count = (columns.len() * rows.len()) as u64;
    let (mut sum, mut squares, mut cut) = (0i64, 0u64, 0u64);
    for row in rows {
        // At most 16 samples of 16 bits: all fit.
        let (mut row_sum, mut row_squares, mut row_cut) = (0i32, 0u64, 0u32);
        for (a, b) in before.row(row)[columns.clone()].iter().zip(&now.row(row)[columns.clone()]) {
            let (a, b) = (a.measured(), b.measured());
            let difference = b as i32 - a as i32;
            row_sum += difference;
            row_squares += u64::from(difference.unsigned_abs() * difference.unsigned_abs());
            row_cut += u32::from(b == 0 || b >= peak);
        }
        sum += i64::from(row_sum);
        squares += row_squares;
        cut += u64::from(row_cut);
    }
    let spread = count * squares - (sum * sum) as u64;
    BlockNoise { spread, count, is_cut: cut * 16 >= count }
}
