//! Chains that change while a clip is under way: each frame is that of its chain over the whole clip.

use std::sync::Arc;

use warpreel::backend::Cpu;
use warpreel::engine::{AdjustableEngine, Engine};
use warpreel::frame::{Format, Frame, Pixel};

use super::{bytes, format, noise, readable};

const CHAINS: [&str; 9] = [
    "",
    "gaussian=1",
    "tmix=5",
    "tmix=7:border_t=reflect101:scene=0.1,gaussian=1",
    "deflicker=size=5",
    "bm3d=sigma=40:radius=1:bm_range=2:block_step=8",
    "tmix=3:enable='not(mod(n,3))',sobel=enable='mod(n,2)'",
    "atadenoise",
    "crop=20:10",
];
const LENGTH: usize = 24;

fn engine(chain: &str, format: &Arc<Format>, history: usize) -> AdjustableEngine<Cpu> {
    Engine::builder(chain, format).threads(1).build_adjustable(history).expect("an engine")
}

/// The clip through one chain after another, each of which begins at a frame.
fn changed(clip: &[Frame], format: &Arc<Format>, chains: &[(usize, &str)]) -> Vec<Frame> {
    let (mut engine, mut out) = (engine(chains[0].1, format, LENGTH), Vec::new());
    for (number, frame) in clip.iter().enumerate() {
        for (_, chain) in chains[1..].iter().filter(|(at, _)| *at == number) {
            assert_eq!(engine.update(chain).expect("a chain"), 0, "all frames are kept");
            assert_eq!(engine.chain(), *chain);
        }
        engine.push(frame.clone(), &mut out).expect("a push");
    }
    engine.finish(&mut out).expect("the end");
    out
}

#[test]
fn each_frame_is_that_of_its_chain_over_the_whole_clip() {
    let format = format(Pixel::yuv420p(8), 34, 18);
    let clip = noise(&format, LENGTH as u64);
    let whole = |chain: &&str| {
        let frames = Engine::cpu(chain, &format).expect("an engine").clip(clip.iter().cloned()).expect("a clip");
        (chain.to_string(), frames)
    };
    let chains = readable(&CHAINS);
    let wholes: Vec<_> = chains.iter().map(whole).collect();
    let (mut state, mut differing) = (3u32, 0);
    let mut random = |most: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % most
    };
    for _ in 0..60 {
        let mut starts: Vec<usize> = (0..1 + random(4)).map(|_| random(LENGTH)).collect();
        starts.sort_unstable();
        let picked: Vec<(usize, &str)> =
            [0].into_iter().chain(starts).map(|at| (at, chains[random(chains.len())])).collect();
        let frames = changed(&clip, &format, &picked);
        assert_eq!(frames.len(), LENGTH, "{picked:?}");
        for (number, frame) in frames.iter().enumerate() {
            let chain = picked.iter().rev().find(|(at, _)| *at <= number).expect("the first begins the clip").1;
            let wanted = &wholes.iter().find(|(text, _)| text == chain).expect("a chain of the list").1[number];
            assert_eq!(frame.timing.number, number as u64);
            assert!(bytes(frame) == bytes(wanted), "{picked:?}: frame {number} is not that of {chain:?}");
            differing += usize::from(bytes(frame) != bytes(&clip[number]));
        }
    }
    assert!(differing > 60 * LENGTH / 2, "{differing} frames were filtered");
}

#[test]
fn frames_come_as_early_as_both_chains_allow() {
    let format = format(Pixel::gray(8), 16, 8);
    let (mut engine, mut out) = (engine("tmix=5", &format, 2), Vec::new());
    for (number, frame) in noise(&format, 12).into_iter().enumerate() {
        if number == 6 {
            assert_eq!(engine.update("invert").expect("a chain"), 0);
        }
        engine.push(frame, &mut out).expect("a push");
        // Two frames ahead until the first chain has seen two of the second one's, then none.
        assert_eq!(out.len(), if number < 7 { (number + 1).saturating_sub(2) } else { number + 1 });
    }
}

#[test]
fn a_chain_that_looks_back_further_than_is_kept_says_by_how_much() {
    let format = format(Pixel::gray(8), 16, 8);
    let clip = noise(&format, 12);
    let (mut engine, mut out) = (engine("invert", &format, 2), Vec::new());
    clip[..8].iter().try_for_each(|frame| engine.push(frame.clone(), &mut out)).expect("frames");
    assert_eq!(engine.update("tmix=9").expect("a chain"), 2);
    // The clip begins with the frames that are kept.
    let wanted = Engine::cpu("tmix=9", &format).expect("an engine").clip(clip[6..].to_vec()).expect("a clip");
    clip[8..].iter().try_for_each(|frame| engine.push(frame.clone(), &mut out)).expect("frames");
    engine.finish(&mut out).expect("the end");
    assert_eq!(out.len(), 12);
    assert!(out[8..].iter().zip(&wanted[2..]).all(|(got, wanted)| bytes(got) == bytes(wanted)));
    engine.begin().expect("another clip");
    engine.push(clip[0].clone(), &mut out).expect("a frame of another clip");
    engine.finish(&mut out).expect("the end");
    assert_eq!(out.len(), 13);
}

#[test]
fn a_wrong_chain_leaves_the_one_before_it() {
    let format = format(Pixel::gray(8), 16, 8);
    let clip = noise(&format, 4);
    let (mut engine, mut out) = (engine("invert", &format, 2), Vec::new());
    engine.push(clip[0].clone(), &mut out).expect("a frame");
    for (chain, told) in [("gausian=2", "gausian"), ("fps=50", "one for one"), ("crop=99:99", "crop")] {
        let error = format!("{:#}", engine.update(chain).expect_err("a wrong chain"));
        assert!(error.contains(told), "{error}");
    }
    engine.push(clip[1].clone(), &mut out).expect("a frame");
    assert!(out.iter().zip(&clip).all(|(got, clip)| bytes(got)[5] == 255 - bytes(clip)[5]) && out.len() == 2);
    assert!(Engine::builder("fps=50", &format).build_adjustable(2).is_err());
}
