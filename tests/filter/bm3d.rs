//! Block matching and 3-D filtering against the textbook's in `f64`, and what holds for it whatever the picture.

use std::f64::consts::PI;

use warpreel::filter::Want;
use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{Bm3d, Op, Shrink};

use super::{only, pixels};
use crate::agreement::Random;
use crate::stage::{Clip, clip, float, format, run};

const SIDE: usize = 48;

/// Slopes, an edge, stripes and a curve, from 40 to 215.
fn clean(x: usize, y: usize) -> f32 {
    let (x, y) = (x as f32, y as f32);
    let stripes = if y > 28.0 { 25.0 * (0.7 * x + 0.35 * y).sin() } else { 0.0 };
    let round = if (x - 30.0).hypot(y - 14.0) < 9.0 { 55.0 } else { 0.0 };
    75.0 + 1.2 * x + stripes + round
}

/// What is nearly Gaussian, of a standard deviation of 1.
fn bell(random: &mut Random) -> f32 {
    (0..12).map(|_| random.real(-0.5, 0.5)).sum()
}

/// The picture with noise, in units of 8 bits.
fn noisy(pixel: Pixel, sigma: f32, seed: u64) -> Clip {
    let mut random = Random::new(seed);
    clip(&format(pixel, SIDE, SIDE), 1, |_, _, x, y| {
        let value = clean(x, y) + sigma * bell(&mut random);
        match pixel.sample {
            Sample::F32 => value / 255.0,
            _ => (value * (pixel.peak() + 1.0) / 256.0).round().clamp(0.0, pixel.peak()),
        }
    })
}

/// The peak signal-to-noise ratio of samples in units of 8 bits.
fn psnr(samples: impl Iterator<Item = f64>) -> f64 {
    let places = (0..SIDE * SIDE).map(|i| f64::from(clean(i % SIDE, i / SIDE)));
    let error: f64 = samples.zip(places).map(|(a, b)| (a - b) * (a - b)).sum();
    10.0 * (255.0 * 255.0 / (error / (SIDE * SIDE) as f64)).log10()
}

