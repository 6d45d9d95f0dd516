//! Tables of tones, curves and vibrance against FFmpeg's filters of those names, on RGB of whole numbers; and what YUV becomes.

use std::fs;

use proptest::prelude::*;

use super::colour::agree;
use crate::agreement::Random;
use crate::program::Bench;

/// What FFmpeg's filters take.
const RGB: [&str; 6] = ["gbrp", "gbrap", "gbrp9le", "gbrp10le", "gbrp12le", "gbrp16le"];

/// A `.cube` file of one dimension, of random tones.
fn tones(random: &mut Random, size: usize, head: &str) -> String {
    let mut text = format!("# made up\nTITLE \"any\"\nLUT_1D_SIZE {size}\n{head}");
    for _ in 0..size {
        let [r, g, b] = [(); 3].map(|()| random.real(-0.1, 1.2));
        text += &format!("{r:.6} {g:.6} {b:.6}\n");
    }
    text
}

#[test]
fn tables_of_tones_are_ffmpegs() {
    let bench = Bench::new();
    let mut random = Random::new(78);
    const SIZES: [usize; 8] = [2, 3, 5, 17, 33, 256, 1000, 4096];
    for (number, size) in SIZES.into_iter().enumerate() {
        let head = ["", "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n", "DOMAIN_MAX 2 2 2\n"][number % 3];
        fs::write(bench.path(&format!("{size}.cube")), tones(&mut random, size, head)).expect("a file");
    }
    let modes = prop::sample::select(&["nearest", "linear", "cubic", "cosine", "spline"][..]);
    let chains = (prop::sample::select(&SIZES[..]), modes);
    let chains = chains.prop_map(|(size, mode)| format!("lut1d={size}.cube:interp={mode}"));
    agree(&bench, 40, &RGB, chains);
}

/// Key points from left to right.
fn knots() -> impl Strategy<Value = String> {
    prop::collection::btree_map(0..=100u32, 0..=100u32, 1..7).prop_map(|points| {
        let point = |(x, y): (u32, u32)| format!("{}/{}", f64::from(x) / 100.0, f64::from(y) / 100.0);
        points.into_iter().map(point).collect::<Vec<_>>().join(" ")
    })
}

#[test]
fn curves_are_ffmpegs() {
    const PRESETS: [&str; 11] = [
        "none",
        "color_negative",
        "cross_process",
        "darker",
        "increase_contrast",
        "lighter",
        "linear_contrast",
        "medium_contrast",
        "negative",
        "strong_contrast",
        "vintage",
    ];
    const NAMES: [&str; 5] = ["master", "r", "green", "b", "all"];
    let typed = prop::collection::btree_map(prop::sample::select(&NAMES[..]), knots(), 0..4);
    let chains = (prop::sample::select(&PRESETS[..]), typed).prop_map(|(preset, typed)| {
        let typed: String = typed.iter().map(|(name, points)| format!(":{name}='{points}'")).collect();
        format!("curves=preset={preset}{typed}")
    });
    agree(&Bench::new(), 60, &RGB, chains);
}

#[test]
fn vibrance_is_ffmpegs() {
    let balance = || prop_oneof![Just(1.0), -10.0..10.0f64];
    let weight = || prop_oneof![Just(0.5), 0.0..1.0f64];
    let chains = (-2.0..2.0f64, (balance(), balance(), balance()), (weight(), weight()), any::<bool>()).prop_map(
        |(intensity, (red, green, blue), (luma, other), alternate)| {
            let balances = format!("rbal={red:.3}:gbal={green:.3}:bbal={blue:.3}");
            let weights = format!("rlum={luma:.3}:glum={other:.3}");
            format!("vibrance=intensity={intensity:.3}:{balances}:{weights}:alternate={}", u8::from(alternate))
        },
    );
    agree(&Bench::new(), 40, &RGB, chains);
}

