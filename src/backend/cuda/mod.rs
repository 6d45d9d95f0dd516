//! The CUDA stage: the passes as kernels on an NVIDIA GPU, with the bytes of the CPU stage.
//!
//! ```text
//! upload lane    ▸ frame n+2 ▸ frame n+3 …          one copy a frame, from pinned memory
//! compute lane   ▸ passes of frame n+1 …            one launch a pass, all planes at once
//! download lane  ▸ frame n …                        one copy a frame, into pinned memory
//! ```
//!
//! The lanes are the driver's streams, ordered by events. Nothing here waits for the GPU but [`Cuda::wait`],
//! [`Cuda::read`] and dropping a [`Cuda`] or a [`Pending`]. Images live in buffers that are used again: a buffer rests until
//! everything that was started on it is done, and is asked for only then, so that lanes need not wait for each
//! other's leftovers.
//!
//! In reading order: [`geometry`] and [`program`] say what is to be run, without a GPU; [`library`] and [`compile`]
//! make machine code of it, without a GPU too; `device`, `memory`, `stream` and `launch` are the driver; [`probe`]
//! looks whether there is one.

pub mod compile;
mod device;
mod engine;
pub mod geometry;
mod image;
pub mod ladder;
mod launch;
pub mod library;
pub mod limit;
mod measure;
mod memory;
mod prepare;
mod probe;
pub mod program;
mod progress;
mod range;
mod selection;
mod stream;
mod time;
mod trace;

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use cudarc::driver::result;

use crate::frame::{Block, Format, Frame, Layout, Pool};
use crate::pass::{Pass, check};

use self::device::Explain as _;
use self::launch::{Call, Kernel, Source};
use self::measure::Meter;
use self::memory::{Buffer, Store};
use self::progress::Progress;
use self::stream::{Lane, Lanes, Mark, Timed};
use self::trace::{Start, Trace};
use super::Backend;

pub use self::device::{Device, Properties, driver_version};
pub use self::image::{Image, Pending};
pub use self::measure::Measure;
pub use self::prepare::Prepared;
pub use self::probe::{Compiler as FoundCompiler, Found, Probe, probe};
pub use self::trace::Span;

/// Whether the times of all work are measured; it costs some microseconds a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tracing {
    /// Nothing is measured.
    #[default]
    Off,
    /// [`Cuda::spans`] gives the times.
    On,
}

/// Passes on one GPU.
pub struct Cuda {
    device: Device,
    lanes: Lanes,
    store: Arc<Store>,
    kernels: Vec<Kernel>,
    names: Vec<String>,
    /// Which passes make one image of two.
    blends: Vec<bool>,
    between: Option<Buffer>,
    format: Arc<Format>,
    layout: Layout,
    pool: Pool,
    in_flight: usize,
    /// Host memory that uploads still read.
    reading: VecDeque<(Arc<Mark>, Arc<Block>)>,
    trace: Option<Trace>,
    progress: Progress,
    /// Made when the first frame is measured, or before.
    meter: Option<Meter>,
}

impl Cuda {
    /// How many frames to have under way where nobody says otherwise: one in each lane, one waiting before each, and
    /// two for the host threads on either side.
    pub const IN_FLIGHT: usize = 8;

    /// Makes ready for frames of `format` with passes that were prepared for it on this kind of GPU. `pool` must be made
    /// from [`Device::allocator`]; finished frames are in its memory. `in_flight` is at least 1.
    ///
    /// # Errors
    /// If memory runs out, or the driver refuses.
    pub fn new(device: &Device, prepared: Prepared, pool: Pool, in_flight: usize, tracing: Tracing) -> Result<Self> {
        ensure!(in_flight > 0, "at least one frame must be in flight");
        let Prepared { passes, format, programs, cubins } = prepared;
        device.bind()?;
        let timed = if tracing == Tracing::On { Timed::Yes } else { Timed::No };
        let lanes = Lanes::new(device, timed)?;
        let mut kernels = Vec::with_capacity(passes.len());
        for ((pass, program), cubin) in passes.iter().zip(programs).zip(cubins) {
            let kernel = Kernel::new(device, &lanes, program, cubin, &format);
            kernels.push(kernel.with_context(|| format!("prepare {} for GPU {}", pass.name, device.ordinal))?);
        }
        let between_bytes = kernels.iter().map(Kernel::between_bytes).max().unwrap_or(0);
        let between = if between_bytes > 0 { Some(Buffer::new(&device.context, between_bytes)?) } else { None };
        let trace = if tracing == Tracing::On { Some(Trace::new(&lanes)?) } else { None };
        let layout = Layout::aligned(&format);
        Ok(Self {
            device: device.clone(),
            lanes,
            store: Arc::new(Store::new(device.context.clone(), format.pixel.sample.bytes())),
            kernels,
            names: passes.iter().map(|pass| pass.name.clone()).collect(),
            blends: passes.iter().map(Pass::is_blend).collect(),
            between,
            format,
            layout,
            pool,
            in_flight,
            reading: VecDeque::new(),
            trace,
            progress: Progress::new(&device.context)?,
            meter: None,
        })
    }

