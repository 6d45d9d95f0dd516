//! The bilateral filter against the textbook's in `f64`, and what holds for it whatever the picture.

use warpreel::filter::Want;
use warpreel::frame::{Family, Pixel, Sample};
use warpreel::pass::Op;

use super::only;
use crate::agreement::Random;
use crate::stage::{Clip, clip, float, format, run};

/// A picture of edges, slopes and texture, from 0 to 1, with noise, so that it looks like one that people smooth.
fn picture(pixel: Pixel, width: usize, height: usize, frames: usize, noise: f32) -> Clip {
    let mut random = Random::new(77);
    clip(&format(pixel, width, height), frames, |t, _, x, y| {
        let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
        let edge = if (u - 0.5).hypot(v - 0.4) < 0.3 { 0.25 } else { 0.0 };
        let texture = 0.04 * (0.9 * x as f32 + 0.3 * t as f32).sin() * (1.3 * y as f32).cos();
        let grain = (0..4).map(|_| random.real(-0.5, 0.5)).sum::<f32>() * 1.7 * noise;
        let level = (0.2 + 0.3 * u + 0.1 * v + edge + texture + grain).clamp(0.0, 1.0);
        if pixel.sample == Sample::F32 { level } else { (level * pixel.peak()).round() }
    })
}

/// The index inside that mirrors one outside about the end sample.
fn mirrored(index: isize, length: usize) -> usize {
    let period = (2 * length as isize - 2).max(1);
    let index = index.rem_euclid(period) as usize;
    if index < length { index } else { period as usize - index }
}

/// The textbook's: a bell of the distance in a disk and a bell of the difference, in `f64`.
fn textbook(
    clip: &Clip,
    t: usize,
    [width, height]: [usize; 2],
    [radius, frames]: [isize; 2],
    sigmas: [f64; 3],
) -> Vec<f64> {
    let [sigma_s, sigma_r, sigma_t] = sigmas;
    let place = |i: usize| {
        let (x, y) = ((i % width) as isize, (i / width) as isize);
        let own = f64::from(clip[t][0][i]);
        let (mut total, mut sum) = (0.0, 0.0);
        for dt in -frames..=frames {
            let frame = &clip[(t as isize + dt).clamp(0, clip.len() as isize - 1) as usize][0];
            for dy in -radius..=radius {
                for dx in -radius..=radius {
                    let square = (dx * dx + dy * dy) as f64;
                    if square > (radius * radius) as f64 {
                        continue;
                    }
                    let there = f64::from(frame[mirrored(y + dy, height) * width + mirrored(x + dx, width)]);
                    let time = if dt == 0 { 0.0 } else { (dt * dt) as f64 / (sigma_t * sigma_t) };
                    let like = ((there - own) / sigma_r).powi(2);
                    let weight = (-0.5 * (square / (sigma_s * sigma_s) + like + time)).exp();
                    total += weight;
                    sum += weight * (there - own);
                }
            }
        }
        own + sum / total
    };
    (0..width * height).map(place).collect()
}

/// What the filter makes of a noisy picture, what the textbook's makes of it, and the picture without noise.
fn made(pixel: Pixel, noise: f32, sigma_s: f64, sigma_r: f64, frames: isize) -> [Vec<f64>; 3] {
    let (width, height) = (96, 64);
    let [clip, clean] = [noise, 0.0].map(|noise| picture(pixel, width, height, 3, noise));
    let text = match frames {
        0 => format!("bilateral=sigma_s={sigma_s}:sigma_r={sigma_r}"),
        _ => format!("bilateral3d=sigma_s={sigma_s}:sigma_r={sigma_r}:frames={frames}:sigma_t=1.5"),
    };
    let found = run(&text, &format(pixel, width, height), &clip);
    let sigmas = [sigma_s, sigma_r * f64::from(pixel.peak()), 1.5];
    let wanted = textbook(&clip, 1, [width, height], [(2.0 * sigma_s).ceil() as isize, frames], sigmas);
    let [found, clean] = [&found[1][0], &clean[1][0]].map(|plane| plane.iter().map(|&v| f64::from(v)).collect());
    [found, wanted, clean]
}

