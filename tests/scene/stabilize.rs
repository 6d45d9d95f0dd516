//! `stabilize` on a scene that a shaky camera films: it becomes as steady as if the camera had been, in every format, and each
//! frame comes where the definition says.

use std::sync::Arc;

use warpreel::frame::{Family, Format, Frame, Pixel, Pool, Rational, Sample, Timing};

use super::{assert_same, on_cpu};
use crate::agreement::Random;
use crate::oracle;

/// A pattern that repeats nowhere, 0 to 1: smooth noise of several sizes.
fn scene(x: f64, y: f64) -> f64 {
    let lattice = |column: i64, row: i64, size: u64| {
        f64::from(Random::new((column as u64) << 40 ^ (row as u64 & 0xff_ffff) << 8 ^ size).real(-1.0, 1.0))
    };
    let noise = |size: u64| {
        let [x, y] = [x, y].map(|place| place / size as f64);
        let [column, row] = [x.floor(), y.floor()];
        let smooth = |part: f64| part * part * (3.0 - 2.0 * part);
        let [across, down] = [smooth(x - column), smooth(y - row)];
        let at = |dx: i64, dy: i64| lattice(column as i64 + dx, row as i64 + dy, size);
        let mix = |a: f64, b: f64, part: f64| a + part * (b - a);
        mix(mix(at(0, 0), at(1, 0), across), mix(at(0, 1), at(1, 1), across), down)
    };
    0.5 + 0.11 * [6, 10, 18, 32].map(noise).iter().sum::<f64>()
}

/// Where a camera is: what is seen lies so far right and down, and is turned by so much, clockwise.
pub type Place = [f64; 3];

/// A pan of so many frames by a hand that shakes.
pub fn shaking(frames: usize) -> Vec<Place> {
    let mut random = Random::new(5);
    let mut shake = |most: f32| f64::from(random.real(-most, most));
    (0..frames).map(|n| [0.7 * n as f64 + shake(3.0), -0.2 * n as f64 + shake(2.0), shake(0.01)]).collect()
}

/// What the camera films.
pub fn filmed(format: &Arc<Format>, path: &[Place]) -> Vec<Frame> {
    let pool = Pool::heap();
    let frame = |(number, &[dx, dy, angle]): (usize, &Place)| {
        let mut frame = pool.frame(format).expect("memory");
        let pixel = format.pixel;
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        let [middle_x, middle_y] = [format.width, format.height].map(|length| (length - 1) as f64 / 2.0);
        for plane in 0..pixel.planes() {
            let (width, height) = format.plane_size(plane);
            let (across, down) = pixel.subsampling(plane);
            let [wide, high] = [across, down].map(|power| f64::from(1u32 << power));
            // Samples of chroma lie in the middle of those of luma.
            let value = |i: usize, j: usize| {
                let [x, y] =
                    [(i as f64 + 0.5) * wide - 0.5 - middle_x - dx, (j as f64 + 0.5) * high - 0.5 - middle_y - dy];
                let place = [cosine * x + sine * y, cosine * y - sine * x];
                scene(place[0] + 1000.0 * plane as f64, place[1]) * f64::from(pixel.peak())
            };
            for j in 0..height {
                for i in 0..width {
                    let value = value(i, j);
                    match pixel.sample {
                        Sample::U8 => frame.planes_mut::<u8>()[plane].row_mut(j)[i] = value.round() as u8,
                        Sample::U16 => frame.planes_mut::<u16>()[plane].row_mut(j)[i] = value.round() as u16,
                        Sample::F32 => frame.planes_mut::<f32>()[plane].row_mut(j)[i] = value as f32,
                    }
                }
            }
        }
        frame.freeze(Timing { number: number as u64, ..Timing::default() })
    };
    path.iter().enumerate().map(frame).collect()
}

/// The mean difference of two frames in the inner half of their first plane, as a fraction of full scale.
fn difference(one: &Frame, other: &Frame) -> f64 {
    let format = one.format();
    let (width, height) = format.plane_size(0);
    let [one, other] = [one, other].map(|frame| oracle::samples(frame, 0));
    let inner =
        (height / 4..height - height / 4).flat_map(|y| (width / 4..width - width / 4).map(move |x| y * width + x));
    let differences: Vec<f64> = inner.map(|at| f64::from((one[at] - other[at]).abs())).collect();
    differences.iter().sum::<f64>() / differences.len() as f64 / f64::from(format.pixel.peak())
}

