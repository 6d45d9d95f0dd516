//! Who does it: a [`Backend`] executes passes on frames. It is made for one list of passes and one format, so that
//! all preparation happens before the first frame.

pub mod cpu;
pub mod cuda;
mod network;

use anyhow::Result;

use crate::frame::Frame;

pub use cpu::Cpu;
pub use cuda::Cuda;

/// The verbs of the data path: four that frames go through, and two that ask how bright they are. Only
/// [`Backend::wait`] and [`Backend::read`] block for what was asked before; the others may do their work at once (the
/// CPU) or leave it under way (a GPU).
pub trait Backend {
    /// A frame where the backend keeps frames; nothing writes it, and clones share it.
    type Image: Clone + Send;
    /// A frame on its way back.
    type Pending: Send;
    /// A sum on its way back.
    type Measure: Send;

    /// Takes a frame in.
    ///
    /// # Errors
    /// If memory runs out or the device fails.
    fn upload(&mut self, frame: Frame) -> Result<Self::Image>;

    /// Runs the pass at position `pass` of the list that the backend was made for. `window` has `2·reach + 1` places,
    /// the centre in the middle, never `None` there; `None` elsewhere is a frame of
    /// [`crate::frame::Pixel::neutral`] samples. The window of a blend has two places, neither of them `None`: what went
    /// into a filter, and what came out, which is the centre. `factor` is what [`crate::pass::Op::Gain`] multiplies by;
    /// other ops do not read it. The result carries the centre's timing.
    ///
    /// # Errors
    /// If memory runs out or the device fails.
    fn run(&mut self, pass: usize, window: &[Option<&Self::Image>], factor: f32) -> Result<Self::Image>;

    /// Asks for a sum over the planes that make up brightness ([`crate::frame::Pixel::brightness_planes`]): of all
    /// samples, or with `before` of the absolute differences between the samples of the two images. Sums are whole
    /// numbers, so that every backend gives the same. A float sample counts as
    /// `clamp(sample, 0, 1) · 65535` in `f32`, rounded to the nearest whole number, ties to even; NaN as 0.
    ///
    /// # Errors
    /// If memory runs out or the device fails.
    fn measure(&mut self, image: &Self::Image, before: Option<&Self::Image>) -> Result<Self::Measure>;

    /// The sum that was asked for. Blocks until it is there.
    ///
    /// # Errors
    /// If the device failed.
    fn read(&mut self, measure: Self::Measure) -> Result<u64>;

    /// Asks for a frame back, also one that was never run through a pass; others may still hold clones of the image.
    ///
    /// # Errors
    /// If memory runs out or the device fails.
    fn download(&mut self, image: Self::Image) -> Result<Self::Pending>;

    /// The frame that was asked for. Blocks until it is there.
    ///
    /// # Errors
    /// If the device failed.
    fn wait(&mut self, pending: Self::Pending) -> Result<Frame>;

    /// How many downloads, and how many measured images, should be under way before the oldest is waited for; 0 where
    /// nothing runs ahead.
    fn in_flight(&self) -> usize;
}
