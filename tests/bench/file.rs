//! The files that `bench` writes, and what it refuses.

use std::fs;

use serde_json::{Value, json};
use warpreel::bench::bound;
use warpreel::bench::schema::Record;

use crate::program::{Bench, sample};

fn record(folder: &Bench, name: &str) -> Record {
    Record::parse(&fs::read_to_string(folder.path(name)).expect("a file")).expect("a result")
}

#[test]
fn the_filter_stage_alone() {
    let folder = Bench::new();
    let arguments = "bench --size 320x180 --format yuv420p10 --frames 30 --repetitions 3 --backend cpu \
         -f gaussian=sigma=2,tmix=frames=3 -f box=radius=2 --json out.json --csv out.csv --html out.html --markdown out.md --trace out-trace.json";
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
    let page = fs::read_to_string(folder.path("out.html")).expect("a file");
    let data = page.split_once("id=\"data\">").and_then(|(_, rest)| rest.split_once("</script>")).expect("data").0;
    let data: Value = serde_json::from_str(data).expect("JSON");
    let pieces = data["pieces"][0].as_array().expect("a list").len();
    assert!((12..400).contains(&pieces), "the page draws a dozen frames out of 30, in {pieces} pieces");
    let second = data["seconds"][0].as_array().expect("a list");
    assert!(second.iter().any(|piece| piece["stage"] == "filter"), "the slowest second is drawn too: {second:?}");
    let trace = fs::read(folder.path("out-trace.json")).expect("a file");
    let trace: Value = serde_json::from_slice(&trace).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    assert!(events.iter().any(|event| event["name"] == "tmix=frames=3"), "{events:?}");
    let markdown = fs::read_to_string(folder.path("out.md")).expect("a file");
    for word in
        ["## `gaussian=sigma=2,tmix=frames=3,box=radius=2`", "| stage | busy % |", "| p99.9 |", "## Words", "- user "]
    {
        assert!(markdown.contains(word), "{word:?} is missing:\n{markdown}");
    }
    let usage = run.repetitions[0].usage.expect("Linux counts it");
    assert!(usage.peak_memory_bytes > 4 << 20 && usage.user_s + usage.system_s > 0.0, "{usage:?}");
    let json = fs::read_to_string(folder.path("out.json")).expect("a file");
    let named = json.matches("\"frame\"").count();
    assert!(named <= 10 && json.len() < 20_000, "a result holds no frames but the slowest: {} bytes", json.len());
    assert!(record.limits.host.copy_all_cores_gb_s > 0.0 && record.limits.host.pipe_gb_s > 0.0);
    assert_eq!(Record::parse(&record.print().expect("text")).expect("a result"), record, "a file says all there is");
    for word in ["the cores are the limit", "sets the pace", "no stage is always busy"] {
        // Which of them depends on what else this machine does.
        assert_eq!(table.contains(word), run.verdict.contains(word), "{table}");
    }
    for word in [
        "CPU time",
        "not in fps",
        "standard deviation of a repetition",
        "closest limits",
        "repetitions",
        "GB/s",
        "gaussian=sigma=2",
        "limits, measured in this run",
    ] {
        assert!(table.contains(word), "{word:?} is missing:\n{table}");
    }

    let csv = fs::read_to_string(folder.path("out.csv")).expect("a file");
    let lines: Vec<_> = csv.lines().collect();
    assert!(
        lines[0].starts_with("repetition,frame,decode_ms,filter_ms,encode_ms,decoder_to_output_ms,pass 1 "),
        "{}",
        lines[0]
    );
    let counted: u64 = run.repetitions.iter().map(|repetition| repetition.frames).sum();
    assert_eq!(lines.len() as u64, 1 + counted, "a line for each frame");
}

/// A command runs before each repetition, warm-ups included; one that fails ends the measurement.
#[test]
fn a_shell_prepares_each_repetition() {
    let folder = Bench::new();
    fs::copy(sample("odd-size.mkv"), folder.path("in.mkv")).expect("a copy");
    let job = ["bench", "in.mkv", "-f", "sobel", "--backend", "cpu", "--frames", "4", "--repetitions", "2", "-q"];
    folder.pass(&[&job[..], &["--prepare", "echo once >> times", "--csv", "out.csv"]].concat());
    let times = fs::read_to_string(folder.path("times")).expect("a file");
    assert_eq!(times.lines().count(), 1 + 2 * 2, "a warm-up, and each repetition twice");
    let csv = fs::read_to_string(folder.path("out.csv")).expect("a file");
    let mut lines = csv.lines();
    assert!(lines.next().is_some_and(|head| head.ends_with(",key_frame,packet_bytes")), "{csv}");
    let first = lines.next().expect("a frame").rsplit(',').take(2).collect::<Vec<_>>();
    assert!(first[1] == "1" && first[0].parse::<u32>().is_ok_and(|bytes| bytes > 0), "{csv}");
    let told = folder.fail(&[&job[..], &["--prepare", "exit 3"]].concat());
    assert!(told.contains("--prepare \"exit 3\" failed with exit status: 3"), "{told}");
}

