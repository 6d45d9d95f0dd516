//! Frames composed with the one before, compiled for every mode and kind of sample.

use warpreel::backend::cuda::program::Program;
use warpreel::frame::Pixel;
use warpreel::pass::{Compose, ComposeMode, ComposePartner, Op};

use super::compile::{compile, nvrtc};
use super::op::{LIMITS, pass};

#[test]
fn every_mode_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut work = Vec::new();
    for pixel in [Pixel::rgb(8), Pixel::rgb(10), Pixel::rgb(16), Pixel::rgb(8).float()] {
        for modes in ComposeMode::ALL.chunks_exact(3) {
            let op = |mode: &ComposeMode| {
                Op::Compose(Compose { mode: *mode, opacity: 0.5, partner: ComposePartner::Before })
            };
            work.push((90, Program::new(&pass(modes.iter().map(op).collect()), pixel, LIMITS)));
        }
    }
    compile(&nvrtc, &work);
}