    /// Makes ready to measure frames, so that the first one need not wait for the compiler.
    ///
    /// # Errors
    /// If there is no NVRTC, or the driver refuses.
    pub fn prepare_measuring(&mut self) -> Result<()> {
        if self.meter.is_none() {
            let meter = Meter::new(&self.device, &self.format);
            let what = || format!("prepare to measure brightness on GPU {}", self.device.ordinal);
            self.meter = Some(meter.with_context(what)?);
        }
        Ok(())
    }

    /// The GPU.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Memory on the GPU for images, unrounded rows and taps; it grows until the steady state.
    pub fn allocated_bytes(&self) -> usize {
        let taps: usize = self.kernels.iter().map(Kernel::taps_bytes).sum();
        self.store.allocated_bytes() + self.between.as_ref().map_or(0, |buffer| buffer.bytes) + taps
    }

    /// The pass and the frame that the GPU began to work on last; `None` before the first.
    pub fn begun(&self) -> Option<(&str, u64)> {
        self.progress.begun().map(|(pass, frame)| (self.names[pass].as_str(), frame))
    }

    /// What came of asking the GPU for something. A GPU that failed says so at the next thing it is asked, whatever
    /// that is; so where the GPU has failed, the error tells what it was at.
    fn outcome<T>(&self, outcome: Result<T>, asked: impl FnOnce() -> String) -> Result<T> {
        outcome.with_context(|| {
            let failed = self.device.bind().and_then(|()| self.lanes.drain()).is_err();
            match self.begun().filter(|_| failed) {
                Some((pass, frame)) => format!("{}: it failed after it began \"{pass}\" of frame {frame}", asked()),
                None => asked(),
            }
        })
    }

    /// The mark behind work that was queued in a lane. Where there is none, nobody knows when the work is done: then the
    /// GPU comes to rest before the memory that it uses is let go.
    fn queued(
        &mut self,
        work: Result<()>,
        lane: Lane,
        frame: u64,
        pass: usize,
        start: Option<Start>,
    ) -> Result<Arc<Mark>> {
        let mark = work.and_then(|()| self.end(lane, frame, pass, start));
        if mark.is_err() {
            // A GPU that failed uses nothing any more.
            let _ = self.lanes.drain();
        }
        mark
    }

    /// Lets go of the host memory of finished uploads.
    fn release(&mut self) -> Result<()> {
        while let Some((mark, _)) = self.reading.front() {
            if !mark.is_done()? {
                break;
            }
            self.reading.pop_front();
        }
        Ok(())
    }

    fn send(&mut self, frame: &Frame) -> Result<Image> {
        self.device.bind()?;
        self.release()?;
        let (buffer_layout, span) = image::placed(frame);
        let buffer = self.store.take(buffer_layout.start_bytes + span.len() + image::SLACK_BYTES, Lane::Upload)?;
        let start = self.begin(Lane::Upload, None)?;
        let bytes = &frame.block().bytes()[span];
        // SAFETY: the buffer is as long as what is copied to it and nothing else uses it, as the store promises; the
        // host's memory is kept in `reading` until the mark is done.
        let copy = unsafe {
            let to = buffer.address + buffer_layout.start_bytes as u64;
            result::memcpy_htod_async(to, bytes, self.lanes.raw(Lane::Upload)).explain()
        };
        let ready = self.queued(copy, Lane::Upload, frame.timing.number, 0, start)?;
        self.reading.push_back((ready.clone(), frame.block().clone()));
        Ok(Image::new(buffer, buffer_layout.layout, frame.timing.clone(), ready, &self.store))
    }

    fn ask(&mut self, image: &Image, before: Option<&Image>) -> Result<Measure> {
        self.device.bind()?;
        self.prepare_measuring()?;
        let meter = self.meter.as_ref().context("the kernels that measure are there")?;
        // The image before was uploaded before.
        before.map_or(Ok(false), |before| before.join(&self.lanes))?;
        let newest = image.join(&self.lanes)?.then(|| image.ready());
        let start = self.begin(Lane::Compute, newest)?;
        let slot = meter.start(&self.device, &self.lanes, image, before)?;
        let done = self.queued(Ok(()), Lane::Compute, image.timing().number, trace::MEASURE, start)?;
        self.store.launched(&done);
        Ok(Measure::new(slot, done, image.timing().number))
    }

