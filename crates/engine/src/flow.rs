//! How images go through the passes: into guards and windows, through passes and round them, into the download.

use std::collections::VecDeque;
use std::mem;

use anyhow::Result;

use super::bypass::Exit;
use super::clip::{RunningPass, Traced};
use super::guard::Known;
use super::judge::Verdict;
use super::observer::Observer;
use super::outlet::Outlet;
use super::scene::Scene;
use super::{Engine, Leaving};
use crate::backend::{Backend, Inputs};
use crate::filter::RateChange;
use crate::frame::{Frame, Timing};
use crate::pass::Correction;

impl<B: Backend, O: Observer> Engine<B, O> {
    pub(super) fn take(&mut self, frame: Frame, verdict: &Verdict, out: &mut impl Outlet) -> Result<()> {
        self.clip.see(0, &frame.timing, verdict);
        let (own, number) = (frame.timing.number, self.clip.section(0).newest());
        let image = self.observer.done("upload", own, self.backend.upload(frame))?;
        self.feed(0, number, image, Scene::GoesOn, out)
    }

    pub(super) fn flush(&mut self, out: &mut impl Outlet) -> Result<()> {
        for pass in 0..self.clip.stages.len() {
            self.clip.stages[pass].guard.end();
            self.admit(pass, 0, out)?;
            self.clip.stages[pass].window.end();
            self.slide(pass, 1.0, Correction::NONE, out)?;
            self.match_fields(pass, 0, out)?;
            self.decimate(pass, 0, true, out)?;
        }
        Ok(())
    }

    /// Gives the image that becomes frame `number` of the pass's section to a pass, or behind the last pass to the download.
    fn feed(&mut self, pass: usize, number: u64, image: B::Image, scene: Scene, out: &mut impl Outlet) -> Result<()> {
        if let Some(recalled) = self.clip.stages.get_mut(pass + 1).and_then(|next| next.recalled.as_mut()) {
            recalled.push_back(image.clone());
        }
        let frame = self.clip.section(pass).guarded(number);
        if let Some(stage) = self.clip.stages.get_mut(pass) {
            if let Some(index) = stage.around
                && self.clip.bypasses[index].steps().start == pass
            {
                self.clip.bypasses[index].enter(image.clone());
            }
            stage.guard.push(&mut self.backend, frame, image, scene, &self.observer)?;
            return self.admit(pass, self.backend.in_flight(), out);
        }
        let timing = self.clip.section_mut(pass).leave();
        if timing.is_margin {
            return Ok(());
        }
        let pending = self.observer.done("download", number, self.backend.download(image))?;
        let is_first = self.clip.origin.replace(timing.origin()) != Some(timing.origin());
        let timing = self.retimed.is_some().then_some(timing);
        self.pending.push_back(Leaving { number, timing, is_first, pending });
        while self.pending.len() > self.backend.in_flight() {
            self.deliver(out)?;
        }
        Ok(())
    }

    /// Lets images of which all is known into a pass; while `in_flight` wait or fewer, those that wait are left alone.
    fn admit(&mut self, pass: usize, in_flight: usize, out: &mut impl Outlet) -> Result<()> {
        loop {
            let guard = &mut self.clip.stages[pass].guard;
            let Some(known) = guard.next(&mut self.backend, in_flight, &self.observer)? else { return Ok(()) };
            let Known { image, scene, difference, factor, correction } = known;
            let stage = &mut self.clip.stages[pass];
            let origin = stage.recalled.as_mut().and_then(VecDeque::pop_front);
            stage.window.push(Traced { image, origin, difference }, scene);
            self.slide(pass, factor, correction, out)?;
        }
    }

    /// Lets the images in that wait for answers before the first such pass; false if there are none.
    pub(super) fn hurry(&mut self, out: &mut impl Outlet) -> Result<bool> {
        let waiting = self.clip.stages.iter().position(|stage| stage.guard.is_waiting());
        let stages = &self.clip.stages;
        let asked = (0..stages.len()).find(|pass| !stages[*pass].matching.is_empty() || self.has_cycle(*pass));
        if let Some(pass) = asked
            && waiting.is_none_or(|waiting| pass < waiting)
        {
            self.match_fields(pass, 0, out)?;
            self.decimate(pass, 0, false, out)?;
            return Ok(true);
        }
        let Some(pass) = waiting else { return Ok(false) };
        self.admit(pass, 0, out)?;
        Ok(true)
    }

