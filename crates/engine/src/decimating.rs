//! One frame of each cycle dropped: how much a frame differs from the one before is asked when it comes, and read when its cycle is
//! complete and as many others wait as a backend has under way, so that nobody waits for a backend that is busy.

use anyhow::{Context, Result};

use super::Engine;
use super::asked::AskedChange;
use super::observer::Observer;
use super::outlet::Outlet;
use super::scene::Scene;
use crate::backend::{Backend, Inputs};
use crate::pass::{Decimation, FrameChange, Questions};

impl<B: Backend, O: Observer> Engine<B, O> {
    /// Asks how much the next frame of a pass differs from the one before it, and goes on to the one after.
    pub(super) fn compare(&mut self, pass: usize, out: &mut impl Outlet) -> Result<()> {
        let window = &self.clip.stages[pass].window;
        let places = window.places().context("the window is complete")?;
        let middle = places.len() / 2;
        let image = places[middle].context("the middle of a window is a frame")?.image.clone();
        let position = window.centre();
        let (scene, number) = (window.scene(), self.clip.section(pass).number(position));
        let before = middle.checked_sub(1).and_then(|place| places[place]).filter(|_| position > 0);
        let mut ask = |before| {
            let inputs = [Some(before), Some(&image), None];
            let asked = self.backend.survey(pass, &Inputs::new(&inputs), Questions::CHANGE);
            self.observer.done("measure", number, asked)
        };
        let survey = before.map(|before| ask(&before.image)).transpose()?;
        let in_flight = self.backend.in_flight();
        let stage = &mut self.clip.stages[pass];
        stage.window.slide();
        stage.cycle.push_back(AskedChange { image, scene, number, position, survey });
        self.decimate(pass, in_flight, false, out)
    }

    /// True if a cycle of a pass is complete.
    pub(super) fn has_cycle(&self, pass: usize) -> bool {
        let (stage, decimation) = (&self.clip.stages[pass], self.plan.steps()[pass].pass.decimation.as_ref());
        let ends = |asked: &AskedChange<B>, cycle: u64| asked.number % cycle == cycle - 1;
        decimation.is_some_and(|op| stage.cycle.iter().any(|asked| ends(asked, op.cycle.into())))
    }

    /// Drops a frame of each cycle that is complete, and hands on the others, but while no more than so many frames wait behind
    /// it. Of an incomplete cycle all are handed on, once the clip has ended.
    pub(super) fn decimate(&mut self, pass: usize, waiting: usize, ended: bool, out: &mut impl Outlet) -> Result<()> {
        let Some(decimation) = self.plan.steps()[pass].pass.decimation else { return Ok(()) };
        let cycle = u64::from(decimation.cycle);
        while let Some(first) = self.clip.stages[pass].cycle.front().map(|asked| asked.number) {
            let frames = &self.clip.stages[pass].cycle;
            let count = frames.iter().take_while(|asked| asked.number / cycle == first / cycle).count();
            let is_over = first % cycle + count as u64 == cycle;
            if !ended && (!is_over || frames.len() - count < waiting) {
                return Ok(());
            }
            let frames: Vec<_> = self.clip.stages[pass].cycle.drain(..count).collect();
            self.hand_on_cycle(pass, &decimation, frames, out)?;
        }
        Ok(())
    }

    /// Hands on the frames of a cycle but the one that is dropped, or all of a cycle that is not complete.
    fn hand_on_cycle(
        &mut self,
        pass: usize,
        decimation: &Decimation,
        frames: Vec<AskedChange<B>>,
        out: &mut impl Outlet,
    ) -> Result<()> {
        let Some((position, number)) = frames.first().map(|first| (first.position, first.number)) else {
            return Ok(());
        };
        let count = frames.len();
        let is_whole = count == decimation.cycle as usize;
        let (mut changes, mut kept) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for AskedChange { image, scene, number, survey, .. } in frames {
            let read = |survey| {
                let answers = self.observer.done("read", number, self.backend.answers(survey))?;
                FrameChange::of(&answers).context("a frame was compared")
            };
            changes.push(survey.map(read).transpose()?.unwrap_or(FrameChange::FIRST));
            kept.push((image, scene));
        }
        let dropped = is_whole.then(|| decimation.dropped(&self.plan.formats()[pass], &changes));
        if let Some(place) = dropped {
            let FrameChange { block, frame } = changes[place];
            let name = &self.plan.steps()[pass].pass.name;
            log::trace!(
                "{name}: frame {} is dropped, which changes by {frame}, {block} in a block",
                number + place as u64
            );
        }
        let timings = self.clip.cycle(pass, position..position + count as u64, decimation.cycle, dropped);
        // A scene that begins with a frame that is dropped begins with the next one.
        let mut begins = false;
        let mut timings = timings.into_iter();
        for (place, (image, scene)) in kept.into_iter().enumerate() {
            begins |= scene == Scene::Begins;
            if dropped == Some(place) {
                continue;
            }
            let timing = timings.next().context("each frame of a cycle has a time")?;
            let scene = if std::mem::take(&mut begins) { Scene::Begins } else { Scene::GoesOn };
            self.hand_on(pass, &timing, image, scene, out)?;
        }
        Ok(())
    }
}
