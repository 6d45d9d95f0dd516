//! The filter thread: each pass has its window, and what leaves the last pass is on its way back.

use std::collections::VecDeque;

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender, TryRecvError};

use super::guard::{Guard, Known};
use super::scene::Scene;
use super::window::Window;
use super::{Gauge, Message, Stopped};
use crate::backend::Backend;
use crate::plan::Plan;

/// A backend at work on a plan.
pub(super) struct Chain<'a, B: Backend> {
    backend: &'a mut B,
    plan: &'a Plan,
    guards: Vec<Guard<B>>,
    windows: Vec<Window<B::Image>>,
    pending: VecDeque<B::Pending>,
    /// How many frames were asked back, and how many came.
    asked: u64,
    delivered: u64,
    output: Sender<Message>,
    gauge: &'a Gauge,
}

impl<'a, B: Backend> Chain<'a, B> {
    pub(super) fn new(backend: &'a mut B, plan: &'a Plan, output: Sender<Message>, gauge: &'a Gauge) -> Self {
        let windows = plan.passes.iter().map(|pass| Window::new(pass.reach(), pass.border_t)).collect();
        let guards = plan.guards.iter().zip(&*plan.passes);
        let guards = guards.map(|(guard, pass)| Guard::new(*guard, pass, &plan.format)).collect();
        Self { backend, plan, guards, windows, pending: VecDeque::new(), asked: 0, delivered: 0, output, gauge }
    }

    pub(super) fn run(mut self, input: &Receiver<Message>) -> Result<()> {
        loop {
            match self.receive(input)? {
                Message::Frame(frame) => {
                    let number = frame.timing.number;
                    let image = self.gauge.busy("upload", number, || self.backend.upload(frame))?;
                    self.feed(0, image, Scene::GoesOn)?;
                }
                Message::End(trailer) => {
                    for pass in 0..self.windows.len() {
                        self.guards[pass].end();
                        self.admit(pass, 0)?;
                        self.windows[pass].end();
                        self.slide(pass, 1.0)?;
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
                Err(TryRecvError::Empty) if self.deliver_oldest()? || self.hurry()? => {}
                Err(TryRecvError::Empty) => {
                    return self.gauge.starved(|| input.recv()).map_err(|_| anyhow!(Stopped));
                }
            }
        }
    }

    /// Gives an image to a pass, or behind the last pass to the download.
    fn feed(&mut self, pass: usize, image: B::Image, scene: Scene) -> Result<()> {
        if pass < self.windows.len() {
            self.guards[pass].push(self.backend, image, scene, self.gauge)?;
            return self.admit(pass, self.backend.in_flight());
        }
        self.pending.push_back(self.gauge.busy("download", self.asked, || self.backend.download(image))?);
        self.asked += 1;
        while self.pending.len() > self.backend.in_flight() {
            self.deliver_oldest()?;
        }
        Ok(())
    }

    /// Lets images of which all is known into a pass; while `in_flight` wait or fewer, those that wait are left alone.
    fn admit(&mut self, pass: usize, in_flight: usize) -> Result<()> {
        while let Some(known) = self.guards[pass].next(self.backend, in_flight, self.gauge)? {
            let Known { image, scene, factor } = known;
            self.windows[pass].push(image, scene);
            self.slide(pass, factor)?;
        }
        Ok(())
    }

    /// Lets the images in that wait for answers before the first such pass; false if there are none.
    fn hurry(&mut self) -> Result<bool> {
        let Some(pass) = self.guards.iter().position(Guard::is_waiting) else { return Ok(false) };
        self.admit(pass, 0)?;
        Ok(true)
    }

    /// Runs a pass for every centre whose window is complete. Where the factor matters, there is one for each image.
    fn slide(&mut self, pass: usize, factor: f32) -> Result<()> {
        while let Some(places) = self.windows[pass].places() {
            let (name, number) = (&self.plan.passes[pass].name, self.windows[pass].centre());
            let image = self.gauge.busy(name, number, || self.backend.run(pass, &places, factor))?;
            let scene = self.windows[pass].scene();
            self.windows[pass].slide();
            self.feed(pass + 1, image, scene)?;
        }
        Ok(())
    }

    /// Waits for the frame that has been under way longest and sends it on; false if there is none.
    fn deliver_oldest(&mut self) -> Result<bool> {
        let Some(pending) = self.pending.pop_front() else { return Ok(false) };
        let frame = self.gauge.busy("wait", self.delivered, || self.backend.wait(pending))?;
        self.delivered += 1;
        self.gauge.count();
        self.send(Message::Frame(frame))?;
        Ok(true)
    }

    fn send(&self, message: Message) -> Result<()> {
        self.gauge.blocked(|| self.output.send(message)).map_err(|_| anyhow!(Stopped))
    }
}
