//! Parts of a thread's time make all of it, work is counted for the frame that it was done for, and a share says of
//! which limit it is one.

use std::fs;

use warpreel::backend::cuda::limit::DeviceLimits;
use warpreel::bench::bound::{self, Pipes, Use, bounds};
use warpreel::bench::machine::Ticks;
use warpreel::bench::note_gain;
use warpreel::bench::repetition::{Cost, Detail, stages};
use warpreel::bench::schema::{HostLimits, Limits, Overhead, Record, Run, Rung};
use warpreel::bench::second::SlowSecond;
use warpreel::bench::statistic::Estimate;
use warpreel::bench::timeline::Timeline;
use warpreel::bench::work::{Traffic, Work, roofline};
use warpreel::gauge::{Doing, NO_FRAME, Span};
use warpreel::plan::Operations;

use crate::program::{Bench, sample};

fn run(folder: &Bench, arguments: &[&str]) -> Run {
    folder.pass(&[&["bench", "--json", "out.json", "-y", "--backend", "cpu"], arguments].concat());
    let text = fs::read_to_string(folder.path("out.json")).expect("a file");
    Record::parse(&text).expect("a result").runs.remove(0)
}

#[test]
fn the_time_of_a_thread_adds_up() {
    let folder = Bench::new();
    let (clip, short) = (sample("odd-size.mkv").display().to_string(), sample("one-frame.mp4").display().to_string());
    let chain = ["-f", "tmix=frames=3,sobel"];
    for arguments in [
        &["--size", "160x90", "--frames", "30", "--repetitions", "2"][..],
        &[&clip, "--repetitions", "2"],
        &[&clip, "--output", "out.mkv", "--lossless", "--repetitions", "1"],
        &[&short, "--repetitions", "1"],
    ] {
        let run = run(&folder, &[arguments, &chain].concat());
        assert_eq!(run.stages.len(), 3);
        for stage in &run.stages {
            let waits: f64 =
                [stage.starved, stage.blocked, stage.idle].map(|part| part.expect("a thread")).iter().sum();
            let all = stage.busy + waits;
            assert!((all - 1.0).abs() < 1e-6, "{arguments:?}: {} has {all} of its time: {stage:#?}", stage.name);
            assert_eq!(stage.device, None, "there is no GPU to wait for");
        }
        assert!(run.bounds.windows(2).all(|pair| pair[0].share >= pair[1].share), "{:#?}", run.bounds);
        for bound in &run.bounds {
            assert!((bound.share - run.fps.mean / bound.fps).abs() < 1e-9 * bound.share, "{bound:#?}");
            let is_told = run.remarks.iter().any(|remark| remark.starts_with(&bound.name) && remark.contains("repeat"));
            let is_stage = ["decode", "filter", "encode"].contains(&bound.name.as_str());
            let most = if is_stage { 1.05 } else { 1.0 };
            assert!(bound.share <= most || is_told, "{bound:#?} {:#?}", run.remarks);
        }
    }
}

