//! Pictures of filters: the responses that they show, and that every filter gives one that a reader of SVG accepts.

use std::f64::consts::PI;

use warpreel::filter::{FILTERS, Response, Stencil, Want, draw};
use warpreel::frame::Pixel;

use super::only;

fn stencil(call: &str) -> Stencil {
    match only(call).wanted(Pixel::gray(8), 0).expect("wanted").want {
        Want::Stencil(stencil) => stencil,
        want => panic!("{call}: {want:?}"),
    }
}

/// The response of the first kernel of a call along an axis is `expected` of the frequency, for all frequencies.
fn check(call: &str, axis: usize, expected: impl Fn(f64) -> f64) {
    let stencil = stencil(call);
    let frequencies: Vec<f64> = (0..=50).map(|i| f64::from(i) / 100.0).collect();
    let found = Response::of(&stencil)[0].along(axis, &frequencies);
    for (frequency, found) in frequencies.iter().zip(found) {
        let expected = expected(*frequency);
        assert!((found - expected).abs() < 1e-9, "{call}, axis {axis} at {frequency}: {found}, not {expected}");
    }
}

#[test]
fn responses_are_those_of_the_textbook() {
    let ratio = |f: f64, n: f64| if f == 0.0 { 1.0 } else { ((PI * f * n).sin() / (n * (PI * f).sin())).abs() };
    for axis in [1, 2] {
        check("box=3", axis, |f| ratio(f, 7.0));
        check("box=2:passes=3", axis, |f| ratio(f, 5.0).powi(3));
        check("binomial=3", axis, |f| (PI * f).cos().powi(6));
        check("kernel='0 1 0; 1 -4 1; 0 1 0'", axis, |f| 2.0 - 2.0 * (2.0 * PI * f).cos());
        check("sharpen=0.5", axis, |f| 1.0 + 0.5 * (2.0 - 2.0 * (2.0 * PI * f).cos()));
        check("box=1:mix=0.25", axis, |f| (0.75 + 0.25 * (1.0 + 2.0 * (2.0 * PI * f).cos()) / 3.0).abs());
        // Aliases of the sampled bell are below 1e-9 for this sigma, up to half of the band.
        let folded = |f: f64| (-2.0 * PI * PI * 4.0 * f * f).exp() + (-2.0 * PI * PI * 4.0 * (1.0 - f).powi(2)).exp();
        check("gaussian=sigma=2:truncate=8", axis, folded);
    }
    check("tdiff", 0, |f| 2.0 * (PI * f).sin());
    check("tdiff=centred", 0, |f| (2.0 * PI * f).sin());
    check("taverage=2", 0, |f| ratio(f, 5.0));
    check("box3d=radius=1:radius_t=2", 0, |f| ratio(f, 5.0));
    check("sobel", 2, |f| 8.0 * (2.0 * PI * f).sin());
    check("sobel", 1, |_| 0.0);
}

#[test]
fn the_response_in_the_picture_is_that_of_both_axes() {
    let frequencies: Vec<f64> = (-6..=6).map(|i| f64::from(i) / 12.0).collect();
    for (call, matrix) in
        [("box3d=radius=1:radius_t=1", false), ("kernel='1 2 3; 4 5 6 | 7 8 9; 1 -1 0'", true), ("sharpen", true)]
    {
        let stencil = stencil(call);
        let responses = Response::of(&stencil);
        assert_eq!(responses.len(), 1);
        let response = &responses[0];
        assert_eq!(matches!(stencil.shape, warpreel::filter::Shape::Kernels(..)), matrix);
        let [depth, height, width] = response.size();
        let [_, y, x] = response.anchor();
        let found = response.flat(&frequencies, &frequencies);
        for (i, found) in found.iter().enumerate() {
            let (down, across) = (frequencies[i / frequencies.len()], frequencies[i % frequencies.len()]);
            let (mut re, mut im) = (0.0, 0.0);
            for (t, r, c) in (0..depth * height * width).map(|i| (i / (height * width), i / width % height, i % width))
            {
                let turn = 2.0 * PI * (down * (r as f64 - y as f64) + across * (c as f64 - x as f64));
                re += response.tap([t, r, c]) * turn.cos();
                im += response.tap([t, r, c]) * turn.sin();
            }
            assert!((found - re.hypot(im)).abs() < 1e-9, "{call} at {down}, {across}: {found}");
        }
    }
}

