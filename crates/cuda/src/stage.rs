//! The CUDA stage itself: what it holds, and the verbs of a backend.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use super::answer::SurveyUnderWay;
use super::asker::Asker;
use super::course;
use super::device::Device;
use super::field;
use super::image::{self, Image, ImageMemory, Pending};
use super::launch::{PassCall, PassKernel, SourcePlane};
use super::measure::{CellSums, Measure, Meter};
use super::memory::{DeviceBuffer, Store};
use super::prepare::{CompiledPass, Prepared};
use super::progress::LaunchLog;
use super::split::Splitter;
use super::stream::{Event, StreamRole, Streams, Timed};
use super::survey::SurveyedWindow;
use super::trace::{self, DeviceTrace, WorkStart};
use crate::backend::{Backend, Inputs};
use crate::backend::{Delivery, Tracing};
use crate::frame::{Format, Frame, Layout, Motion, Pool, Sample, Storage};
use crate::pass::{self, Answers, Pass, Questions, check};

/// Passes on one GPU.
pub struct Cuda {
    pub(super) device: Device,
    pub(super) streams: Streams,
    pub(super) store: Arc<Store>,
    pub(super) steps: Vec<LoadedPass>,
    pub(super) between: Option<DeviceBuffer>,
    pub(super) format: Arc<Format>,
    pub(super) layout: Layout,
    pub(super) pool: Pool,
    pub(super) in_flight: usize,
    pub(super) delivery: Delivery,
    /// What uploads still read.
    pub(super) reading: VecDeque<(Arc<Event>, Storage)>,
    /// Where motion is still written.
    pub(super) telling: VecDeque<(Arc<Event>, Arc<Motion>)>,
    /// The ends of frames that were given before they were done.
    pub(super) delivered: VecDeque<Arc<Event>>,
    pub(super) trace: Option<DeviceTrace>,
    progress: LaunchLog,
    /// Made when the first frame of such samples is measured, or before.
    pub(super) meters: Vec<(Sample, Meter)>,
    /// For each pass that asks about its windows.
    askers: Vec<Option<Asker>>,
    /// Made when the first frame comes whose planes share their rows.
    pub(super) splitter: Option<Splitter>,
}

/// A pass, and the kernel that runs it.
pub(super) struct LoadedPass {
    pub(super) pass: Pass,
    pub(super) kernel: PassKernel,
    /// Of the frames that go in.
    pub(super) format: Arc<Format>,
    /// Of the second images of its windows.
    second_format: Arc<Format>,
    /// Of the frames that come out.
    pub(super) output: Arc<Format>,
    /// Where the planes of that lie.
    pub(super) layout: Layout,
}

impl LoadedPass {
    /// Refuses an image whose planes are not those that the kernel reads.
    pub(super) fn check_input(&self, image: &Image) -> Result<()> {
        self.check_format(image, &self.format)
    }

    /// Refuses a second image of another format.
    fn check_second(&self, image: &Image) -> Result<()> {
        self.check_format(image, &self.second_format)
    }

    fn check_format(&self, image: &Image, due: &Format) -> Result<()> {
        let (got, name) = (image.format(), &self.pass.name);
        ensure!(got.planes_match(due), "{name}: the image is {got}, and the pass takes {due}");
        Ok(())
    }
}

impl Cuda {
    /// How many frames to have under way where nobody says otherwise: one in each stream, one waiting before each, and
    /// two for the host threads on either side.
    pub const IN_FLIGHT: usize = 8;

