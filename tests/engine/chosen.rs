//! Engines whose backend is chosen at run time: on the CPU the frames of `Engine::cpu`, the fallback, and the errors.

use std::sync::Arc;

use warpreel::backend::cuda::Device;
use warpreel::frame::Format;
use warpreel::pass::TimeBorder;
use warpreel::prelude::*;

use super::{bytes, format, noise, readable};

const CHAINS: [&str; 6] = [
    "",
    "gaussian=2,sobel",
    "tmix=5:scene=0.2,deflicker=size=3",
    "scale=32:24,invert",
    "degrain=frames=1,fps=50",
    "box=1:enable='not(mod(n,2))',tblend=average",
];

/// A GPU that no machine has.
const NO_GPU: usize = 4711;

fn frames(format: &Arc<Format>) -> Vec<Frame> {
    noise(format, 12)
}

fn all_bytes(frames: &[Frame]) -> Vec<(i64, Vec<u8>)> {
    frames.iter().map(|frame| (frame.timing.pts, bytes(frame))).collect()
}

/// Whatever was chosen and however many frames are in flight, the frames are those of the CPU.
#[test]
fn frames_are_those_of_the_cpu() {
    let format = format(Pixel::yuv420p(8), 64, 48);
    for chain in readable(&CHAINS) {
        let wanted = Engine::cpu(chain, &format).and_then(|mut engine| engine.clip(frames(&format))).expect(chain);
        let wanted = all_bytes(&wanted);
        for (choice, device) in [(Choice::Cpu, 0), (Choice::Cpu, NO_GPU), (Choice::Auto, 0), (Choice::Auto, NO_GPU)] {
            for in_flight in [0, 1, 8, usize::MAX] {
                let in_flight = if choice == Choice::Auto && device == 0 { in_flight.min(32) } else { in_flight };
                let builder = Engine::builder(chain, &format).threads(3).backend(choice);
                let mut engine = builder.device(device).in_flight(in_flight).build().expect(chain);
                let is_cpu = choice == Choice::Cpu || device == NO_GPU || chain.is_empty();
                assert!(!(is_cpu && engine.backend().is_on_gpu()), "{choice:?} {device}");
                // A clip after another.
                for _ in 0..2 {
                    let got = engine.clip(frames(&format)).expect(chain);
                    assert!(all_bytes(&got) == wanted, "{chain:?} with {choice:?} and {in_flight} in flight");
                }
            }
        }
    }
}

/// Settings before and behind the choice reach the stage.
#[test]
fn settings_reach_the_stage() {
    let format = format(Pixel::gray(8), 20, 10);
    let clip = || noise(&format, 6);
    let wanted = {
        let builder = Engine::builder("gaussian=2,tmix=3", &format).border("zero").border_t(TimeBorder::Zero);
        builder.build().and_then(|mut engine| engine.clip(clip())).expect("a clip")
    };
    let pool = Pool::heap();
    let before = Engine::builder("gaussian=2,tmix=3", &format).threads(2).border("zero").pool(&pool);
    let before = before.border_t(TimeBorder::Zero).backend(Choice::Cpu);
    let behind = Engine::builder("gaussian=2,tmix=3", &format).backend(Choice::Cpu).threads(2).border("zero");
    let behind = behind.border_t(TimeBorder::Zero).pool(&pool).planes("all");
    for builder in [before, behind] {
        let mut engine = builder.build().expect("an engine");
        assert_eq!(engine.backend().cpu().expect("the CPU").threads(), 2);
        assert!(engine.backend().name().starts_with("cpu, 2 threads, "), "{}", engine.backend().name());
        let got = engine.clip(clip()).expect("a clip");
        assert!(all_bytes(&got) == all_bytes(&wanted));
        assert!(pool.allocated_bytes() > 0, "frames are made in the pool that was set");
        assert_eq!(engine.backend().pool().allocated_bytes(), pool.allocated_bytes());
    }
    let wrong = Engine::builder("box", &format).backend(Choice::Cpu).border("wall").build();
    assert!(wrong.err().expect("no border").to_string().contains("wall"));
}