/// The texts of a picture, which must be well-formed and use nothing from elsewhere.
fn texts(call: &str) -> Vec<String> {
    let picture = draw(call).unwrap_or_else(|err| panic!("{call}: {err}"));
    let document = roxmltree::Document::parse(&picture).unwrap_or_else(|err| panic!("{call}: {err}"));
    assert!(picture.len() < 2_000_000, "{call}: {} bytes", picture.len());
    for word in ["NaN", "inf", "href", "url(", "<script"] {
        assert!(!picture.contains(word), "{call} has {word}");
    }
    let nodes = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    nodes.filter_map(|node| node.text()).map(|text| text.trim().to_owned()).collect()
}

#[test]
fn every_filter_has_a_picture() {
    for call in ["crop=8:8", "pad=iw+8:ih", "hflip", "vflip", "transpose"] {
        let error = draw(call).expect_err(call).to_string();
        assert!(error.contains("it moves samples and changes none, so there is nothing to draw"), "{error}");
    }
    let drawn = |kernel: &str| draw(&format!("scale=64:48:{kernel}")).expect(kernel);
    let kernels =
        ["point", "bilinear", "bicubic", "bicubic:b=1:c=0", "lanczos", "lanczos:taps=5", "spline16", "spline36"];
    let pictures: std::collections::HashSet<String> = kernels
        .iter()
        .map(|kernel| drawn(kernel).split("Planes y, u, v").nth(1).unwrap_or_default().to_owned())
        .collect();
    assert_eq!(pictures.len(), kernels.len(), "each has curves of its own");
    for spec in
        FILTERS.iter().filter(|spec| spec.name != "deflicker" && (spec.change.is_none() || spec.name == "scale"))
    {
        let texts = texts(spec.example);
        assert_eq!(texts[0], spec.example);
        assert!(texts.contains(&spec.summary.to_owned()));
        assert!(texts.iter().any(|text| text.starts_with("Plane")), "{}: {texts:?}", spec.name);
    }
    let long = texts(&format!("kernel='{}':normalize=1", "1 <&\"> ".replace("<&\">", "2").repeat(80)));
    assert!(long[0].ends_with('…'));
    assert_eq!(texts("kernel='1 2 # <&\">\n'")[0], "kernel='1 2 # <&\"> '");
    for call in ["kernel=0 0 0", "kernel='0 0; 0 0'", "kernel=1e37 -1e37", "kernel='1e-30; 2e-30'", "gain=1000"] {
        let is_long = |text: &&String| text.len() > 9 && text.replace('\u{2212}', "-").parse::<f64>().is_ok();
        assert_eq!(texts(call).iter().find(is_long), None, "{call}");
    }
    assert!(texts("tmedian=100").contains(&"t \u{2212}3".to_owned()), "seven of the frames");
}

#[test]
fn pictures_show_taps_and_chroma() {
    let found = texts("box=1");
    assert!(found.contains(&"3×3 taps".to_owned()), "{found:?}");
    assert!(found.iter().any(|text| text == "0.111"), "{found:?}");
    assert!(found.iter().any(|text| text.starts_with("Planes u, v (chroma")), "{found:?}");
    let found = texts("tmix=weights='1 2 1'");
    for word in ["Planes y, u, v: one kernel", "3 taps along t", "t, frames", "0.5", "frequency, cycles per frame"] {
        assert!(found.contains(&word.to_owned()), "{word}: {found:?}");
    }
    let found = texts("open=2");
    let steps = found.iter().filter(|text| text.contains("est of 5×5 samples")).collect::<Vec<_>>();
    assert_eq!(steps, ["The smallest of 5×5 samples", "The largest of 5×5 samples"]);
    assert!(texts("gamma=2").contains(&"Output level for each input level".to_owned()));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    for (call, message) in [
        ("gaussian,box", "a picture shows one filter"),
        ("", "a picture shows one filter"),
        ("gaussian=mix=0", "it leaves every plane as it is, so there is nothing to draw"),
        ("deflicker", "its factor is another for each frame, so there is nothing to draw"),
        ("no", "unknown filter \"no\""),
    ] {
        let err = draw(call).expect_err("nothing to draw");
        assert_eq!(err.message, message);
        assert_eq!(err.to_string().lines().count(), 1);
    }
}
