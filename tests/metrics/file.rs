//! What `metrics` writes and prints.

use std::fs;

use super::{grey, json};
use crate::program::{Bench, binary, succeeded};

/// A clip of frames that differ from those of the other by 0, 1, 2, … levels, the largest in the middle.
fn pair(bench: &Bench) {
    let levels: Vec<u8> = (0..12).chain((0..13).rev()).collect();
    fs::write(bench.path("a.y4m"), grey((24, 16), &[100; 25])).unwrap();
    let other: Vec<u8> = levels.iter().map(|level| 100 + level).collect();
    fs::write(bench.path("b.y4m"), grey((24, 16), &other)).unwrap();
}

#[test]
fn a_line_of_json_for_each_frame_and_one_of_the_clip() {
    let bench = Bench::new();
    pair(&bench);
    let lines = json(&bench, &["a.y4m", "b.y4m"]);
    assert_eq!(lines.len(), 26);
    for (number, line) in lines[..25].iter().enumerate() {
        assert_eq!(line["frame"], number);
        assert!((line["time"].as_f64().unwrap() - number as f64 / 25.0).abs() < 1e-9, "{line}");
    }
    // Without an error there are no decibels.
    assert!(lines[0]["psnr"].is_null() && lines[0]["ssim"] == 1.0, "{}", lines[0]);
    let db = |level: f64| 20.0 * (255.0 / level).log10();
    assert!((lines[3]["psnr"].as_f64().unwrap() - db(3.0)).abs() < 1e-9, "{}", lines[3]);
    let last = &lines[25];
    assert_eq!(last["frames"], 25);
    assert!(last["format"].as_str().unwrap().starts_with("gray 24x16"), "{last}");
    let psnr = &last["summary"]["psnr"];
    let mean: f64 = (0..25).map(|n: i32| f64::from(if n < 12 { n } else { 24 - n }).powi(2)).sum::<f64>() / 25.0;
    let close = |value: &serde_json::Value, wanted: f64| (value.as_f64().unwrap() - wanted).abs() < 1e-9;
    assert!(close(&psnr["clip"], db(mean.sqrt())), "{psnr}");
    assert!(psnr["mean"].is_null(), "two frames are equal: {psnr}");
    // Of 25 frames sorted by their values: the first, the first, the second, the thirteenth.
    let wanted = [("min", db(12.0)), ("p1", db(12.0)), ("p5", db(11.0)), ("p50", db(6.0))];
    wanted.iter().for_each(|(name, value)| assert!(close(&psnr[*name], *value), "{name}: {psnr}"));
    let worst: Vec<u64> =
        last["worst"]["psnr"].as_array().unwrap().iter().map(|frame| frame["frame"].as_u64().unwrap()).collect();
    assert_eq!(worst, [12, 11, 13, 10, 14, 9, 15, 8, 16, 7]);
    assert!(close(&last["worst"]["psnr"][0]["time"], 0.48) && close(&last["worst"]["psnr"][0]["value"], db(12.0)));
}

#[test]
fn a_line_of_csv_for_each_frame() {
    let bench = Bench::new();
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc=size=32x32:rate=10:duration=1",
        "-pix_fmt",
        "yuva420p",
        "-c:v",
        "ffv1",
        "a.mkv",
    ]);
    bench.pass(&["metrics", "a.mkv", "a.mkv", "--csv", "out.csv", "-m", "ssim,psnr"]);
    let text = fs::read_to_string(bench.path("out.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "frame,time,ssim,ssim_y,ssim_u,ssim_v,ssim_a,psnr,psnr_y,psnr_u,psnr_v,psnr_a");
    assert_eq!(lines[3], "2,0.200000,1.000000,1.000000,1.000000,1.000000,1.000000,inf,inf,inf,inf,inf");
    assert_eq!(lines.len(), 11);
    // What is there stays, unless it may be replaced.
    let error = bench.fail(&["metrics", "a.mkv", "a.mkv", "--csv", "out.csv"]);
    assert!(error.contains("out.csv"), "{error}");
    bench.pass(&["metrics", "a.mkv", "a.mkv", "--csv", "out.csv", "-y"]);
}

#[test]
fn planes_below_eight_samples_have_no_similarity() {
    let bench = Bench::new();
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc=size=12x10:rate=10:duration=0.2",
        "-pix_fmt",
        "yuv420p",
        "-c:v",
        "ffv1",
        "a.mkv",
    ]);
    let lines = json(&bench, &["a.mkv", "a.mkv"]);
    assert!(lines[0]["ssim"] == 1.0 && lines[0]["ssim_y"] == 1.0 && lines[0]["ssim_u"].is_null(), "{}", lines[0]);
    let text = String::from_utf8(bench.pass(&["metrics", "a.mkv", "a.mkv", "--csv", "-", "-m", "ssim"])).unwrap();
    assert_eq!(text.lines().nth(1), Some("0,0.000000,1.000000,1.000000,,"));
}

