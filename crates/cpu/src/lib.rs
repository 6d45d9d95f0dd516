//! The CPU stage: the definition of what every pass gives, fast.
//!
//! A frame is one parallel job: all planes are cut into bands of rows (`walk`), and the thread that calls and helpers of
//! its own take one band after another (`team`). All tables are made in [`Cpu::new`]. The bytes depend neither on the
//! number of threads nor on the instructions that the machine has ([`simd`]).

mod border;
mod budget;
mod even;
mod field;
mod finish;
mod guide;
mod joint;
mod line;
mod measure;
mod operation;
mod plane;
mod prepared;
mod product;
mod rolling;
mod run;
mod scratch;
mod short;
mod survey;
mod tail;
mod team;
mod walk;
mod watch;
mod window;

pub mod simd;

use warpreel_filter::{backend, pass};
use warpreel_frame as frame;

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::backend::{Backend, Inputs};
use crate::frame::{Format, Frame, FrameMut, Motion, Pool};
use crate::pass::{Answers, Pass, Questions, check};
use run::Workers;
use simd::Level;

pub use team::Team;

pass::operations!(pass::modules);

/// Runs passes on the cores of this machine. Its images are frames, and nothing runs ahead: [`Backend::run`] blocks
/// until the frame is made,
/// and [`Backend::measure`] until the sum is.
pub struct Cpu {
    passes: Arc<[Pass]>,
    /// Of the frames that go into each pass, and behind them that of the frames that come out of the last.
    formats: Vec<Arc<Format>>,
    pool: Pool,
    level: Level,
    prepared: Vec<Box<dyn prepared::PreparedPass>>,
    run: Workers,
    place: Option<Place>,
}

/// Gives the memory for the next frame of the last pass, or leaves it to the pool.
type Place = Box<dyn FnMut() -> Option<FrameMut> + Send>;

impl Cpu {
    /// Prepares passes for a format, with the fastest instructions that the machine has. `threads` 0 is one a core; there is
    /// never more than one a row.
    ///
    /// # Errors
    /// If a pass does not fit the format or contradicts itself, or threads cannot be started.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_cpu::Cpu;
    /// use warpreel_filter::backend::{Backend, Inputs};
    /// use warpreel_filter::filter::{Defaults, parse};
    /// use warpreel_frame::{Format, Frame, Pixel, Pool, Rational, Timing};
    /// use warpreel_filter::plan::plan;
    ///
    /// let format = Arc::new(Format::new(Pixel::gray(8), 3, 1, Rational::new(25, 1)));
    /// let plan = plan(&parse("invert", &Defaults::default())?, &format)?;
    /// let mut cpu = Cpu::new(plan.passes(), format.clone(), Pool::heap(), 1)?;
    /// let frame = cpu.upload(Frame::from_samples(&format, Timing::at(0), vec![0u8, 100, 255])?)?;
    /// let made = cpu.run(0, &Inputs::new(&[Some(&frame)]))?;
    /// assert_eq!(made.host()?.plane::<u8>(0).row(0), [255, 155, 0]);
    /// # anyhow::Ok(())
    /// ```
    pub fn new(passes: Arc<[Pass]>, format: Arc<Format>, pool: Pool, threads: usize) -> Result<Self> {
        Self::with_level(passes, format, pool, threads, Level::best())
    }

