//! A node of the CPU: some steps of a plan, frame by frame, in any order and in many threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use warpreel_cpu::Cpu;
use warpreel_engine::chosen;
use warpreel_filter::backend::{Backend, Inputs, Separated};
use warpreel_filter::pass::{Correction, Op, Pass, Scan};
use warpreel_filter::plan::Plan;
use warpreel_frame::{Format, FrameFields, FrameMut, Pool};

use crate::exchange::{Target, taken};
use crate::ffi::{Core, Filter, FrameContext, Node, Picture, Requests, VideoInfo};
use crate::format::{FormatChange, field_order};
use crate::graph::{self, Part, beside, reach};
use crate::scene::{Images, Step, Sums, Window};

/// A stage, and where its result may be made at once.
pub struct Worker<B> {
    backend: B,
    place: Arc<Mutex<Option<FrameMut>>>,
}

/// Makes a stage for one more thread.
type Hire<B> = Box<dyn Fn() -> Result<Worker<B>> + Send + Sync>;

/// What the nodes of a plan have in common.
#[derive(Clone)]
pub struct Shared {
    /// For whole frames.
    pub plan: Arc<Plan>,
    /// Threads for each frame.
    pub threads: usize,
    /// Memory between passes.
    pub pool: Pool,
}

/// Some steps of a plan.
pub struct PassNode<B: Backend> {
    shared: Shared,
    part: Part,
    /// The values that it is made of, in the order of [`Part::sources`].
    sources: Vec<Node>,
    /// Of what comes out.
    info: VideoInfo,
    change: FormatChange,
    hire: Hire<B>,
    idle: Mutex<Vec<Worker<B>>>,
    sums: Sums,
    /// Planes that no step changes.
    unfiltered: Vec<bool>,
}

impl Shared {
    fn passes(&self, part: &Part) -> Arc<[Pass]> {
        self.plan.steps()[part.steps.clone()].iter().map(|step| step.pass.clone()).collect()
    }

    /// A stage for steps whose frames, or fields, are of that format.
    fn cpu(&self, passes: &Arc<[Pass]>, format: &Arc<Format>) -> Result<Cpu> {
        Cpu::new(passes.clone(), format.clone(), self.pool.clone(), self.threads)
    }
}

impl PassNode<Cpu> {
    /// Steps of whole frames.
    ///
    /// # Errors
    /// If they do not fit the format.
    pub fn of_frames(shared: Shared, part: Part, sources: Vec<Node>, info: VideoInfo) -> Result<Self> {
        let (own, passes) = (shared.clone(), shared.passes(&part));
        let format = graph::format(&shared.plan, part.steps.start).clone();
        let hire = move || {
            let place = Arc::<Mutex<Option<FrameMut>>>::default();
            let free = place.clone();
            let backend = own.cpu(&passes, &format)?.placing(move || lock(&free).take());
            Ok(Worker { backend, place })
        };
        Self::new(shared, part, sources, info, Box::new(hire))
    }
}

impl PassNode<Separated<Cpu>> {
    /// Steps of each field.
    ///
    /// # Errors
    /// If they do not fit the format.
    pub fn of_fields(shared: Shared, part: Part, sources: Vec<Node>, info: VideoInfo) -> Result<Self> {
        let passes: Arc<[Pass]> = shared.passes(&part).iter().map(Pass::of_field).collect();
        let [from, to] = [part.steps.start, part.steps.end].map(|value| graph::format(&shared.plan, value).clone());
        let (own, half) = (shared.clone(), Arc::new(from.field()?));
        let hire = move || {
            let fields = [own.cpu(&passes, &half)?, own.cpu(&passes, &half)?];
            Ok(Worker { backend: Separated::new(fields, &from, &to, own.pool.clone())?, place: Arc::default() })
        };
        Self::new(shared, part, sources, info, Box::new(hire))
    }
}

