//! Engines of the library whose backend is chosen at run time, on the GPU: the frames of the CPU with any number in flight.

use warpreel::backend::Inputs;
use warpreel::backend::cuda::Tracing;
use warpreel::prelude::*;

use super::device;
use crate::engine::{bytes, format, noise, readable};

const CHAINS: [&str; 7] = [
    "gaussian=2,sobel",
    "tmix=5:scene=0.2,deflicker=size=3",
    "scale=32:24,invert",
    "degrain=frames=1,fps=50",
    "fieldmatch,decimate",
    "box=1:enable='not(mod(n,2))',tblend=average",
    "invert",
];

fn all_bytes(frames: &[Frame]) -> Vec<(i64, Vec<u8>)> {
    frames.iter().map(|frame| (frame.timing.pts, bytes(frame))).collect()
}

#[test]
fn chosen_engines_have_the_bytes_of_the_cpu() {
    if device().is_none() {
        return;
    }
    let format = format(Pixel::yuv420p(8), 64, 48);
    let clip = || noise(&format, 20);
    for chain in readable(&CHAINS) {
        let wanted = Engine::cpu(chain, &format).and_then(|mut engine| engine.clip(clip())).expect(chain);
        for choice in [Choice::Auto, Choice::Cuda] {
            for in_flight in [0, 1, 3, 16] {
                let builder = Engine::builder(chain, &format).backend(choice).in_flight(in_flight);
                let mut engine = builder.build().expect(chain);
                assert!(engine.backend().is_on_gpu(), "{chain:?}: {}", engine.backend().name());
                let due = if in_flight == 0 { Cuda::IN_FLIGHT } else { in_flight };
                assert_eq!(engine.backend().in_flight(), due);
                for _ in 0..2 {
                    let got = engine.clip(clip()).expect(chain);
                    assert!(all_bytes(&got) == all_bytes(&wanted), "{chain:?} with {in_flight} in flight");
                }
            }
        }
    }
}

/// Frames that are made in the engine's pool, a chain that changes, and a session.
#[test]
fn chosen_engines_change_and_run_in_sessions() {
    if device().is_none() {
        return;
    }
    let format = format(Pixel::gray(8), 64, 48);
    let build = |chain: &str| Engine::builder(chain, &format).backend(Choice::Cuda).in_flight(4);
    let clip = noise(&format, 12);
    let on_cpu =
        |chain: &str| Engine::cpu(chain, &format).and_then(|mut engine| engine.clip(clip.clone())).expect("a clip");
    let (before, behind) = (on_cpu("tmix=3"), on_cpu("invert,box=1"));

    let engine = build("tmix=3").build().expect("an engine");
    let pool = engine.backend().pool().clone();
    let pinned = clip.iter().map(|frame| {
        let mut own = pool.frame_in(&format, Layout::packed(&format)).expect("memory");
        own.packed_bytes_mut().expect("no padding").copy_from_slice(&bytes(frame));
        own.freeze(frame.timing.clone())
    });
    let mut session = Session::start(engine, 16, |_| {}).expect("a session");
    pinned.for_each(|frame| session.push(frame).expect("room"));
    session.finish();
    let mut got = Vec::new();
    while let Some(frame) = session.recv().expect("a frame") {
        got.push(frame);
    }
    assert!(all_bytes(&got) == all_bytes(&before));

    let mut engine = build("tmix=3").build_adjustable(4).expect("an engine");
    let mut out = Vec::new();
    clip[..6].iter().for_each(|frame| engine.push(frame.clone(), &mut out).expect("a frame"));
    engine.update("invert,box=1").expect("a chain");
    clip[6..].iter().for_each(|frame| engine.push(frame.clone(), &mut out).expect("a frame"));
    engine.finish(&mut out).expect("the end");
    assert!(all_bytes(&out[..6]) == all_bytes(&before[..6]) && all_bytes(&out[6..]) == all_bytes(&behind[6..]));
}

/// An image of one backend is an error of the other.
#[test]
fn images_of_another_backend_are_refused() {
    let Some(device) = device() else { return };
    let format = format(Pixel::gray(8), 16, 16);
    let frame = noise(&format, 1).remove(0);
    let plan = Engine::builder("box", &format).plan().expect("a plan");
    let cpu = Cpu::new(plan.passes(), format.clone(), Pool::heap(), 1).expect("a stage");
    let mut cpu = AnyBackend::on_cpu(cpu, Pool::heap(), None);
    let pool = Pool::new(device.allocator());
    let prepared = device.prepare(&plan.passes(), &format).expect("passes");
    let cuda = Cuda::new(device, prepared, pool.clone(), 1, Tracing::Off).expect("a stage");
    let mut cuda = AnyBackend::on_cuda(cuda, pool);
    let [here, there] = [cpu.upload(frame.clone()), cuda.upload(frame)].map(|image| image.expect("an upload"));
    let wrong = |error: anyhow::Error| assert!(format!("{error:#}").contains("another backend"), "{error:#}");
    wrong(cpu.download(there.clone()).err().expect("an image of the GPU"));
    wrong(cuda.download(here.clone()).err().expect("an image of the CPU"));
    wrong(cpu.measure(&there, None).err().expect("an image of the GPU"));
    wrong(cuda.run(0, &Inputs::new(&[Some(&here)])).err().expect("an image of the CPU"));
}
