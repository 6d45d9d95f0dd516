//! Frames that lie on the GPU: taken where they lie, set apart, handed from stage to stage without the host, waited for
//! and given back; the bytes are always those of the CPU stage.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use warpreel::backend::cuda::{Delivery, Device, Tracing};
use warpreel::backend::{Cpu, Cuda};
use warpreel::engine::Engine;
use warpreel::frame::{
    Family, Format, Frame, Layout, Pixel, PlaneLayout, Pool, Rational, Ready, Sample, Surface, Timing,
};
use warpreel::plan::plan;

use super::device;
use crate::filter::chain;

const LENGTH: u64 = 20;

pub fn format(pixel: Pixel, width: usize, height: usize) -> Arc<Format> {
    Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)))
}

/// Frames of noise that lie one after another without padding.
pub fn clip(format: &Arc<Format>) -> Vec<Vec<u8>> {
    let mut state = 1u32;
    let mut sample = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        match format.pixel.sample {
            Sample::U8 => vec![(state >> 24) as u8],
            Sample::U16 => ((state >> (32 - u32::from(format.pixel.depth))) as u16).to_ne_bytes().to_vec(),
            Sample::F32 => ((state >> 8) as f32 / (1 << 24) as f32).to_ne_bytes().to_vec(),
        }
    };
    (0..LENGTH).map(|_| (0..format.samples()).flat_map(|_| sample()).collect()).collect()
}

pub fn on_host(format: &Arc<Format>, clip: &[Vec<u8>]) -> Vec<Frame> {
    let frame = |(number, bytes): (usize, &Vec<u8>)| {
        let mut frame = Pool::heap().frame_in(format, Layout::packed(format)).expect("memory");
        frame.packed_bytes_mut().expect("no padding").copy_from_slice(bytes);
        frame.freeze(Timing::at(number as u64))
    };
    clip.iter().enumerate().map(frame).collect()
}

pub fn bytes(frame: &Frame) -> Vec<u8> {
    let host = frame.host().expect("a frame on the host");
    (0..frame.plane_count()).flat_map(|plane| host.rows(plane).flatten()).copied().collect()
}

pub fn by_cpu(text: &str, format: &Arc<Format>, clip: Vec<Frame>) -> Vec<Frame> {
    let plan = plan(&chain(text), format).expect("a plan");
    let cpu = Cpu::new(plan.passes(), format.clone(), Pool::heap(), 0).expect("a stage");
    Engine::new(cpu, plan).and_then(|mut engine| engine.clip(clip)).expect("a clip")
}

pub fn stage(device: &Device, text: &str, format: &Arc<Format>, delivery: Delivery) -> Engine<Cuda> {
    let plan = plan(&chain(text), format).expect("a plan");
    let prepared = device.prepare(&plan.passes(), format).expect("passes that fit");
    let pool = Pool::new(device.allocator());
    let cuda = Cuda::new(device, prepared, pool, 3, Tracing::Off).expect("a stage").delivering(delivery);
    Engine::new(cuda, plan).expect("an engine")
}

fn assert_same(got: &[Frame], wanted: &[Frame], what: &str) {
    assert_eq!(got.len(), wanted.len(), "{what}");
    for (got, wanted) in got.iter().zip(wanted) {
        assert_eq!(got.timing.pts, wanted.timing.pts, "{what}");
        assert!(bytes(got) == bytes(wanted), "{what}: frame {}", wanted.timing.number);
    }
}

