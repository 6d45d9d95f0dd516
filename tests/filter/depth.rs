//! Samples of another depth, type or range: in which order that and another size go, and what later filters see.

use std::sync::Arc;

use warpreel::engine::Engine;
use warpreel::filter::{FILTERS, Group};
use warpreel::frame::{Colour, Format, Frame, Pixel, Range, Rational, Timing};
use warpreel::pass::{BayerMatrix, Dither, Op, Pass, Requantize};
use warpreel::plan::{Plan, plan};

use super::chain;
use crate::agreement::Random;

fn format(pixel: Pixel, range: Range) -> Arc<Format> {
    let colour = Colour { range, ..Colour::default() };
    Arc::new(Format { colour, ..Format::new(pixel, 64, 48, Rational::new(25, 1)) })
}

fn planned(text: &str, pixel: Pixel) -> Plan {
    plan(&chain(text), &format(pixel, Range::Unspecified)).expect(text)
}

/// The formats between passes, without their rate.
fn between(text: &str, from: Pixel) -> Vec<String> {
    let short = |format: &Arc<Format>| {
        format!("{} {}x{} {:?}", format.pixel.name(), format.width, format.height, format.whole_range())
    };
    planned(text, from).formats().iter().map(short).collect()
}

fn ops(pass: &Pass) -> Vec<Requantize> {
    let op = |op: &Op| match op {
        Op::Requantize(op) => *op,
        op => panic!("{op:?} converts nothing"),
    };
    pass.ops().map(op).collect()
}

/// The order of zimg's graph builder: never 8 bits where others are at hand, and else the fewest samples.
#[test]
fn sizes_and_depths_go_in_zimgs_order() {
    let [eight, ten, sixteen] = [8, 10, 16].map(Pixel::yuv420p);
    let float = eight.float();
    for (text, from, wanted) in [
        ("scale=depth=10", eight, &["yuv420p10 64x48 Limited"][..]),
        ("scale=32:24:depth=10", eight, &["yuv420p10 64x48 Limited", "yuv420p10 32x24 Limited"]),
        ("scale=128:96:depth=8", ten, &["yuv420p10 128x96 Limited", "yuv420p 128x96 Limited"]),
        ("scale=128:96:depth=16", ten, &["yuv420p16 64x48 Limited", "yuv420p16 128x96 Limited"]),
        ("scale=32:24:depth=16", ten, &["yuv420p10 32x24 Limited", "yuv420p16 32x24 Limited"]),
        ("scale=128:96:depth=10", sixteen, &["yuv420p10 64x48 Limited", "yuv420p10 128x96 Limited"]),
        ("scale=32:24:depth=f32", eight, &["yuv420pf32 64x48 Limited", "yuv420pf32 32x24 Limited"]),
        ("scale=32:24:depth=8", float, &["yuv420pf32 32x24 Limited", "yuv420p 32x24 Limited"]),
        ("scale=range=full", eight, &["yuv420p 64x48 Full"]),
        (
            "scale=32:24:range=full",
            eight,
            &["yuv420p16 64x48 Limited", "yuv420p16 32x24 Limited", "yuv420p 32x24 Full"],
        ),
        (
            "scale=32:24:rangein=full:range=limited",
            eight,
            &["yuv420pf32 64x48 Full", "yuv420pf32 32x24 Full", "yuv420p 32x24 Limited"],
        ),
        ("scale=depth=10:chroma=444", eight, &["yuv420p10 64x48 Limited", "yuv444p10 64x48 Limited"]),
    ] {
        assert_eq!(between(text, from)[1..], *wanted, "{text} of {}", from.name());
    }
    for text in ["scale=depth=8", "scale=depth=8:dither=ordered", "scale=iw:ih:depth=8"] {
        assert!(planned(text, eight).steps().is_empty(), "{text}");
    }
}

