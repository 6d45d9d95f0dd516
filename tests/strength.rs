//! Denoisers on noisy clips: strengths that follow the noise gain what fixed ones do not, and who typed one far off is told.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::agreement::Random;
use crate::program::{Bench, binary, ended, succeeded};

const WIDTH: usize = 96;
const HEIGHT: usize = 64;
const FRAMES: usize = 12;

/// A sample of a frame without noise: a slope, an edge that moves and a fine pattern.
fn clean(at: usize) -> f64 {
    let (frame, at) = (at / (WIDTH * HEIGHT * 3 / 2), at % (WIDTH * HEIGHT * 3 / 2));
    let (width, at) =
        if at < WIDTH * HEIGHT { (WIDTH, at) } else { (WIDTH / 2, (at - WIDTH * HEIGHT) % (WIDTH * HEIGHT / 4)) };
    let (x, y) = (at % width, at / width);
    let edge = if x > width / 3 + frame { 60.0 } else { 0.0 };
    let pattern = if x < width / 4 { 12.0 * ((x / 2 + y / 2) % 2) as f64 } else { 0.0 };
    60.0 + 0.4 * y as f64 + edge + pattern
}

/// A raw clip of 4:2:0 with normal noise in all planes, of that deviation in steps of 8 bits.
fn noisy(bits: u32, deviation: f64) -> Vec<u8> {
    let mut random = Random::new(5);
    let mut normal = || (0..12).map(|_| random.below(1 << 16) as f64 / 65536.0).sum::<f64>() - 6.0;
    let scale = f64::from(1u32 << (bits - 8));
    let samples = (0..FRAMES * WIDTH * HEIGHT * 3 / 2)
        .map(|at| ((clean(at) + deviation * normal()) * scale).round().clamp(0.0, 256.0 * scale - 1.0) as u16);
    match bits {
        8 => samples.map(|sample| sample as u8).collect(),
        _ => samples.flat_map(u16::to_le_bytes).collect(),
    }
}

/// PSNR of all planes against the clip without noise, in dB.
fn psnr(bits: u32, clip: &[u8]) -> f64 {
    let scale = f64::from(1u32 << (bits - 8));
    let samples: Vec<f64> = match bits {
        8 => clip.iter().map(|sample| f64::from(*sample)).collect(),
        _ => clip.chunks_exact(2).map(|pair| f64::from(u16::from_le_bytes([pair[0], pair[1]]))).collect(),
    };
    assert_eq!(samples.len(), FRAMES * WIDTH * HEIGHT * 3 / 2);
    let squares = samples.iter().enumerate().map(|(at, sample)| (sample / scale - clean(at)).powi(2));
    10.0 * (255.0 * 255.0 * samples.len() as f64 / squares.sum::<f64>()).log10()
}

fn spec(bits: u32) -> String {
    let pixel = if bits == 8 { "yuv420p".to_owned() } else { format!("yuv420p{bits}le") };
    format!("{pixel}:{WIDTH}x{HEIGHT}@25")
}

/// Filters a file of raw frames; what came out, and what was said.
fn filtered(bench: &Bench, bits: u32, chain: &str) -> (Vec<u8>, String) {
    let raw = spec(bits);
    let all = ["in.yuv", "-", "--container", "raw", "--raw", &raw, "--backend", "cpu", "-f", chain];
    let output = bench.run(binary(), &all, &[]);
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    (succeeded(output, &all), said)
}

/// Noise of 7 has 31.2 dB. The defaults, which are made for less, gain 1 dB at most, and the strengths that follow the noise 3 to 6.
#[test]
fn strengths_that_follow_the_noise_gain() {
    let bench = Bench::new();
    for bits in [8, 10] {
        let clip = noisy(bits, 7.0);
        std::fs::write(bench.path("in.yuv"), &clip).unwrap();
        let before = psnr(bits, &clip);
        for (fixed, automatic, gain) in [
            ("nlmeans", "nlmeans=s=auto", 5.0),
            ("atadenoise", "atadenoise=auto", 3.5),
            ("bilateral=sigma_r=0.01", "bilateral=sigma_r=auto", 4.0),
            ("bilateral3d=sigma_r=0.01", "bilateral3d=sigma_r=auto", 4.0),
            ("degrain", "degrain=thsad=auto", 4.0),
            ("bm3d=sigma=2", "bm3d=sigma=auto", 6.0),
            ("denoise=luma=3", "denoise", 6.0),
            ("denoise=luma=3", "denoise=light", 3.0),
        ] {
            let gained = |chain: &str| psnr(bits, &filtered(&bench, bits, chain).0) - before;
            let [few, many] = [fixed, automatic].map(gained);
            assert!(few < 1.5 && many > gain, "{bits} bits: {fixed} gains {few:.2} dB, {automatic} {many:.2}");
        }
    }
}

