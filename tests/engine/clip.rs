//! Clips through an engine: the frames of the pipeline, as early as can be, and what comes of misuse.

use anyhow::{Result, bail};
use warpreel::engine::Engine;
use warpreel::frame::{Frame, Pixel, Timing};
use warpreel::plan::plan;

use super::{bytes, format, noise, readable};
use crate::filter::chain;
use crate::stage::through;

const CHAINS: [&str; 11] = [
    "",
    "gaussian=2",
    "tmix=5,sobel",
    "tmix=7:border_t=reflect101:scene=0.1,gaussian=1",
    "tmix=5:enable='not(mod(n,3))',sobel=enable='mod(n,2)'",
    "gaussian=2:roi=9x7+3+2:mix=0.5,tgaussian=1:enable='between(t,0.1,0.3)'",
    "deflicker=size=5:scene=0.2,unsharp",
    "median3d=1:1,open=1:radius_t=1:mix=0.3:enable='gt(n,4)'",
    "tmix=129",
    "bm3d=sigma=40:radius=2:bm_range=2:block_step=8:scene=0.1,tmix=3",
    "invert,bm3d=sigma=40:radius=1:block_step=8:enable='not(mod(n,3))':mix=0.5",
];

#[test]
fn an_engine_gives_the_frames_of_the_pipeline() {
    for pixel in [Pixel::gray(8), Pixel::yuv420p(8)] {
        let format = format(pixel, 33, 17);
        for length in [0, 1, 2, 11] {
            let clip = noise(&format, length);
            for text in readable(&CHAINS) {
                let wanted = through(&plan(&chain(text), &format).expect("a plan"), &clip);
                let mut engine = Engine::cpu(text, &format).expect("an engine");
                for _ in 0..2 {
                    let got = engine.clip(clip.iter().cloned()).expect("a clip");
                    assert_eq!(got.len(), wanted.len(), "{text}");
                    for (got, wanted) in got.iter().zip(&wanted) {
                        let same = bytes(got) == bytes(wanted) && got.timing.pts == wanted.timing.pts;
                        assert!(same, "{text}: frame {} of {length}", wanted.timing.number);
                    }
                }
            }
        }
    }
}

#[test]
fn frames_come_as_early_as_the_plan_says() {
    let format = format(Pixel::gray(8), 16, 8);
    for (text, latency) in
        [("gaussian=2", 0), ("tmix=5", 2), ("tmix=5,tmix=3", 3), ("tmix=3:scene=0.4", 2), ("bm3d=radius=2", 4)]
    {
        let mut engine = Engine::cpu(text, &format).expect("an engine");
        assert_eq!(engine.plan().latency(), latency, "{text}");
        let mut out = Vec::new();
        for (number, frame) in noise(&format, 9).into_iter().enumerate() {
            engine.push(frame, &mut out).expect("a push");
            while engine.advance(&mut out).expect("nothing fails") {}
            assert_eq!(out.len(), (number + 1).saturating_sub(latency), "{text} after frame {number}");
        }
        engine.finish(&mut out).expect("an end");
        assert_eq!(out.iter().map(|frame| frame.timing.number).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
    }
}

fn words<T>(outcome: Result<T>) -> String {
    format!("{:#}", outcome.err().expect("an error"))
}

#[test]
fn misuse_is_an_error_that_begin_mends() {
    let format = format(Pixel::gray(8), 16, 8);
    let mut engine = Engine::cpu("tmix=3", &format).expect("an engine");
    let mut out = Vec::new();
    let frame = |number: u64| noise(&format, number + 1).pop().expect("one frame");
    engine.push(frame(0), &mut out).expect("a push");
    engine.finish(&mut out).expect("an end");
    assert!(words(engine.push(frame(1), &mut out)).contains("frame 1 comes after the end"));
    assert!(words(engine.finish(&mut out)).contains("already ended"));
    engine.begin().expect("another clip");
    out.clear();
    let odd = super::format(Pixel::gray(8), 15, 8);
    let refused = words(engine.push(noise(&odd, 3).remove(2), &mut out));
    assert!(refused.contains("frame 2") && refused.contains("15x8") && refused.contains("16x8"), "{refused}");
    assert!(words(engine.push(frame(3), &mut out)).contains("after a failure"));
    assert!(!engine.advance(&mut out).expect("nothing is under way"));
    assert_eq!(engine.clip(noise(&format, 4)).expect("another clip").len(), 4);
    assert!(out.is_empty());
}

#[test]
fn an_outlet_that_fails_stops_the_engine() {
    let format = format(Pixel::gray(8), 16, 8);
    let mut engine = Engine::cpu("gaussian=1", &format).expect("an engine");
    let mut taken = 0;
    let mut full = |_: Frame| {
        taken += 1;
        if taken > 2 { bail!("no room") } else { Ok(()) }
    };
    let pushed: Vec<_> = noise(&format, 4).into_iter().map(|frame| engine.push(frame, &mut full).is_ok()).collect();
    assert_eq!(pushed, [true, true, false, false]);
    assert_eq!(taken, 3, "nothing is put behind what failed");
}

#[test]
fn numbers_and_times_are_kept() {
    let format = format(Pixel::gray(8), 16, 8);
    let mut engine = Engine::cpu("tmix=5", &format).expect("an engine");
    let mut clip = noise(&format, 4);
    for (frame, pts) in clip.iter_mut().zip([-7, 3, 4, 90]) {
        frame.timing = Timing {
            number: frame.timing.number + 100,
            pts,
            duration: 2,
            attachment: Some(std::sync::Arc::new(pts)),
            ..Timing::default()
        };
    }
    let got = engine.clip(clip).expect("a clip");
    let times: Vec<_> =
        got.iter().map(|frame| (frame.timing.number, frame.timing.pts, frame.timing.duration)).collect();
    assert_eq!(times, [(100, -7, 2), (101, 3, 2), (102, 4, 2), (103, 90, 2)]);
    let rides = |frame: &Frame| frame.timing.attachment.as_ref().and_then(|with| with.downcast_ref::<i64>().copied());
    assert!(got.iter().all(|frame| rides(frame) == Some(frame.timing.pts)), "what rides along stays with its frame");
}
