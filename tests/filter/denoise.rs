//! What is promised of filters that take noise away, where no other program says it.

use warpreel::filter::Want;
use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{Nlmeans, Op};

use super::{only, pixels};
use crate::agreement::Random;
use crate::stage::{Clip, clip, float, format, run};

/// Grey of a few steps around a level that changes from frame to frame where `jump` says so.
fn noisy(pixel: Pixel, frames: usize, seed: u64, jump: usize) -> Clip {
    let mut random = Random::new(seed);
    clip(&format(pixel, 21, 7), frames, |frame, _, x, _| {
        let level = 0.3 + 0.01 * x as f32 + if frame >= jump { 0.25 } else { 0.0 };
        let value = level + random.real(-0.007, 0.007);
        if pixel.sample == Sample::F32 { value } else { (value * pixel.peak()).round() }
    })
}

/// The mean distance of samples from those of another frame.
fn apart(a: &[f32], b: &[f32]) -> f32 {
    std::iter::zip(a, b).map(|(a, b)| (a - b).abs()).sum::<f32>() / a.len() as f32
}

#[test]
fn limits_of_0_leave_a_plane_as_it_is() {
    for pixel in pixels() {
        let clip = noisy(pixel, 5, 1, 9);
        for text in ["atadenoise=0a=0:1a=0:2a=0", "atadenoise=0b=0:1b=0:2b=0:0s=1:a=s", "atadenoise=p=0"] {
            assert_eq!(run(text, &format(pixel, 21, 7), &clip), clip, "{text} of {}", pixel.name());
        }
    }
}

#[test]
fn planes_have_limits_of_their_own() {
    let pixel = Pixel::yuv420p(8);
    let clip = noisy(pixel, 5, 2, 9);
    let made = run("atadenoise=1a=0:p=3:0a=0.3:0b=5", &format(pixel, 21, 7), &clip);
    for (made, given) in std::iter::zip(&made, &clip) {
        assert!(made[0] != given[0] && made[1] == given[1] && made[2] == given[2]);
    }
}

/// Noise goes, and a step in brightness stays where it is: no frame beyond it is taken, nor what lies behind that.
#[test]
fn means_end_where_the_picture_changes() {
    for (pixel, order) in
        [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16), float()].into_iter().zip(["p", "s", "p", "s"])
    {
        let (frames, jump) = (16, 8);
        let clip = noisy(pixel, frames, 3, jump);
        let text = format!("atadenoise=0a=0.03:0b=0.1:a={order}");
        let made = run(&text, &format(pixel, 21, 7), &clip);
        let level = |frame: usize, x: usize| 0.3 + 0.01 * x as f32 + if frame >= jump { 0.25 } else { 0.0 };
        for frame in 0..frames {
            let ideal: Vec<f32> = (0..21 * 7).map(|i| level(frame, i % 21) * pixel.peak()).collect();
            let (before, after) = (apart(&clip[frame][0], &ideal), apart(&made[frame][0], &ideal));
            // Both sides end at the jump where one ends the other, so that frames beside it have fewer to be meant with.
            let beside = order == "p" && (frame == jump || frame + 1 == jump);
            assert!(after < if beside { 1.01 } else { 0.9 } * before, "{text}, frame {frame}: {after} of {before}");
        }
    }
}

/// What lies behind the last frame, so that a window holds it, is the frame that FFmpeg has there.
#[test]
fn lopsided_ends_repeat_an_earlier_frame() {
    let pixel = Pixel::gray(8);
    let levels = [10.0, 20.0, 40.0, 80.0, 160.0, 240.0];
    let clip: Clip = levels.iter().map(|&level| vec![vec![level; 6]]).collect();
    let means = |text: &str, clip: &Clip| -> Vec<f32> {
        run(text, &format(pixel, 3, 2), clip).iter().map(|planes| planes[0][0]).collect()
    };
    let mean = |places: [usize; 5]| (places.iter().map(|&place| levels[place]).sum::<f32>() / 5.0 + 0.5).floor();
    let all = "tmix=5:border_t=lopsided";
    let wanted = [[0, 0, 0, 1, 2], [0, 0, 1, 2, 3], [0, 1, 2, 3, 4], [1, 2, 3, 4, 5], [2, 3, 4, 5, 4], [3, 4, 5, 4, 4]];
    assert_eq!(means(all, &clip), wanted.map(mean));
    // A clip that is shorter than half a window.
    assert_eq!(means("tmix=7:border_t=lopsided", &clip[..1].to_vec()), [10.0]);
}

#[test]
fn ffmpegs_parameters_are_read() {
    let calls = ["atadenoise=0.1:0.2:s=33", "atadenoise=0a=0.3:1b=5:2s=0:a=1:p=7", "atadenoise=s=129:a=s"];
    assert!(calls.map(only).iter().all(|filter| filter.text.starts_with("atadenoise")));
}

