//! The pipeline with every stage replaced: order, windows, flushes, failures in each stage, and no hang in any of it.

mod adder;
mod bypass;
mod clip;
mod collector;
mod fault;
mod guard;
mod share;
mod stage;
mod trap;

use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use warpreel::pass::TimeBorder;
use warpreel::pipeline::RunOutcome;

use stage::{Rig, pass};
use trap::Fault;

/// Long enough for any of these runs on a loaded machine; they take milliseconds.
const WATCHDOG: Duration = Duration::from_secs(60);

/// Runs `rig`, or fails if it hangs.
fn watched(rig: Rig) -> (Result<RunOutcome>, Rig) {
    let (done, outcome) = mpsc::channel();
    thread::spawn(move || {
        let mut rig = rig;
        let result = rig.run();
        done.send((result, rig)).ok();
    });
    outcome.recv_timeout(WATCHDOG).expect("the pipeline hangs")
}

#[test]
fn frames_come_out_in_order_for_every_length_and_window() {
    for length in [0, 1, 2, 3, 7, 40] {
        for reaches in [vec![], vec![0], vec![2], vec![5, 0, 1], vec![9, 9]] {
            for in_flight in [0, 1, 8] {
                let passes = reaches.iter().map(|&reach| pass(reach, TimeBorder::Clamp)).collect();
                let (result, rig) = watched(Rig::new(length, passes).in_flight(in_flight));
                result.unwrap();
                let numbers: Vec<_> = rig.written().iter().map(|frame| frame.number).collect();
                assert_eq!(numbers, (0..length).collect::<Vec<_>>(), "length {length} reaches {reaches:?}");
                assert!(rig.finished());
            }
        }
    }
}

#[test]
fn a_window_sees_its_neighbours_and_what_the_border_says_beyond_the_ends() {
    // The stand-in for a pass adds up the first samples of its window.
    for (border, expected) in [
        (TimeBorder::Clamp, [1 + 1 + 2, 1 + 2 + 3, 2 + 3 + 4, 3 + 4 + 4]),
        (TimeBorder::Reflect101, [2 + 1 + 2, 1 + 2 + 3, 2 + 3 + 4, 3 + 4 + 3]),
        (TimeBorder::Zero, [1 + 2, 1 + 2 + 3, 2 + 3 + 4, 3 + 4]),
    ] {
        let (result, rig) = watched(Rig::new(4, vec![pass(1, border)]));
        result.unwrap();
        let samples: Vec<_> = rig.written().iter().map(|frame| frame.sample).collect();
        assert_eq!(samples, expected, "{border:?}");
    }
}

#[test]
fn timing_and_attachments_belong_to_the_centre() {
    let (result, rig) = watched(Rig::new(6, vec![pass(2, TimeBorder::Clamp), pass(1, TimeBorder::Zero)]).in_flight(3));
    result.unwrap();
    for (number, frame) in rig.written().iter().enumerate() {
        assert_eq!((frame.pts, frame.duration), clip::time_of(number as u64));
        assert_eq!(frame.attachment, Some(number as u64));
    }
    assert_eq!(rig.trailer(), Some(clip::TRAILER));
}

#[test]
fn a_failure_in_any_stage_is_the_one_reported_and_the_sink_never_finishes() {
    for fault in [Fault::Source, Fault::Upload, Fault::Run, Fault::Download, Fault::Wait, Fault::Sink] {
        for at in [0, 1, 5, 19] {
            for in_flight in [0, 4] {
                let passes = vec![pass(1, TimeBorder::Clamp), pass(0, TimeBorder::Clamp)];
                let (result, rig) = watched(Rig::new(20, passes).in_flight(in_flight).fail(fault, at));
                let error = format!("{:#}", result.expect_err("the fault is reported"));
                assert_eq!(error, format!("{fault:?} failed at {at}"));
                assert!(!rig.finished(), "{fault:?} at {at}: the output must not be completed");
            }
        }
    }
    let (result, rig) = watched(Rig::new(20, vec![]).fail(Fault::Finish, 0));
    assert_eq!(format!("{:#}", result.unwrap_err()), "Finish failed at 0");
    assert!(!rig.finished());
}

#[test]
fn when_the_source_and_the_sink_both_fail_the_source_is_the_cause() {
    // The sink fails on the last frame before the one that the source fails at, so both happen.
    for _ in 0..50 {
        let (result, _) = watched(Rig::new(20, vec![]).fail(Fault::Sink, 2).fail(Fault::Source, 3));
        assert_eq!(format!("{:#}", result.unwrap_err()), "Source failed at 3");
    }
}

/// Interrupts a run that has begun: what is written is complete up to a frame, and whatever else came is handed over once.
fn interrupt_midway(rig: Rig) {
    let interrupt = rig.interrupt.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        interrupt.cancel();
    });
    let (result, rig) = watched(rig);
    assert_eq!(result.unwrap(), RunOutcome::Interrupted { kept: Some(PathBuf::from("kept")) });
    assert!(!rig.finished(), "it is not complete");
    let written = rig.written();
    assert!(!written.is_empty());
    assert!(written.iter().enumerate().all(|(number, frame)| frame.number == number as u64));
    // What came with frames is not lost with them: it may belong to those that are written.
    let read = rig.monitor.read().decode.frames;
    let rest: Vec<u64> = (written.len() as u64..read).chain([clip::TRAILER]).collect();
    assert_eq!(rig.rest(), rest, "{} of {read} are written", written.len());
}

#[test]
fn an_interrupt_drops_what_the_sink_has_not_seen() {
    interrupt_midway(Rig::new(u64::MAX, vec![pass(3, TimeBorder::Clamp)]).in_flight(4));
}

#[test]
fn a_slow_sink_does_not_let_frames_pile_up() {
    let (result, rig) = watched(Rig::new(200, vec![pass(2, TimeBorder::Clamp)]).in_flight(2).slow_sink());
    result.unwrap();
    let frame_bytes = 4096;
    // Two channels, the window and its result, downloads under way, one frame in each thread's hands.
    let bound = 2 * warpreel::pipeline::CHANNEL_FRAMES + 5 + 1 + 3 + 3;
    assert!(rig.pool.allocated_bytes() <= bound * frame_bytes, "{} frames", rig.pool.allocated_bytes() / frame_bytes);
    assert_eq!(rig.monitor.read().pace_since(&Default::default()), "encode");
}
