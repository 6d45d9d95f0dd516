//! Boxes in place of a bell.

use warpreel::filter::{Defaults, Want, parse};
use warpreel::frame::Pixel;
use warpreel::pass::Op;

use super::only;
use crate::stage::{clip, float, format, run};

/// An edge and a line, along x and along y, come out as near to the bell's as is said.
#[test]
fn boxes_come_near_the_bell() {
    for sigma in [5.0, 5.3, 6.1, 7.4, 9.0, 13.7, 20.0, 47.5] {
        let length = (8.0f64 * sigma) as usize;
        for [width, height] in [[length, 1], [1, length]] {
            let format = format(Pixel::gray(16), width, height);
            let picture = clip(&format, 2, |frame, _, x, y| match (frame, (x + y).cmp(&(length / 2))) {
                (0, std::cmp::Ordering::Less) => 0.0,
                (0, _) | (_, std::cmp::Ordering::Equal) => 65_535.0,
                _ => 0.0,
            });
            let bell = run(&format!("gaussian=sigma={sigma}:border=clamp"), &format, &picture);
            for (boxes, most) in [(3, 1.5), (4, 1.2), (5, 0.9), (6, 0.8)] {
                let text = format!("gaussian=sigma={sigma}:boxes={boxes}:border=clamp");
                let found = run(&text, &format, &picture);
                let pairs = found.iter().zip(&bell).flat_map(|(a, b)| a[0].iter().zip(&b[0]));
                let away = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) / 655.35;
                assert!(away > 0.0, "{text} is the bell");
                assert!(away <= most, "{text}: {away} % of the edge");
            }
        }
    }
}

/// Each plane has boxes, or the bell where they do not serve.
#[test]
fn boxes_where_they_serve() {
    let is_boxed = |text: &str, pixel: Pixel, plane: usize| {
        let want = only(text).wanted(pixel, plane).expect("wanted").want;
        matches!(want, Want::Operation(Op::Boxes(_)))
    };
    let yuv = Pixel::yuv420p(10);
    let boxed = |text: &str| [0, 1].map(|plane| is_boxed(text, yuv, plane));
    assert_eq!(boxed("gaussian=sigma=10:boxes=3"), [true, true]);
    assert_eq!(boxed("gaussian=sigma=9:boxes=3"), [true, false]);
    assert_eq!(boxed("gaussian=sigma=4:boxes=3"), [false, false]);
    assert_eq!(boxed("gaussian=sigma=20:sigma_y=0:boxes=1"), [true, true]);
    assert_eq!(boxed("gaussian=sigma=20:sigma_y=3:boxes=4"), [false, false]);
    assert_eq!(boxed("gaussian=sigma=20"), [false, false]);
    assert!(!is_boxed("gaussian=sigma=20:boxes=3", float(), 0));
    // The widest that can be asked for.
    assert_eq!(boxed("gaussian=sigma=1000:boxes=1"), [true, true]);
    assert_eq!(boxed("gaussian=sigma=1000:boxes=6"), [true, true]);
    for boxes in 1..=6 {
        for pixel in [Pixel::gray(8), Pixel::gray(16)] {
            let format = format(pixel, 9, 7);
            let flat = clip(&format, 1, |_, _, _, _| pixel.peak());
            let text = format!("gaussian=sigma=1000:boxes={boxes}");
            assert_eq!(run(&text, &format, &flat), flat, "{text}");
        }
    }
}

#[test]
fn boxes_have_no_radius() {
    let error = parse("gaussian=sigma=20:boxes=3:radius=30", &Defaults::default()).expect_err("refused");
    assert!(format!("{error:#}").ends_with("leave out radius, or boxes"), "{error:#}");
}
