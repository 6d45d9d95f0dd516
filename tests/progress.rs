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
