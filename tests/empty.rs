//! Jobs without a single frame, and jobs that are stopped before their first.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::program::{Bench, binary, ended, sample, signalled};

const HEADER: &[u8] = b"YUV4MPEG2 W2 H1 F25:1 Ip A1:1 Cmono\n";

/// A folder with a clip that has no frame, and one that has two.
fn bench() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("empty.y4m"), HEADER).unwrap();
    fs::write(bench.path("in.y4m"), [HEADER, b"FRAME\n12", b"FRAME\n34"].concat()).unwrap();
    bench
}

#[test]
fn a_file_without_a_frame_is_not_written() {
    let bench = bench();
    let outputs = ["out.y4m", "out.mkv", "out.mp4", "out.raw", "out%02d.png", "hash:out"];
    for name in ["out.y4m", "out.mkv", "out.mp4", "out.raw", "out01.png", "out"] {
        fs::write(bench.path(name), "precious").unwrap();
    }
    let names = bench.names();
    for output in outputs {
        let error = bench.fail(&["empty.y4m", output, "-y"]);
        let expected = format!("error: \"empty.y4m\" has no frames, so {output:?} is not written; name another input");
        assert_eq!(error, expected);
        let error = bench.fail(&["in.y4m", output, "-y", "--frames", "0"]);
        let expected = format!(
            "error: \"in.y4m\" has no frames with --frames 0, so {output:?} is not written; type a longer part"
        );
        assert_eq!(error, expected);
    }
    let clip = sample("odd-size.mkv").display().to_string();
    let error = bench.fail(&[&clip, "out.mkv", "-y", "--lossless", "--start", "0.1", "--duration", "0"]);
    assert!(error.contains(" with --start 0.1 --duration 0, so "), "{error}");
    assert_eq!(bench.names(), names);
    for name in names.iter().filter(|name| name.starts_with("out")) {
        assert_eq!(fs::read(bench.path(name)).unwrap(), b"precious", "{name}");
    }
    bench.fail(&["empty.y4m", "new.y4m"]);
    assert_eq!(bench.names(), names);
}

/// A pipeline may carry nothing: who reads decides what that means. The same holds for what is only counted.
#[test]
fn what_flows_may_be_empty() {
    let bench = bench();
    for output in ["-", "/dev/stdout", "/dev/fd/1"] {
        assert_eq!(bench.pass(&["empty.y4m", output, "--container", "y4m"]), HEADER, "{output}");
    }
    let whole = bench.run(binary(), &["-", "-", "-f", "tmix=3"], HEADER);
    assert_eq!((whole.status.code(), &whole.stdout[..]), (Some(0), HEADER));
    assert!(bench.pass(&["empty.y4m", "-", "--container", "raw"]).is_empty());
    let listing = String::from_utf8(bench.pass(&["empty.y4m", "hash:"])).unwrap();
    assert!(listing.starts_with('#') && listing.lines().all(|line| line.starts_with('#')), "{listing}");
    assert!(bench.pass(&["in.y4m", "null:", "--frames", "0"]).is_empty());
    let stats = bench.pass(&["empty.y4m", "null:", "--stats", "-"]);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&stats).unwrap()["frames"], 0);
}

/// Starts the program on a stdin that says nothing.
fn start(bench: &Bench, arguments: &[&str]) -> Child {
    let pipe = Stdio::piped;
    let mut program = signalled();
    program.args(arguments).current_dir(bench.path("")).stdin(pipe()).stdout(pipe()).stderr(pipe());
    program.spawn().unwrap()
}

/// Stops it as Ctrl-C does, once it listens; its stdin stays open until it has ended.
fn stop(mut child: Child) -> Output {
    let stdin = child.stdin.take();
    let listens = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap() >> 1 & 1 == 1
    };
    while !listens() {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = ended(child, "the program that was signalled");
    drop(stdin);
    output
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_before_the_first_byte_is_no_fault_of_the_input() {
    let bench = bench();
    fs::write(bench.path("out.mkv"), "precious").unwrap();
    let names = bench.names();
    for arguments in [
        &["-", "null:"][..],
        &["-", "out.mkv", "-y"],
        &["-", "new.y4m"],
        &["-", "out.mkv", "-y", "--raw", "gray:2x1"],
        &["explain", "-"],
    ] {
        let output = stop(start(&bench, arguments));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.signal(), stderr.contains("error: no") || stderr.contains("error: open")),
            (Some(2), false),
            "{arguments:?}: {stderr}"
        );
        assert_eq!((bench.names(), fs::read(bench.path("out.mkv")).unwrap()), (names.clone(), b"precious".to_vec()));
    }
}

/// Encoders differ in what they do when they are closed and have seen nothing.
#[test]
fn every_encoder_closes_without_a_frame() {
    let bench = bench();
    let listing = String::from_utf8(bench.run("ffmpeg", &["-v", "quiet", "-encoders"], b"").stdout).unwrap();
    let names: Vec<_> =
        listing.lines().filter(|line| line.starts_with(" V")).filter_map(|line| line.split(' ').nth(2)).collect();
    let names: Vec<_> = names.into_iter().filter(|name| *name != "=").collect();
    assert!(names.len() > 20, "{listing}");
    for (index, name) in names.iter().enumerate() {
        let out = format!("{index}.mkv");
        for arguments in [
            &["explain", "in.y4m", &out, "--codec", name][..],
            &["in.y4m", &out, "--codec", name, "--frames", "0"],
            &["in.y4m", &out, "--codec", name, "--start", "1000", "-y"],
        ] {
            let output = bench.watched(arguments);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0..=2)), "{arguments:?}: {}: {stderr}", output.status);
        }
    }
}
