//! The queue before a pass: images wait here until three facts are known: scene cuts, the factor of their brightness, and the
//! correction of their position. The sums for it are asked for when an image comes in, and read when it has waited for as
//! many others as a backend has under way, so that nobody waits for a backend that is busy.

use std::collections::VecDeque;

use anyhow::Result;

use super::observer::Observer;
use super::path::CameraPath;
use super::scene::{Scene, Scores};
use super::steady::Steadied;
use crate::backend::Backend;
use crate::frame::Format;
use crate::pass::{Correction, Pass};
use crate::plan::{self, Cuts};

/// The images before one pass.
pub(super) struct Guard<B: Backend> {
    guard: plan::Guard,
    /// The pass, for messages.
    name: String,
    scores: Scores,
    asked: VecDeque<Asked<B>>,
    steadied: Option<Steadied<B::Image>>,
    path: Option<CameraPath<B::Image>>,
    ended: bool,
}

/// An image, and what was asked about it.
struct Asked<B: Backend> {
    frame: GuardedFrame,
    image: B::Image,
    scene: Scene,
    difference: Option<B::Measure>,
    sum: Option<B::Measure>,
    cells: Option<B::Cells>,
}

/// Which frame an image becomes.
#[derive(Clone, Copy)]
pub(super) struct GuardedFrame {
    /// Its number in the input.
    pub(super) number: u64,
    /// Whether it is there for others, so that whoever filters those says what is to be said of it.
    pub(super) is_margin: bool,
}

/// An image of which all is known.
pub(super) struct Known<I> {
    pub(super) image: I,
    pub(super) scene: Scene,
    /// The sum of its differences from the image before, if that was asked for.
    pub(super) difference: Option<u64>,
    /// What its brightness is multiplied by, if the pass does that.
    pub(super) factor: f32,
    /// By how much it is moved, if the pass does that.
    pub(super) correction: Correction,
}

impl<B: Backend> Guard<B> {
    pub(super) fn new(guard: plan::Guard, pass: &Pass, format: &Format) -> Self {
        let steadied = guard.steady.map(|steady| Steadied::new(steady, format, pass.border_t));
        let path = guard.smoothing.map(|radius| CameraPath::new(radius, format));
        let (scores, asked) = (Scores::new(format), VecDeque::new());
        Self { guard, name: pass.name.clone(), scores, asked, steadied, path, ended: false }
    }

    /// How many images wait for answers of a backend that has `in_flight` under way. Until the clip has ended, the
    /// latest does even if there is none: the next one is compared with it.
    fn patience(&self, in_flight: usize) -> usize {
        match self.guard.cuts {
            _ if self.ended || !self.guard.measures() => 0,
            Cuts::Above(_) | Cuts::Differences => in_flight.max(1),
            Cuts::None | Cuts::Inherited => in_flight,
        }
    }

    /// Whether there are images that need not wait for another.
    pub(super) fn is_waiting(&self) -> bool {
        self.asked.len() > self.patience(0)
    }

    /// Takes the clip's next image, and asks what has to be known of it. `scene` is what the pass before knows.
    pub(super) fn push(
        &mut self,
        backend: &mut B,
        frame: GuardedFrame,
        image: B::Image,
        scene: Scene,
        observer: &impl Observer,
    ) -> Result<()> {
        let mut ask = |before| observer.done("measure", frame.number, backend.measure(&image, before));
        let before = self.asked.back().filter(|_| self.guard.compares());
        let difference = before.map(|before| ask(Some(&before.image))).transpose()?;
        let sum = self.steadied.is_some().then(|| ask(None)).transpose()?;
        let reduced = || observer.done("measure", frame.number, backend.reduce(&image));
        let cells = self.path.is_some().then(reduced).transpose()?;
        self.asked.push_back(Asked { frame, image, scene, difference, sum, cells });
        Ok(())
    }

    /// The next image of which all is known. Blocks until the answers about the oldest are there, if more images wait
    /// than `in_flight`.
    pub(super) fn next(
        &mut self,
        backend: &mut B,
        in_flight: usize,
        observer: &impl Observer,
    ) -> Result<Option<Known<B::Image>>> {
        loop {
            if let Some((image, scene, factor)) = self.steadied.as_mut().and_then(Steadied::next) {
                return Ok(Some(Known { image, scene, difference: None, factor, correction: Correction::NONE }));
            }
            if let Some((image, scene, correction)) = self.path.as_mut().and_then(CameraPath::next) {
                return Ok(Some(Known { image, scene, difference: None, factor: 1.0, correction }));
            }
            if self.asked.len() <= self.patience(in_flight) {
                return Ok(None);
            }
            let Some(asked) = self.asked.pop_front() else { return Ok(None) };
            let Asked { frame, image, scene, difference, sum, cells } = asked;
            let mut read = |measure| observer.done("read", frame.number, backend.read(measure));
            let difference = difference.map(&mut read).transpose()?;
            let sum = sum.map(&mut read).transpose()?;
            let cells = cells.map(|cells| observer.done("read", frame.number, backend.cells(cells))).transpose()?;
            let scene = self.judged(frame, scene, difference);
            if let (Some(path), Some(cells)) = (&mut self.path, cells) {
                path.push(image, scene, &cells);
                observer.done("motion", frame.number, ());
                self.settle();
                continue;
            }
            match (&mut self.steadied, sum) {
                (Some(steadied), Some(sum)) => {
                    steadied.push(image, scene, sum);
                    self.settle();
                }
                _ => {
                    let (factor, correction) = (1.0, Correction::NONE);
                    return Ok(Some(Known { image, scene, difference, factor, correction }));
                }
            }
        }
    }

    /// No more images come: none waits for another.
    pub(super) fn end(&mut self) {
        self.ended = true;
        self.settle();
    }

    /// Says that the clip has ended where its last image has been measured.
    fn settle(&mut self) {
        if self.ended && self.asked.is_empty() {
            self.steadied.iter_mut().for_each(Steadied::end);
            self.path.iter_mut().for_each(CameraPath::end);
        }
    }

    /// Whether an image begins a scene.
    fn judged(&mut self, frame: GuardedFrame, inherited: Scene, difference: Option<u64>) -> Scene {
        match (self.guard.cuts, difference) {
            (Cuts::Inherited, _) => inherited,
            (Cuts::Above(threshold), Some(difference)) => {
                let score = self.scores.next(difference);
                if score <= threshold {
                    return Scene::GoesOn;
                }
                let GuardedFrame { number, is_margin } = frame;
                if !is_margin {
                    log::debug!("{}: a scene begins at frame {number}, with a score of {score:.3}", self.name);
                }
                Scene::Begins
            }
            _ => Scene::GoesOn,
        }
    }
}
