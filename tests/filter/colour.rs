//! Hues, saturations and mixed colours: each by its definition in `f64`, in formats that FFmpeg's filters do not take too.

use warpreel::frame::{Family, Pixel, Sample};

use crate::agreement::Random;
use crate::stage::{Clip, clip, format, run};

/// RGB of every depth.
fn rgb() -> [Pixel; 6] {
    [8, 9, 10, 12, 16]
        .map(Pixel::rgb)
        .into_iter()
        .chain([Pixel::rgb(8).float()])
        .collect::<Vec<_>>()
        .try_into()
        .unwrap()
}

const SIZE: (usize, usize) = (37, 5);

/// Frames of random samples.
fn noise(pixel: Pixel, seed: u64) -> Clip {
    let mut random = Random::new(seed);
    clip(&format(pixel, SIZE.0, SIZE.1), 1, |_, _, _, _| match pixel.sample {
        Sample::F32 => random.real(0.0, 1.0),
        _ => random.below(pixel.peak() as u64 + 1) as f32,
    })
}

/// The planes that a chain makes of some.
fn made(text: &str, pixel: Pixel, clip: &Clip) -> Vec<Vec<f32>> {
    run(text, &format(pixel, SIZE.0, SIZE.1), clip).remove(0)
}

/// Fails unless a sample is a number, rounded to nearest, within some part of full scale.
fn agrees(text: &str, pixel: Pixel, found: f32, wanted: f64, part: f64) {
    let peak = f64::from(pixel.peak());
    let (wanted, room) = match pixel.sample {
        Sample::F32 => (wanted, part),
        _ => (wanted.clamp(0.0, peak), 0.5 + part * peak),
    };
    let name = pixel.name();
    assert!((f64::from(found) - wanted).abs() <= room, "{text} of {name}: {found}, not {wanted}");
}

/// Grey has no hue to turn and no saturation.
#[test]
fn grey_stays_grey() {
    for pixel in rgb() {
        let grey = noise(pixel, 3);
        let grey: Clip = grey.iter().map(|planes| vec![planes[0].clone(); 3]).collect();
        for text in ["saturation=2.3", "saturation=0", "saturation=-1", "hue=h=77:s=3", "hue=H=-2", "eq=saturation=2.5"]
        {
            let found = made(text, pixel, &grey);
            for (found, own) in found.iter().flatten().zip(grey[0].iter().flatten()) {
                let exact = pixel.sample != Sample::F32;
                let same = if exact { found == own } else { (found - own).abs() < 4e-6 };
                assert!(same, "{text} of {}: {own} becomes {found}", pixel.name());
            }
        }
    }
    for pixel in
        [Pixel::yuv420p(8), Pixel::yuv422p(10), Pixel::yuv444p(12), Pixel::yuv420p(16), Pixel::yuv444p(8).float()]
    {
        let mut grey = noise(pixel, 4);
        grey[0][1..].iter_mut().for_each(|plane| plane.fill(pixel.neutral(1)));
        for text in ["saturation=2.3", "hue=h=77:s=3", "hue=s=0"] {
            assert_eq!(made(text, pixel, &grey), grey[0], "{text} of {}", pixel.name());
        }
    }
}

/// No saturation leaves one number in all three colours.
#[test]
fn no_saturation_is_black_and_white() {
    for pixel in rgb() {
        for text in ["saturation=0", "hue=s=0", "hue=h=50:s=0"] {
            let found = made(text, pixel, &noise(pixel, 5));
            assert!(found[0] == found[1] && found[1] == found[2], "{text} of {}", pixel.name());
        }
    }
}

/// A turn of colour differences, in `f64`.
fn turned([r, g, b]: [f64; 3], degrees: f64, saturation: f64) -> [f64; 3] {
    let (kr, kb) = (0.299, 0.114);
    let y = kr * r + (1.0 - kr - kb) * g + kb * b;
    let (u, v) = ((b - y) / 1.772, (r - y) / 1.402);
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (u, v) = (saturation * (cos * u - sin * v), saturation * (sin * u + cos * v));
    let (r, b) = (y + 1.402 * v, y + 1.772 * u);
    [r, (y - kr * r - kb * b) / (1.0 - kr - kb), b]
}

