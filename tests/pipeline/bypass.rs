//! Ways round filters, held against their definition: which frames go by, which passes are run, and in which order all
//! comes out.

use warpreel::libav::Condition;
use warpreel::pass::{Pass, TimeBorder};
use warpreel::plan::Bypass;

use super::adder::blended;
use super::clip::time_of;
use super::stage::{Rig, blend, pass};
use super::trap::Fault;
use super::watched;

/// A filter of a chain: the reaches of its steps, the condition, and whether it blends.
#[derive(Clone, Debug)]
struct Filter {
    reaches: Vec<usize>,
    enable: Option<&'static str>,
    blends: bool,
}

fn filter(reaches: &[usize], enable: Option<&'static str>, blends: bool) -> Filter {
    Filter { reaches: reaches.to_vec(), enable, blends }
}

/// The passes of a chain and the ways round them.
fn lowered(chain: &[Filter]) -> (Vec<Pass>, Vec<Bypass>) {
    let (mut passes, mut bypasses) = (Vec::new(), Vec::new());
    for filter in chain {
        let start = passes.len();
        passes.extend(filter.reaches.iter().map(|&reach| pass(reach, TimeBorder::Clamp)));
        let steps = start..passes.len();
        let enable = filter.enable.map(|text| Condition::parse(text).expect("an expression"));
        if filter.enable.is_some() || filter.blends {
            bypasses.push(Bypass { steps, enable, blend: filter.blends.then_some(passes.len()) });
        }
        passes.extend(filter.blends.then(blend));
    }
    (passes, bypasses)
}

/// Whether a filter acts on a frame, without FFmpeg's help.
fn acts(enable: Option<&str>, number: usize) -> bool {
    let seconds = time_of(number as u64).0 as f64 / 25.0;
    match enable {
        None | Some("1") => true,
        Some("0") => false,
        Some("mod(n,2)") => number % 2 == 1,
        Some("gte(n,3)") => number >= 3,
        Some("between(t,0.4,1.7)") => (0.4..=1.7).contains(&seconds),
        Some(other) => panic!("{other} is not known here"),
    }
}

/// What comes out, and how often each pass has to be run.
fn definition(chain: &[Filter], length: usize) -> (Vec<u16>, Vec<u64>) {
    let mut clip: Vec<u16> = (1..=length as u16).collect();
    let mut runs = Vec::new();
    for filter in chain {
        let acting = (0..length).filter(|&number| acts(filter.enable, number)).count();
        let mut result = clip.clone();
        for (step, &reach) in filter.reaches.iter().enumerate() {
            let seen_from_afar = filter.reaches[step + 1..].iter().any(|&later| later > 0);
            runs.push(if seen_from_afar { length } else { acting } as u64);
            let sum = |centre: usize| {
                let places = centre as isize - reach as isize..=(centre + reach) as isize;
                let last = length as isize - 1;
                places.fold(0u16, |sum, place| sum.wrapping_add(result[place.clamp(0, last) as usize]))
            };
            result = (0..length).map(sum).collect();
        }
        if filter.blends {
            runs.push(acting as u64);
        }
        for (number, sample) in clip.iter_mut().enumerate().filter(|(number, _)| acts(filter.enable, *number)) {
            *sample = if filter.blends { blended(*sample, result[number]) } else { result[number] };
        }
    }
    (clip, runs)
}

const CONDITIONS: [Option<&str>; 6] =
    [None, Some("0"), Some("1"), Some("mod(n,2)"), Some("gte(n,3)"), Some("between(t,0.4,1.7)")];

fn check(chain: &[Filter], length: usize, in_flight: usize) {
    let (passes, bypasses) = lowered(chain);
    let (result, rig) = watched(Rig::new(length as u64, passes).bypassed(bypasses).in_flight(in_flight));
    result.unwrap_or_else(|error| panic!("{error:#}: {chain:?}"));
    let (samples, runs) = definition(chain, length);
    let written = rig.written();
    let place = format!("{length} frames, {in_flight} in flight, {chain:?}");
    assert_eq!(written.iter().map(|frame| frame.sample).collect::<Vec<_>>(), samples, "{place}");
    assert_eq!(rig.runs(), runs, "{place}");
    for (number, frame) in written.iter().enumerate() {
        let number = number as u64;
        assert_eq!((frame.number, frame.attachment), (number, Some(number)), "{place}");
        assert_eq!((frame.pts, frame.duration), time_of(number), "{place}");
    }
    assert!(rig.finished());
}

#[test]
fn one_filter_of_any_steps_for_any_length() {
    for reaches in [&[0][..], &[2], &[0, 0], &[1, 0], &[0, 1], &[2, 1, 0], &[1, 0, 3, 0]] {
        for enable in CONDITIONS {
            for blends in [false, true] {
                for length in [0, 1, 2, 3, 5, 9] {
                    for in_flight in [0, 3] {
                        check(&[filter(reaches, enable, blends)], length, in_flight);
                    }
                }
            }
        }
    }
}

#[test]
fn filters_before_behind_and_beside_each_other() {
    let plain = filter(&[1], None, false);
    for first in CONDITIONS {
        for second in CONDITIONS {
            let (a, b) = (filter(&[1, 1], first, true), filter(&[2], second, false));
            for length in [1, 4, 11] {
                check(&[a.clone(), b.clone()], length, 2);
                check(&[plain.clone(), a.clone(), b.clone(), plain.clone()], length, 2);
                check(&[b.clone(), plain.clone(), a.clone()], length, 0);
            }
        }
    }
}

#[test]
fn a_failure_is_reported_with_a_way_round_too() {
    for fault in [Fault::Source, Fault::Upload, Fault::Run, Fault::Download, Fault::Wait, Fault::Sink] {
        for at in [0, 1, 5, 9] {
            for in_flight in [0, 4] {
                let (passes, bypasses) = lowered(&[filter(&[1, 0], Some("mod(n,2)"), true), filter(&[0], None, false)]);
                let rig = Rig::new(20, passes).bypassed(bypasses).in_flight(in_flight).fail(fault, at);
                let (result, rig) = watched(rig);
                let error = format!("{:#}", result.expect_err("the fault is reported"));
                assert_eq!(error, format!("{fault:?} failed at {at}"));
                assert!(!rig.finished(), "{fault:?} at {at}: the output must not be completed");
            }
        }
    }
}

#[test]
fn what_went_in_is_not_kept_for_longer_than_the_windows_ask() {
    let (passes, bypasses) = lowered(&[filter(&[2, 1], Some("mod(n,2)"), true)]);
    let (result, rig) = watched(Rig::new(200, passes).bypassed(bypasses).in_flight(2).slow_sink());
    result.unwrap();
    let frame_bytes = 4096;
    // Two channels, two windows, what went in while three frames are under way, a result and a blend, downloads, one
    // frame in each thread's hands.
    let bound = 2 * warpreel::pipeline::CHANNEL_FRAMES + 5 + 3 + 4 + 2 + 3 + 3;
    assert!(rig.pool.allocated_bytes() <= bound * frame_bytes, "{} frames", rig.pool.allocated_bytes() / frame_bytes);
}
