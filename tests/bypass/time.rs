//! Conditions: frame by frame, the original or what the filter gives where it acts on all frames.

use warpreel::frame::Pixel;

use super::{Clip, Want};

const FRAMES: usize = 12;

fn clip() -> Clip {
    Clip::new(Pixel::yuv420p(8), (37, 21), FRAMES)
}

/// The frames of `on` for which the condition holds, the others of `off`.
fn picked(on: &[Vec<f32>], off: &[Vec<f32>], acts: impl Fn(usize) -> bool) -> Vec<Vec<f32>> {
    (0..FRAMES).map(|frame| if acts(frame) { on[frame].clone() } else { off[frame].clone() }).collect()
}

const CALLS: [&str; 6] =
    ["gaussian=2", "tmix=5:weights='1 2 3 2 1'", "median3d=1:1", "open=1:radius_t=1", "close=2", "gain=1.5"];

#[test]
fn frames_that_go_by_are_untouched_and_still_seen() {
    let clip = clip();
    let original = clip.read("in.raw");
    for call in CALLS {
        let whole = clip.through(call);
        assert_ne!(whole, original);
        for (enable, acts) in [
            ("not(mod(n,3))", (|frame| frame % 3 == 0) as fn(usize) -> bool),
            ("between(t,0.1,0.25)", |frame| (3..=6).contains(&frame)),
            ("gt(n,9)", |frame| frame > 9),
            ("0", |_| false),
            ("1", |_| true),
        ] {
            let got = clip.through(&format!("{call}:enable='{enable}'"));
            assert!(got == picked(&whole, &original, acts), "{call} where {enable}");
        }
    }
}

#[test]
fn chains_are_runs_one_after_another() {
    let clip = clip();
    let (first, second) = ("tmix=3:enable='lt(n,7)'", "open=1:radius_t=1:mix=0.5:roi=20x9+4+2:enable='gt(n,3)'");
    let third = "gaussian=1:enable='mod(n,2)'";
    clip.from("in.raw", first, "one.raw");
    clip.from("one.raw", second, "two.raw");
    let wanted = clip.from("two.raw", third, "three.raw");
    assert!(clip.through(&format!("{first},{second},{third}")) == wanted);
    assert!(clip.through(&format!("{first},box=0,{second},{third}")) == wanted, "what does nothing has no way round");
}

#[test]
fn conditions_go_together_with_parts() {
    let clip = clip();
    let original = clip.read("in.raw");
    let whole = clip.through("close=1");
    let got = clip.through("close=1:roi=20x11+7+3:enable='mod(n,2)'");
    clip.compare(&got, "close", |frame, plane, row, column, at| {
        let (across, down) = clip.pixel.subsampling(plane);
        let inside = (7..27).contains(&(column << across)) && (3..14).contains(&(row << down));
        Want::Exactly(if inside && frame % 2 == 1 { whole[frame][at] } else { original[frame][at] })
    });
}
