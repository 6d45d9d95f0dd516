//! Any small frames through any pass and any chain: the CPU stage at each level of instructions, with any number of threads, in
//! runs as chunks are, gives the bytes of the oracle and of itself.

use std::sync::Arc;

use warpreel::backend::Cpu;
use warpreel::backend::cpu::simd::Level;
use warpreel::filter::{Defaults, FILTERS, Kind, parse};
use warpreel::frame::{Format, Frame, Pool, Rational};
use warpreel::pipeline::{Sharing, WhenLost};
use warpreel::plan::plan;

use crate::agreement::{Content, Random};
use crate::oracle;
use crate::stage::{clip, frames, shared, through_at};

pub fn run(bytes: &[u8]) {
    let mut seed = [0; 8];
    seed.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    let seed = u64::from_le_bytes(seed) >> 1;
    match bytes.first().is_some_and(|first| first % 4 == 0) {
        true => one_pass(seed),
        false => a_chain(&mut Random::new(seed), bytes.get(8..).unwrap_or_default()),
    }
}

/// One pass at each level, with one to three threads, against the oracle.
fn one_pass(seed: u64) {
    let case = Random::case(seed, 40);
    let wanted = case.wanted();
    for level in Level::available() {
        let threads = 1 + (seed % 3) as usize;
        case.check(&|passes, format, pool| Cpu::with_level(passes, format, pool, threads, level), &wanted);
    }
}

/// A chain of one to three filters over up to nine frames: the same at each level, and shared out in runs.
fn a_chain(random: &mut Random, choices: &[u8]) {
    let count = random.range(1..=3);
    let text = (0..count).map(|place| call(random, choices.get(place).copied())).collect::<Vec<_>>().join(",");
    let Ok(filters) = parse(&text, &Defaults::default()) else { return };
    let pixel = random.pixel();
    let format = Format::new(pixel, random.range(1..=40), random.range(1..=24), Rational::new(25, 1));
    let Ok(plan) = plan(&filters, &Arc::new(format.clone())) else { return };
    let content = *random.one_of(&[Content::Noise, Content::Peak, Content::Checkers]);
    let samples = clip(&format, random.range(1..=9), |_, _, x, y| match content {
        Content::Peak => pixel.peak(),
        Content::Checkers => pixel.peak() * ((x + y) % 2) as f32,
        _ => (random.real(0.0, pixel.peak())).round(),
    });
    let given = frames(&format, &samples, &Pool::heap());
    let planes = |frames: &[Frame]| -> Vec<Vec<Vec<u32>>> {
        let plane = |frame: &Frame, plane| oracle::samples(frame, plane).iter().map(|value| value.to_bits()).collect();
        frames.iter().map(|frame| (0..pixel.planes()).map(|index| plane(frame, index)).collect()).collect()
    };
    let mut levels = Level::available().into_iter();
    let wanted = levels.next().map(|level| planes(&through_at(level, &plan, &given))).expect("a level");
    for level in levels {
        assert!(planes(&through_at(level, &plan, &given)) == wanted, "{text} of {format} at {level:?}");
    }
    // What several GPUs refuse to share.
    let steps = 0..plan.steps().len();
    let evaluated = plan.counted_behind_change().is_some() || plan.moved_behind_change().is_some();
    let counts = evaluated || plan.counting_behind_change().is_some();
    if counts || plan.halo_of(steps) == [u64::MAX; 2] {
        return;
    }
    let sharing = Sharing { run_frames: random.range(1..=4) as u64, when_lost: WhenLost::Fail };
    let lanes = random.range(1..=3);
    assert!(
        planes(&shared(&plan, &given, lanes, sharing)) == wanted,
        "{text} of {format} on {lanes} lanes, {sharing:?}"
    );
}

/// A filter with some values of its parameters.
fn call(random: &mut Random, choice: Option<u8>) -> String {
    let index = choice.map_or_else(|| random.range(0..=FILTERS.len() - 1), |byte| usize::from(byte) % FILTERS.len());
    let spec = FILTERS[index];
    // Nothing opens second clips here.
    let reads_a_clip = spec.parameters().any(|parameter| matches!(parameter.kind, Kind::Clip));
    if random.below(3) == 0 && !reads_a_clip {
        return spec.example.to_owned();
    }
    let mut typed = Vec::new();
    for parameter in spec.parameters() {
        if random.below(2) == 0 {
            continue;
        }
        let value = match parameter.kind {
            Kind::Number(low, high) | Kind::Strength(low, high) => {
                random.real(low.max(-10.0) as f32, high.min(10.0) as f32).to_string()
            }
            Kind::Count(low, high) => random.range(low..=high.min(low + 4)).to_string(),
            Kind::Switch => random.below(2).to_string(),
            Kind::Word(words) | Kind::Name(words) | Kind::Numbered(_, words) => (*random.one_of(words)).to_owned(),
            Kind::Numbers => (*random.one_of(&["1 2 1", "0.5", "3"])).to_owned(),
            Kind::Kernel | Kind::Tones => (*random.one_of(&["1 2 -1; 0 3 1", "1 1", "0.1 0.3 0.2"])).to_owned(),
            Kind::Border => (*random.one_of(&["clamp", "reflect", "wrap", "zero", "reflect101"])).to_owned(),
            Kind::TimeBorder => (*random.one_of(&["clamp", "reflect101"])).to_owned(),
            Kind::Planes => (*random.one_of(&["luma", "chroma", "all"])).to_owned(),
            Kind::Condition => (*random.one_of(&["gt(n,2)", "lt(t,0.1)", "not(mod(n,3))"])).to_owned(),
            Kind::Region => (*random.one_of(&["2,1,5,3", "0,0,1,1"])).to_owned(),
            Kind::Expression(names) if names.contains(&"film") => (*random.one_of(&["50", "ntsc", "7.3"])).to_owned(),
            Kind::Expression(_) => (*random.one_of(&["iw", "ih/2", "-2", "9", "iw-1", "oh"])).to_owned(),
            Kind::Colour => (*random.one_of(&["white", "#102030", "red@0.5"])).to_owned(),
            Kind::Size => (*random.one_of(&["9x9", "20x4", "1x1"])).to_owned(),
            Kind::Knots => (*random.one_of(&["0/0 0.4/0.6 1/1", "0/1 1/0", "0.2/0.5"])).to_owned(),
            Kind::File | Kind::Cube | Kind::ToneCube | Kind::Mask | Kind::Picture | Kind::Clip | Kind::Written => {
                continue;
            }
        };
        typed.push(format!("{}='{value}'", parameter.name));
    }
    if typed.is_empty() { spec.name.to_owned() } else { format!("{}={}", spec.name, typed.join(":")) }
}
