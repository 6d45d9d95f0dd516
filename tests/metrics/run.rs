//! `--metrics`: frames of a job, measured against those of its input as they pass.

use std::fs;

use serde_json::Value;

use super::{grey, json};
use crate::program::{Bench, signalled, succeeded};

/// A noisy clip of 10 frames.
fn source(bench: &Bench, pixel: &str, more: &[&str]) {
    let picture = "testsrc2=s=96x64:r=25:d=0.4,noise=alls=20:all_seed=7";
    let into = ["-pix_fmt", pixel, "-c:v", "ffv1", "in.mkv"];
    bench.ffmpeg(&[&["-f", "lavfi", "-i", picture][..], more, &into].concat());
}

/// The lines of a file of JSON lines.
fn lines(bench: &Bench, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(bench.path(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The values of frames alone.
fn frames(lines: &[Value]) -> Vec<Value> {
    let without = |line: &Value| {
        let mut line = line.clone();
        let fields = line.as_object_mut().unwrap();
        fields.retain(|name, _| name != "frame" && name != "time");
        line
    };
    lines.iter().filter(|line| line.get("frame").is_some()).map(without).collect()
}

/// What a run says of its frames is what `metrics` says of its input and its output afterwards, all digits.
#[test]
fn the_values_are_those_of_the_two_files() {
    let all = "psnr,ssim,xpsnr,ssimulacra2";
    for (pixel, chain, more) in [
        ("yuv420p", "gaussian=sigma=2", &[][..]),
        ("yuv420p", "tmix=5,median", &["--threads", "1"]),
        ("yuv422p10le", "nlmeans=s=3", &["--start", "#3", "--frames", "5"]),
        ("gbrp", "invert", &[]),
        ("gray", "sharpen", &["--compare", "split"]),
        ("yuva444p", "box", &["--chunk", "2/3"]),
        ("yuv420p", "denoise", &[]),
        ("yuv420p", "", &[]),
    ] {
        let bench = Bench::new();
        source(&bench, pixel, &[]);
        let filter: &[&str] = if chain.is_empty() { &[] } else { &["-f", chain] };
        let own = ["in.mkv", "out.mkv", "--codec", "ffv1", "--backend", "cpu", "-q", "--metrics", all];
        let told = ["--metrics-file", "m.jsonl", "--stats", "stats.json"];
        bench.pass(&[&own[..], filter, &told, more].concat());
        let (other, cut): (&str, &[&str]) = match more {
            [option @ ("--start" | "--chunk"), ..] => {
                let part = if *option == "--start" { more } else { &["--start", "#3", "--frames", "3"] };
                bench.pass(&[&["in.mkv", "part.mkv", "--codec", "ffv1", "-q"], part].concat());
                ("out.mkv", &["part.mkv"])
            }
            // The picture holds both.
            ["--compare", ..] => {
                bench.pass(&[&["in.mkv", "alone.mkv", "--codec", "ffv1", "-q", "--backend", "cpu"], filter].concat());
                ("alone.mkv", &["in.mkv"])
            }
            _ => ("out.mkv", &["in.mkv"]),
        };
        let wanted = json(&bench, &[cut, &[other]].concat());
        let found = lines(&bench, "m.jsonl");
        assert_eq!(frames(&found), frames(&wanted), "{pixel} {chain} {more:?}");
        let stats: Value = serde_json::from_slice(&fs::read(bench.path("stats.json")).unwrap()).unwrap();
        let [found, wanted] = [&found, &wanted].map(|lines| lines.last().unwrap());
        assert_eq!(found["summary"], wanted["summary"], "{pixel} {chain} {more:?}");
        assert_eq!(stats["metrics"], *found);
    }
}

/// Where frames change their size or their number, each is measured against the one that it was made of, scaled.
#[test]
fn other_sizes_and_counts_are_measured_against_what_frames_were_made_of() {
    let bench = Bench::new();
    source(&bench, "yuv420p", &["-vf", "tinterlace=interleave_top", "-field_order", "tt"]);
    for (chain, reference) in
        [("scale=48:32:kernel=lanczos", "scale=48:32:kernel=bilinear"), ("bwdif=mode=send_field", "fps=25")]
    {
        let own = ["--codec", "ffv1", "--backend", "cpu", "-q", "-y"];
        let run = ["in.mkv", "out.mkv", "-f", chain, "--metrics", "psnr,ssim", "--metrics-file", "m.jsonl"];
        let own = [&own[..], &["--fields", "frame"]].concat();
        bench.pass(&[&run[..], &own].concat());
        bench.pass(&[&["in.mkv", "was.mkv", "-f", reference][..], &own].concat());
        let wanted = json(&bench, &["was.mkv", "out.mkv", "-m", "psnr,ssim"]);
        assert_eq!(frames(&lines(&bench, "m.jsonl")), frames(&wanted), "{chain}");
    }
}

/// Each input of several has its own lines, a run that is stopped those of its part, and a failed run writes nothing.
#[test]
fn figures_are_printed_at_the_end() {
    let bench = Bench::new();
    fs::write(bench.path("a.y4m"), grey((32, 16), &[10, 10, 10])).unwrap();
    fs::write(bench.path("b.y4m"), grey((32, 16), &[10, 10])).unwrap();
    let said = |arguments: &[&str]| String::from_utf8(bench.warpreel(arguments).stderr).unwrap();
    let run = ["a.y4m", "out.y4m", "-f", "gain=1.2:range=full", "--backend", "cpu", "--metrics", "psnr,ssim"];
    let text = said(&run);
    // Two levels throughout: 20 lg(255 / 2).
    assert!(text.contains("psnr 42.1102, lowest 42.1102 at frame #0 (0.000 s)\n"), "{text}");
    assert!(text.contains("ssim 0.9") && text.contains(" at frame "), "{text}");
    let text =
        said(&["a.y4m", "b.y4m", "-o", "all/", "-f", "gain=1.2:range=full", "--backend", "cpu", "--metrics", "psnr"]);
    for name in ["a.y4m", "b.y4m"] {
        assert!(text.contains(&format!("{name}: psnr 42.1102")), "{text}");
    }
    let text = said(&["a.y4m", "null:", "--backend", "cpu", "--metrics", "psnr"]);
    assert!(text.contains("psnr inf\n"), "{text}");

    fs::write(bench.path("cut.y4m"), &grey((32, 16), &[10, 20, 30])[..1000]).unwrap();
    let run = ["cut.y4m", "null:", "--backend", "cpu", "--metrics", "psnr", "--metrics-file", "m.csv"];
    bench.fail(&run);
    assert!(!bench.names().contains(&"m.csv".to_owned()));
    bench.pass(&[&run[..], &["--salvage", "-q"]].concat());
    assert_eq!(fs::read_to_string(bench.path("m.csv")).unwrap(), "frame,time,psnr\n0,0.000000,inf\n");
    bench.pass(&["a.y4m", "null:", "-q", "-f", "box", "--metrics", "psnr", "--metrics-file", "m.html"]);
    let page = fs::read_to_string(bench.path("m.html")).unwrap();
    assert!(page.contains("compared with a.y4m: 3 frames"), "{page}");
}

#[test]
#[cfg(unix)]
fn a_run_that_is_stopped_tells_of_its_part() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=640x360:d=20", "-pix_fmt", "yuv420p", "in.y4m"]);
    let mut program = signalled();
    program.args(["in.y4m", "out.mkv", "-q", "--backend", "cpu", "--threads", "1", "-f", "nlmeans=s=4"]);
    program.args(["--metrics", "psnr", "--metrics-file", "m.csv", "--stats", "stats.json"]);
    let mut child = program.current_dir(bench.path("")).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(4));
    succeeded(bench.run("kill", &["-INT", &child.id().to_string()], b""), &[]);
    child.wait().unwrap();
    let stats: Value = serde_json::from_slice(&fs::read(bench.path("stats.json")).unwrap()).unwrap();
    let count = stats["frames"].as_u64().unwrap();
    assert!(count > 0 && count < 500, "{stats}");
    assert_eq!(stats["metrics"]["frames"].as_u64(), Some(count));
    let rows = fs::read_to_string(bench.path("m.csv")).unwrap().lines().count() as u64;
    assert_eq!(rows, count + 1);
}

/// What cannot be measured, and what is typed wrong.
#[test]
fn mistakes_are_answered_before_anything_is_written() {
    let bench = Bench::new();
    fs::write(bench.path("a.y4m"), grey((32, 16), &[10, 20, 30])).unwrap();
    for (arguments, fault) in [
        (&["out.y4m", "--metrics", "vmaf"][..], "vmaf"),
        (&["out.y4m", "--metrics-file", "m.csv"], "--metrics"),
        (&["out.y4m", "--metrics", "psnr", "--metrics-file", "m.txt"], "ends in none of .jsonl, .csv and .html"),
        (&["out.mkv", "--metrics", "psnr", "--resume"], "--metrics needs decoded frames"),
        (&["out.mkv", "--metrics", "psnr", "--video", "all"], "--metrics measures one"),
        (&["-o", "all/", "--metrics", "psnr", "--metrics-file", "m.csv"], "--metrics-file"),
        (&["out.mkv", "--chunks-from", "p%d.nut", "--codec", "copy", "--metrics", "psnr"], "--metrics has no effect"),
    ] {
        let said = bench.refuse(&[&["a.y4m"], arguments].concat());
        assert!(said.contains(fault), "{arguments:?}: {said}");
    }
    let said = bench.refuse(&["explain", "a.y4m", "--metrics", "psnr"]);
    assert!(said.contains("--metrics needs an output"), "{said}");
    assert_eq!(bench.names(), ["a.y4m"]);
}
