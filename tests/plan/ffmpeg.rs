//! `convolution` against FFmpeg's filter of that name: the plan's op, run sample by sample, gives the same bytes.

use std::io::Write;
use std::process::{Command, Stdio};

use warpreel::frame::Pixel;
use warpreel::pass::{Arithmetic, Combine, Kernel, Op};

use super::op;
use crate::program::{mirrors_once, uneven};

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}

/// The op as `pass` defines it, for whole taps, one sample at a time.
fn run(op: &Op, samples: &[u16], width: usize, height: usize, peak: f32) -> Vec<u16> {
    let (kernels, combine, border, finish, arithmetic) = match op {
        Op::Copy => return samples.to_vec(),
        Op::Dense(op) => (op.kernels.clone(), op.combine, op.border, op.finish, op.arithmetic),
        Op::Separable(op) => {
            let products = op.y.weights.iter().flat_map(|y| op.x.weights.iter().map(move |x| x * y));
            let size = [1, op.y.weights.len(), op.x.weights.len()];
            let kernel = Kernel { size, anchor: [0, op.y.anchor, op.x.anchor], weights: products.collect() };
            (vec![kernel], Combine::Sum, op.border, op.finish, op.arithmetic)
        }
        _ => panic!("no sums"),
    };
    assert_eq!(arithmetic, Arithmetic::Integer);
    let sum = |kernel: &Kernel, x: usize, y: usize| -> f32 {
        let [_, rows, columns] = kernel.size;
        let taps = (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j)));
        let met = taps.map(|(i, j)| {
            let at = |place: usize, tap: usize, anchor: usize| place as isize + tap as isize - anchor as isize;
            let x = border.index(at(x, i, kernel.anchor[2]), width).expect("no constant");
            let y = border.index(at(y, j, kernel.anchor[1]), height).expect("no constant");
            kernel.weights[j * columns + i] as i64 * i64::from(samples[y * width + x])
        });
        met.sum::<i64>() as f32
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let value = |(x, y): (usize, usize)| {
        let sums: Vec<f32> = kernels.iter().map(|kernel| sum(kernel, x, y)).collect();
        let combined = match combine {
            Combine::Sum => sums.iter().sum(),
            Combine::Magnitude => sums.iter().map(|sum| sum * sum).sum::<f32>().sqrt(),
            Combine::Largest => sums.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            Combine::Max => panic!("no filter of FFmpeg's"),
        };
        let v: f32 = combined * finish.scale + f32::from(samples[y * width + x]) * finish.dry + finish.bias;
        (v + 0.5).floor().clamp(0.0, peak) as u16
    };
    places.map(value).collect()
}

fn ffmpeg(filter: &str, pixel: &str, size: (usize, usize), input: &[u8]) -> Vec<u8> {
    let size = format!("{}x{}", size.0, size.1);
    let mut child = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "rawvideo", "-pix_fmt", pixel, "-s", &size, "-i", "-"])
        .args(["-filter_threads", "1", "-vf", filter, "-f", "rawvideo", "-pix_fmt", pixel, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ffmpeg is installed");
    child.stdin.take().expect("a pipe").write_all(input).expect("ffmpeg reads");
    let output = child.wait_with_output().expect("ffmpeg ends");
    assert!(output.status.success(), "ffmpeg -vf {filter}");
    output.stdout
}

fn bytes(samples: &[u16], depth: u8) -> Vec<u8> {
    if depth == 8 {
        samples.iter().map(|sample| *sample as u8).collect()
    } else {
        samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
    }
}

#[test]
fn convolution_gives_the_bytes_of_ffmpeg() {
    let mut dice = Dice(7);
    // Before 7.0 FFmpeg takes no notice of rdiv.
    let nine = "convolution=1 1 1 1 1 1 1 1 1:0rdiv=1";
    let rdivs = if ffmpeg(nine, "gray", (1, 1), &[1]) == [9] { &["", ":0rdiv=0.07"][..] } else { &[""] };
    let shapes = [(9, "square"), (25, "square"), (49, "square"), (3, "row"), (7, "row"), (5, "column"), (9, "column")];
    for (depth, name) in [(8, "gray"), (10, "gray10le"), (16, "gray16le")] {
        for (taps, mode) in shapes {
            for (width, height) in [(67, 14), if mirrors_once() { (13, 12) } else { (3, 2) }] {
                // Down, FFmpeg leaves narrow pictures of more than 8 bits unwritten in part.
                if depth > 8 && mode == "column" && width < 48 {
                    continue;
                }
                let peak = Pixel::gray(depth).peak();
                let samples: Vec<u16> = (0..width * height).map(|_| dice.roll(peak as u64 + 1) as u16).collect();
                let matrix: Vec<String> = (0..taps).map(|_| (dice.roll(15) as i64 - 6).to_string()).collect();
                let rdiv = rdivs[dice.roll(rdivs.len() as u64) as usize];
                let bias = ["", ":0bias=12.5", ":0bias=100"][dice.roll(3) as usize];
                let filter = format!("convolution=0m={}:0mode={mode}{rdiv}{bias}", matrix.join(" "));
                let ours = format!("{filter}{}", uneven().border(mode == "square" && taps == 9));
                let ours = run(&op(&ours, Pixel::gray(depth)), &samples, width, height, peak);
                let theirs = ffmpeg(&filter, name, (width, height), &bytes(&samples, depth));
                assert!(bytes(&ours, depth) == theirs, "{filter} on {width}x{height} {name}");
            }
        }
    }
}

/// By how much our bytes exceed FFmpeg's: the least and the most.
fn excess(ours: &str, theirs: &str) -> (i32, i32) {
    let mut dice = Dice(11);
    let (width, height) = (61, 40);
    let samples: Vec<u16> = (0..width * height).map(|_| dice.roll(256) as u16).collect();
    let found = bytes(&run(&op(ours, Pixel::gray(8)), &samples, width, height, 255.0), 8);
    let expected = ffmpeg(theirs, "gray", (width, height), &bytes(&samples, 8));
    assert_eq!(found.len(), expected.len());
    let differences = std::iter::zip(found, expected).map(|(a, b)| i32::from(a) - i32::from(b));
    differences.fold((0, 0), |(least, most), d| (least.min(d), most.max(d)))
}

#[test]
fn gradients_are_those_of_ffmpeg_rounded_to_nearest() {
    for (ours, theirs) in [
        ("sobel=scale=0.3", "sobel=scale=0.3"),
        ("prewitt=0.4:20", "prewitt=scale=0.4:delta=20"),
        ("scharr=1.5", "scharr=scale=1.5"),
        ("kirsch=0.3:order=rows", "kirsch=scale=0.3"),
    ] {
        assert_eq!(excess(&format!("{ours}{}", uneven().border(true)), theirs), (0, 1), "{ours}");
    }
}

#[test]
fn unsharp_is_that_of_ffmpeg_within_a_rounding() {
    for text in ["unsharp=5:5:1", "unsharp=7:3:-0.5", "unsharp=lx=3:ly=13:la=2.5"] {
        let (least, most) = excess(&format!("{text}:border=clamp"), text);
        assert!(least >= -2 && most <= 2, "{text}: {least} to {most}");
    }
}
