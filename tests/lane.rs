//! One clip shared out to several backends: the very frames of one, for any chain, length, run and number of backends.

use warpreel::engine::Engine;
use warpreel::frame::{FieldOrder, Frame, FrameFields, Pixel};
use warpreel::pipeline::{Sharing, WhenLost};
use warpreel::plan::{Plan, plan};

use crate::agreement::Random;
use crate::engine::{bytes, format, noise, readable};
use crate::filter::call::for_all;
use crate::filter::chain;
use crate::stage::shared;

fn assert_same(got: &[Frame], wanted: &[Frame], what: &str) {
    let numbers = |frames: &[Frame]| frames.iter().map(|frame| frame.timing.number).collect::<Vec<_>>();
    assert_eq!(numbers(got), numbers(wanted), "{what}");
    for (got, wanted) in got.iter().zip(wanted) {
        let same = bytes(got) == bytes(wanted) && got.timing.pts == wanted.timing.pts;
        assert!(same && !got.timing.is_margin, "{what}: frame {} differs", wanted.timing.number);
    }
}

fn sharing(run_frames: u64) -> Sharing {
    Sharing { run_frames, when_lost: WhenLost::Fail }
}

/// Windows, scenes, brightness, conditions and parts, over cuts, also where a window is longer than a run.
const CHAINS: [&str; 17] = [
    "",
    "gaussian=2",
    "tmix=5,sobel",
    "tmix=7:border_t=reflect101:scene=0.1,gaussian=1",
    "tmix=7:border_t=zero,tmedian=2:border_t=lopsided",
    "tmix=5:enable='not(mod(n,3))',sobel=enable='mod(n,2)'",
    "gaussian=2:roi=9x7+3+2:mix=0.5,tgaussian=1:enable='between(t,0.1,0.3)'",
    "deflicker=size=5:scene=0.2,unsharp",
    "deflicker=size=6:mode=median,tmix=3:scene=0.05,deflicker=size=3",
    "tdiff,tmix=5:scene=0.2,tmedian=1:scene=0.1",
    "median3d=1:1,open=1:radius_t=1:mix=0.3:enable='gt(n,4)'",
    "tmix=129",
    "invert=enable='st(0,ld(0)+1);lt(mod(ld(0),5),2)',tmix=3",
    "tmix=5:enable='st(1,ld(1)+n);mod(ld(1),2)':mix=0.4,sharpen=enable='random(0)-0.5'",
    "bm3d=sigma=40:radius=2:bm_range=2:block_step=8:scene=0.1,tmix=3",
    "nlmeans=r=3:p=3:frames=1,tmix=3",
    "degrain=frames=2,tmix=3",
];

#[test]
fn the_frames_of_one_backend() {
    let mut random = Random::new(11);
    for pixel in [Pixel::gray(8), Pixel::yuv420p(8)] {
        let format = format(pixel, 34, 18);
        for length in [0, 1, 2, 3, 11, 41] {
            let clip = noise(&format, length);
            for text in readable(&CHAINS) {
                let wanted = Engine::cpu(text, &format).expect("an engine").clip(clip.iter().cloned()).expect("a clip");
                let plan = plan(&chain(text), &format).expect("a plan");
                for run in [1, random.range(2..=6) as u64, random.range(7..=50) as u64] {
                    let lanes = random.range(1..=4);
                    let got = shared(&plan, &clip, lanes, sharing(run));
                    assert_same(&got, &wanted, &format!("{text}: {length} frames, {lanes} lanes, runs of {run}"));
                }
            }
        }
    }
}

/// Frames between runs are blended of both, and the score of a pair depends on earlier ones.
#[test]
fn blended_frames() {
    let mut random = Random::new(14);
    let format = format(Pixel::yuv420p(8), 34, 18);
    for length in [1, 2, 11, 41] {
        let clip = noise(&format, length);
        for text in
            ["framerate=60", "framerate=31:scene=20", "tmix=3,framerate=12:scene=2", "framerate=24:interp_end=99"]
        {
            let wanted = Engine::cpu(text, &format).expect("an engine").clip(clip.iter().cloned()).expect("a clip");
            let plan = plan(&chain(text), &format).expect("a plan");
            for run in [1, random.range(2..=6) as u64, random.range(7..=50) as u64] {
                let got = shared(&plan, &clip, 3, sharing(run));
                assert_same(&got, &wanted, &format!("{text}: {length} frames, runs of {run}"));
            }
        }
    }
}

