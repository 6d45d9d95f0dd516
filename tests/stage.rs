//! The CPU stage in the pipeline: a plan is run over a whole clip, of frames or of numbers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use anyhow::Result;
use warpreel::backend::Cpu;
use warpreel::backend::cpu::simd::Level;
use warpreel::frame::{Attachment, Format, Frame, Pixel, Pool, Rational, Sample, Timing};
use warpreel::pipeline::{FilterLane, Lanes, Pipeline, Sharing};
use warpreel::plan::{Plan, plan};
use warpreel::sink::Sink;
use warpreel::source::Source;

use crate::filter::chain;
use crate::oracle;

/// Frames of planes of samples, row by row.
pub type Clip = Vec<Vec<Vec<f32>>>;

/// A format of such pixels.
pub fn format(pixel: Pixel, width: usize, height: usize) -> Format {
    Format::new(pixel, width, height, Rational::new(25, 1))
}

/// Float samples in one plane.
pub fn float() -> Pixel {
    Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) }
}

/// Samples for each place: frame, plane, column, row.
pub fn clip(format: &Format, frames: usize, mut value: impl FnMut(usize, usize, usize, usize) -> f32) -> Clip {
    let mut plane = |frame: usize, plane: usize| {
        let (width, height) = format.plane_size(plane);
        (0..width * height).map(|i| value(frame, plane, i % width, i / width)).collect()
    };
    (0..frames).map(|frame| (0..format.pixel.planes()).map(|index| plane(frame, index)).collect()).collect()
}

fn frame(format: &Arc<Format>, number: usize, planes: &[Vec<f32>], pool: &Pool) -> Frame {
    fn fill<T: bytemuck::Pod>(frame: &mut warpreel::frame::FrameMut, planes: &[Vec<f32>], of: impl Fn(f32) -> T) {
        for (plane, samples) in frame.planes_mut::<T>().iter_mut().zip(planes) {
            for (y, row) in samples.chunks(plane.width).enumerate() {
                plane.row_mut(y).iter_mut().zip(row).for_each(|(sample, &value)| *sample = of(value));
            }
        }
    }
    let mut frame = pool.frame(format).expect("memory");
    match format.pixel.sample {
        Sample::U8 => fill(&mut frame, planes, |value| value as u8),
        Sample::U16 => fill(&mut frame, planes, |value| value as u16),
        Sample::F32 => fill(&mut frame, planes, |value| value),
    }
    frame.freeze(Timing { number: number as u64, pts: number as i64, ..Timing::default() })
}

/// A clip as frames.
pub fn frames(format: &Format, clip: &Clip, pool: &Pool) -> Vec<Frame> {
    let format = Arc::new(format.clone());
    clip.iter().enumerate().map(|(number, planes)| frame(&format, number, planes, pool)).collect()
}

/// The frames of a clip, one after another.
pub struct Shelf(pub Arc<Format>, pub VecDeque<Frame>);

impl Source for Shelf {
    fn format(&self) -> &Arc<Format> {
        &self.0
    }

    fn next_frame(&mut self, _: &Pool) -> Result<Option<Frame>> {
        Ok(self.1.pop_front())
    }

    fn length(&self) -> Option<u64> {
        Some(self.1.len() as u64)
    }
}

/// Keeps what arrives.
pub struct Basket(pub Arc<Mutex<Vec<Frame>>>);

impl Sink for Basket {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.0.lock().expect("one thread puts").push(frame);
        Ok(())
    }

    fn finish(self: Box<Self>, _: Option<Attachment>) -> Result<()> {
        Ok(())
    }
}

/// What a plan makes of a clip.
pub fn through(plan: &Plan, clip: &[Frame]) -> Vec<Frame> {
    through_at(Level::best(), plan, clip)
}

/// The same with instructions of a level.
pub fn through_at(level: Level, plan: &Plan, clip: &[Frame]) -> Vec<Frame> {
    let (pool, format) = (Pool::heap(), plan.format().clone());
    let mut cpu = Cpu::with_level(plan.passes(), format, pool.clone(), 1, level).expect("passes that fit");
    let (mut shelf, basket) = (Shelf(plan.format().clone(), clip.iter().cloned().collect()), Arc::default());
    let sink = Box::new(Basket(Arc::clone(&basket)));
    Pipeline::new(plan, &pool).run(&mut shelf, &mut cpu, sink).expect("a clip");
    let frames = std::mem::take(&mut *basket.lock().expect("the run is over"));
    if plan.steps().iter().any(|step| step.rate.is_some() || step.pass.decimation.is_some()) {
        return frames;
    }
    let most = plan.length(clip.len() as u64) as usize;
    assert!(
        (clip.len()..=most).contains(&frames.len()),
        "{} frames in, {} out, {most} at most",
        clip.len(),
        frames.len()
    );
    frames
}

/// The same on several CPU stages, which share the clip out in runs.
pub fn shared(plan: &Plan, clip: &[Frame], lanes: usize, sharing: Sharing) -> Vec<Frame> {
    try_shared(plan, clip, lanes, sharing).expect("a clip")
}

/// The same, or why it is refused.
pub fn try_shared(plan: &Plan, clip: &[Frame], lanes: usize, sharing: Sharing) -> Result<Vec<Frame>> {
    let pool = Pool::heap();
    let lane = |gpu| {
        let backend = Cpu::new(plan.passes(), plan.format().clone(), pool.clone(), 1).expect("passes that fit");
        FilterLane { gpu, name: format!("lane {gpu}"), backend }
    };
    let mut lanes = Lanes { lanes: (0..lanes).map(lane).collect(), sharing };
    let (mut shelf, basket) = (Shelf(plan.format().clone(), clip.iter().cloned().collect()), Arc::default());
    let sink = Box::new(Basket(Arc::clone(&basket)));
    Pipeline::new(plan, &pool).share(&mut shelf, &mut lanes, sink)?;
    Ok(std::mem::take(&mut *basket.lock().expect("the run is over")))
}

/// What a chain makes of a clip.
pub fn run(text: &str, format: &Format, clip: &Clip) -> Clip {
    let plan = plan(&chain(text), &Arc::new(format.clone())).unwrap_or_else(|err| panic!("{text}: {err:#}"));
    let frames = through(&plan, &frames(format, clip, &Pool::heap()));
    let planes = |frame: &Frame| (0..format.pixel.planes()).map(|plane| oracle::samples(frame, plane)).collect();
    frames.iter().map(planes).collect()
}
