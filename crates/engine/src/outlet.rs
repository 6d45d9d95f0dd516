//! Where an engine puts frames that are ready.

use std::collections::VecDeque;

use anyhow::Result;

use crate::frame::Frame;

/// Takes frames one by one, in order. A vector keeps them; a closure does with each what it likes, and may block.
pub trait Outlet {
    /// Takes the next frame.
    ///
    /// # Errors
    /// If it cannot; the engine then stops, and returns that error.
    fn put(&mut self, frame: Frame) -> Result<()>;
}

impl Outlet for Vec<Frame> {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.push(frame);
        Ok(())
    }
}

impl Outlet for VecDeque<Frame> {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.push_back(frame);
        Ok(())
    }
}

impl<F: FnMut(Frame) -> Result<()>> Outlet for F {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self(frame)
    }
}