/// Planes at places of their own, as a decoder or an array might have them: memory, and its layout.
pub fn placed(format: &Format, packed: &[u8], layout: &Layout, slack: usize) -> Vec<u8> {
    let sample = format.pixel.sample.bytes();
    let end = layout.planes.iter().map(|plane| plane.bytes(sample).end).max().expect("planes");
    let mut memory = vec![0xA5; end + slack];
    let mut from = packed.chunks_exact(sample);
    for plane in &layout.planes {
        for (y, x) in (0..plane.height).flat_map(|y| (0..plane.width).map(move |x| (y, x))) {
            let at = plane.offset_bytes + (y * plane.stride + x * plane.step) * sample;
            let value = from.next().expect("as many samples as places");
            match sample {
                2 => {
                    let shifted = u16::from_ne_bytes([value[0], value[1]]) << layout.shift;
                    memory[at..at + 2].copy_from_slice(&shifted.to_ne_bytes());
                }
                _ => memory[at..at + sample].copy_from_slice(value),
            }
        }
    }
    memory
}

pub fn on_device(device: &Device, format: &Arc<Format>, clip: &[Vec<u8>], layout: &Layout, slack: usize) -> Vec<Frame> {
    let frame = |(number, packed): (usize, &Vec<u8>)| {
        let surface = device.block(&placed(format, packed, layout, slack)).expect("room");
        Frame::on_device(format.clone(), Timing::at(number as u64), layout.clone(), surface)
            .expect("a layout that fits")
    };
    clip.iter().enumerate().map(frame).collect()
}

const CHAINS: [&str; 4] =
    ["", "gaussian=2,tmix=5", "tmix=3:scene=0.3,median=1", "gaussian=1:roi=9x7+3+2:enable='mod(n,2)'"];

#[test]
fn frames_are_taken_where_they_lie() {
    let Some(device) = device() else { return };
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::integer(Family::Rgb, 0, 0, 8) };
    for pixel in [Pixel::yuv420p(8), Pixel::yuv420p(10), Pixel::gray(8), float] {
        for (width, height) in [(66, 34), (33, 17), (1, 1)] {
            let format = format(pixel, width, height);
            let sample = pixel.sample.bytes();
            let clip = clip(&format);
            let mut layouts = vec![Layout::packed(&format), Layout::aligned(&format)];
            let mut odd = Layout::with_gaps(&format, sample);
            layouts.append(&mut odd);
            if pixel.is_chroma(1) {
                let pitch = (width * sample + 2 * sample).next_multiple_of(64);
                layouts.push(Layout::semi_planar(&format, pitch, pitch * (height + 1)).expect("YUV"));
            }
            for text in CHAINS {
                if text.contains("roi") && width == 1 {
                    continue;
                }
                let wanted = by_cpu(text, &format, on_host(&format, &clip));
                for layout in &layouts {
                    // Without slack the frame is copied on the GPU, with it it is read where it lies.
                    for slack in [0, 64] {
                        let what = format!("{text} on {format}, {layout:?}, {slack} bytes behind");
                        let frames = on_device(device, &format, &clip, layout, slack);
                        let mut engine = stage(device, text, &format, Delivery::Host);
                        assert_same(&engine.clip(frames).expect("a clip"), &wanted, &what);
                    }
                }
            }
        }
    }
}

/// Layouts of a test's own.
pub trait Gaps: Sized {
    fn with_gaps(format: &Format, sample: usize) -> Vec<Self>;
}

impl Gaps for Layout {
    /// Planes in descending order at odd places; and all samples of a pixel side by side, where planes are of one size.
    fn with_gaps(format: &Format, sample: usize) -> Vec<Self> {
        let planes = format.pixel.planes();
        let mut offset = 3 * sample;
        let mut descending: Vec<PlaneLayout> = (0..planes)
            .rev()
            .map(|plane| {
                let size = format.plane_size(plane);
                let layout = PlaneLayout::new(offset, size.0 + 3, size);
                offset += (size.0 + 3) * size.1 * sample + 5 * sample;
                layout
            })
            .collect();
        descending.reverse();
        let mut layouts = vec![Layout::new(descending)];
        if format.pixel.family == Family::Rgb {
            let beside = |plane: usize| {
                let size = format.plane_size(plane);
                PlaneLayout { step: planes, ..PlaneLayout::new(plane * sample, planes * size.0, size) }
            };
            layouts.push(Layout::new((0..planes).map(beside).collect()));
        }
        layouts
    }
}

