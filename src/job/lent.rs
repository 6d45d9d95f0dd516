//! A sink that several runs write to, one after the other, where the chain changes within a clip.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow};

use super::shot::Shots;
use crate::frame::{Attachment, Bundle, Frame};
use crate::sink::Sink;

/// A sink that several runs write to, one after the other.
pub(super) struct LentSink {
    sink: Arc<Mutex<Option<Box<dyn Sink>>>>,
    goes_on: Arc<AtomicBool>,
    /// What came with frames of which nothing has gone on, until the next run goes on.
    held: Arc<Mutex<Vec<Attachment>>>,
}

impl LentSink {
    /// A sink for all of the clip.
    pub(super) fn new(sink: Box<dyn Sink>, shots: &Shots) -> Self {
        Self { sink: Arc::new(Mutex::new(Some(sink))), goes_on: shots.goes_on(), held: Arc::default() }
    }

    /// The same sink for another run.
    pub(super) fn again(&self) -> Self {
        Self { sink: self.sink.clone(), goes_on: self.goes_on.clone(), held: self.held.clone() }
    }

    fn held(&self) -> Vec<Attachment> {
        std::mem::take(&mut *self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn take(&self) -> Result<Box<dyn Sink>> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner).take().context("the output is already finished")
    }
}

impl Sink for LentSink {
    fn put(&mut self, mut frame: Frame) -> Result<()> {
        let held = self.held();
        if !held.is_empty() {
            frame.timing.attachment = Bundle::of(held.into_iter().chain(frame.timing.attachment.take()));
        }
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        sink.as_mut().ok_or_else(|| anyhow!("the output is already finished"))?.put(frame)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        if self.goes_on.load(Ordering::Acquire) {
            self.held.lock().unwrap_or_else(PoisonError::into_inner).extend(trailer);
            return Ok(());
        }
        let held = self.held();
        self.take()?.finish(Bundle::of(held.into_iter().chain(trailer)))
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        let held = [self.held(), rest.to_vec()].concat();
        self.take()?.finish_partial(&held)
    }
}
