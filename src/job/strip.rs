//! Some frames of a reel as a clip.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use anyhow::Result;

use super::reel::Reel;
use super::shot_map::ShotTurn;
use crate::frame::{Format, Frame, Pool};
use crate::plan::Plan;
use crate::source::{CancelToken, Source};

/// Some frames of a reel with those around them, as a clip.
pub(super) struct ReelStrip<'a> {
    reel: &'a mut Reel,
    next: u64,
    end: u64,
    wanted: Range<u64>,
    /// The shot that is filtered; no frame of another is read, as in a run.
    turn: Option<ShotTurn>,
    interrupt: &'a CancelToken,
}

impl<'a> ReelStrip<'a> {
    /// The frames that a plan needs for those that are wanted, counted from the reel's first.
    pub(super) fn new(
        reel: &'a mut Reel,
        plan: &Plan,
        wanted: Range<u64>,
        turn: Option<ShotTurn>,
        interrupt: &'a CancelToken,
    ) -> Self {
        let margin = plan.margin();
        let (next, end) = (wanted.start.saturating_sub(margin.before), wanted.end.saturating_add(margin.after));
        Self { reel, next, end, wanted, turn, interrupt }
    }

    /// All of them, as far as the clip goes and nobody stops it.
    ///
    /// # Errors
    /// If one cannot be read.
    pub(super) fn all(mut self) -> Result<VecDeque<Frame>> {
        let (pool, mut frames) = (Pool::heap(), VecDeque::new());
        while let Some(frame) = self.next_frame(&pool)? {
            frames.push_back(frame);
        }
        Ok(frames)
    }
}

impl Source for ReelStrip<'_> {
    fn format(&self) -> &Arc<Format> {
        self.reel.format()
    }

    fn next_frame(&mut self, _: &Pool) -> Result<Option<Frame>> {
        let mut frame = loop {
            if self.next >= self.end || self.interrupt.is_cancelled() {
                return Ok(None);
            }
            let Some(frame) = self.reel.frame(self.next)? else { return Ok(None) };
            match &self.turn {
                Some(turn) if turn.is_past(&frame) => return Ok(None),
                Some(turn) if !turn.has(&frame) => self.next += 1,
                _ => break frame,
            }
        };
        frame.timing.is_margin = !self.wanted.contains(&self.next);
        frame.timing.attachment = None;
        self.next += 1;
        Ok(Some(frame))
    }

    fn length(&self) -> Option<u64> {
        Some(self.wanted.end - self.wanted.start)
    }
}
