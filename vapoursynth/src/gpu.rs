//! A node of a GPU: all steps of a plan, several frames under way.
//!
//! Frames of VapourSynth are copied into pinned memory, each once, and brought to the GPU, where what each step makes is
//! kept for as long as steps behind it look at it, as far as requests come in order. A frame that is requested out of order is
//! made anew from the frames around it, with the same bytes. One thread at a time queues work; they wait for their
//! results side by side.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock, PoisonError};

use anyhow::{Result, anyhow};
use warpreel_cuda::{Cuda, Device, Image, Tracing};
use warpreel_filter::backend::{Backend, Inputs};
use warpreel_filter::plan::Plan;
use warpreel_frame::{Frame, FrameFields, Pool};

use crate::exchange::{Target, taken};
use crate::ffi::{Core, Filter, FrameContext, Node, Picture, Requests, VideoInfo};
use crate::format::{FormatChange, field_order, info_of};
use crate::graph::{beside, reach};
use crate::option::Options;
use crate::scene::{Images, Step, Sums};

/// GPUs that were opened, or why they could not be.
static DEVICES: LazyLock<Mutex<HashMap<usize, Result<Device, String>>>> = LazyLock::new(Mutex::default);

/// All steps of a plan.
pub struct GpuNode {
    plan: Arc<Plan>,
    clip: Node,
    info: VideoInfo,
    change: FormatChange,
    /// Pinned.
    pool: Pool,
    stage: Mutex<Stage>,
    /// Frames of the clip in pinned memory that are not on the GPU yet.
    staged: Mutex<HashMap<i32, Arc<OnceLock<Staged>>>>,
    /// Frames of the clip that are kept on the GPU: apart from the stage, which threads hold for as long as they issue work.
    kept: Mutex<BTreeSet<i32>>,
    sums: Sums,
    gate: Gate,
}

/// A frame in pinned memory, or why it is not there.
type Staged = Result<Frame, String>;

/// The stage, and the images that it keeps.
struct Stage {
    cuda: Cuda,
    images: HashMap<(usize, i32), (Image, u64)>,
    /// How many images of each value are kept.
    most: Vec<usize>,
    uses: u64,
}

impl GpuNode {
    /// Prepares a plan for a GPU.
    ///
    /// # Errors
    /// If the GPU cannot be used, or a step cannot be compiled.
    pub fn new(core: Core<'_>, plan: &Arc<Plan>, clip: &Node, info: &VideoInfo, options: &Options) -> Result<Self> {
        let mut devices = lock(&DEVICES);
        let opened = devices
            .entry(options.device)
            .or_insert_with(|| Device::open(options.device).map_err(|error| format!("{error:#}")));
        let device = opened.clone().map_err(|error| anyhow!(error))?;
        drop(devices);
        let prepared = device.prepare(&plan.passes(), plan.format())?;
        let pool = Pool::new(device.allocator());
        let mut cuda = Cuda::new(&device, prepared, pool.clone(), options.in_flight, Tracing::Off)?;
        if plan.steps().iter().any(|step| step.guard.measures()) {
            cuda.prepare_measuring()?;
        }
        // What the step behind looks at, and as much more as there are frames under way; of the clip also what all steps look
        // at, since it is brought in for all.
        let window = |k: usize| 2 * reach(plan, k) + 3 + options.in_flight;
        let mut most: Vec<usize> = (0..plan.steps().len()).map(window).collect();
        let all: usize = (0..plan.steps().len()).map(|k| 2 * reach(plan, k) + 3).sum();
        most[0] = all + options.in_flight;
        for k in 0..plan.steps().len() {
            // What is met again behind other steps is kept as long as those look ahead.
            let beside = beside(plan, k);
            for value in [beside.second, beside.cuts.map(|(value, _)| value)].into_iter().flatten() {
                most[value] = most[value].max(all + options.in_flight);
            }
        }
        let stage = Stage { cuda, images: HashMap::new(), most, uses: 0 };
        let is_deinterlaced = plan.deinterlacer().is_some();
        let change = FormatChange { from: plan.format().clone(), to: plan.output(), is_deinterlaced };
        let info = info_of(core, &change.to, info)?;
        Ok(Self {
            plan: plan.clone(),
            clip: clip.clone(),
            info,
            change,
            pool,
            stage: Mutex::new(stage),
            staged: Mutex::default(),
            kept: Mutex::default(),
            sums: Sums::default(),
            gate: Gate::new(options.in_flight),
        })
    }

    /// How it asks for frames of the clip.
    pub fn requests(&self) -> Requests {
        let looks =
            (0..self.plan.steps().len()).any(|k| reach(&self.plan, k) > 0 || beside(&self.plan, k).cuts.is_some());
        if looks { Requests::General } else { Requests::Same }
    }

    fn step(&self, k: usize) -> Step<'_> {
        Step { plan: &self.plan, k, frames: self.info.num_frames }
    }

    /// The frames of the clip that frame `n` may be made of.
    fn wanted(&self, n: i32) -> BTreeSet<i32> {
        let count = self.plan.steps().len();
        let mut wanted = vec![BTreeSet::new(); count + 1];
        wanted[count].insert(n);
        for k in (0..count).rev() {
            let frames: Vec<i32> = wanted[k + 1].iter().copied().collect();
            for (value, at) in frames.into_iter().flat_map(|at| self.step(k).wanted(at)) {
                wanted[value].insert(at);
            }
        }
        let mut clip = std::mem::take(&mut wanted[0]);
        clip.insert(n);
        clip
    }

    /// A frame of the clip in pinned memory; one thread copies it, and others that need it wait for that.
    fn staged(&self, n: i32, context: &FrameContext<'_>) -> Result<Frame> {
        let place = lock(&self.staged).entry(n).or_default().clone();
        let copied = || -> Result<Frame> {
            let picture = Arc::new(context.frame(&self.clip, n)?);
            self.pool.copy(&taken(&picture, self.plan.format(), n, &self.pool)?)
        };
        let frame = place.get_or_init(|| copied().map_err(|error| format!("{error:#}"))).clone();
        frame.map_err(|error| anyhow!(error))
    }
}

