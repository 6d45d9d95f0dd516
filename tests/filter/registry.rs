//! Every entry of the table keeps what it promises.

use std::collections::HashSet;
use std::sync::Arc;

use warpreel::filter::{DcGain, Defaults, FILTERS, Filter, Preset, Spec, Terms, Want, find, parse};
use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Bilateral, Bm3d, Colorspace, Deband, Deblock, Degrain, Grade, Grain, Mix, MixSums, Op};
use warpreel::plan::plan;

use super::{chain, only, pixels};

/// A call with nothing but what the filter cannot do without.
fn bare(spec: &Spec) -> String {
    match spec.name {
        "lut1d" => "lut1d=samples/fade.cube".to_owned(),
        "lut3d" => "lut3d=samples/warm.cube".to_owned(),
        "overlay" => "overlay=samples/logo.png".to_owned(),
        "blend" => "blend=samples/ten-bit.mp4".to_owned(),
        "kernel" => "kernel=kernel=1 2 1".to_owned(),
        "colorspace" | "sdr" => spec.example.to_owned(),
        "tonemap" => "tonemap=itrc=smpte2084".to_owned(),
        name => name.to_owned(),
    }
}

fn calls() -> impl Iterator<Item = (&'static Spec, Filter)> {
    FILTERS.iter().flat_map(|spec| [(*spec, only(&bare(spec))), (*spec, only(spec.example))])
}

#[test]
fn names_are_unique() {
    let mut names = HashSet::new();
    for spec in FILTERS {
        assert!(names.insert(spec.name), "{} is there twice", spec.name);
        assert_eq!(find(spec.name).map(|found| found.name), Some(spec.name));
        let mut parameters = HashSet::new();
        for parameter in spec.parameters() {
            for name in std::iter::once(&parameter.name).chain(parameter.aliases) {
                assert!(parameters.insert(*name), "{name} of {} is there twice", spec.name);
            }
        }
    }
    for spec in FILTERS {
        for name in spec.elsewhere {
            assert!(!names.contains(name), "{name} is a filter, and {} says that others call it so", spec.name);
            let err = parse(name, &Defaults::default()).expect_err("a name of other programs");
            assert!(err.hint.contains(&format!("\"{}\"", spec.name)), "{name}: {err}");
        }
    }
}

#[test]
fn texts_are_complete() {
    for spec in FILTERS {
        assert!(!spec.summary.ends_with('.') && !spec.summary.is_empty(), "summary of {}", spec.name);
        assert!(spec.description.ends_with('.'), "description of {}", spec.name);
        assert!(!spec.description.contains("  "), "description of {}", spec.name);
        for parameter in spec.parameters() {
            assert!(
                !parameter.help.is_empty() && !parameter.help.contains("  "),
                "{} of {}",
                parameter.name,
                spec.name
            );
        }
    }
}

#[test]
fn defaults_are_in_range() {
    for spec in FILTERS {
        for parameter in spec.parameters() {
            if let Preset::Is(preset) = parameter.preset {
                let base = bare(spec);
                let mark = if base.contains('=') { ':' } else { '=' };
                let text = format!("{base}{mark}{}={preset}", parameter.name);
                assert_eq!(only(&text), only(&base), "{text}: a default that is typed is the default");
            }
        }
    }
}

#[test]
fn smoothing_sums_to_one_and_derivatives_to_zero() {
    for (spec, filter) in calls() {
        for pixel in pixels() {
            for plane in 0..pixel.planes() {
                let Want::Stencil(stencil) = filter.wanted(pixel, plane).expect("wanted").want else { continue };
                let gain = stencil.scale * stencil.shape.gain() + stencil.dry;
                let place = format!("{} in plane {plane} of {}: {gain}", filter.text, pixel.name());
                match spec.gain {
                    DcGain::One => assert!((gain - 1.0).abs() < 1e-12, "{place}"),
                    DcGain::Zero => assert!(gain.abs() < 1e-12, "{place}"),
                    DcGain::Any => {}
                }
                if pixel.is_chroma(plane) && spec.terms == Terms::Own {
                    let neutral = f64::from(pixel.neutral(plane));
                    let result = gain * neutral + stencil.bias;
                    assert!((result - neutral).abs() < 1e-4, "no colour becomes {result}: {place}");
                }
            }
        }
    }
}

