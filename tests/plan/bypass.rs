//! What goes round a filter, as the plan has it.

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational};
use warpreel::pass::{Blend, Op};
use warpreel::plan::{Plan, plan};

use super::super::filter::chain;
use super::planned;

fn blends(plan: &Plan, pass: usize) -> Vec<Option<&Blend>> {
    let ops = plan.steps()[pass].pass.ops();
    ops.map(|op| if let Op::Blend(blend) = op { Some(blend) } else { None }).collect()
}

#[test]
fn ways_round_lie_beside_the_passes() {
    let plan = planned(
        "box=enable=1,gaussian=0:enable=1,open=1:mix=0.5,sobel,close=2:roi=8x8+0+0:enable='gt(t,1)'",
        Pixel::yuv420p(8),
    );
    let around: Vec<_> =
        plan.bypasses().iter().map(|around| (around.steps.clone(), around.blend, around.next())).collect();
    assert_eq!(around, [(0..1, None, 1), (1..3, Some(3), 4), (5..7, Some(7), 8)]);
    let conditions: Vec<_> = plan.bypasses().iter().map(|around| around.enable.as_ref().map(|e| e.text())).collect();
    assert_eq!(conditions, [Some("1"), None, Some("gt(t,1)")]);
    assert_eq!(blends(&plan, 3), [Some(&Blend::Even(0.5)); 3]);
    let inside = |side| Blend::Inside { columns: 0..side, rows: 0..side, weight: 1.0 };
    assert_eq!(blends(&plan, 7), [Some(&inside(8)), Some(&inside(4)), Some(&inside(4))]);
    assert_eq!((plan.latency(), plan.dropped().len()), (0, 1));
    assert!(planned("box,open=1,sobel=mix=0.5", Pixel::gray(8)).bypasses().is_empty());
}

#[test]
fn what_changes_nothing_takes_no_part() {
    let pixel = Pixel::yuv420p(8);
    let plan = planned("open=1:mix=0.5:planes=y", pixel);
    assert_eq!(blends(&plan, 2), [Some(&Blend::Even(0.5)), None, None]);
    let whole = planned("box=roi=64x48+0+0", pixel);
    assert_eq!((whole.steps().len(), whole.bypasses().len()), (1, 0), "the whole frame is no part of it");
    // Chroma is a single sample there, and a radius of its own makes it a copy.
    let plan = planned("median=radius=1:roi=1x1+1+1", pixel);
    let nothing = Blend::Inside { columns: 1..1, rows: 1..1, weight: 1.0 };
    assert_eq!(blends(&plan, 1)[1], Some(&nothing));
}

#[test]
fn masks_are_means_and_planes_of_a_size_share_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mask.png");
    let levels: Vec<u8> = (0..5 * 3).map(|i| (i * 17) as u8).collect();
    let mut encoder = png::Encoder::new(std::fs::File::create(&path).expect("a file"), 5, 3);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&levels)).expect("a picture");
    let format = Arc::new(Format::new(Pixel::yuv420p(10), 5, 3, Rational::new(25, 1)));
    let text = format!("close=1:mix=0.5:mask={}", path.display());
    let plan = plan(&chain(&text), &format).expect("a plan");
    let [Op::Blend(Blend::Each { width, weights }), Op::Blend(u), Op::Blend(v)] =
        plan.steps()[2].pass.ops().collect::<Vec<_>>()[..]
    else {
        panic!("{:?}", plan.steps()[2].pass);
    };
    assert_eq!((*width, weights.len()), (5, 15));
    for (weight, level) in weights.iter().zip(&levels) {
        assert_eq!(*weight, (f64::from(*level) / 255.0 * 0.5) as f32);
    }
    let (Blend::Each { width, weights }, Blend::Each { weights: others, .. }) = (u, v) else { panic!("{u:?}") };
    assert!(Arc::ptr_eq(weights, others));
    assert_eq!((*width, weights.len()), (3, 6));
    let mean = |places: &[usize]| {
        places.iter().map(|&i| f64::from(levels[i])).sum::<f64>() / 255.0 / places.len() as f64 * 0.5
    };
    let wanted =
        [mean(&[0, 1, 5, 6]), mean(&[2, 3, 7, 8]), mean(&[4, 9]), mean(&[10, 11]), mean(&[12, 13]), mean(&[14])];
    for (weight, wanted) in weights.iter().zip(wanted) {
        assert!((f64::from(*weight) - wanted).abs() < 1e-7, "{weight} is not {wanted}");
    }
}

#[test]
fn explanations_tell_of_blends_and_conditions() {
    let told = planned("open=1:mix=0.5:roi=32x24+2+2:enable='lt(n,9)',sobel", Pixel::yuv420p(8)).explain(None);
    let table = told.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "(blend)",
        "blend 0.5 of 32x24+2+2",
        "blend 0.5 of 16x12+1+1",
        "with the input: 32x24+2+2, mix=0.5",
        "\"open=1:mix=0.5:roi=32x24+2+2:enable='lt(n,9)'\" acts on frames where lt(n,9); others are copied",
        "passes: 4",
    ] {
        assert!(table.contains(words), "{words} is missing:\n{table}");
    }
    let json = serde_json::to_value(&told).expect("JSON");
    assert_eq!(json["conditions"][0]["enable"], "lt(n,9)");
    assert_eq!(json["passes"][2]["planes"][0]["kind"], "blend");
    // Luma reads all of what went in and the rectangle of what came out, and writes all.
    assert_eq!(told.passes[2].planes[0].bytes, 2 * 64 * 48 + 32 * 24);
    let half = planned("open=1:mix=0.5", Pixel::gray(8)).explain(None);
    assert_eq!((half.passes[2].bytes, half.passes[2].operations), (3 * 64 * 48, 3 * 64 * 48));
}
