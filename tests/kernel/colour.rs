//! Maps and sums of colours, and samples of other depths, compiled for generations of GPUs.

use std::sync::Arc;

use warpreel::backend::cuda::program::Program;
use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Family, Format, Pixel, Rational};
use warpreel::pass::{Grade, Op};
use warpreel::plan::plan;

use super::compile::{compile, nvrtc};
use super::op::{LIMITS, pass};
use crate::agreement::{Random, grade, mix};

/// Maps of every kind, of every family of planes.
#[test]
fn every_map_of_colours_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut random = Random::new(3);
    let families = [Pixel::rgb(8), Pixel::yuv420p(8), Pixel::yuv444p(10), Pixel::gray(8).float(), Pixel::yuv422p(16)];
    let pixels: Vec<Pixel> = families.into_iter().chain([Pixel::rgb(8).float().with_alpha()]).collect();
    let mut work = Vec::new();
    for map in grade::every_map(&mut random) {
        for &pixel in &pixels {
            let Op::Grade(op) = grade::op(&mut random, pixel) else { unreachable!("colours") };
            let op = Op::Grade(Grade { map: map.clone(), ..op });
            let ops = (0..pixel.planes()).map(|plane| if pixel.is_alpha(plane) { Op::Copy } else { op.clone() });
            work.push((90, Program::new(&pass(ops.collect()), pixel, LIMITS)));
        }
    }
    compile(&nvrtc, &work);
}

/// Samples of every type into every other, with every matrix.
#[test]
fn conversions_compile() {
    let Some(nvrtc) = nvrtc() else { return };
    let pixels = [8, 10, 16].map(Pixel::yuv444p).into_iter().chain([Pixel::yuv444p(8).float()]);
    let pixels: Vec<Pixel> = pixels.map(Pixel::with_alpha).collect();
    let mut work = Vec::new();
    for from in &pixels {
        for depth in ["8", "12", "16", "f32"] {
            let format = Arc::new(Format::new(*from, 64, 48, Rational::new(25, 1)));
            for dither in ["ordered", "random", "error_diffusion"] {
                let text = format!("scale=depth={depth}:dither={dither}:rangein=full:range=limited");
                let chain = parse(&text, &Defaults::default()).expect("a chain");
                for pass in plan(&chain, &format).expect("a plan").passes().iter() {
                    let archs = [70, 90].into_iter().filter(|&arch| nvrtc.target(arch) == Some(arch));
                    work.extend(archs.map(|arch| (arch, Program::new(pass, *from, LIMITS))));
                }
            }
        }
    }
    compile(&nvrtc, &work);
}

/// Sums over planes, whole, real and by terms, of every family.
#[test]
fn every_sum_of_planes_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut random = Random::new(4);
    let families =
        [Pixel::rgb(8), Pixel::rgb(10).with_alpha(), Pixel::yuv420p(8), Pixel::yuv444p(10), Pixel::yuv422p(16)];
    let pixels = families.into_iter().chain([Pixel::rgb(8).float(), Pixel::yuv444p(8).float()]);
    let mut work = Vec::new();
    for pixel in pixels {
        for _ in 0..4 {
            let op = mix::op(&mut random, pixel);
            let first = usize::from(pixel.family != Family::Rgb);
            let ops = (0..pixel.planes())
                .map(|plane| if plane < first || pixel.is_alpha(plane) { Op::Copy } else { op.clone() });
            work.push((90, Program::new(&pass(ops.collect()), pixel, LIMITS)));
        }
    }
    compile(&nvrtc, &work);
}