    fn start(&mut self, pass: usize, window: &[Option<&Image>], factor: f32) -> Result<Image> {
        self.device.bind()?;
        let centre = window.get(window.len() / 2).copied().flatten().context("a window has no centre")?;
        let size = self.kernels[pass].window();
        ensure!(window.len() == size, "a window of {} images where {size} are needed", window.len());
        ensure!(!self.blends[pass] || window.iter().all(Option::is_some), "an image of the two is missing");
        let planes = self.format.pixel.planes();
        let mut sources = Vec::with_capacity(planes * window.len());
        for plane in 0..planes {
            sources.extend(window.iter().map(|image| image.map_or(Source::default(), |image| image.source(plane))));
        }
        // Uploads come in order, so that the newest is the last one to wait for.
        let mut newest: Option<&Image> = None;
        for image in window.iter().flatten() {
            if image.join(&self.lanes)? && newest.is_none_or(|newest| newest.timing().number < image.timing().number) {
                newest = Some(image);
            }
        }
        let bytes = self.layout.total_bytes(self.format.pixel.sample.bytes()) + image::SLACK_BYTES;
        let buffer = self.store.take(bytes, Lane::Compute)?;
        let target: Vec<(u64, u32)> = (self.layout.planes.iter())
            .map(|plane| (buffer.address + plane.offset_bytes as u64, plane.stride as u32))
            .collect();
        let start = self.begin(Lane::Compute, newest.map(Image::ready))?;
        let Self { kernels, device, lanes, between, progress, .. } = self;
        let ticket = progress.launch(pass, centre.timing().number);
        let call = Call { target: &target, sources: &sources, between: between.as_ref(), factor, ticket };
        let launched = kernels[pass].start(device, lanes, call);
        let ready = self.queued(launched, Lane::Compute, centre.timing().number, pass, start)?;
        self.store.launched(&ready);
        Ok(Image::new(buffer, self.layout.clone(), centre.timing().clone(), ready, &self.store))
    }

    fn fetch(&mut self, image: Image) -> Result<Pending> {
        self.device.bind()?;
        let mut block = self.pool.block(image.layout().total_bytes(self.format.pixel.sample.bytes()))?;
        self.lanes.join(Lane::Download, image.ready())?;
        let start = self.begin(Lane::Download, Some(image.ready()))?;
        let range = image.range();
        // SAFETY: the image's buffer holds the range, and so does the block, in which the planes lie as in the buffer;
        // both are kept in the pending frame until the mark is done.
        let copy = unsafe {
            let to = &mut block.bytes_mut()[range.clone()];
            result::memcpy_dtoh_async(to, image.address() + range.start as u64, self.lanes.raw(Lane::Download))
                .explain()
        };
        let done = self.queued(copy, Lane::Download, image.timing().number, 0, start)?;
        Ok(Pending::new(block, &self.format, image, done))
    }
}

impl Backend for Cuda {
    type Image = Image;
    type Pending = Pending;
    type Measure = Measure;

    fn upload(&mut self, frame: Frame) -> Result<Image> {
        check::frame(&frame, &self.format)?;
        let sent = self.send(&frame);
        self.outcome(sent, || format!("bring frame {} to GPU {}", frame.timing.number, self.device.ordinal))
    }

    fn run(&mut self, pass: usize, window: &[Option<&Image>], factor: f32) -> Result<Image> {
        let started = self.start(pass, window, factor);
        self.outcome(started, || {
            let number = window.get(window.len() / 2).copied().flatten().map_or(0, |image| image.timing().number);
            format!("run \"{}\" of frame {number} on GPU {}", self.names[pass], self.device.ordinal)
        })
    }

    fn measure(&mut self, image: &Image, before: Option<&Image>) -> Result<Measure> {
        let number = image.timing().number;
        let asked = self.ask(image, before);
        self.outcome(asked, || format!("measure frame {number} on GPU {}", self.device.ordinal))
    }

    fn read(&mut self, measure: Measure) -> Result<u64> {
        let number = measure.number;
        let read = measure.finish();
        self.outcome(read, || format!("measure frame {number} on GPU {}", self.device.ordinal))
    }

    fn download(&mut self, image: Image) -> Result<Pending> {
        let number = image.timing().number;
        let fetched = self.fetch(image);
        self.outcome(fetched, || format!("bring frame {number} back from GPU {}", self.device.ordinal))
    }

    fn wait(&mut self, pending: Pending) -> Result<Frame> {
        let number = pending.number();
        let finished = pending.finish();
        self.outcome(finished, || format!("wait for frame {number} from GPU {}", self.device.ordinal))
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // Host memory must not be used again while a copy reads it. A device that failed reads nothing any more.
        if let Err(error) = self.device.bind().and_then(|()| self.lanes.drain()) {
            log::debug!("the GPU did not come to rest: {error:#}");
        }
    }
}
