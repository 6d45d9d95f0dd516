//! One case: frames made from a seed, a pass on them by a backend, and the oracle's word on the result.

use std::sync::Arc;

use anyhow::Result;
use warpreel::backend::{Backend, Inputs};
use warpreel::frame::{Format, Frame, Layout, Pool, Sample, Timing};
use warpreel::pass::{Correction, OverlayPlace, Pass, Scan};

use super::random::Random;
use crate::oracle;

/// What the samples of the input are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content {
    /// Any value.
    Noise,
    /// Lowest and highest in turns.
    Checkers,
    /// The highest everywhere.
    Peak,
    /// What a type holds and a format does not mean: samples above the peak; floats that are no numbers, infinite,
    /// tiny, and −0 among others.
    Wild,
}

/// How the rows of the input lie in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rows {
    /// As the pool lays them out.
    Aligned,
    /// Without padding.
    Packed,
    /// A few samples of poison after each row and plane.
    Padded,
}

/// All that determines a result.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub format: Format,
    pub pass: Pass,
    pub content: Content,
    pub rows: Rows,
    /// What [`warpreel::pass::Op::Gain`] multiplies by.
    pub factor: f32,
    /// The fields of the frame in the middle, which deinterlacers read.
    pub scan: Scan,
    /// By how much the frame in the middle is moved, which stabilized planes read.
    pub correction: Correction,
    /// Where the frame in the middle has pictures that move.
    pub place: OverlayPlace,
    /// Places of the window that hold no frame, counted from its start; the middle is never one.
    pub missing: Vec<usize>,
}

const POISON: u8 = 0xA5;

fn value(random: &mut Random, case: &Case, x: usize, y: usize) -> f32 {
    let peak = case.format.pixel.peak();
    let float = case.format.pixel.sample == Sample::F32;
    match case.content {
        Content::Noise if float => random.real(-0.25, 1.25),
        Content::Noise => random.below(peak as u64 + 1) as f32,
        Content::Checkers => peak * ((x + y) % 2) as f32,
        Content::Wild if float => *random.one_of(&[0.0, -0.0, 1.0, 1e-40, -1e-39, 1e30, f32::NAN, f32::INFINITY, 0.5]),
        Content::Wild if case.format.pixel.sample == Sample::U16 => random.below(1 << 16) as f32,
        Content::Wild => random.below(1 << 8) as f32,
        Content::Peak => peak,
    }
}

fn layout(case: &Case, format: &Format) -> Layout {
    let mut layout = match case.rows {
        Rows::Aligned => Layout::aligned(format),
        Rows::Packed | Rows::Padded => Layout::packed(format),
    };
    if case.rows == Rows::Padded {
        let mut offset_bytes = 64;
        for plane in &mut layout.planes {
            plane.offset_bytes = offset_bytes;
            plane.stride += 7;
            offset_bytes += plane.stride * plane.height * case.format.pixel.sample.bytes() + 12;
        }
    }
    layout
}

fn write<T>(row: &mut [T], values: &[f32], of: impl Fn(f32) -> T) {
    row.iter_mut().zip(values).for_each(|(sample, &value)| *sample = of(value));
}

impl Case {
    /// So many frames of the clip that the seed stands for.
    pub fn frames(&self, count: usize, pool: &Pool) -> Vec<Frame> {
        (0..count).map(|number| self.frame(number, pool)).collect()
    }

    /// Number of the first of them.
    fn first_number(&self) -> u64 {
        self.seed % 7919
    }

    /// One of them.
    pub fn frame(&self, number: usize, pool: &Pool) -> Frame {
        self.frame_of(&Arc::new(self.format.clone()), number, pool)
    }

    /// One of a clip of the same pixels and another size.
    fn frame_of(&self, format: &Arc<Format>, number: usize, pool: &Pool) -> Frame {
        let mut random = Random::new(self.seed ^ (number as u64 + 1) << 32);
        let mut frame = pool.frame_in(format, layout(self, format)).expect("memory");
        frame.bytes_mut().fill(POISON);
        for plane in 0..format.pixel.planes() {
            let (width, height) = format.plane_size(plane);
            for y in 0..height {
                let row: Vec<f32> = (0..width).map(|x| value(&mut random, self, x, y)).collect();
                match format.pixel.sample {
                    Sample::U8 => write(frame.planes_mut::<u8>()[plane].row_mut(y), &row, |v| v as u8),
                    Sample::U16 => write(frame.planes_mut::<u16>()[plane].row_mut(y), &row, |v| v as u16),
                    Sample::F32 => write(frame.planes_mut::<f32>()[plane].row_mut(y), &row, |v| v),
                }
            }
        }
        let (number, pts) = (self.first_number() + number as u64, 1000 + number as i64);
        let timing = Timing { number, pts, ..Timing::default() };
        frame.freeze(timing)
    }

