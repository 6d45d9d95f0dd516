//! Memory that others own: with its strides, without a copy, and given back; and what is refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use warpreel::engine::Engine;
use warpreel::frame::{
    Block, Format, Frame, FrameMut, Layout, Memory, Pixel, PlaneLayout, Pool, Rational, Ready, Sample, Surface, Timing,
};

use super::{bytes, format, noise, readable};

/// An array of somebody else, which may only be read.
struct Theirs(Vec<u8>);

// SAFETY: the vector is never written and never grows.
unsafe impl Memory for Theirs {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut []
    }
}

/// Memory on a device that is not there.
struct Elsewhere(usize);

// SAFETY: nobody reads it: the CPU stage refuses it.
unsafe impl Surface for Elsewhere {
    fn device(&self) -> usize {
        0
    }

    fn address(&self) -> u64 {
        1 << 40
    }

    fn bytes(&self) -> usize {
        self.0
    }

    fn ready(&self) -> Ready {
        Ready::Now
    }
}

/// A frame in `memory` with rows of `stride` samples from `offset_bytes` on.
fn view(format: &Arc<Format>, memory: Block, offset_bytes: usize, stride: usize) -> anyhow::Result<Frame> {
    let plane = PlaneLayout::new(offset_bytes, stride, format.plane_size(0));
    Frame::from_block(format.clone(), Timing::at(0), Layout::new(vec![plane]), Arc::new(memory))
}

#[test]
fn lent_memory_is_read_where_it_lies_and_given_back() {
    let format = format(Pixel::gray(8), 20, 10);
    let given_back = Arc::new(AtomicUsize::new(0));
    let memory = (0..40 * 12).map(|at| (at * 7 % 251) as u8).collect::<Vec<_>>();
    let address = memory.as_ptr();
    let counter = given_back.clone();
    let block = Block::lent(Theirs(memory.clone()), move |memory| {
        assert_eq!(memory.bytes().len(), 40 * 12);
        counter.fetch_add(1, Ordering::Relaxed);
    });
    // A window of somebody's larger picture.
    let frame = view(&format, block, 40 + 5, 40).expect("rows that lie in the memory");
    assert_ne!(frame.host().expect("the host's").bytes().as_ptr(), address, "the test copied it, the frame did not");
    let rows: Vec<u8> = (1..11).flat_map(|y| memory[40 * y + 5..][..20].to_vec()).collect();
    assert_eq!(bytes(&frame), rows);
    let wanted = Frame::from_samples(&format, Timing::at(0), rows).expect("all samples");
    for chain in ["gaussian=2", "tmix=3,median=1", ""] {
        let mut engine = Engine::cpu(chain, &format).expect("an engine");
        let [got, wanted] = [&frame, &wanted].map(|frame| engine.clip([frame.clone(), frame.clone()]).expect("a clip"));
        assert!(got.iter().zip(&wanted).all(|(got, wanted)| bytes(got) == bytes(wanted)), "{chain}");
    }
    assert_eq!(given_back.load(Ordering::Relaxed), 0, "it is still in use");
    let clone = frame.clone();
    drop(frame);
    assert_eq!(given_back.load(Ordering::Relaxed), 0, "a clone holds it");
    drop(clone);
    assert_eq!(given_back.load(Ordering::Relaxed), 1, "given back once");
}

#[test]
fn an_engine_dropped_in_the_middle_gives_everything_back() {
    let format = format(Pixel::gray(8), 20, 10);
    let given_back = Arc::new(AtomicUsize::new(0));
    for chain in readable(&["tmix=9", "tmix=9:scene=0.5", "deflicker=size=7", "tmix=5:enable='mod(n,2)'"]) {
        given_back.store(0, Ordering::Relaxed);
        let mut engine = Engine::cpu(chain, &format).expect("an engine");
        let mut out = Vec::new();
        for number in 0..3 {
            let counter = given_back.clone();
            let block = Block::lent(Theirs(vec![9; 200]), move |_| _ = counter.fetch_add(1, Ordering::Relaxed));
            let mut frame = view(&format, block, 0, 20).expect("a frame");
            frame.timing = Timing::at(number);
            engine.push(frame, &mut out).expect("a push");
        }
        drop(engine);
        drop(out);
        assert_eq!(given_back.load(Ordering::Relaxed), 3, "{chain}");
    }
}

fn refusal(outcome: anyhow::Result<Frame>) -> String {
    format!("{:#}", outcome.expect_err("an error"))
}