/// Of the slowest frames those are known that begin a shot, and their packets; not where a chain changes how many frames there are.
#[test]
fn slow_frames_that_begin_a_shot() {
    let folder = Bench::new();
    let frame = |number: u8| {
        let mut frame = b"FRAME\n".to_vec();
        frame.resize(6 + 64 * 48 * 3 / 2, if number < 5 { 50 + number } else { 200 });
        frame
    };
    let clip = (0..8).flat_map(frame);
    let clip: Vec<u8> = b"YUV4MPEG2 W64 H48 F25:1 C420\n".iter().copied().chain(clip).collect();
    fs::write(folder.path("in.y4m"), clip).expect("a file");
    let slowest = |chain: &str, rest: &[&str], name: &str| {
        let job = ["bench", "in.y4m", "-f", chain, "--backend", "cpu", "--repetitions", "1", "--json", name];
        folder.pass(&[&job[..], rest].concat());
        let mut found = record(&folder, name).runs[0].slowest.clone();
        found.sort_by_key(|slow| slow.frame);
        assert!(found.iter().all(|slow| slow.page_faults.is_some()), "{found:#?}");
        found.iter().map(|slow| (slow.frame, slow.is_cut)).collect::<Vec<_>>()
    };
    let all: Vec<_> = (1..8).map(|frame| (frame, Some(frame == 5))).collect();
    assert_eq!(slowest("sobel", &[], "a.json"), all);
    // Frames are numbered from the beginning of the part.
    let part: Vec<_> = (1..5).map(|frame| (frame, Some(frame == 2))).collect();
    assert_eq!(slowest("sobel", &["--start=#3", "--frames", "5"], "b.json"), part);
    let timed: Vec<_> = (1..5).map(|frame| (frame, None)).collect();
    assert_eq!(slowest("sobel", &["--start=0.12", "--frames", "5"], "c.json"), timed);
    let twice = slowest("framerate=50", &["--csv", "d.csv"], "d.json");
    assert!(twice.len() == 10 && twice.iter().all(|(_, is_cut)| is_cut.is_none()), "{twice:?}");
    let csv = fs::read_to_string(folder.path("d.csv")).expect("a file");
    assert!(!csv.contains("key_frame"), "{csv}");
}

/// Reports of frames are refused where there are none, before anything is measured.
#[test]
fn reports_of_frames_need_frames() {
    let folder = Bench::new();
    for (option, file) in [("--csv", "out.csv"), ("--trace", "out.json")] {
        for command in [&["copy"][..], &["ladder"], &["decode", sample("odd-size.mkv").to_str().expect("UTF-8")]] {
            let told = folder.refuse(&[&["bench"][..], command, &[option, file]].concat());
            assert!(told.contains(&format!("{option} is of the frames of a run")), "{command:?}: {told}");
            assert!(!folder.path(file).exists(), "{command:?}");
        }
    }
}

/// A value as version 1 of the layout wrote it: bins one by one, each with its end.
fn of_version_1(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let largest = fields.get("max_ms").and_then(Value::as_f64);
            if let (Some(bins), Some(largest)) = (fields.get_mut("bins"), largest) {
                let counts = bins["counts"].as_array().expect("counts").clone();
                let (from, step) = (bins["from_ms"].as_f64().expect("ms"), bins["step_ms"].as_f64().expect("ms"));
                let last = counts.len().saturating_sub(1);
                let end = |index: usize| from + (index + 1) as f64 * step;
                let to = |index: usize| if index == last { end(index).max(largest) } else { end(index) };
                let each = counts.iter().enumerate().map(|(index, count)| json!({"to_ms": to(index), "count": count}));
                *bins = each.collect();
            }
            fields.values_mut().for_each(of_version_1);
        }
        Value::Array(values) => values.iter_mut().for_each(of_version_1),
        _ => {}
    }
}

#[test]
fn results_of_version_1_are_read() {
    let folder = Bench::new();
    let words = "bench --size 64x48 --frames 10 --repetitions 1 --backend cpu -f sobel --json out.json";
    folder.pass(&words.split(' ').collect::<Vec<_>>());
    let mut written = record(&folder, "out.json");
    let mut old: Value = serde_json::from_str(&written.print().expect("text")).expect("JSON");
    of_version_1(&mut old);
    old["schema"] = json!(1);
    old["runs"][0]["timeline"] =
        json!([{"stage": "filter", "name": "sobel", "frame": 7, "start_ms": 0, "length_ms": 1}]);
    assert_eq!(Record::parse(&old.to_string()).expect("a result"), written, "but for the pieces of frames");

    old["runs"][0].as_object_mut().expect("a run").remove("bounds");
    let mut read = Record::parse(&old.to_string()).expect("a result");
    written.runs[0].bounds.clear();
    assert_eq!(read, written, "what is not there is not made up by reading");
    bound::remember(&mut read);
    let names: Vec<&str> = read.runs[0].bounds.iter().map(|bound| bound.name.as_str()).collect();
    assert!(names.contains(&"memory") && names.contains(&"arithmetic"), "{names:?}");
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
        // Lines are broken anywhere.
        text.split_whitespace().collect::<Vec<_>>().join(" ").contains("; at least ")
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
    for (text, hint) in [("[]", "not a result"), ("{\"schema\": 99}", "schema 99"), ("{\"schema\": 1}", "damaged")] {
        let error = format!("{:#}", Record::parse(text).expect_err("no result"));
        assert!(error.contains(hint), "{text}: {error}");
    }
}
