//! Several decoders of one file give what one gives.

use serde_json::Value;

use crate::agreement::Random;
use crate::chunk::make;
use crate::program::{Bench, checksums};

/// Long enough for several segments.
const FRAMES: usize = 500;

/// Frames, times and sound of what becomes of a clip.
fn streams(bench: &Bench, clip: &str, more: &[&str]) -> String {
    let all = [&[clip, "out.nut", "-y", "-q", "--backend", "cpu", "-f", "tmix=3", "--lossless"], more].concat();
    bench.pass(&all);
    let listing = bench.ffmpeg(&["-i", "out.nut", "-map", "0", "-c", "copy", "-f", "framemd5", "-"]);
    // Which packet comes before which of another stream is not said.
    let mut lines: Vec<_> = String::from_utf8(listing).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    lines.join("\n")
}

fn rows(bench: &Bench, clip: &str, more: &[&str]) -> Vec<String> {
    checksums(&bench.pass(&[&[clip, "hash:", "-q", "--backend", "cpu", "-f", "tmix=3"], more].concat()))
}

/// Groups that are closed, open, without end, without a key frame; times that are not even, that are missing, that begin
/// late; all of a clip and parts of it.
#[test]
fn of_all_kinds_of_clips() {
    let mut random = Random::new(8);
    for (name, codec) in [
        ("closed.mkv", "-c:v libx264 -qp 0 -g 25 -bf 3"),
        ("pyramid.mp4", "-c:v libx264 -qp 0 -g 40 -bf 5 -x264-params open-gop=1:scenecut=0:b-pyramid=normal"),
        ("endless.mkv", "-c:v libx264 -qp 0 -g 9999 -sc_threshold 0"),
        ("refresh.mkv", "-c:v libx264 -qp 20 -g 50 -x264-params intra-refresh=1"),
        ("fields.ts", "-c:v libx264 -qp 5 -g 30 -bf 2 -flags +ildct+ilme"),
        ("hevc.mp4", "-c:v libx265 -x265-params lossless=1:keyint=30:open-gop=1:bframes=4:log-level=none"),
        ("packed.avi", "-c:v mpeg4 -q:v 2 -g 20 -bf 2"),
        ("broadcast.ts", "-c:v mpeg2video -q:v 2 -g 15 -bf 2 -muxdelay 3"),
        ("all.mkv", "-c:v ffv1"),
        ("uneven.mkv", "-vf select='not(eq(mod(n,5),3))' -fps_mode vfr -c:v libx264 -qp 0 -g 20 -bf 2"),
        ("late.mp4", "-output_ts_offset 1.7 -c:v libx264 -qp 0 -g 48 -bf 2"),
        ("vp9.webm", "-c:v libvpx-vp9 -b:v 200k -g 60 -cpu-used 8 -auto-alt-ref 1 -lag-in-frames 16"),
        ("annexb.h264", "-c:v libx264 -qp 0 -g 30 -bf 2"),
    ] {
        let bench = Bench::new();
        make(&bench, name, FRAMES, codec);
        let lanes = random.range(2..=5).to_string();
        let from = format!("{}", random.range(1..=1500) as f64 / 100.0);
        let number = format!("--start=#{}", random.range(1..=400));
        let cuts: [&[&str]; 4] =
            [&[], &["--start", &from], &["--start", &from, "--duration", "2.1"], &[&number, "--frames", "60"]];
        for cut in cuts {
            let whole = rows(&bench, name, cut);
            let got = rows(&bench, name, &[cut, &["--decode-lanes", &lanes]].concat());
            assert!(
                whole.len() > 10 && got == whole,
                "{name} with {lanes} lanes and {cut:?}: {} for {}",
                got.len(),
                whole.len()
            );
        }
    }
}

/// Where files were put behind each other times begin again, and do not tell pictures apart.
#[test]
fn of_times_that_begin_again() {
    let bench = Bench::new();
    let mut both = Vec::new();
    for (name, more) in [("one.ts", "-vf hue=h=60"), ("two.ts", "-vf hue=h=120")] {
        make(&bench, name, 300, &format!("{more} -c:v libx264 -qp 0 -g 20 -bf 2"));
        both.extend(std::fs::read(bench.path(name)).unwrap());
    }
    std::fs::write(bench.path("both.ts"), both).unwrap();
    let whole = rows(&bench, "both.ts", &[]);
    assert_eq!(whole.len(), 600);
    assert_eq!(rows(&bench, "both.ts", &["--decode-lanes", "3"]), whole);
}

