//! Properties of every filter of the table whatever its values, on pictures and through the CPU stage.

use warpreel::filter::{DcGain, Filter, Group, Response, Shape, Want};
use warpreel::frame::{Family, Pixel, Sample};
use warpreel::pass::{Combine, Op};

use super::call::{bordered, for_all};
use super::{only, pixels};
use crate::agreement::Random;
use crate::stage::{Clip, clip, float, format, run};

/// A clip of random samples.
pub fn noise(pixel: Pixel, width: usize, height: usize, frames: usize, seed: u64) -> Clip {
    let mut random = Random::new(seed);
    clip(&format(pixel, width, height), frames, |_, _, _, _| match pixel.sample {
        Sample::F32 => random.real(0.0, 1.0),
        _ => random.below(pixel.peak() as u64 + 1) as f32,
    })
}

/// The values that a filter's plane has to have.
pub fn want(filter: &Filter, pixel: Pixel, plane: usize) -> Want {
    filter.wanted(pixel, plane).expect("wanted").want
}

/// The sum of the absolute values of all that a sample is made of, per unit of the samples; 1 for what is no sum.
fn weight(want: &Want) -> f64 {
    // The largest noise, times what a sample changes of its weight.
    if let Want::Operation(Op::Grain(grain)) = want {
        let slope = f64::from(grain.scale * grain.dark[1].abs().max(grain.bright[1].abs()));
        return 1.0 + 510.0 * (grain.size as f64).powi(4) * slope;
    }
    let Want::Stencil(stencil) = want else { return 1.0 };
    let absolute = |weights: &[f64]| weights.iter().map(|weight| weight.abs()).sum::<f64>();
    let taps = match &stencil.shape {
        Shape::Product { t, y, x } => [t, y, x].map(|row| absolute(&row.weights)).iter().product(),
        Shape::Kernels(kernels, _) => kernels.iter().map(|kernel| absolute(&kernel.weights)).sum::<f64>(),
    };
    taps * stencil.scale.abs() + stencil.dry.abs()
}

fn taps(want: &Want) -> f64 {
    let Want::Stencil(stencil) = want else { return 1.0 };
    match &stencil.shape {
        Shape::Product { t, y, x } => [t, y, x].map(|row| row.weights.len()).iter().sum::<usize>() as f64,
        Shape::Kernels(kernels, _) => kernels.iter().map(|kernel| kernel.weights.len()).max().unwrap_or(0) as f64,
    }
}

/// How far a result in `f32` may lie from the exact one, where samples are at most `peak`: as many roundings as taps, and
/// those of the taps and the last step.
fn rounding(want: &Want, peak: f32) -> f64 {
    (taps(want) + 12.0) / f64::from(1u32 << 24) * (weight(want) + 1.0) * f64::from(peak)
}

/// A constant picture becomes its gain times itself, plus the offset; and exactly itself, in every depth and plane, where
/// the gain is 1.
#[test]
fn constant_pictures() {
    let kept = std::cell::Cell::new(0);
    for_all(400, |spec, text| {
        // A picture of weights is none of samples.
        if text.contains("show=") {
            return;
        }
        let text = bordered(spec, text, "clamp", "reflect101");
        let filter = only(&text);
        let mut random = Random::new(text.len() as u64);
        for pixel in pixels().into_iter().chain([Pixel::yuv420p(16)]) {
            let format = format(pixel, 7, 6);
            let levels: Vec<f32> = (0..pixel.planes()).map(|_| random.below(1 + pixel.peak() as u64) as f32).collect();
            let found = run(&text, &format, &clip(&format, 3, |_, plane, _, _| levels[plane]));
            for plane in 0..pixel.planes() {
                let (want, level) = (want(&filter, pixel, plane), f64::from(levels[plane]));
                let expected = match &want {
                    Want::Copy | Want::Picks(_) | Want::Steady(_) => level,
                    Want::Stencil(stencil) => {
                        let gain = stencil.scale * stencil.shape.gain() + stencil.dry;
                        let kept_as_it_is = (gain - 1.0).abs() < 1e-9 && stencil.bias.abs() < 1e-6;
                        kept.set(kept.get() + usize::from(kept_as_it_is));
                        if kept_as_it_is { level } else { gain * level + stencil.bias }
                    }
                    Want::Points(curve) => curve.value(level),
                    Want::Operation(_) if spec.gain == DcGain::One => level,
                    Want::Operation(_) | Want::OperationThen(..) => continue,
                };
                let exact = expected == level && pixel.sample != Sample::F32;
                let error = if exact { 0.0 } else { rounding(&want, pixel.peak()) + 1e-6 };
                for samples in found.iter().map(|planes| &planes[plane]) {
                    let first = samples[0];
                    assert!(samples.iter().all(|sample| *sample == first), "{text} makes a pattern of plane {plane}");
                    let agrees = if pixel.sample == Sample::F32 {
                        (f64::from(first) - expected).abs() <= error
                    } else {
                        let rounded = |value: f64| (value + 0.5).floor().clamp(0.0, pixel.peak().into());
                        (rounded(expected - error)..=rounded(expected + error)).contains(&f64::from(first))
                    };
                    let name = pixel.name();
                    assert!(agrees, "{text} makes {first} of {level} in plane {plane} of {name}, not {expected}");
                }
            }
        }
    });
    assert!(kept.get() > 1000, "{} planes were kept", kept.get());
}