    /// Makes ready for frames of `format` with passes that were prepared for it on this kind of GPU. `pool` must be made
    /// from [`Device::allocator`]; finished frames are in its memory. `in_flight` is at least 1.
    ///
    /// # Errors
    /// If memory runs out, or the driver refuses.
    pub fn new(device: &Device, prepared: Prepared, pool: Pool, in_flight: usize, tracing: Tracing) -> Result<Self> {
        ensure!(in_flight > 0, "no frame may be in flight; type --in-flight 1 or more");
        let Prepared { format, passes } = prepared;
        device.bind()?;
        let timed = if tracing == Tracing::On { Timed::Yes } else { Timed::No };
        let streams = Streams::new(device, timed)?;
        let mut steps = Vec::with_capacity(passes.len());
        let formats = pass::formats(passes.iter().map(|compiled| &compiled.pass), &format);
        for (CompiledPass { pass, program, cubin }, formats) in passes.into_iter().zip(formats.windows(2)) {
            let [format, output] = [&formats[0], &formats[1]];
            let kernel = PassKernel::new(device, &streams, program, cubin, output);
            let kernel = kernel.with_context(|| format!("prepare {} for GPU {}", pass.name, device.ordinal))?;
            let (format, second_format) = (format.clone(), pass.second_format(format));
            let (output, layout) = (output.clone(), Layout::aligned(output));
            steps.push(LoadedPass { pass, kernel, format, second_format, output, layout });
        }
        let asker = |step: &LoadedPass| {
            let made = Asker::of(device, &step.format, &step.pass);
            made.with_context(|| format!("prepare {} for GPU {}", step.pass.name, device.ordinal))
        };
        let askers = steps.iter().map(asker).collect::<Result<_>>()?;
        let between_bytes = steps.iter().map(|step| step.kernel.between_bytes()).max().unwrap_or(0);
        let between = if between_bytes > 0 { Some(DeviceBuffer::new(&device.context, between_bytes)?) } else { None };
        let trace = if tracing == Tracing::On { Some(DeviceTrace::new(&streams)?) } else { None };
        let layout = Layout::aligned(&format);
        Ok(Self {
            device: device.clone(),
            streams,
            store: Arc::new(Store::new(device.context.clone())),
            steps,
            between,
            format,
            layout,
            pool,
            in_flight,
            delivery: Delivery::Host,
            reading: VecDeque::new(),
            telling: VecDeque::new(),
            delivered: VecDeque::new(),
            trace,
            progress: LaunchLog::new(&device.context)?,
            meters: Vec::new(),
            askers,
            splitter: None,
        })
    }

