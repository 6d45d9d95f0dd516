//! `framerate` by its definition, in every format: which frames are blended, how, and when they are shown.

use std::sync::Arc;

use warpreel::engine::Engine;
use warpreel::frame::{Format, Frame, Pool, Rational, Sample, Timing};
use warpreel::pass::Op;

use crate::agreement::Random;
use crate::oracle::{measure, samples};

/// One frame of the output, plane by plane.
type Picture = Vec<Vec<f32>>;

/// What is typed.
#[derive(Debug)]
struct Call {
    rate: (i64, i64),
    zone: (i64, i64),
    scene: f64,
}

/// A sample on its way from one to another.
fn between(a: f32, b: f32, weight: i64, sample: Sample) -> f32 {
    if sample == Sample::F32 {
        let share = weight as f32 / 32768.0;
        let sum = a * (1.0 - share) + b * share;
        return if sum.is_nan() { f32::from_bits(0x7fc0_0000) } else { sum };
    }
    let whole = if sample == Sample::U8 { 128 } else { 32768 };
    let sum = a as i64 * (whole - weight) + b as i64 * weight;
    ((2 * sum + whole) / (2 * whole)) as f32
}

/// The clip at the new rate: FFmpeg's rules, with times as fractions of `rate.0` thousandths.
fn wanted(frames: &[Frame], call: &Call) -> Vec<Picture> {
    let picture = |frame: &Frame| (0..frame.format().pixel.planes()).map(|plane| samples(frame, plane)).collect();
    let format = frames[0].format();
    let sample = format.pixel.sample;
    let whole = if sample == Sample::U8 { 128 } else { 32768 };
    let levels = f64::from(1u32 << if sample == Sample::F32 { 16 } else { format.pixel.depth });
    let times: Vec<i64> = frames.iter().map(|frame| frame.timing.pts * call.rate.0).collect();
    if frames.len() == 1 {
        return vec![picture(&frames[0])];
    }
    let (mut out, mut later, mut score, mut last) = (Vec::new(), 1, None, None);
    for number in 0.. {
        let time = number * call.rate.1 * 1000;
        while time >= times[later] && later + 1 < times.len() {
            (later, score) = (later + 1, None);
        }
        let (start, shown) = (times[later - 1], times[later] - times[later - 1]);
        if time >= times[later] + if later + 1 == times.len() { shown } else { 0 } {
            break;
        }
        let near = |of: i64| (2 * (time - start) * of + shown) / (2 * shown);
        let (weight, place) = (near(whole), near(256));
        let [one, other] = [later - 1, later].map(|at| &frames[at]);
        out.push(if weight >= whole || place > call.zone.1 {
            picture(other)
        } else if weight <= 0 || place < call.zone.0 {
            picture(one)
        } else {
            let score = *score.get_or_insert_with(|| {
                let planes = format.pixel.brightness_planes();
                let count: usize = (0..planes).map(|plane| samples(one, plane).len()).sum();
                let mean = measure::sum(other, Some(one)) as f64 * 100.0 / count as f64 / levels;
                let before = last.filter(|(at, _)| later - at <= 8).map_or(0.0, |(_, mean)| mean);
                last = Some((later, mean));
                f64::from(mean.min((mean - before).abs()) as f32)
            });
            match score < call.scene || call.scene == 100.0 {
                false => picture(if weight > whole / 2 { other } else { one }),
                true => (picture(one).iter().zip(&picture(other)))
                    .map(|(a, b): (&Vec<f32>, &Vec<f32>)| {
                        a.iter().zip(b).map(|(&a, &b)| between(a, b, weight, sample)).collect()
                    })
                    .collect(),
            }
        });
    }
    out
}

fn call(random: &mut Random) -> Call {
    Call {
        rate: *random.one_of(&[(50, 1), (60000, 1001), (30, 1), (25, 1), (24000, 1001), (7, 3), (120, 1)]),
        zone: *random.one_of(&[(15, 240), (15, 240), (0, 255), (100, 110), (200, 50)]),
        scene: *random.one_of(&[8.2, 33.0, 34.0, 0.0, 0.7, 100.0]),
    }
}

#[test]
fn every_format_follows_the_definition() {
    let (mut blended, mut sharp) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(77_000 + seed);
        let (pixel, call) = (random.pixel(), call(&mut random));
        let format = Format::new(pixel, random.range(1..=40), random.range(1..=13), Rational::new(25, 1));
        let format = Format { time_base: Rational::new(1, 1000), ..format };
        let case = random.finished(seed, format.clone(), vec![Op::Copy; pixel.planes()]);
        let mut time = 0;
        let frames: Vec<Frame> = (0..random.range(1..=24))
            .map(|number| {
                let mut frame = case.frame(number, &Pool::heap());
                frame.timing = Timing { number: number as u64, pts: time, ..Timing::default() };
                time += *random.one_of(&[1, 7, 17, 33, 40, 40, 41, 130]);
                frame
            })
            .collect();
        let Call { rate: (num, den), zone: (start, end), scene } = &call;
        let text = format!("framerate={num}/{den}:interp_start={start}:interp_end={end}:scene={scene}");
        let mut engine = Engine::cpu(&text, &Arc::new(format)).expect("an engine");
        let got = engine.clip(frames.iter().cloned()).expect("a clip");
        let wanted = wanted(&frames, &call);
        assert_eq!(got.len(), wanted.len(), "{text} of {seed}");
        let bits = |plane: &[f32]| plane.iter().map(|sample| sample.to_bits()).collect::<Vec<_>>();
        for (number, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
            let timing = &got.timing;
            assert_eq!((timing.number, timing.pts, timing.duration), (number as u64, number as i64, 1), "{text}");
            assert_eq!(got.format().rate, Rational::new(*num as i32, *den as i32), "{text}");
            for (plane, wanted) in wanted.iter().enumerate() {
                let got = samples(got, plane);
                assert!(bits(&got) == bits(wanted), "{text} of {seed}, frame {number}, plane {plane}");
            }
            let is_sharp = frames.iter().any(|frame| bits(&samples(frame, 0)) == bits(&wanted[0]));
            *if is_sharp { &mut sharp } else { &mut blended } += 1;
        }
    }
    assert!(blended > 1000 && sharp > 1000, "{blended} blended, {sharp} not");
}
