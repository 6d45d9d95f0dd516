//! Files that tell of a run (`--stats`, `--trace`, `--svg`, those of `bench`): they destroy nothing, and are there whole or
//! not at all.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::program::{Bench, binary};

/// A folder with a clip of two grey frames.
fn bench() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("in.y4m"), [&b"YUV4MPEG2 W2 H1 Cmono\n"[..], b"FRAME\n12", b"FRAME\n34"].concat()).unwrap();
    bench
}

fn text(bench: &Bench, name: &str) -> String {
    fs::read_to_string(bench.path(name)).unwrap()
}

#[test]
fn the_input_and_the_output_are_no_reports() {
    let bench = bench();
    let clip = text(&bench, "in.y4m");
    fs::hard_link(bench.path("in.y4m"), bench.path("hard")).unwrap();
    symlink("in.y4m", bench.path("soft")).unwrap();
    symlink("out.y4m", bench.path("new")).unwrap();
    let names = bench.names();
    for option in ["--stats", "--trace"] {
        for report in ["in.y4m", "./in.y4m", "hard", "soft", "out.y4m", "./out.y4m", "new"] {
            let error = bench.fail(&["in.y4m", "out.y4m", "-y", option, report]);
            assert!(error.contains(&format!("{option} \"{report}\" would replace ")), "{error}");
            assert!(error.ends_with("; name another file"), "{error}");
        }
    }
    let error = bench.fail(&["in.y4m", "hash:sums", "-y", "--stats", "sums"]);
    assert!(error.contains("would replace \"hash:sums\""), "{error}");
    let error = bench.fail(&["in.y4m", "null:", "--stats", "same", "--trace", "./same"]);
    assert!(error.contains("--stats and --trace are both \"./same\"; name another file"), "{error}");
    for option in ["--json", "--csv", "--html"] {
        let error = bench.fail(&["bench", "in.y4m", "-y", option, "in.y4m"]);
        assert!(error.contains(&format!("{option} \"in.y4m\" would replace \"in.y4m\"")), "{error}");
        let error = bench.fail(&["bench", "in.y4m", "--output", "out.y4m", option, "out.y4m"]);
        assert!(error.contains("would replace \"out.y4m\""), "{error}");
    }
    let error = bench.fail(&["bench", "compare", "box", "disk", "--input", "in.y4m", "-y", "--json", "in.y4m"]);
    assert!(error.contains("would replace \"in.y4m\""), "{error}");
    let error = bench.fail(&["bench", "copy", "--json", "a", "--html", "a"]);
    assert!(error.contains("--json and --html are both \"a\""), "{error}");
    assert_eq!((bench.names(), text(&bench, "in.y4m")), (names, clip), "nothing was begun");
}

#[test]
fn images_of_a_sequence_are_no_reports() {
    let bench = bench();
    bench.pass(&["in.y4m", "%02d.png"]);
    let first = fs::read(bench.path("01.png")).unwrap();
    for arguments in [["%02d.png", "null:", "-y"], ["in.y4m", "./%02d.png", "-y"]] {
        let error = bench.fail(&[&arguments[..], &["--stats", "01.png"]].concat());
        assert!(error.contains("%02d.png\"; name another file"), "{error}");
    }
    let error = bench.fail(&["%02d.png", "./%02d.png", "-y"]);
    assert!(error.contains("input and output are the same file"), "{error}");
    assert_eq!(fs::read(bench.path("01.png")).unwrap(), first);
    bench.pass(&["%02d.png", "null:", "--stats", "1.png"]);
}

