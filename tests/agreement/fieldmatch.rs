//! Cases of fields that are matched, and what every backend counts of a window, against the oracle.

use std::sync::Arc;

use anyhow::Result;
use warpreel::backend::cpu::simd::Level;
use warpreel::backend::{Backend, Cpu, Inputs};
use warpreel::frame::{Format, Frame, Layout, Pool, Rational, Sample, Timing};
use warpreel::pass::{
    Answers, CombSearch, FieldPair, Fieldmatch, MatchMode, Op, Parity, Pass, Questions, Scan, TimeBorder,
};

use super::{Case, Random};
use crate::extent;
use crate::oracle::fieldmatch::Window;

/// Rows of two frames as one, in frames of any size and format.
pub fn cases() -> impl Iterator<Item = Case> {
    (95_000..95_120).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = random.pixel();
        let format = Format::new(pixel, random.range(1..=140), random.range(1..=40), Rational::new(25, 1));
        let op = Op::Fieldmatch(op(&mut random));
        let ops = (0..pixel.planes()).map(|_| if random.below(6) == 0 { Op::Copy } else { op.clone() });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

const PARITIES: [Parity; 3] = [Parity::Auto, Parity::Top, Parity::Bottom];
const MODES: [MatchMode; 6] =
    [MatchMode::Pc, MatchMode::PcN, MatchMode::PcU, MatchMode::PcNUb, MatchMode::Pcn, MatchMode::PcnUb];

fn op(random: &mut Random) -> Fieldmatch {
    let (y0, y1) = (random.below(30) as u32, random.below(30) as u32);
    let most = if random.below(4) == 0 { 8 } else { 4 };
    let block = [(); 2].map(|()| 4 << random.below(most));
    Fieldmatch {
        order: *random.one_of(&PARITIES),
        field: *random.one_of(&PARITIES),
        mode: *random.one_of(&MODES),
        combs: *random.one_of(&[CombSearch::Never, CombSearch::Scenes, CombSearch::Always]),
        mchroma: random.below(3) > 0,
        band: if random.below(3) == 0 { [y0, y1] } else { [0, 0] },
        scene: *random.one_of(&[0.0, 3.0, 12.0, 100.0]),
        cthresh: *random.one_of(&[-1, 0, 3, 9, 9, 200]),
        chroma: random.below(2) == 0,
        block,
        combpel: *random.one_of(&[0, 10, 80]),
    }
}

/// Three frames in which blocks move, some between the fields of a frame, with a little noise.
fn frames(random: &mut Random, format: &Arc<Format>, is_wild: bool) -> [Frame; 3] {
    let pixel = format.pixel;
    let (step, noise) = (random.range(1..=9) as i64, random.range(0..=12) as u64);
    let speed = random.range(0..=6) as i64;
    let film = random.below(2) as i64;
    let levels: Vec<i64> = (0..64).map(|_| random.below(256) as i64).collect();
    [0i64, 1, 2].map(|number| {
        let mut frame = Pool::heap().frame_in(format, Layout::aligned(format)).expect("memory");
        for plane in 0..pixel.planes() {
            let (width, height) = format.plane_size(plane);
            for y in 0..height {
                // The second field is half a frame later, unless the frame is one of film.
                let moved = speed * (2 * number + (y as i64 % 2) * film);
                let row: Vec<f32> = (0..width)
                    .map(|x| {
                        let block = ((x as i64 + moved) / step + 7 * (y as i64 / step) + plane as i64).rem_euclid(64);
                        let level = levels[block as usize] + random.below(noise + 1) as i64;
                        let part = level.clamp(0, 255) as f32 / 255.0;
                        match pixel.sample {
                            Sample::F32 if is_wild => *random.one_of(&[f32::NAN, -1.0, 2.0, 1e30, part]),
                            Sample::F32 => part,
                            Sample::U16 if is_wild => random.below(1 << 16) as f32,
                            _ => (part * pixel.peak()).round(),
                        }
                    })
                    .collect();
                match pixel.sample {
                    Sample::U8 => {
                        row.iter().zip(frame.planes_mut::<u8>()[plane].row_mut(y)).for_each(|(v, to)| *to = *v as u8)
                    }
                    Sample::U16 => {
                        row.iter().zip(frame.planes_mut::<u16>()[plane].row_mut(y)).for_each(|(v, to)| *to = *v as u16);
                    }
                    Sample::F32 => frame.planes_mut::<f32>()[plane].row_mut(y).copy_from_slice(&row),
                }
            }
        }
        frame.freeze(Timing::at(number as u64))
    })
}

/// An operation, a window for it, and its flags.
struct SurveyCase {
    op: Fieldmatch,
    format: Arc<Format>,
    frames: [Frame; 3],
    scan: Scan,
}

fn survey_case(seed: u64) -> SurveyCase {
    let mut random = Random::new(seed);
    let sizes = [(1, 1), (16, 5), (17, 6), (40, 9), (63, 33), (90, 40), (144, 70), (201, 35), (72, 44)];
    let (width, height) = *random.one_of(&sizes);
    let pixel = random.pixel();
    let format = Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)));
    let (op, is_wild) = (op(&mut random), random.below(6) == 0);
    let frames = frames(&mut random, &format, is_wild);
    SurveyCase { op, format, frames, scan: random.scan() }
}