#[test]
fn stages_hand_frames_on_without_the_host() {
    let Some(device) = device() else { return };
    for pixel in [Pixel::yuv420p(8), Pixel::gray(12)] {
        let format = format(pixel, 318, 178);
        let clip = on_host(&format, &clip(&format));
        let wanted = by_cpu("tmix=5,sobel", &format, by_cpu("gaussian=3,tmix=3", &format, clip.clone()));
        let mut first = stage(device, "gaussian=3,tmix=3", &format, Delivery::Device);
        let mut second = stage(device, "tmix=5,sobel", &format, Delivery::Host);
        // Frame by frame, so that the second reads while the first goes on writing.
        let mut memory = Vec::new();
        for _ in 0..4 {
            first.begin().expect("a clip");
            second.begin().expect("a clip");
            let (mut between, mut got) = (Vec::new(), Vec::new());
            for frame in clip.clone() {
                first.push(frame, &mut between).expect("a push");
                for frame in between.drain(..) {
                    assert!(frame.host().is_err(), "it stays on the GPU");
                    second.push(frame, &mut got).expect("a push");
                }
            }
            first.finish(&mut between).expect("an end");
            for frame in between.drain(..) {
                second.push(frame, &mut got).expect("a push");
            }
            second.finish(&mut got).expect("an end");
            assert_same(&got, &wanted, "two stages");
            memory.push(first.backend().allocated_bytes() + second.backend().allocated_bytes());
        }
        // How far the GPU lags behind is chance, but what is under way is bounded.
        let frame_bytes = format.packed_bytes() + (1 << 17);
        assert!(memory.iter().all(|&bytes| bytes < 60 * frame_bytes), "{memory:?} in pieces of {frame_bytes}");
    }
    device.check().expect("nothing that could not be given back");
}

/// A surface that counts when it is given back.
pub struct Counted {
    pub inner: Arc<dyn Surface>,
    pub device: usize,
    pub ready: Ready,
    pub given_back: Arc<AtomicUsize>,
}

// SAFETY: the inner surface keeps the promise; it is only waited for longer.
unsafe impl Surface for Counted {
    fn device(&self) -> usize {
        self.device
    }