/// How far two pictures are apart, as a root of mean squares in samples.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let squares = std::iter::zip(a, b).map(|(a, b)| (a - b).powi(2));
    (squares.sum::<f64>() / a.len() as f64).sqrt()
}

const WINDOWS: [(f64, f64, isize); 4] = [(2.5, 0.1, 0), (1.5, 0.3, 0), (4.5, 0.05, 0), (1.5, 0.1, 1)];

/// Rounding to whole samples alone makes 0.29 of a step, and 58.9 dB at 8 bits.
#[test]
fn it_is_the_textbooks() {
    for noise in [0.0, 0.02, 0.06] {
        for (sigma_s, sigma_r, frames) in WINDOWS {
            let [found, wanted, _] = made(Pixel::gray(8), noise, sigma_s, sigma_r, frames);
            let decibels = 20.0 * (255.0 / apart(&found, &wanted)).log10();
            assert!(decibels > 57.5, "{sigma_s}, {sigma_r}, {frames} at noise {noise}: {decibels} dB");
        }
    }
}

/// Above 8 bits samples differ in whole steps and weights have 8 bits: that costs no more than 0.01 dB beside the textbook's, rounded as
/// samples are, whose weights are of differences as they are; and what is made is hardly apart from that.
#[test]
fn in_steps_it_is_as_good_as_the_textbooks() {
    for pixel in [Pixel::gray(10), Pixel::gray(12), Pixel::gray(16), float()] {
        for (noise, (sigma_s, sigma_r, frames)) in
            [0.0, 0.02, 0.06].into_iter().flat_map(|noise| WINDOWS.map(|window| (noise, window)))
        {
            let [found, mut wanted, clean] = made(pixel, noise, sigma_s, sigma_r, frames);
            if pixel.sample != Sample::F32 {
                wanted.iter_mut().for_each(|sample| *sample = (*sample + 0.5).floor());
            }
            let loss = 20.0 * (apart(&found, &clean) / apart(&wanted, &clean)).log10();
            let rms = apart(&found, &wanted) / f64::from(pixel.peak());
            let case = format!("{}: {sigma_s}, {sigma_r}, {frames} at noise {noise}", pixel.name());
            assert!(loss < 0.01 && rms < 0.0006, "{case}: {loss} dB, {rms} of the range apart");
        }
    }
}

/// Where samples differ in steps, by a constant of whole steps, and but for the rounding of means.
#[test]
fn what_is_brighter_comes_out_brighter_by_as_much() {
    // The last two have steps of 4 and of 128 samples, the others of one.
    let calls =
        [(8, 0.1), (10, 0.03), (12, 0.005), (16, 0.0005), (10, 36.0 * 4.0 / 1023.0), (16, 36.0 * 128.0 / 65535.0)];
    for (depth, sigma_r) in calls {
        let pixel = Pixel::gray(depth);
        for text in
            [format!("bilateral=sigma_s=3:sigma_r={sigma_r}"), format!("bilateral3d=sigma_s=1.5:sigma_r={sigma_r}")]
        {
            let want = only(&text).wanted(pixel, 0).expect("wanted").want;
            let Want::Operation(Op::Bilateral(op)) = want else { panic!("no bilateral") };
            // An even number of steps, as ties go to even ones.
            let whole = |more: &f32| (more * op.fineness / 2.0).fract() == 0.0;
            let constants = (pixel.peak() as u32 / 12..pixel.peak() as u32 / 8).map(|more| more as f32);
            let more = constants.into_iter().find(whole).expect("a constant");
            let format = format(pixel, 40, 30);
            let dark = picture(pixel, 40, 30, 3, 0.02);
            let bright = clip(&format, 3, |t, _, x, y| dark[t][0][y * 40 + x] + more);
            let (dark, bright) = (run(&text, &format, &dark), run(&text, &format, &bright));
            let most = if depth == 8 { 0.0 } else { 1.0 };
            for (dark, bright) in dark.iter().flatten().flatten().zip(bright.iter().flatten().flatten()) {
                assert!((dark + more - bright).abs() <= most, "{text} at {depth} bits: {dark} and {more} are {bright}");
            }
        }
    }
}

