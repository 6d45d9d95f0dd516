//! A chain at work on one format, by a backend.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};
use pyo3::Python;
use warpreel::backend::cuda::{Delivery, Device, Tracing};
use warpreel::backend::{Cpu, Cuda, Separated, cuda_stage};
use warpreel::engine::{Engine, Outlet};
use warpreel::frame::{Format, Frame, FrameMut, Pool, Storage, Timing};
use warpreel::job::{Choice, FieldPlan, Request, Usage};
use warpreel::plan::Plan;

use super::array::{Array, channel, resized};
use super::foreign::{self, Foreign};
use super::picture::Picture;
use super::pulse::Pulse;
use super::tensor::Tensor;

/// GPUs that were opened, or why they could not be.
static DEVICES: LazyLock<Mutex<HashMap<usize, Result<Device, String>>>> = LazyLock::new(Mutex::default);

/// What filters, and how.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Who.
    pub choice: Choice,
    /// Which GPU.
    pub device: usize,
    /// Threads of the CPU; 0 for all cores.
    pub threads: usize,
}

/// An engine with the memory that its results go to.
pub struct Stage {
    engine: AnyEngine,
    pool: Pool,
    /// Where results may be made at once.
    slots: Arc<Mutex<VecDeque<FrameMut>>>,
}

enum AnyEngine {
    Cpu(Box<Engine<Cpu>>),
    Cuda(Box<Engine<Cuda>>),
    CpuFields(Box<Engine<Separated<Cpu>>>),
    CudaFields(Box<Engine<Separated<Cuda>>>),
}

/// The same of whatever engine it is.
macro_rules! of_each {
    ($any:expr, $engine:ident => $answer:expr) => {
        match $any {
            AnyEngine::Cpu($engine) => $answer,
            AnyEngine::Cuda($engine) => $answer,
            AnyEngine::CpuFields($engine) => $answer,
            AnyEngine::CudaFields($engine) => $answer,
        }
    };
}

impl Stage {
    /// Prepares a plan.
    ///
    /// # Errors
    /// If a GPU was asked for and cannot be used, or the passes cannot be prepared.
    pub fn new(planned: FieldPlan, machine: Machine) -> Result<Self> {
        let idle = planned.plan.steps().is_empty().then_some("nothing to filter");
        let cuda = || Self::cuda(&planned, machine.device, Delivery::Host);
        machine.choice.make(idle, cuda, |_| Self::cpu(&planned, machine))
    }

    fn cpu(planned: &FieldPlan, machine: Machine) -> Result<Self> {
        let (pool, slots) = (Pool::heap(), Arc::<Mutex<VecDeque<FrameMut>>>::default());
        let plan = planned.plan.clone();
        // One big picture hears Ctrl-C too.
        let make = || -> Result<Cpu> {
            let cpu = Cpu::new(planned.passes(), planned.format.clone(), pool.clone(), machine.threads)?;
            Ok(cpu.watching(Pulse::BETWEEN, || Ok(Python::attach(|py| py.check_signals())?)))
        };
        if planned.separates() {
            let fields = Separated::new([make()?, make()?], plan.format(), &plan.output(), pool.clone())?;
            return Ok(Self { engine: AnyEngine::CpuFields(Box::new(Engine::new(fields, plan)?)), pool, slots });
        }
        let free = slots.clone();
        let cpu = make()?.placing(move || free.lock().unwrap_or_else(PoisonError::into_inner).pop_front());
        Ok(Self { engine: AnyEngine::Cpu(Box::new(Engine::new(cpu, plan)?)), pool, slots })
    }

    /// Prepares a plan for frames that lie on a GPU and stay there.
    ///
    /// # Errors
    /// If the GPU cannot be used, or the passes cannot be prepared; [`Usage`] if fields are to be separated.
    pub fn on_device(planned: &FieldPlan, number: usize) -> Result<Self> {
        if planned.separates() {
            let what = "fields are interleaved on the host, and these frames are on a GPU";
            return Err(Usage::of(anyhow!("{what}; pass fields=\"frame\" to filter whole frames")).into());
        }
        Self::cuda(planned, number, Delivery::Device)
    }

    /// Brings frames that lie on a GPU to the host.
    ///
    /// # Errors
    /// If the GPU cannot be used.
    pub fn to_host(format: &Arc<Format>, number: usize) -> Result<Self> {
        Self::cuda(&whole(format)?, number, Delivery::Host)
    }

