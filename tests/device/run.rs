//! Chains and clips on the GPU: several passes, temporal windows, 1 to 8 frames in flight, and what is refused.

use std::collections::VecDeque;
use std::sync::Arc;

use warpreel::backend::cuda::{Device, DeviceSpan, Tracing};
use warpreel::backend::{Backend, Cpu, Cuda, Inputs};
use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Format, Frame, Layout, Pixel, Pool, Rational, Timing};
use warpreel::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, Separable, Taps, TimeBorder};
use warpreel::plan::plan;

use super::device;

const LENGTH: usize = 40;

fn clip(format: &Arc<Format>, pool: &Pool) -> Vec<Frame> {
    let mut state = 1u32;
    let frame = |number: usize| {
        let mut frame = pool.frame(format).expect("memory");
        for byte in frame.bytes_mut() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (state >> 24) as u8;
        }
        frame.freeze(Timing { number: number as u64, pts: number as i64, ..Timing::default() })
    };
    (0..LENGTH).map(frame).collect()
}

fn pass(name: &str, op: Op) -> Pass {
    Pass::new(name, vec![op; 3], TimeBorder::Clamp)
}

fn chain() -> Vec<Pass> {
    let frames = Separable {
        t: Taps { weights: vec![1.0; 5], anchor: 2 },
        x: Taps::identity(),
        y: Taps::identity(),
        arithmetic: Arithmetic::Integer,
        border: Border::Clamp,
        finish: Finish { scale: 0.2, ..Finish::PLAIN },
    };
    let blur = Separable {
        t: Taps::identity(),
        x: Taps { weights: vec![0.25, 0.5, 0.25], anchor: 1 },
        y: Taps { weights: vec![0.2; 5], anchor: 2 },
        arithmetic: Arithmetic::Real,
        border: Border::Reflect101,
        finish: Finish::PLAIN,
    };
    let edges = Dense {
        kernels: vec![Kernel {
            size: [3, 3, 3],
            anchor: [1; 3],
            weights: (0..27).map(|i| (i % 3) as f32 - 1.0).collect(),
        }],
        combine: Combine::Max,
        arithmetic: Arithmetic::Integer,
        border: Border::Wrap,
        finish: Finish { scale: 0.5, dry: 0.5, bias: 3.0 },
    };
    vec![pass("tmix", Op::Separable(frames)), pass("blur", Op::Separable(blur)), pass("edges", Op::Dense(edges))]
}

/// One pass over a clip, the ends clamped, with at most `in_flight` images ahead.
fn images<B: Backend>(backend: &mut B, pass: usize, reach: usize, images: Vec<B::Image>) -> Vec<B::Image> {
    let last = images.len() as isize - 1;
    let window = |centre: isize| {
        let reach = reach as isize;
        (centre - reach..=centre + reach).map(|at| Some(&images[at.clamp(0, last) as usize])).collect::<Vec<_>>()
    };
    (0..=last).map(|centre| backend.run(pass, &Inputs::new(&window(centre))).expect("a pass")).collect()
}

fn run<B: Backend>(backend: &mut B, passes: &[Pass], clip: &[Frame]) -> Vec<Frame> {
    let mut now: Vec<_> = clip.iter().map(|frame| backend.upload(frame.clone()).expect("an upload")).collect();
    for (index, pass) in passes.iter().enumerate() {
        now = images(backend, index, pass.reach(), now);
    }
    let (mut done, mut pending) = (Vec::new(), VecDeque::new());
    for image in now {
        pending.push_back(backend.download(image).expect("a download"));
        if pending.len() > backend.in_flight() {
            done.push(backend.wait(pending.pop_front().expect("one is pending")).expect("a frame"));
        }
    }
    done.extend(pending.into_iter().map(|pending| backend.wait(pending).expect("a frame")));
    done
}

