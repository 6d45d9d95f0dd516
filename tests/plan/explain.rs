//! What `explain` says.

use warpreel::frame::Pixel;
use warpreel::plan::{Operations, Roofline};

use super::planned;

#[test]
fn figures_are_those_of_the_passes() {
    let limit = Roofline { memory_gb_s: 100.0, dot8_gop_s: 4e3, dot16_gop_s: 2e3, word_gop_s: 500.0, real_gop_s: 1e3 };
    let plan = planned("tmix=5,kernel='1 2 1; 2 4 2; 1 2 1',gaussian=0", Pixel::yuv420p(10));
    let told = plan.explain(Some(limit));
    assert_eq!((told.latency_frames, told.dropped.as_slice()), (2, &["gaussian=0".to_owned()][..]));
    let samples = 64 * 48 * 3 / 2;
    assert_eq!(told.passes[0].bytes, 2 * samples * (5 + 1));
    assert_eq!(told.passes[0].operations, 2 * samples * 5);
    assert_eq!(told.passes[1].bytes, 2 * samples * 2);
    assert_eq!(told.passes[1].operations, 2 * samples * 6);
    assert_eq!(told.bytes, told.passes.iter().map(|pass| pass.bytes).sum::<u64>());
    let least = told.passes[0].bytes as f64 / 100e6;
    assert!((told.passes[0].least_ms.expect("a limit") - least).abs() < 1e-12);
    let plane = &told.passes[1].planes[0];
    assert_eq!((plane.plane, plane.kind, plane.shape.as_str()), ('y', "separable", "3 x + 3 y"));
    assert_eq!((plane.taps_before, plane.taps_after, plane.residual), (9, 6, Some(0.0)));
    assert_eq!(plane.reason, "exact whole factors: 6 instead of 9 taps");
    assert_eq!(plan.explain(None).least_ms, None);
}

/// Before: filter by filter, all taps at once; after: the same figures as the passes'.
#[test]
fn before_and_after() {
    let told = planned("gaussian=0,box=2,levels=0.1,close=radius=1:planes=y", Pixel::yuv420p(8)).explain(None);
    let (luma, chroma) = (64 * 48, 64 * 48 / 2);
    let figures = |name: &str| {
        let filter = told.filters.iter().find(|filter| filter.name.starts_with(name)).expect("a filter");
        (filter.steps, filter.taps, filter.bytes, filter.operations)
    };
    let copied = 2 * (luma + chroma);
    assert_eq!(figures("gaussian"), (1, 0, copied, 0));
    assert_eq!(figures("box"), (1, 25, copied, 2 * 25 * luma + 2 * 9 * chroma));
    assert_eq!(figures("levels"), (1, 0, copied, 0));
    assert_eq!(figures("close"), (2, 18, 2 * copied, 2 * 18 * luma));
    assert_eq!((told.bytes_before, told.operations_before), (5 * copied, 2 * (25 + 18) * luma + 2 * 9 * chroma));
    let names: Vec<_> = told.passes.iter().map(|pass| pass.name.as_str()).collect();
    assert_eq!(names, ["box=2 + levels=0.1", "close=radius=1:planes=y", "close=radius=1:planes=y"]);
    assert_eq!((told.bytes, told.operations), (3 * copied, 2 * (10 + 6 + 6) * luma + 2 * 6 * chroma));
    assert_eq!(told.passes[0].joins.len(), 1);
    let text = told.to_string();
    for word in [
        "as typed",
        "box=2 + levels=0.1",
        "separable 5 x + 5 y, then table of 256",
        "filters: 4; one by one",
        "passes: 3",
    ] {
        assert!(text.contains(word), "{word} is missing:\n{text}");
    }
    let json = serde_json::to_value(&told).expect("JSON");
    assert_eq!(
        (&json["filters"][1]["taps"], &json["passes"][0]["planes"][0]["after"]),
        (&25.into(), &"table of 256".into())
    );
}

#[test]
fn reasons_are_told() {
    let reason = |text: &str| planned(text, Pixel::gray(8)).explain(None).passes[0].planes[0].reason.clone();
    let words = reason("kernel='.1 .2; .2 .4; .3 .6':scale=1");
    assert!(words.starts_with("rank 1, residual ") && words.ends_with(": 5 instead of 6 taps"), "{words}");
    assert_eq!(reason("kernel='1 2; 3 4':scale=1"), "no whole factors");
    assert_eq!(reason("kernel='1 1; 1 1':scale=1"), "separable, but 4 taps in steps are no fewer than 4 at once");
    assert_eq!(reason("kernel='.1 .2; .3 .5':scale=1"), "not rank 1 within 2e-7");
    assert_eq!(reason("kernel=1 2 1:abs=1"), "the absolute value needs the whole sum");
    assert_eq!(reason("sobel"), "2 kernels over the same samples in one pass");
    assert_eq!(reason("kernel=0 0 0"), "all taps are 0");
}

#[test]
fn the_table_and_the_json_hold_every_pass() {
    let told = planned("sobel=planes=y,disk=4", Pixel::yuv420p(8)).explain(None);
    let table = told.to_string();
    for word in ["sobel=planes=y", "dense 3x3, 3x3", "copy", "disk=4", "integer", "reflect101", "passes: 2"] {
        assert!(table.contains(word), "{word} is missing:\n{table}");
    }
    assert!(table.lines().all(|line| line.trim_end() == line), "white space at the end of a line:\n{table}");
    let json = serde_json::to_value(&told).expect("JSON");
    assert_eq!(json["passes"][1]["planes"][2]["kind"], "dense");
    let limit = Roofline { memory_gb_s: 1.0, dot8_gop_s: 1.0, dot16_gop_s: 1.0, word_gop_s: 1.0, real_gop_s: 1.0 };
    let empty = planned("", Pixel::gray(8)).explain(Some(limit));
    assert_eq!(empty.least_ms.map(f64::to_bits), Some(0), "nothing takes no time");
}

#[test]
fn what_cannot_be_left_out_is_counted_by_the_kind_of_numbers() {
    let nothing = Operations::default();
    let needed = |text: &str, pixel: Pixel| planned(text, pixel).explain(None).passes[0].needed;
    let samples = 64 * 48;
    for (text, pixel, wanted) in [
        ("kernel='1 2; 3 4':scale=1", Pixel::gray(8), Operations { dot8: 8 * samples, ..nothing }),
        ("kernel='1 2; 3 400'", Pixel::gray(8), Operations { dot16: 8 * samples, ..nothing }),
        ("kernel='1 2; 3 4':scale=1", Pixel::gray(10), Operations { dot16: 8 * samples, ..nothing }),
        ("kernel='.1 .2; .3 .5':scale=1", Pixel::gray(8), Operations { real: 8 * samples, ..nothing }),
        // Bytes are met along x; along y there are sums.
        (
            "kernel='1 2 1; 2 4 2; 1 2 1'",
            Pixel::gray(8),
            Operations { dot8: 6 * samples, dot16: 6 * samples, ..nothing },
        ),
        ("box=radius=9", Pixel::gray(8), Operations { dot16: 4 * samples, ..nothing }),
        ("invert", Pixel::gray(8), Operations { dot16: samples, ..nothing }),
    ] {
        assert_eq!(needed(text, pixel), wanted, "{text}");
    }
}
