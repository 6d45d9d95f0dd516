//! The filter thread: each pass has its window, some have a way round them, and what leaves the last pass is on its way
//! back.

use std::collections::VecDeque;

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender, TryRecvError};

use super::bypass::{Bypass, Exit};
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
    bypasses: Vec<Bypass<B::Image>>,
    pending: VecDeque<B::Pending>,
    /// The number in the input of the clip's first frame.
    first: Option<u64>,
    /// How many frames came back.
    delivered: u64,
    output: Sender<Message>,
    gauge: &'a Gauge,
}

impl<'a, B: Backend> Chain<'a, B> {
    /// # Errors
    /// If memory runs out.
    pub(super) fn new(backend: &'a mut B, plan: &'a Plan, output: Sender<Message>, gauge: &'a Gauge) -> Result<Self> {
        let passes = plan.passes();
        let windows = passes.iter().map(|pass| Window::new(pass.reach(), pass.border_t)).collect();
        let bypasses = plan.bypasses.iter().map(|bypass| Bypass::new(bypass, &passes, &plan.format));
        let (bypasses, pending) = (bypasses.collect::<Result<_>>()?, VecDeque::new());
        let guards = plan.steps.iter().map(|step| Guard::new(step.guard, &step.pass, &plan.format)).collect();
        let (first, delivered) = (None, 0);
        Ok(Self { backend, plan, guards, windows, bypasses, pending, first, delivered, output, gauge })
    }

    pub(super) fn run(mut self, input: &Receiver<Message>) -> Result<()> {
        self.gauge.begin();
        loop {
            match self.receive(input)? {
                Message::Frame(frame) => {
                    let number = frame.timing.number;
                    self.bypasses.iter_mut().for_each(|bypass| bypass.see(&frame.timing));
                    self.first.get_or_insert(number);
                    let image = self.gauge.busy("upload", number, || self.backend.upload(frame))?;
                    self.feed(0, number, image, Scene::GoesOn)?;
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

    /// Gives the image that becomes frame `number` of the input to a pass, or behind the last pass to the download.
    fn feed(&mut self, pass: usize, number: u64, image: B::Image, scene: Scene) -> Result<()> {
        if pass < self.windows.len() {
            if let Some(bypass) = self.bypasses.iter_mut().find(|bypass| bypass.begins(pass)) {
                bypass.enter(image.clone());
            }
            self.guards[pass].push(self.backend, number, image, scene, self.gauge)?;
            return self.admit(pass, self.backend.in_flight());
        }
        self.pending.push_back(self.gauge.busy("download", number, || self.backend.download(image))?);
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
        let around = self.bypasses.iter().position(|bypass| bypass.holds(pass));
        while let Some(places) = self.windows[pass].places() {
            let (name, centre) = (&self.plan.steps[pass].pass.name, self.windows[pass].centre());
            let number = self.number(centre);
            let skipped = around.is_some_and(|index| self.bypasses[index].skips(pass, centre));
            let image = match places[places.len() / 2] {
                // Nobody will look at it; what it was made of keeps its place.
                Some(image) if skipped => image.clone(),
                _ => self.gauge.busy(name, number, || self.backend.run(pass, &places, factor))?,
            };
            let scene = self.windows[pass].scene();
            self.windows[pass].slide();
            match around.filter(|&index| self.bypasses[index].ends(pass)) {
                Some(index) => self.leave(index, number, image, scene)?,
                None => self.feed(pass + 1, number, image, scene)?,
            }
        }
        Ok(())
    }

    /// What came out of the last step of a bypass goes on, or what went in, or what both become.
    fn leave(&mut self, index: usize, number: u64, result: B::Image, scene: Scene) -> Result<()> {
        let image = match self.bypasses[index].leave() {
            Exit::Original(original) => original,
            Exit::Result => result,
            Exit::Blend(pass, original) => {
                let (name, places) = (&self.plan.steps[pass].pass.name, [Some(&original), Some(&result)]);
                self.gauge.busy(name, number, || self.backend.run(pass, &places, 1.0))?
            }
        };
        self.feed(self.bypasses[index].next(), number, image, scene)
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
