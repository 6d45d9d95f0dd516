//! A rectangle of its own size at a place of frames as they are shown.

use std::ops::Range;

use super::ShownFrames;
use crate::pass::OverlayMotion;

/// A picture or a clip at a place of frames as they are shown.
pub(super) struct PicturePlace<'a> {
    pub(super) frames: ShownFrames<'a>,
    /// Luma pixels to its left and above it, whole samples of chroma; `None` where each frame has a place of its own.
    pub(super) corner: Option<(isize, isize)>,
    /// Its luma pixels, across and down.
    pub(super) size: (usize, usize),
}

impl PicturePlace<'_> {
    /// Columns and rows of a plane as it is stored that are covered; `None` if nothing of it can be seen. If it moves, all of its own.
    pub(super) fn covered(&self, plane: usize) -> Option<(Range<usize>, Range<usize>)> {
        let format = self.frames.format;
        if self.corner.is_none() {
            let (width, height) = self.ground(plane);
            return Some((0..width, 0..height));
        }
        let (left, top) = self.origin(plane);
        let (width, height) = self.plane_size(plane);
        let shown = format.turn.size(format.plane_size(plane));
        let (columns, rows) = (visible(left, width, shown.0), visible(top, height, shown.1));
        if columns.is_empty() || rows.is_empty() {
            return None;
        }
        let last = (columns.end - 1, rows.end - 1);
        let ends = [(columns.start, rows.start), last].map(|end| format.turn.stored(end, shown));
        let range = |[a, b]: [usize; 2]| a.min(b)..a.max(b) + 1;
        Some((range(ends.map(|end| end.0)), range(ends.map(|end| end.1))))
    }

    /// Its own luma columns and rows that are seen, as it is shown.
    pub(super) fn seen(&self) -> [Range<usize>; 2] {
        let ((width, height), shown) = (self.size, self.frames.size());
        let Some((left, top)) = self.corner else { return [0..width, 0..height] };
        let own = |first: isize, length: usize, end: usize| {
            let inside = visible(first, length, end);
            let from = |at: usize| (at as isize - first).clamp(0, length as isize) as usize;
            from(inside.start)..from(inside.end)
        };
        [own(left, width, shown.0), own(top, height, shown.1)]
    }

    /// Samples of a plane, as it is shown, to its left and above it; none if it moves.
    pub(super) fn origin(&self, plane: usize) -> (isize, isize) {
        let ((across, down), (left, top)) = (self.frames.subsampling(plane), self.corner.unwrap_or_default());
        (left >> across, top >> down)
    }

    /// Columns and rows, as they are stored, of what [`PicturePlace::covered`] lies in: a plane, or if it moves itself.
    pub(super) fn ground(&self, plane: usize) -> (usize, usize) {
        let format = self.frames.format;
        match self.corner {
            Some(_) => format.plane_size(plane),
            None => format.turn.size(self.plane_size(plane)),
        }
    }

    /// How it follows the place of each frame, if it moves.
    pub(super) fn motion(&self, plane: usize) -> Option<OverlayMotion> {
        self.corner.is_none().then(|| OverlayMotion::of(self.frames.format, plane))
    }

    /// Its samples in a plane, as it is shown, across and down.
    fn plane_size(&self, plane: usize) -> (usize, usize) {
        let (across, down) = self.frames.subsampling(plane);
        (self.size.0.div_ceil(1 << across), self.size.1.div_ceil(1 << down))
    }
}

/// The part of so many samples from `first` on that lies within `end`.
fn visible(first: isize, length: usize, end: usize) -> Range<usize> {
    let inside = |at: isize| at.clamp(0, end as isize) as usize;
    inside(first)..inside(first + length as isize)
}
