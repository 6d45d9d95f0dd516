//! FFmpeg's `psnr` and `ssim` as another implementation: every digit that they print.
//!
//! FFmpeg runs without vector instructions: with them its `ssim` counts the last window of a row as equal where a row has one, five,
//! nine … windows.

use proptest::prelude::*;
use serde_json::Value;

use super::json;
use crate::extent;
use crate::program::Bench;

/// What both of FFmpeg's filters take.
const PIXELS: [&str; 16] = [
    "gray",
    "yuv420p",
    "yuv422p",
    "yuv444p",
    "yuv411p",
    "yuv440p",
    "yuv410p",
    "gbrp",
    "gray10le",
    "yuv420p10le",
    "yuv422p12le",
    "yuv444p9le",
    "gbrp10le",
    "gray16le",
    "yuv420p16le",
    "yuv444p14le",
];

/// With opacity, which only `psnr` takes.
const ALPHA: [&str; 3] = ["yuva420p", "gbrap", "yuva444p10le"];

/// Samples of the second clip: those of the first with some noise; the second frame is left as it is.
fn noisy(clip: &[u8], depth: u32, frames: usize) -> Vec<u8> {
    let peak = (1i32 << depth) - 1;
    let size = clip.len() / frames;
    let offset = |place: usize| match place / size {
        1 => 0,
        frame => ((place * 7919 + place / 13 * 31) % (9 + 8 * frame)) as i32 - 4,
    };
    match depth {
        8 => clip.iter().enumerate().map(|(at, &value)| (i32::from(value) + offset(at)).clamp(0, peak) as u8).collect(),
        _ => {
            let values = clip.chunks_exact(2).enumerate().map(|(at, pair)| {
                let value = i32::from(u16::from_le_bytes([pair[0], pair[1]]));
                ((value + (offset(2 * at) << (depth - 8))).clamp(0, peak) as u16).to_le_bytes()
            });
            values.flatten().collect()
        }
    }
}

/// Bits of a sample of a pixel format.
fn depth(pixel: &str) -> u32 {
    let digits: String = pixel.trim_end_matches("le").chars().rev().take_while(char::is_ascii_digit).collect();
    let depth: String = digits.chars().rev().collect();
    depth.parse().ok().filter(|depth| (9..=16).contains(depth)).unwrap_or(8)
}

/// The fields of a line of FFmpeg's statistics: `n:1 mse_avg:0.50 …`.
fn fields(line: &str) -> Vec<(String, String)> {
    let pair = |word: &str| word.split_once(':').map(|(key, value)| (key.to_lowercase(), value.to_owned()));
    line.split_whitespace().filter_map(pair).collect()
}

/// Checks our values of a metric against a file of FFmpeg's. `key` is our name for its.
fn check(
    ours: &[Value],
    theirs: &str,
    digits: usize,
    key: impl Fn(&str) -> Option<String>,
) -> Result<(), TestCaseError> {
    let lines: Vec<&str> = theirs.lines().collect();
    prop_assert_eq!(lines.len() + 1, ours.len(), "a line a frame, and the summary");
    let mut compared = 0;
    for (line, ours) in lines.iter().zip(ours) {
        for (name, value) in fields(line) {
            let Some(key) = key(&name) else { continue };
            let own = match &ours[&key] {
                Value::Null => "inf".to_owned(),
                value => format!("{:.digits$}", value.as_f64().expect("a number")),
            };
            prop_assert_eq!(&own, &value, "{} of {}", key, line);
            compared += 1;
        }
    }
    prop_assert!(compared >= 2 * lines.len(), "{} values of {}", compared, theirs);
    Ok(())
}

/// FFmpeg's name of a value of PSNR as ours: of grey there is but one plane.
fn psnr(name: &str, planes: usize) -> Option<String> {
    match name {
        "psnr_avg" => Some("psnr".to_owned()),
        _ if name.starts_with("psnr_") && planes > 1 => Some(name.to_owned()),
        "psnr_y" => Some("psnr".to_owned()),
        _ => None,
    }
}

/// The same of SSIM.
fn ssim(name: &str, planes: usize) -> Option<String> {
    match name {
        "all" => Some("ssim".to_owned()),
        "y" | "u" | "v" | "r" | "g" | "b" if planes > 1 => Some(format!("ssim_{name}")),
        "y" => Some("ssim".to_owned()),
        _ => None,
    }
}

