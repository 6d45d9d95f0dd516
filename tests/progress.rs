//! What is told while a job runs.

use crate::program::Bench;

#[test]
fn json_is_a_line_a_second_and_one_at_the_end() {
    let bench = Bench::new();
    let mut clip = b"YUV4MPEG2 W8 H8 F25:1 Ip A1:1 Cmono\n".to_vec();
    for _ in 0..9 {
        clip.extend(b"FRAME\n");
        clip.extend([7; 64]);
    }
    std::fs::write(bench.path("in.y4m"), &clip).unwrap();
    let output = bench.warpreel(&["in.y4m", "out.y4m", "-q", "--progress", "json", "-f", "invert"]);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    let last: serde_json::Value = serde_json::from_str(said.lines().last().expect("a line")).unwrap();
    assert_eq!((last["frame"].as_u64(), last["frames"].as_u64()), (Some(9), Some(9)), "{said}");
    assert_eq!(last["bytes"].as_u64(), Some(bench.path("out.y4m").metadata().unwrap().len()), "{said}");
    let ends = said.lines().filter(|line| line.contains("\"end\":true")).count();
    assert!(ends == 1 && last["end"] == true, "{said}");
    for name in ["fps", "seconds", "bytes"] {
        assert!(last[name].is_number(), "{name}: {said}");
    }
    assert!(["decode", "filter", "encode"].contains(&last["pace"].as_str().unwrap()), "{said}");
    assert!(said.lines().all(|line| line.starts_with('{')), "nothing else with -q: {said}");
    // Off a terminal nothing moves, and a short job is over before anything is told.
    let output = bench.warpreel(&["in.y4m", "out.y4m", "-y"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains('\r') && !said.contains(" left"), "{said}");
}

/// The header says 60 frames a second for two seconds, of which 52 frames are there.
#[test]
fn the_frames_of_a_variable_rate_are_counted() {
    let bench = Bench::new();
    let clip = crate::program::sample("variable-rate.mkv");
    let clip = clip.to_str().unwrap();
    let output = bench.warpreel(&[clip, "null:", "-q", "--progress", "json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    let last: serde_json::Value = serde_json::from_str(said.lines().last().expect("a line")).unwrap();
    assert_eq!((last["frame"].as_u64(), last["frames"].as_u64()), (Some(52), Some(52)), "{said}");
}

#[test]
fn svt_av1_is_quiet() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=0.2", "-c:v", "libx264", "in.mkv"]);
    let output = bench.warpreel(&["in.mkv", "out.mkv", "-q", "--codec", "libsvtav1"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
