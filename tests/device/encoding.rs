//! Frames on their way to encoders of the GPU, against what the host packs and bit for bit. No test needs an encoder;
//! the last looks whether there is one.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use tempfile::TempDir;
use warpreel::backend::cuda::{Delivery, Device};
use warpreel::frame::{
    EncodingDevice, EncodingLane, Family, Format, Frame, Layout, Pixel, PlaneLayout, Ready, Sample, Surface, Timing,
};
use warpreel::job::{Choice, Encoding, Job, Overwrite, Request};
use warpreel::libav::{Converter, SurfacePool, encoder_works};
use warpreel::pipeline::Monitor;

use super::device;
use super::storage::{Counted, Gaps, bytes, clip, format, on_device, on_host, placed, stage};

fn lane(device: &Device, format: &Arc<Format>) -> Box<dyn EncodingLane> {
    device.encoding().lane(format).expect("a lane")
}

const YUV444P: Pixel = Pixel::integer(Family::Yuv, 0, 0, 8);
const YUV444P10: Pixel = Pixel::integer(Family::Yuv, 0, 0, 10);

/// A frame as an encoder of the GPU would take it from the host.
fn packed(frame: &Frame) -> Vec<u8> {
    let format = frame.format();
    let stored = SurfacePool::stored(format.pixel).expect("a way to store it");
    if stored.pixel() != format.pixel {
        // Words of 16 bits, of which 10 are used.
        let shift = stored.pixel().depth - format.pixel.depth;
        let words = bytes(frame);
        let words = words.chunks_exact(2).map(|word| u16::from_ne_bytes([word[0], word[1]]) << shift);
        return words.flat_map(u16::to_ne_bytes).collect();
    }
    let mut packed = vec![0; stored.packed_bytes(format.width, format.height)];
    let mut converter = Converter::from_planar(stored, format).expect("a converter");
    converter.pack(frame, &mut packed).expect("a picture");
    packed
}

/// How many bytes of a packed picture FFmpeg brings back: of the chroma of an odd height all rows but the last.
fn brought_back(format: &Format, bytes: usize) -> usize {
    let (width, rows) = format.plane_size(1);
    let lost = rows - (format.height >> format.pixel.log2_chroma_h);
    bytes - lost * 2 * width * format.pixel.sample.bytes()
}

#[test]
fn planes_are_joined_as_the_host_packs_them() {
    let Some(device) = device() else { return };
    let sizes = [(64, 32), (66, 34), (33, 17), (1, 2), (127, 9), (958, 540)];
    for pixel in [Pixel::yuv420p(8), Pixel::yuv420p(10), YUV444P, YUV444P10] {
        for (width, height) in sizes {
            let format = format(pixel, width, height);
            let clip = clip(&format);
            let wanted: Vec<_> = on_host(&format, &clip).iter().map(packed).collect();
            let mut layouts = vec![Layout::packed(&format), Layout::aligned(&format)];
            layouts.append(&mut Layout::with_gaps(&format, pixel.sample.bytes()));
            let mut pool = SurfacePool::new(lane(device, &format), &format).expect("a pool");
            for layout in layouts {
                let frames = on_device(device, &format, &clip, &layout, 0);
                // In memory that is new, and in what was given back.
                for _ in 0..2 {
                    for (got, wanted) in pool.read_back(&frames).expect("pictures").iter().zip(&wanted) {
                        let length = brought_back(&format, wanted.len());
                        assert!(got[..length] == wanted[..length], "{format}, {layout:?}");
                    }
                }
            }
        }
    }
    device.check().expect("nothing that could not be given back");
}

/// Memory of the GPU in which a lane joins frames.
struct Target {
    inner: Arc<dyn Surface>,
    stream: u64,
}

impl Target {
    fn new(device: &Device, lane: &dyn EncodingLane, bytes: usize) -> Self {
        Self { inner: device.block(&vec![0xA5; bytes]).expect("room"), stream: lane.stream() }
    }

    /// A frame that lies there once what is queued in the lane's stream is done.
    fn frame(&self, format: &Arc<Format>, layout: &Layout) -> Frame {
        let ready = Ready::Stream(self.stream);
        let surface = Counted { inner: self.inner.clone(), device: 0, ready, given_back: Arc::default() };
        Frame::on_device(format.clone(), Timing::at(0), layout.clone(), Arc::new(surface)).expect("a layout that fits")
    }

