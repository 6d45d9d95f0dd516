//! Cases of steps that are made smooth.

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Border, Deband, Op};

use super::{Case, Content, Random, gray};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(coupled()).chain(edges())
}

fn thresholds(random: &mut Random, pixel: Pixel, count: usize) -> Arc<[f32]> {
    let mut threshold = || {
        let part = *random.one_of(&[0.0, 0.02, 0.3, 0.6, 1.0, 2.0]);
        if pixel.sample == Sample::F32 { part } else { (part * pixel.peak()).floor() }
    };
    (0..count).map(|_| threshold()).collect()
}

fn op(random: &mut Random, pixel: Pixel, count: usize) -> Deband {
    let thresholds = thresholds(random, pixel, count);
    let range = *random.one_of(&[0, 1, 3, 16, 90, 400]);
    let places = 1 << random.below(7);
    let mut far = || random.below(2 * range + 1) as i16 - range as i16;
    let places = (0..places).map(|_| [far(), far()]).collect();
    let arithmetic = if pixel.sample == Sample::F32 { Arithmetic::Real } else { Arithmetic::Integer };
    let border = match random.below(2) {
        0 => Border::Clamp,
        _ => random.border(pixel, arithmetic),
    };
    Deband { thresholds, places, blurs: random.below(2) == 0, coupled: false, border }
}

/// Any places in any plane of any format.
fn anything() -> impl Iterator<Item = Case> {
    (95_000..95_250).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=40), random.range(1..=12), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| Op::Deband(op(&mut random, pixel, 1))).collect();
        random.finished(seed, format, ops)
    })
}

/// Rows around what is looked for at once, and frames around what four samples reach.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 257];
    widths.into_iter().enumerate().flat_map(|(index, width)| {
        [8, 10, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 96_000 + 10 * index as u64 + kind as u64;
            let (mut random, pixel) = (Random::new(seed), gray(depth));
            let op = Op::Deband(op(&mut random, pixel, 1));
            let format = Format::new(pixel, width, [1, 7, 33, 40][(index + kind) % 4], Rational::new(25, 1));
            random.finished(seed, format, vec![op])
        })
    })
}

/// Planes that have to agree, all or those of one size, of which some are copied or have thresholds that let nothing pass.
fn coupled() -> impl Iterator<Item = Case> {
    (97_000..97_120).map(|seed| {
        let mut random = Random::new(seed);
        let mut pixel = random.pixel();
        if random.below(2) == 0 {
            (pixel.log2_chroma_w, pixel.log2_chroma_h) = (0, 0);
        }
        let format = Format::new(pixel, random.range(1..=150), random.range(1..=30), Rational::new(25, 1));
        let planes = pixel.planes();
        let all = Deband { coupled: true, ..op(&mut random, pixel, planes) };
        let op = |_| if random.below(4) == 0 { Op::Copy } else { Op::Deband(all.clone()) };
        let ops = (0..planes).map(op).collect();
        random.finished(seed, format, ops)
    })
}

/// Samples that are all alike or as far apart as can be, and that a format does not mean.
fn edges() -> impl Iterator<Item = Case> {
    [8, 9, 12, 15, 16, 32].into_iter().flat_map(|depth| {
        [Content::Peak, Content::Checkers, Content::Wild].into_iter().enumerate().flat_map(move |(kind, content)| {
            (0..4).map(move |variant| {
                let seed = 98_000 + 100 * u64::from(depth) + 10 * kind as u64 + variant;
                let (mut random, pixel) = (Random::new(seed), gray(depth));
                let op = Op::Deband(op(&mut random, pixel, 1));
                let format = Format::new(pixel, 71, 5, Rational::new(25, 1));
                Case { content, ..random.finished(seed, format, vec![op]) }
            })
        })
    })
}