/// The bytes of a chain over a clip of one colour, 16x8 of YUV 4:2:0.
fn one(bench: &Bench, chain: &str, colour: [u8; 3]) -> [u8; 3] {
    let planes = colour.into_iter().zip([128, 32, 32]).flat_map(|(sample, count)| vec![sample; count]);
    fs::write(bench.path("one.yuv"), planes.collect::<Vec<u8>>()).expect("a file");
    let call =
        ["one.yuv", "-", "-q", "--container", "raw", "--backend", "cpu", "--raw", "yuv420p:16x8@25", "-f", chain];
    let bytes = bench.pass(&call);
    for plane in [&bytes[..128], &bytes[128..160], &bytes[160..]] {
        assert!(plane.iter().all(|sample| *sample == plane[0]), "{chain}: {plane:?}");
    }
    [bytes[0], bytes[128], bytes[160]]
}

/// YUV of BT.601 and limited range becomes what the definition in `f64` says, to half a step.
#[test]
fn yuv_goes_through_exact_colours() {
    let bench = Bench::new();
    fs::write(bench.path("three.cube"), "LUT_1D_SIZE 3\n0 0.1 0.9\n0.25 0.6 0.5\n1 1 0\n").expect("a file");
    let line = |tones: [f64; 3], x: f64| {
        let place = x.clamp(0.0, 1.0) * 2.0;
        let first = (place as usize).min(1);
        tones[first] + (tones[first + 1] - tones[first]) * (place - first as f64)
    };
    // Through 0/0, 0.5/0.25 and 1/1, slopes 0, 3/4 and 2.
    let monotone = |x: f64| {
        let (x0, ends, slopes) =
            if x < 0.5 { (0.0, [0.0, 0.25], [0.0, 0.75]) } else { (0.5, [0.25, 1.0], [0.75, 2.0]) };
        let t = (x - x0) / 0.5;
        let [rise, fall] = [t * t * (3.0 - 2.0 * t), t * (1.0 - t)];
        ends[0] * (1.0 - rise) + ends[1] * rise + 0.5 * (slopes[0] * fall * (1.0 - t) - slopes[1] * fall * t)
    };
    let vivid = |[r, g, b]: [f64; 3]| {
        let luma = 0.072186 * r + 0.715158 * g + 0.212656 * b;
        let factor = 1.0 + 0.8 * (1.0 - (r.max(g).max(b) - r.min(g).min(b)));
        [r, g, b].map(|part| luma + (part - luma) * factor)
    };
    type Map<'a> = &'a dyn Fn([f64; 3]) -> [f64; 3];
    let by_table =
        |[r, g, b]: [f64; 3]| [line([0.0, 0.25, 1.0], r), line([0.1, 0.6, 1.0], g), line([0.9, 0.5, 0.0], b)];
    let bent = |rgb: [f64; 3]| rgb.map(monotone);
    let maps: [(&str, Map); 3] = [
        ("lut1d=three.cube", &by_table),
        ("curves=all='0/0 0.5/0.25 1/1':interp=pchip", &bent),
        ("vibrance=0.8:alternate=1", &vivid),
    ];
    let [kr, kg, kb] = [0.299, 0.587, 0.114];
    for (chain, map) in maps {
        for colour in [[130u8, 112, 150], [60, 128, 128], [180, 140, 110], [90, 120, 140]] {
            let y = (f64::from(colour[0]) - 16.0) / 219.0;
            let [u, v] = [colour[1], colour[2]].map(|sample| (f64::from(sample) - 128.0) / 224.0);
            let (r, b) = (y + 2.0 * (1.0 - kr) * v, y + 2.0 * (1.0 - kb) * u);
            let [r, g, b] = map([r, (y - kr * r - kb * b) / kg, b]);
            let luma = kr * r + kg * g + kb * b;
            let wanted = [
                luma * 219.0 + 16.0,
                (b - luma) / (2.0 * (1.0 - kb)) * 224.0 + 128.0,
                (r - luma) / (2.0 * (1.0 - kr)) * 224.0 + 128.0,
            ];
            for (found, wanted) in one(&bench, chain, colour).into_iter().zip(wanted) {
                assert!((f64::from(found) - wanted).abs() <= 0.502, "{chain} of {colour:?}: {found} and {wanted}");
            }
        }
        // What changes nothing leaves every sample.
        for same in ["lut1d=same.cube", "curves=all='0/0 1/1'", "vibrance=0"] {
            fs::write(bench.path("same.cube"), "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n").expect("a file");
            assert_eq!(one(&bench, same, [120, 130, 126]), [120, 130, 126], "{same}");
        }
    }
}
