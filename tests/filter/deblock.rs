//! What is promised of deblocking, where no other program says it.

use warpreel::filter::{Defaults, Want, parse};
use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{Deblock, Op};

use super::only;
use crate::agreement::Random;
use crate::stage::{Clip, clip, float, format, run};

fn op(text: &str, pixel: Pixel, plane: usize) -> Deblock {
    match only(text).wanted(pixel, plane).expect("wanted").want {
        Want::Operation(Op::Deblock(op)) => op,
        want => panic!("{want:?}"),
    }
}

#[test]
fn limits_are_ffmpegs() {
    let usual = op("deblock", Pixel::gray(8), 0);
    assert_eq!(usual, Deblock { strong: true, block: 8, limits: [24.0, 12.0, 12.0, 12.0] });
    let weak = op("deblock=weak:16:0.1:0.2:0.3:1", Pixel::gray(10), 0);
    assert_eq!(weak, Deblock { strong: false, block: 16, limits: [102.0, 204.0, 306.0, 1023.0] });
    let real = op("deblock=alpha=0.5", float(), 0);
    assert_eq!(real.limits, [0.5, 0.05, 0.05, 0.05], "in parts of full scale");
}

#[test]
fn refusals_name_the_range() {
    for (text, wanted) in [
        ("deblock=block=3", "block"),
        ("deblock=block=513", "block"),
        ("deblock=alpha=1.5", "alpha"),
        ("deblock=medium", "filter"),
    ] {
        let refused = format!("{:#}", parse(text, &Defaults::default()).expect_err(text));
        assert!(refused.contains(wanted) && !refused.contains('\n'), "{refused}");
    }
}

/// Blocks of 8 that differ by so much, with an even ramp in each.
fn blocks(pixel: Pixel, [width, height]: [usize; 2], step: f32) -> Clip {
    clip(&format(pixel, width, height), 1, |_, _, x, y| {
        let value = 100.0 + step * ((x / 8 + y / 8) % 2) as f32;
        if pixel.sample == Sample::F32 { value / 255.0 } else { value * 2f32.powi(i32::from(pixel.depth) - 8) }
    })
}

/// Small steps shrink, and those that are picture stay.
#[test]
fn steps_of_blocks_dissolve_and_edges_stay() {
    for pixel in [Pixel::gray(8), Pixel::gray(12), float()] {
        let frame = format(pixel, 48, 48);
        let small = blocks(pixel, [48, 48], 8.0);
        let made = run("deblock", &frame, &small);
        let step = |clip: &Clip, a: usize, b: usize| (clip[0][0][a] - clip[0][0][b]).abs();
        for (a, b) in [(20 * 48 + 7, 20 * 48 + 8), (15 * 48 + 20, 16 * 48 + 20)] {
            assert!(step(&made, a, b) < 0.3 * step(&small, a, b), "{} of {}", step(&made, a, b), step(&small, a, b));
        }
        let large = blocks(pixel, [48, 48], 60.0);
        assert_eq!(run("deblock", &frame, &large), large);
        assert_eq!(run("deblock=alpha=0", &frame, &small), small);
    }
}

/// The lowest edge with at most a block below it stays, and a vertical edge with too few columns at its right.
#[test]
fn edges_at_the_border_stay() {
    let pixel = Pixel::gray(8);
    let frame = format(pixel, 18, 24);
    let input = blocks(pixel, [18, 24], 8.0);
    let made = run("deblock", &frame, &input);
    let row = |clip: &Clip, y: usize| clip[0][0][18 * y + 4];
    assert!(row(&made, 8) != row(&input, 8) && row(&made, 15) == row(&input, 15) && row(&made, 16) == row(&input, 16));
    let column = |clip: &Clip, x: usize| clip[0][0][18 * 20 + x];
    assert!(column(&made, 8) != column(&input, 8) && column(&made, 16) == column(&input, 16));
    let weak = run("deblock=weak", &frame, &input);
    assert!(column(&weak, 16) != column(&input, 16), "two columns are enough for the weak filter");
}

/// All planes by default, opacity too, as in FFmpeg.
#[test]
fn planes_are_ffmpegs() {
    let pixel = Pixel { alpha: true, ..Pixel::yuv420p(8) };
    let frame = format(pixel, 64, 64);
    let mut random = Random::new(5);
    let input = clip(&frame, 1, |_, _, _, _| 100.0 + random.below(9) as f32);
    let changed = |text: &str| -> Vec<bool> {
        let made = run(text, &frame, &input);
        (0..4).map(|plane| made[0][plane] != input[0][plane]).collect()
    };
    assert_eq!(changed("deblock"), [true; 4]);
    assert_eq!(changed("deblock=planes=y"), [true, false, false, false]);
    assert_eq!(changed("deblock=planes=7"), [true, true, true, false], "FFmpeg's bits");
}

/// Floats are what whole numbers are, but for what those cut off.
#[test]
fn floats_are_what_16_bits_are() {
    let deep = Pixel::gray(16);
    let mut random = Random::new(7);
    let whole = clip(&format(deep, 61, 45), 1, |_, _, _, _| 30_000.0 + random.below(600) as f32);
    let scaled: Clip = whole.iter().map(|planes| vec![planes[0].iter().map(|v| v / deep.peak()).collect()]).collect();
    for text in ["deblock", "deblock=weak", "deblock=block=4"] {
        let (a, b) = (run(text, &format(deep, 61, 45), &whole), run(text, &format(float(), 61, 45), &scaled));
        assert!(a != whole, "{text} changes it");
        for (a, b) in a[0][0].iter().zip(&b[0][0]) {
            assert!((b * deep.peak() - a).abs() < 6.0, "{text}: {a} and {}", b * deep.peak());
        }
    }
}
