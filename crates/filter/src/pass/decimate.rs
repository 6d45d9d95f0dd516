//! One frame of each cycle dropped, as FFmpeg's `decimate` does it.

use anyhow::{Result, ensure};

use super::survey::{Answers, Questions};
use crate::frame::{Format, Pixel};

/// Of each cycle of frames one is dropped: the one that repeats the frame before it best, or, where none repeats it, one that begins
/// a scene. The others are handed on as they are. Whoever runs the pass chooses ([`Decimation::dropped`]) by what it asks a backend
/// ([`Questions::CHANGE`]).
///
/// Two numbers are asked for each frame, in whole samples: integers as they are, floats as [`crate::frame::Measured`] has them.
/// The frame is cut into cells of `blockx/2 × blocky/2` luma samples, which begin at its first; of each cell the absolute
/// differences from the frame before are added up, where `chroma` those of all planes of colour, which lie at the place of
/// their luma, else those of the first. The one number is the largest sum of `2 × 2` cells, or of fewer where the frame has fewer; the
/// other is the sum of all. Opacity does not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimation {
    /// Frames of which one is dropped, 2 to 25.
    pub cycle: u32,
    /// A frame whose largest block changes by less repeats the one before: percent of a block that goes from black to white.
    pub duplicate: f64,
    /// A frame that changes by more begins a scene: percent of luma that goes from black to white.
    pub scene: f64,
    /// Width and height of a block, powers of two from 4 to 512.
    pub block: [u32; 2],
    /// Whether all planes of colour are compared.
    pub chroma: bool,
}

/// How much a frame differs from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameChange {
    /// In the block that differs most.
    pub block: u64,
    /// In all.
    pub frame: u64,
}

impl FrameChange {
    /// Of a frame before which there is none.
    pub const FIRST: Self = Self { block: u64::MAX, frame: u64::MAX };

    /// What was answered to [`Questions::CHANGE`].
    pub fn of(answers: &Answers) -> Option<Self> {
        match answers.of(Questions::CHANGE)? {
            [block, frame] => Some(Self { block: *block, frame: *frame }),
            _ => None,
        }
    }
}

impl Decimation {
    /// Fails unless it is within its limits.
    ///
    /// # Errors
    /// That, with what to type.
    pub fn check(&self) -> Result<()> {
        let is_block = |size: u32| (4..=512).contains(&size) && size.is_power_of_two();
        let (Self { cycle, duplicate, scene, .. }, [x, y]) = (self, self.block);
        ensure!((2..=25).contains(cycle), "a cycle of {cycle} frames: type 2 to 25");
        ensure!(is_block(x) && is_block(y), "blocks of {x}x{y}: type powers of two from 4 to 512");
        ensure!((0.0..=100.0).contains(duplicate), "a threshold of duplicates of {duplicate} %: type 0 to 100");
        ensure!((0.0..=100.0).contains(scene), "a scene threshold of {scene} %: type 0 to 100");
        Ok(())
    }

    /// Width and height of a cell in luma samples.
    pub fn cell(&self) -> [usize; 2] {
        self.block.map(|size| size as usize / 2)
    }

    /// How many cells a frame has across and down.
    pub fn cells(&self, format: &Format) -> [usize; 2] {
        let [x, y] = self.cell();
        [format.width.div_ceil(x), format.height.div_ceil(y)]
    }

    /// How many planes are compared.
    pub fn planes(&self, pixel: Pixel) -> usize {
        if self.chroma { pixel.planes() - usize::from(pixel.alpha) } else { 1 }
    }

    /// Which frame of a cycle is dropped, from how much each of its frames changes.
    pub fn dropped(&self, format: &Format, changes: &[FrameChange]) -> usize {
        let white = (1u64 << format.pixel.measured_depth()) - 1;
        let part = |samples: u64, percent: f64| ((white * samples) as f64 * percent / 100.0) as u64;
        let scene = part((format.width * format.height) as u64, self.scene);
        let duplicate = part(self.block.iter().map(|size| u64::from(*size)).product(), self.duplicate);
        let cut = changes.iter().rposition(|change| change.frame > scene);
        let least = (0..changes.len()).min_by_key(|place| changes[*place].block).unwrap_or(0);
        let has_duplicate = changes.get(least).is_some_and(|change| change.block < duplicate);
        cut.filter(|_| !has_duplicate).unwrap_or(least)
    }
}