/// One step as the textbook has it, in units of 8 bits: real weights, matrices for transforms, nothing rounded.
fn textbook(op: &Bm3d, sigma: f64, noisy: &[f64], estimate: &[f64]) -> Vec<f64> {
    let line = |k: usize, x: usize| {
        let scale = if k == 0 { 0.125f64.sqrt() } else { 0.5 };
        scale * ((2 * x + 1) as f64 * k as f64 * PI / 16.0).cos()
    };
    let transform = |block: &[f64], back: bool| -> Vec<f64> {
        let weight = |i: usize, j: usize| if back { line(j, i) } else { line(i, j) };
        let product = |i: usize| (0..64).map(|j| weight(i / 8, j / 8) * weight(i % 8, j % 8) * block[j]).sum::<f64>();
        (0..64).map(product).collect()
    };
    // The matrix of Hadamard: the sign is that of the bits that two numbers share.
    let along = |blocks: &[Vec<f64>]| -> Vec<Vec<f64>> {
        let sign = |i: usize, j: usize| if (i & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
        let norm = (blocks.len() as f64).sqrt();
        let sum = |i: usize, k: usize| blocks.iter().enumerate().map(|(j, block)| sign(i, j) * block[k]).sum::<f64>();
        (0..blocks.len()).map(|i| (0..64).map(|k| sum(i, k) / norm).collect()).collect()
    };
    let place = |y: usize, x: usize, i: usize| (y + i / 8) * SIDE + x + i % 8;
    let key = |i: usize| (estimate[i] + 0.5).floor().clamp(0.0, 255.0);
    let window = Bm3d::window();
    let (mut sums, mut weights) = (vec![0.0; SIDE * SIDE], vec![0.0; SIDE * SIDE]);
    let places: Vec<usize> = (0..SIDE - 8).step_by(op.step).chain([SIDE - 8]).collect();
    for (y, x) in places.iter().flat_map(|&y| places.iter().map(move |&x| (y, x))) {
        let near = |at: usize| at.saturating_sub(op.range)..=(at + op.range).min(SIDE - 8);
        let candidates = near(y).flat_map(|v| near(x).map(move |u| (v, u)));
        let apart = |v, u| (0..64).map(|i| (key(place(y, x, i)) - key(place(v, u, i))).abs()).sum::<f64>() as i64;
        let mut found: Vec<_> = candidates.map(|(v, u)| ((v, u) != (y, x), apart(v, u), v, u)).collect();
        found.sort_unstable();
        found.truncate(op.group);
        let stack = |plane: &[f64]| {
            let block = |&(_, _, v, u): &(bool, i64, usize, usize)| {
                let samples: Vec<f64> = (0..64).map(|i| plane[place(v, u, i)]).collect();
                transform(&samples, false)
            };
            along(&found.iter().map(block).collect::<Vec<_>>())
        };
        let (mut own, known) = (stack(noisy), stack(estimate));
        let mut total = 0.0;
        for (i, (c, s)) in own.iter_mut().flatten().zip(known.iter().flatten()).enumerate() {
            let kept = match op.shrink {
                _ if i == 0 => 1.0,
                Shrink::Threshold(limit) => f64::from(u8::from(c.abs() >= f64::from(limit) * sigma)),
                Shrink::Wiener { power, .. } => s * s / (s * s + f64::from(power) * sigma * sigma),
            };
            *c *= kept;
            total += kept * kept;
        }
        for (block, &(_, _, v, u)) in along(&own).iter().zip(&found) {
            for (i, value) in transform(block, true).into_iter().enumerate() {
                let weight = f64::from(window[i]) / total;
                sums[place(v, u, i)] += weight * value;
                weights[place(v, u, i)] += weight;
            }
        }
    }
    sums.iter().zip(weights).map(|(sum, weight)| sum / weight).collect()
}

/// Rounding coefficients, weights and noise moves no sample by more than a small part of the noise, but where a coefficient
/// is as large as the threshold.
#[test]
fn it_is_the_textbooks() {
    for (text, bound) in [("group=8:block_step=4:bm_range=6", 0.02), ("group=16:block_step=8:bm_range=4", 0.02)] {
        let (pixel, sigma) = (float(), 12.0);
        let clip = noisy(pixel, sigma, 5);
        let text = format!("bm3d=sigma={sigma}:{text}");
        let Want::Operation(Op::Bm3d(op)) = only(&text).wanted(pixel, 0).expect("wanted").want else {
            panic!("{text}")
        };
        let first = op.first().expect("a first step");
        let given: Vec<f64> = clip[0][0].iter().map(|v| f64::from(*v) * 255.0).collect();
        let estimate = textbook(&first, sigma.into(), &given, &given);
        let basic = run(&format!("{text}:steps=basic"), &format(pixel, SIDE, SIDE), &clip);
        let made: Vec<f64> = basic[0][0].iter().map(|v| f64::from(*v) * 255.0).collect();
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / a.len() as f64;
        let found = apart(&estimate, &made);
        assert!(found < bound * f64::from(sigma), "{text}: {found} in the first step");
        let ideal = textbook(&op, sigma.into(), &given, &made);
        let both = run(&text, &format(pixel, SIDE, SIDE), &clip);
        let found = apart(&ideal, &both[0][0].iter().map(|v| f64::from(*v) * 255.0).collect::<Vec<_>>());
        assert!(found < bound / 4.0 * f64::from(sigma), "{text}: {found} in the second");
    }
}

/// Figures that were measured, less half a decibel: noise of 10 and of 25, of every kind of samples.
#[test]
fn noise_goes() {
    for (sigma, given, first, last) in [(10.0, 28.1, 35.7, 36.2), (25.0, 20.2, 29.5, 30.4)] {
        for pixel in [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16), float()] {
            let clip = noisy(pixel, sigma, 7);
            let scale = match pixel.sample {
                Sample::F32 => 255.0,
                _ => 256.0 / (f64::from(pixel.peak()) + 1.0),
            };
            let measured = |clip: &Clip| psnr(clip[0][0].iter().map(|v| f64::from(*v) * scale));
            let made = |steps: &str| {
                let text = format!("bm3d=sigma={sigma}:steps={steps}");
                measured(&run(&text, &format(pixel, SIDE, SIDE), &clip))
            };
            let found = [measured(&clip), made("basic"), made("final")];
            println!("sigma {sigma}, {}: {found:.2?}", pixel.name());
            assert!((found[0] - given).abs() < 0.5, "{found:?}");
            assert!(found[1] > first && found[2] > last, "sigma {sigma}, {}: {found:.2?}", pixel.name());
        }
    }
}