/// Sound and subtitles come along as with one decoder.
#[test]
fn with_what_comes_along() {
    let bench = Bench::new();
    make(&bench, "in.y4m", FRAMES, "");
    let more = "-i in.y4m -f lavfi -i sine=d=20 -c:v libx264 -qp 0 -g 30 -bf 2 -c:a pcm_s16le in.mkv";
    bench.ffmpeg(&more.split_whitespace().collect::<Vec<_>>());
    let cuts: [&[&str]; 3] = [&[], &["--start", "3.3", "--duration", "9"], &["--frames", "300"]];
    for cut in cuts {
        let whole = streams(&bench, "in.mkv", cut);
        let got = streams(&bench, "in.mkv", &[cut, &["--decode-lanes", "3"]].concat());
        assert!(whole.lines().count() > 400 && got == whole, "{cut:?}: {got}\nfor\n{whole}");
    }
}

/// Chunks of a clip, each decoded by several, are still what one run makes.
#[test]
fn of_chunks() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 20 -bf 2");
    let whole = rows(&bench, "in.mkv", &[]);
    let part = |index: usize| rows(&bench, "in.mkv", &["--chunk", &format!("{index}/2"), "--decode-lanes", "2"]);
    assert_eq!([part(1), part(2)].concat(), whole);
}

/// A file that ends early, or is damaged: as bad as with one decoder, and no worse.
#[test]
fn of_damaged_clips() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 20 -bf 2");
    let bytes = std::fs::read(bench.path("in.mkv")).unwrap();
    std::fs::write(bench.path("torn.mkv"), &bytes[..bytes.len() / 2]).unwrap();
    let lanes = ["--decode-lanes", "3"];
    assert_eq!(
        rows(&bench, "torn.mkv", &[&lanes[..], &["--salvage"]].concat()),
        rows(&bench, "torn.mkv", &["--salvage"])
    );
    assert!(bench.fail(&["torn.mkv", "null:", "--backend", "cpu", "--decode-lanes", "3"]).contains("ends early"));
    let mut bad = bytes;
    let mut random = Random::new(2);
    for _ in 0..30 {
        let at = random.range(bad.len() / 10..=bad.len() - 100);
        bad[at..at + 40].iter_mut().for_each(|byte| *byte = random.below(256) as u8);
    }
    std::fs::write(bench.path("bad.mkv"), bad).unwrap();
    let got = rows(&bench, "bad.mkv", &[&lanes[..], &["--salvage"]].concat());
    let times: Vec<_> =
        got.iter().map(|row| row.split(',').nth(1).unwrap_or_default().trim().parse::<i64>().unwrap()).collect();
    assert!(got.len() > FRAMES / 2 && times.is_sorted_by(|a, b| a < b), "{times:?}");
}

/// What cannot be decoded side by side says so, in a line.
#[test]
fn of_what_has_no_key_frames() {
    let bench = Bench::new();
    make(&bench, "in.mkv", 20, "-c:v libx264 -qp 0");
    let piped = std::fs::read(bench.path("in.mkv")).unwrap();
    let arguments = ["-", "null:", "--backend", "cpu", "--decode-lanes", "2"];
    let output = bench.run(crate::program::binary(), &arguments, &piped);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("a pipe is read once"), "{said}");
    bench.ffmpeg(&["-i", "in.mkv", "%03d.png"]);
    assert!(bench.refuse(&["%03d.png", "null:", "--decode-lanes", "2"]).contains("each image is a separate file"));
    // Frames that are not coded need no decoder.
    bench.pass(&["in.y4m", "null:", "-q", "--backend", "cpu", "--decode-lanes", "2"]);
}