/// What is moved comes out moved, byte for byte: round the picture where borders wrap, and in time away from the ends.
#[test]
fn shifts() {
    for_all(300, |spec, text| {
        // The blocks of one are counted from the corner of the plane, and look at nothing beyond its edges; of the other
        // squares alone look there, and no mean holds what lies outside.
        // A deinterlacer looks at every other row, and at less of the edges. Chroma between samples repeats the edge. What is
        // random differs from place to place.
        let through_rgb =
            ["lut1d", "lut3d", "curves", "vibrance", "colorchannelmixer", "colortemperature"].contains(&spec.name);
        if through_rgb
            || ["bm3d", "nlmeans", "deband", "deblock", "grain"].contains(&spec.name)
            || spec.group == Group::Deinterlace
        {
            return;
        }
        let text = bordered(spec, text, "wrap", "clamp");
        let pixel = Pixel { alpha: true, ..Pixel::yuv420p([8, 10][text.len() % 2]) };
        let (width, height, dx, dy) = (18, 14, 6, 4);
        let format = format(pixel, width, height);
        let still = noise(pixel, width, height, 1, 5);
        let moved = |planes: &[Vec<f32>]| -> Vec<Vec<f32>> {
            let plane = |(index, samples): (usize, &Vec<f32>)| {
                let ((w, h), (sx, sy)) = (format.plane_size(index), pixel.subsampling(index));
                let place = |i: usize| ((i / w + (dy >> sy)) % h) * w + (i % w + (dx >> sx)) % w;
                (0..w * h).map(|i| samples[place(i)]).collect()
            };
            planes.iter().enumerate().map(plane).collect()
        };
        let there: Clip = still.iter().map(|planes| moved(planes)).collect();
        let expected: Clip = run(&text, &format, &still).iter().map(|planes| moved(planes)).collect();
        assert!(run(&text, &format, &there) == expected, "{text} depends on the place");
    });
    for_all(100, |spec, text| {
        // Each frame has grain of its own.
        if spec.name == "grain" {
            return;
        }
        let text = bordered(spec, text, "clamp", "clamp");
        let pixel = Pixel::gray(8);
        let (format, all) = (format(pixel, 5, 4), noise(pixel, 5, 4, 24, 6));
        let format_of_plan = std::sync::Arc::new(format.clone());
        let reach = warpreel::plan::plan(&[only(&text)], &format_of_plan).expect("a plan").latency();
        let (early, late) = (all[..23].to_vec(), all[1..].to_vec());
        let (early, late) = (run(&text, &format, &early), run(&text, &format, &late));
        // Two frames may be made of each.
        let each = early.len() / 23;
        for place in each * reach..each * 23usize.saturating_sub(reach + 1) {
            assert!(early[place + each] == late[place], "{text} depends on the time");
        }
    });
}

