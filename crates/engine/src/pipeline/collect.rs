//! Puts what comes of runs in the order of the clip again.

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender};

use super::held::HeldAttachments;
use super::message::{ClipEnd, Filtered, Message, NextPart, Stopped};
use crate::frame::Attachment;
use crate::source::CancelToken;

/// Who puts frames in order.
pub(super) struct Collector<'a> {
    pub(super) turns: Receiver<NextPart>,
    pub(super) held: Receiver<(u64, Option<Attachment>)>,
    /// Takes one for each frame of the input of which the first went on, or none will; dropped where no more are needed.
    pub(super) room: Option<Sender<()>>,
    /// How many more may be dealt out for each lane that is lost: so many that the runs which the others have are complete.
    pub(super) more: u64,
    /// True if frames are numbered here, in the order of the clip, because a lane does not know how many come before its run.
    pub(super) counts: bool,
    pub(super) output: Sender<Message>,
    pub(super) interrupt: &'a CancelToken,
}

impl Collector<'_> {
    /// Sends frames on until the clip ends or the user stops it. Blocks.
    pub(super) fn run(mut self) -> Result<()> {
        // Of frames of which nothing has gone on.
        let mut kept = HeldAttachments::default();
        let mut next = None;
        loop {
            let rest = match self.turns.recv().map_err(|_| anyhow!(Stopped))? {
                NextPart::Run(frames) => {
                    self.forward(&frames, &mut kept, &mut next)?;
                    continue;
                }
                NextPart::End(ClipEnd { trailer, until }) if self.room.is_some() => {
                    return self.send(Message::End(ClipEnd { trailer: kept.end(trailer), until }));
                }
                NextPart::End(ClipEnd { trailer, .. }) => Vec::from_iter(trailer),
                NextPart::Interrupted(rest) => rest,
            };
            let late = self.held.try_iter().filter_map(|(_, attachment)| attachment);
            let rest = kept.rest().chain(late).chain(rest).collect();
            return self.send(Message::Interrupted(rest));
        }
    }

    fn send(&self, message: Message) -> Result<()> {
        self.output.send(message).map_err(|_| anyhow!(Stopped))
    }

    /// Sends on what comes of a run; `next` is the number of the next frame, where they are counted.
    fn forward(
        &mut self,
        frames: &Receiver<Filtered>,
        kept: &mut HeldAttachments,
        next: &mut Option<u64>,
    ) -> Result<()> {
        let mut latest = None;
        while self.room.is_some() {
            match frames.recv() {
                Ok(Filtered::Frame(mut frame)) => {
                    let count = self.keep(&mut latest, Some(frame.timing.origin()), kept)?;
                    kept.let_go(&mut frame);
                    if self.counts {
                        let number = next.get_or_insert(frame.timing.number);
                        frame.timing.number = *number;
                        *number = number.saturating_add(1);
                    }
                    self.send(Message::Frame(frame))?;
                    self.give_room(count);
                }
                Ok(Filtered::Lost) => {
                    self.room.iter().for_each(|room| (0..self.more).for_each(|_| room.send(()).unwrap_or_default()));
                }
                Ok(Filtered::End(newest)) => {
                    // The last ones may have been dropped.
                    let count = self.keep(&mut latest, newest, kept)?;
                    self.give_room(count);
                    break;
                }
                Err(_) if self.interrupt.is_cancelled() => self.room = None,
                Err(_) => return Err(anyhow!(Stopped)),
            }
        }
        Ok(())
    }

    /// Takes over what came with the frames of a run from behind `latest` to one of them, and returns how many these are.
    fn keep(&self, latest: &mut Option<u64>, to: Option<u64>, kept: &mut HeldAttachments) -> Result<u64> {
        let mut count = 0;
        while let Some(to) = to
            && latest.is_none_or(|latest| latest < to)
        {
            let (number, attachment) = self.held.recv().map_err(|_| anyhow!(Stopped))?;
            kept.see(number, attachment);
            *latest = Some(number);
            count += 1;
        }
        Ok(count)
    }

    /// Lets as many more be dealt. The dealer may be done.
    fn give_room(&self, frames: u64) {
        self.room.iter().for_each(|room| (0..frames).for_each(|_| room.send(()).unwrap_or_default()));
    }
}
