//! Ranks, single samples, several steps, and what is mixed with the unfiltered frame.

use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Family, Format, Pixel, Range, Rational, Sample};
use warpreel::pass::{Compose, ComposePartner, Op, PointStep, Pointwise, Rank};

use super::{composed_modes, op, planned};

fn table(text: &str, pixel: Pixel) -> Vec<u16> {
    match op(text, pixel) {
        Op::Pointwise(Pointwise::Table(table)) => table.to_vec(),
        other => panic!("{text} becomes {other:?}"),
    }
}

fn rank(text: &str, pixel: Pixel) -> Rank {
    match op(text, pixel) {
        Op::Rank(rank) => rank,
        other => panic!("{text} becomes {other:?}"),
    }
}

#[test]
fn tables_are_what_was_asked_for() {
    let gray = Pixel::gray(8);
    let at = |text: &str, sample: usize| table(text, gray)[sample];
    assert_eq!([0, 100, 255].map(|sample| at("invert", sample)), [255, 155, 0]);
    assert_eq!([16, 235, 0].map(|sample| at("invert=range=limited", sample)), [235, 16, 251]);
    assert_eq!([0, 3, 100, 200].map(|sample| at("gain=1.5", sample)), [0, 5, 150, 255], "halves go up");
    assert_eq!([16, 116].map(|sample| at("gain=0.5:range=limited", sample)), [16, 66]);
    assert_eq!([0, 255].map(|sample| at("offset=0.2", sample)), [51, 255]);
    assert_eq!([127, 128].map(|sample| at("threshold", sample)), [0, 255]);
    assert_eq!([0, 51, 128, 255].map(|sample| at("levels=0.2:0.8", sample)), [0, 0, 128, 255]);
    assert_eq!([0, 255].map(|sample| at("levels=out_low=1:out_high=0", sample)), [255, 0]);
    assert_eq!([0, 64, 255].map(|sample| at("gamma=2", sample)), [0, 128, 255]);
    assert_eq!([16, 126, 235].map(|sample| at("gamma=2:range=limited", sample)), [16, 171, 235]);
    assert_eq!([0, 64, 128, 255].map(|sample| at("lut='0 1 0'", sample)), [0, 128, 254, 0]);
    assert_eq!([0, 127, 128, 255].map(|sample| at("abs", sample)), [255, 1, 1, 255]);
    assert_eq!(at("invert=mix=0.25", 0), 64);
    assert_eq!(table("gain=2", Pixel::gray(12)).len(), 4096);
    for pixel in [gray, Pixel::yuv420p(8)] {
        assert_eq!(planned("gain,offset,gamma,lut,levels", pixel).steps().len(), 0, "nothing is changed by default");
    }
}

/// By the clip's tag; without one, YUV is limited, and grey and RGB are full.
#[test]
fn tones_know_black_and_white() {
    let at = |text: &str, pixel: Pixel, range: Range, samples: [usize; 3]| {
        let mut format = Format::new(pixel, 64, 48, Rational::new(25, 1));
        format.colour.range = range;
        let filters = warpreel::filter::parse(text, &warpreel::filter::Defaults::default()).expect("a chain");
        let plan = warpreel::plan::plan(&filters, &std::sync::Arc::new(format)).expect("a plan");
        let op = plan.steps()[0].pass.planes[0].op.clone();
        let Op::Pointwise(Pointwise::Table(table)) = op else { panic!("{text}: {op:?}") };
        samples.map(|sample| table[sample])
    };
    let (yuv, rgb) = (Pixel::yuv420p(8), Pixel::integer(Family::Rgb, 0, 0, 8));
    let (untagged, full) = (Range::Unspecified, Range::Full);
    assert_eq!(at("gamma=2", yuv, untagged, [16, 126, 235]), [16, 171, 235]);
    assert_eq!(at("gamma=2", yuv, full, [0, 64, 255]), [0, 128, 255]);
    assert_eq!(at("gamma=2", Pixel::yuv420p(10), Range::Limited, [64, 504, 940]), [64, 685, 940]);
    assert_eq!(at("gamma=2", Pixel::gray(8), Range::Limited, [16, 126, 235]), [16, 171, 235]);
    for range in [untagged, Range::Limited] {
        assert_eq!(at("gamma=2", rgb, range, [0, 64, 255]), [0, 128, 255]);
        assert_eq!(at("invert", yuv, range, [16, 100, 235]), [235, 151, 16]);
    }
    assert_eq!(at("gain=2", yuv, untagged, [16, 66, 235]), [16, 116, 255]);
    assert_eq!(at("levels=0.5", yuv, untagged, [16, 126, 235]), [16, 17, 235]);
    assert_eq!(at("threshold", yuv, untagged, [16, 125, 126]), [16, 16, 235]);
    assert_eq!(at("lut='1 0'", yuv, untagged, [16, 100, 235]), [235, 151, 16]);
    assert_eq!(at("lut='1 0':range=full", yuv, untagged, [0, 100, 255]), [255, 155, 0]);
    assert_eq!(at("invert=range=full", yuv, Range::Limited, [0, 16, 255]), [255, 239, 0]);
}