fn assert_same(one: &[Frame], other: &[Frame]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one.timing.pts, other.timing.pts);
        for plane in 0..one.plane_count() {
            let same = one
                .host()
                .expect("a frame on the host")
                .rows(plane)
                .eq(other.host().expect("a frame on the host").rows(plane));
            assert!(same, "frame {} differs in plane {plane}", one.timing.number);
        }
    }
}

fn format() -> Arc<Format> {
    Arc::new(Format::new(Pixel::yuv420p(8), 318, 178, Rational::new(25, 1)))
}

fn on_gpu(device: &Device, passes: &[Pass], format: &Arc<Format>, in_flight: usize) -> (Cuda, Pool) {
    let pool = Pool::new(device.allocator());
    let prepared = device.prepare(&passes.into(), format).expect("passes that fit");
    let cuda = Cuda::new(device, prepared, pool.clone(), in_flight, Tracing::On).expect("a stage");
    (cuda, pool)
}

#[test]
fn chains() {
    let Some(device) = device() else { return };
    let (format, passes) = (format(), chain());
    let heap = Pool::heap();
    let mut cpu = Cpu::new(passes.clone().into(), format.clone(), heap.clone(), 0).expect("a stage");
    let wanted = run(&mut cpu, &passes, &clip(&format, &heap));
    for in_flight in [1, 2, 3, 8] {
        let (mut cuda, pool) = on_gpu(device, &passes, &format, in_flight);
        let clip = clip(&format, &pool);
        assert_same(&run(&mut cuda, &passes, &clip), &wanted);
        let settled = (cuda.allocated_bytes(), pool.allocated_bytes());
        assert_same(&run(&mut cuda, &passes, &clip), &wanted);
        assert_eq!((cuda.allocated_bytes(), pool.allocated_bytes()), settled, "the second round takes no more memory");
        assert_eq!(cuda.begun(), Some(("edges", LENGTH as u64 - 1)), "the last launch is known by pass and frame");
        let spans = cuda.spans().expect("times");
        assert_eq!(spans.len(), 2 * (2 + passes.len()) * LENGTH, "one span for each piece of work");
        assert!(spans.iter().all(|span| span.start_ms <= span.end_ms && span.end_ms > 0.0));
        assert_order(&spans, passes.len());
    }
}

/// Work of a stream runs in order and one at a time, and a frame's pass after its upload and before its download; times
/// are exact to a few microseconds.
fn assert_order(spans: &[DeviceSpan], passes: usize) {
    const EXACT_MS: f64 = 5e-3;
    let of = |stream: &str| spans.iter().filter(|span| span.stream == stream).collect::<Vec<_>>();
    let [uploads, computes, downloads] = ["upload", "compute", "download"].map(of);
    for stream in [&uploads, &computes, &downloads] {
        for pair in stream.windows(2) {
            assert!(pair[1].start_ms >= pair[0].end_ms - EXACT_MS, "{pair:#?}");
        }
    }
    assert_eq!((uploads.len(), computes.len()), (downloads.len(), passes * downloads.len()));
    // The same frames come twice, so the n-th time of one goes with the n-th of another.
    let nth = |stream: &[&DeviceSpan], frame: u64, name: Option<&str>, n: usize| -> DeviceSpan {
        let mut mine = stream.iter().filter(|span| span.frame == frame && name.is_none_or(|name| span.name == name));
        (*mine.nth(n).expect("a span for each frame and round")).clone()
    };
    let (first, last) = (&computes[0].name, &computes[computes.len() - 1].name);
    for frame in 0..LENGTH as u64 {
        for round in 0..2 {
            let upload = nth(&uploads, frame, None, round);
            let begin = nth(&computes, frame, Some(first), round);
            let end = nth(&computes, frame, Some(last), round);
            let download = nth(&downloads, frame, None, round);
            assert!(begin.start_ms >= upload.end_ms - EXACT_MS, "{upload:#?} {begin:#?}");
            assert!(download.start_ms >= end.end_ms - EXACT_MS, "{end:#?} {download:#?}");
        }
    }
}