    fn address(&self) -> u64 {
        self.inner.address()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn ready(&self) -> Ready {
        self.ready
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.given_back.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn surfaces_are_given_back() {
    let Some(device) = device() else { return };
    let format = format(Pixel::yuv420p(8), 64, 32);
    let packed = clip(&format);
    for slack in [0, 64] {
        let given_back = Arc::new(AtomicUsize::new(0));
        let mut engine = stage(device, "tmix=5", &format, Delivery::Host);
        let mut out = Vec::new();
        for (number, packed) in packed.iter().enumerate() {
            let layout = Layout::packed(&format);
            let inner: Arc<dyn Surface> = device.block(&placed(&format, packed, &layout, slack)).expect("room");
            let surface = Counted { inner, device: 0, ready: Ready::Now, given_back: given_back.clone() };
            let frame = Frame::on_device(format.clone(), Timing::at(number as u64), layout, Arc::new(surface));
            engine.push(frame.expect("a frame"), &mut out).expect("a push");
        }
        engine.finish(&mut out).expect("an end");
        drop(engine);
        assert_eq!(given_back.load(Ordering::Relaxed), packed.len(), "{slack} bytes behind");
    }
}

/// What goes through a stage as it is comes out in memory of the stage's, and outlives the stage.
#[test]
fn what_is_lent_goes_back_before_results_do() {
    let Some(device) = device() else { return };
    let format = format(Pixel::yuv420p(8), 64, 32);
    let packed = clip(&format);
    for text in ["gaussian=2:enable='lt(n,3)'", "tmix=3:enable='gte(n,3)'"] {
        let given_back = Arc::new(AtomicUsize::new(0));
        let mut engine = stage(device, text, &format, Delivery::Device);
        let mut out = Vec::new();
        for (number, packed) in packed.iter().enumerate() {
            let layout = Layout::packed(&format);
            let inner: Arc<dyn Surface> = device.block(&placed(&format, packed, &layout, 64)).expect("room");
            let surface = Counted { inner, device: 0, ready: Ready::Now, given_back: given_back.clone() };
            let frame = Frame::on_device(format.clone(), Timing::at(number as u64), layout, Arc::new(surface));
            engine.push(frame.expect("a frame"), &mut out).expect("a push");
        }
        engine.finish(&mut out).expect("an end");
        drop(engine);
        assert_eq!(given_back.load(Ordering::Relaxed), packed.len(), "{text}");
        // A stage without passes brings them to the host.
        let plan = plan(&[], &format).expect("a plan");
        let prepared = device.prepare(&plan.passes(), &format).expect("nothing to compile");
        let pool = Pool::new(device.allocator());
        let cuda = Cuda::new(device, prepared, pool, 3, Tracing::Off).expect("a stage");
        let got = Engine::new(cuda, plan).and_then(|mut engine| engine.clip(out)).expect("a clip");
        assert_same(&got, &by_cpu(text, &format, on_host(&format, &packed)), text);
    }
}

#[test]
fn what_is_not_ready_is_waited_for() {
    use cudarc::driver::{CudaContext, result};
    let Some(device) = device() else { return };
    let format = format(Pixel::gray(8), 256, 64);
    let packed = clip(&format).remove(0);
    let wanted = by_cpu("gaussian=2", &format, on_host(&format, std::slice::from_ref(&packed)));
    let context = CudaContext::new(0).expect("the same context");
    let stream = context.new_stream().expect("a stream");
    const LONG: usize = 1 << 30;
    let [here, there] = [(); 2].map(|()| {
        // SAFETY: a context is current; the memory is freed at the end of the test.
        unsafe { result::malloc_sync(LONG) }.expect("room")
    });
    for slack in [0, 64] {
        let layout = Layout::packed(&format);
        let good = device.block(&placed(&format, &packed, &layout, slack)).expect("room");
        let target = device.block(&vec![0; packed.len() + slack]).expect("room");
        // SAFETY: all of the memory is there until the stream has been waited for. The target is written before its
        // surface is ready, as surfaces may be.
        unsafe {
            for _ in 0..20 {
                result::memcpy_dtod_async(here, there, LONG, stream.cu_stream()).expect("a copy");
            }
            result::memcpy_dtod_async(target.address(), good.address(), packed.len(), stream.cu_stream()).expect("one");
        }
        let ready = Ready::Stream(stream.cu_stream() as u64);
        let surface = Counted { inner: target, device: 0, ready, given_back: Arc::default() };
        let frame = Frame::on_device(format.clone(), Timing::at(0), layout, Arc::new(surface)).expect("a frame");
        let mut engine = stage(device, "gaussian=2", &format, Delivery::Host);
        assert_same(&engine.clip([frame]).expect("a clip"), &wanted, "after a stream");
    }
    stream.synchronize().expect("an end");
    for address in [here, there] {
        // SAFETY: both came from `malloc_sync`, and nothing uses them any more.
        unsafe { result::free_sync(address) }.expect("freed");
    }
}

#[test]
fn frames_of_another_gpu_are_refused() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let format = format(Pixel::gray(8), 64, 32);
    let inner: Arc<dyn Surface> = device.block(&vec![0; format.samples()])?;
    let surface = Counted { inner, device: 7, ready: Ready::Now, given_back: Arc::default() };
    let frame = Frame::on_device(format.clone(), Timing::at(4), Layout::packed(&format), Arc::new(surface))?;
    let mut engine = stage(device, "gaussian=2", &format, Delivery::Host);
    let refused = format!("{:#}", engine.push(frame, &mut Vec::new()).expect_err("another GPU"));
    assert!(refused.contains("frame 4") && refused.contains("is on GPU 7"), "{refused}");
    Ok(())
}
