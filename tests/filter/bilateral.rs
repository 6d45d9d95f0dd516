//! The bilateral filter against the textbook's in `f64`, and what holds for it whatever the picture.

use warpreel::frame::{Family, Pixel, Sample};

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

/// How far the filter is from the textbook's, as a root of mean squares in samples.
fn apart(pixel: Pixel, noise: f32, sigma_s: f64, sigma_r: f64, frames: isize) -> f64 {
    let (width, height) = (96, 64);
    let clip = picture(pixel, width, height, 3, noise);
    let text = match frames {
        0 => format!("bilateral=sigma_s={sigma_s}:sigma_r={sigma_r}"),
        _ => format!("bilateral3d=sigma_s={sigma_s}:sigma_r={sigma_r}:frames={frames}:sigma_t=1.5"),
    };
    let found = run(&text, &format(pixel, width, height), &clip);
    let sigmas = [sigma_s, sigma_r * f64::from(pixel.peak()), 1.5];
    let wanted = textbook(&clip, 1, [width, height], [(2.0 * sigma_s).ceil() as isize, frames], sigmas);
    let squares = found[1][0].iter().zip(&wanted).map(|(found, wanted)| (f64::from(*found) - wanted).powi(2));
    (squares.sum::<f64>() / wanted.len() as f64).sqrt()
}

/// Rounding to whole samples alone makes 0.29 of a step, and 58.9 dB at 8 bits.
#[test]
fn it_is_the_textbooks() {
    for noise in [0.0, 0.02, 0.06] {
        for (sigma_s, sigma_r, frames) in [(2.5, 0.1, 0), (1.5, 0.3, 0), (4.5, 0.05, 0), (1.5, 0.1, 1)] {
            let apart = |pixel| apart(pixel, noise, sigma_s, sigma_r, frames);
            let rms = apart(Pixel::gray(8));
            let decibels = 20.0 * (255.0 / rms).log10();
            assert!(decibels > 57.5, "{sigma_s}, {sigma_r}, {frames} at noise {noise}: {decibels} dB");
            for (depth, most) in [(10, 0.5), (12, 0.5), (16, 2.0)] {
                let rms = apart(Pixel::gray(depth));
                assert!(rms < most, "{sigma_s}, {sigma_r}, {frames} at noise {noise}: {rms} steps of {depth} bits");
            }
            let rms = apart(float());
            assert!(rms < 1e-5, "{sigma_s}, {sigma_r}, {frames} at noise {noise}: {rms} of a float");
        }
    }
}

#[test]
fn what_is_brighter_comes_out_brighter_by_as_much() {
    for depth in [8, 10, 16] {
        let pixel = Pixel::gray(depth);
        let (format, more) = (format(pixel, 40, 30), (0.1 * pixel.peak()).floor());
        let dark = picture(pixel, 40, 30, 3, 0.02);
        let bright = clip(&format, 3, |t, _, x, y| dark[t][0][y * 40 + x] + more);
        for text in ["bilateral=sigma_s=3:sigma_r=0.1", "bilateral3d=sigma_s=1.5:sigma_r=0.2"] {
            let (dark, bright) = (run(text, &format, &dark), run(text, &format, &bright));
            let pairs = dark.iter().flatten().flatten().zip(bright.iter().flatten().flatten());
            assert!(pairs.into_iter().all(|(dark, bright)| dark + more == *bright), "{text} at {depth} bits");
        }
    }
}

#[test]
fn mirrored_in_is_mirrored_out() {
    for pixel in [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16)] {
        let (width, height) = (37, 22);
        let format = format(pixel, width, height);
        let turned = |clip: &Clip| -> Clip {
            clip.iter().rev().map(|planes| vec![planes[0].iter().rev().copied().collect()]).collect()
        };
        let there = picture(pixel, width, height, 4, 0.05);
        for text in ["bilateral=sigma_s=2.2:sigma_r=0.15", "bilateral3d=sigma_s=1.5:sigma_r=0.2:frames=2"] {
            assert!(run(text, &format, &turned(&there)) == turned(&run(text, &format, &there)), "{text}");
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
    let pixels = [
        (sampled(1, 1, 8), 0.5),
        (sampled(1, 0, 8), 0.5),
        (sampled(0, 0, 10), 0.6),
        (sampled(1, 1, 16), 12.0),
        (deep, 1e-5),
    ];
    for (pixel, most) in pixels {
        let (width, height) = (65, 43);
        let format = format(pixel, width, height);
        let luma = picture(Pixel { family: Family::Gray, ..pixel }, width, height, 1, 0.02);
        let mut random = Random::new(9);
        let noisy = clip(&format, 1, |_, plane, x, y| match plane {
            0 => luma[0][0][y * width + x],
            // Edges of their own, and noise.
            _ => {
                let level = if (x + 2 * y) % 40 < 20 { 0.4 } else { 0.6 } + random.real(-0.1, 0.1);
                if pixel.sample == Sample::F32 { level } else { (level * pixel.peak()).round() }
            }
        });
        let found = run("bilateral=sigma_s=2:sigma_r=0.05:joint=1", &format, &noisy);
        assert_eq!(found[0][0], run("bilateral=sigma_s=2:sigma_r=0.05", &format, &noisy)[0][0], "luma as without");
        let (w, h) = pixel.subsampling(1);
        let wanted = joint(&noisy[0], [width, height], [1 << w, 1 << h], 2.0, 0.05 * f64::from(pixel.peak()));
        let squares = found[0][1].iter().zip(&wanted).map(|(found, wanted)| (f64::from(*found) - wanted).powi(2));
        let rms = (squares.sum::<f64>() / wanted.len() as f64).sqrt();
        assert!(rms < most, "{}: {rms} steps", pixel.name());
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
