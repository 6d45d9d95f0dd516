//! Fields matched: what has to be known of a window is asked for when the window is complete, and read when as many others wait
//! as a backend has under way, so that nobody waits for a backend that is busy. Only combs at scene changes, which are rare,
//! are asked for behind other answers.

use anyhow::{Context, Result};

use super::Engine;
use super::asked::AskedFields;
use super::observer::Observer;
use super::outlet::Outlet;
use crate::backend::{Backend, Inputs};
use crate::frame::{Format, FrameFields};
use crate::pass::{Answers, Fieldmatch, MatchChoice, Scan};

/// The choice for the frame in the middle of a window. Blocks for what was asked in `survey`, and for what is asked behind that.
///
/// # Errors
/// If the backend fails.
pub fn chosen<B: Backend>(
    backend: &mut B,
    pass: usize,
    matching: &Fieldmatch,
    format: &Format,
    inputs: &Inputs<'_, B::Image>,
    survey: B::Survey,
) -> Result<MatchChoice> {
    let mut answers: Answers = backend.answers(survey)?;
    loop {
        let missing = match matching.choose(format, inputs.scan.fields[1], &answers) {
            Ok(choice) => return Ok(choice),
            Err(missing) => missing,
        };
        let survey = backend.survey(pass, inputs, missing)?;
        answers.merge(&backend.answers(survey)?);
    }
}

impl<B: Backend, O: Observer> Engine<B, O> {
    /// Asks what has to be known of the next window of a pass, which is complete, and goes on to the one after.
    pub(super) fn ask(&mut self, pass: usize, is_kept: bool, out: &mut impl Outlet) -> Result<()> {
        let window = &self.clip.stages[pass].window;
        let places = window.places().context("the window is complete")?;
        let middle = places.len() / 2;
        let own = places[middle].context("the middle of a window is a frame")?.image.clone();
        let beside = |place: Option<usize>| {
            let traced = place.and_then(|place| places.get(place).copied().flatten());
            traced.map_or_else(|| own.clone(), |traced| traced.image.clone())
        };
        let images = [beside(middle.checked_sub(1)), own.clone(), beside(Some(middle + 1))];
        let (scene, number) = (window.scene(), self.clip.section(pass).number(window.centre()));
        let (scan, in_flight) = (self.clip.scan(pass), self.backend.in_flight());
        let survey = if is_kept || self.clip.is_unseen(pass, number) {
            None
        } else {
            let step = &self.plan.steps()[pass].pass;
            let matching = step.matching().context("the pass matches fields")?;
            let questions = match in_flight {
                0 => matching.first_questions(scan.fields[1]),
                _ => matching.all_questions(scan.fields[1]),
            };
            let window = images.each_ref().map(Some);
            let inputs = Inputs { scan, ..Inputs::new(&window) };
            Some(self.observer.done("measure", number, self.backend.survey(pass, &inputs, questions))?)
        };
        let stage = &mut self.clip.stages[pass];
        stage.window.slide();
        stage.matching.push_back(AskedFields { images, scan, scene, number, survey });
        self.match_fields(pass, in_flight, out)
    }

    /// Makes frames of which enough is known, but for so many that wait.
    pub(super) fn match_fields(&mut self, pass: usize, waiting: usize, out: &mut impl Outlet) -> Result<()> {
        while self.clip.stages[pass].matching.len() > waiting {
            let Some(asked) = self.clip.stages[pass].matching.pop_front() else { return Ok(()) };
            let AskedFields { images, scan, scene, number, survey } = asked;
            let (image, fields) = match survey {
                Some(survey) => {
                    let (image, fields) = self.matched(pass, number, &images, scan, survey)?;
                    (image, Some(fields))
                }
                None => {
                    let [_, own, _] = images;
                    (own, None)
                }
            };
            if !self.plan.steps()[pass].marks {
                self.pass_on(pass, number, image, scene, out)?;
                continue;
            }
            if let Some(index) = self.clip.stages[pass].around {
                // Frames on which the filter does not act have been kept.
                self.clip.bypasses[index].leave();
            }
            let mut timing = self.clip.section_mut(pass).leave();
            timing.fields = fields.or(timing.fields);
            self.hand_on(pass, &timing, image, scene, out)?;
        }
        Ok(())
    }

    /// A frame of the fields that fit, and what it is marked as.
    fn matched(
        &mut self,
        pass: usize,
        number: u64,
        images: &[B::Image; 3],
        scan: Scan,
        survey: B::Survey,
    ) -> Result<(B::Image, FrameFields)> {
        let plan = &self.plan;
        let step = &plan.steps()[pass].pass;
        let matching = step.matching().context("the pass matches fields")?;
        let window = images.each_ref().map(Some);
        let inputs = Inputs { scan, ..Inputs::new(&window) };
        let format = plan.formats().swap_remove(pass);
        let chosen = chosen(&mut self.backend, pass, matching, &format, &inputs, survey);
        let MatchChoice { pair, fields } = self.observer.done("read", number, chosen)?;
        log::trace!("{}: frame {number} has the fields {pair:?}, {fields:?}", step.name);
        let [top, _] = matching.fields(scan.fields[1]);
        let Some(weave) = pair.weave(top) else { return Ok((images[1].clone(), fields)) };
        let inputs = Inputs { scan: Scan { weave: Some(weave), ..scan }, ..inputs };
        let image = self.observer.done(&step.name, number, self.backend.run(pass, &inputs))?;
        Ok((image, fields))
    }
}