/// Where frames that leave are others than those that come in, figures are of those that leave.
#[test]
fn frames_that_change_are_counted_as_they_leave() {
    let folder = Bench::new();
    let of = |chain: &str| run(&folder, &["--size", "320x180", "--frames", "60", "--repetitions", "1", "-f", chain]);
    let plain = of("sobel");
    assert_eq!((&plain.output_format, plain.passes[0].runs), (&None, 1.0));
    assert!(plain.latency.count > 0);
    let small = of("scale=160:90,sobel");
    assert_eq!(small.output_format.as_deref(), Some("yuv420p 160x90 at 25 fps"));
    assert!((small.megapixel_s - small.fps.mean * 0.0144).abs() < 1e-9 * small.megapixel_s);
    assert_eq!(small.passes[1].bytes * 4, plain.passes[0].bytes);
    // Two of one: work is counted for both, and half a run makes one.
    let (fields, frames) = (of("bwdif"), of("bwdif=send_frame"));
    assert_eq!((fields.passes[0].runs, frames.passes[0].runs), (0.5, 1.0));
    assert_eq!(fields.passes[0].bytes, 2 * frames.passes[0].bytes);
    assert!((fields.gb_s - fields.fps.mean * frames.passes[0].bytes as f64 / 1e9).abs() < 1e-6 * fields.gb_s);
    assert_eq!(fields.output_format.as_deref(), Some("yuv420p 320x180 at 50 fps"));
    assert_eq!((fields.latency.count, frames.latency.count > 0), (0, true));
    // Repeated frames cost nothing, and what is behind them counts once for each.
    let repeated = of("sobel,fps=75,gaussian=1");
    let runs: Vec<(&str, f64)> = repeated.passes.iter().map(|pass| (pass.name.as_str(), pass.runs)).collect();
    assert_eq!(runs.len(), 2, "{runs:?}");
    assert!((runs[0].1 - 1.0 / 3.0).abs() < 1e-6 && runs[1] == ("gaussian=1", 1.0), "{runs:?}");
    assert!(repeated.remarks.iter().all(|remark| !remark.contains("cannot be")), "{:?}", repeated.remarks);
}

fn span(track: &'static str, name: &str, frame: u64, start_us: f64, length_us: f64) -> Span {
    Span { track, part: None, doing: Doing::Work, name: name.to_owned(), frame, start_us, length_us }
}

/// A clip of four frames from number 50 on, through a filter that needs one frame ahead: what it does to a frame comes
/// after the next one's upload, and the end is found long before the last frames are done.
fn reaching() -> Vec<Span> {
    let mut spans = vec![span("decode", "decode", NO_FRAME, 400.0, 50.0)];
    for i in 0..4 {
        let (frame, at) = (50 + i, 100.0 * i as f64);
        spans.push(span("decode", "decode", frame, at, 10.0 + i as f64));
        spans.push(span("filter", "upload", frame, at + 20.0, 1.0 + i as f64));
        spans.push(span("filter", "blur", frame, at + 130.0, 20.0 + i as f64));
        // Two steps of one filter are called alike.
        spans.push(span("filter", "blur", frame, at + 160.0, 30.0 + i as f64));
        spans.push(span("filter", "wait", frame, at + 195.0, 2.0));
        spans.push(span("encode", "encode", frame, at + 198.0, 2.0 + i as f64));
    }
    spans.reverse();
    spans
}

#[test]
fn work_is_a_frames_by_its_number() {
    let blur = "blur".to_owned();
    let timeline = Timeline::of(&reaching(), &[blur.clone(), blur.clone()], 1);
    assert_eq!((timeline.frames, timeline.lead), (3, 1));
    let track = |name: &str| timeline.tracks.iter().find(|track| track.name == name).expect("a track").clone();
    assert_eq!(track("decode").per_frame_us, [11.0, 12.0, 13.0], "the end is no frame's");
    assert_eq!(track("filter").per_frame_us, [56.0, 59.0, 62.0], "uploads, passes, and what is no wait without a GPU");
    assert_eq!(track("encode").per_frame_us, [3.0, 4.0, 5.0]);
    assert_eq!(timeline.passes, [[26.0, 27.0, 28.0], [26.0, 27.0, 28.0]], "passes that are called alike share");
    // From the end of decoding, at 10 + i, to the end of encoding, at 200 + i.
    assert_eq!(timeline.latency_us, [190.0, 190.0, 190.0]);

    // A frame that a stage did not work on has no time, and moves no other's.
    let mut spans = reaching();
    spans.retain(|span| span.track != "filter" || span.frame != 52);
    let timeline = Timeline::of(&spans, &[blur], 0);
    let times = &timeline.tracks.iter().find(|track| track.name == "filter").expect("a track").per_frame_us;
    assert!(times[2].is_nan() && times[3] == 62.0 && times.len() == 4, "{times:?}");
    assert!(timeline.passes[0][2].is_nan() && timeline.passes[0][3] == 56.0, "{:?}", timeline.passes);
}