    /// The same with other instructions.
    ///
    /// # Errors
    /// As [`Cpu::new`].
    pub fn with_level(
        passes: Arc<[Pass]>,
        format: Arc<Format>,
        pool: Pool,
        threads: usize,
        level: Level,
    ) -> Result<Self> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, NonZero::get),
            // More than rows would have nothing to do.
            threads => threads.min(format.height.max(1)),
        };
        let formats = pass::formats(passes.iter(), &format);
        let prepared = prepared::prepare(&passes, &formats, threads, level)?;
        let run = Workers::new(threads).context("start the threads of the CPU filters")?;
        Ok(Self { passes, formats, pool, level, prepared, run, place: None })
    }

    /// The same, but what the last pass makes lies where `place` says, in the order in which it is made, so that a program
    /// gets results in memory of its own without a copy. Where it gives none they lie in the pool, and so does what
    /// the pass hands on untouched.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_cpu::Cpu;
    /// use warpreel_filter::backend::{Backend, Inputs};
    /// use warpreel_filter::filter::{Defaults, parse};
    /// use warpreel_frame::{Format, Frame, Layout, Pixel, Pool, Rational, Timing};
    /// use warpreel_filter::plan::plan;
    ///
    /// let format = Arc::new(Format::new(Pixel::gray(8), 3, 1, Rational::new(25, 1)));
    /// let plan = plan(&parse("invert", &Defaults::default())?, &format)?;
    /// let mut place = Some(Pool::heap().frame_in(&format, Layout::packed(&format))?);
    /// let address = place.as_mut().map(|frame| frame.bytes_mut().as_ptr());
    /// let mut cpu = Cpu::new(plan.passes(), format.clone(), Pool::heap(), 1)?.placing(move || place.take());
    /// let frame = cpu.upload(Frame::from_samples(&format, Timing::at(0), vec![0u8, 100, 255])?)?;
    /// let made = cpu.run(0, &Inputs::new(&[Some(&frame)]))?;
    /// assert_eq!(made.host()?.plane::<u8>(0).row(0), [255, 155, 0]);
    /// assert_eq!(Some(made.host()?.bytes().as_ptr()), address);
    /// # anyhow::Ok(())
    /// ```
    #[must_use]
    pub fn placing(self, place: impl FnMut() -> Option<FrameMut> + Send + 'static) -> Self {
        Self { place: Some(Box::new(place)), ..self }
    }

    /// The same, but asks the thread that runs a pass so often, while it makes a frame, whether that is to go on. An error ends the frame, and is what [`Backend::run`] fails with; what had its place in memory of the caller is then
    /// written in part.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::time::Duration;
    /// use warpreel_cpu::Cpu;
    /// use warpreel_filter::backend::{Backend, Inputs};
    /// use warpreel_filter::filter::{Defaults, parse};
    /// use warpreel_frame::{Format, Frame, Pixel, Pool, Rational, Timing};
    /// use warpreel_filter::plan::plan;
    ///
    /// let format = Arc::new(Format::new(Pixel::gray(8), 1024, 1024, Rational::new(25, 1)));
    /// let plan = plan(&parse("gaussian=1:border=wrap", &Defaults::default())?, &format)?;
    /// let cpu = Cpu::new(plan.passes(), format.clone(), Pool::heap(), 1)?;
    /// let mut cpu = cpu.watching(Duration::ZERO, || anyhow::bail!("not any more"));
    /// let frame = cpu.upload(Frame::from_samples(&format, Timing::at(0), vec![0u8; 1 << 20])?)?;
    /// let error = cpu.run(0, &Inputs::new(&[Some(&frame)])).unwrap_err();
    /// assert!(format!("{error:#}").ends_with("not any more"));
    /// # anyhow::Ok(())
    /// ```
    #[must_use]
    pub fn watching(mut self, every: Duration, ask: impl Fn() -> Result<()> + Send + Sync + 'static) -> Self {
        self.watch(every, ask);
        self
    }

    /// As [`Self::watching`], for the frames from now on, in place of the question before.
    pub fn watch(&mut self, every: Duration, ask: impl Fn() -> Result<()> + Send + Sync + 'static) {
        self.run.watch(every, Box::new(ask));
    }

    /// The same, but leaves cores to the other threads of the process, as those of decoders and encoders: no more threads are woken for a
    /// frame than it takes for the filters not to be what those wait for. Filters that have the process to themselves still use all.
    #[must_use]
    pub fn sharing_cores(mut self) -> Self {
        self.run.share_cores();
        self
    }

    /// How many threads share the rows.
    pub fn threads(&self) -> usize {
        self.run.threads()
    }

    /// The instructions that it runs with.
    pub fn level(&self) -> Level {
        self.level
    }

    fn make(&mut self, pass: usize, inputs: &Inputs<'_, Frame>) -> Result<Frame> {
        let Some(wanted) = self.passes.get(pass) else {
            bail!("there is no pass {pass}, only {}", self.passes.len());
        };
        let centre = inputs.centre(wanted)?;
        let due = &self.formats[pass];
        let beside = wanted.second_format(due);
        let window = inputs.window.iter().flatten().map(|frame| (frame, due));
        for (frame, due) in window.chain(inputs.second.iter().flatten().map(|frame| (frame, &beside))) {
            check::frame(frame, due).with_context(|| format!("run {}", wanted.name))?;
        }
        let pool = &self.pool;
        // Frames that stay of their format keep the tags that came with them.
        let format = if wanted.target.is_some() { &self.formats[pass + 1] } else { centre.format() };
        let mut place = self.place.as_mut().filter(|_| pass + 1 == self.passes.len());
        let mut make = || match place.as_mut().and_then(|place| place()) {
            Some(frame) => {
                ensure!(frame.format() == format, "the output frame has the format {}, not {format}", frame.format());
                Ok(frame)
            }
            None => pool.frame(format),
        };
        let made = self.prepared[pass].frame(&mut self.run, inputs, centre, &mut make);
        made.with_context(|| format!("{} on frame {}", wanted.name, centre.timing.number))
    }

    /// What is asked about a window.
    fn count<T: survey::Coarse + survey::Changing>(
        &mut self,
        pass: usize,
        inputs: &Inputs<'_, Frame>,
        questions: Questions,
    ) -> Result<Answers> {
        let wanted = self.passes.get(pass).with_context(|| format!("there is no pass {pass}"))?;
        let (format, centre) = (&self.formats[pass], inputs.centre(wanted)?);
        let what = || format!("{} on frame {}", wanted.name, centre.timing.number);
        if let Some(op) = &wanted.decimation {
            let before = inputs.window[0].unwrap_or(centre);
            [centre, before].iter().try_for_each(|frame| check::frame(frame, format)).with_context(what)?;
            let frames = [centre.host()?, before.host()?];
            let survey = survey::ChangedFrame { op, format, frames, level: self.level };
            return survey.answers::<T>(&self.run).with_context(what);
        }
        let op = wanted.matching().with_context(|| format!("{}: it asks nothing", wanted.name))?;
        let middle = inputs.window.len() / 2;
        let mut window = [centre.host()?; 3];
        for (place, host) in window.iter_mut().enumerate() {
            let frame = inputs.window[middle + place - 1].unwrap_or(centre);
            check::frame(frame, format).with_context(|| format!("run {}", wanted.name))?;
            *host = frame.host()?;
        }
        let survey = survey::Surveyed { op, format, window, scan: inputs.scan, level: self.level };
        survey.answers::<T>(questions, &self.run).with_context(what)
    }

    /// The motion that a pass found for the frame that it made last, if it tells of it.
    fn motion(&self, pass: usize, inputs: &Inputs<'_, Frame>) -> Result<Option<Motion>> {
        let Some((name, blocks, places)) = self.passes[pass].told(&self.formats[pass]) else { return Ok(None) };
        let number = |place: &usize| inputs.window[*place].map(|frame| frame.timing.number);
        let references: Vec<_> = places.iter().map(number).collect();
        let bytes = Motion::bytes(references.len(), &blocks);
        let mut memory = self.pool.block(bytes)?;
        let to = bytemuck::cast_slice_mut(&mut memory.bytes_mut()[..bytes]);
        self.prepared[pass].motion(&self.run, &blocks, references.len(), to);
        Ok(Some(Motion::new(name, references, blocks, memory)))
    }
}

