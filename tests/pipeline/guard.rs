//! Passes that have to know something of their input: cuts, brightness, and how long images wait for both.

use warpreel::pass::TimeBorder;
use warpreel::plan::{Cuts, Guard, Mean, Steady};

use super::stage::{Rig, pass};
use super::trap::Fault;
use super::watched;

/// How many frames each scene of the clip has.
const SCENE: u64 = 7;

/// Scenes in turns, far apart, so that each begins with a score of 1.
fn scenes(number: u64) -> u16 {
    number as u16 + 1 + if number / SCENE % 2 == 1 { 30_000 } else { 0 }
}

const CUT: Guard = Guard { cuts: Cuts::Above(0.5), steady: None, smoothing: None };
const INHERITED: Guard = Guard { cuts: Cuts::Inherited, steady: None, smoothing: None };

fn steady(size: usize, cuts: Cuts) -> Guard {
    Guard { cuts, steady: Some(Steady { size, mean: Mean::Arithmetic, black: 0.0 }), smoothing: None }
}

/// What the stand-in for a pass makes of scenes, each of them a clip.
fn sums(samples: &[u16], reach: usize, border: TimeBorder, scene: u64) -> Vec<u16> {
    let window = |scene: &[u16], centre: usize| {
        let places = centre as isize - reach as isize..=(centre + reach) as isize;
        let samples = places.filter_map(|at| border.index(at, scene.len(), reach)).map(|at| scene[at]);
        samples.fold(0, u16::wrapping_add)
    };
    let scenes = samples.chunks(scene as usize);
    scenes.flat_map(|scene| (0..scene.len()).map(|centre| window(scene, centre)).collect::<Vec<_>>()).collect()
}

fn written(rig: &Rig) -> Vec<u16> {
    rig.written().iter().map(|frame| frame.sample).collect()
}

#[test]
fn every_scene_is_a_clip() {
    for border in [TimeBorder::Clamp, TimeBorder::Reflect101, TimeBorder::Zero, TimeBorder::Lopsided] {
        for length in [0, 1, 2, SCENE, SCENE + 1, 5 * SCENE + 3] {
            for reach in [1, 2, 9] {
                for in_flight in [0, 1, 8] {
                    let rig = Rig::new(length, vec![pass(reach, border)]).samples(scenes).guard(0, CUT);
                    let (result, rig) = watched(rig.in_flight(in_flight));
                    result.unwrap();
                    let input: Vec<_> = (0..length).map(scenes).collect();
                    let place = format!("{border:?} length {length} reach {reach} in flight {in_flight}");
                    assert_eq!(written(&rig), sums(&input, reach, border, SCENE), "{place}");
                    let numbers: Vec<_> = rig.written().iter().map(|frame| frame.number).collect();
                    assert_eq!(numbers, (0..length).collect::<Vec<_>>(), "{place}");
                    assert!(rig.finished() && rig.most_unread() <= in_flight.max(1) + 1, "{place}");
                }
            }
        }
    }
}

/// What the first pass makes of the clip has other cuts, or none; the second keeps to those of the input.
#[test]
fn later_steps_of_a_filter_keep_its_cuts() {
    let border = TimeBorder::Clamp;
    let passes = vec![pass(1, border), pass(0, border), pass(2, border)];
    let rig = Rig::new(4 * SCENE, passes).samples(scenes).guard(0, CUT).guard(1, INHERITED).guard(2, INHERITED);
    let (result, rig) = watched(rig.in_flight(3));
    result.unwrap();
    let input: Vec<_> = (0..4 * SCENE).map(scenes).collect();
    assert_eq!(written(&rig), sums(&sums(&input, 1, border, SCENE), 2, border, SCENE));

    // A filter that looks for none sees one clip.
    let rig = Rig::new(4 * SCENE, vec![pass(1, border), pass(2, border)]).samples(scenes).guard(0, CUT);
    let (result, rig) = watched(rig);
    result.unwrap();
    assert_eq!(written(&rig), sums(&sums(&input, 1, border, SCENE), 2, border, 4 * SCENE));
}

