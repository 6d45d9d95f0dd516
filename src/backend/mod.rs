//! Who does it: a [`Backend`] executes passes on frames. It is made for one list of passes and one format, so that
//! all preparation happens before the first frame.

pub mod cpu;
pub mod cuda;
mod network;

use anyhow::Result;

use crate::frame::Frame;

pub use cpu::Cpu;
pub use cuda::Cuda;

/// The four verbs of the data path. Only [`Backend::wait`] blocks for what was asked before; the others may do their
/// work at once (the CPU) or leave it under way (a GPU).
pub trait Backend {
    /// A frame where the backend keeps frames; nothing writes it, and clones share it.
    type Image: Clone + Send;
    /// A frame on its way back.
    type Pending: Send;

    /// Takes a frame in.
    ///
    /// # Errors
    /// If memory runs out or the device fails.
    fn upload(&mut self, frame: Frame) -> Result<Self::Image>;

    /// Runs the pass at position `pass` of the list that the backend was made for. `window` has `2·reach + 1` places,
    /// the centre in the middle, never `None` there; `None` elsewhere is a frame of
    /// [`crate::frame::Pixel::neutral`] samples. The window of a blend has two places, neither of them `None`: what went
    /// into a filter, and what came out, which is the centre. The result carries the centre's timing.
    ///
    /// # Errors
    /// If memory runs out or the device fails.
    fn run(&mut self, pass: usize, window: &[Option<&Self::Image>]) -> Result<Self::Image>;

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

    /// How many downloads should be under way before the oldest is waited for; 0 where nothing runs ahead.
    fn in_flight(&self) -> usize;
}
