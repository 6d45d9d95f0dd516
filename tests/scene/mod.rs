//! Scenes and brightness on whole jobs: frames in memory go through everything but reading and writing files.

mod cut;
mod deflicker;
mod score;
pub mod stabilize;

use std::sync::{Arc, Mutex};

use anyhow::Result;
use warpreel::frame::{Attachment, Format, Frame, Pool, Sample, Timing};
use warpreel::job::{Choice, Job, Report, Request};
use warpreel::pipeline::Monitor;
use warpreel::sink::Sink;
use warpreel::source::Source;

use crate::agreement::Random;

/// A clip in memory.
struct Clip {
    format: Arc<Format>,
    frames: Vec<Frame>,
    next: usize,
}

impl Source for Clip {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let Some(from) = self.frames.get(self.next) else { return Ok(None) };
        let mut frame = pool.frame(&self.format)?;
        let bytes = from.host().expect("a frame on the host").bytes();
        frame.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
        let timing = Timing { number: self.next as u64, pts: self.next as i64, ..Timing::default() };
        self.next += 1;
        Ok(Some(frame.freeze(timing)))
    }

    fn length(&self) -> Option<u64> {
        Some(self.frames.len() as u64)
    }
}

struct Collector(Arc<Mutex<Vec<Frame>>>);

impl Sink for Collector {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.0.lock().expect("no poison").push(frame);
        Ok(())
    }

    fn finish(self: Box<Self>, _: Option<Attachment>) -> Result<()> {
        Ok(())
    }
}

/// What a chain makes of a clip, with so many frames in flight on a GPU.
pub fn filtered(chain: &str, clip: &[Frame], backend: Choice, in_flight: usize) -> (Vec<Frame>, Report) {
    let request = Request { backend, threads: 2.into(), in_flight, ..Request::default() };
    filtered_as(request, chain, clip)
}

/// What a chain makes of a clip where a request says how.
pub fn filtered_as(request: Request, chain: &str, clip: &[Frame]) -> (Vec<Frame>, Report) {
    let format = clip[0].format().clone();
    let request = Request { chain: vec![chain.to_owned()], ..request };
    let source = Box::new(Clip { format, frames: clip.to_vec(), next: 0 });
    let frames = Arc::default();
    let sink = Box::new(Collector(Arc::clone(&frames)));
    let job = Job::between(request, source, sink).unwrap_or_else(|error| panic!("{chain}: {error:#}"));
    let report = job.run(&Monitor::default()).unwrap_or_else(|error| panic!("{chain}: {error:#}"));
    let frames = std::mem::take(&mut *frames.lock().expect("no poison"));
    let is_one_for_one = !["framerate", "decimate"].iter().any(|name| chain.contains(name));
    assert!(frames.len() == clip.len() || !is_one_for_one, "{chain}: one frame in, one frame out");
    (frames, report)
}

/// The frames alone, on the CPU.
fn on_cpu(chain: &str, clip: &[Frame]) -> Vec<Frame> {
    filtered(chain, clip, Choice::Cpu, 1).0
}

/// A clip of scenes of so many frames, each as bright as it says, a fraction of full scale, with a tenth of noise.
pub fn scenes(format: &Arc<Format>, scenes: &[(usize, f32)]) -> Vec<Frame> {
    let pool = Pool::heap();
    let mut random = Random::new(7);
    let levels = scenes.iter().flat_map(|&(frames, level)| std::iter::repeat_n(level, frames));
    let frame = |level: f32| {
        let mut frame = pool.frame(format).expect("memory");
        let pixel = format.pixel;
        for plane in 0..pixel.planes() {
            let mut value = || (level + random.real(-0.05, 0.05)).clamp(0.0, 1.0) * pixel.peak();
            match pixel.sample {
                Sample::U8 => fill(frame.planes_mut::<u8>().remove(plane), || value() as u8),
                Sample::U16 => fill(frame.planes_mut::<u16>().remove(plane), || value() as u16),
                Sample::F32 => fill(frame.planes_mut::<f32>().remove(plane), value),
            }
        }
        frame.freeze(Timing::default())
    };
    levels.map(frame).collect()
}

fn fill<T: bytemuck::Pod>(mut plane: warpreel::frame::PlaneMut<T>, mut value: impl FnMut() -> T) {
    for y in 0..plane.height {
        plane.row_mut(y).fill_with(&mut value);
    }
}

/// Fails unless two clips hold the same samples.
pub fn assert_same(got: &[Frame], wanted: &[Frame], what: &str) {
    assert_eq!(got.len(), wanted.len(), "{what}");
    for (number, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        for plane in 0..got.plane_count() {
            assert!(
                got.host()
                    .expect("a frame on the host")
                    .rows(plane)
                    .eq(wanted.host().expect("a frame on the host").rows(plane)),
                "{what}: frame {number} differs in plane {plane}"
            );
        }
    }
}
