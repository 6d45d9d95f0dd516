//! `null:`, where frames are dropped, so that everything before it can be measured.

use anyhow::Result;

use super::Sink;
use crate::frame::{Attachment, Frame};

/// Drops all frames.
pub struct Null;

impl Sink for Null {
    fn put(&mut self, _frame: Frame) -> Result<()> {
        Ok(())
    }

    fn finish(self: Box<Self>, _trailer: Option<Attachment>) -> Result<()> {
        Ok(())
    }
}