impl<B: Backend> PassNode<B> {
    fn new(shared: Shared, part: Part, sources: Vec<Node>, info: VideoInfo, hire: Hire<B>) -> Result<Self> {
        // The first is made now, so that whatever is wrong with the passes is said where the filter is made.
        let first = hire()?;
        let copies = |plane: usize| {
            let ops = shared.plan.steps()[part.steps.clone()].iter().map(|step| step.pass.planes.get(plane));
            ops.flatten().all(|plane| plane.op == Op::Copy && plane.after.is_none())
        };
        let formats = [part.steps.start, part.steps.end].map(|value| graph::format(&shared.plan, value).clone());
        let [from, to] = formats;
        let unfiltered = (0..to.pixel.planes()).map(|plane| from.planes_match(&to) && copies(plane)).collect();
        let is_deinterlaced = shared.plan.deinterlacer().is_some_and(|deinterlacer| deinterlacer < part.steps.end);
        let change = FormatChange { from, to, is_deinterlaced };
        let (idle, sums) = (Mutex::new(vec![first]), Sums::default());
        Ok(Self { shared, part, sources, info, change, hire, idle, sums, unfiltered })
    }

    /// How it asks for frames of each source.
    pub fn requests(&self) -> Vec<Requests> {
        let plan = &self.shared.plan;
        let looks = self.part.steps.clone().any(|k| reach(plan, k) > 0 || beside(plan, k).cuts.is_some());
        let requests = if looks { Requests::General } else { Requests::Same };
        vec![requests; self.sources.len()]
    }

    fn first(&self) -> Step<'_> {
        Step { plan: &self.shared.plan, k: self.part.steps.start, frames: self.info.num_frames >> self.splits() }
    }

    /// 1 where it makes two frames of one.
    fn splits(&self) -> u32 {
        graph::splits(&self.shared.plan, self.part.steps.clone())
    }

    fn source(&self, value: usize) -> Result<&Node> {
        let at = self.part.sources.iter().position(|source| *source == value);
        at.and_then(|at| self.sources.get(at)).with_context(|| format!("value {value} is no source of the node"))
    }

    /// Runs all steps for frame `made`.
    fn run(&self, made: i32, worker: &mut Worker<B>, context: &FrameContext<'_>, core: Core<'_>) -> Result<Picture> {
        let (start, splits) = (self.part.steps.start, self.splits());
        let n = made >> splits;
        let is_second = (splits > 0).then_some(made % 2 == 1);
        let centre = Arc::new(context.frame(self.source(start)?, n)?);
        let mut drawn = Drawn { node: self, backend: &mut worker.backend, context, images: HashMap::new() };
        let mut window = self.first().window(n, &mut drawn, &self.sums)?;
        if is_second == Some(true) {
            window.places.reverse();
            window.scan = window.scan.second();
        }
        let mark = self.matched(&mut window, n, &mut drawn)?;
        let mut target = Target::new(core, &self.info, &self.change, &centre, is_second, mark)?;
        let mut values = vec![drawn.image(start, n)?];
        *lock(&worker.place) = target.lend();
        for k in self.part.steps.clone() {
            let pass = &self.shared.plan.steps()[k].pass;
            let is_whole = pass.matching().is_some() && window.scan.weave.is_none();
            if k == start && (is_whole || pass.keeps(&window.scan)) {
                values.push(values[0].clone());
                continue;
            }
            let second = beside(&self.shared.plan, k).second;
            let places = if k == start { window.places.clone() } else { vec![Some(n)] };
            let mut images = Vec::with_capacity(places.len());
            let mut seconds = Vec::new();
            for place in &places {
                let each = |value: usize, drawn: &mut Drawn<'_, '_, B>| match (*place, value.checked_sub(start)) {
                    (None, _) => Ok(None),
                    (Some(at), Some(index)) if at == n => Ok(Some(values[index].clone())),
                    (Some(at), _) => drawn.image(value, at).map(Some),
                };
                images.push(each(k, &mut drawn)?);
                if let Some(second) = second {
                    seconds.push(each(second, &mut drawn)?);
                }
            }
            let images: Vec<Option<&B::Image>> = images.iter().map(Option::as_ref).collect();
            let seconds: Vec<Option<&B::Image>> = seconds.iter().map(Option::as_ref).collect();
            let (factor, scan, correction) = match k == start {
                true => (window.factor, window.scan, window.correction),
                false => (1.0, Scan::default(), Correction::NONE),
            };
            // Behind a step that makes two frames of one there are twice as many.
            let number = u64::from(if k == start { n } else { made }.unsigned_abs());
            let inputs = Inputs { second: &seconds, factor, scan, correction, number, ..Inputs::new(&images) };
            let made = drawn.backend.run(k - start, &inputs)?;
            values.push(made);
        }
        let made = values.pop().context("the node has no steps")?;
        drop((values, drawn));
        let pending = worker.backend.download(made)?;
        let result = worker.backend.wait(pending)?;
        target.take_back(lock(&worker.place).take());
        target.finish(result, &centre, &self.unfiltered)
    }
}

