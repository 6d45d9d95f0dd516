//! The programs in `examples/`, run as their readers run them.

use std::process::Command;

/// Runs an example; what it printed.
fn run(name: &str, arguments: &[&str]) -> String {
    // Examples are built beside the tests.
    let tests = std::env::current_exe().expect("this program has a path");
    let folder = tests.parent().and_then(|deps| deps.parent()).expect("it lies in deps").join("examples");
    let program = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    let output = Command::new(&program).args(arguments).output().unwrap_or_else(|error| panic!("{program:?}: {error}"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn filter_frames() {
    let said = run("filter_frames", &[]);
    assert!(said.contains("frame 1 went in, 0 came out\nframe 2 went in, 1 came out"), "{said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("frame") && line.contains(": [")).count(), 10, "{said}");
}

#[test]
fn own_kernel() {
    let said = run("own_kernel", &[]);
    assert!(said.contains("frame 2: [32768, 31768, 58768, 31768, 32768]"), "{said}");
    assert!(said.contains("frame 1: [32768, 31768, 31768, 31768, 32768]"), "{said}");
    assert!(said.contains("frame 0: [32768, 32768, 32768, 32768, 32768]"), "{said}");
}

#[test]
fn mean_kernel() {
    assert_eq!(run("mean_kernel", &[]), "frame 0: 30\nframe 1: 30\nframe 2: 30\nframe 3: 0\n");
}

#[test]
fn packed_rgb() {
    assert_eq!(run("packed_rgb", &[]), "[0, 127, 255, 0, 127, 255]\n");
}

#[test]
fn push_frames() {
    assert_eq!(run("push_frames", &[]), "frame 50 begins [50, 50, 50, 50]\n100 frames\n");
}

#[cfg(feature = "libav")]
#[test]
fn own_source() {
    use warpreel::job::{Job, Request};
    use warpreel::pipeline::Monitor;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rings.mkv");
    let said = run("own_source", &[path.to_str().expect("text")]);
    assert!(said.contains("50 frames in"), "{said}");
    let request = Request { input: path.to_string_lossy().into(), output: "null:".into(), ..Request::default() };
    let job = Job::open(request, Default::default()).expect("a clip that can be read");
    assert_eq!(job.format().to_string(), "yuv420p 320x240 at 25 fps");
    assert_eq!(job.run(&Monitor::default()).expect("a whole clip").frames, 50);
}