#[test]
fn numbers_are_zimgs() {
    let numbers = |text: &str, pixel| -> Vec<(f32, f32)> {
        ops(&planned(text, pixel).passes()[0]).iter().map(|op| (op.scale, op.offset)).collect()
    };
    // A shift between limited ranges, of luma and of chroma.
    assert_eq!(numbers("scale=depth=10", Pixel::yuv420p(8)), [(4.0, 0.0); 3]);
    assert_eq!(numbers("scale=depth=10", Pixel::rgb(8)), [(1023.0 / 255.0, 0.0); 3]);
    let full = (255.0f64 / 219.0, 255.0f64 / 224.0);
    assert_eq!(
        numbers("scale=range=full", Pixel::yuv420p(8)),
        [
            (full.0 as f32, (-16.0 * full.0) as f32),
            (full.1 as f32, (128.0 - 128.0 * full.1) as f32),
            (full.1 as f32, (128.0 - 128.0 * full.1) as f32),
        ]
    );
    // Chroma of floats lies around 0.5.
    let float = Pixel::yuv420p(8).float();
    assert_eq!(numbers("scale=depth=8", float), [(219.0, 16.0), (224.0, 16.0), (224.0, 16.0)]);
    let to_full = numbers("scale=depth=8:range=full", float);
    assert_eq!(to_full, [(255.0, 0.0), (255.0, 0.5), (255.0, 0.5)]);
    // Opacity is of full range.
    let opaque = numbers("scale=depth=10", Pixel::yuv420p(8).with_alpha());
    assert_eq!(opaque[3], (1023.0 / 255.0, 0.0));
}

/// Planes have matrices of their own, in the order of red, green, blue; nothing is added where nothing is rounded.
#[test]
fn planes_are_dithered_apart() {
    let matrices = |text: &str, pixel| -> Vec<Dither> {
        ops(&planned(text, pixel).passes()[0]).iter().map(|op| op.dither).collect()
    };
    let [plain, mirrored, flipped, transposed] =
        [BayerMatrix::Plain, BayerMatrix::Mirrored, BayerMatrix::Flipped, BayerMatrix::Transposed].map(Dither::Ordered);
    let text = "scale=depth=8:dither=ordered";
    assert_eq!(matrices(text, Pixel::yuv420p(10).with_alpha()), [plain, mirrored, flipped, transposed]);
    assert_eq!(matrices(text, Pixel::rgb(10)), [mirrored, flipped, plain]);
    assert_eq!(matrices("scale=depth=8:d=error_diffusion", Pixel::rgb(10)), [Dither::Diffused; 3]);
    assert_eq!(matrices("scale=depth=10:d=error_diffusion", Pixel::yuv420p(8)), [Dither::None; 3]);
    assert_eq!(matrices("scale=depth=10:d=ordered", Pixel::yuv420p(8)), [Dither::None; 3]);
    assert_eq!(matrices("scale=depth=f32:d=ordered", Pixel::yuv420p(8)), [Dither::None; 3]);
    assert_eq!(matrices("scale=depth=8", Pixel::yuv420p(10)), [Dither::None; 3]);
    let random = [Dither::Random(0), Dither::Random(1), Dither::Random(2)];
    assert_eq!(matrices("scale=depth=8:dither=random", Pixel::yuv420p(10)), random);
    assert_eq!(matrices("scale=depth=10:dither=random", Pixel::yuv420p(8)), [Dither::None; 3]);
    // Noise is even, as often below 0 as above, and other for each plane, row and column.
    let noise = |key| -> Vec<f32> { (0..1 << 16).map(|place| Dither::noise(key, place % 256, place / 256)).collect() };
    let [luma, chroma] = [0, 1].map(noise);
    let mut parts = [0; 16];
    for value in &luma {
        assert!(value.abs() < 0.5);
        parts[((value + 0.5) * 16.0) as usize] += 1;
    }
    assert!(parts.iter().all(|count| (3800..4400).contains(count)), "{parts:?}");
    let alike =
        |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>() / a.len() as f64 * 12.0;
    assert!((alike(&luma, &luma) - 1.0).abs() < 0.02);
    for other in [&chroma[..], &luma[1..], &luma[256..], &luma[257..]] {
        assert!(alike(&luma, other).abs() < 0.02);
    }
    // All 256 thresholds are there, and none of them moves a whole number to another.
    for matrix in [BayerMatrix::Plain, BayerMatrix::Mirrored, BayerMatrix::Flipped, BayerMatrix::Transposed] {
        let places = (0..256).map(|place| matrix.threshold(place % 16, place / 16));
        let mut thresholds: Vec<f32> = places.collect();
        thresholds.sort_by(f32::total_cmp);
        thresholds.dedup();
        assert_eq!(thresholds.len(), 256);
        assert!(thresholds.iter().all(|threshold| threshold.abs() < 0.5));
        assert_eq!(matrix.threshold(35, 50), matrix.threshold(3, 2));
    }
}

