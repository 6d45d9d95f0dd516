//! Several backends at one clip: order, what rides along, failures and what is left to the others, interrupts, memory.

use std::path::PathBuf;

use warpreel::pass::TimeBorder;
use warpreel::pipeline::{CHANNEL_FRAMES, RunOutcome, WhenLost};

use super::clip::{TRAILER, time_of};
use super::stage::{Rig, pass};
use super::trap::Fault;
use super::watched;

fn samples(rig: &Rig) -> Vec<u16> {
    rig.written().iter().map(|frame| frame.sample).collect()
}

fn rig(length: u64, reaches: &[usize]) -> Rig {
    Rig::new(length, reaches.iter().map(|&reach| pass(reach, TimeBorder::Reflect101)).collect())
}

#[test]
fn frames_come_out_in_order_with_what_rides_on_them() {
    for length in [0, 1, 2, 7, 60] {
        for reaches in [&[][..], &[0], &[2], &[5, 0, 1], &[9, 9]] {
            let (result, one) = watched(rig(length, reaches));
            result.unwrap();
            for (lanes, run, in_flight) in [(1, 1, 0), (2, 1, 8), (2, 5, 0), (3, 4, 1), (2, 13, 8), (5, 100, 4)] {
                let shared = rig(length, reaches).in_flight(in_flight).shared(lanes, run, WhenLost::Fail);
                let (result, shared) = watched(shared);
                result.unwrap();
                let place = format!("length {length} reaches {reaches:?} lanes {lanes} run {run} ahead {in_flight}");
                assert_eq!(samples(&shared), samples(&one), "{place}");
                for (number, frame) in shared.written().iter().enumerate() {
                    assert_eq!((frame.pts, frame.duration), time_of(number as u64), "{place}");
                    assert_eq!(frame.attachment, Some(number as u64), "{place}");
                }
                assert_eq!((shared.trailer(), shared.finished()), (Some(TRAILER), true), "{place}");
                let counted = shared.monitor.read_lanes().iter().map(|lane| lane.reading.frames).sum::<u64>();
                assert_eq!((counted, shared.monitor.read().filter.frames), (length, length), "{place}");
            }
        }
    }
}

#[test]
fn a_backend_that_fails_ends_the_job_with_its_name() {
    for fault in [Fault::Upload, Fault::Run, Fault::Download, Fault::Wait] {
        for (at, in_flight) in [(0, 0), (1, 4), (7, 0), (12, 4)] {
            let rig = rig(60, &[1, 0]).in_flight(in_flight).shared(2, 6, WhenLost::Fail).fail_lane(1, fault, at);
            // Which of two takes a run is not said, but with one that never comes to an end the other has to.
            let (result, rig) = watched(rig.fail_lane(0, fault, at));
            let error = format!("{:#}", result.expect_err("the fault is reported"));
            let is_named = error.starts_with("lane 0 failed") || error.starts_with("lane 1 failed");
            assert!(is_named && error.ends_with(&format!(": {fault:?} failed at {at}")), "{error}");
            assert!(error.contains(" at frame "), "{error}");
            assert!(!rig.finished(), "{fault:?} at {at}: the output must not be completed");
        }
    }
}

#[test]
fn a_failure_of_another_stage_is_the_one_reported() {
    for fault in [Fault::Source, Fault::Sink] {
        for at in [0, 1, 5, 19] {
            let (result, rig) = watched(rig(20, &[1]).fail(fault, at).shared(2, 3, WhenLost::GoOn));
            assert_eq!(
                format!("{:#}", result.expect_err("the fault is reported")),
                format!("{fault:?} failed at {at}")
            );
            assert!(!rig.finished(), "{fault:?} at {at}: the output must not be completed");
        }
    }
}

#[test]
fn the_others_filter_what_a_lost_backend_leaves() {
    let (_, one) = watched(rig(90, &[2, 1]));
    for fault in [Fault::Upload, Fault::Run, Fault::Download, Fault::Wait] {
        for (at, in_flight) in [(0, 0), (1, 4), (7, 0), (12, 4), (30, 8)] {
            let shared = rig(90, &[2, 1]).in_flight(in_flight).shared(3, 7, WhenLost::GoOn);
            let (result, rig) = watched(shared.fail_lane(0, fault, at).fail_lane(2, fault, at + 5));
            assert_eq!(result.unwrap(), RunOutcome::Complete, "{fault:?} at {at}");
            assert_eq!(samples(&rig), samples(&one), "{fault:?} at {at}");
            let ridden = rig.written().iter().map(|frame| frame.attachment).collect::<Vec<_>>();
            assert_eq!(ridden, (0..90).map(Some).collect::<Vec<_>>(), "{fault:?} at {at}");
        }
    }
    // One that is lost late, when the others wait for runs that are not dealt out before its own has come back.
    for at in [1, 4, 6, 9] {
        for run in [1, 3, 7] {
            let shared = rig(90, &[2, 1]).shared(3, run, WhenLost::GoOn).slow_lane(0).fail_lane(0, Fault::Run, at);
            let (result, rig) = watched(shared);
            assert_eq!(result.unwrap(), RunOutcome::Complete, "run {run} at {at}");
            assert_eq!(samples(&rig), samples(&one), "run {run} at {at}");
        }
    }
    // With all of them lost nobody is left, and the last says why.
    let shared = rig(90, &[2, 1]).shared(2, 7, WhenLost::GoOn);
    let (result, rig) = watched(shared.fail_lane(0, Fault::Run, 3).fail_lane(1, Fault::Run, 8));
    let error = format!("{:#}", result.expect_err("nobody is left"));
    assert!(error.contains(" failed at frame ") && error.contains(": Run failed at "), "{error}");
    assert!(!rig.finished());
}

#[test]
fn an_interrupt_drops_what_the_sink_has_not_seen() {
    for when_lost in [WhenLost::Fail, WhenLost::GoOn] {
        super::interrupt_midway(rig(u64::MAX, &[3]).in_flight(4).shared(3, 10, when_lost));
    }
}

#[test]
fn an_interrupt_before_the_first_frame_ends_it_too() {
    for length in [0, 1, 500] {
        let rig = rig(length, &[2]).shared(2, 4, WhenLost::Fail);
        rig.interrupt.cancel();
        let (result, rig) = watched(rig);
        assert_eq!(result.unwrap(), RunOutcome::Interrupted { kept: Some(PathBuf::from("kept")) });
        assert_eq!((rig.written().len(), rig.rest().last()), (0, Some(&TRAILER)), "{:?}", rig.rest());
    }
}

#[test]
fn a_slow_sink_does_not_let_frames_pile_up() {
    for (when_lost, kinds) in [(WhenLost::Fail, 1), (WhenLost::GoOn, 2)] {
        let (result, rig) = watched(rig(400, &[2]).in_flight(2).slow_sink().shared(2, 9, when_lost));
        result.unwrap();
        // Frames dealt out, each as it was or as it became; channels, one frame in each thread's hands, and before the
        // first run and behind the last those around it.
        let bound = kinds * rig.room() + 2 * CHANNEL_FRAMES + 5 + 2 * 4 + 2 * 5;
        let frame_bytes = 4096;
        let most = rig.pool.allocated_bytes() / frame_bytes;
        assert!(most <= bound, "{most} frames where {bound} are allowed");
        assert_eq!(rig.monitor.read().pace_since(&Default::default()), "encode");
    }
}