#[test]
fn every_filter_is_planned_for_every_format() {
    for (_, filter) in calls() {
        for pixel in pixels() {
            let format = Arc::new(Format::new(pixel, 33, 17, Rational::new(25, 1)));
            let plan = match plan(std::slice::from_ref(&filter), &format) {
                // 4:1:1 has no name on its side.
                Err(_) if filter.spec.name == "transpose" && pixel.log2_chroma_w == 2 => continue,
                // Nor have other pixels the colours that FFmpeg converts.
                Err(_) if ["colorspace", "tonemap", "sdr"].contains(&filter.spec.name) && !Colorspace::takes(pixel) => {
                    continue;
                }
                plan => plan.expect("a plan"),
            };
            for pass in plan.passes().iter() {
                assert!(pass.fits(&format));
                assert_eq!(pass.name, filter.text);
                if filter.spec.change.is_some() {
                    continue;
                }
                for (plane, op) in pass.ops().enumerate() {
                    let numbers = weights(op);
                    assert!(numbers.iter().all(|weight| weight.is_finite()), "{} plane {plane}", filter.text);
                    // FFmpeg's deblock and blend take all planes.
                    let is_all = filter.is_deinterlacer() || ["deblock", "blend"].contains(&filter.spec.name);
                    let spares = !pixel.is_alpha(plane) || *op == Op::Copy || is_all;
                    assert!(spares, "{} changes alpha", filter.text);
                }
            }
        }
    }
}

