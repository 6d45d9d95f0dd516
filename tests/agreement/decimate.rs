//! How much frames differ, as every backend counts it, against the oracle.

use std::sync::Arc;

use anyhow::Result;
use warpreel::backend::cpu::simd::Level;
use warpreel::backend::{Backend, Cpu, Inputs};
use warpreel::frame::{Family, Format, Frame, Layout, Pixel, Pool, Rational, Sample, Timing};
use warpreel::pass::{Decimation, FrameChange, Op, Pass, Questions, TimeBorder};

use super::Random;
use crate::oracle::decimate::change;

/// A decimation with blocks of every size.
pub fn op(random: &mut Random) -> Decimation {
    let most = if random.below(3) == 0 { 8 } else { 5 };
    Decimation {
        cycle: random.range(2..=25) as u32,
        duplicate: *random.one_of(&[0.0, 0.3, 1.1, 20.0, 100.0]),
        scene: *random.one_of(&[0.0, 2.0, 15.0, 100.0]),
        block: [(); 2].map(|()| 4 << random.below(most)),
        chroma: random.below(3) > 0,
    }
}

/// A frame of noise, that of before where `before` is given and a part of it changed; with `most`, black and white.
fn frame(random: &mut Random, format: &Arc<Format>, number: u64, kind: u64) -> Frame {
    let mut frame = Pool::heap().frame_in(format, Layout::aligned(format)).expect("memory");
    let pixel = format.pixel;
    for plane in 0..pixel.planes() {
        let (width, height) = format.plane_size(plane);
        for y in 0..height {
            let row: Vec<f32> = (0..width)
                .map(|_| match (kind, pixel.sample) {
                    (0, _) => pixel.peak() * number as f32,
                    (1, Sample::F32) => *random.one_of(&[f32::NAN, -1.0, 2.0, 1e30, -0.0, 0.5]),
                    (1, Sample::U16) => random.below(1 << 16) as f32,
                    (_, Sample::F32) => random.below(1 << 20) as f32 / (1 << 20) as f32,
                    _ => random.below(pixel.peak() as u64 + 1) as f32,
                })
                .collect();
            match pixel.sample {
                Sample::U8 => {
                    row.iter().zip(frame.planes_mut::<u8>()[plane].row_mut(y)).for_each(|(v, to)| *to = *v as u8);
                }
                Sample::U16 => {
                    row.iter().zip(frame.planes_mut::<u16>()[plane].row_mut(y)).for_each(|(v, to)| *to = *v as u16);
                }
                Sample::F32 => frame.planes_mut::<f32>()[plane].row_mut(y).copy_from_slice(&row),
            }
        }
    }
    frame.freeze(Timing::at(number))
}

/// Fails unless a backend counts what the oracle does.
pub fn changes<B: Backend>(make: impl Fn(Arc<[Pass]>, Arc<Format>, Pool) -> Result<B>) {
    let sizes = [(1, 1), (3, 9), (16, 5), (17, 6), (33, 40), (63, 33), (90, 70), (201, 35), (72, 144), (520, 20)];
    for seed in 97_000..97_160 {
        let mut random = Random::new(seed);
        let (width, height) = *random.one_of(&sizes);
        let pixel = match random.below(6) {
            0 => Pixel::integer(Family::Yuv, 2, 2, 8),
            _ => random.pixel(),
        };
        let format = Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)));
        let (op, kind) = (op(&mut random), random.below(5));
        let frames = [0, 1].map(|number| frame(&mut random, &format, number, kind));
        let pass = Pass::new("decimate", vec![Op::Copy; pixel.planes()], TimeBorder::Clamp).decimating(op);
        let run = || -> Result<[FrameChange; 2]> {
            let mut backend = make(Arc::from([pass.clone()]), format.clone(), Pool::heap())?;
            let [before, own] = frames.each_ref().map(|frame| backend.upload(frame.clone()));
            let (before, own) = (before?, own?);
            // One is never read.
            let [first, _, second] = [(&before, &own), (&own, &before), (&own, &own)].map(|(before, own)| {
                backend.survey(0, &Inputs::new(&[Some(before), Some(own), None]), Questions::CHANGE)
            });
            let answers = [backend.answers(first?)?, backend.answers(second?)?];
            Ok(answers.map(|answers| FrameChange::of(&answers).expect("what was asked")))
        };
        let [got, same] = run().unwrap_or_else(|error| panic!("{seed}: {error:#}"));
        let [block, all] = change(&op, &format, &frames[1], &frames[0]);
        assert_eq!([got.block as f64, got.frame as f64], [block, all], "{seed}: {op:?} on {format}");
        assert_eq!(same, FrameChange { block: 0, frame: 0 }, "{seed}: {op:?} on {format}");
    }
}

#[test]
fn best_level() {
    for threads in [1, 2, 5] {
        changes(|passes, format, pool| Cpu::new(passes, format, pool, threads));
    }
}

#[test]
fn other_levels() {
    let levels = Level::available();
    for level in &levels[..levels.len() - 1] {
        changes(|passes, format, pool| Cpu::with_level(passes, format, pool, 2, *level));
    }
}

/// The largest blocks of the largest differences fit.
#[test]
fn white_after_black() {
    for pixel in [Pixel::gray(8), Pixel::gray(16), Pixel::rgb(16)] {
        let format = Arc::new(Format::new(pixel, 600, 512, Rational::new(25, 1)));
        let op = Decimation { cycle: 5, duplicate: 1.1, scene: 15.0, block: [512; 2], chroma: true };
        let frames = [0, 1].map(|number| frame(&mut Random::new(1), &format, number, 0));
        let pass = Pass::new("decimate", vec![Op::Copy; pixel.planes()], TimeBorder::Clamp).decimating(op);
        let mut cpu = Cpu::new(Arc::from([pass]), format.clone(), Pool::heap(), 1).unwrap();
        let survey = cpu.survey(0, &Inputs::new(&[Some(&frames[0]), Some(&frames[1]), None]), Questions::CHANGE);
        let got = FrameChange::of(&survey.unwrap()).unwrap();
        let white = pixel.peak() as u64 * pixel.planes() as u64;
        assert_eq!([got.block, got.frame], [white * 512 * 512, white * 600 * 512], "{format}");
    }
}