const DEVICE: DeviceLimits = DeviceLimits {
    copy_gb_s: 4000.0,
    real_gop_s: 60e3,
    integer_gop_s: 130e3,
    dot16_gop_s: 65e3,
    word_gop_s: 30e3,
    launch_us: 2.5,
    block_bytes: 1_000_000,
    pinned_up_gb_s: 53.0,
    pinned_down_gb_s: 54.0,
    duplex_gb_s: 48.0,
    piece_up_gb_s: 18.0,
    pageable_up_gb_s: 16.0,
    pageable_down_gb_s: 15.0,
};

#[test]
fn queues_that_overlap_are_busy_once() {
    let mut spans = Vec::new();
    for frame in 0..10 {
        let at = 10.0 * frame as f64;
        // The clocks of GPU and host need not agree to the last microsecond.
        spans.push(span("upload", "upload", frame, at - 2.0, 12.0));
        spans.push(span("compute", "blur", frame, at + 1.0, 5.0));
        spans.push(span("download", "download", frame, at + 7.0, 1.0));
        spans.push(span("filter", "wait", frame, at, 9.0));
        spans.push(span("encode", "encode", frame, at + 9.0, 1.0));
    }
    let timeline = Timeline::of(&spans, &["blur".to_owned()], 0);
    let limits = Limits { device: Some(DEVICE), ..Limits::default() };
    let stages = stages(&[detail(timeline)], &limits, Traffic::even(500_000), false);
    let stage = |name: &str| stages.iter().find(|stage| stage.name == name).expect("a stage");
    assert_eq!(stage("upload").busy, 1.0, "whatever lies outside of the window is not counted, nor anything twice");
    assert!((stage("compute").busy - 0.5).abs() < 1e-9);
    assert_eq!((stage("filter").busy, stage("filter").device), (0.0, Some(0.9)));
    assert_eq!(stage("compute").idle, None, "a queue does not wait for anybody");
    assert!((stage("upload").share.expect("a bus") - 500_000.0 / 53e9 / 12e-6).abs() < 1e-3);
}

/// A repetition of 100 µs that has this timeline.
fn detail(timeline: Timeline) -> Detail {
    let (seconds, wall_s, processor_s) = (1e-4, 1e-4, 1e-4);
    let cost = Cost { open_s: 0.0, frames: 1, seconds, wall_s, processor_s, cores: 0.5, others: None, usage: None };
    Detail { timeline, cost, cpu: None, slowest: Vec::new(), second: SlowSecond::default() }
}

/// The system counts in steps of 10 ms, so that a short repetition may show fewer than none: all of them together tell.
#[test]
fn other_programs_are_averaged_over_the_time() {
    let cost = |wall_s, others| Cost { wall_s, others, ..detail(Timeline::of(&[], &[], 0)).cost };
    let others = |costs: &[Cost]| Cost::others(&costs.iter().collect::<Vec<_>>());
    assert_eq!(others(&[cost(1.0, Some(3.0)), cost(3.0, Some(-0.5))]), Some(0.375));
    assert_eq!(others(&[cost(1.0, Some(1.0)), cost(3.0, Some(-0.5))]), Some(0.0));
    assert_eq!(others(&[cost(1.0, None), cost(3.0, Some(2.0))]), Some(2.0), "of what is known");
    assert_eq!(others(&[cost(1.0, None)]), None);
    assert_eq!(cost(1.0, Some(-0.5)).repetition().others, Some(0.0));
}

