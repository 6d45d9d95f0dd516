//! A rectangle that moves: where each frame has it, and what it covers of a plane.

use std::ops::Range;

use anyhow::{Result, ensure};

use crate::frame::{Format, Turn};

/// Place of a picture over a frame as it is shown, in luma pixels, cut to whole samples of chroma.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OverlayPlace {
    /// Pixels to its left; negative where it begins outside.
    pub left: i32,
    /// Pixels above it.
    pub top: i32,
}

impl OverlayPlace {
    /// Beyond every frame, whose sides are [`Format::MAX_SIDE`] at most, and as far as a rectangle is long at most.
    const FAR: i32 = 1 << 24;

    /// The place of two numbers over frames with a sample of chroma for so many pixels, powers of two, across and down: cut to whole
    /// numbers, then to whole samples. A number that is NaN puts the picture outside the frame.
    pub fn new((x, y): (f64, f64), (across, down): (usize, usize)) -> Self {
        let whole = |place: f64, grain: usize| {
            let far = f64::from(Self::FAR);
            let place = if place.is_nan() { far } else { place.clamp(-far, far) };
            place as i32 & !(grain as i32 - 1)
        };
        Self { left: whole(x, across), top: whole(y, down) }
    }
}

/// How a rectangle follows the place of each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayMotion {
    /// How frames are turned when they are shown.
    pub turn: Turn,
    /// By how many powers of two the plane is narrower and lower than luma, as it is shown.
    pub subsampling: (u8, u8),
    /// Columns and rows of the plane, as it is stored.
    pub plane: (usize, usize),
}

impl OverlayMotion {
    /// The motion of a rectangle over a plane of a format.
    pub fn of(format: &Format, plane: usize) -> Self {
        let (across, down) = format.pixel.subsampling(plane);
        let subsampling = if format.turn.transposed { (down, across) } else { (across, down) };
        Self { turn: format.turn, subsampling, plane: format.plane_size(plane) }
    }

    /// Column and row of the plane, as it is stored, of the first sample of a rectangle of `size` stored samples; outside the plane
    /// where the rectangle begins there.
    pub fn corner(&self, size: (usize, usize), place: OverlayPlace) -> (isize, isize) {
        let Self { turn, subsampling: (across, down), plane } = *self;
        let ((width, height), (wide, high)) = (turn.size(plane), turn.size(size));
        let (left, top) = ((place.left >> across) as isize, (place.top >> down) as isize);
        let from_end = |side: usize, length: usize, first: isize| side as isize - length as isize - first;
        let left = if turn.mirrored { from_end(width, wide, left) } else { left };
        let top = if turn.flipped { from_end(height, high, top) } else { top };
        if turn.transposed { (top, left) } else { (left, top) }
    }

    /// The part of a rectangle of `size` stored samples that lies within the plane; `None` where nothing does.
    pub(super) fn part(&self, size: (usize, usize), place: OverlayPlace) -> Option<OverlayPart> {
        let (column, row) = self.corner(size, place);
        let (columns, skipped) = within(column, size.0, self.plane.0)?;
        let (rows, above) = within(row, size.1, self.plane.1)?;
        Some(OverlayPart { columns, rows, first: (skipped, above) })
    }

    /// Fails unless it is that of a rectangle of so many columns and rows over a plane.
    pub(super) fn check(
        &self,
        format: &Format,
        plane: usize,
        columns: &Range<usize>,
        rows: &Range<usize>,
    ) -> Result<()> {
        ensure!(*self == Self::of(format, plane), "the picture moves over another plane");
        let most = OverlayPlace::FAR as usize;
        let is_whole = |range: &Range<usize>| range.start == 0 && (1..=most).contains(&range.end);
        ensure!(
            is_whole(columns) && is_whole(rows),
            "a moving picture has 1 to {most} columns and rows, counted from 0"
        );
        Ok(())
    }
}

/// The part of a rectangle that covers samples of a plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayPart {
    /// Columns of the plane, at least one.
    pub columns: Range<usize>,
    /// Rows of the plane, at least one.
    pub rows: Range<usize>,
    /// Column and row of the rectangle over the first of these.
    pub first: (usize, usize),
}

/// What `length` samples from `first` on cover of `end` samples, and how many of them come before that.
fn within(first: isize, length: usize, end: usize) -> Option<(Range<usize>, usize)> {
    let inside = |at: isize| at.clamp(0, end as isize) as usize;
    let covered = inside(first)..inside(first.saturating_add_unsigned(length));
    let skipped = covered.start.saturating_add_signed(first.saturating_neg());
    (!covered.is_empty()).then_some((covered, skipped))
}

#[cfg(test)]
mod tests {
    use super::{OverlayMotion, OverlayPart, OverlayPlace};
    use crate::frame::Turn;

    #[test]
    fn places_are_cut_to_whole_samples() {
        let at = |x: f64, y: f64| {
            let OverlayPlace { left, top } = OverlayPlace::new((x, y), (2, 4));
            (left, top)
        };
        assert_eq!(at(3.9, 7.9), (2, 4));
        assert_eq!(at(-0.9, -1.0), (0, -4));
        assert_eq!(at(1e300, f64::NEG_INFINITY), (1 << 24, -(1 << 24)));
        assert_eq!(at(f64::NAN, 0.0), (1 << 24, 0));
    }

    #[test]
    fn parts_lie_within_the_plane() {
        let motion = |turn: Turn| OverlayMotion { turn, subsampling: (0, 0), plane: (10, 6) };
        let part = |turn: Turn, left: i32, top: i32| motion(turn).part((4, 3), OverlayPlace { left, top });
        let upright = |left, top| part(Turn::default(), left, top);
        assert_eq!(upright(2, 1), Some(OverlayPart { columns: 2..6, rows: 1..4, first: (0, 0) }));
        assert_eq!(upright(-3, 4), Some(OverlayPart { columns: 0..1, rows: 4..6, first: (3, 0) }));
        for (left, top) in [(-4, 0), (10, 0), (0, -3), (0, 6), (i32::MIN, 0), (0, i32::MAX)] {
            assert_eq!(upright(left, top), None);
        }
        // On its side the plane is shown 6 wide and 10 high, and the rectangle 3 wide and 4 high.
        let turned = part(Turn { transposed: true, mirrored: true, flipped: false }, 1, 8);
        assert_eq!(turned, Some(OverlayPart { columns: 8..10, rows: 2..5, first: (0, 0) }));
        let flipped = part(Turn { transposed: false, mirrored: false, flipped: true }, 0, -1);
        assert_eq!(flipped, Some(OverlayPart { columns: 0..4, rows: 4..6, first: (0, 0) }));
    }
}