/// The CPU, and why, where no GPU works; an error at once where a GPU was asked for.
#[test]
fn no_gpu_is_a_fallback_or_an_error() {
    let format = format(Pixel::gray(8), 16, 16);
    let build = |choice, chain: &str| Engine::builder(chain, &format).backend(choice).device(NO_GPU).build();
    let fallen = build(Choice::Auto, "box").expect("the CPU");
    let name = fallen.backend().name().to_owned();
    assert!(name.starts_with("cpu, ") && name.contains(" (") && !name.contains("--"), "{name}");
    assert!(name.contains("Choice::Cpu") || name.contains("there is no GPU 4711"), "{name}");
    let chosen = build(Choice::Cpu, "box").expect("the CPU");
    assert!(!chosen.backend().name().contains('('), "{}", chosen.backend().name());
    let idle = build(Choice::Auto, "").expect("the CPU");
    assert!(idle.backend().name().ends_with("(nothing to filter)"), "{}", idle.backend().name());
    for chain in ["", "box", "tmix=3"] {
        let error = Error::from(build(Choice::Cuda, chain).err().expect("no such GPU"));
        let said = error.to_string();
        assert!(said.starts_with("Choice::Cuda: ") && said.lines().count() == 1 && !said.contains("--"), "{said}");
        assert!(said.contains("Choice::Cpu") || said.contains("there is no GPU 4711; "), "{said}");
    }
    // What is wrong with the chain is said whatever was chosen.
    for choice in [Choice::Auto, Choice::Cpu, Choice::Cuda] {
        let error = Error::from(build(choice, "gausian").err().expect("no such filter"));
        assert_eq!(error.kind(), ErrorKind::Request);
        assert!(error.syntax().is_some(), "{error}");
    }
}

/// The advice names what a program calls, and no option of the command line.
#[test]
fn without_a_driver_the_advice_is_for_programs() {
    if Device::open(0).is_ok() {
        println!("skipped: there is a GPU");
        return;
    }
    let format = format(Pixel::gray(8), 16, 16);
    let error = Engine::builder("box", &format).backend(Choice::Cuda).build().err().expect("no GPU");
    assert!(format!("{error:#}").contains("choose Choice::Cpu"), "{error:#}");
}

/// Sessions, and chains that change, over a backend that was chosen.
#[test]
fn sessions_and_changes() {
    let format = format(Pixel::gray(8), 24, 16);
    let build = |chain: &str| Engine::builder(chain, &format).backend(Choice::Auto).device(NO_GPU).in_flight(2);
    let clip = frames(&format);
    let wanted = Engine::cpu("tmix=3", &format).and_then(|mut engine| engine.clip(clip.clone())).expect("a clip");
    let mut session = Session::start(build("tmix=3").build().expect("an engine"), 4, |_| {}).expect("a session");
    clip.iter().for_each(|frame| session.push(frame.clone()).expect("room"));
    session.finish();
    let mut got = Vec::new();
    while let Some(frame) = session.recv().expect("a frame") {
        got.push(frame);
    }
    assert!(all_bytes(&got) == all_bytes(&wanted));

    let changed = |mut engine: AdjustableEngine<AnyBackend>| {
        let mut out = Vec::new();
        clip[..6].iter().for_each(|frame| engine.push(frame.clone(), &mut out).expect("a frame"));
        engine.update("invert,box=1").expect("a chain");
        clip[6..].iter().for_each(|frame| engine.push(frame.clone(), &mut out).expect("a frame"));
        engine.finish(&mut out).expect("the end");
        out
    };
    let got = changed(build("tmix=3").build_adjustable(4).expect("an engine"));
    let later = Engine::cpu("invert,box=1", &format).and_then(|mut engine| engine.clip(clip.clone())).expect("a clip");
    assert!(all_bytes(&got[..6]) == all_bytes(&wanted[..6]) && all_bytes(&got[6..]) == all_bytes(&later[6..]));
    let cuda = Engine::builder("tmix=3", &format).backend(Choice::Cuda).device(NO_GPU);
    let error = cuda.build_adjustable(4).expect_err("no such GPU");
    assert!(format!("{error:#}").starts_with("Choice::Cuda: "), "{error:#}");
}
