//! The files that `bench` writes, and what it refuses.

use std::fs;

use warpreel::bench::schema::Record;

use crate::program::{Bench, sample};

fn record(folder: &Bench, name: &str) -> Record {
    Record::parse(&fs::read_to_string(folder.path(name)).expect("a file")).expect("a result")
}

#[test]
fn the_filter_stage_alone() {
    let folder = Bench::new();
    let arguments = "bench --size 320x180 --format yuv420p10 --frames 30 --repetitions 3 --backend cpu \
         -f gaussian=sigma=2,tmix=frames=3 -f box=radius=2 --json out.json --csv out.csv";
    let table =
        String::from_utf8(folder.pass(&arguments.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>()))
            .expect("text");
    let record = record(&folder, "out.json");
    assert_eq!(record.command[1..], arguments.split_whitespace().collect::<Vec<_>>());
    let run = &record.runs[0];
    assert_eq!((run.input.as_str(), run.output.as_str()), ("synthetic", "null:"));
    assert_eq!(run.format, "yuv420p10 320x180 at 25 fps");
    assert_eq!(run.passes.iter().map(|pass| pass.name.as_str()).collect::<Vec<_>>().len(), 3);
    assert_eq!(run.fps.count, 3);
    for pass in &run.passes {
        assert!(pass.per_frame.count >= 3 * 28 && pass.per_frame.p50_ms > 0.0, "{pass:#?}");
        assert!(pass.per_frame.p50_ms <= pass.per_frame.p99_ms && pass.per_frame.p99_ms <= pass.per_frame.max_ms);
        assert!(pass.least_ms > 0.0 && pass.bytes > 0 && pass.operations > 0);
    }
    let filter = run.stages.iter().find(|stage| stage.name == "filter").expect("a stage");
    let sum: f64 = run.passes.iter().map(|pass| pass.per_frame.mean_ms).sum();
    assert!(sum <= 1.05 * filter.per_frame.mean_ms + 0.01, "passes take {sum} ms of {:?}", filter.per_frame);
    assert!(run.stages.iter().all(|stage| (0.0..=1.0).contains(&stage.busy)));
    assert!(!run.timeline.is_empty());
    assert!(record.limits.host.copy_all_cores_gb_s > 0.0 && record.limits.host.pipe_gb_s > 0.0);
    assert_eq!(Record::parse(&record.print().expect("text")).expect("a result"), record, "a file says all there is");
    for word in ["sets the pace", "repetitions", "GB/s", "gaussian=sigma=2", "limits, measured in this run"] {
        assert!(table.contains(word), "{word:?} is missing:\n{table}");
    }

    let csv = fs::read_to_string(folder.path("out.csv")).expect("a file");
    let lines: Vec<_> = csv.lines().collect();
    assert!(lines[0].starts_with("repetition,frame,decode_ms,filter_ms,encode_ms,pass 1 "), "{}", lines[0]);
    let counted: u64 = run.repetitions.iter().map(|repetition| repetition.frames).sum();
    assert_eq!(lines.len() as u64, 1 + counted, "a line for each frame");
}

#[test]
fn a_whole_job_with_an_output_that_is_written_again() {
    let folder = Bench::new();
    let input = sample("one-frame.mp4").display().to_string();
    let arguments =
        ["bench", &input, "-f", "box=radius=1", "--repetitions", "2", "--output", "out.mkv", "--json", "a.json"];
    folder.pass(&arguments);
    assert!(folder.path("out.mkv").exists());
    let run = &record(&folder, "a.json").runs[0];
    assert_eq!(run.stages.iter().map(|stage| stage.name.as_str()).collect::<Vec<_>>(), ["decode", "filter", "encode"]);
    assert_eq!(run.repetitions.iter().map(|repetition| repetition.frames).collect::<Vec<_>>(), [1, 1]);
    for name in ["a.json", "out.mkv"] {
        let error = folder.fail(&arguments);
        assert!(error.contains(&format!("{name:?}: it exists")), "what was there before is not replaced: {error}");
        std::fs::remove_file(folder.path(name)).expect("a file");
    }
}

#[test]
fn the_limits_alone() {
    let folder = Bench::new();
    let table =
        String::from_utf8(folder.pass(&["bench", "copy", "--backend", "cpu", "--json", "out.json"])).expect("text");
    let host = record(&folder, "out.json").limits.host;
    let figures = [
        host.copy_one_core_gb_s,
        host.copy_all_cores_gb_s,
        host.real_one_core_gop_s,
        host.real_all_cores_gop_s,
        host.integer_all_cores_gop_s,
        host.pipe_gb_s,
    ];
    assert!(figures.iter().all(|figure| *figure > 0.0 && figure.is_finite()), "{host:#?}");
    assert!(table.contains("pipe"), "{table}");
}

#[test]
fn an_explanation_with_limits() {
    let folder = Bench::new();
    let least = |arguments: &[&str]| {
        let text = String::from_utf8(folder.pass(&[&["explain", "-f", "gaussian=sigma=2"], arguments].concat()))
            .expect("text");
        text.contains("ms at the least")
    };
    assert!(least(&["--limits"]) && !least(&[]));
}

#[test]
fn refusals() {
    let folder = Bench::new();
    let input = sample("one-frame.mp4").display().to_string();
    for (arguments, hint) in [
        (vec!["bench", &input, "--output", "-"], "stdout"),
        (vec!["bench", &input, "--output", "hash:"], "stdout"),
        (vec!["bench", &input, "--size", "64x64"], "--size"),
        (vec!["bench", "--repetitions", "0"], "--repetitions 5"),
        (vec!["bench", "--size", "0x4"], "width"),
    ] {
        let error = folder.refuse(&arguments);
        assert!(error.contains(hint), "{arguments:?}: {error}");
    }
    assert!(folder.fail(&["bench", "missing.mp4"]).contains("missing.mp4"));
    for (text, hint) in [("[]", "no result"), ("{\"schema\": 99}", "schema 99"), ("{\"schema\": 1}", "damaged")] {
        let error = format!("{:#}", Record::parse(text).expect_err("no result"));
        assert!(error.contains(hint), "{text}: {error}");
    }
}
