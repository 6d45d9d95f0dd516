//! The filter thread: each pass has its window, and what leaves the last pass is on its way back.

use std::collections::VecDeque;

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender, TryRecvError};

use super::window::Window;
use super::{Gauge, Message, Stopped};
use crate::backend::Backend;
use crate::plan::Plan;

/// A backend at work on a plan.
pub(super) struct Chain<'a, B: Backend> {
    backend: &'a mut B,
    plan: &'a Plan,
    windows: Vec<Window<B::Image>>,
    pending: VecDeque<B::Pending>,
    /// The number in the input of the clip's first frame.
    first: Option<u64>,
    /// How many frames were asked back, and how many came.
    asked: u64,
    delivered: u64,
    output: Sender<Message>,
    gauge: &'a Gauge,
}

impl<'a, B: Backend> Chain<'a, B> {
    pub(super) fn new(backend: &'a mut B, plan: &'a Plan, output: Sender<Message>, gauge: &'a Gauge) -> Self {
        let windows = plan.passes.iter().map(|pass| Window::new(pass.reach(), pass.border_t)).collect();
        let (first, asked, delivered) = (None, 0, 0);
        Self { backend, plan, windows, pending: VecDeque::new(), first, asked, delivered, output, gauge }
    }

    pub(super) fn run(mut self, input: &Receiver<Message>) -> Result<()> {
        self.gauge.begin();
        loop {
            match self.receive(input)? {
                Message::Frame(frame) => {
                    let number = frame.timing.number;
                    self.first.get_or_insert(number);
                    let image = self.gauge.busy("upload", number, || self.backend.upload(frame))?;
                    self.feed(0, image)?;
                }
                Message::End(trailer) => {
                    for pass in 0..self.windows.len() {
                        self.windows[pass].end();
                        self.slide(pass)?;
                    }
                    while self.deliver_oldest()? {}
                    return self.send(Message::End(trailer));
                }
            }
        }
    }

    /// The next message. While none is there, frames under way are delivered: a live input is not held back.
    fn receive(&mut self, input: &Receiver<Message>) -> Result<Message> {
        loop {
            match input.try_recv() {
                Ok(message) => return Ok(message),
                Err(TryRecvError::Disconnected) => return Err(anyhow!(Stopped)),
                Err(TryRecvError::Empty) if self.deliver_oldest()? => {}
                Err(TryRecvError::Empty) => {
                    return self.gauge.starved(|| input.recv()).map_err(|_| anyhow!(Stopped));
                }
            }
        }
    }

    /// Gives an image to a pass, or behind the last pass to the download.
    fn feed(&mut self, pass: usize, image: B::Image) -> Result<()> {
        if pass < self.windows.len() {
            self.windows[pass].push(image);
            return self.slide(pass);
        }
        let number = self.number(self.asked);
        self.pending.push_back(self.gauge.busy("download", number, || self.backend.download(image))?);
        self.asked += 1;
        while self.pending.len() > self.backend.in_flight() {
            self.deliver_oldest()?;
        }
        Ok(())
    }

    /// Runs a pass for every centre whose window is complete.
    fn slide(&mut self, pass: usize) -> Result<()> {
        while let Some(places) = self.windows[pass].places() {
            let name = &self.plan.passes[pass].name;
            let number = self.number(self.windows[pass].centre());
            let image = self.gauge.busy(name, number, || self.backend.run(pass, &places))?;
            self.windows[pass].slide();
            self.feed(pass + 1, image)?;
        }
        Ok(())
    }

    /// Waits for the frame that has been under way longest and sends it on; false if there is none.
    fn deliver_oldest(&mut self) -> Result<bool> {
        let Some(pending) = self.pending.pop_front() else { return Ok(false) };
        let frame = self.gauge.busy("wait", self.number(self.delivered), || self.backend.wait(pending))?;
        self.delivered += 1;
        self.gauge.count();
        self.send(Message::Frame(frame))?;
        Ok(true)
    }

    /// The number in the input of the frame at a position in the clip.
    fn number(&self, position: u64) -> u64 {
        self.first.unwrap_or(0) + position
    }

    fn send(&self, message: Message) -> Result<()> {
        self.gauge.blocked(|| self.output.send(message)).map_err(|_| anyhow!(Stopped))
    }
}