/// Each of several GPUs has rows of its own, and all of them together the times of the passes.
#[test]
fn each_gpu_has_its_tracks() {
    let of = |gpu, span: Span| Span { part: Some(gpu), ..span };
    let mut spans = Vec::new();
    for frame in 0..10 {
        let (at, gpu) = (10.0 * frame as f64, 3 * (frame as usize % 2));
        spans.push(of(gpu, span("upload", "upload", frame, at, 5.0)));
        spans.push(of(gpu, span("compute", "blur", frame, at + 1.0, 5.0 + gpu as f64)));
        spans.push(of(gpu, span("download", "download", frame, at + 7.0, 1.0)));
        spans.push(of(gpu, span("filter", "wait", frame, at, 9.0)));
        spans.push(span("encode", "encode", frame, at + 9.0, 1.0));
    }
    let timeline = Timeline::of(&spans, &["blur".to_owned()], 0);
    let names: Vec<&str> = timeline.tracks.iter().map(|track| track.name.as_str()).collect();
    let wanted =
        ["filter", "upload", "compute", "download"].map(|track| [0, 3].map(|gpu| format!("GPU {gpu} {track}")));
    assert_eq!(names, [wanted.as_flattened(), &["encode".to_owned()]].concat());
    assert_eq!(timeline.passes[0], [5.0, 8.0].repeat(5));
    assert!(timeline.pieces.iter().any(|piece| piece.stage == "GPU 3 compute"));
    let limits = Limits { device: Some(DEVICE), ..Limits::default() };
    let stages = stages(&[detail(timeline)], &limits, Traffic::even(100_000), false);
    let stage = |name: &str| stages.iter().find(|stage| stage.name == name).expect("a stage");
    assert!((stage("GPU 0 upload").busy - 0.25).abs() < 1e-9 && stage("GPU 0 upload").share.is_some());
    assert!((stage("GPU 3 compute").busy - 0.4).abs() < 1e-9 && stage("GPU 3 filter").device.is_some());
    let sentence = warpreel::bench::verdict::sentence(&stages, None, &[], 1.0);
    assert!(sentence.contains("GPU 3 compute (the passes on the GPU)"), "{sentence}");
}

#[test]
fn what_several_gpus_gain_is_told() {
    let folder = Bench::new();
    let mut one = run(&folder, &["--size", "64x48", "--frames", "10", "--repetitions", "3", "-f", "sobel"]);
    one.fps = Estimate::of(&[100.0, 101.0, 99.0]);
    let mut two = Run { gpus: vec![0, 1], fps: Estimate::of(&[195.0, 196.0, 194.0]), ..one.clone() };
    two.repetitions.truncate(3);
    let mut runs = [two, one];
    note_gain(&mut runs);
    let gain = runs[0].gain.expect("a gain");
    assert!((gain.speed_up - 1.95).abs() < 1e-9 && (gain.efficiency - 0.975).abs() < 1e-9, "{gain:?}");
    assert!(gain.uncertainty.is_some_and(|width| width < 0.05) && runs[1].gain.is_none());
    let text = runs[0].to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("2 GPUs are 1.950 ±") && text.contains("an efficiency of 97.5 %"), "{text}");
    let four = Run { gpus: vec![0, 1, 2, 3], fps: Estimate::of(&[320.0, 321.0, 319.0]), ..runs[0].clone() };
    let mut three = [vec![four], runs.to_vec()].concat();
    note_gain(&mut three);
    let gains = three.iter().map(|run| run.gain.map(|gain| (gain.gpus, gain.efficiency.round())));
    assert_eq!(gains.collect::<Vec<_>>(), [Some((4, 1.0)), Some((2, 1.0)), None]);
    let record = Record { runs: three, ..warpreel::bench::record(Vec::new(), None, Limits::default()) };
    let text = record.to_string();
    let table: Vec<_> =
        text.lines().skip_while(|line| !line.trim_start().starts_with("GPUs")).skip(1).take(3).collect();
    let figures = |line: &&str| line.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    let due = ["1 100 1 100.0", "2 195 1.95 97.5", "4 320 3.20 80.0"];
    assert_eq!(table.iter().map(figures).collect::<Vec<_>>(), due, "{text}");
    runs[0].gpus.truncate(1);
    runs[0].gain = None;
    note_gain(&mut runs);
    assert_eq!(runs[0].gain, None, "one GPU gains nothing over itself");
}

