//! A stand-in for the backend: passes that add up their windows, and count.

use std::collections::HashMap;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use warpreel::backend::{Backend, Inputs};
use warpreel::frame::{Frame, Pool};
use warpreel::pass::{Answers, Questions};

use super::trap::{Fault, Trap};

/// Adds up the window; of the two frames of a blend, three times the first.
#[derive(Clone)]
pub struct Adder {
    pub pool: Pool,
    pub trap: Trap,
    pub counts: [u64; 6],
    pub runs: HashMap<usize, u64>,
    pub in_flight: usize,
    pub unread: usize,
    pub most_unread: usize,
    /// How long a pass takes.
    pub delay: Duration,
}

impl Adder {
    fn check(&mut self, verb: usize, fault: Fault) -> Result<()> {
        self.trap.check(fault, self.counts[verb])?;
        self.counts[verb] += 1;
        Ok(())
    }
}

/// What the stand-in for a blend makes of two samples.
pub fn blended(original: u16, result: u16) -> u16 {
    original.wrapping_mul(3).wrapping_add(result)
}

pub fn first_sample(frame: &Frame) -> u16 {
    frame.host().expect("a frame on the host").plane::<u16>(0).row(0)[0]
}

impl Backend for Adder {
    type Image = Frame;
    type Pending = Frame;
    type Measure = u64;
    type Cells = Vec<u32>;
    type Survey = Answers;

    fn upload(&mut self, frame: Frame) -> Result<Frame> {
        self.check(0, Fault::Upload)?;
        Ok(frame)
    }

    fn upload_beside(&mut self, _: usize, frame: Frame) -> Result<Frame> {
        Ok(frame)
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Frame>) -> Result<Frame> {
        thread::sleep(self.delay);
        let Inputs { window, second, factor, .. } = *inputs;
        self.check(1, Fault::Run)?;
        *self.runs.entry(pass).or_default() += 1;
        let centre = window[window.len() / 2].expect("the centre is there");
        let mut sum = self.pool.frame(centre.format())?;
        let samples = window.iter().flatten().map(|frame| first_sample(frame));
        sum.planes_mut::<u16>()[0].row_mut(0)[0] = match second.first().copied().flatten() {
            Some(original) => blended(first_sample(original), first_sample(centre)),
            None => (f32::from(samples.fold(0, u16::wrapping_add)) * factor) as u16,
        };
        Ok(sum.freeze(centre.timing.clone()))
    }

    fn measure(&mut self, image: &Frame, before: Option<&Frame>) -> Result<u64> {
        self.check(4, Fault::Measure)?;
        self.unread += 1;
        self.most_unread = self.most_unread.max(self.unread);
        Ok(first_sample(image).abs_diff(before.map_or(0, first_sample)).into())
    }

    fn read(&mut self, measure: u64) -> Result<u64> {
        self.check(5, Fault::Read)?;
        self.unread -= 1;
        Ok(measure)
    }

    fn reduce(&mut self, image: &Frame) -> Result<Vec<u32>> {
        Ok(vec![first_sample(image).into()])
    }

    fn cells(&mut self, cells: Vec<u32>) -> Result<Vec<u32>> {
        Ok(cells)
    }

    fn survey(&mut self, _: usize, _: &Inputs<'_, Frame>, _: Questions) -> Result<Answers> {
        Ok(Answers::NONE)
    }

    fn answers(&mut self, survey: Answers) -> Result<Answers> {
        Ok(survey)
    }

    fn download(&mut self, image: Frame) -> Result<Frame> {
        self.check(2, Fault::Download)?;
        Ok(image)
    }

    fn wait(&mut self, pending: Frame) -> Result<Frame> {
        self.check(3, Fault::Wait)?;
        Ok(pending)
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }
}
