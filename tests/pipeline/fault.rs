//! Faults at every call of every stage, alone and in pairs, and memory that cannot be had: the error is the cause, all threads
//! end, every block is back in the pool, and the output is not completed.

use std::sync::Mutex;

use anyhow::Result;
use warpreel::frame::Pool;
use warpreel::pass::TimeBorder;
use warpreel::pipeline::WhenLost;

use super::stage::{Rig, pass};
use super::trap::Fault;
use super::watched;
use crate::budget::FewBlocks;

/// Frames of the clip.
const LENGTH: u64 = 6;

fn rig() -> Rig {
    Rig::new(LENGTH, vec![pass(1, TimeBorder::Clamp), pass(0, TimeBorder::Clamp)]).in_flight(2)
}

/// Every fault at every call that a run makes, and at one that it does not make.
fn places() -> Vec<(Fault, u64)> {
    let calls = |fault| match fault {
        Fault::Finish => 1,
        Fault::Run => 2 * LENGTH,
        _ => LENGTH,
    };
    let faults = [Fault::Source, Fault::Upload, Fault::Run, Fault::Download, Fault::Wait, Fault::Sink, Fault::Finish];
    faults.into_iter().flat_map(|fault| (0..=calls(fault)).map(move |at| (fault, at))).collect()
}

/// All blocks that were ever made can be had again at once: none is kept by a stage or lost.
fn assert_whole(pool: &Pool, what: &str) {
    const BLOCK_BYTES: usize = 4096;

    let made = pool.allocated_bytes();
    let blocks: Result<Vec<_>> = (0..made / BLOCK_BYTES).map(|_| pool.block(BLOCK_BYTES)).collect();
    assert!(blocks.is_ok() && pool.allocated_bytes() == made, "{what}: a block did not come back");
}

fn check(rig: Rig, faults: &[(Fault, u64)]) {
    let (result, rig) = watched(rig);
    let causes: Vec<String> = faults.iter().map(|(fault, at)| format!("{fault:?} failed at {at}")).collect();
    match result {
        Ok(_) => assert!(rig.finished() && rig.written().len() as u64 == LENGTH, "{faults:?}"),
        Err(error) => {
            let error = format!("{error:#}");
            assert!(causes.iter().any(|cause| error.ends_with(cause)), "{faults:?}: {error}");
            assert!(!rig.finished(), "{faults:?}: the output must not be completed");
        }
    }
    // Numbers of frames that were written have no gap.
    assert!(rig.written().iter().enumerate().all(|(number, frame)| frame.number == number as u64), "{faults:?}");
    assert_whole(&rig.pool, &format!("{faults:?}"));
}

/// Runs of all cases on some threads.
fn each<T: Send>(cases: Vec<T>, run: impl Fn(T) + Sync) {
    let cases = Mutex::new(cases.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let next = cases.lock().expect("no case fails here").next();
                    let Some(case) = next else { return };
                    run(case);
                }
            });
        }
    });
}

#[test]
fn at_every_call_of_every_stage() {
    each(places(), |(fault, at)| check(rig().fail(fault, at), &[(fault, at)]));
    each(places(), |(fault, at)| {
        check(rig().fail(fault, at).shared(2, 2, WhenLost::Fail), &[(fault, at)]);
    });
}

#[test]
fn at_every_two_calls_of_two_stages() {
    let is_backend = |fault| matches!(fault, Fault::Upload | Fault::Run | Fault::Download | Fault::Wait);
    let is_sink = |fault| matches!(fault, Fault::Sink | Fault::Finish);
    let mut pairs = Vec::new();
    for first in places() {
        // One trap a stage.
        let others = places().into_iter().filter(|other| {
            other.0 as u8 > first.0 as u8
                && !(is_backend(first.0) && is_backend(other.0))
                && !(is_sink(first.0) && is_sink(other.0))
        });
        pairs.extend(others.map(|other| [first, other]));
    }
    assert!(pairs.len() > 400, "{}", pairs.len());
    each(pairs, |pair| {
        let [first, second] = pair;
        let faulty = || rig().fail(first.0, first.1).fail(second.0, second.1);
        check(faulty(), &pair);
        check(faulty().shared(2, 2, WhenLost::GoOn), &pair);
    });
}

#[test]
fn at_every_block_that_cannot_be_had() {
    let mut failed = 0;
    for blocks in 0..40 {
        for lanes in [0, 2] {
            let rig = rig().pooled(Pool::new(FewBlocks::new(blocks)));
            let (result, rig) = watched(if lanes > 0 { rig.shared(lanes, 2, WhenLost::Fail) } else { rig });
            match result {
                Ok(_) => assert!(rig.finished(), "{blocks} blocks"),
                Err(error) => {
                    assert!(format!("{error:#}").contains("no memory for 4096 bytes"), "{blocks} blocks: {error:#}");
                    assert!(!rig.finished(), "{blocks} blocks");
                    failed += 1;
                }
            }
            assert_whole(&rig.pool, &format!("{blocks} blocks"));
        }
    }
    assert!((2..78).contains(&failed), "{failed} runs failed");
}