    /// All of the memory.
    fn read(&self, device: &Device) -> Vec<u8> {
        // Rows as long as frames may have, and what is left of the last.
        let (rows, rest) = (self.inner.bytes() / Format::MAX_SIDE, self.inner.bytes() % Format::MAX_SIDE);
        let part = |offset: usize, (width, height): (usize, usize)| {
            let all = format(Pixel::gray(8), width, height);
            let layout = Layout { planes: vec![PlaneLayout::new(offset, width, (width, height))], shift: 0 };
            on_the_host(device, self.frame(&all, &layout))
        };
        let mut read = if rows > 0 { part(0, (Format::MAX_SIDE, rows)) } else { Vec::new() };
        read.extend(if rest > 0 { part(rows * Format::MAX_SIDE, (rest, 1)) } else { Vec::new() });
        read
    }
}

fn on_the_host(device: &Device, frame: Frame) -> Vec<u8> {
    let mut engine = stage(device, "", frame.format(), Delivery::Host);
    bytes(&engine.clip([frame]).expect("a clip")[0])
}

/// Joined, and set apart again; nothing beside the samples is written.
#[test]
fn what_is_joined_and_set_apart_is_what_it_was() {
    let Some(device) = device() else { return };
    let yuv = |w, h, depth| Pixel::integer(Family::Yuv, w, h, depth);
    let float = Pixel { sample: Sample::F32, depth: 32, ..yuv(1, 1, 8) };
    for pixel in [yuv(1, 1, 8), yuv(1, 1, 10), yuv(1, 1, 12), yuv(1, 1, 16), yuv(1, 0, 10), yuv(0, 0, 8), float] {
        for (width, height) in [(66, 34), (33, 17), (1, 1), (1, 3), (515, 2), (958, 540)] {
            let format = format(pixel, width, height);
            let sample = pixel.sample.bytes();
            let clip = &clip(&format)[..2];
            let pitch = (2 * width * sample + sample).next_multiple_of(512);
            let (aligned, shift) = (Layout::aligned(&format), if sample == 2 { 16 - pixel.depth } else { 0 });
            let mut layouts = vec![Layout { shift, ..aligned.clone() }];
            if pixel != float {
                layouts.push(Layout::semi_planar(&format, pitch, pitch * height).expect("YUV"));
            }
            let mut lane = lane(device, &format);
            for layout in layouts {
                for (frame, packed) in on_device(device, &format, clip, &aligned, 0).iter().zip(clip) {
                    let memory = placed(&format, packed, &layout, 512);
                    let target = Target::new(device, lane.as_ref(), memory.len());
                    // SAFETY: the target has so many bytes, and is read behind the lane's stream.
                    unsafe { lane.join(frame, &layout, target.inner.address(), memory.len()) }.expect("joined");
                    assert!(on_the_host(device, target.frame(&format, &layout)) == *packed, "{format}, {layout:?}");
                    assert!(target.read(device) == memory, "beside the samples of {format}, {layout:?}");
                }
            }
        }
    }
    device.check().expect("nothing that could not be given back");
}

/// A stage that is busy gives frames before they are made; they are joined behind that, and kept until then.
#[test]
fn frames_are_joined_once_they_are_made() {
    let Some(device) = device() else { return };
    for (pixel, text) in [(Pixel::yuv420p(8), "nlmeans=s=4,gaussian=9"), (Pixel::yuv420p(10), "tmix=5,nlmeans=s=4")] {
        let format = format(pixel, 1280, 720);
        let clip = on_host(&format, &clip(&format));
        let wanted = stage(device, text, &format, Delivery::Host).clip(clip.clone()).expect("a clip");
        let wanted: Vec<_> = wanted.iter().map(packed).collect();
        // One by one.
        let mut pool = SurfacePool::new(lane(device, &format), &format).expect("a pool");
        let mut engine = stage(device, text, &format, Delivery::Device);
        let (mut made, mut got) = (Vec::new(), Vec::new());
        for frame in clip.clone() {
            engine.push(frame, &mut made).expect("a push");
            got.extend(made.drain(..).flat_map(|frame| pool.read_back(&[frame]).expect("a picture")));
        }
        engine.finish(&mut made).expect("an end");
        got.extend(pool.read_back(&made).expect("pictures"));
        assert!(got == wanted, "{text} on {format}, one by one");
        // All of them, each given back at once: what is used again is not what a lane still reads.
        made.clear();
        let layout = Layout::semi_planar(&format, 4096, 4096 * 720).expect("YUV");
        let mut lane = lane(device, &format);
        // Memory is made before, since the GPU comes to rest while it is filled.
        const BYTES: usize = 4096 * 1080;
        let targets: Vec<_> = clip.iter().map(|_| Target::new(device, lane.as_ref(), BYTES)).collect();
        let mut free = targets.iter();
        let mut take = |made: &mut Vec<Frame>| {
            for frame in made.drain(..) {
                let target = free.next().expect("as many frames as went in");
                // SAFETY: the target has so many bytes, and is read behind the lane's stream.
                unsafe { lane.join(&frame, &layout, target.inner.address(), BYTES) }.expect("joined");
            }
        };
        engine.begin().expect("a clip");
        for frame in clip {
            engine.push(frame, &mut made).expect("a push");
            take(&mut made);
        }
        engine.finish(&mut made).expect("an end");
        take(&mut made);
        assert!(free.next().is_none(), "as many frames as went in");
        for (number, target) in targets.iter().enumerate() {
            let planes = on_the_host(device, target.frame(&format, &layout));
            let frame = on_host(&format, &[planes]).remove(0);
            assert!(
                packed(&frame) == wanted[number],
                "{text} on {format}, frame {number} of those that were given back"
            );
        }
    }
}