/// Weights fall from 1 to 0 as their formulas say, and the eighth power keeps only what is nearly alike.
#[test]
fn nlmeans_has_four_kinds_of_weights() {
    let table = |kind: &str| {
        let want = only(&format!("nlmeans=s=2{kind}")).wanted(Pixel::gray(8), 0).expect("wanted").want;
        let Want::Operation(Op::Nlmeans(Nlmeans { table, .. })) = want else { panic!("no nlmeans") };
        table
    };
    assert_eq!(table(""), table(":weights=welsch"));
    for (kind, weight) in [
        ("welsch", (|x: f64| (-x).exp()) as fn(f64) -> f64),
        ("linear", |x| 1.0 - x),
        ("bisquare", |x| (1.0 - x) * (1.0 - x)),
        ("bisquare8", |x| (1.0 - x).powf(8.0)),
    ] {
        let table = table(&format!(":weights={kind}"));
        let end = if kind == "welsch" { (400.0 * 255f64.ln()) as usize } else { 400 };
        assert_eq!((table.len(), table[end]), (end + 1, 0.0), "{kind}");
        for (i, &found) in table[..end].iter().enumerate() {
            let wanted = weight(i as f64 / 400.0);
            assert!((f64::from(found) - wanted).abs() < 1e-7, "{kind}: {found} at {i}, not {wanted}");
        }
    }
    let pixel = Pixel::gray(10);
    let clip = noisy(pixel, 1, 3, 9);
    let runs = ["welsch", "linear", "bisquare", "bisquare8"]
        .map(|kind| run(&format!("nlmeans=s=2:weights={kind}"), &format(pixel, 21, 7), &clip));
    let moved = runs.each_ref().map(|made| apart(&made[0][0], &clip[0][0]));
    assert!(moved.is_sorted_by(|a, b| a > b), "the sharper the weights fall the less is taken away: {moved:?}");
}

/// Of a flat clip all counts in full, of one in which no two squares are alike nothing but the sample itself; frames and
/// planes count as they are looked at.
#[test]
fn nlmeans_shows_its_weights() {
    for pixel in [Pixel::gray(8), Pixel::gray(12), float()] {
        let format = format(pixel, 21, 7);
        let flat: Clip = vec![vec![vec![0.5 * pixel.peak().ceil(); 21 * 7]]; 3];
        let shown = run("nlmeans=s=1:p=3:r=3:frames=1:show=weights", &format, &flat);
        let inside = 3 * 21 + 10;
        let near = |got: f32, wanted: f32| (got - wanted).abs() <= if pixel.sample == Sample::F32 { 1e-5 } else { 0.5 };
        assert!(near(shown[1][0][inside], pixel.peak()), "{}: {}", pixel.name(), shown[1][0][inside]);
        // In a corner 4 of 9 places of each frame are within the picture.
        assert!(near(shown[1][0][0], pixel.peak() * 12.0 / 27.0), "{}: {}", pixel.name(), shown[1][0][0]);
        let wild = clip(&format, 3, |frame, _, x, y| pixel.peak() * ((x * 7 + y * 5 + frame * 3) % 11) as f32 / 11.0);
        let wild = run("nlmeans=s=1:p=3:r=3:frames=1:show=weights", &format, &wild);
        assert!(near(wild[1][0][inside], pixel.peak() / 27.0), "{}: {}", pixel.name(), wild[1][0][inside]);
    }
}

/// What is as bright by a constant becomes as bright by it, but for the rounding of means; where samples are compared in steps, by
/// a constant of whole steps.
#[test]
fn nlmeans_keeps_a_constant() {
    for pixel in [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16)] {
        // At 10 bits a sample is a step, and every constant is whole.
        let text = format!("nlmeans=s={}:p=3:r=7:frames=1", if pixel.depth == 10 { 1 } else { 3 });
        let want = only(&text).wanted(pixel, 0).expect("wanted").want;
        let Want::Operation(Op::Nlmeans(means)) = want else { panic!("no nlmeans") };
        let scale = means.steps(pixel).map_or(1.0, |steps| steps.scale);
        let off = |step: &f32| (step * scale - (step * scale).round()).abs();
        let steps = (pixel.peak() as u32 / 6..pixel.peak() as u32 / 4).map(|step| step as f32);
        let step = steps.min_by(|a, b| off(a).total_cmp(&off(b))).expect("a constant");
        let format = format(pixel, 21, 7);
        let low = noisy(pixel, 3, 4, 9);
        let high: Clip = low.iter().map(|planes| vec![planes[0].iter().map(|v| v + step).collect()]).collect();
        let [low, high] = [&low, &high].map(|clip| run(&text, &format, clip));
        for (low, high) in low.iter().zip(&high).flat_map(|(low, high)| low[0].iter().zip(&high[0])) {
            assert!((high - low - step).abs() <= 1.0, "{}: {low} and {high}", pixel.name());
        }
    }
}

