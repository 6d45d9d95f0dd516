//! Passes that change the size or the shape of frames: every filter of shape on frames of random formats and sizes, and
//! with weights that fill 16 bits.

use std::sync::Arc;

use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Format, Pixel, Rational, Turn};
use warpreel::pass::{
    Affine, Arithmetic, Correction, Interpolation, Op, Pass, Phases, Placement, Projective, Resample, TimeBorder, Warp,
};
use warpreel::plan::plan;

use super::{Case, Content, Random};

const CURVES: [&str; 7] = ["point", "bilinear", "bicubic", "lanczos", "spline16", "spline36", "spline64"];

/// A case of a pass as it is.
pub fn case(seed: u64, format: &Format, pass: Pass) -> Case {
    let copies = vec![Op::Copy; pass.planes.len()];
    let made = Random::new(seed).finished(seed, format.clone(), copies);
    Case { pass, missing: Vec::new(), ..made }
}

pub fn cases() -> impl Iterator<Item = Case> {
    (0..360).flat_map(calls).chain((0..12).map(full)).chain((0..60).map(far)).chain((0..60).flat_map(steadied))
}

/// The passes of a random call.
fn calls(number: u64) -> Vec<Case> {
    let seed = 30_000 + number;
    let mut random = Random::new(seed);
    let most = *random.one_of(&[4, 40, 40, 150]);
    let (width, height) = (random.range(1..=most), random.range(1..=most));
    let format = Format::new(random.pixel(), width, height, Rational::new(25, 1));
    let turn = Turn { transposed: random.below(2) == 0, mirrored: random.below(2) == 0, flipped: random.below(2) == 0 };
    let format = Format { turn: if random.below(3) == 0 { turn } else { Turn::default() }, ..format };
    let (wide, high) = format.turn.size((width, height));
    let side = |random: &mut Random, own: usize| *random.one_of(&[own, 1, own.div_ceil(2), 2 * own, own + 7, 90]);
    let (w, h) = (side(&mut random, wide), side(&mut random, high));
    let text = match number % 12 {
        8 | 9 => turned(&mut random, [w, h]),
        10 | 11 => seen(&mut random),
        0..=3 => {
            let samples = random.one_of(&["", "", ":depth=10", ":depth=8:dither=ordered", ":depth=16", ":depth=f32"]);
            format!("scale={w}:{h}:{}{samples}", random.one_of(&CURVES))
        }
        4 => format!("crop={}:{}:{}:{}", w.min(wide), h.min(high), random.range(0..=wide), random.range(0..=high)),
        5 => {
            let border = random.one_of(&["", ":border=reflect101", ":border=wrap", ":border=clamp", ":color=#80ff20"]);
            format!("pad={}:{}:{}:-1{border}", wide + w, high + h, random.range(0..=w))
        }
        6 => (*random.one_of(&["hflip", "vflip"])).to_owned(),
        _ => format!("transpose={}", random.one_of(&["clock", "cclock", "clock_flip", "cclock_flip"])),
    };
    // Some sizes leave no whole sample of chroma, and some formats have no name on their side.
    let Ok(chain) = parse(&text, &Defaults::default()) else { panic!("{text}") };
    let Ok(plan) = plan(&chain, &Arc::new(format.clone())) else { return Vec::new() };
    let formats = plan.formats();
    plan.passes().iter().zip(&formats).map(|(pass, format)| case(seed, format, pass.clone())).collect()
}

/// A turn by any angle.
fn turned(random: &mut Random, [w, h]: [usize; 2]) -> String {
    let angle =
        *random.one_of(&["0.1", "-0.3", "PI/4", "1", "3", "-2.5", "7.77", "0.001", "PI/2", "PI", "3*PI/2", "-700.5"]);
    let size = match random.below(3) {
        0 => format!(":{w}:{h}"),
        1 => ":expand=1".to_owned(),
        _ => String::new(),
    };
    format!(
        "rotate={angle}{size}:interpolation={}:color={}",
        interpolation(random),
        random.one_of(&["black", "#80ff20"])
    )
}

/// Four corners, some of them outside, or crossed.
fn seen(random: &mut Random) -> String {
    let corners: Vec<String> = ["0", "0", "W", "0", "0", "H", "W", "H"]
        .iter()
        .map(|own| format!("{own}+{:.2}*{}", random.real(-0.6, 0.6), random.one_of(&["W", "H", "3"])))
        .collect();
    let sense = random.one_of(&["source", "destination"]);
    format!("perspective={}:interpolation={}:sense={sense}", corners.join(":"), interpolation(random))
}