/// Two clips of three frames in files, and what FFmpeg's filters say of them: statistics of frames, and the last line.
fn compare(bench: &Bench, pixel: &str, size: &str, filters: &[&str]) -> Vec<(String, String)> {
    let noise = format!("nullsrc=size={size}:rate=25,geq=random(1)*255:128+90*sin(X*Y+N):random(2)*255");
    let made = ["-f", "lavfi", "-i", &noise, "-frames:v", "3", "-pix_fmt", pixel, "-f", "rawvideo", "-"];
    let clip = bench.ffmpeg(&made);
    std::fs::write(bench.path("a.raw"), &clip).unwrap();
    std::fs::write(bench.path("b.raw"), noisy(&clip, depth(pixel), 3)).unwrap();
    let raw = |name| ["-f", "rawvideo", "-pix_fmt", pixel, "-s", size, "-r", "25", "-i", name];
    let told = |filter: &&str| {
        let graph = format!("{filter}=stats_file={filter}.log");
        let tail = ["-lavfi", &graph, "-f", "null", "-"];
        let all = [&["-hide_banner", "-nostdin", "-cpuflags", "0"][..], &raw("b.raw"), &raw("a.raw"), &tail].concat();
        let output = bench.run("ffmpeg", &all, b"");
        assert!(output.status.success(), "{all:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        let last = said.lines().rfind(|line| line.contains("Parsed_")).expect("a summary").to_owned();
        (std::fs::read_to_string(bench.path(&format!("{filter}.log"))).unwrap(), last)
    };
    filters.iter().map(told).collect()
}

/// A figure of FFmpeg's last line.
fn figure(line: &str, name: &str) -> f64 {
    let found = fields(line).into_iter().find(|(key, _)| key == name);
    found.unwrap_or_else(|| panic!("{name} in {line}")).1.parse().unwrap()
}

fn agree(cases: u32, pixels: &'static [&'static str], filters: &'static [&'static str]) {
    let mut runner = extent::runner(cases);
    let case = (prop::sample::select(pixels), 32..90u32, 32..70u32);
    let outcome = runner.run(&case, |(pixel, width, height)| {
        let (bench, size) = (Bench::new(), format!("{width}x{height}"));
        let told = compare(&bench, pixel, &size, filters);
        let raw = format!("{pixel}:{size}@25");
        let ours = json(&bench, &["a.raw", "b.raw", "--raw", &raw]);
        let planes = if pixel.starts_with("gray") { 1 } else { 3 };
        let clip = &ours.last().expect("a summary")["summary"];
        for (filter, (frames, last)) in filters.iter().zip(&told) {
            let (own, theirs) = match *filter {
                "psnr" => {
                    check(&ours, frames, 2, |name| psnr(name, planes))?;
                    (&clip["psnr"]["clip"], figure(last, "average"))
                }
                _ => {
                    check(&ours, frames, 6, |name| ssim(name, planes))?;
                    (&clip["ssim"]["clip"], figure(last, "all"))
                }
            };
            let own = own.as_f64().expect("a number");
            prop_assert!((own - theirs).abs() < 1.5e-6, "{} of {} {}: {} and {}", filter, pixel, size, own, last);
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn every_digit_of_ffmpegs_psnr_and_ssim() {
    agree(40, &PIXELS, &["psnr", "ssim"]);
}

#[test]
fn every_digit_of_ffmpegs_psnr_with_opacity() {
    agree(9, &ALPHA, &["psnr"]);
}

/// A clip as people compare it: encoded, with losses, in a container.
#[test]
fn an_encoded_clip_has_the_digits_that_ffmpeg_prints() {
    let bench = Bench::new();
    let sample = crate::program::sample("bigbuckbunny-720p.mp4");
    let sample = sample.to_str().unwrap();
    bench.ffmpeg(&["-i", sample, "-frames:v", "12", "-c:v", "ffv1", "a.mkv"]);
    bench.ffmpeg(&["-i", "a.mkv", "-c:v", "libx264", "-crf", "36", "-preset", "ultrafast", "b.mkv"]);
    let ours = json(&bench, &["a.mkv", "b.mkv"]);
    for (filter, digits) in [("psnr", 2), ("ssim", 6)] {
        // By number: by time FFmpeg pairs frames whose times were rounded with others.
        let graph = format!("[0:v]setpts=N[b];[1:v]setpts=N[a];[b][a]{filter}=stats_file={filter}.log");
        bench.ffmpeg(&["-cpuflags", "0", "-i", "b.mkv", "-i", "a.mkv", "-lavfi", &graph, "-f", "null", "-"]);
        let theirs = std::fs::read_to_string(bench.path(&format!("{filter}.log"))).unwrap();
        let key = |name: &str| if filter == "psnr" { psnr(name, 3) } else { ssim(name, 3) };
        check(&ours, &theirs, digits, key).unwrap();
    }
}
