//! What passes have to know of their input, and that nothing is measured where nobody asks.

use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{Gain, Op};
use warpreel::plan::{Cuts, Guard, Mean, Steady};

use super::{op, planned};

fn cuts(text: &str) -> Vec<Cuts> {
    planned(text, Pixel::yuv420p(8)).steps().iter().map(|step| step.guard.cuts).collect()
}

#[test]
fn cuts_are_looked_for_once_a_filter() {
    assert_eq!(cuts("tmix=5:scene=0.4,tmix=5"), [Cuts::Above(0.4), Cuts::None]);
    assert_eq!(cuts("open=1:1:1:scene=0.3,close=1:1:1"), [Cuts::Above(0.3), Cuts::Inherited, Cuts::None, Cuts::None]);
    assert_eq!(cuts("tmix=5:scene=0,gaussian=2"), [Cuts::None, Cuts::None]);
    // What does not look at other frames needs to know nothing.
    assert_eq!(cuts("erode=2:scene=0.3,kernel='1 2 1':normalize=1:scene=0.3"), [Cuts::None, Cuts::None]);
    assert!(planned("tmix=5,erode,gaussian", Pixel::gray(8)).steps().iter().all(|step| !step.guard.measures()));
    assert!(cuts("tmix=1:scene=0.3").is_empty(), "what changes nothing is dropped with what it would have to know");
}

#[test]
fn brightness_counts_from_black() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    for (pixel, black, measured) in [
        (Pixel::gray(8), 16.0, 16.0),
        (Pixel::yuv420p(10), 64.0, 64.0),
        (Pixel::gray(16), 4096.0, 4096.0),
        (float, 16.0 / 255.0, 16.0 * 257.0),
    ] {
        let text = "deflicker=size=8:mode=hm:range=limited:scene=0.25";
        let plan = planned(text, pixel);
        let steady = Some(Steady { size: 8, mean: Mean::Harmonic, black: measured });
        let guards: Vec<Guard> = plan.steps().iter().map(|step| step.guard).collect();
        assert_eq!(guards, [Guard { cuts: Cuts::Above(0.25), steady, smoothing: None }], "{}", pixel.name());
        assert_eq!(plan.latency(), 5, "half a window, and the frame that is compared with the next");
        let Op::Gain(Gain { black: found, .. }) = plan.steps()[0].pass.planes[0].op else { panic!("no gain") };
        assert_eq!(found, black as f32);
    }
    assert_eq!(planned("deflicker=9", Pixel::gray(8)).latency(), 4);
    assert!(matches!(op("deflicker", Pixel::gray(8)), Op::Gain(Gain { black: 0.0, .. })));
    assert!(planned("deflicker=planes=uv", Pixel::yuv420p(8)).steps().is_empty(), "chroma is left alone");
}

#[test]
fn explanations_tell_of_scenes() {
    let told = planned("tmix=3:scene=0.3,deflicker=9", Pixel::gray(8)).explain(None);
    assert_eq!((told.passes[0].scene, told.passes[1].scene), (Some(0.3), None));
    assert_eq!((told.passes[0].reach, told.passes[1].reach), (1, 4));
    let text = told.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("\"tmix=3:scene=0.3\" does not look across cuts"), "{text}");
    assert!(text.contains("from the brightness of 9 frames"), "{text}");
}