/// Pending frames and images may outlive their backend, and be dropped in any order.
#[test]
fn leftovers() {
    let Some(device) = device() else { return };
    let (format, passes) = (format(), chain());
    let (mut cuda, pool) = on_gpu(device, &passes, &format, 8);
    let image = cuda.upload(clip(&format, &pool).remove(0)).expect("an upload");
    let blurred = cuda.run(1, &Inputs::new(&[Some(&image)])).expect("a pass");
    let pending = cuda.download(blurred).expect("a download");
    drop(cuda);
    drop(pool);
    drop(pending);
    drop(image);
    device.check().expect("nothing that could not be given back");
}

/// A chain of nothing gives what went in, wherever its planes lay.
#[test]
fn nothing_to_do() {
    let Some(device) = device() else { return };
    let format = Arc::new(Format::new(Pixel::yuv420p(10), 33, 7, Rational::new(25, 1)));
    let (mut cuda, pool) = on_gpu(device, &[], &format, 2);
    let mut layout = Layout::packed(&format);
    for plane in &mut layout.planes {
        plane.offset_bytes += 38;
    }
    let mut frame = pool.frame_in(&format, layout).expect("memory");
    frame.bytes_mut().iter_mut().enumerate().for_each(|(at, byte)| *byte = at as u8);
    let frame = frame.freeze(Timing { number: 5, pts: 77, ..Timing::default() });
    assert_same(&run(&mut cuda, &[], std::slice::from_ref(&frame)), &[frame]);
}

#[test]
fn probing() {
    let Some(device) = device() else { return };
    let probe = warpreel::backend::cuda::probe();
    assert_eq!(probe.trouble(0), None);
    assert_eq!(
        (probe.devices[0].name.as_str(), probe.devices[0].capability),
        (device.name.as_str(), device.capability)
    );
    assert!(probe.trouble(4096).expect("no such GPU").contains("4096"));
}

#[test]
fn refusals() {
    let Some(device) = device() else { return };
    let error = Device::open(4096).err().expect("no such GPU");
    assert!(format!("{error:#}").contains("there is no GPU 4096"), "{error:#}");
    let gray = Arc::new(Format::new(Pixel::gray(8), 16, 16, Rational::new(25, 1)));
    let error = device.prepare(&chain().into(), &gray).err().expect("three ops for one plane");
    assert!(format!("{error:#}").contains("tmix"), "{error:#}");
}

/// What is told of motion is the same on both, and of each frame its own, also with passes before and after.
#[test]
fn motion_comes_along() {
    let Some(device) = device() else { return };
    for (text, depth) in [
        ("degrain=frames=2:vectors=motion", 8),
        ("gaussian=1,degrain=frames=1:block=16:chroma=own:vectors=motion,invert,tmix=3", 10),
    ] {
        let format = Arc::new(Format::new(Pixel::yuv420p(depth), 318, 178, Rational::new(25, 1)));
        let plan = plan(&parse(text, &Defaults::default()).expect("a chain"), &format).expect("a plan");
        let passes = plan.passes().to_vec();
        let pool = Pool::heap();
        let clip = clip(&format, &pool);
        let mut cpu = Cpu::new(passes.clone().into(), format.clone(), pool, 0).expect("a stage");
        let wanted = run(&mut cpu, &passes, &clip);
        for in_flight in [1, 4] {
            let (mut gpu, _pool) = on_gpu(device, &passes, &format, in_flight);
            let got = run(&mut gpu, &passes, &clip);
            assert_same(&got, &wanted);
            for (got, wanted) in got.iter().zip(&wanted) {
                let [got, wanted] = [got, wanted].map(|frame| {
                    let motion = frame.timing.motion.as_ref().expect("its motion");
                    assert_eq!(motion.all().count(), 1);
                    motion
                        .fields()
                        .map(|(blocks, number, all)| (blocks.clone(), number, all.to_vec()))
                        .collect::<Vec<_>>()
                });
                assert!(got == wanted && !got.is_empty(), "{text} with {in_flight} in flight");
            }
        }
    }
}