    /// The same stage with finished frames somewhere else than on the host.
    pub fn delivering(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// The GPU.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Memory on the GPU for images, unrounded rows and taps; it grows until the steady state.
    pub fn allocated_bytes(&self) -> usize {
        let taps: usize = self.steps.iter().map(|step| step.kernel.taps_bytes()).sum();
        let counts: usize = self.askers.iter().flatten().map(Asker::bytes).sum();
        self.store.allocated_bytes() + self.between.as_ref().map_or(0, |buffer| buffer.bytes) + taps + counts
    }

    /// The pass and the frame that the GPU began to work on last; `None` before the first.
    pub fn begun(&self) -> Option<(&str, u64)> {
        let (pass, frame) = self.progress.begun()?;
        Some((self.steps.get(pass)?.pass.name.as_str(), frame))
    }

    /// What came of asking the GPU for something. A GPU that failed says so at the next thing it is asked, whatever
    /// that is; so where the GPU has failed, the error tells what it was at.
    fn outcome<T>(&self, outcome: Result<T>, asked: impl FnOnce() -> String) -> Result<T> {
        outcome.with_context(|| {
            let failed = self.device.bind().and_then(|()| self.streams.drain()).is_err();
            match self.begun().filter(|_| failed) {
                Some((pass, frame)) => format!("{}: failed after starting \"{pass}\" of frame {frame}", asked()),
                None => asked(),
            }
        })
    }

    /// The event behind work that was queued in a stream. Where there is none, nobody knows when the work is done: then the
    /// GPU comes to rest before the memory that it uses is let go.
    pub(super) fn queued(
        &mut self,
        work: Result<()>,
        stream: StreamRole,
        frame: u64,
        pass: usize,
        start: Option<WorkStart>,
    ) -> Result<Arc<Event>> {
        let event = work.and_then(|()| self.end(stream, frame, pass, start));
        if event.is_err() {
            // A GPU that failed uses nothing any more.
            let _ = self.streams.drain();
        }
        event
    }

    /// Refuses an image of another stage: its planes may be of another size, on another GPU, and written by streams that
    /// this stage does not wait for.
    pub(super) fn check_own(&self, image: &Image) -> Result<()> {
        let number = image.timing().number;
        ensure!(image.is_of(&self.store), "frame {number} was brought to another stage; upload it to this one");
        Ok(())
    }

    fn count(&mut self, pass: usize, inputs: &Inputs<'_, Image>, questions: Questions) -> Result<SurveyUnderWay> {
        self.device.bind()?;
        let step = self.steps.get(pass).with_context(|| format!("there is no pass {pass}"))?;
        let centre = inputs.centre(&step.pass)?;
        let middle = inputs.window.len() / 2;
        let images = [middle - 1, middle, middle + 1].map(|place| inputs.window[place].unwrap_or(centre));
        let mut newest: Option<&Image> = None;
        for image in images {
            self.check_own(image)?;
            step.check_input(image)?;
            if image.join(&self.streams)? && newest.is_none_or(|newest| newest.timing().number < image.timing().number)
            {
                newest = Some(image);
            }
        }
        let asker = self.askers.get(pass).and_then(Option::as_ref);
        let asker = asker.with_context(|| format!("{}: it asks nothing", step.pass.name))?;
        let window = SurveyedWindow { images, scan: inputs.scan, questions };
        let start = self.begin(StreamRole::Compute, newest.map(Image::ready))?;
        let started = asker.start(&self.device, &self.streams, &window);
        let (started, slot) = match started {
            Ok(slot) => (Ok(()), Some(slot)),
            Err(error) => (Err(error), None),
        };
        let number = centre.timing().number;
        let done = self.queued(started, StreamRole::Compute, number, trace::MEASURE, start)?;
        self.store.launched(&done);
        let slot = slot.context("the answers have a place")?;
        Ok(SurveyUnderWay::new(slot, done, questions, number))
    }

    fn start(&mut self, pass: usize, inputs: &Inputs<'_, Image>) -> Result<Image> {
        self.device.bind()?;
        let count = self.steps.len();
        let step = self.steps.get(pass).with_context(|| format!("there is no pass {pass}, only {count}"))?;
        let centre = inputs.centre(&step.pass)?;
        let images = inputs.images();
        for image in images.iter().flatten() {
            self.check_own(image)?;
        }
        inputs.window.iter().flatten().try_for_each(|image| step.check_input(image))?;
        inputs.second.iter().flatten().try_for_each(|image| step.check_second(image))?;
        let planes = step.format.pixel.planes();
        let mut sources = Vec::with_capacity(planes * images.len());
        for plane in 0..planes {
            sources
                .extend(images.iter().map(|image| image.map_or(SourcePlane::default(), |image| image.source(plane))));
        }
        // Uploads come in order, so that the newest is the last one to wait for.
        let mut newest: Option<&Image> = None;
        for image in images.iter().flatten() {
            if image.join(&self.streams)? && newest.is_none_or(|newest| newest.timing().number < image.timing().number)
            {
                newest = Some(image);
            }
        }
        let (output, layout) = (step.output.clone(), step.layout.clone());
        let bytes = layout.total_bytes(output.pixel.sample.bytes()) + image::SLACK_BYTES;
        let buffer = self.store.take(bytes, StreamRole::Compute)?;
        let target: Vec<(u64, u32)> = (layout.planes.iter())
            .map(|plane| (buffer.address + plane.offset_bytes as u64, plane.stride as u32))
            .collect();
        let start = self.begin(StreamRole::Compute, newest.map(Image::ready))?;
        let Self { steps, device, streams, between, progress, .. } = self;
        let ticket = progress.launch(pass, centre.timing().number);
        let (between, factor) = (between.as_ref(), inputs.factor);
        let mut fields = [0; 4];
        for (word, op) in fields.iter_mut().zip(steps[pass].pass.ops()) {
            *word = field::word(op, &inputs.scan, inputs.number);
        }
        let courses = course::of(&steps[pass].pass, &inputs.correction, inputs.place);
        let call = PassCall { target: &target, sources: &sources, between, factor, fields, courses, ticket };
        let launched = steps[pass].kernel.start(device, streams, call);
        let mut motion = None;
        let launched = launched.and_then(|()| self.tell(pass, inputs, &mut motion));
        let ready = self.queued(launched, StreamRole::Compute, centre.timing().number, pass, start)?;
        self.store.launched(&ready);
        let mut timing = centre.timing().clone();
        if let Some(motion) = motion {
            let motion = Arc::new(motion.after(timing.motion.take()));
            self.telling.push_back((ready.clone(), motion.clone()));
            timing.motion = Some(motion);
        }
        let samples = ImageMemory::Own(buffer);
        Ok(Image::new(samples, (&output, layout), timing, ready, &self.store))
    }
}

impl Backend for Cuda {
    type Image = Image;
    type Pending = Pending;
    type Measure = Measure;
    type Cells = CellSums;
    type Survey = SurveyUnderWay;

