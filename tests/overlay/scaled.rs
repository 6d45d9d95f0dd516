//! PNG files of another size: the triangle's weights by their definition, in either direction, and sides that follow.

use super::{Kind, Logo, kind, laid, made};
use crate::agreement::Random;
use crate::program::Bench;

/// The weights of one of `to` samples: a triangle about its middle, as wide as the coarser grid asks for; what lies outside is
/// mirrored.
fn weights(index: usize, from: usize, to: usize) -> Vec<f64> {
    let (middle, wide) = ((index as f64 + 0.5) * from as f64 / to as f64, (from as f64 / to as f64).max(1.0));
    let mut weights = vec![0.0; from];
    let first = (middle - wide).floor() as i64 - 1;
    for place in first..=(middle + wide).ceil() as i64 {
        let weight = (1.0 - (place as f64 + 0.5 - middle).abs() / wide).max(0.0);
        let mirrored = if place < 0 { -1 - place } else { place };
        let mirrored = if mirrored >= from as i64 { 2 * from as i64 - 1 - mirrored } else { mirrored };
        weights[mirrored.clamp(0, from as i64 - 1) as usize] += weight;
    }
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The picture of another size.
fn scaled(logo: &Logo, width: usize, height: usize) -> Logo {
    let across: Vec<_> = (0..width).map(|x| weights(x, logo.width, width)).collect();
    let down: Vec<_> = (0..height).map(|y| weights(y, logo.height, height)).collect();
    let pixel = |x: usize, y: usize| {
        let (mut colours, mut opacity) = ([0.0; 3], 0.0);
        for (row, weight) in down[y].iter().enumerate() {
            for (column, share) in across[x].iter().enumerate() {
                let pixel = logo.pixels[row * logo.width + column].map(|part| part as f64 / 65535.0);
                let seen = weight * share * pixel[3];
                opacity += seen;
                colours.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += seen * part);
            }
        }
        let [r, g, b] = colours.map(|sum| if opacity > 0.0 { sum / opacity } else { 0.0 });
        [r, g, b, opacity].map(|part| (part.min(1.0) * 65535.0).round() as u64)
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Logo { width, height, pixels: places.map(|(x, y)| pixel(x, y)).collect() }
}

const KINDS: [Kind; 4] = [
    kind("yuv420p", 8, (2, 2), None),
    kind("gbrp", 8, (1, 1), None),
    kind("yuv422p10le", 10, (2, 1), None),
    kind("gbrap", 8, (1, 1), None),
];

#[test]
fn the_definition_gives_the_same() {
    let bench = Bench::new();
    let mut random = Random::new(29);
    for kind in KINDS {
        for case in 0..6 {
            let size = (random.range(30..=70), random.range(20..=50));
            let (width, height) = (random.range(1..=25), random.range(1..=25));
            let logo = Logo::new(&mut random, width, height);
            logo.write(&bench, "logo.png");
            // Smaller, larger, and of one size along an axis.
            let target = match case {
                0 => (width, random.range(1..=60)),
                _ => (random.range(1..=60), random.range(1..=60)),
            };
            let count: usize = kind.planes().iter().map(|(x, y)| size.0.div_ceil(*x) * size.1.div_ceil(*y)).sum();
            let frame: Vec<u64> = (0..count).map(|_| random.below(kind.most() + 1)).collect();
            let chain = format!("overlay=logo.png:x=6:y=2:opacity=0.8:width={}:height={}", target.0, target.1);
            let wanted = laid(kind, &frame, size, &scaled(&logo, target.0, target.1), (6, 2), 0.8);
            let got = made(&bench, kind, &frame, size, &chain);
            assert!(got == kind.bytes(&wanted), "{chain} of {width}x{height} over {} {size:?}", kind.name);
        }
    }
}

/// A side alone keeps the shape, and places know the size that was made.
#[test]
fn sides_follow_the_picture() {
    let bench = Bench::new();
    super::clip(&bench, "yuv420p");
    let raw = |chain: &str| super::raw(&bench, "in.mkv", chain, &[]);
    let wanted = raw("overlay=logo.png:x=W-16-4:y=4:width=16:height=11");
    for sides in ["width=16", "width=W/4", "width=16:height=-1", "height=11:width=H/3"] {
        assert!(raw(&format!("overlay=logo.png:x=W-w-4:y=4:{sides}")) == wanted, "{sides}");
    }
    assert!(raw("overlay=logo.png:width=w:height=h") == raw("overlay=logo.png"), "its own size");
    for (sides, fault) in [
        ("width=0", "the picture would have 0x1 pixels; type sides from 1 to"),
        (
            "width=16384:height=16384",
            "logo.png, 21x15, is too large to become 16384x16384; type a smaller width and height",
        ),
    ] {
        let said = bench.fail(&["in.mkv", "null:", "-f", &format!("overlay=logo.png:{sides}")]);
        assert!(said.contains(fault), "{sides}: {said}");
    }
}