/// Who has a run does not know how many frames come before it: their numbers are counted where they are in order again.
#[test]
fn frames_of_some_fields() {
    let format = format(Pixel::yuv420p(8), 34, 18);
    let mut clip = noise(&format, 41);
    for (at, frame) in clip.iter_mut().enumerate() {
        let order = [FieldOrder::Progressive, FieldOrder::TopFirst, FieldOrder::BottomFirst][at * at % 3];
        frame.timing.fields = Some(FrameFields::from(order));
    }
    for text in ["bwdif=deint=interlaced", "tmix=3,yadif=mode=send_field:deint=interlaced,gaussian=2"] {
        let wanted = Engine::cpu(text, &format).expect("an engine").clip(clip.iter().cloned()).expect("a clip");
        assert!((42..82).contains(&wanted.len()), "{text}: {} frames", wanted.len());
        let plan = plan(&chain(text), &format).expect("a plan");
        for run in [1, 5, 12] {
            assert_same(&shared(&plan, &clip, 3, sharing(run)), &wanted, &format!("{text}, runs of {run}"));
        }
    }
}

/// Any call of any filter, and any two in a chain.
#[test]
fn random_chains() {
    let format = format(Pixel::yuv420p(8), 20, 14);
    let clip = noise(&format, 23);
    let random = std::cell::RefCell::new(Random::new(12));
    let before = std::cell::RefCell::new("tmix=3:scene=0.1".to_owned());
    for_all(120, |_, text| {
        let mut random = random.borrow_mut();
        let text = format!("{},{text}", before.replace(text.to_owned()));
        let plan = plan(&chain(&text), &format).expect("a plan");
        let wanted = Engine::cpu(&text, &format).expect("an engine").clip(clip.iter().cloned()).expect("a clip");
        let (lanes, run) = (random.range(2..=3), random.range(1..=12) as u64);
        assert_same(&shared(&plan, &clip, lanes, sharing(run)), &wanted, &format!("{text}, {lanes} lanes, {run}"));
    });
}

/// What is read twice is one part in forty of a run, but where memory forbids that.
#[test]
fn runs() {
    let frames = |text: &str, width: usize, height: usize| {
        let plan: Plan = plan(&chain(text), &format(Pixel::yuv420p(8), width, height)).expect("a plan");
        Sharing::of(&plan, WhenLost::Fail).run_frames
    };
    assert_eq!(frames("gaussian=2", 1920, 1080), 8);
    assert_eq!(frames("tmix=5", 1920, 1080), 160);
    assert_eq!(frames("tmix=3:scene=0.2,tmix=3", 1920, 1080), 6 * 40);
    assert_eq!(frames("tmix=9", 3840, 2160), (2 << 30) / (3840 * 2160 * 3 / 2));
    assert_eq!(frames("tmix=129", 16384, 16384), 128);
    assert_eq!(frames("fps=50,tmix=3", 1920, 1080), 8);
    assert_eq!(frames("framerate=50:scene=100", 1920, 1080), 2 * 40);
    assert_eq!(frames("framerate=50", 1920, 1080), 10 * 40);
}

/// A clip that is read in its middle has frames around it, which nobody writes.
#[test]
fn margins_of_the_clip() {
    let format = format(Pixel::gray(8), 21, 9);
    for text in readable(&CHAINS) {
        let plan = plan(&chain(text), &format).expect("a plan");
        let mut clip = noise(&format, 30);
        let whole = Engine::cpu(text, &format).expect("an engine").clip(clip.iter().cloned()).expect("a clip");
        clip.iter_mut().enumerate().for_each(|(at, frame)| frame.timing.is_margin = !(9..17).contains(&at));
        let margin = plan.margin();
        let read = 9usize.saturating_sub(margin.before.min(9) as usize)..(17 + margin.after as usize).min(30);
        for run in [1, 3, 8, 20] {
            let got = shared(&plan, &clip[read.clone()], 2, sharing(run));
            assert_same(&got, &whole[9..17], &format!("{text} in runs of {run}"));
        }
        let engine = Engine::cpu(text, &format).expect("an engine").clip(clip[read].iter().cloned());
        assert_same(&engine.expect("a clip"), &whole[9..17], text);
    }
}