/// Magnitudes are never negative: beside luma they would tint all edges alike.
#[test]
fn edges_have_no_colour() {
    for text in ["sobel", "prewitt", "scharr", "roberts", "kirsch", "motion"] {
        let planes = planned(text, Pixel::yuv420p(8)).steps()[0].pass.planes.clone();
        for plane in &planes[1..] {
            let Op::Pointwise(Pointwise::Table(table)) = &plane.op else { panic!("{text}: {:?}", plane.op) };
            assert!(table.iter().all(|&entry| entry == 128), "{text}");
        }
        let lone = planned(&format!("{text}=planes=chroma"), Pixel::yuv420p(8)).steps()[0].pass.planes[1].op.clone();
        assert!(matches!(lone, Op::Dense(_)), "{text}");
    }
}

#[test]
fn chroma_keeps_its_middle() {
    let ops = |text: &str| planned(text, Pixel::yuv420p(8)).steps()[0].pass.ops().cloned().collect::<Vec<_>>();
    let chroma = |text: &str, sample: usize| match &ops(text)[1] {
        Op::Pointwise(Pointwise::Table(table)) => Some(table[sample]),
        _ => None,
    };
    assert_eq!([128, 138, 255].map(|sample| chroma("gain=2", sample)), [Some(128), Some(148), Some(255)]);
    assert_eq!([128, 138, 0].map(|sample| chroma("invert", sample)), [Some(128), Some(118), Some(255)]);
    assert_eq!(chroma("levels=0.1", 0), None, "they leave it alone");
    let lut = "lut='0 1':chroma='0 0.5 0.6'";
    assert_eq!((chroma(lut, 255), &ops(lut)[0]), (Some(153), &Op::Copy));
}

#[test]
fn floats_have_steps() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let steps = |text: &str| match op(text, float) {
        Op::Pointwise(Pointwise::Steps { steps, wet, dry }) => (steps, wet, dry),
        other => panic!("{text} becomes {other:?}"),
    };
    assert_eq!(steps("invert"), (vec![PointStep::Multiply(-1.0), PointStep::Add(1.0)], 1.0, 0.0));
    assert_eq!(steps("abs=level=0:scale=1:mix=0.5"), (vec![PointStep::Absolute], 0.5, 0.5));
    assert_eq!(steps("gamma=2"), (vec![PointStep::Clamp { low: 0.0, high: 1.0 }, PointStep::Power(0.5)], 1.0, 0.0));
}

#[test]
fn boxes_scale_with_chroma() {
    let plan = planned("median=radius=5:radius_v=2", Pixel::yuv420p(8));
    let sizes = plan.steps()[0].pass.ops().map(|op| match op {
        Op::Rank(op) => (op.size, op.rank),
        other => panic!("{other:?}"),
    });
    assert_eq!(sizes.collect::<Vec<_>>(), [([1, 5, 11], 27), ([1, 3, 7], 10), ([1, 3, 7], 10)]);
    let gray = Pixel::gray(8);
    assert_eq!(rank("erode=3", gray).rank, 0);
    assert_eq!(rank("dilate=3:radius_t=1", gray).rank, 146);
    assert_eq!(rank("median=1:percentile=0.3", gray).rank, 2);
    assert_eq!(planned("median3d=radius_t=2", gray).latency(), 2);
    assert_eq!(planned("median=0,erode=0,tmedian=0", gray).steps().len(), 0);
}

