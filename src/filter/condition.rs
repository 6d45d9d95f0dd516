//! For which frames a filter acts: FFmpeg's expressions, where FFmpeg is there to read them.

#[cfg(feature = "libav")]
pub use crate::libav::condition::{Condition, Watch};

#[cfg(not(feature = "libav"))]
pub use absent::{Condition, Watch};

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
            bail!("it is for FFmpeg to read, and this build has none; build with the feature libav")
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
        pub fn holds(&mut self, _: &Timing) -> bool {
            match *self {}
        }
    }
}