/// Sums of pictures: what a linear filter makes of `(a + 3 b) / 4` is that of what it makes of both.
#[test]
fn linearity() {
    let checked = std::cell::Cell::new(0);
    for_all(300, |spec, text| {
        let text = bordered(spec, text, "reflect", "zero");
        let filter = only(&text);
        let want = want(&filter, float(), 0);
        let linear = matches!(&want, Want::Stencil(stencil)
            if !matches!(&stencil.shape, Shape::Kernels(_, combine) if *combine != Combine::Sum));
        // Where a scene begins is not.
        if !linear || filter.scene().is_some() {
            return;
        }
        checked.set(checked.get() + 1);
        let (width, height, frames) = (13, 9, 4);
        let format = format(float(), width, height);
        let (a, b) = (noise(float(), width, height, frames, 7), noise(float(), width, height, frames, 8));
        let mix = |a: f32, b: f32| 0.25 * a + 0.75 * b;
        let both: Clip = std::iter::zip(&a, &b)
            .map(|(a, b)| vec![std::iter::zip(&a[0], &b[0]).map(|(a, b)| mix(*a, *b)).collect()])
            .collect();
        let [a, b, both] = [a, b, both].map(|clip| run(&text, &format, &clip));
        let bias = if let Want::Stencil(stencil) = &want { stencil.bias.abs() } else { 0.0 };
        let error = 3.0 * (rounding(&want, 1.0) + bias * 1e-6);
        for ((a, b), both) in std::iter::zip(std::iter::zip(&a, &b), &both) {
            for ((a, b), both) in std::iter::zip(std::iter::zip(&a[0], &b[0]), &both[0]) {
                let expected = 0.25 * f64::from(*a) + 0.75 * f64::from(*b);
                let off = (f64::from(*both) - expected).abs();
                assert!(off <= error, "{text} is not linear: {both} where {expected} is expected");
            }
        }
    });
    assert!(checked.get() > 100, "{} filters are linear", checked.get());
}

/// A single bright sample becomes the kernel, turned about its anchor.
#[test]
fn impulses() {
    let checked = std::cell::Cell::new(0);
    for_all(300, |spec, text| {
        let text = bordered(spec, text, "zero", "zero");
        let filter = only(&text);
        let want = want(&filter, float(), 0);
        let Want::Stencil(stencil) = &want else { return };
        let responses = Response::of(stencil);
        let linear = !matches!(&stencil.shape, Shape::Kernels(_, combine) if *combine != Combine::Sum);
        let [response] = &responses[..] else { return };
        let size = response.size();
        // A bright sample in a small dark frame may begin a scene.
        if !linear || filter.scene().is_some() || size.iter().any(|&size| size > 60) {
            return;
        }
        checked.set(checked.get() + 1);
        // The sample lies so far from all ends that the whole kernel is seen.
        let [frames, height, width] = size.map(|size| 2 * size + 1);
        let format = format(float(), width, height);
        let input = clip(&format, frames, |frame, _, x, y| {
            let bright = [frame, y, x] == size;
            if bright { 1.0 } else { 0.0 }
        });
        let found = run(&text, &format, &input);
        for (i, &sample) in found.iter().flat_map(|planes| &planes[0]).enumerate() {
            let place = [i / (width * height), i / width % height, i % width];
            let index =
                [0, 1, 2].map(|axis| response.anchor()[axis] as isize + size[axis] as isize - place[axis] as isize);
            let inside = std::iter::zip(index, size).all(|(index, size)| (0..size as isize).contains(&index));
            let tap = if inside { response.tap(index.map(|index| index as usize)) } else { 0.0 };
            let off = (f64::from(sample) - tap - stencil.bias).abs();
            assert!(off <= rounding(&want, 1.0), "{text}: {sample} at {place:?}, where the tap is {tap}");
        }
    });
    assert!(checked.get() > 100, "{} kernels were seen", checked.get());
}