/// What others still write is waited for, and nothing is given back before it is read.
#[test]
fn frames_are_kept_until_they_are_read() {
    use cudarc::driver::{CudaContext, result};
    let Some(device) = device() else { return };
    let format = format(Pixel::yuv420p(8), 256, 64);
    let samples = clip(&format).remove(0);
    let context = CudaContext::new(0).expect("the same context");
    let stream = context.new_stream().expect("a stream");
    const LONG: usize = 1 << 30;
    let [here, there] = [(); 2].map(|()| {
        // SAFETY: a context is current; the memory is freed at the end of the test.
        unsafe { result::malloc_sync(LONG) }.expect("room")
    });
    let (from, to) = (Layout::packed(&format), Layout::semi_planar(&format, 512, 512 * 64).expect("YUV"));
    let good = device.block(&samples).expect("room");
    let late = device.block(&vec![0; samples.len()]).expect("room");
    let wanted = placed(&format, &samples, &to, 512);
    // Made before, since the GPU comes to rest while memory is filled.
    let mut lane = lane(device, &format);
    let target = Target::new(device, lane.as_ref(), wanted.len());
    // SAFETY: all of the memory is there until the stream has been waited for. What is late is written before its
    // surface is ready, as surfaces may be.
    unsafe {
        for _ in 0..20 {
            result::memcpy_dtod_async(here, there, LONG, stream.cu_stream()).expect("a copy");
        }
        result::memcpy_dtod_async(late.address(), good.address(), samples.len(), stream.cu_stream()).expect("one");
    }
    let given_back = Arc::new(AtomicUsize::new(0));
    let ready = Ready::Stream(stream.cu_stream() as u64);
    let surface = Counted { inner: late, device: 0, ready, given_back: given_back.clone() };
    let frame = Frame::on_device(format.clone(), Timing::at(0), from, Arc::new(surface)).expect("a frame");
    // SAFETY: the target has so many bytes, and is read behind the lane's stream.
    unsafe { lane.join(&frame, &to, target.inner.address(), wanted.len()) }.expect("joined");
    drop(frame);
    assert_eq!(given_back.load(Ordering::Relaxed), 0, "the lane looks for what is read when it is given more");
    assert!(target.read(device) == wanted, "it was joined too early");
    drop(lane);
    assert_eq!(given_back.load(Ordering::Relaxed), 1);
    stream.synchronize().expect("an end");
    for address in [here, there] {
        // SAFETY: both came from `malloc_sync`, and nothing uses them any more.
        unsafe { result::free_sync(address) }.expect("freed");
    }
}