/// But for the order of sums above 8 bits.
#[test]
fn mirrored_in_is_mirrored_out() {
    for (pixel, most) in [(Pixel::gray(8), 0.0), (Pixel::gray(10), 1.0), (Pixel::gray(16), 1.0)] {
        let (width, height) = (37, 22);
        let format = format(pixel, width, height);
        let turned = |clip: &Clip| -> Clip {
            clip.iter().rev().map(|planes| vec![planes[0].iter().rev().copied().collect()]).collect()
        };
        let there = picture(pixel, width, height, 4, 0.05);
        for text in ["bilateral=sigma_s=2.2:sigma_r=0.15", "bilateral3d=sigma_s=1.5:sigma_r=0.2:frames=2"] {
            let [a, b] = [run(text, &format, &turned(&there)), turned(&run(text, &format, &there))];
            let mut pairs = a.iter().flatten().flatten().zip(b.iter().flatten().flatten());
            assert!(pairs.all(|(a, b)| (a - b).abs() <= most), "{text} in {}", pixel.name());
        }
    }
}

#[test]
fn nothing_like_it_leaves_it_as_it_is() {
    for pixel in [Pixel::gray(8), Pixel::gray(12), Pixel::gray(16), float()] {
        let clip = picture(pixel, 33, 21, 3, 0.05);
        for text in
            ["bilateral=sigma_r=0", "bilateral=sigma_s=0", "bilateral=radius=0", "bilateral3d=frames=0:radius=0"]
        {
            assert!(run(text, &format(pixel, 33, 21), &clip) == clip, "{text} in {}", pixel.name());
        }
        // Below what tells two whole numbers apart.
        let tiny = format!("bilateral=sigma_r={}", 0.1 / 65535.0);
        assert!(
            pixel.sample == Sample::F32 || run(&tiny, &format(pixel, 33, 21), &clip) == clip,
            "{tiny} in {}",
            pixel.name()
        );
    }
}

#[test]
fn windows_may_be_larger_than_frames_and_clips() {
    for pixel in [Pixel::gray(8), Pixel::gray(10), float()] {
        for (width, height) in [(1, 1), (1, 5), (7, 1), (3, 2)] {
            let clip = picture(pixel, width, height, 2, 0.0);
            let found = run("bilateral3d=sigma_s=16:sigma_r=0.5:frames=8", &format(pixel, width, height), &clip);
            assert_eq!(found.len(), 2);
            let (low, high) = clip
                .iter()
                .flatten()
                .flatten()
                .fold((f32::MAX, f32::MIN), |(low, high), &sample| (low.min(sample), high.max(sample)));
            assert!(found.iter().flatten().flatten().all(|&sample| sample >= low - 1e-6 && sample <= high + 1e-6));
        }
    }
}

/// The textbook's joint one, in `f64`: a bell of the distance and a bell of the difference of the luma samples' means.
fn joint(planes: &[Vec<f32>], [width, height]: [usize; 2], finer: [usize; 2], sigma_s: f64, sigma_r: f64) -> Vec<f64> {
    let [across, down] = finer;
    let (wide, high) = (width.div_ceil(across), height.div_ceil(down));
    let guide: Vec<f64> = (0..wide * high)
        .map(|i| {
            let (x, y) = (i % wide * across, i / wide * down);
            let covered = (y..height.min(y + down)).flat_map(|y| (x..width.min(x + across)).map(move |x| (x, y)));
            let samples: Vec<f64> = covered.map(|(x, y)| planes[0][y * width + x].into()).collect();
            samples.iter().sum::<f64>() / samples.len() as f64
        })
        .collect();
    let radius = (2.0 * sigma_s).ceil() as isize;
    let place = |i: usize| {
        let (x, y) = ((i % wide) as isize, (i / wide) as isize);
        let own = f64::from(planes[1][i]);
        let (mut total, mut sum) = (0.0, 0.0);
        for (dy, dx) in (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dy, dx))) {
            let square = (dx * dx + dy * dy) as f64;
            if square > (radius * radius) as f64 {
                continue;
            }
            let there = mirrored(y + dy, high) * wide + mirrored(x + dx, wide);
            let weight = (-0.5 * (square / (sigma_s * sigma_s) + ((guide[there] - guide[i]) / sigma_r).powi(2))).exp();
            total += weight;
            sum += weight * (f64::from(planes[1][there]) - own);
        }
        own + sum / total
    };
    (0..wide * high).map(place).collect()
}

