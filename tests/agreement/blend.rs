//! Cases of two frames as one: every weight, rectangle and mask, on every kind of samples.

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::Op;

use super::{Case, Content, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(wild())
}

/// Any blend of planes of any format; some planes take the second frame.
fn anything() -> impl Iterator<Item = Case> {
    (50_000..50_160).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=40), random.range(1..=40), Rational::new(25, 1));
        let ops: Vec<Op> = (0..pixel.planes())
            .map(|plane| match random.below(6) {
                0 if plane > 0 => Op::Copy,
                _ => Op::Blend(random.blend(format.plane_size(plane))),
            })
            .collect();
        random.finished(seed, format, ops)
    })
}

/// Widths around what is blended at once, and heights around a tile.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 127, 128, 129, 131, 257];
    widths.into_iter().flat_map(|width| {
        [(8, 33), (10, 3), (16, 32), (32, 31)].map(|(depth, height)| {
            let seed = 50_200 + 10 * width as u64 + depth;
            let mut random = Random::new(seed);
            let mut pixel = Pixel::gray(u8::min(depth as u8, 16));
            if depth == 32 {
                (pixel.sample, pixel.depth) = (Sample::F32, 32);
            }
            let op = Op::Blend(random.blend((width, height)));
            random.finished(seed, Format::new(pixel, width, height, Rational::new(25, 1)), vec![op])
        })
    })
}

/// Floats that are no numbers, or whose difference is none, and samples at both ends of what integers hold.
fn wild() -> impl Iterator<Item = Case> {
    (53_000..53_040).map(|seed| {
        let mut random = Random::new(seed);
        let mut pixel = Pixel::yuv420p(if seed % 2 == 0 { 8 } else { 16 });
        let mut content = Content::Checkers;
        if seed % 4 > 1 {
            (pixel.sample, pixel.depth, content) = (Sample::F32, 32, Content::Wild);
        }
        let format = Format::new(pixel, 37, 19, Rational::new(25, 1));
        let ops = (0..3).map(|plane| Op::Blend(random.blend(format.plane_size(plane)))).collect();
        Case { content, ..random.finished(seed, format, ops) }
    })
}
