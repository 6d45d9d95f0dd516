//! What the reference blocks of a strip look at: rows of the frames of the window, as keys and as values.

use super::super::window::PlaneWindow;
use super::grid::ReferenceGrid;
use super::noisy::NoisySample;
use crate::pass::Bm3d;

/// The centre and the other frames.
pub const MOST_FRAMES: usize = 2 * Bm3d::MAX_FRAMES + 1;

/// Reference blocks of some rows.
pub struct ReferenceStrip {
    /// The rows that they begin in, counted in reference blocks.
    pub first: usize,
    /// The last of them.
    pub last: usize,
    /// Where the first begins.
    start: usize,
    /// Where the last ends.
    end: usize,
}

/// Rows of a frame of the window, those of the plane from row `top` on.
#[derive(Clone, Copy, Default)]
pub struct FrameRows<'a> {
    /// The topmost.
    pub top: usize,
    /// What blocks are compared as, where other frames are followed.
    pub keys: &'a [u8],
    /// Values, in the second step of the estimate.
    pub estimate: &'a [f32],
    /// Of what went into the first step; empty in it.
    pub noisy: &'a [f32],
}

/// The rows of all frames that are there: the centre, then the others as they are searched.
pub struct StripRows<'a> {
    /// One a frame.
    pub frames: [Option<FrameRows<'a>>; MOST_FRAMES],
    /// Values from one row to the next.
    pub pitch: usize,
}

impl ReferenceStrip {
    /// The strip of that number.
    pub fn of(grid: &ReferenceGrid, index: usize) -> Self {
        let first = index * grid.strip_references();
        let last = (first + grid.strip_references()).min(grid.op.references(grid.high)) - 1;
        let [start, end] = [first, last].map(|number| grid.place(number, grid.high));
        Self { first, last, start, end: end + Bm3d::SIDE }
    }

    /// The rows of the plane that are looked at in a frame, so many from the topmost on: the frames are numbered as in
    /// [`StripRows`].
    pub fn rows(&self, grid: &ReferenceGrid, frame: usize) -> (usize, usize) {
        let op = &grid.op;
        let far = match frame.checked_sub(1) {
            None => op.range,
            Some(other) => op.near * op.time(other).unsigned_abs(),
        };
        let top = self.start.saturating_sub(far);
        (top, (self.end + far).min(grid.high) - top)
    }

    /// Values and keys that the rows of all frames have.
    pub fn sizes(&self, grid: &ReferenceGrid) -> (usize, usize) {
        let (mut values, mut keys) = (0, 0);
        for frame in 0..=grid.op.others() {
            let (_, count) = self.rows(grid, frame);
            values += grid.images() * count * grid.pitch();
            keys += count * grid.key_pitch(frame);
        }
        (values, keys)
    }
}

impl<'a> StripRows<'a> {
    /// Those of a strip, in so much memory as [`ReferenceStrip::sizes`] says.
    #[inline(always)]
    pub fn new<T: NoisySample>(
        grid: &ReferenceGrid,
        window: &PlaneWindow<T>,
        strip: &ReferenceStrip,
        mut values: &'a mut [f32],
        mut keys: &'a mut [u8],
    ) -> Self {
        let (pitch, images) = (grid.pitch(), grid.images());
        let centre = window.planes.len() / 2;
        let mut frames = [None; MOST_FRAMES];
        for (frame, rows) in frames.iter_mut().enumerate().take(1 + grid.op.others()) {
            let time = frame.checked_sub(1).map_or(0, |other| grid.op.time(other));
            let place = centre.wrapping_add_signed(time * images as isize);
            if window.planes[place].is_none() {
                continue;
            }
            let (top, count) = strip.rows(grid, frame);
            let (key_pitch, margin) = (grid.key_pitch(frame), if frame == 0 { grid.op.range } else { 0 });
            let estimate = cut(&mut values, count * pitch);
            let noisy = cut(&mut values, (images - 1) * count * pitch);
            for (values, place) in [(&mut *estimate, place), (&mut *noisy, place + 1 - images)] {
                for (i, values) in values.chunks_exact_mut(pitch).enumerate() {
                    grid.values(grid.source(top + i).map(|y| window.row(place, y)), values);
                }
            }
            let keys = cut(&mut keys, count * key_pitch);
            for (i, keys) in keys.chunks_exact_mut(key_pitch).enumerate() {
                grid.keys(grid.source(top + i).map(|y| window.row(place, y)), &mut keys[margin..][..grid.wide]);
            }
            *rows = Some(FrameRows { top, keys, estimate, noisy });
        }
        Self { frames, pitch }
    }
}

/// Cuts so many elements off the front.
fn cut<'a, A>(from: &mut &'a mut [A], count: usize) -> &'a mut [A] {
    let (front, rest) = std::mem::take(from).split_at_mut(count);
    *from = rest;
    front
}
