//! What is promised of contrast-adaptive sharpening, where no other program says it.

use warpreel::filter::{Defaults, Edge, Want, parse};
use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{Border, Cas, Op};

use super::{only, pixels};
use crate::agreement::Random;
use crate::stage::{Clip, clip, float, format, run};

/// Samples from one level to another, in parts of full scale.
fn between(pixel: Pixel, [low, high]: [f32; 2], seed: u64) -> Clip {
    let mut random = Random::new(seed);
    clip(&format(pixel, 37, 9), 1, |_, _, _, _| {
        let value = random.real(low, high);
        if pixel.sample == Sample::F32 { value } else { (value * pixel.peak()).round() }
    })
}

#[test]
fn the_border_is_ffmpegs_unless_typed() {
    let border = |text: &str, defaults: &Defaults| {
        parse(text, defaults).expect(text)[0].wanted(Pixel::gray(8), 0).expect("wanted").border
    };
    let none = Defaults::default();
    assert_eq!(border("cas", &none), Border::Clamp);
    assert_eq!(border("cas=1:border=wrap", &none), Border::Wrap);
    assert_eq!(border("cas=1:7:wrap", &none), Border::Wrap);
    let mirrored = Defaults { border: Edge::parse("reflect101"), ..Defaults::default() };
    assert_eq!(border("cas", &mirrored), Border::Reflect101);
    assert_eq!(border("cas=border=clamp", &mirrored), Border::Clamp);
}

#[test]
fn strength_goes_from_a_sixteenth_to_a_quarter() {
    let divisor = |text: &str| match only(text).wanted(Pixel::gray(8), 0).expect("wanted").want {
        Want::Operation(Op::Cas(Cas { divisor, .. })) => divisor,
        want => panic!("{want:?}"),
    };
    assert_eq!(divisor("cas"), -16.0);
    assert_eq!(divisor("cas=0.5"), -(16.0 + (4.01f32 - 16.0) * 0.5));
    assert!((-4.0101..-4.0).contains(&divisor("cas=strength=1")));
}

/// The distance from the mean of the neighbours grows everywhere, and with the strength.
#[test]
fn what_is_soft_becomes_sharp() {
    let pixel = Pixel::gray(8);
    let soft =
        clip(&format(pixel, 9, 3), 1, |_, _, x, _| [80.0, 80.0, 80.0, 90.0, 110.0, 130.0, 140.0, 140.0, 140.0][x]);
    let step = |text: &str| {
        let made = &run(text, &format(pixel, 9, 3), &soft)[0][0];
        made[9 + 5] - made[9 + 3]
    };
    let steps = ["cas", "cas=0.5", "cas=1"].map(step);
    assert!(40.0 < steps[0] && steps[0] < steps[1] && steps[1] < steps[2], "{steps:?}");
}

/// Between black and white there is no room for more.
#[test]
fn full_contrast_stays() {
    for pixel in pixels() {
        let frame = format(pixel, 16, 8);
        let checkers = clip(&frame, 1, |_, _, x, y| if (x / 2 + y / 2) % 2 == 0 { 0.0 } else { pixel.peak() });
        let made = run("cas=strength=1:planes=all", &frame, &checkers);
        // White beside white alone has a sample of room in whole numbers.
        let most = if pixel.sample == Sample::F32 { 0.0 } else { 1.0 };
        for (before, after) in checkers[0].iter().flatten().zip(made[0].iter().flatten()) {
            assert!((before - after).abs() <= most, "{before} became {after} in {}", pixel.name());
        }
    }
}

#[test]
fn opacity_is_left_alone_unless_selected() {
    let pixel = Pixel { alpha: true, ..Pixel::yuv420p(10) };
    let frame = between(pixel, [0.3, 0.6], 4);
    let made = |text: &str| run(text, &format(pixel, 37, 9), &frame).remove(0);
    let usual = made("cas=0.6");
    assert!(usual[3] == frame[0][3] && (0..3).all(|plane| usual[plane] != frame[0][plane]));
    let selected = made("cas=0.6:planes=a");
    assert!(selected[3] != frame[0][3] && (0..3).all(|plane| selected[plane] == frame[0][plane]));
    assert!(made("cas=0.6:7") == usual, "FFmpeg's bits");
}

/// What little 16 bits cut off, and the sample of room that they have above white.
#[test]
fn floats_are_what_16_bits_are() {
    let deep = Pixel::gray(16);
    let whole = between(deep, [0.25, 0.75], 5);
    let scaled: Clip = whole.iter().map(|planes| vec![planes[0].iter().map(|v| v / deep.peak()).collect()]).collect();
    for text in ["cas", "cas=0.4", "cas=0.8"] {
        let (a, b) = (run(text, &format(deep, 37, 9), &whole), run(text, &format(float(), 37, 9), &scaled));
        for (a, b) in a[0][0].iter().zip(&b[0][0]) {
            let b = b.clamp(0.0, 1.0) * deep.peak();
            assert!((-2.0..4.0).contains(&(b - a)), "{text}: {a} and {b}");
        }
    }
}
