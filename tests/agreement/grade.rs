//! Colours mapped to colours: every map, mode, matrix, siting and format, with planes left out.

use std::sync::Arc;

use warpreel::frame::{Family, Format, Pixel, Rational};
use warpreel::pass::{ColourMap, ColourMatrix, Grade, Lattice, LatticeMode, Op, ToneCurves, Vibrance};

use super::{Case, Random};

/// A lattice of any size and domain.
pub fn lattice(random: &mut Random) -> Lattice {
    let size = *random.one_of(&[2, 2, 3, 4, 5, 9, 17]);
    let points = (0..size * size * size).map(|_| [(); 3].map(|()| random.real(-0.1, 1.1))).collect();
    let (low, high) = match random.below(3) {
        0 => ([-0.1, 0.0, 0.2], [1.0, 0.7, 2.0]),
        _ => ([0.0; 3], [1.0; 3]),
    };
    Lattice::new(size, points, low, high).expect("a lattice")
}

/// Curves of any number of pieces and domain.
fn curves(random: &mut Random) -> ToneCurves {
    let size = *random.one_of(&[1, 2, 3, 17, 256, 4097]);
    let pieces = [(); 3].map(|()| (0..size).map(|_| [(); 4].map(|()| random.real(-0.5, 1.1))).collect());
    let (low, high) = if random.below(3) == 0 { ([-0.1, 0.0, 0.2], [1.0, 0.7, 2.0]) } else { ([0.0; 3], [1.0; 3]) };
    let ahead = if random.below(3) == 0 { 0.5 } else { 0.0 };
    ToneCurves::new(pieces, low, high, ahead).expect("curves")
}

/// Every kind of map.
pub fn every_map(random: &mut Random) -> Vec<ColourMap> {
    let lattice = Arc::new(lattice(random));
    let modes = [LatticeMode::Tetrahedral, LatticeMode::Trilinear, LatticeMode::Nearest];
    let vibrance = Vibrance {
        intensity: [(); 3].map(|()| random.real(-4.0, 4.0)),
        turn: [(); 3].map(|()| *random.one_of(&[-1.0, 1.0])),
        weights: [(); 3].map(|()| random.real(0.0, 1.0)),
    };
    let others = [ColourMap::Curves(Arc::new(curves(random))), ColourMap::Vibrance(vibrance)];
    modes.map(|mode| ColourMap::Lattice(lattice.clone(), mode)).into_iter().chain(others).collect()
}

/// An op for planes of a pixel.
pub fn op(random: &mut Random, pixel: Pixel) -> Op {
    let strength = *random.one_of(&[1.0, 1.0, 0.3]);
    let weights = *random.one_of(&[[0.299, 0.114], [0.2126, 0.0722], [0.2627, 0.0593]]);
    let siting = ColourMatrix::siting(pixel, random.below(7) as u8);
    let matrix = ColourMatrix::new(weights, pixel, random.below(2) == 0, siting);
    let matrix = (pixel.family != Family::Rgb).then_some(matrix);
    let map = every_map(random).swap_remove(random.below(5) as usize);
    Op::Grade(Grade { map, strength, matrix })
}

pub fn cases() -> impl Iterator<Item = Case> {
    (0..360).map(|number| {
        let seed = 40_000 + number;
        let mut random = Random::new(seed);
        let families = [Pixel::rgb(8), Pixel::yuv420p(8), Pixel::yuv444p(8)];
        let pixel = match number % 4 {
            0 => random.pixel(),
            index => {
                let pixel = families[index as usize - 1];
                let depth = *random.one_of(&[8, 8, 10, 16]);
                Pixel::integer(pixel.family, pixel.log2_chroma_w, pixel.log2_chroma_h, depth)
            }
        };
        let most = *random.one_of(&[3, 40, 150]);
        let format = Format::new(pixel, random.range(1..=most), random.range(1..=most.min(40)), Rational::new(25, 1));
        let op = op(&mut random, pixel);
        let is_left_out = random.below(3) == 0;
        let ops = (0..pixel.planes()).map(|plane| match pixel.is_alpha(plane) || is_left_out && random.below(2) == 0 {
            true => Op::Copy,
            false => op.clone(),
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}