/// How far a typed strength is from the noise is said once, by runs and by `explain`, and not with `-q`.
#[test]
fn a_strength_far_off_is_remarked_on() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.yuv"), noisy(8, 7.0)).unwrap();
    // Long lines of `explain` are folded, also within a call.
    let unfolded = |text: &str| text.split_whitespace().collect::<String>();
    let raw = spec(8);
    for (chain, start, end) in [
        (
            "nlmeans=p=3:r=5",
            "nlmeans: the noise measures ",
            " and s=1 removes little; type nlmeans=s=auto:p=3:r=5, or denoise",
        ),
        ("denoise=luma=1,denoise", "denoise: the noise measures ", " and luma=1 removes little; type denoise"),
        (
            "bm3d=sigma=40",
            "bm3d: the noise measures ",
            " and sigma=40 removes detail too; type bm3d=sigma=auto, or denoise",
        ),
    ] {
        let (start, end) = (unfolded(start), unfolded(end));
        let told = |text: &[u8]| {
            let text = unfolded(&String::from_utf8_lossy(text));
            let at = text.find(&start).unwrap_or_else(|| panic!("{chain}: {text}"));
            let number: f64 = text[at + start.len()..].split("and").next().unwrap().parse().unwrap();
            assert!((number - 7.0).abs() < 0.7 && text.contains(&end), "{chain}: {text}");
            assert_eq!(text.matches(&start).count(), 1, "{chain}: {text}");
        };
        told(filtered(&bench, 8, chain).1.as_bytes());
        told(&bench.pass(&["explain", "in.yuv", "--raw", &raw, "-f", chain]));
        told(&bench.pass(&["explain", "in.yuv", "null:", "--raw", &raw, "-f", chain]));
        let json = bench.pass(&["explain", "in.yuv", "--raw", &raw, "-f", chain, "--json"]);
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        told(json["filters"][0]["remark"].as_str().unwrap().as_bytes());
        let quiet =
            ["in.yuv", "null:", "--raw", &raw, "-f", chain, "-q", "--backend", "cpu", "--stats", "s.json", "-y"];
        let quiet = bench.warpreel(&quiet);
        assert!(quiet.status.success() && quiet.stderr.is_empty(), "{quiet:?}");
        let stats = std::fs::read(bench.path("s.json")).unwrap();
        let stats: serde_json::Value = serde_json::from_slice(&stats).unwrap();
        told(stats["remark"].as_str().unwrap().as_bytes());
    }
    // Where another filter is before it, the noise is not that of the clip; where it fits, there is nothing to say.
    for chain in ["gaussian=1,nlmeans=p=3:r=5", "nlmeans=s=3:p=3:r=5", "nlmeans=p=3:r=5:planes=uv", "gaussian"] {
        let said = filtered(&bench, 8, chain).1;
        assert!(!said.contains("the noise measures"), "{chain}: {said}");
    }
}

/// Parts measure their own beginning, the bytes are those without a measurement, and batches name the clip.
#[test]
fn remarks_change_nothing_else() {
    let bench = Bench::new();
    let clip = noisy(8, 7.0);
    std::fs::write(bench.path("in.yuv"), &clip).unwrap();
    let raw = spec(8);
    let chain = "nlmeans=p=3:r=5:frames=1";
    let (whole, said) = filtered(&bench, 8, chain);
    assert!(said.contains("removes little"), "{said}");
    let piped = ["-", "-", "--container", "raw", "--raw", &raw, "--backend", "cpu", "-f", chain];
    let output = bench.run(binary(), &piped, &clip);
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(said.matches("removes little").count() == 1, "a stream is measured as it passes: {said}");
    assert!(succeeded(output, &piped) == whole);
    let frame = whole.len() / FRAMES;
    let part = ["in.yuv", "-", "--container", "raw", "--raw", &raw, "-f", chain, "--start=#5", "--frames=3", "-q"];
    assert!(bench.pass(&part) == whole[5 * frame..8 * frame]);
    let pairs =
        bench.pass(&["in.yuv", "-", "--container", "raw", "--raw", &raw, "-f", chain, "--compare", "side", "-q"]);
    assert_eq!(pairs.len(), 2 * whole.len());
    bench.ffmpeg(&[
        "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "96x64", "-r", "25", "-i", "in.yuv", "-c:v", "ffv1", "a.mkv",
    ]);
    std::fs::copy(bench.path("a.mkv"), bench.path("b.mkv")).unwrap();
    let output = bench.warpreel(&["a.mkv", "b.mkv", "-o", "out/", "--backend", "cpu", "-f", chain, "--codec", "ffv1"]);
    let said = String::from_utf8(output.stderr).unwrap();
    for name in ["a.mkv", "b.mkv"] {
        assert!(said.contains(&format!("{name}: nlmeans: the noise measures")), "{said}");
    }
}

/// Who writes a pipe may wait for each frame to come out before the next goes in.
#[test]
fn a_pipe_is_not_read_ahead() {
    let bench = Bench::new();
    let (clip, raw) = (noisy(8, 7.0), spec(8));
    let frame = clip.len() / FRAMES;
    let mut program = Command::new(binary());
    program.args(["-", "-", "--container", "raw", "--raw", &raw, "--backend", "cpu", "-f", "nlmeans=p=3:r=5"]);
    program.current_dir(bench.path("")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (came, arrivals) = mpsc::channel();
    thread::spawn(move || {
        let mut made = vec![0; frame];
        while stdout.read_exact(&mut made).is_ok() && came.send(()).is_ok() {}
    });
    for number in 0..3 {
        stdin.write_all(&clip[number * frame..(number + 1) * frame]).unwrap();
        stdin.flush().unwrap();
        arrivals.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("frame {number} did not come out"));
    }
    drop(stdin);
    assert!(ended(child, "the program whose pipe was closed").status.success());
}