#[test]
fn rgb_is_turned_about_its_luma() {
    for pixel in rgb() {
        let given = noise(pixel, 6);
        for (text, degrees, saturation) in [
            ("hue=h=90", 90.0, 1.0),
            ("hue=h=-30:s=1.5", -30.0, 1.5),
            ("saturation=0.4", 0.0, 0.4),
            ("hue=H=9:s=-7", 515.662_015_6, -7.0),
        ] {
            let found = made(text, pixel, &given);
            for at in 0..SIZE.0 * SIZE.1 {
                let [g, b, r] = [0, 1, 2].map(|plane| f64::from(given[0][plane][at]));
                let [r, g, b] = turned([r, g, b], degrees, saturation);
                for (plane, wanted) in [g, b, r].into_iter().enumerate() {
                    agrees(text, pixel, found[plane][at], wanted, 6e-5);
                }
            }
        }
    }
}

/// Above the depths of FFmpeg's tables chroma is turned as below them.
#[test]
fn deep_chroma_is_turned() {
    for pixel in [Pixel::yuv420p(9), Pixel::yuv444p(12), Pixel::yuv422p(16), Pixel::yuv444p(8).float()] {
        let given = noise(pixel, 7);
        let found = made("hue=h=40:s=1.3", pixel, &given);
        let middle = f64::from(pixel.neutral(1));
        let (sin, cos) = 40f64.to_radians().sin_cos();
        for at in 0..found[1].len() {
            let [u, v] = [1, 2].map(|plane| f64::from(given[0][plane][at]) - middle);
            agrees("u", pixel, found[1][at], middle + 1.3 * (cos * u - sin * v), 2e-5);
            agrees("v", pixel, found[2][at], middle + 1.3 * (sin * u + cos * v), 2e-5);
        }
        assert_eq!(found[0], given[0][0], "luma of {}", pixel.name());
    }
}

/// Contrast, brightness and gamma of what FFmpeg's filter does not take.
#[test]
fn eq_of_deep_samples_and_of_rgb() {
    let deep = [Pixel::gray(10), Pixel::yuv420p(10), Pixel::yuv444p(16), Pixel::gray(8).float()];
    for pixel in deep.into_iter().chain(rgb()) {
        let (given, peak) = (noise(pixel, 8), f64::from(pixel.peak()));
        let text = "eq=contrast=1.4:brightness=-0.1:gamma=1.8";
        let found = made(text, pixel, &given);
        let planes = if pixel.family == Family::Rgb { 3 } else { 1 };
        for plane in 0..planes {
            for (found, own) in found[plane].iter().zip(&given[0][plane]) {
                let value = 1.4 * (f64::from(*own) / peak - 0.5) + 0.4;
                agrees(text, pixel, *found, peak * value.clamp(0.0, 1.0).powf(1.0 / 1.8), 1e-4);
            }
        }
    }
    let pixel = Pixel::rgb(8);
    let given = noise(pixel, 9);
    let found = made("eq=1.2:0.05:1.5", pixel, &given);
    for at in 0..SIZE.0 * SIZE.1 {
        let [g, b, r] = [0, 1, 2].map(|plane| f64::from(given[0][plane][at]));
        let [r, g, b] = turned([r, g, b], 0.0, 1.5);
        for (plane, colour) in [g, b, r].into_iter().enumerate() {
            agrees("eq", pixel, found[plane][at], 1.2 * (colour - 127.5) + 127.5 + 0.05 * 255.0, 1e-4);
        }
    }
}

/// A saturation of RGB is a step of its own in front of a gamma.
#[test]
fn eq_of_rgb_is_saturation_and_then_gamma() {
    for pixel in rgb() {
        let given = noise(pixel, 13);
        for (call, steps) in [
            ("eq=saturation=1.5:gamma=1.8", "saturation=1.5,eq=gamma=1.8"),
            ("eq=saturation=0.5:gamma_r=0.7:contrast=1.25", "eq=saturation=0.5:contrast=1.25,eq=gamma_r=0.7"),
        ] {
            assert!(made(call, pixel, &given) == made(steps, pixel, &given), "{call} of {}", pixel.name());
        }
    }
}