#[test]
fn files_of_the_chain_are_no_reports_and_no_outputs() {
    let bench = bench();
    fs::write(bench.path("taps.txt"), "1 2 1").unwrap();
    fs::write(bench.path("tones.json"), "[0, 1]").unwrap();
    fs::write(bench.path("k"), "1").unwrap();
    fs::write(bench.path("mask.png"), include_bytes!("../samples/mask.png")).unwrap();
    let names = bench.names();
    for (chain, file) in [
        ("box,kernel=taps.txt", "taps.txt"),
        ("lut=tones.json", "./tones.json"),
        ("kernel='1 2 1',kernel=file=k", "k"),
        ("gaussian=2:mask=mask.png", "mask.png"),
    ] {
        let name = file.trim_start_matches("./");
        for arguments in [&["in.y4m", "null:"][..], &["bench"], &["bench", "compare", "box"]] {
            let is_job = arguments.len() == 2;
            let option = if is_job { "--stats" } else { "--json" };
            let chain = if arguments.len() == 3 { vec![chain] } else { vec!["-f", chain] };
            let error = bench.fail(&[arguments, &chain[..], &["-y", option, file]].concat());
            assert!(error.contains(&format!("{option} {file:?} would replace {name:?}; name another file")), "{error}");
        }
        for container in ["raw", "y4m"] {
            let error = bench.fail(&["in.y4m", file, "-y", "--container", container, "-f", chain]);
            assert!(
                error.contains(&format!("{file:?} would replace {name:?}, which the chain reads; name")),
                "{error}"
            );
        }
    }
    assert_eq!((bench.names(), text(&bench, "taps.txt")), (names, "1 2 1".to_owned()));
    bench.pass(&["in.y4m", "null:", "-f", "kernel=taps.txt", "--stats", "taps.json"]);
}

#[test]
fn a_dash_is_stdout_where_that_is_free() {
    let bench = bench();
    for option in ["--stats", "--trace"] {
        let told = bench.pass(&["in.y4m", "out.y4m", "-y", option, "-"]);
        serde_json::from_slice::<serde_json::Value>(&told).unwrap_or_else(|error| panic!("{option}: {error}"));
        for output in ["-", "hash:"] {
            let error = bench.refuse(&["in.y4m", output, option, "-"]);
            assert_eq!(error, format!("error: {option} - and the output would both go to stdout; name a file"));
        }
    }
    let error = bench.fail(&["in.y4m", "null:", "--stats", "-", "--trace", "-"]);
    assert!(error.contains("--stats and --trace are both \"-\"; name another file"), "{error}");
    let error = bench.refuse(&["bench", "--json", "-"]);
    assert_eq!(error, "error: --json - and the figures would both go to stdout; name a file");
    assert_eq!(bench.names(), ["in.y4m", "out.y4m"]);
    bench.pass(&["in.y4m", "null:", "--stats", "./-"]);
    assert!(text(&bench, "-").starts_with('{'));
}

#[test]
fn an_older_report_is_replaced_when_asked_for() {
    let bench = bench();
    let stage = ["--backend", "cpu", "--size", "32x32", "--frames", "2", "--repetitions", "1", "--threads", "1"];
    let measure = [&["bench", "-f", "box"], &stage[..]].concat();
    let compare = [&["bench", "compare", "box", "disk"], &stage[..]].concat();
    let ladder = ["bench", "ladder", "--sizes", "32x32", "--backend", "cpu", "--threads", "1"];
    let copy = ["bench", "copy", "--size", "32x32", "--backend", "cpu", "--threads", "1"];
    for (arguments, options) in [
        (&["in.y4m", "null:"][..], &["--stats", "--trace"][..]),
        (&["filters", "box"], &["--svg"]),
        (&measure, &["--json", "--csv", "--html"]),
        (&compare, &["--json"]),
        (&ladder, &["--html"]),
        (&copy, &["--json"]),
    ] {
        let before = bench.names();
        let name = |option: &str| format!("report{option}");
        for option in options {
            fs::write(bench.path(&name(option)), "older").unwrap();
            let error = bench.fail(&[arguments, &[option, &name(option)]].concat());
            let expected = format!("error: create {:?}: it exists; add -y to replace it", name(option));
            assert_eq!((error, text(&bench, &name(option))), (expected, "older".to_owned()), "{arguments:?}");
        }
        let names: Vec<String> = options.iter().map(|option| name(option)).collect();
        let reports = options.iter().zip(&names).flat_map(|(option, name)| [*option, name]);
        bench.pass(&arguments.iter().copied().chain(reports).chain(["-y"]).collect::<Vec<_>>());
        for name in names {
            assert!(text(&bench, &name).len() > 20, "{arguments:?} {name}");
            fs::remove_file(bench.path(&name)).unwrap();
        }
        assert_eq!(bench.names(), before, "{arguments:?}");
    }
}

