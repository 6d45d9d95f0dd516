//! The slowest frames, and why: from pieces of time that are made up.

use warpreel::bench::fault::{FaultWatch, PageFaults};
use warpreel::bench::second::SlowSecond;
use warpreel::bench::slow::{Circumstances, CoreWait, SLOWEST, SlowFrame, note_packets, slowest, slowest_of};
use warpreel::gauge::{Doing, NO_FRAME, Span};
use warpreel::source::FrameTime;

fn span(track: &'static str, doing: Doing, frame: u64, start_us: f64, end_us: f64) -> Span {
    let name = if doing == Doing::Work { track } else { "starved" }.to_owned();
    Span { track, part: None, doing, name, frame, start_us, length_us: end_us - start_us }
}

/// Frames that leave every 10 ms, from number 5 on; some take longer because of a stage.
fn clip(late: &[(u64, &'static str, f64)]) -> Vec<Span> {
    let (mut spans, mut at) = (vec![span("decode", Doing::Work, NO_FRAME, 0.0, 1.0)], 0.0);
    for frame in 0..40 {
        let length = |stage: &str| {
            let usual = if stage == "filter" { 8e3 } else { 1e3 };
            late.iter().find(|(late, slow, _)| *late == frame && *slow == stage).map_or(usual, |(.., ms)| 1e3 * ms)
        };
        for stage in ["decode", "filter", "encode"] {
            let end = at + length(stage);
            spans.push(span(stage, Doing::Work, 5 + frame, at, end));
            at = end;
        }
    }
    spans.push(span("encode", Doing::Starved, NO_FRAME, 0.0, at));
    spans.reverse();
    spans
}

#[test]
fn the_slowest_frames_and_the_stage_that_took_the_time() {
    let late = [(7, "decode", 31.0), (20, "filter", 48.0), (33, "encode", 61.0)];
    let found = slowest(&clip(&late), 0, &Circumstances::default());
    assert_eq!(found.len(), SLOWEST);
    let told: Vec<(u64, f64, &str)> = found.iter().map(|slow| (slow.frame, slow.ms, slow.why.as_str())).collect();
    assert_eq!(told[0], (33, 70.0, "encoding and writing took 61.0 ms"));
    assert_eq!(told[1], (20, 50.0, "filtering took 48.0 ms"));
    assert_eq!(told[2], (7, 40.0, "reading and decoding took 31.0 ms"));
    assert!(found.iter().all(|slow| slow.usual_ms == 10.0 && slow.is_key.is_none()), "{found:#?}");
    assert!(told[3..].iter().all(|(_, ms, _)| (ms - 10.0).abs() < 1e-9), "{told:?}");
    // Frames that are not counted cannot be slow.
    assert_eq!(slowest(&clip(&late), 10, &Circumstances::default())[1].frame, 20);
    assert_eq!(slowest(&clip(&late), 34, &Circumstances::default())[0].ms, 10.0);
    assert!(slowest(&[], 0, &Circumstances::default()).is_empty());
}

#[test]
fn a_thread_that_lost_its_core_is_said() {
    let late = [(20, "filter", 48.0)];
    // Frame 20 begins after 200 ms; of its 48 ms the thread stood without a core for 30.
    let waits = |no_core_ms: f64| {
        let wait = |at_ms: f64, ms: f64| CoreWait { at_us: 1e3 * at_ms, no_core_us: [Some(0.0), Some(1e3 * ms), None] };
        [wait(0.0, 0.0), wait(200.0, 1.0), wait(250.0, 1.0 + no_core_ms), wait(400.0, 1.0 + no_core_ms)]
    };
    let circumstances = |no_core_ms| Circumstances { waits: waits(no_core_ms).into(), ..Circumstances::default() };
    let why = |no_core_ms| slowest(&clip(&late), 0, &circumstances(no_core_ms))[0].why.clone();
    assert_eq!(why(30.0), "filtering took 48.0 ms; its thread had no core for 30.0 ms of it");
    assert_eq!(why(3.0), "filtering took 48.0 ms");
    let encode = slowest(&clip(&[(20, "encode", 48.0)]), 0, &circumstances(30.0))[0].why.clone();
    assert_eq!(encode, "encoding and writing took 48.0 ms", "of that thread nothing is known");
}

/// Page faults are named where they are many beside the usual ones, and always where a disk was read.
#[test]
fn page_faults_of_a_frame_are_said() {
    let spans = clip(&[(20, "filter", 48.0), (30, "filter", 38.0)]);
    let circumstances = |at_20: u64, from_disk: u64| {
        let all = |frame: u64| 30 * frame + if frame >= 20 { at_20 } else { 0 };
        let faults =
            (0..40).map(|frame| PageFaults { all: all(frame), from_disk: if frame >= 20 { from_disk } else { 0 } });
        Circumstances { waits: Vec::new(), faults: faults.collect() }
    };
    let why = |at_20, from_disk| slowest(&spans, 0, &circumstances(at_20, from_disk))[0].clone();
    assert_eq!(why(2000, 0).why, "filtering took 48.0 ms; 2030 page faults, usually 30");
    assert_eq!(why(2000, 0).page_faults, Some(2030));
    assert_eq!(why(2000, 7).why, "filtering took 48.0 ms; 2030 page faults, 7 of them read from disk, usually 30");
    assert_eq!(why(0, 1).why, "filtering took 48.0 ms; 30 page faults, 1 of them read from disk, usually 30");
    assert_eq!(why(80, 0).why, "filtering took 48.0 ms", "as many as that take no time");
    let other = slowest(&spans, 0, &circumstances(2000, 7))[1].clone();
    assert_eq!(
        (other.frame, other.why.as_str()),
        (30, "filtering took 38.0 ms"),
        "those of another frame are not its own"
    );
    let mut fewer = circumstances(2000, 0);
    fewer.faults.pop();
    let unknown = slowest(&spans, 0, &fewer)[0].clone();
    assert_eq!((unknown.why.as_str(), unknown.page_faults), ("filtering took 48.0 ms", None));
}

#[test]
fn touched_memory_is_counted() {
    let watch = FaultWatch::default();
    let count = watch.counter();
    count();
    // Memory of its own, each page of which is written to.
    let mut bytes = vec![0u8; 64 << 20];
    bytes.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    count();
    assert_eq!(bytes.iter().step_by(4096).map(|byte| u64::from(*byte)).sum::<u64>(), 16384);
    let counts = watch.take();
    // Large pages are 2 MiB each.
    assert!(counts[1].since(counts[0]).all >= 32, "{counts:?}");
    assert!(watch.take().is_empty());
}

#[test]
fn where_nobody_worked_nobody_is_blamed() {
    let mut spans = clip(&[]);
    for span in spans.iter_mut().filter(|span| span.frame >= 25 || span.frame == NO_FRAME) {
        span.start_us += 5e5;
    }
    let found = slowest(&spans, 0, &Circumstances::default());
    assert_eq!((found[0].frame, found[0].why.as_str()), (20, "no stage worked: threads waited for each other"));
}

#[test]
fn repetitions_are_told_apart() {
    let slow = |frame: u64, ms: f64| SlowFrame {
        frame,
        repetition: 1,
        ms,
        usual_ms: 1.0,
        why: String::new(),
        is_key: None,
        packet_bytes: None,
        is_cut: None,
        page_faults: None,
    };
    let packets = [(true, 900), (false, 0)].map(|(is_key, bytes)| FrameTime { time: 0, is_key, bytes });
    let one: Vec<SlowFrame> = (0..10).map(|frame| slow(frame, 20.0 - frame as f64)).collect();
    let mut found = slowest_of([&one[..], &[slow(1, 100.0), slow(2, 15.5)]].into_iter());
    note_packets(&mut found, &packets);
    assert_eq!(found.len(), SLOWEST);
    assert_eq!((found[0].frame, found[0].repetition, found[0].is_key), (1, 2, Some(false)));
    assert_eq!((found[1].frame, found[1].repetition, found[1].is_key), (0, 1, Some(true)));
    assert_eq!([found[0].packet_bytes, found[1].packet_bytes], [None, Some(900)], "0 bytes are not known");
    assert!(found.windows(2).all(|pair| pair[0].ms >= pair[1].ms));
    assert!(found.iter().any(|slow| slow.frame == 2 && slow.repetition == 2 && slow.is_key.is_none()), "{found:#?}");
}

/// Frames leave every 10 ms, and slowly in the third second: that is the slowest one.
#[test]
fn the_second_with_the_fewest_frames() {
    let (mut spans, mut at) = (Vec::new(), 0.0);
    for frame in 0..330 {
        let length = if (2e6..3e6).contains(&at) { 60e3 } else { 10e3 };
        spans.push(span("filter", Doing::Work, frame, at, at + length - 1e3));
        spans.push(span("encode", Doing::Work, frame, at + length - 1e3, at + length));
        at += length;
    }
    let second = SlowSecond::of(&spans, 0);
    let begin = second.spans().iter().map(|span| span.start_us).fold(f64::INFINITY, f64::min);
    assert!((begin - 2e6).abs() < 1e-6 && second.spans().len() == 2 * 16 + 1, "{begin}: {}", second.spans().len());
    let pieces = second.pieces();
    assert_eq!((pieces[0].stage.as_str(), pieces[0].frame, pieces[0].start_ms), ("filter", 200, 0.0));
    assert!(pieces.iter().all(|piece| piece.start_ms + piece.length_ms <= 1000.0 + 1e-9), "{pieces:#?}");
    // Another repetition is faster all the time.
    let even: Vec<Span> = (0..150u32)
        .map(|frame| span("encode", Doing::Work, frame.into(), 1e4 * f64::from(frame), 1e4 * f64::from(frame + 1)))
        .collect();
    let other = SlowSecond::of(&even, 0);
    let slowest = SlowSecond::slowest([&other, &second].into_iter()).expect("one of both");
    assert_eq!(slowest.spans().len(), second.spans().len());
    // All of a short run.
    assert_eq!(SlowSecond::of(&even[..50], 0).spans().len(), 50);
    assert_eq!(SlowSecond::of(&even[..50], 10).spans().len(), 40);
    assert!(SlowSecond::of(&[], 3).spans().is_empty());
}