#[test]
fn several_steps_are_several_passes() {
    let plan = planned("close=radius=1:planes=y", Pixel::yuv420p(8));
    let ranks: Vec<usize> = plan
        .steps()
        .iter()
        .map(|step| match &step.pass.ops().collect::<Vec<_>>()[..] {
            [Op::Rank(op), Op::Copy, Op::Copy] => op.rank,
            ops => panic!("{ops:?}"),
        })
        .collect();
    assert_eq!(ranks, [8, 0]);
}

#[test]
fn a_mix_is_between_the_two() {
    let Op::Separable(half) = op("box=1:mix=0.5", Pixel::gray(8)) else { panic!("not separable") };
    assert_eq!((half.finish.scale, half.finish.dry), (0.5 / 9.0, 0.5));
    let Op::Dense(edges) = op("sobel=delta=100:mix=0.25", Pixel::gray(8)) else { panic!("not dense") };
    assert_eq!((edges.finish.scale, edges.finish.dry, edges.finish.bias), (0.25, 0.75, 25.0));
    let mixed = rank("median=mix=0.75", Pixel::gray(8));
    assert_eq!((mixed.finish.scale, mixed.finish.dry), (0.75, 0.25));
    assert_eq!(planned("gaussian=mix=0,open=mix=0", Pixel::gray(8)).steps().len(), 0);
    let chroma = planned("sobel=mix=0.5:planes=chroma", Pixel::yuv420p(8)).steps()[0].pass.planes[1].op.clone();
    let Op::Dense(chroma) = chroma else { panic!("not dense") };
    assert_eq!(chroma.finish.dry * 128.0 + chroma.finish.bias, 128.0, "no colour stays no colour");
}

#[test]
fn blends_take_the_frame_before() {
    let gray = Pixel::gray(8);
    for (mode, place) in [("darken", 0), ("lighten", 1)] {
        let rank = rank(&format!("tblend={mode}:opacity=0.75"), gray);
        assert_eq!((rank.size, rank.anchor, rank.rank), ([2, 1, 1], [1, 0, 0], place));
        assert_eq!((rank.finish.scale, rank.finish.dry), (0.75, 0.25));
    }
    let finish = |text: &str, plane: usize| match &planned(text, Pixel::yuv420p(10)).steps()[0].pass.planes[plane].op {
        Op::Dense(op) => op.finish,
        Op::Separable(op) => op.finish,
        other => panic!("{text} becomes {other:?}"),
    };
    assert_eq!(finish("tblend=grainextract", 0).bias, 512.0);
    assert_eq!((finish("tblend=phoenix", 0).scale, finish("tblend=phoenix", 0).bias), (-1.0, 1023.0));
    assert_eq!(finish("tblend=addition", 1).bias, -512.0, "no colour stays no colour");
    let half = finish("tblend=difference:opacity=0.5", 1);
    assert_eq!((half.scale, half.dry, half.bias), (0.5, 0.5, 256.0));
    assert_eq!(planned("tblend,tblend=difference:opacity=0,tblend=darken:opacity=0", gray).steps().len(), 0);
    for mode in composed_modes() {
        let op = planned(&format!("tblend={}:opacity=0.5", mode.name()), gray).steps()[0].pass.planes[0].op.clone();
        assert_eq!(op, Op::Compose(Compose { mode, opacity: 0.5, partner: ComposePartner::Before }));
    }
    assert_eq!(planned("tblend=burn:opacity=0", gray).steps().len(), 0);
    let refusal = parse("tblend=bleach", &Defaults::default()).expect_err("a mode that is not offered");
    assert!(refusal.hint.starts_with("type normal, addition, "), "{refusal}");
}
