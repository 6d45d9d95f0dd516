//! Sums over frames: what every backend measures, against sums that are formed sample by sample.

use std::sync::Arc;

use anyhow::Result;
use warpreel::backend::cpu::simd::Level;
use warpreel::backend::{Backend, Cpu};
use warpreel::frame::{Family, Format, Pixel, Pool, Rational, Sample};
use warpreel::pass::Pass;

use super::{Case, Random};
use crate::oracle;

/// Frames of every kind, and of sizes around what is read at once and how the rows are shared out.
fn cases() -> impl Iterator<Item = Case> {
    let any = (0..150).map(|seed| Random::case(10_000 + seed, 70));
    let sizes = [(127, 9), (128, 8), (129, 7), (257, 63), (1921, 83), (16384, 3), (3, 16384), (640, 360)];
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let pixels = [Pixel::yuv420p(8), Pixel::gray(16), Pixel::integer(Family::Rgb, 0, 0, 10), float];
    let sized = sizes.into_iter().enumerate().flat_map(move |(index, (width, height))| {
        pixels.into_iter().enumerate().map(move |(kind, pixel)| {
            let seed = 11_000 + 10 * index as u64 + kind as u64;
            Random::new(seed).finished(seed, Format::new(pixel, width, height, Rational::new(25, 1)), Vec::new())
        })
    });
    any.chain(sized)
}

/// Fails unless a backend gives the sums that the samples have.
pub fn sums<B: Backend>(make: impl Fn(Arc<[Pass]>, Arc<Format>, Pool) -> Result<B>) {
    for case in cases() {
        let (pool, format) = (Pool::heap(), Arc::new(case.format.clone()));
        let frames = case.frames(3, &pool);
        let run = || -> Result<Vec<u64>> {
            let mut backend = make(Arc::from([]), format.clone(), pool.clone())?;
            let images: Vec<_> = frames.iter().map(|frame| backend.upload(frame.clone())).collect::<Result<_>>()?;
            // All are asked for before the first is read, and one is never read.
            let mut asked = vec![backend.measure(&images[2], Some(&images[0]))?];
            for index in 0..3 {
                asked.push(backend.measure(&images[index], None)?);
                let before = index.checked_sub(1).map(|before| &images[before]);
                asked.push(backend.measure(&images[index], before)?);
            }
            asked.pop();
            asked.into_iter().map(|measure| backend.read(measure)).collect()
        };
        let got = run().unwrap_or_else(|error| panic!("{error:#}\n{case:#?}"));
        let sum = |index: usize| oracle::measure::sum(&frames[index], None);
        let difference = |a: usize, b: usize| oracle::measure::sum(&frames[a], Some(&frames[b]));
        assert_eq!(got, [difference(2, 0), sum(0), sum(0), sum(1), difference(1, 0), sum(2)], "{case:#?}");
    }
}

#[test]
fn best_level() {
    for threads in [1, 2, 7] {
        sums(|passes, format, pool| Cpu::new(passes, format, pool, threads));
    }
}

#[test]
fn other_levels() {
    let levels = Level::available();
    for level in &levels[..levels.len() - 1] {
        sums(|passes, format, pool| Cpu::with_level(passes, format, pool, 2, *level));
    }
}