#[test]
fn each_limit_is_named_and_the_nearest_comes_first() {
    let limits = Limits { device: Some(DEVICE), ..Limits::default() };
    let needed = Operations { dot8: 13_000_000, ..Operations::default() };
    let work = [Work { bytes: 8_000_000, operations: 99, needed, runs: 1.0 }];
    let used = |fps| Use {
        fps,
        traffic: Traffic::even(1_000_000),
        work: &work,
        stages: &[],
        alone: &[],
        is_job: true,
        pipes: Pipes::default(),
        cores: 0.25,
        gpus: 1,
        is_decoded_on_gpu: false,
    };
    let found = bounds(&used(43_200.0), &limits);
    let shares: Vec<(&str, u64)> =
        found.iter().map(|bound| (bound.name.as_str(), (1000.0 * bound.share).round() as u64)).collect();
    // 1 MB at 48 GB/s, 8 MB at 4 TB/s, 13 million operations at 130 Top/s.
    assert_eq!(shares, [("bus", 900), ("cores", 250), ("memory", 86), ("arithmetic", 4)]);
    assert!(found[0].limit.contains("48.0 GB/s each way") && found[3].limit.contains("8-bit products"), "{found:#?}");
    let two = bounds(&Use { gpus: 2, ..used(86_400.0) }, &limits);
    let there = bounds(&Use { is_decoded_on_gpu: true, ..used(43_200.0) }, &limits);
    let bus = there.iter().find(|bound| bound.name == "bus").expect("a bus");
    let share = 43.2 / DEVICE.pinned_down_gb_s;
    assert!(bus.limit.starts_with("copies from the GPU") && (bus.share - share).abs() < 1e-9, "{bus:?}");
    // Of smaller frames that leave, copies both ways end earlier: 1 MB at 48 GB/s, and 3 MB more one way.
    let small = Traffic { incoming: 4e6, outgoing: 1e6 };
    let half = [Work { runs: 0.5, ..work[0] }];
    let found = bounds(&Use { traffic: small, work: &half, ..used(1000.0) }, &limits);
    let least_ms = |name: &str| 1e3 / found.iter().find(|bound| bound.name == name).expect("a limit").fps;
    assert!((least_ms("bus") - (1.0 / 48.0 + 3.0 / DEVICE.pinned_up_gb_s)).abs() < 1e-9, "{found:#?}");
    assert!((least_ms("memory") - 1e-3).abs() < 1e-6, "half of 8 MB at 4 TB/s: {found:#?}");
    let of_gpu = |name: &str| two.iter().find(|bound| bound.name == name).expect("a limit");
    assert!((of_gpu("bus").share - 0.9).abs() < 1e-9, "each GPU has a bus: {two:#?}");
    assert!(of_gpu("memory").limit.contains("2 times") && (of_gpu("memory").share - 0.0864).abs() < 1e-3, "{two:#?}");

    let folder = Bench::new();
    let mut run = run(&folder, &["--size", "64x48", "--frames", "10", "--repetitions", "1", "-f", "sobel"]);
    run.bounds = bounds(&used(50_000.0), &limits);
    (run.passes, run.stages) = (Vec::new(), Vec::new());
    let faults = bound::faults(&run);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].starts_with("bus reaches 104 % of its limit"), "{faults:?}");
    assert_eq!(bound::binding(&run), "bus 104.2 %");
}

#[test]
fn a_rung_above_its_limit_is_pointed_out() {
    let folder = Bench::new();
    folder.pass(&["bench", "ladder", "--sizes", "64x48", "--backend", "cpu", "--json", "out.json"]);
    let text = fs::read_to_string(folder.path("out.json")).expect("a file");
    let mut record = Record::parse(&text).expect("a result");
    let rung = |arithmetic_share| Rung { memory_share: 0.5, arithmetic_share, ..record.ladder[0].clone() };
    record.ladder = vec![rung(0.99), rung(1.02)];
    let faults = bound::ladder_faults(&record);
    assert!(faults.len() == 1 && faults[0].starts_with("cpu at 64x48, arithmetic reaches 102 %"), "{faults:?}");
}