#[test]
fn factors_come_from_the_frames_around() {
    for cuts in [Cuts::None, Cuts::Above(0.5)] {
        for size in [2, 3, 4, 9] {
            for in_flight in [0, 1, 8] {
                let rig = Rig::new(3 * SCENE, vec![pass(0, TimeBorder::Reflect101)]).samples(scenes);
                let (result, rig) = watched(rig.guard(0, steady(size, cuts)).in_flight(in_flight));
                result.unwrap();
                let input: Vec<_> = (0..3 * SCENE).map(scenes).collect();
                let scene = if cuts == Cuts::None { input.len() } else { SCENE as usize };
                for (index, sample) in written(&rig).into_iter().enumerate() {
                    let start = index / scene * scene;
                    let places = (0..size).map(|place| (index + place) as isize - (size / 2 + start) as isize);
                    let around = places.map(|at| TimeBorder::Reflect101.index(at, scene, 0).expect("a frame") + start);
                    let mean = around.map(|at| f64::from(input[at])).sum::<f64>() / size as f64;
                    let off = (f64::from(sample) - mean).abs();
                    assert!(off <= 1.0, "{sample} is not {mean} at {index} of size {size} {cuts:?}");
                }
                assert!(rig.finished());
            }
        }
    }
}

#[test]
fn a_failure_to_measure_is_the_one_reported() {
    for guard in [CUT, steady(3, Cuts::None)] {
        for fault in [Fault::Measure, Fault::Read] {
            for at in [0, 1, 5, 18] {
                for in_flight in [0, 4] {
                    let passes = vec![pass(0, TimeBorder::Clamp), pass(1, TimeBorder::Clamp)];
                    let rig = Rig::new(20, passes).guard(usize::from(guard == CUT), guard);
                    let (result, rig) = watched(rig.in_flight(in_flight).fail(fault, at));
                    let error = format!("{:#}", result.expect_err("the fault is reported"));
                    assert_eq!(error, format!("{fault:?} failed at {at}"));
                    assert!(!rig.finished(), "{fault:?} at {at}: the output must not be completed");
                }
            }
        }
    }
}

#[test]
fn images_that_wait_do_not_pile_up() {
    for (guard, reach) in [(CUT, 2), (steady(9, Cuts::Above(0.5)), 0)] {
        let rig = Rig::new(200, vec![pass(reach, TimeBorder::Clamp)]).samples(scenes).guard(0, guard);
        let (result, rig) = watched(rig.in_flight(2).slow_sink());
        result.unwrap();
        let frame_bytes = 4096;
        // Two channels, the window and its result, half the window of means, images that wait for answers and the one
        // that is compared with them, downloads under way, one frame in each thread's hands.
        let steady = guard.steady.map_or(0, |steady| steady.reach());
        let bound = 2 * warpreel::pipeline::CHANNEL_FRAMES + (2 * reach + 1) + 1 + steady + 3 + 3 + 3;
        let frames = rig.pool.allocated_bytes() / frame_bytes;
        assert!(frames <= bound, "{frames} frames where {bound} are enough");
    }
}

/// A live input is held back by the frames that a window needs, and by one that the next is compared with.
#[test]
fn a_live_input_is_held_back_by_no_more_than_is_needed() {
    for (guard, reach, compared) in
        [(CUT, 2, 1), (INHERITED, 2, 0), (steady(5, Cuts::None), 0, 0), (steady(5, Cuts::Above(0.5)), 0, 1)]
    {
        for in_flight in [0, 1, 8] {
            let rig = Rig::new(40, vec![pass(reach, TimeBorder::Clamp)]).samples(scenes).guard(0, guard);
            let (result, rig) = watched(rig.in_flight(in_flight).held(2 + compared));
            result.unwrap();
            assert_eq!(rig.written().len(), 40);
        }
    }
}

#[test]
fn work_on_a_cut_clip_is_told_by_the_numbers_of_the_input() {
    use warpreel::pipeline::Monitor;

    for guard in [CUT, steady(3, Cuts::Above(0.5))] {
        let mut rig = Rig::new(2 * SCENE, vec![pass(1, TimeBorder::Clamp)]).samples(scenes).guard(0, guard);
        rig = rig.cut_at(100);
        rig.monitor = Monitor::traced();
        let (result, rig) = watched(rig);
        result.unwrap();
        let spans = rig.monitor.trace.as_ref().unwrap().spans();
        for what in ["upload", "measure", "read", "download", "encode"] {
            let mut frames: Vec<_> = spans.iter().filter(|span| span.name == what).map(|span| span.frame).collect();
            frames.dedup();
            // Nothing is before the first frame that it could be compared with.
            let first = if guard.steady.is_none() && ["measure", "read"].contains(&what) { 101 } else { 100 };
            assert_eq!(frames, (first..100 + 2 * SCENE).collect::<Vec<_>>(), "{what}");
        }
    }
}