/// A filter behind a conversion is planned as on a clip of that depth.
#[test]
fn later_filters_are_planned_by_the_new_depth() {
    let eight = Pixel::yuv420p(8);
    for (depth, pixel) in [("10", Pixel::yuv420p(10)), ("16", Pixel::yuv420p(16)), ("f32", eight.float())] {
        for rest in ["gaussian=2", "invert,median=1", "scale=32:24", "nlmeans=s=3:p=5:r=9", "gamma=1.2:mix=0.5"] {
            let (both, alone) = (planned(&format!("scale=depth={depth},{rest}"), eight), planned(rest, pixel));
            assert_eq!(both.steps().len(), alone.steps().len() + 1, "{depth} {rest}");
            for (with, without) in both.steps()[1..].iter().zip(alone.steps()) {
                assert!(with.pass.planes == without.pass.planes, "{depth} {rest}");
            }
            assert_eq!(both.output().pixel, pixel);
        }
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let refused = |text: &str, pixel| {
        let planned = plan(&chain(text), &format(pixel, Range::Limited));
        format!("{:#}", planned.expect_err(text))
    };
    let eight = Pixel::yuv420p(8);
    let error = refused("scale=depth=10:enable='lt(n,5)'", eight);
    assert!(
        error.contains("enable would mix frames of yuv420p 64x48") && error.contains("and yuv420p10 64x48"),
        "{error}"
    );
    let error = refused("scale=range=full:enable='lt(n,5)'", eight);
    assert!(error.contains("of limited range and") && error.contains("of full range"), "{error}");
    let error = refused("scale=range=limited", Pixel::rgb(8));
    assert!(error.contains("gbrp is always of full range; leave out range"), "{error}");
}

/// Floats are 0 at black and 1 at white, whatever the range of the whole numbers was: a filter of single samples makes the same
/// picture of both.
#[test]
fn floats_show_the_same_picture() {
    let (mut checked, mut faults) = (0, Vec::new());
    let examples = FILTERS.iter().filter(|spec| spec.group == Group::Point).map(|spec| spec.example);
    let more = ["threshold=0.3", "gamma=2", "exposure=1", "eq=contrast=1.3:saturation=0.7", "deflicker=3"];
    for (example, range) in examples.chain(more).flat_map(|example| [(example, Range::Limited), (example, Range::Full)])
    {
        // Levels that are parts of full scale, which is from black to white of floats, and more of limited range; and FFmpeg's
        // colorspace, which is of 8, 10 and 12 bits.
        if ["offset", "abs", "colorspace", "tonemap", "sdr"].iter().any(|name| example.starts_with(name)) {
            continue;
        }
        let format = Arc::new(Format { pixel: Pixel::yuv444p(16), ..Format::clone(&format(Pixel::gray(16), range)) });
        let (low, high) = if range == Range::Full { (0, 65535) } else { (16 << 8, 235 << 8) };
        let mut random = Random::new(5);
        let samples: Vec<u16> = (0..format.samples()).map(|_| random.range(low..=high) as u16).collect();
        let frames =
            || (0..3).map(|at| Frame::from_samples(&format, Timing::at(at), samples.clone()).expect("a frame"));
        let run = |text: &str| Engine::builder(text, &format).build().expect(text).clip(frames()).expect(text);
        let [whole, float] = [format!("{example},scale=depth=16"), format!("scale=depth=f32,{example},scale=depth=16")]
            .map(|text| run(&text));
        let sorted = |frame: &Frame, plane: usize| {
            frame.host().expect("the host's").plane::<u16>(plane).rows().flatten().copied().collect::<Vec<u16>>()
        };
        for plane in 0..3 {
            let pairs = std::iter::zip(sorted(&whole[1], plane), sorted(&float[1], plane)).collect::<Vec<_>>();
            // A sample beside a limit falls to either side.
            let apart = pairs.iter().filter(|(a, b)| a.abs_diff(*b) > 3 << 8).count();
            if apart * 200 > pairs.len() {
                faults.push(format!("{example} of {range:?} range, plane {plane}: {apart} of {}", pairs.len()));
            }
        }
        checked += 1;
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 30, "{checked} chains were compared");
}