    /// Brings frames to a GPU, each plane by itself.
    ///
    /// # Errors
    /// If the GPU cannot be used.
    pub fn to_device(format: &Arc<Format>, number: usize) -> Result<Self> {
        Self::cuda(&whole(format)?, number, Delivery::Device)
    }

    fn cuda(planned: &FieldPlan, number: usize, delivery: Delivery) -> Result<Self> {
        let (device, plan) = (gpu(number)?, &planned.plan);
        let pool = Pool::new(device.allocator());
        let make = || -> Result<Cuda> {
            let prepared = device.prepare(&planned.passes(), &planned.format)?;
            let cuda = cuda_stage(plan, &device, prepared, pool.clone(), Cuda::IN_FLIGHT, Tracing::Off)?;
            Ok(cuda.delivering(delivery))
        };
        let engine = if planned.separates() {
            let fields = Separated::new([make()?, make()?], plan.format(), &plan.output(), pool.clone())?;
            AnyEngine::CudaFields(Box::new(Engine::new(fields, plan.clone())?))
        } else {
            AnyEngine::Cuda(Box::new(Engine::new(make()?, plan.clone())?))
        };
        Ok(Self { engine, pool, slots: Arc::default() })
    }

    /// A frame that came out, for Python; one that stays on the GPU with what lends it to others.
    ///
    /// # Errors
    /// If it lies on another GPU.
    pub fn picture(&self, frame: Frame) -> Result<Picture> {
        match (&self.engine, frame.storage()) {
            (AnyEngine::Cuda(engine), Storage::Device(_)) => {
                let export = engine.backend().export(&frame)?;
                Ok(Picture::on_device(frame, export))
            }
            _ => Ok(Picture::on_host(frame)),
        }
    }

    /// A frame of a clip that is brought somewhere, by a stage that only does that. Does not wait for the GPU as long
    /// as it is no more than some frames behind.
    ///
    /// # Errors
    /// As [`Engine::push`].
    pub fn bring(&mut self, frame: Frame) -> Result<Picture> {
        let mut out = Vec::new();
        self.push(frame, &mut out)?;
        while of_each!(&mut self.engine, engine => engine.advance(&mut out))? {}
        self.picture(out.pop().context("no frame came back")?)
    }

    /// Frames that came out on the GPU, for others: of each its planes in the order of channels, with as many axes as frames
    /// of `like` have.
    ///
    /// # Errors
    /// If they came out elsewhere.
    pub fn tensors(&self, frames: Vec<Frame>, like: &Foreign) -> Result<Vec<Vec<Tensor>>> {
        let AnyEngine::Cuda(engine) = &self.engine else { bail!("the frames were filtered on the host") };
        let planes = self.format().pixel.planes();
        let order: Vec<usize> =
            (0..planes).filter_map(|c| (0..planes).find(|&plane| channel(planes, plane) == c)).collect();
        let axes = if planes == 1 { like.frame_shape() } else { &like.frame_shape()[..2] };
        let tensors = |frame: Frame| {
            let size = (frame.format().width, frame.format().height);
            let shape: Vec<i64> = resized(axes, 0, size).into_iter().map(|side| side as i64).collect();
            let export = Arc::new(engine.backend().export(&frame)?);
            order.iter().map(|&plane| Tensor::of(export.clone(), &frame, plane, shape.clone())).collect()
        };
        frames.into_iter().map(tensors).collect()
    }

    /// Filters what lies on the GPU. Does not wait for the GPU, unless memory runs out.
    ///
    /// # Errors
    /// As [`Engine::push`]; or if the interpreter was interrupted.
    pub fn filtered(&mut self, from: &Foreign) -> Result<Vec<Vec<Tensor>>> {
        let format = self.format().clone();
        let (mut out, mut pulse) = (Vec::new(), Pulse::start());
        self.begin()?;
        for t in 0..from.frames() {
            self.push(from.frame(t, &format, Timing::at(t as u64))?, &mut out)?;
            pulse.beat()?;
        }
        self.finish(&mut out)?;
        self.begin()?;
        self.tensors(out, from)
    }

