//! Colours of other spaces: random calls, and weights and tables that no filter asks for, with planes left out.

use std::sync::Arc;

use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Family, Format, Pixel, Rational};
use warpreel::pass::{
    Colorspace, ColourPath, ColourSteps, LogTable, Op, Pass, SystemGamma, TimeBorder, ToneSteps, Weights3,
};
use warpreel::plan::plan;

use super::{Case, Content, Random, shape};

/// Pixels that have such colours.
fn pixel(random: &mut Random, (across, down): (u8, u8)) -> Pixel {
    Pixel::integer(Family::Yuv, across, down, *random.one_of(&Colorspace::DEPTHS))
}

/// An op from samples of any depth to another of the same subsampling, by either way.
pub fn op(random: &mut Random) -> Colorspace {
    let chroma = *random.one_of(&[(0, 0), (1, 0), (1, 1)]);
    let (from, to) = (pixel(random, chroma), pixel(random, chroma));
    let mut row = |most: f32| [(); 3].map(|()| random.real(-most, most) as i16);
    let mut weights = |most: f32| -> Weights3 { [row(most), row(most), row(most)] };
    let direct = {
        let mut direct = weights(14000.0);
        (direct[1][0], direct[2][0]) = (0, 0);
        direct
    };
    let (to_rgb, primaries, to_yuv) = (weights(32767.0), weights(16000.0), weights(16000.0));
    let table = |random: &mut Random| (0..ColourSteps::ENTRIES).map(|_| random.below(1 << 16) as u16 as i16).collect();
    let path = match random.below(4) {
        0 => ColourPath::Direct(direct),
        3 => ColourPath::Tone(Arc::new(tone(random, to_rgb, to_yuv))),
        n => {
            let (linear, coded) = (table(random), table(random));
            let primaries = (n == 1).then_some(primaries);
            ColourPath::Linear(Arc::new(ColourSteps { to_rgb, linear, primaries, coded, to_yuv }))
        }
    };
    let black = [from, to].map(|pixel| (16 * (random.below(2) as i32)) << (pixel.depth - 8));
    Colorspace { from, to, black, path }
}

/// Tables of any numbers from HDR to SDR; of magnitudes that reach all of their indices.
fn tone(random: &mut Random, to_rgb: Weights3, to_yuv: Weights3) -> ToneSteps {
    let magnitude = |random: &mut Random| random.real(-30.0, 7.0).exp2();
    let mut numbers = |count: usize| (0..count).map(|_| magnitude(random)).collect::<Vec<f32>>();
    let linear = numbers(ColourSteps::ENTRIES);
    let [gain, factors] = [-20, -12].map(|exponent| LogTable { exponent, values: numbers(LogTable::<f32>::ENTRIES) });
    let codes = (0..LogTable::<i16>::ENTRIES).map(|_| random.below(1 << 16) as u16 as i16).collect();
    let mut row = |low: f32| [(); 3].map(|()| random.real(low, 2.0));
    let (primaries, weights) = ([row(-2.0), row(-2.0), row(-2.0)], row(0.0));
    let system = (random.below(2) == 0).then_some(SystemGamma { weights, factors });
    let coded = LogTable { exponent: -32, values: codes };
    ToneSteps { to_rgb, linear, system, gain, primaries, coded, to_yuv }
}

pub fn cases() -> impl Iterator<Item = Case> {
    (0..60).map(free).chain((0..60).flat_map(calls))
}

fn size(random: &mut Random) -> (usize, usize) {
    let wide = random.range(1..=200);
    (*random.one_of(&[1, 2, 3, 16, 31, 64, 65, wide]), random.range(1..=21))
}

fn free(number: u64) -> Case {
    let seed = 61_000 + number;
    let mut random = Random::new(seed);
    let op = op(&mut random);
    let (width, height) = size(&mut random);
    let format = Format::new(op.from, width, height, Rational::new(25, 1));
    // Planes of another depth cannot be left out.
    let keeps = op.from == op.to && random.below(3) == 0;
    let left_out = keeps.then(|| random.below(3) as usize);
    let ops = (0..3).map(|plane| if left_out == Some(plane) { Op::Copy } else { Op::Colorspace(op.clone()) });
    let pass = Pass::new("any", ops.collect(), TimeBorder::Clamp);
    let target = Arc::new(Format { pixel: op.to, ..format.clone() });
    let case = shape::case(seed, &format, pass.into_format(target));
    let contents = [Content::Noise, Content::Wild, Content::Checkers, Content::Peak];
    Case { content: *random.one_of(&contents), ..case }
}

/// The pass of a random call.
fn calls(number: u64) -> Vec<Case> {
    let seed = 62_000 + number;
    let mut random = Random::new(seed);
    let (width, height) = size(&mut random);
    let chroma = *random.one_of(&[(0, 0), (1, 0), (1, 1)]);
    let format = Arc::new(Format::new(pixel(&mut random, chroma), width, height, Rational::new(25, 1)));
    let all = ["bt470m", "bt470bg", "bt601-6-525", "bt601-6-625", "bt709", "smpte170m", "smpte240m", "bt2020"];
    let digits = match chroma {
        (0, 0) => "444",
        (1, 0) => "422",
        _ => "420",
    };
    let depth = random.one_of(&["", "10", "12"]);
    let text = match random.below(4) {
        0 => format!(
            "tonemap={}:itrc={}:peak={}:target={}:range={}:format=yuv{digits}p{depth}",
            random.one_of(&["bt2390", "hable", "mobius", "reinhard", "clip"]),
            random.one_of(&["pq", "hlg"]),
            random.range(50..=10000),
            random.range(50..=1000),
            random.one_of(&["tv", "pc"]),
        ),
        1 => format!("sdr=itrc={}", random.one_of(&["pq", "hlg"])),
        _ => format!(
            "colorspace={}:iall={}:range={}:irange={}:fast={}:format=yuv{digits}p{}",
            random.one_of(&all),
            random.one_of(&all),
            random.one_of(&["tv", "pc"]),
            random.one_of(&["tv", "pc"]),
            random.below(2),
            depth
        ),
    };
    let plan = plan(&parse(&text, &Defaults::default()).expect(&text), &format).expect(&text);
    let formats = plan.formats();
    plan.passes().iter().zip(&formats).map(|(pass, format)| shape::case(seed, format, pass.clone())).collect()
}
