//! FFmpeg's own `convolution` as a second oracle: integer matrices give the same bytes there.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use warpreel::backend::{Backend, Cpu};
use warpreel::frame::{Format, Layout, Pixel, Pool, Rational, Timing};
use warpreel::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, TimeBorder};

use super::Random;

/// What FFmpeg makes of one raw frame.
fn ffmpeg(input: &[u8], format: &Format, filter: &str) -> Vec<u8> {
    let pixel = match format.pixel.depth {
        8 => format.pixel.name(),
        _ => format!("{}le", format.pixel.name()),
    };
    let mut child = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "rawvideo", "-pix_fmt", &pixel, "-s"])
        .arg(format!("{}x{}", format.width, format.height))
        .args(["-i", "-", "-vf", filter, "-f", "rawvideo", "-pix_fmt", &pixel, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ffmpeg is installed");
    child.stdin.take().expect("a pipe").write_all(input).expect("ffmpeg reads");
    let output = child.wait_with_output().expect("ffmpeg ends");
    assert!(output.status.success(), "ffmpeg refused {filter}");
    output.stdout
}

fn check(seed: u64, depth: u8, mode: &str, size: [usize; 2]) {
    let mut random = Random::new(seed);
    let format = Arc::new(Format::new(Pixel::yuv420p(depth), 75, 38, Rational::new(25, 1)));
    let count = size[0] * size[1];
    let weights: Vec<i32> = (0..count).map(|_| random.below(21) as i32 - 8).collect();
    // FFmpeg 5.1 divides by the sum whatever `rdiv` says.
    let sum: i32 = weights.iter().sum();
    let scale = if sum == 0 { 1.0 } else { 1.0 / sum as f32 };
    let bias = random.below(40) as f32 + 0.5;
    let kernel = Kernel {
        size: [1, size[0], size[1]],
        anchor: [0, size[0] / 2, size[1] / 2],
        weights: weights.iter().map(|&weight| weight as f32).collect(),
    };
    let op = Op::Dense(Dense {
        kernels: vec![kernel],
        combine: Combine::Sum,
        arithmetic: Arithmetic::Integer,
        border: if size == [3, 3] { Border::MirrorClamp } else { Border::Reflect101 },
        finish: Finish { scale, dry: 0.0, bias },
    });
    let pass = Pass { name: "convolution".to_owned(), ops: vec![op; 3], border_t: TimeBorder::Clamp };

    let pool = Pool::heap();
    let mut frame = pool.frame_in(&format, Layout::packed(&format)).expect("memory");
    let bytes = frame.packed_bytes_mut().expect("a packed frame");
    match depth {
        8 => bytes.fill_with(|| random.below(256) as u8),
        _ => bytes.chunks_exact_mut(2).for_each(|sample| {
            sample.copy_from_slice(&(random.below(1 << depth) as u16).to_le_bytes());
        }),
    }
    let frame = frame.freeze(Timing::default());

    let matrix = weights.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
    let per_plane =
        |name: &str, value: &str| (0..3).map(|p| format!("{p}{name}={value}")).collect::<Vec<_>>().join(":");
    let filter = format!(
        "convolution={}:{}:{}",
        per_plane("m", &matrix),
        per_plane("bias", &bias.to_string()),
        per_plane("mode", mode)
    );
    let wanted = ffmpeg(frame.packed_bytes().expect("a packed frame"), &format, &filter);
    let mut cpu = Cpu::new([pass].into(), format.clone(), pool, 2).expect("a pass that fits");
    let got = cpu.run(0, &[Some(&frame)]).expect("a frame");
    let got: Vec<u8> = (0..3).flat_map(|plane| got.rows(plane).flatten().copied().collect::<Vec<_>>()).collect();
    let differ = got.iter().zip(&wanted).position(|(a, b)| a != b);
    assert!(got.len() == wanted.len() && differ.is_none(), "byte {differ:?} differs, seed {seed}: {filter}");
}

#[test]
fn convolution_as_ffmpeg_does_it() {
    for (seed, depth) in [8, 10, 16].into_iter().enumerate() {
        for side in [3, 5, 7] {
            check(100 * seed as u64 + side as u64, depth, "square", [side, side]);
        }
        check(100 * seed as u64 + 50, depth, "row", [1, 25]);
    }
    // Above 8 bit FFmpeg 5.1 leaves the first 16 columns of a column matrix unwritten.
    check(51, 8, "column", [9, 1]);
}