/// Luma and two colour differences of BT.601 in limited range, of 8 bits without subsampling, as red, green and blue and back.
fn through_rgb([y, u, v]: [f64; 3], change: impl Fn([f64; 3]) -> [f64; 3]) -> [f64; 3] {
    let (kr, kb) = (0.299, 0.114);
    let (y, u, v) = ((y - 16.0) / 219.0, (u - 128.0) / 224.0, (v - 128.0) / 224.0);
    let (r, b) = (y + 1.402 * v, y + 1.772 * u);
    let [r, g, b] = change([r, (y - kr * r - kb * b) / (1.0 - kr - kb), b]);
    let y = kr * r + (1.0 - kr - kb) * g + kb * b;
    [219.0 * y + 16.0, 224.0 * (b - y) / 1.772 + 128.0, 224.0 * (r - y) / 1.402 + 128.0]
}

/// Colours of YUV are mixed as those of RGB, also beyond what RGB has room for.
#[test]
fn yuv_is_mixed_in_rgb() {
    let pixel = Pixel::yuv444p(8);
    let given = noise(pixel, 10);
    let sepia = |[r, g, b]: [f64; 3]| {
        [0.393 * r + 0.769 * g + 0.189 * b, 0.349 * r + 0.686 * g + 0.168 * b, 0.272 * r + 0.534 * g + 0.131 * b]
    };
    let swapped = |[r, g, b]: [f64; 3]| [b, g, r];
    // FFmpeg's formula for 4500 K.
    let [green, blue] =
        [0.390_081_578_769 * 45f64.ln() - 0.631_841_443_788, 0.543_206_789_11 * 35f64.ln() - 1.196_254_089_14];
    let warm = |[r, g, b]: [f64; 3]| [r, green * g, blue * b];
    type Colours = [f64; 3];
    let chains: [(&str, &dyn Fn(Colours) -> Colours); 3] = [
        ("colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131", &sepia),
        ("colorchannelmixer=rr=0:rb=1:br=1:bb=0", &swapped),
        ("colortemperature=4500", &warm),
    ];
    for (text, change) in chains {
        let found = made(text, pixel, &given);
        let mut far = 0;
        for at in 0..SIZE.0 * SIZE.1 {
            let samples = [0, 1, 2].map(|plane| f64::from(given[0][plane][at]));
            // Farther out than twice white or than its negative, colours stop.
            let inside = std::cell::Cell::new(true);
            let wanted = through_rgb(samples, |rgb| {
                inside.set(rgb.iter().all(|part| (-0.99..1.99).contains(part)));
                change(rgb)
            });
            far += usize::from(!inside.get());
            for (plane, wanted) in wanted.into_iter().enumerate().filter(|_| inside.get()) {
                agrees(text, pixel, found[plane][at], wanted, 1e-4);
            }
        }
        assert!(far < 5, "{text}: {far} colours are far out");
    }
    let grey = Pixel::gray(8);
    let given = noise(grey, 11);
    assert_eq!(made("colortemperature=3000", grey, &given), given[0]);
}

/// Values that do not go together are refused by name, with what to type.
#[test]
fn contradictions_are_refused() {
    use warpreel::filter::{Defaults, parse};
    for (text, faults) in [
        ("colorchannelmixer=ra=0.5", ["ra=0.5 of colorchannelmixer is out of range", "type 0"]),
        ("colorchannelmixer=aa=0.5", ["aa=0.5 of colorchannelmixer is out of range", "type 1"]),
        ("hue=h=1:H=1", ["h and H are both the angle", "type one of them"]),
        ("exposure=3:black=0.5", ["black=0.5 is not below 0.125, which becomes white", "type a smaller black"]),
    ] {
        let said = parse(text, &Defaults::default()).expect_err(text).to_string();
        assert!(faults.iter().all(|fault| said.contains(fault)), "{said}");
    }
    assert!(parse("gain=0.5:planes=a", &Defaults::default()).is_ok());
}

/// The same exposure of red, green and blue multiplies colour differences.
#[test]
fn exposure_of_yuv_is_that_of_its_rgb() {
    let pixel = Pixel::yuv444p(8);
    let given = noise(pixel, 12);
    let text = "exposure=0.6:black=0.05";
    let found = made(text, pixel, &given);
    let scale = 1.0 / (2f64.powf(-0.6) - 0.05);
    for at in 0..SIZE.0 * SIZE.1 {
        let samples = [0, 1, 2].map(|plane| f64::from(given[0][plane][at]));
        let wanted = through_rgb(samples, |rgb| rgb.map(|part| (part - 0.05) * scale));
        for (plane, wanted) in wanted.into_iter().enumerate() {
            agrees(text, pixel, found[plane][at], wanted, 1e-4);
        }
    }
}
