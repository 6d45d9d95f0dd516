//! Deblocking, compiled for every kind of sample: blocks that share samples, and blocks that do not.

use warpreel::backend::cuda::program::Program;
use warpreel::frame::Pixel;
use warpreel::pass::{Deblock, Op};

use super::compile::{compile, nvrtc};
use super::op::{LIMITS, pass};

#[test]
fn every_deblock_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut work = Vec::new();
    for pixel in [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16), Pixel::gray(8).float()] {
        let blocks = [(true, 4), (true, 8), (false, 4), (false, 512)];
        let ops = blocks.map(|(strong, block)| Op::Deblock(Deblock { strong, block, limits: [9.0, 5.0, 5.0, 4.0] }));
        work.push((90, Program::new(&pass(ops.to_vec()), pixel, LIMITS)));
    }
    compile(&nvrtc, &work);
}
