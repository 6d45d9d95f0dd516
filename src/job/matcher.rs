//! Frames as they are, brought to the size, chroma and samples of others, so that both can be compared.

use std::sync::Arc;

use anyhow::Result;

use super::request::Request;
use crate::backend::{Backend as _, Cpu, Inputs};
use crate::frame::{Format, Frame, Pool};
use crate::plan::Plan;

/// A stage of the CPU that brings frames of one format to the size, chroma and samples of another.
pub(super) struct SizeMatcher {
    from: Arc<Format>,
    to: Arc<Format>,
    passes: usize,
    cpu: Cpu,
}

impl SizeMatcher {
    /// For frames of `from`.
    ///
    /// # Errors
    /// If both differ in more than that.
    pub(super) fn new(request: &Request, from: &Arc<Format>, to: &Arc<Format>) -> Result<Self> {
        let plan = Plan::scaling(from, to)?;
        let cpu = Cpu::new(plan.passes(), from.clone(), Pool::heap(), request.threads.filter)?;
        Ok(Self { from: from.clone(), to: to.clone(), passes: plan.steps().len(), cpu })
    }

    /// Scales a frame. Blocks.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn run(&mut self, frame: Frame) -> Result<Frame> {
        let mut image = self.cpu.upload(frame)?;
        for pass in 0..self.passes {
            image = self.cpu.run(pass, &Inputs::new(&[Some(&image)]))?;
        }
        Ok(image)
    }
}

/// The stage that scaled last, kept for the next frames.
#[derive(Default)]
pub(super) struct LastMatcher(Option<SizeMatcher>);

impl LastMatcher {
    /// Frames of `from`, converted where those of `to` differ from them. Blocks.
    ///
    /// # Errors
    /// As [`SizeMatcher`].
    pub(super) fn matched(
        &mut self,
        request: &Request,
        frames: Vec<Frame>,
        [from, to]: [&Arc<Format>; 2],
    ) -> Result<Vec<Frame>> {
        if to.samples_match(from) {
            return Ok(frames);
        }
        let known = self.0.take().filter(|known| known.to == *to && known.from == *from);
        let matcher = self.0.insert(match known {
            Some(known) => known,
            None => SizeMatcher::new(request, from, to)?,
        });
        frames.into_iter().map(|frame| matcher.run(frame)).collect()
    }
}