impl Filter for GpuNode {
    fn request(&self, n: i32, context: &mut FrameContext<'_>) -> Result<()> {
        for n in self.wanted(n) {
            context.request(&self.clip, n);
        }
        Ok(())
    }

    fn make(&self, n: i32, context: &FrameContext<'_>, core: Core<'_>) -> Result<Picture> {
        let missing: Vec<i32> = {
            let kept = lock(&self.kept);
            self.wanted(n).into_iter().filter(|n| !kept.contains(n)).collect()
        };
        for &n in &missing {
            self.staged(n, context)?;
        }
        // Threads copy before and behind it: the gate bounds what the GPU works on, and copies take longer than light filters.
        let under_way = self.gate.enter();
        let pending = {
            let mut stage = lock(&self.stage);
            let mut pull = Pull { node: self, stage: &mut stage, context };
            let image = pull.image(self.plan.steps().len(), n);
            // What another thread brought in meanwhile is not needed any more.
            let mut staged = lock(&self.staged);
            missing.iter().for_each(|n| _ = staged.remove(n));
            drop(staged);
            stage.cuda.download(image?)?
        };
        let result = pending.finish()?;
        drop(under_way);
        let centre = Arc::new(context.frame(&self.clip, n)?);
        let target = Target::new(core, &self.info, &self.change, &centre, None, None)?;
        target.finish(result, &centre, &[])
    }
}

/// Images, made where they are not kept.
struct Pull<'a, 'b> {
    node: &'a GpuNode,
    stage: &'a mut Stage,
    context: &'a FrameContext<'b>,
}

impl Images for Pull<'_, '_> {
    type Backend = Cuda;

    fn backend(&mut self) -> &mut Cuda {
        &mut self.stage.cuda
    }

    fn image(&mut self, value: usize, n: i32) -> Result<Image> {
        self.stage.uses += 1;
        let uses = self.stage.uses;
        if let Some((image, used)) = self.stage.images.get_mut(&(value, n)) {
            *used = uses;
            return Ok(image.clone());
        }
        let image = match value.checked_sub(1) {
            None => {
                let image = self.stage.cuda.upload(self.node.staged(n, self.context)?)?;
                lock(&self.node.staged).remove(&n);
                image
            }
            Some(k) => self.run(k, n)?,
        };
        let gone = self.stage.keep((value, n), image.clone());
        if value == 0 {
            let mut kept = lock(&self.node.kept);
            gone.map(|gone| kept.remove(&gone));
            kept.insert(n);
        }
        Ok(image)
    }

    fn begins(&self, _: usize, n: i32) -> Option<bool> {
        let picture = self.context.frame(&self.node.clip, n).ok()?;
        Some(picture.property("_SceneChangePrev")? != 0)
    }

    fn fields(&self, _: usize, n: i32) -> Option<FrameFields> {
        field_order(&self.context.frame(&self.node.clip, n).ok()?).map(FrameFields::from)
    }
}

impl Pull<'_, '_> {
    /// What step `k` makes of frame `n`.
    fn run(&mut self, k: usize, n: i32) -> Result<Image> {
        let node = self.node;
        let window = node.step(k).window(n, self, &node.sums)?;
        let second = beside(&node.plan, k).second;
        let (mut images, mut seconds) = (Vec::new(), Vec::new());
        for place in window.places {
            images.push(place.map(|at| self.image(k, at)).transpose()?);
            if let Some(second) = second {
                seconds.push(place.map(|at| self.image(second, at)).transpose()?);
            }
        }
        let images: Vec<Option<&Image>> = images.iter().map(Option::as_ref).collect();
        let seconds: Vec<Option<&Image>> = seconds.iter().map(Option::as_ref).collect();
        if node.plan.steps()[k].pass.keeps(&window.scan) {
            return self.image(k, n);
        }
        let (factor, scan, correction, number) =
            (window.factor, window.scan, window.correction, n.unsigned_abs().into());
        let inputs = Inputs { second: &seconds, factor, scan, correction, number, ..Inputs::new(&images) };
        self.stage.cuda.run(k, &inputs)
    }
}

impl Stage {
    /// Keeps an image; of those of its value the one that was not used for longest goes if there are too many, and its frame's
    /// number comes back.
    fn keep(&mut self, (value, n): (usize, i32), image: Image) -> Option<i32> {
        let most = self.most.get(value).copied()?;
        let own = || self.images.iter().filter(|((other, _), _)| *other == value);
        let gone = match own().count() >= most {
            true => own().min_by_key(|(_, (_, used))| *used).map(|(key, _)| *key),
            false => None,
        };
        gone.and_then(|key| self.images.remove(&key));
        self.images.insert((value, n), (image, self.uses));
        gone.map(|(_, n)| n)
    }
}

/// Lets so many through at once.
struct Gate {
    free: Mutex<usize>,
    left: Condvar,
}

/// One that was let through.
struct Entered<'a>(&'a Gate);

impl Gate {
    fn new(most: usize) -> Self {
        Self { free: Mutex::new(most), left: Condvar::new() }
    }

    /// Blocks while as many are under way as may be.
    fn enter(&self) -> Entered<'_> {
        let mut free = lock(&self.free);
        while *free == 0 {
            free = self.left.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= 1;
        Entered(self)
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        *lock(&self.0.free) += 1;
        self.0.left.notify_one();
    }
}

/// What a thread that panicked left behind is as good as before.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