    /// Runs a pass for every centre whose window is complete. Where the factor or the correction matters, there is one for each
    /// image.
    fn slide(&mut self, pass: usize, factor: f32, correction: Correction, out: &mut impl Outlet) -> Result<()> {
        loop {
            let RunningPass { window, around, .. } = &self.clip.stages[pass];
            let Some(places) = window.places() else { return Ok(()) };
            let (centre, scene, around) = (window.centre(), window.scene(), *around);
            let number = self.clip.section(pass).number(centre);
            let scan = self.clip.scan(pass);
            if let Some(rate) = self.plan.steps()[pass].rate {
                let pair = [places.len() / 2, places.len() / 2 + 1].map(|place| places[place]);
                let [Some(own), after] = pair else { return Ok(()) };
                let image = own.image.clone();
                let after = after.map(|after| Traced {
                    image: after.image.clone(),
                    origin: None,
                    difference: after.difference,
                });
                self.clip.stages[pass].window.slide();
                self.repeat(pass, centre, &rate, (image, after), scene, out)?;
                continue;
            }
            let step = &self.plan.steps()[pass].pass;
            if step.decimation.is_some() {
                self.compare(pass, out)?;
                continue;
            }
            let is_kept =
                around.is_some_and(|index| self.clip.bypasses[index].skips(pass, centre)) || step.keeps(&scan);
            let is_split = step.splits_fields();
            let mut skipped = is_kept || self.clip.is_unseen(pass, number);
            let mut beside = None;
            if step.companion.is_some() && !skipped {
                beside =
                    self.observer.done("second clip", number, self.clip.beside(&mut self.backend, pass, centre))?;
                skipped = beside.is_none();
            }
            // Each frame that went in has one, and comes to the middle of the window once.
            let place = self.clip.stages[pass].places.as_mut().and_then(VecDeque::pop_front).unwrap_or_default();
            let RunningPass { window, recalled, .. } = &self.clip.stages[pass];
            let Some(places) = window.places() else { return Ok(()) };
            if step.matching().is_some() {
                self.ask(pass, is_kept, out)?;
                continue;
            }
            let (image, second) = match places[places.len() / 2] {
                // Nobody will look at it, or nothing is done to it; what it was made of keeps its place.
                Some(centre) if skipped => (centre.image.clone(), (is_split && !is_kept).then(|| centre.image.clone())),
                _ => {
                    let mut images: Vec<_> = places.iter().map(|place| place.map(|traced| &traced.image)).collect();
                    let origins = places.iter().filter(|_| recalled.is_some());
                    let origins = origins.map(|place| place.and_then(|traced| traced.origin.as_ref()));
                    let second: Vec<_> = origins.chain(beside.as_ref().map(Some)).collect();
                    let inputs =
                        Inputs { factor, scan, correction, place, number, second: &second, ..Inputs::new(&images) };
                    let image = self.observer.done(&step.name, number, self.backend.run(pass, &inputs))?;
                    images.reverse();
                    let inputs = Inputs { factor, scan: scan.second(), number, ..Inputs::new(&images) };
                    let mut run = || self.observer.done(&step.name, number, self.backend.run(pass, &inputs));
                    (image, is_split.then(&mut run).transpose()?)
                }
            };
            let stage = &mut self.clip.stages[pass];
            stage.window.slide();
            if is_split {
                self.split(pass, centre, (image, second), scene, out)?;
                continue;
            }
            self.pass_on(pass, number, image, scene, out)?;
        }
    }

    /// Gives what a pass made to the next one, or to what goes round both.
    pub(super) fn pass_on(
        &mut self,
        pass: usize,
        number: u64,
        image: B::Image,
        scene: Scene,
        out: &mut impl Outlet,
    ) -> Result<()> {
        let around = self.clip.stages[pass].around;
        match around.filter(|&index| self.clip.bypasses[index].steps().end == pass + 1) {
            Some(index) => self.leave(index, number, image, scene, out),
            None => self.feed(pass + 1, number, image, scene, out),
        }
    }

    /// Gives what a pass made of the frame at a position of its section to the next section.
    fn split(
        &mut self,
        pass: usize,
        position: u64,
        (first, second): (B::Image, Option<B::Image>),
        scene: Scene,
        out: &mut impl Outlet,
    ) -> Result<()> {
        if let Some(index) = self.clip.stages[pass].around {
            // Frames on which the filter does not act have been kept.
            self.clip.bypasses[index].leave();
        }
        let section = self.clip.section_mut(pass);
        let timings = section.split(position, if second.is_some() { 2 } else { 1 });
        section.leave();
        let images = [Some((first, scene)), second.map(|second| (second, Scene::GoesOn))];
        for ((image, scene), timing) in images.into_iter().flatten().zip(timings) {
            self.hand_on(pass, &timing, image, scene, out)?;
        }
        Ok(())
    }