#[test]
fn memory_that_does_not_fit_is_refused_by_name() {
    let bytes = format(Pixel::gray(8), 20, 10);
    let lent = |length: usize| Block::lent(Theirs(vec![0; length]), drop);
    assert!(refusal(view(&bytes, lent(200), 0, 19)).contains("rows of plane 0 overlap: the stride is 19 for 20"));
    assert!(refusal(view(&bytes, lent(199), 0, 20)).contains("plane 0 exceeds its memory of 199 bytes"));
    assert!(refusal(view(&bytes, lent(200), 1, 20)).contains("exceeds"));
    assert!(refusal(view(&bytes, lent(200), usize::MAX, 20)).contains("exceeds"), "no overflow");
    assert!(refusal(view(&bytes, lent(200), 0, usize::MAX)).contains("exceeds"), "no overflow");
    assert!(view(&bytes, lent(199 + 20 - 20 + 1), 0, 20).is_ok());

    let words = format(Pixel::gray(16), 20, 10);
    let odd = usize::from((lent(500).bytes().as_ptr() as usize).is_multiple_of(2));
    assert!(refusal(view(&words, lent(500), odd, 20)).contains("not aligned"));
    let short = Frame::from_samples(&words, Timing::at(0), vec![0u16; 199]);
    assert!(refusal(short).contains("199 samples for a frame of gray16 20x10"));
    let kind = Frame::from_samples(&words, Timing::at(0), vec![0u8; 200]);
    assert!(refusal(kind).contains("samples have 1 bytes"));
    let planes = Frame::from_block(bytes.clone(), Timing::at(0), Layout::new(Vec::new()), Arc::new(lent(200)));
    assert!(refusal(planes).contains("0 planes"));

    let read_only = FrameMut::new(bytes.clone(), Layout::packed(&bytes), lent(200)).expect_err("an error");
    assert!(read_only.to_string().contains("memory is read-only"), "{read_only}");
    let writable = Block::lent(writable(200), drop);
    assert!(FrameMut::new(bytes.clone(), Layout::packed(&bytes), writable).is_ok());
}

/// Ordinary memory, through the allocator.
fn writable(bytes: usize) -> Wrapped {
    use warpreel::frame::{Allocator, Heap};
    Wrapped(Heap.allocate(bytes).expect("memory"))
}

struct Wrapped(Box<dyn Memory>);

// SAFETY: what is wrapped keeps the promise.
unsafe impl Memory for Wrapped {
    fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.bytes_mut()
    }
}

#[test]
fn frames_of_a_device_are_for_a_device() {
    let format = format(Pixel::yuv420p(8), 20, 10);
    let nv12 = Layout::semi_planar(&format, 256, 256 * 10).expect("8-bit YUV");
    assert!(!nv12.is_planar());
    assert_eq!(nv12.planes[2], PlaneLayout { step: 2, ..PlaneLayout::new(2561, 256, (10, 5)) });
    let on_device = |layout: &Layout, bytes| {
        Frame::on_device(format.clone(), Timing::at(3), layout.clone(), Arc::new(Elsewhere(bytes)))
    };
    assert!(refusal(on_device(&nv12, 256 * 10 + 256 * 4 + 19)).contains("plane 2 exceeds"));
    let frame = on_device(&nv12, 256 * 10 + 256 * 4 + 20).expect("a frame on a device");
    assert!(frame.host().expect_err("no host").to_string().contains("frame 3 is on a device"));
    let mut engine = Engine::cpu("gaussian=1", &format).expect("an engine");
    let refused = format!("{:#}", engine.push(frame, &mut Vec::new()).expect_err("the CPU stage reads the host's"));
    assert!(refused.contains("on the host only") && refused.contains("frame 3 is on a device"), "{refused}");

    let block = Arc::new(Pool::heap().block(nv12.total_bytes(1)).expect("memory"));
    let on_host = Frame::from_block(format.clone(), Timing::at(0), nv12, block);
    assert!(refusal(on_host).contains("are for frames on a device"));
}

