//! Clips that are pushed into a session, by one thread and by two.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use warpreel::engine::{Engine, Session};
use warpreel::frame::{Format, Frame, Pixel, Rational};

use super::noise;

const CHAIN: &str = "tmix=5,gaussian=1,tmedian=1";

fn format() -> Arc<Format> {
    Arc::new(Format::try_new(Pixel::gray(8), 24, 16, Rational::new(25, 1)).expect("a format"))
}

fn samples(frame: &Frame) -> (u64, Vec<u8>) {
    (frame.timing.number, frame.to_pixels().expect("bytes on the host"))
}

fn whole(length: u64) -> Vec<(u64, Vec<u8>)> {
    let format = format();
    let clip = Engine::cpu(CHAIN, &format).expect("a chain").clip(noise(&format, length)).expect("a clip");
    clip.iter().map(samples).collect()
}

fn session(waiting: usize) -> Session {
    Session::start(Engine::cpu(CHAIN, &format()).expect("a chain"), waiting, |_| {}).expect("a session")
}

#[test]
fn one_thread_pushes_all_before_it_receives() {
    let (told, length) = (Arc::new(AtomicU64::new(0)), 60);
    let count = told.clone();
    let engine = Engine::cpu(CHAIN, &format()).expect("a chain");
    let progress = move |progress: warpreel::engine::SessionProgress| {
        assert!(progress.given <= progress.taken && progress.given == count.load(Ordering::Relaxed) + 1);
        count.store(progress.given, Ordering::Relaxed);
    };
    let mut session = Session::start(engine, 1, progress).expect("a session");
    noise(&format(), length).into_iter().for_each(|frame| session.push(frame).expect("place for a frame"));
    session.finish();
    let mut out = Vec::new();
    while let Some(frame) = session.recv().expect("a frame") {
        out.push(samples(&frame));
    }
    assert!(session.recv().expect("the end").is_none());
    assert_eq!(out, whole(length));
    assert_eq!(told.load(Ordering::Relaxed), length);
    let error = session.push(noise(&format(), 1).remove(0)).expect_err("a complete clip");
    assert!(error.to_string().contains("the clip is complete"));
}

#[test]
fn frames_are_tried_and_come_back() {
    let mut session = session(2);
    let mut out = Vec::new();
    for frame in noise(&format(), 40) {
        if let Some(frame) = session.try_push(frame).expect("a session") {
            session.push(frame).expect("place for a frame");
        }
        while let Some(frame) = session.try_recv().expect("a session") {
            out.push(samples(&frame));
        }
    }
    session.finish();
    while let Some(frame) = session.recv().expect("a frame") {
        out.push(samples(&frame));
    }
    assert_eq!(out, whole(40));
}

/// Without a call that blocks, the end is told from a wait.
#[test]
fn a_session_is_polled_to_its_end() {
    let mut session = session(2);
    let (mut frames, mut out) = (VecDeque::from(noise(&format(), 20)), Vec::new());
    assert!(!session.is_complete(), "nothing was pushed");
    loop {
        match frames.pop_front() {
            Some(frame) => {
                session.try_push(frame).expect("a session").into_iter().for_each(|frame| frames.push_front(frame))
            }
            None => session.finish(),
        }
        match session.try_recv().expect("a session") {
            Some(frame) => out.push(samples(&frame)),
            None if session.is_complete() => break,
            None => thread::yield_now(),
        }
    }
    assert_eq!(out, whole(20));
}

#[test]
fn two_threads_keep_so_many_frames_between_them() {
    let (mut input, mut output) = session(3).split();
    let (pushed, left) = mpsc::channel();
    let pusher = thread::spawn(move || {
        for (number, frame) in noise(&format(), 50).into_iter().enumerate() {
            input.push(frame).expect("place for a frame");
            pushed.send(number as u64 + 1).expect("who counts");
        }
        input.finish();
    });
    let (mut out, mut most) = (Vec::new(), 0);
    while let Some(frame) = output.recv().expect("a frame") {
        out.push(samples(&frame));
        let ahead = left.try_iter().last().map_or(0, |pushed| pushed - out.len() as u64);
        most = most.max(ahead);
    }
    pusher.join().expect("no panic");
    assert_eq!(out, whole(50));
    // Three wait on either side, one is in hand on either side, and the chain holds what it looks at.
    assert!(most <= 3 + 3 + 2 + 4, "{most} frames ahead");
}

#[test]
fn a_session_is_cancelled_on_either_side() {
    // While the thread waits for someone to receive.
    let mut cancelled = session(1);
    while cancelled.try_push(noise(&format(), 1).remove(0)).expect("a session").is_none() {}
    cancelled.cancel();
    for error in [cancelled.recv().err(), cancelled.try_recv().err(), cancelled.recv().err()] {
        assert!(error.expect("a cancelled session").to_string().contains("was cancelled"));
    }
    // The pusher learns that nobody receives.
    let (mut input, output) = session(1).split();
    drop(output);
    let mut frames = noise(&format(), 100).into_iter();
    let error = frames.find_map(|frame| input.push(frame).err()).expect("nobody receives");
    assert!(error.to_string().contains("session"), "{error:#}");
    // A session that is dropped leaves no thread: the engine in it is dropped too.
    let engine = Engine::cpu(CHAIN, &format()).expect("a chain");
    let (gone, is_gone) = mpsc::channel::<()>();
    let session = Session::start(engine, 1, move |_| drop(gone.clone())).expect("a session");
    drop(session);
    assert!(is_gone.recv().is_err(), "the thread ended, and its closure with it");
}

#[test]
fn the_cause_of_a_failure_is_told_once_and_remembered() {
    let other = Arc::new(Format::try_new(Pixel::gray(8), 5, 4, Rational::new(25, 1)).expect("a format"));
    let mut session = session(1);
    let mut frames = noise(&format(), 3);
    frames.extend(noise(&other, 1));
    frames.extend(noise(&format(), 20));
    let error = frames.into_iter().find_map(|frame| session.push(frame).err());
    let error = error.or_else(|| session.recv().err()).expect("a frame of another size");
    assert!(format!("{error:#}").contains("gray 5x4"), "{error:#}");
    while let Ok(Some(_)) = session.recv() {}
    let again = session.recv().expect_err("a session that failed");
    assert!(format!("{again:#}").contains("gray 5x4"), "{again:#}");
}
