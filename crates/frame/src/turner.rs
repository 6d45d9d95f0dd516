//! Frames as they are shown, where that is otherwise than they are stored.

use std::sync::Arc;

use anyhow::Result;
use bytemuck::Pod;

use super::{FieldOrder, Format, Frame, Pixel, Plane, PlaneMut, Pool, Rational, Sample, Turn};

/// Turns frames into what is shown of them, sample by sample.
#[derive(Debug)]
pub struct Turner {
    turn: Turn,
    to: Arc<Format>,
    pool: Pool,
}

impl Turner {
    /// For frames of a format; `None` where they are shown as they are stored.
    pub fn new(from: &Format) -> Option<Self> {
        let turn = from.turn;
        (!turn.is_none()).then(|| Self { turn, to: Arc::new(shown(turn, from)), pool: Pool::heap() })
    }

    /// What turned frames are.
    pub fn format(&self) -> &Arc<Format> {
        &self.to
    }

    /// A frame as it is shown, with its time and all that rides along.
    ///
    /// # Errors
    /// If the frame lies on a device, or memory runs out.
    pub fn run(&self, frame: &Frame) -> Result<Frame> {
        match self.to.pixel.sample {
            Sample::U8 => self.turned::<u8>(frame),
            Sample::U16 => self.turned::<u16>(frame),
            Sample::F32 => self.turned::<f32>(frame),
        }
    }

    fn turned<T: Pod>(&self, frame: &Frame) -> Result<Frame> {
        let (host, mut turned) = (frame.host()?, self.pool.frame(&self.to)?);
        for (index, plane) in turned.planes_mut::<T>().into_iter().enumerate() {
            let (from, to) = (frame.format().pixel.subsampling(index), self.to.pixel.subsampling(index));
            // By how much the stored plane is coarser than the turned one, along its own axes.
            let coarser = if from == (to.1, to.0) || !self.turn.transposed { (0, 0) } else { from };
            self.plane(host.plane::<T>(index), plane, coarser);
        }
        Ok(turned.freeze(frame.timing.clone()))
    }

    fn plane<T: Pod>(&self, from: Plane<'_, T>, mut to: PlaneMut<'_, T>, (right, down): (u8, u8)) {
        /// Rows that are written side by side, so that columns are read in pieces that lie together.
        const BAND: usize = 32;

        let size = (to.width, to.height);
        for y in (0..to.height).filter(|_| !self.turn.transposed) {
            let row = from.row(self.turn.stored((0, y), size).1);
            let into = to.row_mut(y);
            into.copy_from_slice(row);
            if self.turn.mirrored {
                into.reverse();
            }
        }
        for top in (0..to.height).step_by(BAND).filter(|_| self.turn.transposed) {
            let rows = top..(top + BAND).min(to.height);
            for x in 0..to.width {
                let row = from.row(self.turn.stored((x, 0), size).1 >> down);
                for y in rows.clone() {
                    to.row_mut(y)[x] = row[self.turn.stored((x, y), size).0 >> right];
                }
            }
        }
    }
}

impl Turn {
    /// What frames of a format are when their stored pictures are turned; how they are shown after that stays.
    pub fn turned(self, from: &Format) -> Format {
        let mut to = from.clone();
        (to.width, to.height) = self.size((from.width, from.height));
        to.colour.siting = self.siting(from.colour.siting);
        if self.transposed {
            to.aspect = if from.aspect.num == 0 { from.aspect } else { Rational::inverse(from.aspect) };
            to.fields = if from.fields == FieldOrder::Unspecified { from.fields } else { FieldOrder::Progressive };
            let Pixel { log2_chroma_w, log2_chroma_h, .. } = from.pixel;
            to.pixel = Pixel { log2_chroma_w: log2_chroma_h, log2_chroma_h: log2_chroma_w, ..from.pixel };
        } else if self.flipped && from.height.is_multiple_of(2) {
            to.fields = match from.fields {
                FieldOrder::TopFirst => FieldOrder::BottomFirst,
                FieldOrder::BottomFirst => FieldOrder::TopFirst,
                other => other,
            };
        }
        to
    }
}

/// Frames of a format as they are shown. Colours that are shared by pixels of a row alone would be shared by those of a
/// column, which few can store: on their side, such frames have colour at every pixel.
fn shown(turn: Turn, from: &Format) -> Format {
    let mut to = Format { turn: Turn::default(), ..turn.turned(from) };
    if turn.transposed && from.pixel.log2_chroma_w != from.pixel.log2_chroma_h {
        to.pixel = Pixel { log2_chroma_w: 0, log2_chroma_h: 0, ..from.pixel };
        to.colour.siting = 0;
    }
    to
}