/// The mean squared distance of samples from a picture, in dB below the squared range of 8 bits.
fn psnr(samples: &[f64], picture: &[f64]) -> f64 {
    let squares = std::iter::zip(samples, picture).map(|(sample, wanted)| (sample - wanted).powi(2));
    10.0 * (255.0 * 255.0 * samples.len() as f64 / squares.sum::<f64>()).log10()
}

/// Sums over the squares of seven samples a side, of values that are given three places beyond the plane.
fn square_sums(values: impl Fn(usize, usize) -> f64, [width, height]: [usize; 2]) -> Vec<f64> {
    let across = |x: usize, y: usize| (0..7).map(|i| values(x + i, y)).sum::<f64>();
    let rows: Vec<f64> = (0..width * (height + 6)).map(|i| across(i % width, i / width)).collect();
    (0..width * height).map(|i| (0..7).map(|row| rows[i + row * width]).sum()).collect()
}

/// `nlmeans` with a patch of 7 and a search of 15 in `f64`, of differences and weights as they are, in steps of 8 bits.
fn exact_means(given: &[f64], [width, height]: [usize; 2], strength: f64) -> Vec<f64> {
    let place = |at: isize, end: usize| at.clamp(0, end as isize - 1) as usize;
    let at = |x: isize, y: isize| given[place(y, height) * width + place(x, width)];
    let (mut total, mut sum) = (vec![0.0; given.len()], vec![0.0; given.len()]);
    for (dx, dy) in (0..225).map(|i| (i % 15 - 7, i / 15 - 7)) {
        let squared = |x: usize, y: usize| {
            let [x, y] = [x as isize - 3, y as isize - 3];
            (at(x, y) - at(x + dx, y + dy)).powi(2)
        };
        for (i, squares) in square_sums(squared, [width, height]).into_iter().enumerate() {
            let [x, y] = [(i % width) as isize + dx, (i / width) as isize + dy];
            let part = squares / (100.0 * strength * strength);
            let inside = (0..width as isize).contains(&x) && (0..height as isize).contains(&y);
            if inside && part < 255f64.ln() {
                total[i] += (-part).exp();
                sum[i] += (-part).exp() * at(x, y);
            }
        }
    }
    std::iter::zip(sum, total).map(|(sum, total)| sum / total).collect()
}

/// Above 8 bits squares are compared in whole steps and weights have 8 bits: on smooth dark pictures that costs no more than 0.03 dB
/// in the mean of some, beside the same means in `f64`.
#[test]
fn nlmeans_in_steps_is_as_good_as_exact_means() {
    const SIZE: [usize; 2] = [96, 72];
    let [width, height] = SIZE;
    let clean = |x: usize, y: usize| 20.0 + 6.0 * (x as f64 / 30.0).sin() * (y as f64 / 23.0).cos();
    let picture: Vec<f64> = (0..width * height).map(|i| clean(i % width, i / width)).collect();
    for (pixel, strength) in [(Pixel::gray(10), 2.0), (Pixel::gray(10), 8.0), (Pixel::gray(16), 5.0), (float(), 2.0)] {
        let is_float = pixel.sample == Sample::F32;
        let unit = if is_float { 1.0 / 255.0 } else { f64::from(1 << (pixel.depth - 8)) };
        let rounded = |value: f64| if is_float { value } else { (value + 0.5).floor().max(0.0) };
        let mut lost = 0.0;
        for seed in 0..4 {
            let mut random = Random::new(seed);
            let noisy = clip(&format(pixel, width, height), 1, |_, _, x, y| {
                let noise: f32 = (0..12).map(|_| random.real(-0.5, 0.5)).sum();
                rounded((clean(x, y) + f64::from(noise) * strength) * unit) as f32
            });
            let given: Vec<f64> = noisy[0][0].iter().map(|&sample| f64::from(sample) / unit).collect();
            let exact = exact_means(&given, SIZE, strength);
            let made = run(&format!("nlmeans=s={strength}:p=7:r=15"), &format(pixel, width, height), &noisy);
            let exact: Vec<f64> = exact.into_iter().map(|mean| rounded(mean * unit) / unit).collect();
            let made: Vec<f64> = made[0][0].iter().map(|&sample| f64::from(sample) / unit).collect();
            let [made, exact, given] = [made, exact, given].map(|samples| psnr(&samples, &picture));
            assert!(made > given + 10.0, "{}, s={strength}: {made} dB after {given}", pixel.name());
            lost += (exact - made) / 4.0;
        }
        assert!(lost < 0.03, "{}, s={strength}: {lost} dB", pixel.name());
    }
}