#[test]
fn joint_takes_its_weights_from_luma() {
    let sampled = |w, h, depth| Pixel::integer(Family::Yuv, w, h, depth);
    let deep = Pixel { sample: Sample::F32, depth: 32, ..sampled(1, 1, 8) };
    for pixel in [sampled(1, 1, 8), sampled(1, 0, 8), sampled(0, 0, 10), sampled(1, 1, 16), deep] {
        let (width, height) = (65, 43);
        let format = format(pixel, width, height);
        let luma = picture(Pixel { family: Family::Gray, ..pixel }, width, height, 1, 0.02);
        let with = |noise: f32| {
            let mut random = Random::new(9);
            clip(&format, 1, |_, plane, x, y| match plane {
                0 => luma[0][0][y * width + x],
                // Edges of their own, and noise.
                _ => {
                    let level = if (x + 2 * y) % 40 < 20 { 0.4 } else { 0.6 } + random.real(-0.1, 0.1) * noise;
                    if pixel.sample == Sample::F32 { level } else { (level * pixel.peak()).round() }
                }
            })
        };
        let [noisy, clean] = [1.0, 0.0].map(with);
        let found = run("bilateral=sigma_s=2:sigma_r=0.05:joint=1", &format, &noisy);
        assert_eq!(found[0][0], run("bilateral=sigma_s=2:sigma_r=0.05", &format, &noisy)[0][0], "luma as without");
        let (w, h) = pixel.subsampling(1);
        let wanted = joint(&noisy[0], [width, height], [1 << w, 1 << h], 2.0, 0.05 * f64::from(pixel.peak()));
        let [found, clean] = [&found, &clean].map(|clip| clip[0][1].iter().map(|&v| f64::from(v)).collect::<Vec<_>>());
        let rms = apart(&found, &wanted);
        if pixel.depth == 8 {
            assert!(rms < 0.5, "{}: {rms} steps", pixel.name());
            continue;
        }
        // Steps cost as little as without a guide.
        let loss = 20.0 * (apart(&found, &clean) / apart(&wanted, &clean)).log10();
        let rms = rms / f64::from(pixel.peak());
        assert!(loss < 0.01 && rms < 0.0006, "{}: {loss} dB, {rms} of the range apart", pixel.name());
    }
}

/// Where luma does not change colour is smoothed across whatever it does; where luma does, nothing goes across.
#[test]
fn joint_keeps_the_edges_of_luma_and_no_others() {
    let format = format(Pixel::yuv420p(8), 64, 32);
    let edge = |at: usize| {
        clip(&format, 1, |_, plane, x, _| match plane {
            0 => {
                if x < at {
                    60.0
                } else {
                    180.0
                }
            }
            _ => {
                if x < 16 {
                    100.0
                } else {
                    140.0
                }
            }
        })
    };
    let call = "bilateral=sigma_s=2:sigma_r=0.05:joint=1:planes=chroma";
    assert_eq!(run(call, &format, &edge(32)), edge(32), "the edges are the same");
    let across = run(call, &format, &edge(64));
    assert!((112.0..=128.0).contains(&across[0][1][15]), "{} is no mean of both sides", across[0][1][15]);
    assert_eq!(run("bilateral=joint=1:sigma_r=0", &format, &edge(32)), edge(32));
}

/// What is the only plane weighs itself.
#[test]
fn joint_of_grey_is_the_filter_itself() {
    for pixel in [Pixel::gray(8), Pixel::gray(12), float()] {
        let (clip, format) = (picture(pixel, 33, 21, 3, 0.05), format(pixel, 33, 21));
        for name in ["bilateral", "bilateral3d"] {
            assert_eq!(run(&format!("{name}=joint=1"), &format, &clip), run(name, &format, &clip));
        }
    }
}
