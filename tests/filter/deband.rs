//! What is promised of steps that are made smooth, where no other program says it.

use warpreel::filter::{Defaults, Want, parse};
use warpreel::frame::{Family, Pixel, Sample};
use warpreel::pass::{Border, Deband, Op};

use super::{only, pixels};
use crate::stage::{Clip, clip, format, run};

fn op(text: &str, pixel: Pixel, plane: usize) -> Deband {
    match only(text).wanted(pixel, plane).expect("wanted").want {
        Want::Operation(Op::Deband(op)) => op,
        want => panic!("{want:?}"),
    }
}

/// A gradient from left to right of so many steps a sample, in parts of 2⁸.
fn gradient(pixel: Pixel, width: usize, height: usize, rise: f32) -> Clip {
    clip(&format(pixel, width, height), 1, |_, _, x, _| {
        let value = (40.0 + rise * x as f32).floor();
        if pixel.sample == Sample::F32 { value / 255.0 } else { value * 2f32.powi(i32::from(pixel.depth) - 8) }
    })
}

#[test]
fn thresholds_are_ffmpegs_of_each_plane() {
    let text = "deband=0.1:0.2:0.3:0.4:planes=15";
    let colours = Pixel { alpha: true, ..Pixel::yuv420p(10) };
    let limits =
        |pixel: Pixel| (0..pixel.planes()).map(|plane| op(text, pixel, plane).thresholds[0]).collect::<Vec<_>>();
    assert_eq!(limits(colours), [102.0, 204.0, 306.0, 409.0]);
    assert_eq!(limits(Pixel { alpha: true, ..Pixel::gray(8) }), [25.0, 102.0]);
    assert_eq!(limits(Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) }), [0.1]);
    let coupled = op("deband=0.1:0.2:0.3:coupling=1", Pixel::integer(Family::Rgb, 0, 0, 8), 1);
    assert_eq!(coupled.thresholds[..], [25.0, 51.0, 76.0]);
    assert!(coupled.coupled && !op("deband=coupling=1", Pixel::gray(8), 0).coupled);
}

#[test]
fn places_are_whole() {
    let refused = parse("deband=range=2.5", &Defaults::default()).expect_err("a fraction");
    assert!(
        format!("{refused:#}").contains("range is 2.5 at character 1 of the chain; type a whole number, as range=3"),
        "{refused:#}"
    );
}

#[test]
fn places_are_within_the_range_and_go_all_around() {
    let gray = Pixel::gray(8);
    let usual = op("deband", gray, 0);
    assert_eq!(usual.places.len(), Deband::MAX_PLACES);
    assert!(usual.places.iter().all(|[x, y]| x * x + y * y <= 16 * 16));
    let sides = |take: fn(&[i16; 2]) -> i16| {
        usual.places.iter().map(take).fold((0, 0), |(low, high), v| (low.min(v), high.max(v)))
    };
    assert!(sides(|place| place[0]).0 < -5 && sides(|place| place[0]).1 > 10);
    assert!(sides(|place| place[1]).0 < -10 && sides(|place| place[1]).1 > 2);
    assert_eq!(op("deband=range=-8:direction=-1", gray, 0).places[..], [[4, 6]]);
    let distant = op("deband=range=-8", gray, 0);
    assert!(distant.places.iter().all(|[x, y]| (36..=64).contains(&(x * x + y * y))));
    assert!(op("deband=range=0", gray, 0).places.iter().all(|place| *place == [0, 0]));
    assert_eq!(op("deband", gray, 0).border, Border::Clamp);
}

/// Steps of a gradient have other samples between them, and an edge none.
#[test]
fn steps_dissolve_and_edges_stay() {
    let pixel = Pixel::gray(10);
    let steps = gradient(pixel, 200, 40, 0.04);
    let made = run("deband", &format(pixel, 200, 40), &steps);
    let levels = |samples: &[f32]| {
        let mut levels: Vec<u32> = samples.iter().map(|sample| *sample as u32).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len()
    };
    assert!(2 * levels(&made[0][0]) > 3 * levels(&steps[0][0]), "{} levels", levels(&made[0][0]));
    let mean = |samples: &[f32]| samples.iter().sum::<f32>() / samples.len() as f32;
    assert!((mean(&made[0][0]) - mean(&steps[0][0])).abs() < 0.5, "means are cut off by three eighths");
    let edge = clip(&format(pixel, 200, 40), 1, |_, _, x, _| if x < 100 { 200.0 } else { 600.0 });
    assert_eq!(run("deband=blur=0", &format(pixel, 200, 40), &edge), edge);
}

#[test]
fn coupled_planes_change_together() {
    for pixel in pixels().into_iter().filter(|pixel| pixel.family == Family::Rgb) {
        let planes = pixel.planes();
        let frame = format(pixel, 90, 30);
        let soft = gradient(pixel, 90, 30, 0.2);
        // Of the second plane every other sample is far from its neighbours.
        let mut rough = soft.clone();
        rough[0][1].iter_mut().step_by(2).for_each(|sample| *sample = pixel.peak());
        let together = run("deband=coupling=1:blur=0", &frame, &rough);
        let apart = run("deband=blur=0", &frame, &rough);
        let changed = |made: &Clip| (0..planes).filter(|&plane| made[0][plane] != rough[0][plane]).count();
        assert!(changed(&together) <= changed(&apart) && changed(&apart) >= planes - 1, "{}", pixel.name());
        let moved = |clip: &Clip, plane: usize, place: usize| clip[0][plane][place] != rough[0][plane][place];
        let more = (0..90 * 30).filter(|&place| moved(&together, 0, place) && !moved(&apart, 0, place)).count();
        assert_eq!(more, 0, "{}", pixel.name());
        let fewer = (0..90 * 30).filter(|&place| moved(&apart, 0, place) && !moved(&together, 0, place)).count();
        assert!(fewer > 500, "{fewer} in {}", pixel.name());
    }
}
