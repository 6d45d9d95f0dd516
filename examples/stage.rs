//! How fast the CPU stage is by itself: frames in memory, whole 1080p frames of 4:2:0, frames per second.
//!
//! `cargo run --release --example stage [FILTER...]` runs those whose names contain one of the words.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use warpreel::backend::{Backend, Cpu};
use warpreel::frame::{Format, Pixel, Pool, Rational, Timing};
use warpreel::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, Separable, Taps, TimeBorder};

/// Runs of each measurement; the median counts.
const RUNS: usize = 5;
const RUN_SECONDS: f64 = 0.25;

fn dense(sizes: [usize; 3], weights: &[f32], arithmetic: Arithmetic, scale: f32) -> Dense {
    let weights = (0..sizes.iter().product()).map(|i| weights[i % weights.len()]).collect();
    let kernel = Kernel { size: sizes, anchor: sizes.map(|size| size / 2), weights };
    let finish = Finish { scale, ..Finish::PLAIN };
    Dense { kernels: vec![kernel], combine: Combine::Sum, arithmetic, border: Border::Reflect101, finish }
}

fn taps(size: usize, weight: f32) -> Taps {
    Taps { weights: vec![weight; size], anchor: size / 2 }
}

fn gaussian(size: usize) -> Taps {
    let centre = (size / 2) as f32;
    let weights = (0..size).map(|i| (-((i as f32 - centre) / (size as f32 / 6.0)).powi(2) / 2.0).exp() / 8.0).collect();
    Taps { weights, anchor: size / 2 }
}

fn separable(t: Taps, x: Taps, y: Taps, arithmetic: Arithmetic, scale: f32) -> Op {
    let finish = Finish { scale, ..Finish::PLAIN };
    Op::Separable(Separable { t, x, y, arithmetic, border: Border::Reflect101, finish })
}

fn operations() -> Vec<(String, Op)> {
    use Arithmetic::{Integer, Real};
    let one = Taps::identity;
    let small = [1.0, 2.0, -1.0, 3.0, 1.0, 1.0, 2.0];
    let mut list = Vec::new();
    for k in [3, 5, 7, 11] {
        list.push((format!("integer {k}x{k}"), Op::Dense(dense([1, k, k], &small, Integer, 0.01))));
        list.push((format!("real {k}x{k}"), Op::Dense(dense([1, k, k], &[0.03, 0.01, 0.07], Real, 1.0))));
    }
    list.push(("integer row 25".into(), Op::Dense(dense([1, 1, 25], &small, Integer, 0.01))));
    list.push(("integer column 25".into(), Op::Dense(dense([1, 25, 1], &small, Integer, 0.01))));
    for k in [5, 15, 31] {
        list.push((format!("gaussian {k}+{k}"), separable(one(), gaussian(k), gaussian(k), Real, 1.0)));
    }
    for k in [3, 5, 31] {
        let scale = 1.0 / (k * k) as f32;
        list.push((format!("box {k}+{k}"), separable(one(), taps(k, 1.0), taps(k, 1.0), Integer, scale)));
    }
    list.push(("binomial 5+5".into(), {
        let taps = Taps { weights: vec![1.0, 4.0, 6.0, 4.0, 1.0], anchor: 2 };
        separable(one(), taps.clone(), taps, Integer, 1.0 / 256.0)
    }));
    list.push(("tmix 5".into(), separable(taps(5, 1.0), one(), one(), Integer, 0.2)));
    list.push(("tmix 5 real".into(), separable(taps(5, 0.2), one(), one(), Real, 1.0)));
    list.push(("integer 3x3x3".into(), Op::Dense(dense([3, 3, 3], &small, Integer, 0.01))));
    list.push(("gaussian 5+5+5".into(), separable(gaussian(5), gaussian(5), gaussian(5), Real, 1.0)));
    let mut sobel = dense([1, 3, 3], &[-1.0, 0.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, 1.0], Integer, 1.0);
    sobel
        .kernels
        .push(dense([1, 3, 3], &[-1.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 1.0], Integer, 1.0).kernels.remove(0));
    sobel.combine = Combine::Magnitude;
    list.push(("sobel".into(), Op::Dense(sobel)));
    list
}

fn measure(name: &str, op: Op, depth: u8) -> Result<f64> {
    let format = Arc::new(Format::new(Pixel::yuv420p(depth), 1920, 1080, Rational::new(25, 1)));
    let pool = Pool::heap();
    let frame = |seed: u32| {
        let mut frame = pool.frame(&format)?;
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        if depth == 8 {
            frame.bytes_mut().iter_mut().for_each(|sample| *sample = next() as u8);
        } else {
            let samples = bytemuck::cast_slice_mut::<u8, u16>(frame.bytes_mut());
            samples.iter_mut().for_each(|sample| *sample = (next() & ((1 << depth) - 1)) as u16);
        }
        anyhow::Ok(frame.freeze(Timing::default()))
    };
    let pass = Pass { name: name.to_owned(), ops: vec![op.clone(), op.clone(), op], border_t: TimeBorder::Clamp };
    let size = 2 * pass.reach() + 1;
    let frames = (0..size as u32 + 1).map(frame).collect::<Result<Vec<_>>>()?;
    let mut cpu = Cpu::new([pass].into(), format.clone(), pool.clone(), 0)?;
    let mut fps = Vec::new();
    for _ in 0..RUNS {
        let (start, mut done) = (Instant::now(), 0);
        while start.elapsed().as_secs_f64() < RUN_SECONDS {
            let window: Vec<_> = (0..size).map(|i| Some(&frames[(i + done) % frames.len()])).collect();
            cpu.run(0, &window)?;
            done += 1;
        }
        fps.push(done as f64 / start.elapsed().as_secs_f64());
    }
    fps.sort_by(f64::total_cmp);
    Ok(fps[RUNS / 2])
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("{:<20} {:>8} {:>8}", "", "8 bit", "16 bit");
    for (name, op) in operations() {
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            println!("{name:<20} {:>8.0} {:>8.0}", measure(&name, op.clone(), 8)?, measure(&name, op, 16)?);
        }
    }
    Ok(())
}