/// Gaussian weights of a smooth path, for distances of −radius to radius.
fn weights(radius: isize) -> Vec<f64> {
    let sigma = radius as f64 / 2.0;
    let weights: Vec<f64> =
        (-radius..=radius).map(|far| (-((far * far) as f64) / (2.0 * sigma * sigma)).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The path that a hand would have taken that does not shake; of frames that have all others around them.
fn smooth(path: &[Place], radius: usize) -> Vec<(usize, Place)> {
    let weights = weights(radius as isize);
    let inner = radius..path.len() - radius;
    let mean = |n: usize, axis: usize| (0..=2 * radius).map(|k| weights[k] * path[n + k - radius][axis]).sum();
    inner.map(|n| (n, [0, 1, 2].map(|axis| mean(n, axis)))).collect()
}

#[test]
fn a_shaky_camera_becomes_steady() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let path = shaking(15);
    let rgb = Pixel::integer(Family::Rgb, 0, 0, 16);
    for pixel in [Pixel::yuv420p(8), Pixel::yuv420p(10), Pixel::integer(Family::Yuv, 1, 0, 12), rgb, float] {
        let format = Arc::new(Format::new(pixel, 192, 128, Rational::new(25, 1)));
        let shaky = filmed(&format, &path);
        let steady = on_cpu("stabilize=radius=4:zoom=0:interpolation=bicubic", &shaky);
        for (n, place) in smooth(&path, 4) {
            let wanted = &filmed(&format, &[place])[0];
            let (before, after) = (difference(&shaky[n], wanted), difference(&steady[n], wanted));
            assert!(after < 0.004 && after < before / 4.0, "{}: frame {n}: {before} and {after}", pixel.name());
        }
    }
}

/// Frames of a camera that does not move stay as they are, and so do those that show nothing.
#[test]
fn a_camera_that_does_not_move_changes_nothing() {
    let format = Arc::new(Format::new(Pixel::yuv420p(8), 96, 64, Rational::new(25, 1)));
    let still = filmed(&format, &[[0.0; 3]; 6]);
    assert_same(&on_cpu("stabilize=radius=2:zoom=0", &still), &still, "a camera that stands");
    let tiny = Arc::new(Format::new(Pixel::yuv420p(8), 3, 2, Rational::new(25, 1)));
    let small = filmed(&tiny, &shaking(6));
    assert_same(&on_cpu("stabilize=zoom=0", &small), &small, "frames too small to find motion in");
}

/// Zoom enlarges about the centre, and no border is seen of what it hides.
#[test]
fn zoom_hides_the_borders() {
    let format = Arc::new(Format::new(Pixel::gray(8), 160, 120, Rational::new(25, 1)));
    let shaky = filmed(&format, &shaking(12));
    let filled = on_cpu("stabilize=radius=3:zoom=0:edge=fill:color=white", &shaky);
    let hidden = on_cpu("stabilize=radius=3:zoom=15:edge=fill:color=white", &shaky);
    let white =
        |clip: &[Frame]| clip.iter().flat_map(|frame| oracle::samples(frame, 0)).filter(|v| *v == 255.0).count();
    assert!(white(&filled) > 200 && white(&hidden) == 0, "{} and {}", white(&filled), white(&hidden));
}

/// A cut ends a path: each scene is as it is alone.
#[test]
fn a_cut_begins_another_path() {
    let format = Arc::new(Format::new(Pixel::gray(8), 160, 120, Rational::new(25, 1)));
    let elsewhere: Vec<Place> = shaking(7).into_iter().map(|[x, y, angle]| [x + 5000.0, y - 900.0, angle]).collect();
    let scenes = [filmed(&format, &shaking(6)), filmed(&format, &elsewhere)];
    let chain = "stabilize=radius=5";
    let alone: Vec<Frame> = scenes.iter().flat_map(|scene| on_cpu(chain, scene)).collect();
    assert_same(&on_cpu(chain, &scenes.concat()), &alone, "two scenes");
}
