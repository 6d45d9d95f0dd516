//! Puts what comes of runs in the order of the clip again.

use std::sync::atomic::Ordering;

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender};

use super::message::{Filtered, Message, NextPart, Stopped};
use crate::frame::Attachment;
use crate::source::Interrupt;

/// Who puts frames in order.
pub(super) struct Collector<'a> {
    pub(super) turns: Receiver<NextPart>,
    pub(super) held: Receiver<Option<Attachment>>,
    /// Takes one for each frame of the input of which the first went on; dropped where no more are needed.
    pub(super) room: Option<Sender<()>>,
    /// How many more may be dealt out for each lane that is lost: so many that the runs which the others have are complete.
    pub(super) more: u64,
    pub(super) output: Sender<Message>,
    pub(super) interrupt: &'a Interrupt,
}

impl Collector<'_> {
    /// Sends frames on until the clip ends or the user stops it. Blocks.
    pub(super) fn run(mut self) -> Result<()> {
        loop {
            let rest = match self.turns.recv().map_err(|_| anyhow!(Stopped))? {
                NextPart::Run(frames) => {
                    self.forward(&frames)?;
                    continue;
                }
                NextPart::End(trailer) if self.room.is_some() => return self.send(Message::End(trailer)),
                NextPart::End(trailer) => Vec::from_iter(trailer),
                NextPart::Interrupted(rest) => rest,
            };
            let rest = self.held.try_iter().flatten().chain(rest).collect();
            return self.send(Message::Interrupted(rest));
        }
    }

    fn send(&self, message: Message) -> Result<()> {
        self.output.send(message).map_err(|_| anyhow!(Stopped))
    }

    /// Sends on what comes of a run.
    fn forward(&mut self, frames: &Receiver<Filtered>) -> Result<()> {
        let mut latest = None;
        while self.room.is_some() {
            match frames.recv() {
                Ok(Filtered::Frame(frame)) => {
                    let origin = frame.timing.origin();
                    let is_first = latest.replace(origin) != Some(origin);
                    if is_first {
                        self.held.recv().map_err(|_| anyhow!(Stopped))?;
                    }
                    self.send(Message::Frame(frame))?;
                    // The dealer may be done.
                    self.room.iter().filter(|_| is_first).for_each(|room| room.send(()).unwrap_or_default());
                }
                Ok(Filtered::Lost) => {
                    self.room.iter().for_each(|room| (0..self.more).for_each(|_| room.send(()).unwrap_or_default()));
                }
                Ok(Filtered::End) => break,
                Err(_) if self.interrupt.load(Ordering::Relaxed) => self.room = None,
                Err(_) => return Err(anyhow!(Stopped)),
            }
        }
        Ok(())
    }
}
