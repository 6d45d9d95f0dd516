//! Film grain, compiled for every kind of sample and grains of several sizes.

use warpreel::backend::cuda::program::Program;
use warpreel::frame::Pixel;
use warpreel::pass::{Finish, Grain, Op};

use super::compile::{compile, nvrtc};
use super::op::{LIMITS, pass};

#[test]
fn every_grain_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut work = Vec::new();
    for pixel in [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16), Pixel::gray(8).float()] {
        let ops = [1, 2, 3, Grain::MAX_SIZE].map(|size| {
            let (dark, bright, finish) = ([0.01, 0.02], [0.03, -0.02], Finish::PLAIN);
            Op::Grain(Grain { key: 7, still: false, size, black: 16.0, scale: 0.004, dark, bright, finish })
        });
        work.push((90, Program::new(&pass(ops.to_vec()), pixel, LIMITS)));
    }
    compile(&nvrtc, &work);
}
