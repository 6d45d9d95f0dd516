//! `degrain=vectors=FILE`: the motion of every frame in a file beside the output, whole or not at all.

use serde_json::Value;

use crate::program::{Bench, succeeded};

const WIDTH: usize = 96;
const HEIGHT: usize = 64;
const FRAME_BYTES: usize = WIDTH * HEIGHT * 3 / 2;
const RAW: &str = "yuv420p:96x64@25";

/// A texture that moves by so many samples a frame, raw; chroma has none.
fn pan(frames: usize, [dx, dy]: [usize; 2]) -> Vec<u8> {
    let wave = |x: usize, y: usize| {
        let mixed = (x / 4).wrapping_mul(0x9e37_79b9) as u32 ^ (y / 4).wrapping_mul(0x85eb_ca6b) as u32;
        (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 8 & 0xff
    };
    // Smooth enough to have a way down to what is sought.
    let smooth = |x: usize, y: usize| (0..16).map(|i| wave(x + i % 4, y + i / 4)).sum::<u32>() / 16;
    let sample = |frame: usize, at: usize| match at < WIDTH * HEIGHT {
        true => smooth(at % WIDTH + frame * dx + 900, at / WIDTH + frame * dy + 900) as u8,
        false => 128,
    };
    (0..frames * FRAME_BYTES).map(|at| sample(at / FRAME_BYTES, at % FRAME_BYTES)).collect()
}

/// A folder with a raw clip.
fn bench(frames: usize, motion: [usize; 2]) -> Bench {
    let bench = Bench::new();
    std::fs::write(bench.path("in.yuv"), pan(frames, motion)).unwrap();
    bench
}

/// What is typed to filter it.
fn typed<'a>(output: &'a str, chain: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["in.yuv", output, "--raw", RAW, "--backend", "cpu", "-f", chain], more].concat()
}