    /// Gives a frame to the section behind a pass that ends one.
    pub(super) fn hand_on(
        &mut self,
        pass: usize,
        timing: &Timing,
        image: B::Image,
        scene: Scene,
        out: &mut impl Outlet,
    ) -> Result<()> {
        let next = self.clip.stages[pass].section + 1;
        let verdict = self.judge.judge_in(next, timing)?;
        self.clip.see(next, timing, &verdict);
        self.feed(pass + 1, timing.number, image, scene, out)
    }

    /// Gives the frame at a position of a pass's section to the next section as often as its rate says, or what is blended of
    /// it and the one after it, which comes with its difference.
    fn repeat(
        &mut self,
        pass: usize,
        position: u64,
        rate: &RateChange,
        (image, after): (B::Image, Option<Traced<B::Image>>),
        mut scene: Scene,
        out: &mut impl Outlet,
    ) -> Result<()> {
        let number = self.clip.section(pass).number(position);
        let is_unseen = self.clip.is_unseen(pass, number);
        let repeats = self.clip.repeats(pass, position, rate);
        self.clip.section_mut(pass).leave();
        let mut is_cut = None;
        for (timing, weight) in repeats {
            let shown = match (&after, rate.blend) {
                (Some(Traced { image: after, .. }), Some(blend)) if weight == blend.whole => after.clone(),
                (Some(Traced { image: after, difference, .. }), Some(blend)) if weight > 0 => {
                    let is_cut = *is_cut.get_or_insert_with(|| {
                        let score = difference.map(|sum| self.clip.stages[pass].pairs.next(position, sum));
                        blend.scene.zip(score).is_some_and(|(scene, score)| score >= scene)
                    });
                    match is_cut {
                        true if weight > blend.whole / 2 => after.clone(),
                        true => image.clone(),
                        false if is_unseen => image.clone(),
                        false => self.fade(pass, number, [&image, after], weight)?,
                    }
                }
                _ => image.clone(),
            };
            self.hand_on(pass, &timing, shown, mem::replace(&mut scene, Scene::GoesOn), out)?;
        }
        Ok(())
    }

    /// Blends a frame with the one after it, whose weight is given, by a pass.
    fn fade(&mut self, pass: usize, number: u64, [own, after]: [&B::Image; 2], weight: u32) -> Result<B::Image> {
        let window = [None, Some(own), Some(after)];
        let inputs = Inputs { factor: weight as f32, ..Inputs::new(&window) };
        let name = &self.plan.steps()[pass].pass.name;
        self.observer.done(name, number, self.backend.run(pass, &inputs))
    }

    /// What came out of the last step of a bypass goes on, or what went in, or what both become.
    fn leave(
        &mut self,
        index: usize,
        number: u64,
        result: B::Image,
        scene: Scene,
        out: &mut impl Outlet,
    ) -> Result<()> {
        let image = match self.clip.bypasses[index].leave() {
            Exit::Original(original) => original,
            Exit::Result => result,
            Exit::Blend(pass, _) if self.clip.is_unseen(pass, number) => result,
            Exit::Blend(pass, original) => {
                let (window, second) = ([Some(&result)], [Some(&original)]);
                let inputs = Inputs { second: &second, ..Inputs::new(&window) };
                let name = &self.plan.steps()[pass].pass.name;
                self.observer.done(name, number, self.backend.run(pass, &inputs))?
            }
        };
        self.feed(self.clip.bypasses[index].next(), number, image, scene, out)
    }

    /// Waits for the frame that has been under way longest and puts it out; false if there is none.
    pub(super) fn deliver(&mut self, out: &mut impl Outlet) -> Result<bool> {
        let Some(Leaving { number, timing, is_first, pending }) = self.pending.pop_front() else { return Ok(false) };
        let mut frame = self.observer.done("wait", number, self.backend.wait(pending))?;
        if let (Some(format), Some(timing)) = (&self.retimed, timing) {
            let Timing { attachment, motion, .. } = mem::take(&mut frame.timing);
            frame = frame.tagged(format)?;
            // What came with the frame goes on with the first that is made of it.
            let along = if is_first { (attachment, motion) } else { (None, None) };
            frame.timing = Timing { attachment: along.0, motion: along.1, ..timing };
        }
        if let Some(format) = &self.progressive {
            frame = frame.tagged(format)?;
            frame.timing.fields = None;
        }
        out.put(frame)?;
        Ok(true)
    }
}