#[test]
fn the_tables_list_percentiles_and_the_worst_frames() {
    let bench = Bench::new();
    pair(&bench);
    let text = String::from_utf8(bench.pass(&["metrics", "a.y4m", "b.y4m"])).unwrap();
    assert!(text.starts_with("25 frames, gray 24x16 at 25 fps\n"), "{text}");
    let row = |name: &str| -> Vec<&str> {
        let found = text.lines().find(|line| line.split_whitespace().next() == Some(name));
        found.unwrap_or_else(|| panic!("{name} in {text}")).split_whitespace().collect()
    };
    assert_eq!(row("clip"), ["clip", "mean", "min", "p1", "p5", "p50"]);
    assert_eq!(row("psnr"), ["psnr", "31.4806", "inf", "26.5472", "26.5472", "27.3029", "32.5678"]);
    let worst = row("1");
    assert_eq!(worst[..5], ["1", "26.5472", "#12", "0.480", "s"], "{text}");
    assert!(row("10")[2] == "#7" && !text.contains("\n11 "), "{text}");
}

#[test]
fn equal_clips_have_no_worst_frames_of_psnr() {
    let bench = Bench::new();
    pair(&bench);
    let lines = json(&bench, &["a.y4m", "a.y4m", "-m", "psnr"]);
    assert!(lines[25]["worst"]["psnr"].as_array().unwrap().is_empty(), "{}", lines[25]);
    let text = String::from_utf8(bench.pass(&["metrics", "a.y4m", "a.y4m", "-m", "psnr"])).unwrap();
    assert!(text.contains("inf") && !text.contains("worst"), "{text}");
}

#[test]
fn either_clip_may_be_a_pipe_and_raw_frames() {
    let bench = Bench::new();
    pair(&bench);
    let [a, b] = ["a.y4m", "b.y4m"].map(|name| fs::read(bench.path(name)).unwrap());
    let named = bench.pass(&["metrics", "a.y4m", "b.y4m"]);
    for (input, arguments) in [(&b, ["metrics", "a.y4m", "-"]), (&a, ["metrics", "-", "b.y4m"])] {
        assert_eq!(succeeded(bench.run(binary(), &arguments, input), &arguments), named);
    }
    // Samples alone, whose format and rate are typed; the other one has its own.
    let raw = bench.pass(&["b.y4m", "-", "--container", "raw"]);
    fs::write(bench.path("b.raw"), &raw).unwrap();
    assert_eq!(bench.pass(&["metrics", "a.y4m", "b.raw", "--raw", "gray:24x16@25"]), named);
    assert_eq!(bench.pass(&["metrics", "a.y4m", "b.raw", "--raw", "gray:24x16", "--fps", "25"]), named);
    let arguments = ["metrics", "a.y4m", "-", "--raw", "gray:24x16@25"];
    assert_eq!(succeeded(bench.run(binary(), &arguments, &raw), &arguments), named);
}

/// The part of a clip keeps its numbers and times.
#[test]
fn a_part_of_both_clips() {
    let bench = Bench::new();
    pair(&bench);
    let lines = json(&bench, &["a.y4m", "b.y4m", "--start", "#10", "--frames", "4"]);
    assert_eq!(lines.len(), 5);
    assert!(lines[0]["frame"] == 10 && (lines[0]["time"].as_f64().unwrap() - 0.4).abs() < 1e-9, "{}", lines[0]);
    let whole = json(&bench, &["a.y4m", "b.y4m"]);
    assert_eq!(lines[..4], whole[10..14]);
}

/// Threads change nothing.
#[test]
fn any_number_of_threads_gives_the_same_text() {
    let bench = Bench::new();
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc2=size=320x180:rate=10:duration=1",
        "-pix_fmt",
        "yuv420p",
        "-c:v",
        "ffv1",
        "a.mkv",
    ]);
    bench.ffmpeg(&["-i", "a.mkv", "-vf", "noise=alls=20", "-c:v", "ffv1", "b.mkv"]);
    let one = bench.pass(&["metrics", "a.mkv", "b.mkv", "--json", "-", "--threads", "1"]);
    for threads in ["2", "7"] {
        assert_eq!(bench.pass(&["metrics", "a.mkv", "b.mkv", "--json", "-", "--threads", threads]), one);
    }
}

#[test]
fn a_page_plots_each_metric_and_needs_nothing_else() {
    let bench = Bench::new();
    pair(&bench);
    fs::rename(bench.path("b.y4m"), bench.path("b <&\"> .y4m")).unwrap();
    bench.pass(&["metrics", "a.y4m", "b <&\"> .y4m", "--html", "page.html"]);
    let page = fs::read_to_string(bench.path("page.html")).unwrap();
    assert!(page.contains("b &lt;&amp;&quot;&gt; .y4m") && !page.contains("b <"), "{page}");
    for sign in ["src=", "@import", "url(", "http", "<script", "NaN", "inf\""] {
        assert!(!page.contains(sign), "{sign}");
    }
    let plots: Vec<&str> = page.split("<svg").skip(1).map(|rest| rest.split("</svg>").next().unwrap()).collect();
    assert_eq!(plots.len(), warpreel::metrics::Metric::ALL.len());
    for plot in plots {
        let plot = format!("<svg{plot}</svg>");
        let document = roxmltree::Document::parse(&plot).unwrap();
        let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
        assert_eq!((count("path"), count("circle"), count("text")), (1, 10, 4), "{plot}");
        let path = document.descendants().find(|node| node.has_tag_name("path")).unwrap();
        let path = path.attribute("d").unwrap();
        assert_eq!(path.matches(['M', 'L']).count(), 25, "a point for each frame: {path}");
    }
    // Frames so small have no blocks: their XPSNR is their PSNR.
    assert_eq!(page.matches("<title>26.5472, #12, 0.480 s</title>").count(), 2, "the worst frame has its words");
}