/// The lines of a file of vectors.
fn lines(bench: &Bench, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn number(line: &Value, name: &str) -> i64 {
    line[name].as_i64().unwrap_or_else(|| panic!("{name} of {line}"))
}

#[test]
fn motion_is_written_for_every_frame_and_reference() {
    let bench = bench(5, [2, 1]);
    bench.pass(&typed("out.yuv", "degrain=frames=2:pnew=0:vectors=motion.jsonl", &[]));
    let lines = lines(&bench, "motion.jsonl");
    // The ends stand for what lies beyond them.
    let pairs = lines.iter().map(|line| [number(line, "frame"), number(line, "reference")]).collect::<Vec<_>>();
    let wanted = (0..5).flat_map(|frame| [-2, -1, 1, 2].map(|away: i64| [frame, (frame + away).clamp(0, 4)]));
    assert_eq!(pairs, wanted.collect::<Vec<_>>());
    for line in &lines {
        let facts = ["plane", "block", "step", "columns", "rows"].map(|name| number(line, name));
        assert_eq!(facts, [0, 8, 4, 25, 17]);
        let away = number(line, "frame") - number(line, "reference");
        let column = |name: &str| line[name].as_array().unwrap().clone();
        let (dx, dy, sad) = (column("dx"), column("dy"), column("sad"));
        assert_eq!([dx.len(), dy.len(), sad.len()], [25 * 17; 3]);
        // In half samples, where the motion leads nowhere outside.
        for (row, column) in (4..12).flat_map(|row| (4..20).map(move |column| (row, column))) {
            let at = row * 25 + column;
            let found = [&dx[at], &dy[at], &sad[at]].map(|value| value.as_i64().unwrap());
            assert_eq!(found, [4 * away, 2 * away, 0], "block {column}, {row} of {}", number(line, "frame"));
        }
    }
}

/// What is written beside the output changes nothing of it; each plane that looks for motion is told of.
#[test]
fn the_output_is_the_same() {
    let bench = bench(4, [1, 2]);
    for more in ["", ":chroma=own", ":block=16:mix=0.5"] {
        bench.pass(&typed("plain.yuv", &format!("degrain=frames=1{more},invert"), &[]));
        let chain = format!("degrain=frames=1{more}:vectors=told.jsonl,invert");
        bench.pass(&typed("told.yuv", &chain, &["-y"]));
        let read = |name: &str| std::fs::read(bench.path(name)).unwrap();
        assert!(read("plain.yuv") == read("told.yuv"), "{more}");
        let planes: Vec<i64> = lines(&bench, "told.jsonl").iter().map(|line| number(line, "plane")).collect();
        let each: &[i64] = if more == ":chroma=own" { &[0, 0, 1, 1, 2, 2] } else { &[0, 0] };
        assert_eq!(planes, each.repeat(4), "{more}");
        std::fs::remove_file(bench.path("plain.yuv")).unwrap();
    }
}

/// A part tells of its frames as the whole does.
#[test]
fn a_part_is_a_slice_of_the_whole() {
    let bench = bench(8, [2, 2]);
    bench.pass(&typed("null:", "degrain=frames=1:vectors=whole.jsonl", &[]));
    bench.pass(&typed("null:", "degrain=frames=1:vectors=part.jsonl", &["--start=#3", "--end=#6"]));
    let whole: Vec<Value> = lines(&bench, "whole.jsonl");
    let part: Vec<Value> = whole.into_iter().filter(|line| (3..6).contains(&number(line, "frame"))).collect();
    assert_eq!(lines(&bench, "part.jsonl"), part);
}

#[test]
fn nothing_stands_under_the_name_before_all_is_there() {
    let bench = bench(3, [0, 0]);
    // The last frame is cut off.
    let clip = pan(3, [0, 0]);
    std::fs::write(bench.path("in.yuv"), &clip[..clip.len() - 100]).unwrap();
    bench.fail(&typed("out.yuv", "degrain=vectors=motion.jsonl", &["--strict"]));
    assert_eq!(bench.names(), ["in.yuv"]);
    // Nothing is written where nothing is run.
    bench.pass(&["explain", "in.yuv", "out.yuv", "--raw", RAW, "-f", "degrain=vectors=motion.jsonl"]);
    assert_eq!(bench.names(), ["in.yuv"]);
}

#[test]
fn names_that_cannot_be_are_refused_before_anything_is_written() {
    let bench = bench(2, [0, 0]);
    let names = bench.names();
    let refuse = |output: &str, chain: &str| bench.refuse(&typed(output, chain, &["-y"]));
    assert!(refuse("out.yuv", "degrain=vectors=out.yuv").contains("\"out.yuv\", which is the input or the output"));
    assert!(refuse("out.yuv", "degrain=vectors=./in.yuv").contains("name another file"));
    assert!(refuse("out.yuv", "degrain=vectors=").contains("names no file"));
    let twice = refuse("out.yuv", "degrain=vectors=a.jsonl,degrain=vectors=./a.jsonl");
    assert!(twice.contains("two filters write vectors to \"./a.jsonl\""), "{twice}");
    let fail = |chain: &str| bench.fail(&typed("out.yuv", chain, &[]));
    assert!(fail("degrain=vectors=none/motion.jsonl").contains("none"));
    assert!(fail("degrain=vectors=.").contains("create \".\""));
    assert_eq!(bench.names(), names);
    std::fs::write(bench.path("there.jsonl"), "kept").unwrap();
    assert!(fail("degrain=vectors=there.jsonl").contains("there.jsonl"));
    assert_eq!(std::fs::read(bench.path("there.jsonl")).unwrap(), b"kept");
    assert_eq!(bench.names(), ["in.yuv", "there.jsonl"]);
    let bytes = succeeded(bench.warpreel(&typed("-", "degrain=vectors=new.jsonl", &["--container", "raw"])), &[]);
    assert_eq!(bytes.len(), 2 * FRAME_BYTES);
    assert_eq!(lines(&bench, "new.jsonl").len(), 12);
}