/// A film that goes by, so many samples from frame to frame; each frame has noise of its own.
fn film(frames: usize, sigma: f32, step: usize) -> Clip {
    let mut random = Random::new(11);
    clip(&format(float(), SIDE, SIDE), frames, |frame, _, x, y| {
        (clean(x + step * frame, y) + sigma * bell(&mut random)) / 255.0
    })
}

/// Blocks of other frames take more noise away, where the picture stands still and where it goes by.
#[test]
fn other_frames_help() {
    for (sigma, step) in [(10.0, 0), (25.0, 0), (10.0, 2), (25.0, 2)] {
        let noisy = film(5, sigma, step);
        let measured = |radius: usize| {
            let made = run(&format!("bm3d=sigma={sigma}:radius={radius}"), &format(float(), SIDE, SIDE), &noisy);
            let places = (0..SIDE * SIDE).map(|i| f64::from(clean(i % SIDE + 2 * step, i / SIDE)));
            let error: f64 = places.zip(&made[2][0]).map(|(a, b)| (a - f64::from(*b) * 255.0).powi(2)).sum();
            10.0 * (255.0 * 255.0 / (error / (SIDE * SIDE) as f64)).log10()
        };
        let found = [0, 1, 2].map(measured);
        println!("sigma {sigma}, {step} samples a frame: {found:.2?}");
        assert!(found[1] > found[0] + 0.3 && found[2] > found[0] + 0.6, "sigma {sigma}, step {step}: {found:.2?}");
    }
}

/// What lies beyond a clip's ends is no picture: a frame by itself is filtered as without others.
#[test]
fn a_frame_alone_has_no_others() {
    for pixel in [Pixel::gray(8), float()] {
        let (size, one) = (format(pixel, SIDE, SIDE), noisy(pixel, 12.0, 3));
        let plain = run("bm3d=sigma=12", &size, &one);
        assert_eq!(run("bm3d=sigma=12:radius=3", &size, &one), plain);
        let two = [one.clone(), noisy(pixel, 12.0, 4)].concat();
        assert_ne!(run("bm3d=sigma=12:radius=3", &size, &two)[0], plain[0]);
        assert_ne!(run("bm3d=sigma=12:radius=1:border_t=clamp", &size, &one), plain, "unless it is repeated");
    }
}

#[test]
fn no_noise_changes_nothing() {
    for pixel in pixels() {
        let mut random = Random::new(3);
        let clip = clip(&format(pixel, 21, 9), 2, |_, _, _, _| match pixel.sample {
            Sample::F32 => random.real(0.0, 1.0),
            _ => random.below(pixel.peak() as u64 + 1) as f32,
        });
        for text in ["bm3d=sigma=0", "bm3d=sigma=0:steps=basic:group=1", "bm3d=sigma=0.0000000001"] {
            assert_eq!(run(text, &format(pixel, 21, 9), &clip), clip, "{text} of {}", pixel.name());
        }
    }
}

/// A brighter picture becomes one that is brighter by as much, where keys are brighter by as much too.
#[test]
fn brightness_passes_through() {
    for (pixel, step) in [(Pixel::gray(8), 17.0), (Pixel::gray(10), 64.0), (Pixel::gray(16), 1024.0)] {
        let dark = noisy(pixel, 12.0, 9);
        let bright: Clip =
            dark.iter().map(|f| f.iter().map(|p| p.iter().map(|v| v + step).collect()).collect()).collect();
        for text in ["bm3d=sigma=12", "bm3d=sigma=12:steps=basic:group=8"] {
            let [dark, bright] = [&dark, &bright].map(|clip| run(text, &format(pixel, SIDE, SIDE), clip));
            let moved: Vec<f32> = dark[0][0].iter().map(|v| v + step).collect();
            assert_eq!(moved, bright[0][0], "{text} of {}", pixel.name());
        }
    }
}

