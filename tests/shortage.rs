//! Threads and memory that the system refuses, at each place where a run asks for them: an error, exit code 1, no output.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use crate::program::{Bench, binary};

/// A folder with a small clip, and a copy of the program that any user may run.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.4", "-c:v", "mpeg4", "in.mkv"]);
    fs::copy(binary(), bench.path("program")).unwrap();
    for (name, mode) in [("program", 0o755), ("in.mkv", 0o644), (".", 0o777)] {
        fs::set_permissions(bench.path(name), Permissions::from_mode(mode)).unwrap();
    }
    bench
}

/// Whether the output is complete, or missing after one line about the cause.
fn check(bench: &Bench, what: &str, output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    let name = "out.mkv".to_owned();
    match output.status.code() {
        Some(0) => assert!(bench.names().contains(&name), "{what}: {said}"),
        Some(1) => assert!(said.contains("error: ") && !bench.names().contains(&name), "{what}: {said}"),
        // A few bytes that cannot be had end the process at once; they cannot be asked for otherwise in Rust's library.
        // Libraries such as GLib abort likewise.
        // Rust's library panics itself where a thread gets no stack for its signals.
        None | Some(134) if !said.replace("panicked at /rustc/", "").contains("panicked at") => {
            assert!(!bench.names().contains(&name), "{what}: {said}")
        }
        other => panic!("{what}: {other:?} {:?}: {said}", output.status),
    }
    fs::remove_file(bench.path(&name)).is_ok()
}

/// Rust's library may wait for its own lock where memory ends while it prints a backtrace.
const RUN: &str = "export RUST_BACKTRACE=0; exec timeout -k 5 60 ./program in.mkv out.mkv -q -y --backend cpu --codec mpeg4 -f gaussian=2,tmix=3";

#[test]
fn threads_that_cannot_be_started() {
    let probe = Command::new("setpriv").args(["--reuid=65533", "--regid=65533", "--clear-groups", "true"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: only root can run the program as a user of few threads");
        return;
    }
    let bench = bench();
    let (mut failed, mut passed) = (0, 0);
    for threads in 3..40 {
        let command = format!("ulimit -u {threads}; {}", RUN.replace("exec timeout -k 5 60 ", "exec "));
        let output = Command::new("setpriv")
            .args([
                "--reuid=65533",
                "--regid=65533",
                "--clear-groups",
                "timeout",
                "-k",
                "5",
                "60",
                "bash",
                "-c",
                &command,
            ])
            .current_dir(bench.path("."))
            .output()
            .unwrap();
        match check(&bench, &format!("{threads} threads"), &output) {
            true => passed += 1,
            false => failed += 1,
        }
        if passed == 2 {
            break;
        }
    }
    assert!(failed > 3 && passed > 0, "{failed} failed, {passed} passed");
}

#[test]
fn address_space_that_ends_anywhere() {
    let bench = bench();
    let (mut failed, mut passed) = (0, 0);
    for step in 0..400 {
        let command = format!("ulimit -v {}; {RUN} --threads 1", 150_000 + 2_999 * step);
        let output = Command::new("bash").args(["-c", &command]).current_dir(bench.path(".")).output().unwrap();
        // Where the libraries do not find room, the program does not begin.
        if output.status.code() == Some(127) {
            continue;
        }
        match check(&bench, &command, &output) {
            true => passed += 1,
            false => failed += 1,
        }
        if passed == 3 {
            break;
        }
    }
    assert!(failed > 1 && passed > 0, "{failed} failed, {passed} passed");
}