/// Fails unless a backend counts what the oracle does, and the choice is that of the oracle.
pub fn answers<B: Backend>(make: impl Fn(Arc<[Pass]>, Arc<Format>, Pool) -> Result<B>) {
    let mut seen = [0; 5];
    let all: Questions =
        [&Questions::COMPARES[..], &Questions::DIFFERENCES, &Questions::COMBS].concat().into_iter().collect();
    for seed in extent::sample(96_000..96_240) {
        let SurveyCase { op, format, frames, scan } = survey_case(seed);
        let oracle = Window { op: &op, format: &format, frames: frames.each_ref(), fields: scan.fields[1] };
        let ops = vec![Op::Fieldmatch(op); format.pixel.planes()];
        let pass = Pass::new("fieldmatch", ops, TimeBorder::Clamp);
        let run = || -> Result<Answers> {
            let mut backend = make(Arc::from([pass.clone()]), format.clone(), Pool::heap())?;
            let images: Vec<_> = frames.iter().map(|frame| backend.upload(frame.clone())).collect::<Result<_>>()?;
            let window: Vec<_> = images.iter().map(Some).collect();
            let inputs = Inputs { scan, ..Inputs::new(&window) };
            // What is asked alone is what is asked among others; one is never read.
            let part: Questions =
                all.each().filter(|question| (seed >> (question.place().start % 7)) & 1 == 0).collect();
            let [first, _, second] =
                [part, all, all.without(part)].map(|questions| backend.survey(0, &inputs, questions));
            let mut answers = backend.answers(first?)?;
            answers.merge(&backend.answers(second?)?);
            Ok(answers)
        };
        let got = run().unwrap_or_else(|error| panic!("{seed}: {error:#}"));
        let wanted = oracle.answers();
        for question in all.each() {
            assert_eq!(got.of(question), wanted.of(question), "{seed}, {question:?}: {op:?} on {format}");
        }
        let choice = op.choose(&format, scan.fields[1], &got).expect("all is known");
        assert_eq!((choice.pair, choice.fields.is_interlaced), oracle.choice(), "{seed}: {op:?} on {format}");
        seen[choice.pair as usize] += 1;
    }
    // The others are for clips whose fields are in the other order: tests/fieldmatch.rs.
    assert!(seen[..3].iter().all(|count| *count > 3), "of each kind some: {:?}, {seen:?}", FieldPair::ALL);
}

#[test]
fn best_level() {
    for threads in [1, 2, 5] {
        answers(|passes, format, pool| Cpu::new(passes, format, pool, threads));
    }
}

#[test]
fn other_levels() {
    let levels = Level::available();
    for level in &levels[..levels.len() - 1] {
        answers(|passes, format, pool| Cpu::with_level(passes, format, pool, 2, *level));
    }
}

/// What is asked one after the other leads to the choice of all at once, and nothing is asked twice.
#[test]
fn questions_in_turn() {
    for seed in extent::sample(96_000..96_240) {
        let SurveyCase { op, format, frames, scan } = survey_case(seed);
        let window = Window { op: &op, format: &format, frames: frames.each_ref(), fields: scan.fields[1] };
        let (all, fields) = (window.answers(), scan.fields[1]);
        for first in [op.first_questions(fields), op.all_questions(fields)] {
            let mut known = Answers::NONE;
            let mut missing = first;
            let choice = loop {
                assert!(!missing.is_empty() && missing.without(known.known()) == missing, "{seed}: {missing:?}");
                missing.each().for_each(|question| known.set(question, all.of(question).expect("all is known")));
                match op.choose(&format, fields, &known) {
                    Ok(choice) => break choice,
                    Err(more) => missing = more,
                }
            };
            assert_eq!((choice.pair, choice.fields.is_interlaced), window.choice(), "{seed}: {op:?}");
            // Only combs at scene changes are asked for behind other answers.
            let behind = known.known().without(first);
            let is_late = Questions::COMBS.iter().any(|combs| behind.holds(*combs));
            let is_first = first == op.all_questions(fields) && op.combs != CombSearch::Scenes;
            assert!(!is_first || behind.is_empty() && !is_late, "{seed}: {behind:?}");
        }
    }
}