#[test]
fn frames_that_lie_elsewhere_are_refused() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let format = format(Pixel::yuv420p(8), 64, 32);
    let samples = clip(&format);
    let mut pool = SurfacePool::new(lane(device, &format), &format)?;
    let refused = |pool: &mut SurfacePool, frame: Frame| {
        format!("{:#}", pool.read_back(&[frame]).expect_err("a frame that lies elsewhere"))
    };
    let host = on_host(&format, &samples).remove(0);
    let told = refused(&mut pool, host);
    assert!(told.contains("frame 0 is on the host, and the encoder reads from GPU 0"), "{told}");
    let surface = |device_number| -> Result<Frame> {
        let inner: Arc<dyn Surface> = device.block(&samples[0])?;
        let surface = Counted { inner, device: device_number, ready: Ready::Now, given_back: Arc::default() };
        Frame::on_device(format.clone(), Timing::at(3), Layout::packed(&format), Arc::new(surface))
    };
    let told = refused(&mut pool, surface(7)?);
    assert!(told.contains("frame 3 is on GPU 7, and the encoder reads from GPU 0"), "{told}");
    // What was refused leaves the pool as it was.
    let frame = surface(0)?;
    assert_eq!(pool.read_back(&[frame])?, [packed(&on_host(&format, &samples)[0])]);
    let wide = super::storage::format(Pixel::yuv420p(8), 66, 32);
    let frame = on_device(device, &wide, &clip(&wide), &Layout::packed(&wide), 0).remove(0);
    assert!(refused(&mut pool, frame).contains(", and the clip "));
    for pixel in [Pixel::yuv420p(12), Pixel::gray(8), Pixel::integer(Family::Yuv, 1, 0, 8)] {
        let format = super::storage::format(pixel, 64, 32);
        let told = SurfacePool::new(lane(device, &format), &format).err().expect("nothing takes it").to_string();
        assert!(told.contains("no encoder reads"), "{told}");
    }
    Ok(())
}

/// A clip of a few frames beside the output.
fn job(folder: &Path, codec: &str, pixel: Pixel) -> Request {
    let format = format(pixel, 320, 180);
    let samples = clip(&format).concat();
    let input = folder.join("in.raw");
    fs::write(&input, samples).expect("a file");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let raw = format!("{}:320x180@25", pixel.name());
    Request {
        input: text(&input),
        output: text(&folder.join("out.mkv")),
        raw: Some(raw),
        chain: vec!["gaussian=1".to_owned()],
        backend: Choice::Cuda,
        overwrite: Overwrite::Replace,
        encoding: Encoding { codec: Some(codec.to_owned()), ..Encoding::default() },
        ..Request::default()
    }
}

/// Where the GPU has no encoder, that is said before anything is written; where it has one, all frames come out.
#[test]
fn jobs_with_encoders_of_the_gpu() {
    let Some(_) = device() else { return };
    for (codec, pixel) in [
        ("h264_nvenc", Pixel::yuv420p(8)),
        ("hevc_nvenc", Pixel::yuv420p(8)),
        ("hevc_nvenc", Pixel::yuv420p(10)),
        ("hevc_nvenc", YUV444P),
        ("av1_nvenc", Pixel::yuv420p(10)),
    ] {
        let folder = TempDir::new().expect("a folder");
        let request = job(folder.path(), codec, pixel);
        let output = request.output.clone();
        let opened = Job::open(request, Default::default());
        if encoder_works(codec) {
            opened.and_then(|job| job.run(&Monitor::default())).unwrap_or_else(|error| panic!("{codec}: {error:#}"));
            let listing = folder.path().join("list.txt");
            let request =
                Request { input: output, output: format!("hash:{}", listing.display()), ..Request::default() };
            let report = Job::open(request, Default::default()).and_then(|job| job.run(&Monitor::default()));
            assert_eq!(report.expect("a clip").frames, 20, "{codec}");
            continue;
        }
        println!("no {codec} works here; that it is refused is looked at instead");
        let error = format!("{:#}", opened.err().expect("nothing that encodes"));
        let says = [
            "needs an NVIDIA GPU that supports it, and its driver; none was found; type --codec",
            "has no video encoder",
        ];
        assert!(says.iter().any(|words| error.contains(words)) && !error.contains('\n'), "{codec}: {error}");
        let left: Vec<_> =
            fs::read_dir(folder.path()).expect("a folder").flatten().map(|file| file.file_name()).collect();
        assert_eq!(left, ["in.raw"], "{codec}");
    }
}

/// Other encoders have frames on the host, as ever.
#[test]
fn software_encodes_what_the_gpu_filters() {
    let Some(_) = device() else { return };
    let folder = TempDir::new().expect("a folder");
    let report = Job::open(job(folder.path(), "ffv1", Pixel::yuv420p(10)), Default::default())
        .and_then(|job| job.run(&Monitor::default()))
        .expect("a clip");
    assert_eq!(report.frames, 20);
}
