//! What lies outside a plane, and before and after a clip.

use anyhow::{Result, ensure};

/// What lies outside a plane.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Border {
    /// `dcb|abcd|cba`: mirrored about the middle of the edge sample. OpenCV's default, and mostly FFmpeg's.
    #[default]
    Reflect101,
    /// `aaa|abcd|ddd`: the edge sample repeated.
    Clamp,
    /// `cba|abcd|dcb`: mirrored about the edge itself.
    Reflect,
    /// `dcb|abcd|dcb`: [`Border::Reflect101`] at the left and the top, [`Border::Reflect`] at the right and the
    /// bottom. What FFmpeg's `convolution` does for 3×3 matrices, and only for those.
    Lopsided,
    /// `bcd|abcd|abc`: the other side.
    Wrap,
    /// One value everywhere, in the units of the plane's samples; for [`super::Arithmetic::Integer`] one that a sample
    /// can have.
    Constant(f32),
}

impl Border {
    /// The index in `0..length` that stands for any `index`; `None` where the constant does.
    /// Works however far outside the index lies.
    pub fn index(self, index: isize, length: usize) -> Option<usize> {
        let n = length as isize;
        if (0..n).contains(&index) {
            return Some(index as usize);
        }
        let mirrored = |period: isize, last: isize| {
            let i = index.rem_euclid(period);
            if i < n { i } else { last - i }
        };
        Some(match self {
            Self::Reflect101 if n == 1 => 0,
            Self::Reflect101 => mirrored(2 * n - 2, 2 * n - 2),
            Self::Reflect => mirrored(2 * n, 2 * n - 1),
            Self::Lopsided => mirrored(2 * n - 1, 2 * n - 1),
            Self::Clamp => index.clamp(0, n - 1),
            Self::Wrap => index.rem_euclid(n),
            Self::Constant(_) => return None,
        } as usize)
    }

    /// The constant, or 0 for the other modes.
    pub fn constant(self) -> f32 {
        if let Self::Constant(value) = self { value } else { 0.0 }
    }

    /// Fails unless its constant is an integer that a sample of up to `peak` can be.
    ///
    /// # Errors
    /// If it is another number.
    pub(super) fn check(self, peak: f32) -> Result<()> {
        let constant = self.constant();
        let fits = constant.fract() == 0.0 && (0.0..=peak).contains(&constant);
        ensure!(fits, "the border {constant} is no sample of 0 to {peak}");
        Ok(())
    }
}

/// What lies before the first frame and after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TimeBorder {
    /// The end frame repeated.
    #[default]
    Clamp,
    /// Mirrored about the end frame.
    Reflect101,
    /// Frames of no light and no colour ([`crate::frame::Pixel::neutral`]).
    Zero,
    /// Before the clip its first frame; after it, over and over, the frame as far from its end as windows reach, or the
    /// first. What FFmpeg's `atadenoise` does.
    Lopsided,
}

impl TimeBorder {
    /// The frame in `0..length` that stands for any `index` in windows that reach so many frames to either side; `None` for
    /// a frame of zeros.
    pub fn index(self, index: isize, length: usize, reach: usize) -> Option<usize> {
        match self {
            Self::Lopsided if index >= length as isize => Some(length.saturating_sub(reach)),
            Self::Lopsided => Border::Clamp.index(index, length),
            Self::Clamp => Border::Clamp.index(index, length),
            Self::Reflect101 => Border::Reflect101.index(index, length),
            Self::Zero => (0..length as isize).contains(&index).then_some(index as usize),
        }
    }
}
