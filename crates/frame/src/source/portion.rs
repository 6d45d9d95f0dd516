//! Clips cut into parts that lie side by side: where their frames are, and where the seams go.

use anyhow::{Result, ensure};

/// A frame of a clip, before it is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTime {
    /// When it is shown, as [`crate::Timing::pts`] says of the clip.
    pub time: i64,
    /// Whether decoding can begin with it.
    pub is_key: bool,
    /// Bytes of its packet; 0 where that is not known.
    pub bytes: usize,
}

/// The frames of a clip, or of the cut of it that is read, in order.
#[derive(Clone, Debug, Default)]
pub struct FrameIndex {
    /// All of them.
    pub frames: Vec<FrameTime>,
    /// Where they end, if that is before the clip does: no frame shown then or later belongs to them.
    pub end: Option<i64>,
}

/// Some frames of a clip that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// How many frames of the clip lie before it.
    pub first: u64,
    /// How many it has.
    pub frames: u64,
    /// When the first is shown; 0 where that is the clip's first.
    pub from: i64,
    /// Frames shown then or later do not belong to it; `None` for all to the end of the clip.
    pub to: Option<i64>,
}

/// How a source that is open comes to another part of its clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// From the key frame before it.
    KeyFrame,
    /// By reading on: it lies where the source is, or behind that.
    ReadOn,
}

impl FrameIndex {
    /// Frames that are shown one after the other in each unit of time, any of which can be decoded first.
    pub fn even(count: u64) -> Self {
        let frames =
            (0..count).map(|number| FrameTime { time: number.cast_signed(), is_key: true, bytes: 0 }).collect();
        Self { frames, end: None }
    }

    /// Cuts the clip into `count` parts of about as many frames each. A seam is the key frame that lies nearest to where an
    /// even cut would be, if one is nearer than half a part.
    ///
    /// # Errors
    /// If there are not as many frames.
    pub fn divide(&self, count: u64) -> Result<Vec<Portion>> {
        let total = self.frames.len() as u64;
        ensure!(
            count > 0 && count <= total,
            "{total} frames cannot be cut into {count} chunks; type a number up to {total}"
        );
        let mut seams: Vec<u64> = (0..count).map(|index| self.seam(index, count)).collect();
        seams.push(total);
        let time = |number: u64| self.frames.get(usize::try_from(number).ok()?).map(|frame| frame.time);
        let part = |ends: &[u64]| {
            let [first, end] = [ends[0], ends[1]];
            let from = if first == 0 { 0 } else { time(first).unwrap_or(0) };
            Portion { first, frames: end - first, from, to: time(end).or(self.end) }
        };
        Ok(seams.windows(2).map(part).collect())
    }

    /// The first frame of part `index` of `count`. Seams keep less than half a part away from where they would be in an even
    /// cut, so they ascend.
    fn seam(&self, index: u64, count: u64) -> u64 {
        let total = self.frames.len() as u64;
        let even = (u128::from(index) * u128::from(total) / u128::from(count)) as u64;
        if index == 0 {
            return 0;
        }
        let half = total / count / 2;
        let near = even - half..even + half.max(1);
        let keys = near.filter(|number| self.is_key(*number));
        keys.min_by_key(|number| number.abs_diff(even)).unwrap_or(even)
    }

    /// The key frame at or before a frame, by its number.
    pub fn key_before(&self, number: u64) -> Option<u64> {
        (0..=number).rev().find(|number| self.is_key(*number))
    }

    fn is_key(&self, number: u64) -> bool {
        usize::try_from(number).is_ok_and(|number| self.frames.get(number).is_some_and(|frame| frame.is_key))
    }
}
