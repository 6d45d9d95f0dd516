//! For which frames a filter acts: FFmpeg's expressions, where FFmpeg is there to read them.

#[cfg(feature = "libav")]
pub use warpreel_ffmpeg::condition::{Condition, Watch};

#[cfg(not(feature = "libav"))]
pub use absent::{Condition, Watch};

use super::expression::{keeps_values, words};
use crate::frame::Margin;

/// What a condition has to know of the clip beyond the part of it that is read: the frames' numbers where it names `n`, and
/// every frame before where it keeps values from frame to frame.
pub fn margin(condition: &Condition) -> Margin {
    let before = if keeps_values(condition.text()) { u64::MAX } else { 0 };
    Margin { before, counts: words(condition.text()).any(|word| word == "n"), ..Margin::default() }
}

#[cfg(not(feature = "libav"))]
mod absent {
    use anyhow::{Result, bail};

    use crate::frame::{Format, Timing};

    /// A condition of a build that cannot read any.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Condition {}

    impl Condition {
        /// Reads none.
        ///
        /// # Errors
        /// Always.
        pub fn parse(_: &str) -> Result<Self> {
            bail!("FFmpeg evaluates it, and this build has no FFmpeg; build with the feature libav")
        }

        /// As it was typed.
        pub fn text(&self) -> &str {
            match *self {}
        }

        /// Gets ready for nothing.
        ///
        /// # Errors
        /// None: there is nothing to call it on.
        pub fn watch(&self, _: &Format) -> Result<Watch> {
            match *self {}
        }
    }

    /// A condition over one clip.
    pub enum Watch {}

    impl Watch {
        /// Whether it holds.
        ///
        /// # Errors
        /// None: there is nothing to call it on.
        pub fn holds(&mut self, _: &Timing) -> Result<bool> {
            match *self {}
        }
    }
}