impl Backend for Cpu {
    type Image = Frame;
    type Pending = Frame;
    type Measure = u64;
    type Cells = Vec<u32>;
    type Survey = Answers;

    fn upload(&mut self, frame: Frame) -> Result<Frame> {
        check::frame(&frame, &self.formats[0])?;
        frame.host().context("the frame is on a GPU, and the CPU filters frames on the host only")?;
        Ok(frame)
    }

    fn upload_beside(&mut self, pass: usize, frame: Frame) -> Result<Frame> {
        let wanted = self.passes.get(pass).with_context(|| format!("there is no pass {pass}"))?;
        check::frame(&frame, &wanted.second_format(&self.formats[pass]))?;
        frame.host().context("the second clip's frame is on a GPU, and is due on the host")?;
        Ok(frame)
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Frame>) -> Result<Frame> {
        let mut frame = self.make(pass, inputs)?;
        if let Some(motion) = self.motion(pass, inputs)? {
            frame.timing.motion = Some(Arc::new(motion.after(frame.timing.motion.take())));
        }
        Ok(frame)
    }

    fn measure(&mut self, image: &Frame, before: Option<&Frame>) -> Result<u64> {
        match image.format().pixel.sample {
            frame::Sample::U8 => self.run.sum::<u8>(image, before, self.level),
            frame::Sample::U16 => self.run.sum::<u16>(image, before, self.level),
            frame::Sample::F32 => self.run.sum::<f32>(image, before, self.level),
        }
    }

    fn read(&mut self, measure: u64) -> Result<u64> {
        Ok(measure)
    }

    fn reduce(&mut self, image: &Frame) -> Result<Vec<u32>> {
        match image.format().pixel.sample {
            frame::Sample::U8 => self.run.cells::<u8>(image, self.level),
            frame::Sample::U16 => self.run.cells::<u16>(image, self.level),
            frame::Sample::F32 => self.run.cells::<f32>(image, self.level),
        }
    }

    fn cells(&mut self, cells: Vec<u32>) -> Result<Vec<u32>> {
        Ok(cells)
    }

    fn survey(&mut self, pass: usize, inputs: &Inputs<'_, Frame>, questions: Questions) -> Result<Answers> {
        let format = self.formats.get(pass).with_context(|| format!("there is no pass {pass}"))?;
        match format.pixel.sample {
            frame::Sample::U8 => self.count::<u8>(pass, inputs, questions),
            frame::Sample::U16 => self.count::<u16>(pass, inputs, questions),
            frame::Sample::F32 => self.count::<f32>(pass, inputs, questions),
        }
    }

    fn answers(&mut self, survey: Answers) -> Result<Answers> {
        Ok(survey)
    }

    fn download(&mut self, image: Frame) -> Result<Frame> {
        Ok(image)
    }

    fn wait(&mut self, pending: Frame) -> Result<Frame> {
        Ok(pending)
    }

    fn in_flight(&self) -> usize {
        0
    }
}
