//! Another clip as it is laid over the frames of the clip: where each plane meets it, and what has to be read of it.

use std::sync::Arc;

use super::place::PicturePlace;
use crate::frame::{Format, Sample};
use crate::pass::{ClipFit, ClipOpacity, ClipShape, Op, Overlay, OverlayBase, OverlayClip, OverlaySamples, PlacedClip};

/// A clip at a place of frames as they are shown.
pub(super) struct PlacedMoving<'a> {
    place: PicturePlace<'a>,
    /// The factor of its opacity.
    share: f64,
    /// Of the frames that the pass reads; `None` where nothing can be seen.
    format: Option<Arc<Format>>,
    shape: ClipShape,
}

impl<'a> PlacedMoving<'a> {
    pub(super) fn new(shape: ClipShape, place: PicturePlace<'a>, share: f64) -> Self {
        let own = place.frames.format;
        let format = place.covered(0).map(|(columns, rows)| {
            let grain = 1 << own.pixel.log2_chroma_h;
            let height = if shape.has_alpha { 2 * rows.len().next_multiple_of(grain) } else { rows.len() };
            Arc::new(Format { width: columns.len(), height, ..own.clone() })
        });
        Self { place, share, format, shape }
    }

    /// The operation of a plane; a copy where the clip lies outside or cannot be seen.
    pub(super) fn op(&self, plane: usize) -> Op {
        let (Some(format), Some((columns, rows))) = (&self.format, self.place.covered(plane)) else { return Op::Copy };
        let pixel = format.pixel;
        let opacity = match self.shape.has_alpha {
            true => ClipOpacity::FromRow(format.plane_size(plane).1 / 2),
            false if pixel.sample == Sample::F32 => ClipOpacity::Even(self.share as f32),
            false => ClipOpacity::Even((self.share * f64::from(pixel.peak())).round() as f32),
        };
        if self.share == 0.0 || opacity == ClipOpacity::Even(0.0) {
            return Op::Copy;
        }
        let picture = OverlaySamples::Clip(OverlayClip { format: format.clone(), opacity });
        let motion = self.place.motion(plane);
        Op::Overlay(Overlay { columns, rows, motion, picture, base: OverlayBase::of(pixel, plane) })
    }

    /// The part of the clip that the pass reads; `None` if it lies outside the frame.
    pub(super) fn fit(&self) -> Option<ClipFit> {
        let [columns, rows] = self.place.seen();
        let (format, shape, size) = (self.format.clone()?, self.shape, self.place.size);
        Some(ClipFit::Placed(PlacedClip { format, shape, size, columns, rows, opacity: self.share }))
    }
}