#[test]
fn every_kind_of_numbers_has_its_rate() {
    let host = HostLimits { real_all_cores_gop_s: 100.0, integer_all_cores_gop_s: 400.0, ..HostLimits::default() };
    let roof = roofline(&Limits { host, device: None });
    assert_eq!(
        (roof.dot8_gop_s, roof.dot16_gop_s, roof.real_gop_s),
        (400.0, 100.0, 100.0),
        "what is not known is f32's"
    );
    let roof = roofline(&Limits { host, device: Some(DEVICE) });
    assert_eq!((roof.dot8_gop_s, roof.dot16_gop_s, roof.word_gop_s, roof.real_gop_s), (130e3, 65e3, 30e3, 60e3));
    let operations = Operations { dot8: 130_000_000, dot16: 65_000_000, word: 30_000_000, real: 60_000_000 };
    assert!((roof.arithmetic_ms(&operations) - 4e-3).abs() < 1e-12);
    assert_eq!(roof.memory_ms(4_000_000), 1e-3);
}

#[test]
fn the_overhead_is_told() {
    let folder = Bench::new();
    let arguments = ["--size", "160x90", "--frames", "30", "--repetitions", "3", "-f", "sobel"];
    let told = run(&folder, &arguments);
    let overhead = told.overhead.expect("a measurement");
    assert_eq!(overhead.pairs, 3);
    for [median, least, most] in [overhead.time, overhead.processor_time] {
        assert!(0.0 < least && least <= median && median <= most && most.is_finite(), "{overhead:?}");
    }
    assert!(overhead.sentence().contains("3 pairs"));
    let cost = |pairs, time| Overhead { pairs, ..overhead }.cost(time);
    assert_eq!(cost(5, [1.065, 1.061, 1.072]), "+6.5 % (+6.1 to +7.2 %)");
    for (pairs, time, spread) in [
        (5, [0.9627, 0.955, 0.97], "4.5"),
        (5, [1.01, 0.98, 1.04], "4.0"),
        (2, [1.02, 1.01, 1.03], "3.0"),
        (1, [0.9; 3], "10.0"),
    ] {
        assert_eq!(cost(pairs, time), format!("none seen within ± {spread} %"), "{pairs} pairs, {time:?}");
    }
    assert_eq!(told.repetitions.len(), 3, "a pair is one repetition");
    assert!(told.repetitions.iter().all(|one| one.frames == 30), "{:?}", told.repetitions);
    assert_eq!(told.passes[0].per_frame.count, 90, "each frame of each repetition has its time");
}

#[test]
fn what_other_programs_use_is_told_apart() {
    let stat = |times: &str| {
        let text = format!("cpu  {times} 0 0\ncpu0 1 2 3 4 5 6 7 8\ncpu1 1 2 3 4 5 6 7 8\nintr 7 8\nbtime 1\n");
        Ticks::parse(&text).expect("ticks")
    };
    // User, nice, system, idle, waiting for disks, two kinds of interrupts, taken by others outside.
    let before = stat("100 0 50 1000 20 1 2 3");
    let after = stat("170 5 70 1100 20 2 3 4");
    // 98 of 198 ticks, of two cores.
    assert!((before.busy_until(after).expect("time") - 2.0 * 98.0 / 198.0).abs() < 1e-12);
    assert_eq!((before.busy_until(before), after.busy_until(before)), (None, None), "no time has passed");
    for text in ["", "cpu", "cpu  a b c d", "cpu  1 2 3", "intr 1 2 3 4 5 6"] {
        assert!(Ticks::parse(text).is_none(), "{text:?}");
    }
}
