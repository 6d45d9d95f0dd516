//! The dealer: a clip becomes runs, each with the frames around it that filters look at.

use std::collections::VecDeque;

use anyhow::{Result, anyhow, bail, ensure};
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::message::{Deal, FrameRun, Message, NextPart, Stopped};
use super::queue::RunQueue;
use crate::frame::{Attachment, Frame, Storage};
use crate::plan::Plan;
use crate::source::CancelToken;
use crate::{Judge, Verdict};

/// Who deals a clip out.
pub(super) struct Dealer<'a> {
    pub(super) queue: &'a RunQueue,
    /// What is next, for whoever puts the frames in order again.
    pub(super) turns: Sender<NextPart>,
    /// The number of each frame of a run, and what came with it.
    pub(super) held: Sender<(u64, Option<Attachment>)>,
    /// One for each frame that may still be dealt; gone where nobody needs any more.
    pub(super) room: Receiver<()>,
    /// Frames of a run.
    pub(super) run_frames: u64,
    pub(super) interrupt: &'a CancelToken,
}

/// A run of which not all frames have been dealt.
struct OpenRun {
    input: Sender<Deal>,
    /// How many of its own are to come.
    own: u64,
    /// How many behind it.
    behind: u64,
}

impl Drop for Dealer<'_> {
    fn drop(&mut self) {
        // Where the clip did not come to its end, runs that wait have none either.
        if !self.queue.is_closed() {
            self.queue.stop();
        }
    }
}

impl Dealer<'_> {
    /// Deals out what comes in until it ends or the user stops it. Blocks.
    pub(super) fn run(self, plan: &Plan, input: &Receiver<Message>) -> Result<()> {
        let mut judge = Judge::new(plan)?;
        let [before, behind] = plan.halo_of(0..plan.steps().len());
        let mut open: VecDeque<OpenRun> = VecDeque::new();
        let mut lead: VecDeque<(Frame, Verdict)> = VecDeque::new();
        let mut runs = 0;
        let next = |turn| self.turns.send(turn).map_err(|_| anyhow!(Stopped));
        loop {
            let message = input.recv().map_err(|_| anyhow!(Stopped))?;
            let is_interrupted = || self.interrupt.is_cancelled();
            let frame = match message {
                Message::Frame(frame) => frame,
                Message::End(end) if is_interrupted() => {
                    return next(NextPart::Interrupted(Vec::from_iter(end.trailer)));
                }
                Message::Interrupted(rest) => return next(NextPart::Interrupted(rest)),
                Message::End(end) => {
                    open.iter().for_each(|run| drop(run.input.send(Deal::End(end.until))));
                    self.queue.close();
                    return next(NextPart::End(end));
                }
            };
            let (number, is_margin) = (frame.timing.number, frame.timing.is_margin);
            if let Storage::Device(surface) = frame.storage() {
                let device = surface.device();
                bail!("frame {number} is on GPU {device} already, and no other GPU can filter it; leave out --gpus");
            }
            let verdict = judge.judge(&frame.timing)?;
            if !is_margin {
                self.held.send((number, frame.timing.attachment.clone())).map_err(|_| anyhow!(Stopped))?;
                let has_room = !is_interrupted() && self.room.recv().is_ok();
                // The sink would drop what came of it.
                if is_interrupted() {
                    continue;
                }
                ensure!(has_room, Stopped);
                if open.back().is_none_or(|run| run.own == 0) {
                    open.push_back(self.begin(runs, &lead, behind)?);
                    runs += 1;
                }
            }
            let mut around = frame.clone();
            around.timing.is_margin = true;
            let count = open.len();
            for (index, run) in open.iter_mut().enumerate() {
                let is_own = !is_margin && index + 1 == count;
                let left = if is_own { &mut run.own } else { &mut run.behind };
                *left = left.saturating_sub(1);
                if is_margin {
                    // Behind the part that is read nothing is anybody's own.
                    run.own = 0;
                }
                let dealt = if is_own { frame.clone() } else { around.clone() };
                // Where nobody takes it, the run is over, or its lane says why.
                run.input.send(Deal::Frame(dealt, verdict.clone())).ok();
                if run.own == 0 && run.behind == 0 {
                    run.input.send(Deal::End(None)).ok();
                }
            }
            open.retain(|run| run.own > 0 || run.behind > 0);
            lead.push_back((around, verdict));
            while lead.len() as u64 > before {
                lead.pop_front();
            }
        }
    }

    /// Begins a run with the frames before it.
    fn begin(&self, index: u64, lead: &VecDeque<(Frame, Verdict)>, behind: u64) -> Result<OpenRun> {
        let (input, dealt) = unbounded();
        let (output, filtered) = unbounded();
        for (frame, verdict) in lead {
            input.send(Deal::Frame(frame.clone(), verdict.clone())).map_err(|_| anyhow!(Stopped))?;
        }
        self.turns.send(NextPart::Run(filtered)).map_err(|_| anyhow!(Stopped))?;
        self.queue.add(FrameRun { index, again: Vec::new(), input: dealt, output, done: 0 });
        Ok(OpenRun { input, own: self.run_frames, behind })
    }
}