#[test]
fn semi_planar_layouts_keep_values_in_the_high_bits() {
    for (depth, shift) in [(8, 0), (9, 7), (10, 6), (12, 4), (16, 0)] {
        let format = Format::new(Pixel::yuv420p(depth), 9, 7, Rational::new(25, 1));
        let layout = Layout::semi_planar(&format, 64, 64 * 7).expect("a layout");
        assert_eq!(layout.shift, shift, "{depth} bits");
        assert_eq!((layout.planes[1].width, layout.planes[1].height), (5, 4));
        assert_eq!(layout.planes[2].offset_bytes - layout.planes[1].offset_bytes, format.pixel.sample.bytes());
    }
    let refused = |pixel: Pixel, pitch| {
        let format = Format::new(pixel, 8, 8, Rational::new(25, 1));
        Layout::semi_planar(&format, pitch, pitch * 8).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused(Pixel::gray(8), 64).contains("no semi-planar layout"));
    assert!(refused(Pixel { alpha: true, ..Pixel::yuv420p(8) }, 64).contains("no semi-planar layout"));
    assert!(refused(Pixel { sample: Sample::F32, depth: 32, ..Pixel::yuv420p(8) }, 64).contains("no semi-planar"));
    assert!(refused(Pixel::yuv420p(10), 63).contains("is not a multiple"));
}

/// Frames in memory that ends right behind their last sample.
#[cfg(feature = "libav")]
struct Tight(Arc<Format>, u64);

#[cfg(feature = "libav")]
impl warpreel::source::Source for Tight {
    fn format(&self) -> &Arc<Format> {
        &self.0
    }

    fn next_frame(&mut self, _: &Pool) -> anyhow::Result<Option<Frame>> {
        self.1 += 1;
        let samples = (0..self.0.samples() as u64).map(|at| ((at * at + self.1) % 251) as u8).collect();
        Ok((self.1 < 9).then_some(Frame::from_samples(&self.0, Timing::at(self.1 - 1), samples)?))
    }

    fn length(&self) -> Option<u64> {
        None
    }
}

/// Encoders and converters read whole vectors, but never beyond what others lent.
#[cfg(feature = "libav")]
#[test]
fn lent_memory_is_encoded_as_it_is() {
    use warpreel::job::{Encoding, Fidelity, Job, Request};
    use warpreel::pipeline::Monitor;
    let folder = tempfile::tempdir().expect("a folder");
    let [clip, listing] = ["clip.mkv", "listing"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    let encoding = Encoding { fidelity: Fidelity::Lossless, codec: Some("ffv1".to_owned()), ..Encoding::default() };
    let request = |input: &str, output: &str| Request {
        input: input.to_owned(),
        output: output.to_owned(),
        encoding: if output == clip { encoding.clone() } else { Encoding::default() },
        overwrite: warpreel::job::Overwrite::Replace,
        ..Request::default()
    };
    let sums = |job: anyhow::Result<Job>| {
        job.expect("a job").run(&Monitor::default()).expect("a run");
        let text = std::fs::read_to_string(&listing).expect("a listing");
        let sum = |line: &str| line.rsplit(", ").next().map(str::to_owned);
        text.lines().filter(|line| !line.starts_with('#')).filter_map(sum).collect::<Vec<_>>()
    };
    let tight = || Box::new(Tight(format(Pixel::yuv420p(8), 33, 17), 0));
    let hash = format!("hash:{listing}");
    let wanted = sums(Job::from_source(request("tight", &hash), tight(), None));
    assert_eq!(wanted.len(), 8);
    let job = Job::from_source(request("tight", &clip), tight(), None).expect("a job");
    job.run(&Monitor::default()).expect("a run");
    assert_eq!(sums(Job::open(request(&clip, &hash), Default::default())), wanted);
}

#[test]
fn a_copy_has_room_behind_it() {
    for pixel in [Pixel::yuv420p(10), Pixel::gray(8)] {
        let format = format(pixel, 33, 17);
        let bytes = vec![7u8; format.packed_bytes()];
        let mut frame = Pool::heap().frame_in(&format, Layout::packed(&format)).expect("memory");
        frame.packed_bytes_mut().expect("no padding").copy_from_slice(&bytes);
        let copy = Pool::heap().copy(&frame.freeze(Timing::at(3))).expect("a copy");
        assert_eq!((self::bytes(&copy), copy.timing.number), (bytes, 3));
        assert!(copy.host().expect("the host's").slack_bytes() >= Pool::SLACK_BYTES);
    }
    let tight = noise(&format(Pixel::gray(8), 64, 8), 1).remove(0);
    assert_eq!(tight.host().expect("the host's").slack_bytes(), 0);
}

#[test]
fn engines_share_frames_without_copies() {
    let format = format(Pixel::gray(8), 64, 8);
    let frame = noise(&format, 1).remove(0);
    let mut engine = Engine::cpu("", &format).expect("an engine");
    let got = engine.clip([frame.clone()]).expect("a clip").remove(0);
    let address = |frame: &Frame| frame.host().expect("the host's").bytes().as_ptr();
    assert_eq!(address(&got), address(&frame), "nothing was done, so nothing was copied");
}
