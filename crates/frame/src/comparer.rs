//! Two frames in one picture: as it was, and what became of it.

use std::fmt;
use std::sync::Arc;

use anyhow::{Result, ensure};
use bytemuck::Pod;

use super::{Family, Format, Frame, Pool, Range, Sample, Turner};

/// How two pictures become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Twice as wide: before on the left, after on the right.
    Side,
    /// Of the same size: the left half of before, a thin line, the right half of after.
    Split,
}

impl fmt::Display for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Side => "before on the left, after on the right",
            Self::Split => "left half before, right half after",
        })
    }
}

/// Brings pairs of frames together, as they are shown.
#[derive(Debug)]
pub struct Comparer {
    how: Pairing,
    /// For pictures that are shown otherwise than they are stored.
    turner: Option<Turner>,
    to: Arc<Format>,
    pool: Pool,
    /// Luma pixels from the left up to where `before` ends and `after` begins: whole samples of chroma.
    seams: [usize; 2],
}

impl Comparer {
    /// Width of the line between halves, in luma pixels; narrow pictures have none.
    const LINE: usize = 2;
    /// Narrower than this is narrow.
    const NARROW: usize = 16;

    /// For frames of a format.
    ///
    /// # Errors
    /// If both side by side are wider than frames may be.
    pub fn new(how: Pairing, from: &Arc<Format>) -> Result<Self> {
        let turner = Turner::new(from);
        let shown = turner.as_ref().map_or(from, Turner::format);
        let (width, grain) = (shown.width, 1 << shown.pixel.log2_chroma_w);
        let (to, seams) = match how {
            // Chroma of the right picture begins at a whole sample too.
            Pairing::Side => {
                let half = width.next_multiple_of(grain);
                let (wide, most) = (2 * half, Format::MAX_SIDE);
                ensure!(
                    wide <= most,
                    "--compare side makes pictures {wide} pixels wide; the limit is {most}; type --compare split"
                );
                (Arc::new(Format { width: wide, ..Format::clone(shown) }), [half; 2])
            }
            Pairing::Split => {
                let line = if width < Self::NARROW { 0 } else { Self::LINE.next_multiple_of(grain) };
                let left = (width - line) / 2 / grain * grain;
                (shown.clone(), [left, left + line])
            }
        };
        Ok(Self { how, turner, to, pool: Pool::heap(), seams })
    }

    /// What the pictures are.
    pub fn format(&self) -> &Arc<Format> {
        &self.to
    }

    /// How they come about.
    pub fn pairing(&self) -> Pairing {
        self.how
    }

    /// One picture of two frames of the format, with the time of `after` and all that rides along with it.
    ///
    /// # Errors
    /// If a frame lies on a device, or memory runs out.
    pub fn run(&self, before: &Frame, after: &Frame) -> Result<Frame> {
        let Some(turner) = &self.turner else { return self.joined(before, after) };
        self.joined(&turner.run(before)?, &turner.run(after)?)
    }

    fn joined(&self, before: &Frame, after: &Frame) -> Result<Frame> {
        match self.to.pixel.sample {
            Sample::U8 => self.typed(before, after, |sample| sample as u8),
            Sample::U16 => self.typed(before, after, |sample| sample as u16),
            Sample::F32 => self.typed::<f32>(before, after, |sample| sample),
        }
    }

    fn typed<T: Pod>(&self, before: &Frame, after: &Frame, sample: impl Fn(f32) -> T) -> Result<Frame> {
        let (left, right, mut joined) = (before.host()?, after.host()?, self.pool.frame(&self.to)?);
        for (index, mut plane) in joined.planes_mut::<T>().into_iter().enumerate() {
            let (coarser, _) = self.to.pixel.subsampling(index);
            let [end, begin] = self.seams.map(|seam| seam >> coarser);
            let (left, right) = (left.plane::<T>(index), right.plane::<T>(index));
            let line = sample(self.bright(index));
            for y in 0..plane.height {
                let (from, to) = plane.row_mut(y).split_at_mut(begin);
                match self.how {
                    Pairing::Side => {
                        extend(from, left.row(y));
                        extend(to, right.row(y));
                    }
                    Pairing::Split => {
                        from[..end].copy_from_slice(&left.row(y)[..end]);
                        from[end..].fill(line);
                        to.copy_from_slice(&right.row(y)[begin..]);
                    }
                }
            }
        }
        Ok(joined.freeze(after.timing.clone()))
    }

    /// A sample of the line: white, and opaque.
    fn bright(&self, plane: usize) -> f32 {
        let Format { pixel, colour, .. } = &*self.to;
        let is_limited = pixel.family == Family::Yuv || colour.range == Range::Limited;
        match pixel.sample {
            _ if pixel.is_chroma(plane) => pixel.neutral(plane),
            Sample::U8 | Sample::U16 if is_limited && colour.range != Range::Full && !pixel.is_alpha(plane) => {
                (235 << (pixel.depth - 8)) as f32
            }
            _ => pixel.peak(),
        }
    }
}

/// Fills a row with a shorter one, whose last sample is repeated.
fn extend<T: Copy>(to: &mut [T], row: &[T]) {
    let (same, rest) = to.split_at_mut(row.len());
    same.copy_from_slice(row);
    if let Some(last) = row.last() {
        rest.fill(*last);
    }
}