/// Integers of all depths and floats give the same picture on a common scale, to within their steps.
#[test]
fn depths_give_the_same_picture() {
    let checked = std::cell::Cell::new(0);
    for_all(200, |spec, text| {
        // What is typed in sample values has no common scale, and black and white of limited range stand on another one:
        // powers of two, not parts of full scale.
        let own_units =
            spec.parameters().any(|parameter| parameter.unit == "sample values" && text.contains(parameter.name));
        // FFmpeg's limits are whole numbers of the samples of each depth, next to which samples fall to either side.
        let whole_limits = ["atadenoise", "deband", "deblock"].contains(&spec.name);
        // It cuts off what is less than a sample, and of the room above white, which is a sample more, it takes the root.
        let whole_room = spec.name == "cas";
        if own_units || text.contains("limited") || spec.name == "convolution" || whole_limits || whole_room {
            return;
        }
        checked.set(checked.get() + 1);
        let text = bordered(spec, text, "clamp", "clamp");
        let filter = only(&text);
        let (width, height) = (11, 7);
        let eight = noise(Pixel::gray(8), width, height, 3, 10);
        let on_scale = |pixel: Pixel| -> Vec<f64> {
            let peak = pixel.peak();
            let scaled = |&sample: &f32| match pixel.sample {
                Sample::F32 => sample / 255.0,
                _ => (sample * peak / 255.0).round(),
            };
            let clip = eight.iter().map(|planes| vec![planes[0].iter().map(scaled).collect()]).collect();
            let found = run(&text, &format(pixel, width, height), &clip);
            found.iter().flat_map(|planes| &planes[0]).map(|sample| f64::from(*sample / peak).clamp(0.0, 1.0)).collect()
        };
        let first = on_scale(Pixel::gray(8));
        for pixel in [Pixel::gray(10), Pixel::gray(16), float()] {
            let want = want(&filter, pixel, 0);
            // Samples of 10 bits stand where those of 8 bits do to within half a step; what that does to a curve, or to colours
            // that are looked up, is seen in the table of filters.
            if pixel.depth == 10 && matches!(want, Want::Points(_) | Want::Operation(Op::Grade(_))) {
                continue;
            }
            // A block that is equally like is another one as soon as samples are rounded otherwise, and so is an edge.
            if matches!(want, Want::Operation(Op::Bm3d(_))) || filter.is_deinterlacer() {
                continue;
            }
            let input = if pixel.depth == 10 { 0.5 / 1023.0 } else { 0.0 };
            let own = if pixel.sample == Sample::F32 { 0.0 } else { 0.5 / f64::from(pixel.peak()) };
            // Weights of 8 bits are coarser, which shows where hardly any sample is like another.
            // So are samples between samples, which are rounded along both axes.
            let coarse = match &want {
                Want::Operation(Op::Bilateral(_)) => 1.5 / 255.0,
                Want::Operation(Op::Degrain(_)) => 1.2 / 255.0,
                // Blends are rounded down, and mid-grey, which some modes double, lies half a step beside the middle.
                Want::Operation(Op::Compose(_)) => 1.5 / 255.0,
                // FFmpeg's bytes: brightness is whole hundredths, and fractions are cut off.
                _ if ["eq", "hue"].contains(&spec.name) => 4.0 / 255.0,
                _ => 0.0,
            };
            let error = 0.5 / 255.0 + own + input * weight(&want) + 2.0 * rounding(&want, 1.0) + coarse + 1e-6;
            for (a, b) in std::iter::zip(&first, on_scale(pixel)) {
                assert!((a - b).abs() <= error, "{text}: {a} and {b} in {}", pixel.name());
            }
        }
    });
    assert!(checked.get() > 100, "{} filters were compared", checked.get());
}

/// Grey of all families is the same grey: what is done to it does not depend on the planes beside it.
#[test]
fn luma_is_grey() {
    for_all(60, |spec, text| {
        let text = bordered(spec, text, "reflect101", "clamp");
        let (width, height) = (9, 6);
        let (gray, rgb) = (Pixel::gray(8), Pixel::integer(Family::Rgb, 0, 0, 8));
        let one = noise(gray, width, height, 3, 11);
        if !(0..3).all(|plane| want(&only(&text), rgb, plane) == want(&only(&text), gray, 0)) {
            return;
        }
        let three: Clip = one.iter().map(|planes| vec![planes[0].clone(); 3]).collect();
        let single = run(&text, &format(gray, width, height), &one);
        let all = run(&text, &format(rgb, width, height), &three);
        for (single, all) in std::iter::zip(&single, &all) {
            assert!(all.iter().all(|plane| *plane == single[0]), "{text}");
        }
    });
}
