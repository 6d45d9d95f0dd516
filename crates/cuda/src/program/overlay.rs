//! A still picture, or another clip, over a part of the plane: `kernels/overlay.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::frame::Sample;
use crate::pass::{ClipOpacity, Overlay, OverlayBase, OverlaySamples};

impl Written for Overlay {
    const SOURCES: &'static [SourceFile] = &[source!("overlay.cu")];

    /// The place and the size are a matter of the table, so that one kernel serves every picture; the place of one that moves is that of
    /// the launch.
    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        // Quads of the plane, which threads read at once.
        let left = self.columns.start / 4 * 4;
        let [right, top, bottom] = [self.columns.end, self.rows.start, self.rows.end];
        let ([samples, opacity, stride], clip) = match self.clip() {
            Some(clip) => match clip.opacity {
                ClipOpacity::Even(all) if builder.pixel.sample == Sample::F32 => {
                    ([self.columns.start, all.to_bits() as usize, 0], 1)
                }
                ClipOpacity::Even(all) => ([self.columns.start, all as usize, 0], 1),
                ClipOpacity::FromRow(row) => ([self.columns.start, row, 0], 2),
            },
            None => (lookups(self, builder, left), 0),
        };
        let place = [left, right, top, bottom, samples, opacity, stride, 0].map(|number| number as u32);
        let made = Named::default().int("AT", builder.tabled(&place)).int("CLIP", clip);
        let made = made.int("MOVES", self.motion.is_some().into());
        let made = match self.base {
            OverlayBase::Opaque => made.int("BASE", 0),
            OverlayBase::Opacity => made.int("BASE", 1),
            OverlayBase::Colour(guide) => {
                let [across, down] = guide.finer.map(|power| power as usize);
                made.int("BASE", 2).int("GUIDE", guide.plane).int("ACROSS", across).int("DOWN", down)
            }
        };
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Overlay", made), class)
    }
}

/// Puts a still picture among the lookups, in rows of whole quads of the plane from column `left` on: where its samples begin, where
/// their opacity does, and the length of a row. What it does not cover has no opacity.
fn lookups(op: &Overlay, builder: &mut Builder, left: usize) -> [usize; 3] {
    let stride = (op.columns.end - left).next_multiple_of(4);
    let padded = |numbers: &[u32]| -> Vec<u32> {
        let mut words = Vec::with_capacity(stride * op.rows.len());
        for row in numbers.chunks(op.columns.len()) {
            words.resize(words.len() + (op.columns.start - left), 0);
            words.extend_from_slice(row);
            words.resize(words.len().next_multiple_of(stride), 0);
        }
        words
    };
    let (samples, opacity): (Vec<u32>, Vec<u32>) = match &op.picture {
        OverlaySamples::Whole { samples, opacity } => {
            (samples.iter().map(|&number| number.into()).collect(), opacity.iter().map(|&a| a.into()).collect())
        }
        OverlaySamples::Real { samples, opacity } => {
            (samples.iter().map(|number| number.to_bits()).collect(), opacity.iter().map(|a| a.to_bits()).collect())
        }
        OverlaySamples::Clip(_) => (Vec::new(), Vec::new()),
    };
    let opacity = builder.looked_up(&padded(&opacity));
    let samples = if samples.is_empty() { opacity } else { builder.looked_up(&padded(&samples)) };
    [samples, opacity, stride]
}
