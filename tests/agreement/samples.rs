//! Cases of ranks and of single samples: every way that a backend may take for boxes of every size.

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Crossfade, Finish, Gain, Op, Rank};

use super::{Case, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(boxes()).chain(medians()).chain(wide()).chain(tables()).chain(gains()).chain(fades())
}

/// Any rank or point operation in any plane of any format.
fn anything() -> impl Iterator<Item = Case> {
    (8000..8200).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=24), random.range(1..=24), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| match random.below(4) {
            0 => random.pointwise(pixel),
            1 => Op::Copy,
            _ => random.rank(pixel, [3, 5, 5]),
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

/// Boxes of every size of which the ways are told apart, medians and ranks beside them.
fn boxes() -> impl Iterator<Item = Case> {
    let sizes = [
        [1, 3, 3],
        [1, 5, 5],
        [3, 1, 1],
        [5, 1, 1],
        [3, 3, 3],
        [1, 1, 7],
        [1, 7, 1],
        [1, 7, 7],
        [1, 9, 9],
        [1, 10, 9],
        [1, 13, 13],
        [1, 14, 13],
        [3, 9, 9],
        [1, 1, 61],
        [1, 61, 1],
        [1, 31, 17],
        [1, 11, 15],
        [1, 15, 15],
        [1, 15, 17],
        [1, 19, 19],
        [1, 21, 19],
    ];
    sizes.into_iter().enumerate().flat_map(|(index, size)| {
        [8, 10, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 8300 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let mut pixel = Pixel::gray(u8::min(depth, 16));
            let mut arithmetic = Arithmetic::Integer;
            if depth == 32 {
                (pixel.sample, pixel.depth, arithmetic) = (Sample::F32, 32, Arithmetic::Real);
            }
            let samples: usize = size.iter().product();
            let rank = [samples / 2, samples / 3, 1, samples - 2][(index + kind) % 4];
            let anchor = size.map(|size| size / 2);
            let op = Rank { size, anchor, rank, border: random.border(pixel, arithmetic), finish: Finish::PLAIN };
            let (width, height) = (random.range(1..=70), random.range(1..=20));
            random.finished(seed, Format::new(pixel, width, height, Rational::new(25, 1)), vec![Op::Rank(op)])
        })
    })
}

/// Medians of small squares on rows around what is found at once, with and without a last step.
fn medians() -> impl Iterator<Item = Case> {
    let widths = [1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 127, 128, 129, 257];
    widths.into_iter().enumerate().flat_map(|(index, width)| {
        [3, 5, 7].into_iter().flat_map(move |side| {
            [8, 10, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
                let seed = 30_000 + 100 * index as u64 + 10 * side as u64 + kind as u64;
                let mut random = Random::new(seed);
                let mut pixel = Pixel::gray(u8::min(depth, 16));
                let mut arithmetic = Arithmetic::Integer;
                if depth == 32 {
                    (pixel.sample, pixel.depth, arithmetic) = (Sample::F32, 32, Arithmetic::Real);
                }
                let size = [1, side, side];
                let anchor = [0, random.below(side as u64) as usize, random.below(side as u64) as usize];
                let finish = *random.one_of(&[Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.0 }]);
                let border = random.border(pixel, arithmetic);
                let op = Rank { size, anchor, rank: side * side / 2, border, finish };
                let format = Format::new(pixel, width, 1 + (index + kind) % 5, Rational::new(25, 1));
                random.finished(seed, format, vec![Op::Rank(op)])
            })
        })
    })
}

/// Tables on rows around what is looked up at once.
fn tables() -> impl Iterator<Item = Case> {
    [1, 31, 32, 33, 63, 64, 65, 127, 129, 200, 513].into_iter().flat_map(|width| {
        [8, 12].map(|depth| {
            let seed = 35_000 + 10 * width as u64 + depth as u64;
            let mut random = Random::new(seed);
            let op = random.pointwise(Pixel::gray(depth));
            random.finished(seed, Format::new(Pixel::gray(depth), width, 3, Rational::new(25, 1)), vec![op])
        })
    })
}

/// Rows longer than what is counted together, of few rows and boxes.
fn wide() -> impl Iterator<Item = Case> {
    [127, 128, 129, 511, 513, 700].into_iter().flat_map(|width| {
        [[1, 3, 3], [1, 11, 11], [1, 2, 50]].map(|size| {
            let seed = 8900 + width as u64 + size[2] as u64;
            let mut random = Random::new(seed);
            let pixel = Pixel::gray(if width % 2 == 1 { 8 } else { 12 });
            let border = random.border(pixel, Arithmetic::Integer);
            let rank = size.iter().product::<usize>() / 2;
            let op = Rank { size, anchor: size.map(|size| size / 2), rank, border, finish: Finish::PLAIN };
            random.finished(seed, Format::new(pixel, width, 5, Rational::new(25, 1)), vec![Op::Rank(op)])
        })
    })
}

/// Frames on their way to the next, with any weight, beside planes that are copied.
fn fades() -> impl Iterator<Item = Case> {
    (9200..9400).map(move |seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=150), random.range(1..=40), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|plane| match plane > 0 && random.below(6) == 0 {
            true => Op::Copy,
            false => Op::Crossfade(Crossfade),
        });
        let ops = ops.collect();
        let whole = u64::from(Crossfade::whole(pixel.sample));
        let weight = *random.one_of(&[0, 1, whole / 3, whole / 2, whole / 2 + 1, whole - 1, whole]);
        let weight = if random.below(2) == 0 { weight } else { random.below(whole + 1) };
        let case = random.finished(seed, format, ops);
        Case { factor: weight as f32, ..case }
    })
}

/// Samples times factors of every size, beside planes that are copied; with infinities they give NaN.
fn gains() -> impl Iterator<Item = Case> {
    let factors = [0.0, 1.0, 0.5, 1.0371, 7.3, 1e-30, 1e30, -0.75];
    (9000..9120).map(move |seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=150), random.range(1..=40), Rational::new(25, 1));
        let finish = *random.one_of(&[Finish::PLAIN, Finish { scale: 0.3, dry: 0.7, bias: 0.0 }]);
        let black = *random.one_of(&[0.0, 16.0 / 255.0]) * pixel.peak();
        let gain = Op::Gain(Gain { black, finish });
        let ops = (0..pixel.planes()).map(|plane| if pixel.is_chroma(plane) { Op::Copy } else { gain.clone() });
        let ops = ops.collect();
        Case { factor: *random.one_of(&factors), ..random.finished(seed, format, ops) }
    })
}
