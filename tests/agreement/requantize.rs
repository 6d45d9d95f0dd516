//! Samples of another depth, type or range: every depth to every other, with every range and dithering, and numbers that
//! no filter asks for.

use std::sync::Arc;

use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Colour, Family, Format, Range, Rational, Sample};
use warpreel::pass::{BayerMatrix, Dither, Op, Pass, Requantize, TimeBorder};
use warpreel::plan::plan;

use super::{Case, Content, Random, shape};

const DEPTHS: [&str; 10] = ["8", "9", "10", "11", "12", "13", "14", "15", "16", "f32"];
const DITHERS: [Dither; 8] = [
    Dither::None,
    Dither::Diffused,
    Dither::Random(0),
    Dither::Random(0x9d2c_5680),
    Dither::Ordered(BayerMatrix::Plain),
    Dither::Ordered(BayerMatrix::Mirrored),
    Dither::Ordered(BayerMatrix::Flipped),
    Dither::Ordered(BayerMatrix::Transposed),
];

pub fn cases() -> impl Iterator<Item = Case> {
    (0..200).flat_map(calls).chain((0..200).map(free))
}

/// A size that ends a row anywhere in the widest vectors, and a plane anywhere in the rows that are made side by side.
fn size(random: &mut Random) -> (usize, usize) {
    let wide = random.range(1..=300);
    let highest = *random.one_of(&[37, 37, 37, 170]);
    (*random.one_of(&[1, 15, 16, 17, 63, 64, 65, wide]), random.range(1..=highest))
}

/// The passes of a random call.
fn calls(number: u64) -> Vec<Case> {
    let seed = 52_000 + number;
    let mut random = Random::new(seed);
    let (width, height) = size(&mut random);
    let pixel = random.pixel();
    let range = *random.one_of(&[Range::Unspecified, Range::Limited, Range::Full]);
    let colour = Colour { range, matrix: *random.one_of(&[1, 2, 8]), ..Colour::default() };
    let format = Arc::new(Format { colour, ..Format::new(pixel, width, height, Rational::new(25, 1)) });
    let ranges: &[&str] = if pixel.family == Family::Rgb {
        &["", ":range=full"]
    } else {
        &["", ":range=full", ":range=limited", ":rangein=full:range=limited", ":rangein=limited:range=full"]
    };
    let dither = random.one_of(&["none", "ordered", "random", "error_diffusion"]);
    let text = format!("scale=depth={}:dither={dither}{}", random.one_of(&DEPTHS), random.one_of(ranges));
    let plan = plan(&parse(&text, &Defaults::default()).expect(&text), &format).expect(&text);
    let formats = plan.formats();
    plan.passes().iter().zip(&formats).map(|(pass, format)| shape::case(seed, format, pass.clone())).collect()
}

/// Any numbers, among them those that end halfway between two samples.
fn free(number: u64) -> Case {
    let seed = 53_000 + number;
    let mut random = Random::new(seed);
    let (width, height) = size(&mut random);
    let (from, mut to) = (random.pixel(), random.pixel());
    (to.family, to.alpha) = (from.family, from.alpha);
    (to.log2_chroma_w, to.log2_chroma_h) = (from.log2_chroma_w, from.log2_chroma_h);
    let scales = [1.0, 0.5, 0.25, 1.0 / 3.0, -1.0, 0.0, 257.0, to.peak() / from.peak(), 65535.0];
    let offsets = [0.0, 0.5, -0.5, 0.25, 1000.5, -3.0, 0.499_999_97, to.peak()];
    let format = Format::new(from, width, height, Rational::new(25, 1));
    let op = |random: &mut Random| {
        let dither = if to.sample == Sample::F32 { Dither::None } else { *random.one_of(&DITHERS) };
        let (scale, offset) = (*random.one_of(&scales), *random.one_of(&offsets));
        Op::Requantize(Requantize { from, to, scale, offset, dither })
    };
    let ops = (0..from.planes()).map(|_| op(&mut random)).collect();
    let target = Arc::new(Format { pixel: to, ..format.clone() });
    let case = shape::case(seed, &format, Pass::new("any", ops, TimeBorder::Clamp).into_format(target));
    let contents = [Content::Noise, Content::Wild, Content::Checkers, Content::Peak];
    Case { content: *random.one_of(&contents), ..case }
}
