//! CPU time by thread: how threads are told apart, what the kernel writes, and a run whose threads are all known.

use std::fs;

use warpreel::bench::process::ProcessUsage;
use warpreel::bench::schema::Record;
use warpreel::bench::thread::{StageKind, ThreadTime};

use crate::program::{Bench, sample};

#[test]
fn threads_work_for_the_stage_that_their_name_says() {
    for (kind, names) in [
        (
            StageKind::Decode,
            &["decode", "decoder", "lane 3", "segment", "av:h264:df0", "av:hevc:df11", "dav1d-worker"][..],
        ),
        (StageKind::Filter, &["filter", "filter 1", "cpu-0", "cpu-15", "deal", "collect"]),
        (StageKind::Encode, &["encode", "encoder", "av:mpeg4:ef0"]),
        (StageKind::Other, &["warpreel", "progress", "watch", "signal", "", "decoders", "av:", "cuda-EvtHandlr"]),
    ] {
        for name in names {
            assert_eq!(StageKind::of(name), kind, "{name:?}");
        }
    }
}

#[test]
fn the_kernels_words_are_read() {
    let time = |cpu_ns, no_core_ns| Some(ThreadTime { cpu_ns, no_core_ns });
    assert_eq!(ThreadTime::of_schedstat("161220 2747788 2\n"), time(161_220, Some(2_747_788)));
    for text in ["", "1", "a b c", "-1 2 3"] {
        assert_eq!(ThreadTime::of_schedstat(text), None, "{text:?}");
    }
    let stat = "16077 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 123 45 0 0 20 0 13 0 77 88 99";
    assert_eq!(ThreadTime::of_stat(stat), time(1_680_000_000, None), "a name may hold brackets");
    for text in ["", "1 (a) S 1 2", "1 a S 1 2 3 4 5 6 7 8 9 10 11 12"] {
        assert_eq!(ThreadTime::of_stat(text), None, "{text:?}");
    }
}

/// Decoder and encoder have threads of their own, which their libraries start and do not name.
#[test]
fn helpers_of_all_stages_are_found() {
    let folder = Bench::new();
    let clip = sample("bigbuckbunny-720p.mp4").display().to_string();
    let words = ["--frames", "20", "--threads", "2", "--backend", "cpu", "-f", "sobel", "--output", "out.mkv"];
    folder.pass(&[&["bench", &clip, "--repetitions", "1", "--json", "out.json"], &words[..]].concat());
    let record = Record::parse(&fs::read_to_string(folder.path("out.json")).expect("a file")).expect("a result");
    let run = &record.runs[0];
    let cpu = run.cpu.as_ref().expect("CPU times");
    let names: Vec<&str> = cpu.stages.iter().map(|stage| stage.stage.as_str()).collect();
    assert_eq!(names, ["decode", "filter", "encode", "other"]);
    for name in &names[..3] {
        let stage = cpu.stage(name).expect("a stage");
        assert!(stage.threads >= 2 && stage.share > 0.0 && stage.busiest <= 1.0, "{name} has helpers: {cpu:#?}");
    }
    let all: f64 = cpu.stages.iter().map(|stage| stage.share).sum();
    assert!((all - 1.0).abs() < 1e-9 && cpu.used > 0.0, "{cpu:#?}");
    // Each stage was measured by itself too.
    let alone: Vec<&str> = run.alone.iter().map(|alone| alone.stage.as_str()).collect();
    assert_eq!(alone, ["decode", "filter", "encode"], "{:#?}", run.remarks);
    for alone in &run.alone {
        assert!(
            alone.frames > 0 && (alone.fps - alone.frames as f64 / alone.seconds).abs() < 1e-6 * alone.fps,
            "{alone:?}"
        );
        assert!(
            run.bounds.iter().any(|bound| bound.name == alone.stage && bound.limit.contains("alone")),
            "{:#?}",
            run.bounds
        );
    }
    assert!(run.predictions.iter().all(|one| one.fps >= run.fps.mean), "{:#?}", run.predictions);
    let left: Vec<_> =
        fs::read_dir(folder.path(".")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".warpreel")), "nothing is left: {left:?}");
}

/// Where the job without a stage cannot be measured, the stages alone still are, and predictions follow from them.
#[test]
fn a_chain_that_ends_the_clip_has_its_stages_alone() {
    let folder = Bench::new();
    let clip = sample("odd-size.mkv").display().to_string();
    let chain = format!("blend={clip}:shortest=1");
    folder.pass(&["bench", &clip, "-f", &chain, "--output", "out.mkv", "--repetitions", "1", "--json", "out.json"]);
    let record = Record::parse(&fs::read_to_string(folder.path("out.json")).expect("a file")).expect("a result");
    let run = &record.runs[0];
    assert!(run.alone.iter().any(|alone| alone.stage == "encode"), "{:#?}", run.remarks);
    assert!(!run.predictions.is_empty(), "{:#?}", run.remarks);
}

#[test]
fn counters_of_the_program_are_read_behind_any_name() {
    let stat = "7 (a) b) S 1 7 7 0 -1 4194560 100 0 3 0 150 25 0 0 20 0 4 0 1 2 3";
    let status = "Name:\ta\nVmPeak:\t 9000 kB\nVmHWM:\t 2048 kB\n";
    let usage = ProcessUsage { user_s: 1.5, system_s: 0.25, peak_memory_bytes: 2 << 20 };
    assert_eq!(ProcessUsage::parse(stat, status), Some(usage));
    assert_eq!(ProcessUsage::parse(stat, "Name:\ta\n"), None);
    let before = ProcessUsage { user_s: 0.5, system_s: 0.5, peak_memory_bytes: 1 };
    assert_eq!(usage.since(before), ProcessUsage { user_s: 1.0, system_s: 0.0, ..usage });
}