    /// All images, as [`Self::window`] gives them, apart: those of the window, and the second ones.
    pub fn apart<'a, I>(&self, images: &'a [Option<I>]) -> [Vec<Option<&'a I>>; 2] {
        let each = images.len() / self.pass.window();
        let every = |first: usize| images.iter().skip(first).step_by(each).map(Option::as_ref).collect();
        [every(each - 1), if each > 1 { every(0) } else { Vec::new() }]
    }

    /// What a pass is run on, of both.
    pub fn inputs<'a, I>(&self, [window, second]: &'a [Vec<Option<&'a I>>; 2]) -> Inputs<'a, I> {
        Inputs {
            second,
            window,
            factor: self.factor,
            scan: self.scan,
            correction: self.correction,
            place: self.place,
            number: self.first_number() + window.len() as u64 / 2,
        }
    }

    /// The frames of the window, and before each of them the second image of a blend.
    pub fn window(&self, pool: &Pool) -> Vec<Option<Frame>> {
        let each = self.pass.images() / self.pass.window();
        let own = Arc::new(self.format.clone());
        let beside = self.pass.second_format(&own);
        let frame = |image: usize| {
            let format = if image % each + 1 == each { &own } else { &beside };
            (!self.missing.contains(&(image / each))).then(|| self.frame_of(format, image, pool))
        };
        (0..self.pass.images()).map(frame).collect()
    }

    /// What a backend gives.
    pub fn run<B: Backend>(&self, make: &impl Fn(Arc<[Pass]>, Arc<Format>, Pool) -> Result<B>) -> Frame {
        let pool = Pool::heap();
        let passes = Arc::from([self.pass.clone()]);
        let run = || -> Result<Frame> {
            let mut backend = make(passes, Arc::new(self.format.clone()), pool.clone())?;
            let mut images = Vec::new();
            let each = self.pass.images() / self.pass.window();
            for (image, frame) in self.window(&pool).into_iter().enumerate() {
                let upload = |frame| match image % each + 1 == each {
                    true => backend.upload(frame),
                    false => backend.upload_beside(0, frame),
                };
                images.push(frame.map(upload).transpose()?);
            }
            let image = backend.run(0, &self.inputs(&self.apart(&images)))?;
            let pending = backend.download(image)?;
            backend.wait(pending)
        };
        run().unwrap_or_else(|error| panic!("{error:#}\n{self:#?}"))
    }

    /// What the oracle says: the samples of each plane.
    pub fn wanted(&self) -> Vec<Vec<f32>> {
        let window = self.window(&Pool::heap());
        let window: Vec<_> = window.iter().map(Option::as_ref).collect();
        let facts = (self.factor, self.scan, self.correction, self.place);
        let plane = |plane| oracle::plane(&self.pass, &self.format, &window, facts, plane);
        (0..self.format.pixel.planes()).map(plane).collect()
    }

    /// Fails unless a backend gives what is wanted, bit for bit.
    pub fn check<B: Backend>(&self, make: &impl Fn(Arc<[Pass]>, Arc<Format>, Pool) -> Result<B>, wanted: &[Vec<f32>]) {
        let got = self.run(make);
        assert_eq!(got.timing.pts, 1000 + self.pass.images() as i64 / 2, "the timing of the centre\n{self:#?}");
        for (plane, wanted) in wanted.iter().enumerate() {
            self.compare(plane, &oracle::samples(&got, plane), wanted);
        }
    }

    /// Fails unless two frames hold the same bits.
    pub fn same(&self, one: &Frame, other: &Frame) {
        for plane in 0..self.format.pixel.planes() {
            self.compare(plane, &oracle::samples(one, plane), &oracle::samples(other, plane));
        }
    }

    fn compare(&self, plane: usize, got: &[f32], wanted: &[f32]) {
        let (width, _) = self.pass.output(&Arc::new(self.format.clone())).plane_size(plane);
        let bits = |samples: &[f32]| samples.iter().map(|sample| sample.to_bits()).collect::<Vec<_>>();
        let (got_bits, wanted_bits) = (bits(got), bits(wanted));
        if let Some(i) = (0..wanted.len()).find(|&i| got_bits[i] != wanted_bits[i]) {
            let wrong = (0..wanted.len()).filter(|&i| got_bits[i] != wanted_bits[i]).count();
            panic!(
                "plane {plane}, x {}, y {}: {:?} where {:?} is wanted ({wrong} of {} differ)\n{self:#?}",
                i % width,
                i / width,
                got[i],
                wanted[i],
                wanted.len()
            );
        }
    }
}