/// What goes round both steps: parts of the result, some of the frames; and filters before and behind.
#[test]
fn it_stands_in_chains() {
    for plain in ["bm3d=sigma=12:group=8:block_step=8", "bm3d=sigma=12:block_step=8:bm_range=3:radius=1"] {
        stands_in_chains(plain);
    }
}

fn stands_in_chains(plain: &str) {
    let pixel = Pixel::gray(16);
    let size = format(pixel, SIDE, SIDE);
    let clip: Clip = (0..3).flat_map(|seed| noisy(pixel, 12.0, 20 + seed)).collect();
    let whole = run(plain, &size, &clip);
    let mixed = run(&format!("{plain}:mix=0.5"), &size, &clip);
    // Conditions are FFmpeg's to read.
    let some = cfg!(feature = "libav").then(|| run(&format!("{plain}:enable='eq(n,1)'"), &size, &clip));
    let inside = run(&format!("{plain}:roi=16x16+8+8"), &size, &clip);
    for (frame, given) in clip.iter().enumerate() {
        for (i, (&before, &after)) in given[0].iter().zip(&whole[frame][0]).enumerate() {
            assert!((mixed[frame][0][i] - (before + after) / 2.0).abs() <= 0.5, "half of it");
            if let Some(some) = &some {
                assert_eq!(some[frame][0][i], if frame == 1 { after } else { before }, "the second frame");
            }
            let within = (8..24).contains(&(i % SIDE)) && (8..24).contains(&(i / SIDE));
            assert_eq!(inside[frame][0][i], if within { after } else { before }, "a rectangle");
        }
    }
    let turned = run("invert", &size, &clip);
    let one_by_one = run("invert", &size, &run(plain, &size, &turned));
    assert_eq!(run(&format!("invert,{plain},invert"), &size, &clip), one_by_one);
    let twice = run(&format!("{plain},{plain}"), &size, &clip);
    assert_eq!(twice, run(plain, &size, &whole));
}

/// Planes of no selected letter stay, and each of the others is filtered alone.
#[test]
fn planes_are_filtered_alone() {
    let pixel = Pixel::yuv420p(8);
    let size = format(pixel, 32, 24);
    let mut random = Random::new(4);
    let clip = clip(&size, 2, |_, _, x, _| (100 + 3 * (x % 9)) as f32 + (8.0 * bell(&mut random)).round());
    let all = run("bm3d=sigma=8", &size, &clip);
    let luma = run("bm3d=sigma=8:planes=y", &size, &clip);
    let apart = run("bm3d=sigma=8:planes=y,bm3d=sigma=8:planes=uv", &size, &clip);
    assert_eq!(apart, all);
    for (frame, given) in clip.iter().enumerate() {
        assert!(luma[frame][0] == all[frame][0] && all[frame][0] != given[0]);
        assert!(luma[frame][1] == given[1] && luma[frame][2] == given[2] && all[frame][1] != given[1]);
    }
}

#[test]
fn what_is_wrong_is_said_with_the_range() {
    use warpreel::filter::{Defaults, parse};
    for (text, line) in [
        (
            "bm3d=block_step=9",
            "block_step=9 of bm3d is out of range at character 17 of the chain; type a whole number from 1 to 8 (samples)",
        ),
        (
            "bm3d=range=33",
            "bm_range=33 of bm3d is out of range at character 12 of the chain; type a whole number from 0 to 32 (samples)",
        ),
        (
            "bm3d=group=12",
            "bm3d: group is 12 at character 1 of the chain; type a power of two from 1 to 32, as group=16",
        ),
        (
            "bm3d=radius=5",
            "radius=5 of bm3d is out of range at character 13 of the chain; type a whole number from 0 to 4 (frames)",
        ),
        (
            "bm3d=sigma=-1",
            "sigma=-1 of bm3d is out of range at character 12 of the chain; type a number from 0 to 255, or auto",
        ),
    ] {
        assert_eq!(parse(text, &Defaults::default()).expect_err(text).to_string(), line);
    }
}