impl<B: Backend> PassNode<B> {
    /// Chooses the fields of frame `n`, if the first step matches fields; what the frame is marked as then, if that is known of
    /// all of it.
    fn matched(&self, window: &mut Window, n: i32, drawn: &mut Drawn<'_, '_, B>) -> Result<Option<FrameFields>> {
        let (plan, start) = (&self.shared.plan, self.part.steps.start);
        let Some(matching) = plan.steps()[start].pass.matching() else { return Ok(None) };
        let images = window.places.iter().map(|place| drawn.image(start, place.unwrap_or(n)));
        let images = images.collect::<Result<Vec<_>>>()?;
        let images: Vec<Option<&B::Image>> = images.iter().map(Some).collect();
        let inputs = Inputs { scan: window.scan, ..Inputs::new(&images) };
        let own = window.scan.fields[1];
        let survey = drawn.backend.survey(0, &inputs, matching.first_questions(own))?;
        let choice = chosen(drawn.backend, 0, matching, graph::format(plan, start), &inputs, survey)?;
        let [top, _] = matching.fields(own);
        window.scan.weave = choice.pair.weave(top);
        Ok(plan.steps()[start].marks.then_some(choice.fields))
    }
}

impl<B: Backend + Send + 'static> Filter for PassNode<B> {
    fn request(&self, n: i32, context: &mut FrameContext<'_>) -> Result<()> {
        let (plan, start) = (&self.shared.plan, self.part.steps.start);
        let n = n >> self.splits();
        let mut wanted = self.first().wanted(n);
        wanted.extend(self.part.sources.iter().map(|&value| (value, n >> graph::splits(plan, value..start))));
        wanted.sort_unstable();
        wanted.dedup();
        for (value, n) in wanted {
            context.request(self.source(value)?, n);
        }
        Ok(())
    }

    fn make(&self, n: i32, context: &FrameContext<'_>, core: Core<'_>) -> Result<Picture> {
        let idle = lock(&self.idle).pop();
        let mut worker = idle.map_or_else(|| (self.hire)(), Ok)?;
        // A stage that failed is not used again.
        let picture = self.run(n, &mut worker, context, core)?;
        lock(&self.idle).push(worker);
        Ok(picture)
    }
}

/// The frames that a node asked for, as its stage has them.
struct Drawn<'a, 'b, B: Backend> {
    node: &'a PassNode<B>,
    backend: &'a mut B,
    context: &'a FrameContext<'b>,
    images: HashMap<(usize, i32), B::Image>,
}

impl<B: Backend> Images for Drawn<'_, '_, B> {
    type Backend = B;

    fn backend(&mut self) -> &mut B {
        self.backend
    }

    fn image(&mut self, value: usize, n: i32) -> Result<B::Image> {
        if let Some(image) = self.images.get(&(value, n)) {
            return Ok(image.clone());
        }
        let picture = Arc::new(self.context.frame(self.node.source(value)?, n)?);
        let Shared { plan, pool, .. } = &self.node.shared;
        let image = self.backend.upload(taken(&picture, graph::format(plan, value), n, pool)?)?;
        self.images.insert((value, n), image.clone());
        Ok(image)
    }

    fn begins(&self, value: usize, n: i32) -> Option<bool> {
        let picture = self.context.frame(self.node.source(value).ok()?, n).ok()?;
        Some(picture.property("_SceneChangePrev")? != 0)
    }

    fn fields(&self, value: usize, n: i32) -> Option<FrameFields> {
        let picture = self.context.frame(self.node.source(value).ok()?, n).ok()?;
        field_order(&picture).map(FrameFields::from)
    }
}

/// What a thread that panicked left behind is as good as before: each use puts in what it needs.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
