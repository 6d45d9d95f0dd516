//! Any two filters in a chain: one after the other in one engine gives the bytes of two runs, so that no stage sees what
//! another left in the memory that they share.
//!
//! `WARPREEL_TESTS=all` tries every ordered pair of calls in every format at every level of instructions; without it each
//! call of [`STAGES`] meets every other, and of the rest one in 64 does.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use warpreel::backend::cpu::simd::Level;
use warpreel::filter::{FILTERS, Filter, parse};
use warpreel::frame::{Family, Format, Pixel, Rational, Sample};

use super::super::agreement::Random;
use super::super::companion;
use super::super::extent;
use super::super::filter::chain;
use super::join::{ROOMY, call, check_at};

/// Calls that no default or example stands for: each becomes another stage of the CPU, or another part of one.
const STAGES: [&str; 25] = [
    "gaussian=sigma=10:boxes=3",
    "gaussian=sigma=9",
    "gaussian=sigma=1",
    "box=30",
    "box=1",
    "tmix=3",
    "tmix=frames=3:planes=luma,gaussian=sigma=4:planes=chroma",
    "convolution='1 2 1 2 4 2 1 2 1'",
    "kernel='1 2 -1 0.5 3;0 3 1 0.5 2;1 1 1 0.25 7;3 2 1 0.125 9;0 1 0 1 0'",
    "kernel='1 2 1;0 1 0;3 1 2|0 1 0;1 -2 1;0 1 0|1 0 1;0 2 0;1 0 1'",
    "sobel",
    "median=1",
    "median=2",
    "median=9",
    "erode=3",
    "tmedian=1",
    "nlmeans=s=10:p=3:r=5",
    "nlmeans=s=30:p=7:r=15",
    "bm3d=sigma=20",
    "bm3d=sigma=40:radius=1:bm_range=2:block_step=8",
    "bilateral=sigmaS=3:sigmaR=0.2",
    "bilateral=sigmaS=2:sigmaR=0.1:joint=1:planes=chroma",
    "atadenoise=s=5",
    "degrain",
    "invert",
];

/// Calls of all filters: of each its default, its example and two random ones, behind [`STAGES`].
fn calls() -> Vec<Vec<Filter>> {
    let mut random = Random::new(77);
    let of_table = FILTERS.iter().flat_map(|spec| {
        let typed = [spec.name, spec.example].map(|text| parse(text, &companion::defaults()).ok());
        typed.into_iter().flatten().chain([(); 2].map(|()| vec![call(&mut random, spec, true)])).collect::<Vec<_>>()
    });
    STAGES.into_iter().map(chain).chain(of_table).collect()
}

fn formats() -> Vec<Format> {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let rgb = Pixel { alpha: true, ..Pixel::integer(Family::Rgb, 0, 0, 8) };
    let pixels = [Pixel::yuv420p(8), Pixel::yuv420p(10), float, rgb, Pixel::gray(16)];
    pixels.map(|pixel| Format::new(pixel, ROOMY.0, ROOMY.1, Rational::new(25, 1))).to_vec()
}

#[test]
fn any_two_filters_give_the_bytes_of_two_runs() {
    let whole = extent::is_whole();
    let (calls, formats, levels) = (calls(), formats(), Level::available());
    let mut cases = Vec::new();
    for (i, j) in (0..calls.len()).flat_map(|i| (0..calls.len()).map(move |j| (i, j))) {
        let own = i < STAGES.len() && j < STAGES.len();
        if !whole && !own && !(5 * i + 3 * j).is_multiple_of(64) {
            continue;
        }
        let turn = i + j * (1 + usize::from(i > j));
        for (f, l) in (0..formats.len()).flat_map(|f| (0..levels.len()).map(move |l| (f, l))) {
            let in_turn = f == turn % formats.len() && l == turn / formats.len() % levels.len();
            if whole || in_turn {
                cases.push((i, j, f, l));
            }
        }
    }
    let all = calls.len().pow(2) * formats.len() * levels.len();
    println!("{} of {all} pairs of calls in a format at a level", cases.len());
    let next = AtomicUsize::new(0);
    let check_next = || {
        while let Some(&(i, j, f, l)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let both: Vec<Filter> = calls[i].iter().chain(&calls[j]).cloned().collect();
            check_at(levels[l], &both, &formats[f], (i * calls.len() + j) as u64, 2);
        }
    };
    // Threads of their own: a thread of the pool that waits for the stage's work would begin other pairs within this one.
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(check_next);
        }
    });
}