/// What each decoder did is told, also where frames are kept beside what becomes of them, and where noise is measured.
#[test]
fn what_each_did() {
    let bench = Bench::new();
    // More than decoders have ready at a time, so that they go on when the run begins.
    let frames = 1500;
    make(&bench, "in.mkv", frames, "-c:v libx264 -qp 0 -g 20 -bf 2");
    let more: [&[&str]; 3] = [&["-f", "sobel"], &["-f", "sobel", "--compare", "side"], &["-f", "denoise"]];
    for more in more {
        let arguments = ["in.mkv", "null:", "-q", "--backend", "cpu", "--stats", "s.json", "--trace", "t.json", "-y"];
        bench.pass(&[&arguments, more, &["--decode-lanes", "3"]].concat());
        let read = |name: &str| -> Value { serde_json::from_slice(&std::fs::read(bench.path(name)).unwrap()).unwrap() };
        let (stats, trace) = (read("s.json"), read("t.json"));
        let decoders = stats["decoders"].as_array().unwrap();
        let all = |key: &str| decoders.iter().map(|decoder| decoder[key].as_f64().unwrap()).collect::<Vec<_>>();
        // Those by which noise is measured are decoded before the run begins.
        let (most, sum) = (frames as f64, all("frames").iter().sum::<f64>());
        let least = if more.contains(&"denoise") { 1.0 } else { most };
        assert!(decoders.len() == 3 && (least..=most).contains(&sum), "{more:?}: {stats}");
        assert!(all("busy_s").iter().sum::<f64>() > 0.0, "{more:?}: {stats}");
        let events = trace["traceEvents"].as_array().unwrap();
        let named = |event: &&Value| event["ph"] == "M";
        let names: Vec<_> = events.iter().filter(named).filter_map(|event| event["args"]["name"].as_str()).collect();
        assert_eq!(names[..4], ["decode", "decoder 0", "decoder 1", "decoder 2"], "{more:?}");
        for tid in 1..=3 {
            assert!(events.iter().any(|event| event["ph"] == "X" && event["tid"] == tid), "{more:?}: {tid}");
        }
    }
    bench.pass(&["in.mkv", "null:", "-q", "--backend", "cpu", "--stats", "s.json", "-y"]);
    let stats: Value = serde_json::from_slice(&std::fs::read(bench.path("s.json")).unwrap()).unwrap();
    assert_eq!(stats["decoders"], Value::Array(Vec::new()));
}

/// How fast a file is decoded is told for each number of decoders.
#[test]
fn rates() {
    let bench = Bench::new();
    make(&bench, "in.mkv", 200, "-c:v libx264 -qp 0 -g 20");
    let more = ["--decoder", "software", "--repetitions", "1"];
    let said = bench.pass(&[&["bench", "decode", "in.mkv", "--json", "out.json"], &more[..]].concat());
    let said = String::from_utf8(said).unwrap();
    let record: Value = serde_json::from_slice(&std::fs::read(bench.path("out.json")).unwrap()).unwrap();
    let rates = record["decoding"].as_array().unwrap();
    assert!(said.contains("software") && !rates.is_empty());
    for (place, rate) in rates.iter().enumerate() {
        assert!(place > 0 || rate["lanes"] == 1);
        let positive = |key: &str| rate[key]["median"].as_f64().unwrap() > 0.0;
        assert!(positive("fps") && positive("apart_fps") && rate["share"].as_f64().unwrap() > 0.0, "{rate}");
    }
    assert!(bench.fail(&["bench", "decode", "no.mkv"]).contains("no.mkv"));
}

/// Decoders of a GPU that is not there, or that would be of no use.
#[test]
fn of_a_gpu_that_filters_nothing() {
    let bench = Bench::new();
    make(&bench, "in.mkv", 20, "-c:v libx264 -qp 0");
    let refuse = |more: &[&str]| bench.refuse(&[&["in.mkv", "null:", "--decoder", "nvdec"], more].concat());
    assert!(
        refuse(&["--backend", "cpu"])
            .contains("--decoder nvdec: frames are filtered on the CPU; type --decoder software")
    );
    assert!(refuse(&["--strict"]).contains("the GPU's decoder does not; type --decoder software"));
    assert!(refuse(&["--compare", "side"]).contains("--compare needs the frames before filtering"));
    assert!(refuse(&["-f", "denoise"]).contains("measures frames on the CPU"));
    let said =
        String::from_utf8_lossy(&bench.warpreel(&["in.mkv", "null:", "--backend", "cpu", "-v"]).stderr).into_owned();
    assert!(said.contains("decoder: software (frames are filtered on the CPU)"), "{said}");
}