#[test]
fn a_run_that_fails_replaces_no_report_unasked_and_no_trace() {
    let bench = bench();
    fs::write(bench.path("cut.y4m"), &text(&bench, "in.y4m")[..37]).unwrap();
    fs::write(bench.path("old.json"), "older").unwrap();
    let names = bench.names();
    bench.fail(&["cut.y4m", "out.y4m", "-y", "--trace", "old.json"]);
    bench.fail(&["cut.y4m", "out.y4m", "--trace", "new.json"]);
    assert_eq!((bench.names(), text(&bench, "old.json")), (names.clone(), "older".to_owned()));
    // Not even begun, let alone after an hour.
    bench.fail(&["in.y4m", "out.y4m", "--trace", "no/folder.json"]);
    bench.fail(&["in.y4m", "out.y4m", "--stats", "old.json"]);
    assert_eq!(bench.names(), names);
}

#[test]
fn devices_and_pipes_are_written_as_ever() {
    let bench = bench();
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let told = bench.pass(&["in.y4m", "null:", "--stats", name, "--trace", "/dev/null"]);
        assert!(told.starts_with(b"{\n") && told.ends_with(b"}\n"), "{name}");
    }
    bench.pass(&["in.y4m", "null:", "--stats", "/dev/null", "--trace", "/dev/null"]);
    let error = bench.fail(&["in.y4m", "null:", "--stats", "/dev/full"]);
    assert!(error.contains("write \"/dev/full\": No space left on device"), "{error}");
    for append in [false, true] {
        let path = bench.path("log");
        let mut log = File::create(&path).unwrap();
        log.write_all(b"before\n").unwrap();
        let log = if append { OpenOptions::new().append(true).open(&path).unwrap() } else { log };
        let mut program = Command::new(binary());
        program.args(["in.y4m", "null:", "-q", "--stats", "/dev/stdout"]).current_dir(bench.path(""));
        assert!(program.stdin(Stdio::null()).stdout(log).status().unwrap().success());
        let told = fs::read_to_string(&path).unwrap();
        assert!(told.starts_with("before\n{\n") && told.ends_with("}\n"), "{told}");
    }
}

/// A run that fails writes what it knows: the frames until then, the damage, and the cause.
#[test]
fn a_failed_run_is_reported_too() {
    let bench = bench();
    let whole = fs::read(bench.path("in.y4m")).unwrap();
    fs::write(bench.path("cut.y4m"), &whole[..whole.len() - 1]).unwrap();
    let error = bench.fail(&["cut.y4m", "out.y4m", "--stats", "stats.json"]);
    let stats: serde_json::Value = serde_json::from_str(&text(&bench, "stats.json")).unwrap();
    let cause = stats["error"].as_str().unwrap();
    assert!(error.ends_with(cause) && cause.contains("cut.y4m"), "{error}: {stats}");
    assert_eq!(
        (&stats["bytes"], &stats["interrupted"]),
        (&serde_json::Value::Null, &serde_json::Value::Null),
        "{stats}"
    );
    assert_eq!(bench.names(), ["cut.y4m", "in.y4m", "stats.json"]);
    bench.pass(&["in.y4m", "out.y4m", "--stats", "stats.json", "-y"]);
    assert!(text(&bench, "stats.json").contains("\"error\": null"));
}