    /// Lets what is queued in CUDA's default stream from now on wait until the frames that were pushed have been read. Does
    /// not block.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn release(&self) -> Result<()> {
        let AnyEngine::Cuda(engine) = &self.engine else { return Ok(()) };
        foreign::release(engine.backend())
    }

    /// Blocks until the frames that lie in others' memory on the host have been read: a GPU reads pinned memory later.
    ///
    /// # Errors
    /// If the GPU failed.
    pub fn read_through(&self) -> Result<()> {
        match &self.engine {
            AnyEngine::Cuda(engine) => engine.backend().read_through(),
            AnyEngine::CudaFields(engine) => engine.backend().fields().iter().try_for_each(Cuda::read_through),
            AnyEngine::Cpu(_) | AnyEngine::CpuFields(_) => Ok(()),
        }
    }

    /// What goes in.
    pub fn format(&self) -> &Arc<Format> {
        of_each!(&self.engine, engine => engine.format())
    }

    /// What it does.
    pub fn plan(&self) -> &Plan {
        of_each!(&self.engine, engine => engine.plan())
    }

    /// Where frames for it are made.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Begins another clip, and lets go of all frames of the one before.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn begin(&mut self) -> Result<()> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).clear();
        of_each!(&mut self.engine, engine => engine.begin())
    }

    /// Takes the clip's next frame. Blocks while it is filtered.
    ///
    /// # Errors
    /// As [`Engine::push`].
    pub fn push(&mut self, frame: Frame, out: &mut impl Outlet) -> Result<()> {
        of_each!(&mut self.engine, engine => engine.push(frame, out))
    }

    /// Ends the clip. Blocks until its last frame is filtered.
    ///
    /// # Errors
    /// As [`Engine::finish`].
    pub fn finish(&mut self, out: &mut impl Outlet) -> Result<()> {
        of_each!(&mut self.engine, engine => engine.finish(out))
    }

    /// Filters one frame, as a clip of its own.
    ///
    /// # Errors
    /// As [`Engine::push`].
    pub fn single(&mut self, frame: Frame) -> Result<Frame> {
        let mut out = Vec::new();
        self.begin()?;
        self.push(frame, &mut out)?;
        self.finish(&mut out)?;
        self.begin()?;
        out.pop().context("no frame came back")
    }

    /// Filters a whole array into another of the same type, of the size that the plan gives. Blocks until it is there.
    ///
    /// # Errors
    /// As [`Engine::push`]; or if the interpreter was interrupted.
    pub fn run(&mut self, from: &Array, into: &Array) -> Result<()> {
        let filtered = self.begin().and_then(|()| self.fill(from, into));
        // Also after a failure no array is kept.
        let ended = self.begin();
        filtered.and(ended)
    }

    fn fill(&mut self, from: &Array, into: &Array) -> Result<()> {
        let (format, frames, pool) = (self.format().clone(), from.frames(), self.pool.clone());
        let output = self.plan().output();
        let is_apart = !from.overlaps(into);
        // What goes round a filter is not made by the last pass, and would leave its place to the next frame.
        if matches!(self.engine, AnyEngine::Cpu(_)) && is_apart && self.plan().bypasses().is_empty() {
            let slots: Vec<FrameMut> = (0..frames).map_while(|t| into.slot(t, &output)).collect();
            if slots.len() == frames {
                self.slots.lock().unwrap_or_else(PoisonError::into_inner).extend(slots);
            }
        }
        let mut pulse = Pulse::start();
        let (mut done, slots) = (0, self.slots.clone());
        // Where the clip is filtered in place, what is still to be read must not be written yet.
        let mut kept = Vec::new();
        let mut put = |frame: Frame| {
            if is_apart {
                if !into.holds(done, &frame) {
                    // What comes out as it went in leaves its slot unused.
                    slots.lock().unwrap_or_else(PoisonError::into_inner).clear();
                }
                into.store(done, &frame)?;
            } else {
                kept.push(frame);
            }
            done += 1;
            pulse.beat()
        };
        for t in 0..frames {
            let timing = Timing::at(t as u64);
            let frame = match is_apart {
                true => from.frame(t, &format, timing, &pool)?,
                false => from.copy(t, &format, timing, &pool)?,
            };
            self.push(frame, &mut put)?;
        }
        self.finish(&mut put)?;
        ensure!(done == frames, "{done} frames came back of {frames}");
        kept.iter().enumerate().try_for_each(|(t, frame)| into.store(t, frame))
    }
}

/// A plan that does nothing.
fn whole(format: &Arc<Format>) -> Result<FieldPlan> {
    FieldPlan::of(&[], format, &Request::default())
}

/// A GPU, opened once.
///
/// # Errors
/// If it cannot be used; the message says why, each time.
pub fn gpu(number: usize) -> Result<Device> {
    let mut devices = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
    let open = || Device::open(number).map_err(|error| format!("{error:#}"));
    devices.entry(number).or_insert_with(open).clone().map_err(|reason| anyhow!(reason))
}