fn interpolation(random: &mut Random) -> String {
    match random.below(3) {
        0 => "bilinear".to_owned(),
        1 => "point".to_owned(),
        _ => format!("{}:taps={}", random.one_of(&CURVES), random.range(1..=5)),
    }
}

/// A frame that is moved against the camera's motion: by a little, far outside, or about itself.
fn steadied(number: u64) -> Vec<Case> {
    let seed = 33_000 + number;
    let mut random = Random::new(seed);
    let most = *random.one_of(&[4, 40, 40, 150]);
    let format = Format::new(random.pixel(), random.range(1..=most), random.range(1..=most), Rational::new(25, 1));
    let edge = random.one_of(&["mirror", "clamp", "fill:color=#80ff20"]);
    let zoom = random.one_of(&["0", "5", "33.3", "100"]);
    let text = format!("stabilize=zoom={zoom}:edge={edge}:interpolation={}", interpolation(&mut random));
    let chain = parse(&text, &Defaults::default()).expect("the call is right");
    let plan = plan(&chain, &Arc::new(format.clone())).expect("it fits");
    let far = f64::from(*random.one_of(&[0.0f32, 0.4, 3.0, 30.0, 1e3, 1e6]));
    let mut place = || f64::from(random.real(-1.0, 1.0)) * far;
    let shift = [place(), place()];
    let angle = f64::from(*random.one_of(&[0.0f32, 0.001, -0.03, 0.5, 3.0]));
    let correction = Correction { shift, sine: angle.sin(), cosine: angle.cos() };
    plan.passes().iter().map(|pass| Case { correction, ..case(seed, &format, pass.clone()) }).collect()
}

/// Places far outside, and quotients of nothing.
fn far(number: u64) -> Case {
    let seed = 32_000 + number;
    let mut random = Random::new(seed);
    let pixel = random.pixel();
    let (from, size) = ((random.range(1..=20), random.range(1..=20)), (random.range(1..=140), random.range(1..=40)));
    let format =
        Format::new(Pixel { log2_chroma_w: 0, log2_chroma_h: 0, ..pixel }, from.0, from.1, Rational::new(25, 1));
    let far = |random: &mut Random| *random.one_of(&[0, 1, -70_000, 65_536, 1 << 30, -(1 << 31), 1 << 40, -(1 << 40)]);
    let term = |random: &mut Random| *random.one_of(&[0.0, 1.0, -1.0, 0.5, 1e-9, 1e300, -1e300, 3.7]);
    let mut pair = || [far(&mut random), far(&mut random)];
    let affine = Affine { first: pair(), across: pair(), down: pair() };
    let terms = std::array::from_fn(|_| std::array::from_fn(|_| term(&mut random)));
    let placement = match number % 2 {
        0 => Placement::Affine(affine),
        _ => Placement::Projective(Projective { terms, finer: [random.below(3) as u8, random.below(3) as u8] }),
    };
    let weights: Arc<[f32]> = (0..4 * Interpolation::PHASES).map(|_| random.real(-2.0, 2.0)).collect();
    let interpolation = match number / 2 % 3 {
        0 => Interpolation::Nearest,
        1 => Interpolation::Linear,
        _ => Interpolation::Weighted { taps: 4, weights },
    };
    let op = Warp { from, turn: Turn::default(), size, placement, interpolation, fill: 1.0 };
    let target = Arc::new(Format { width: size.0, height: size.1, ..format.clone() });
    let ops = vec![Op::Warp(op); format.pixel.planes()];
    let pass = Pass::new("far", ops, TimeBorder::Clamp).into_format(target);
    case(seed, &format, pass)
}

/// Weights and samples that fill what sums have room for.
fn full(number: u64) -> Case {
    let seed = 31_000 + number;
    let pixel = Pixel::gray([8, 10, 16][number as usize % 3]);
    let (from, to) = ((37, 23), (29, 31));
    let phases = |from: usize, to: usize| {
        let weights = (0..to).flat_map(|_| [-16383.0, 32767.0]).collect();
        Phases { taps: 2, starts: (0..to).map(|index| (index * 7 % (from - 1)) as u32).collect(), weights }
    };
    let op = Resample {
        x: Some(phases(from.0, to.0)),
        y: Some(phases(from.1, to.1)),
        x_first: number.is_multiple_of(2),
        from,
        arithmetic: Arithmetic::Integer,
    };
    let format = Format::new(pixel, from.0, from.1, Rational::new(25, 1));
    let target = Arc::new(Format { width: to.0, height: to.1, ..format.clone() });
    let pass = Pass::new("full", vec![Op::Resample(op)], TimeBorder::Clamp).into_format(target);
    Case { content: [Content::Checkers, Content::Wild][number as usize / 3 % 2], ..case(seed, &format, pass) }
}
