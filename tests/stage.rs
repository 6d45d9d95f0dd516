//! The CPU stage on numbers: a chain is planned and run, pass by pass, over a whole clip.

use std::sync::Arc;

use warpreel::backend::{Backend, Cpu};
use warpreel::frame::{Format, Frame, Pixel, Pool, Rational, Sample, Timing};
use warpreel::plan::plan;

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

/// What a chain makes of a clip.
pub fn run(text: &str, format: &Format, clip: &Clip) -> Clip {
    let (format, pool) = (Arc::new(format.clone()), Pool::heap());
    let plan = plan(&chain(text), &format).unwrap_or_else(|err| panic!("{text}: {err:#}"));
    let mut cpu = Cpu::new(plan.passes.clone(), format.clone(), pool.clone(), 1).expect("a plan that fits");
    let mut frames: Vec<Frame> =
        clip.iter().enumerate().map(|(number, planes)| frame(&format, number, planes, &pool)).collect();
    for (index, pass) in plan.passes.iter().enumerate() {
        let (length, reach) = (frames.len(), pass.reach() as isize);
        let window = |centre: usize| -> Vec<Option<&Frame>> {
            let places = centre as isize - reach..=centre as isize + reach;
            places.map(|place| pass.border_t.index(place, length).map(|place| &frames[place])).collect()
        };
        frames = (0..length).map(|centre| cpu.run(index, &window(centre)).expect("a frame")).collect();
    }
    let planes = |frame: &Frame| (0..format.pixel.planes()).map(|plane| oracle::samples(frame, plane)).collect();
    frames.iter().map(planes).collect()
}
