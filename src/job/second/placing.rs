//! Frames of a second clip at a place over others: scaled, cut to what is seen of them, stored as the frames that they lie over, with their opacity below.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Result, ensure};
use bytemuck::Pod;

use super::super::request::Request;
use super::fitting::Fitting;
use crate::frame::{Family, Format, Frame, Pixel, Plane, PlaneMut, Pool, Sample, Turn};
use crate::pass::{Overlay, PlacedClip};

/// Cuts frames of a clip for a place over others.
pub(super) struct Placing {
    /// To the pixels of the frames that they lie over, with the clip's own opacity.
    fitting: Fitting,
    placed: PlacedClip,
}

/// What of a plane is seen, as it is shown.
struct SeenPart {
    turn: Turn,
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Placing {
    /// For a clip whose frames are `from`.
    pub(super) fn new(request: &Request, from: &Arc<Format>, placed: &PlacedClip) -> Result<Self> {
        let (shape, due) = (placed.shape, &placed.format);
        let (width, height) = from.turn.size((from.width, from.height));
        let is_known = (shape.width, shape.height, shape.has_alpha) == (width, height, from.pixel.alpha);
        ensure!(is_known, "its frames have changed since the chain was read; run it again");
        let Pixel { log2_chroma_w, log2_chroma_h, .. } = due.pixel;
        let (across, down) = swapped(due.turn, (log2_chroma_w, log2_chroma_h));
        let mut pixel = Pixel { log2_chroma_w: across, log2_chroma_h: down, alpha: from.pixel.alpha, ..due.pixel };
        let mut colour = due.colour;
        if pixel.family == Family::Gray && pixel.alpha {
            // Grey planes have no opacity beside them; luma is grey.
            pixel.family = Family::Yuv;
            colour.range = due.pixel.range(colour.range);
        }
        let (width, height) = placed.size;
        let shown = Format { width, height, pixel, colour, turn: Turn::default(), ..Format::clone(due) };
        Ok(Self { fitting: Fitting::new(request, from, &Arc::new(shown))?, placed: placed.clone() })
    }

    pub(super) fn run(&mut self, frame: Frame, pool: &Pool) -> Result<Frame> {
        let frame = self.fitting.run(frame, pool)?;
        let share = self.placed.opacity;
        match frame.format().pixel.sample {
            Sample::U8 => self.cut::<u8>(&frame, pool, |a| (f64::from(a) * share).round(), |a| a as u8),
            Sample::U16 => self.cut::<u16>(&frame, pool, |a| (f64::from(a) * share).round(), |a| a as u16),
            Sample::F32 => self.cut::<f32>(&frame, pool, |a| f64::from(a) * share, |a| a as f32),
        }
    }

    /// The part that is seen of a frame as it is shown; `shared` is what a step of its opacity becomes, and `stored` how that is kept.
    fn cut<T: Pod>(
        &self,
        frame: &Frame,
        pool: &Pool,
        shared: impl Fn(T) -> f64,
        stored: impl Fn(f64) -> T,
    ) -> Result<Frame> {
        let PlacedClip { format, size, columns, rows, .. } = &self.placed;
        let (host, own) = (frame.host()?, frame.format().pixel);
        let alpha = own.alpha.then(|| host.plane::<T>(own.planes() - 1));
        let mut cut = pool.frame(format)?;
        for (index, mut to) in cut.planes_mut::<T>().into_iter().enumerate() {
            let subsampling = swapped(format.turn, format.pixel.subsampling(index));
            let seen = SeenPart {
                turn: format.turn,
                columns: sampled(columns, subsampling.0),
                rows: sampled(rows, subsampling.1),
            };
            if !format.pixel.is_alpha(index) {
                seen.copy(&host.plane::<T>(index), to.reborrow());
            }
            if let Some(alpha) = &alpha {
                let first = to.height / 2;
                let at = |x: usize, y: usize| shared(alpha.row(y)[x]);
                let covering = |place| Overlay::covering(own.sample, subsampling, *size, at, place);
                seen.write(to, first, |place| stored(covering(place)));
            }
        }
        Ok(cut.freeze(frame.timing.clone()))
    }
}

impl SeenPart {
    /// Copies what is seen of a plane, from the first row on.
    fn copy<T: Pod>(&self, from: &Plane<'_, T>, mut to: PlaneMut<'_, T>) {
        if self.turn.is_none() {
            for (y, row) in self.rows.clone().enumerate() {
                to.row_mut(y).copy_from_slice(&from.row(row)[self.columns.clone()]);
            }
            return;
        }
        self.write(to, 0, |(x, y)| from.row(y)[x]);
    }

    /// Writes a sample for each place that is seen, stored as the frames below are, from a row on.
    fn write<T>(&self, mut to: PlaneMut<'_, T>, first: usize, of: impl Fn((usize, usize)) -> T) {
        let (width, height) = self.turn.size((self.columns.len(), self.rows.len()));
        for y in 0..height {
            for (x, to) in to.row_mut(first + y).iter_mut().enumerate() {
                let (column, row) = self.turn.shown((x, y), (width, height));
                *to = of((self.columns.start + column, self.rows.start + row));
            }
        }
    }
}

/// Across and down of pictures as they are stored, as they are shown, and the other way round.
fn swapped(turn: Turn, (across, down): (u8, u8)) -> (u8, u8) {
    if turn.transposed { (down, across) } else { (across, down) }
}

/// The samples of so many luma pixels, the first of which begins one.
fn sampled(pixels: &Range<usize>, shift: u8) -> Range<usize> {
    pixels.start >> shift..pixels.end.div_ceil(1 << shift)
}
