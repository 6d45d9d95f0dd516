//! Pictures over planes, compiled for every generation of GPUs.

use warpreel::backend::cuda::program::Program;
use warpreel::frame::{Format, Pixel, Rational};

use super::compile::{compile, nvrtc};
use super::op::{LIMITS, pass};
use crate::agreement::overlay::LaidClip;
use crate::agreement::{Random, overlay};

/// Pictures and clips over planes of every kind of sample, with and without opacity of the frames, which stay and move.
#[test]
fn every_overlay_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut random = Random::new(6);
    let whole = [Pixel::yuv420p(8), Pixel::yuv444p(10), Pixel::yuv422p(16), Pixel::rgb(8), Pixel::gray(12)];
    let pixels = whole.into_iter().chain([Pixel::yuv420p(8).float(), Pixel::rgb(8).float()]);
    let mut work = Vec::new();
    for pixel in pixels.flat_map(|pixel| [pixel, pixel.with_alpha()]) {
        let format = Format::new(pixel, 70, 40, Rational::new(25, 1));
        let still = (0..pixel.planes()).map(|plane| overlay::op(&mut random, &format, plane)).collect();
        let moving = (0..pixel.planes()).map(|plane| overlay::moving(&mut random, &format, plane)).collect();
        let clip = LaidClip::new(&mut random, &format);
        let laid = (0..pixel.planes()).map(|plane| clip.op(&mut random, &format, plane)).collect();
        let follows = (0..pixel.planes()).map(|plane| clip.moving(&format, plane)).collect();
        work.extend([still, moving, laid, follows].map(|ops| (90, Program::new(&pass(ops), pixel, LIMITS))));
    }
    compile(&nvrtc, &work);
}