    fn upload(&mut self, frame: Frame) -> Result<Image> {
        check::frame(&frame, &self.format)?;
        let sent = self.send(&frame);
        self.outcome(sent, || format!("upload frame {} to GPU {}", frame.timing.number, self.device.ordinal))
    }

    fn upload_beside(&mut self, pass: usize, frame: Frame) -> Result<Image> {
        let step = self.steps.get(pass).with_context(|| format!("there is no pass {pass}"))?;
        let format = step.second_format.clone();
        check::frame(&frame, &format)?;
        let sent = self.send_beside(&frame, &format);
        let number = frame.timing.number;
        self.outcome(sent, || format!("upload frame {number} of the second clip to GPU {}", self.device.ordinal))
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Image>) -> Result<Image> {
        let started = self.start(pass, inputs);
        self.outcome(started, || {
            let centre = inputs.window.get(inputs.window.len() / 2).copied().flatten();
            let number = centre.map_or(0, |image| image.timing().number);
            let name = self.steps.get(pass).map_or("a pass", |step| step.pass.name.as_str());
            format!("run \"{name}\" of frame {number} on GPU {}", self.device.ordinal)
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

    fn reduce(&mut self, image: &Image) -> Result<CellSums> {
        let number = image.timing().number;
        let asked = self.ask_cells(image);
        self.outcome(asked, || format!("measure frame {number} on GPU {}", self.device.ordinal))
    }

    fn cells(&mut self, cells: CellSums) -> Result<Vec<u32>> {
        let number = cells.number;
        let read = cells.finish();
        self.outcome(read, || format!("measure frame {number} on GPU {}", self.device.ordinal))
    }

    fn survey(&mut self, pass: usize, inputs: &Inputs<'_, Image>, questions: Questions) -> Result<SurveyUnderWay> {
        let asked = self.count(pass, inputs, questions);
        self.outcome(asked, || {
            let centre = inputs.window.get(inputs.window.len() / 2).copied().flatten();
            let number = centre.map_or(0, |image| image.timing().number);
            format!("compare frame {number} on GPU {}", self.device.ordinal)
        })
    }

    fn answers(&mut self, survey: SurveyUnderWay) -> Result<Answers> {
        let number = survey.number;
        let read = survey.finish();
        self.outcome(read, || format!("compare frame {number} on GPU {}", self.device.ordinal))
    }

    fn download(&mut self, image: Image) -> Result<Pending> {
        let number = image.timing().number;
        let fetched = self.fetch(image);
        self.outcome(fetched, || format!("download frame {number} from GPU {}", self.device.ordinal))
    }

    fn wait(&mut self, pending: Pending) -> Result<Frame> {
        let number = pending.number();
        let finished = self.deliver(pending);
        self.outcome(finished, || format!("wait for frame {number} from GPU {}", self.device.ordinal))
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // Host memory must not be used again while a copy reads it. A device that failed reads nothing any more.
        let at_rest = self.device.bind().and_then(|()| self.streams.drain());
        // What is kept may be results of this stage, which keep its memory.
        if let Err(error) = at_rest.and_then(|()| self.store.give_back()) {
            log::debug!("the GPU did not finish its work: {error:#}");
        }
    }
}
