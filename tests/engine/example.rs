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
fn change_chain() {
    let said = run("change_chain", &[]);
    assert!(said.starts_with("frames that the new chain lacks: 0\nframe 0: 3\nframe 1: 10\n"), "{said}");
    assert!(said.contains("frame 4: 40\nframe 5: 205\n"), "{said}");
}

#[test]
fn packed_rgb() {
    assert_eq!(run("packed_rgb", &[]), "[0, 127, 255, 0, 127, 255]\n");
}

#[test]
fn push_frames() {
    assert_eq!(run("push_frames", &[]), "frame 50 begins [50, 50, 50, 50]\n100 frames\n");
}

#[test]
fn strided_planes() {
    assert_eq!(run("strided_planes", &[]), "[64, 356, 356, 356, 64, 64]\n");
}

/// Whether there is a GPU or not, it says so and ends well.
#[test]
fn gpu_frames() {
    let said = run("gpu_frames", &[]);
    assert!(said.starts_with("no GPU here: ") || said == "10 frames on the GPU\n", "{said}");
}

#[cfg(feature = "libav")]
#[test]
fn error_kinds() {
    let said = run("error_kinds", &[]);
    assert!(said.starts_with("Request\n") && said.contains("\ngaussian=2,sharpn\n           ^^^^^^\n"), "{said}");
    assert!(said.contains("System(NotFound): ") && said.contains("absent.mp4"), "{said}");
}

#[cfg(feature = "libav")]
#[test]
fn read_frames() {
    let said = run("read_frames", &["samples/variable-rate.mkv"]);
    assert_eq!(said.lines().filter(|line| line.starts_with("frame ")).count(), 52, "{said}");
    let mean: f64 =
        said.lines().nth(1).and_then(|line| line.rsplit(' ').next()).expect("a mean").parse().expect("a number");
    assert!((1.0..255.0).contains(&mean), "{said}");
}

#[cfg(feature = "libav")]
#[test]
fn frames_that_were_written_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ramp.mkv");
    run("write_frames", &[path.to_str().expect("text")]);
    let said = run("read_frames", &[path.to_str().expect("text")]);
    assert_eq!(said.lines().count(), 26, "{said}");
}

/// Frames that `ffmpeg-next` decoded come back in its format, all of them, at their times.
#[cfg(feature = "libav")]
#[test]
fn decoded_frames() {
    let said = run("decoded_frames", &["samples/ten-bit.mp4"]);
    let frames: Vec<_> = said.lines().filter(|line| line.contains("YUV420P10LE")).collect();
    assert_eq!(said.lines().last(), Some(&*format!("{} frames", frames.len())), "{said}");
    assert!(!frames.is_empty() && frames.len() + 1 == said.lines().count(), "{said}");
    let time = |line: &&str| line.split(['(', ')']).nth(1).and_then(|time| time.parse::<i64>().ok());
    assert!(frames.iter().map(time).is_sorted_by(|one, next| one.is_some() && one < next), "{said}");
}

#[cfg(feature = "libav")]
#[test]
fn whole_job() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.mkv");
    let said = run("whole_job", &["samples/variable-rate.mkv", path.to_str().expect("text")]);
    assert!(said.starts_with("52 frames in "), "{said}");
}

/// What is there when it is stopped is kept under another name.
#[cfg(feature = "libav")]
#[test]
fn cancel_job() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.mkv");
    let said = run("cancel_job", &["samples/bigbuckbunny-720p.mp4", path.to_str().expect("text")]);
    assert!(said.starts_with("interrupted at frame ") && said.contains("out.partial.mkv"), "{said}");
    assert!(!path.exists() && folder.path().join("out.partial.mkv").exists(), "{said}");
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