#[test]
fn depths_agree_on_a_common_scale() {
    let [eight, ten, sixteen] = [8, 10, 16].map(Pixel::yuv420p);
    for (spec, filter) in calls() {
        for plane in 0..3 {
            let first = filter.wanted(eight, plane).expect("wanted").want;
            for pixel in [ten, sixteen] {
                match (&first, filter.wanted(pixel, plane).expect("wanted").want) {
                    (Want::Stencil(a), Want::Stencil(b)) => {
                        assert_eq!((&a.shape, a.scale, a.dry), (&b.shape, b.scale, b.dry), "{}", filter.text);
                        let unit = |pixel: Pixel| if plane == 0 { pixel.peak() } else { pixel.neutral(plane) };
                        let (a, b) = (a.bias / f64::from(unit(eight)), b.bias / f64::from(unit(pixel)));
                        let own_units = spec.parameters().any(|parameter| parameter.unit == "sample values");
                        assert!(own_units || (a - b).abs() < 1e-9, "{}: bias {a} and {b}", filter.text);
                    }
                    (Want::Points(a), Want::Points(b)) => {
                        let (low, high) = (f64::from(eight.peak()), f64::from(pixel.peak()));
                        for step in 0..=20 {
                            let part = f64::from(step) / 20.0;
                            let values =
                                [a.value(part * low) / low, b.value(part * high) / high].map(|v| v.clamp(0.0, 1.0));
                            assert!(plane > 0 || (values[0] - values[1]).abs() < 1e-2, "{}: {values:?}", filter.text);
                        }
                    }
                    (Want::Operation(Op::Atadenoise(a)), Want::Operation(Op::Atadenoise(b))) => {
                        let step = f64::from(eight.peak() + 1.0) / f64::from(pixel.peak() + 1.0);
                        for (a, b) in [(a.single, b.single), (a.total, b.total)] {
                            let off = f64::from(a) - f64::from(b) * step;
                            assert!(off.abs() <= 1.0, "{}: {a} and {b}, {off} steps of 8 bits apart", filter.text);
                        }
                        assert_eq!((a.radius, a.together, &a.weights), (b.radius, b.together, &b.weights));
                    }
                    // Limits are brought to the depth; everything else is of 8 bits.
                    (Want::Operation(Op::Degrain(a)), Want::Operation(Op::Degrain(b))) => {
                        let steps = [a.limit / eight.peak(), b.limit / pixel.peak()];
                        assert!(steps[0] >= 1.0 || (steps[0] - steps[1]).abs() <= 1.0 / eight.peak(), "{steps:?}");
                        assert_eq!(Degrain { limit: a.limit, ..b }, *a, "{}", filter.text);
                    }
                    // Whole weights of 8 bits are coarser.
                    (Want::Operation(Op::Bilateral(a)), Want::Operation(Op::Bilateral(b))) => {
                        let at = |op: &Bilateral, place: usize| op.range.get(place).map_or(0.0, |w| w / op.range[0]);
                        for difference in 0..255 {
                            let place = difference as f32 / 255.0 * pixel.peak() * b.fineness;
                            let [before, after] = [0, 1].map(|next| at(&b, place as usize + next));
                            let [a, b] = [at(a, difference), before + (after - before) * place.fract()];
                            assert!((a - b).abs() < 0.01, "{}: {a} and {b}", filter.text);
                        }
                        let apart = std::iter::zip(&*a.space, &*b.space).map(|(x, y)| x / a.space[0] - y / b.space[0]);
                        let apart = apart.map(f32::abs).fold(0.0, f32::max);
                        assert!(apart < 0.01 && a.radius == b.radius, "{}: {apart}", filter.text);
                    }
                    (Want::Operation(Op::Bm3d(a)), Want::Operation(Op::Bm3d(b))) => {
                        let scale = if pixel.sample == Sample::F32 { 255.0 } else { 256.0 / (pixel.peak() + 1.0) };
                        assert!((b.sigma * scale / a.sigma - 1.0).abs() < 1e-6, "{}", filter.text);
                        assert_eq!(*a, Bm3d { sigma: a.sigma, ..b.clone() }, "{}", filter.text);
                    }
                    // Thresholds are whole numbers of samples, rounded down: less than one of 8 bits, or than a fourth of it.
                    (Want::Operation(Op::Deband(a)), Want::Operation(Op::Deband(b))) => {
                        let off = a.thresholds[0] - b.thresholds[0] * (eight.peak() / pixel.peak());
                        assert!((-1.0..0.25).contains(&off), "{}: {off} steps of 8 bits apart", filter.text);
                        let all_but_thresholds = Deband { thresholds: a.thresholds.clone(), ..b };
                        assert!(*a == all_but_thresholds, "{}", filter.text);
                    }
                    (Want::Operation(Op::Deblock(a)), Want::Operation(Op::Deblock(b))) => {
                        for (a, b) in std::iter::zip(a.limits, b.limits) {
                            let off = a - b * (eight.peak() / pixel.peak());
                            assert!((-1.0..0.25).contains(&off), "{}: {off} steps of 8 bits apart", filter.text);
                        }
                        assert!(*a == Deblock { limits: a.limits, ..b }, "{}", filter.text);
                    }
                    (Want::Operation(Op::Grain(a)), Want::Operation(Op::Grain(b))) => {
                        let step = pixel.peak() / eight.peak();
                        for (a, b) in std::iter::zip([a.dark, a.bright].concat(), [b.dark, b.bright].concat()) {
                            assert!((a * step - b).abs() <= 1e-5 * b.abs(), "{}: {a} and {b}", filter.text);
                        }
                        assert_eq!(a.black * (pixel.peak() + 1.0), b.black * (eight.peak() + 1.0), "{}", filter.text);
                        let Grain { black, scale, dark, bright, .. } = *a;
                        assert_eq!(*a, Grain { black, scale, dark, bright, ..b }, "{}", filter.text);
                    }
                    (Want::Operation(Op::Grade(a)), Want::Operation(Op::Grade(b))) => {
                        let [own, other] = [a.matrix, b.matrix].map(|matrix| matrix.expect("a matrix"));
                        let steps = other.span / own.span;
                        assert!((other.chroma_span / own.chroma_span / steps - 1.0).abs() < 1e-6, "{}", filter.text);
                        assert!((other.luma * steps / own.luma - 1.0).abs() < 1e-6, "{}", filter.text);
                        assert_eq!(*a, Grade { matrix: a.matrix, ..b.clone() }, "{}", filter.text);
                    }
                    // Whole weights of up to 10 bits are rounded to 16 binary places.
                    (Want::Operation(Op::Mix(a)), Want::Operation(Op::Mix(b))) => {
                        let parts = |op: &Mix| match &op.sums {
                            MixSums::Whole { weights, .. } => {
                                weights.map(|row| row.map(|part| f64::from(part) / 65536.0))
                            }
                            MixSums::Real { weights, .. } => weights.map(|row| row.map(f64::from)),
                            MixSums::Terms(_) => unreachable!("chroma has no terms"),
                        };
                        let [a, b] = [parts(a), parts(&b)];
                        let off = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs());
                        assert!(off.fold(0.0, f64::max) < 1e-4, "{}: {a:?} and {b:?}", filter.text);
                    }
                    (Want::Steady(a), Want::Steady(b)) => assert_eq!(*a, b, "{}", filter.text),
                    (a, b) => assert_eq!(*a, b, "{}", filter.text),
                }
            }
        }
    }
}

#[test]
fn printing_is_the_inverse_of_reading() {
    for (_, filter) in calls() {
        assert_eq!(only(&filter.to_string()), filter);
    }
    let text = "gaussian=sigma=2,convolution=0m=1 2 1:0mode=row,tmix=frames=5";
    assert_eq!(chain(text).iter().map(ToString::to_string).collect::<Vec<_>>().join(","), text);
}

fn weights(op: &Op) -> Vec<f32> {
    match op {
        Op::Gain(op) => vec![op.black, op.finish.scale, op.finish.dry],
        Op::Separable(op) => [&op.t, &op.x, &op.y].into_iter().flat_map(|taps| taps.weights.clone()).collect(),
        Op::Dense(op) => op.kernels.iter().flat_map(|kernel| kernel.weights.clone()).collect(),
        _ => Vec::new(),
    }
}
