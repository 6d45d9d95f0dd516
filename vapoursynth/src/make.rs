//! A chain over a clip as nodes.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use warpreel_filter::filter::Filter;
use warpreel_filter::pass::Op;
use warpreel_filter::plan::{Plan, plan};
use warpreel_frame::{FieldOrder, Format, Pool};

use crate::ffi::{self, Core, Node, VideoInfo};
use crate::format::{Facts, doubled, format_of, info_of};
use crate::gpu::GpuNode;
use crate::graph::{self, parts};
use crate::measured;
use crate::node::{PassNode, Shared};
use crate::option::{Choice, Options};
use crate::wording::reworded;

/// A clip as filters see it.
pub struct Clip {
    node: Node,
    info: VideoInfo,
    /// Of its frames.
    pub format: Arc<Format>,
    /// Whether a frame was asked.
    is_known: bool,
}

impl Clip {
    /// Asks what a clip is; its first frame, where the options leave something to its properties. Blocks until that is
    /// there.
    ///
    /// # Errors
    /// If filters have no such format, or the frame cannot be made.
    pub fn new(node: Node, options: &Options) -> Result<Self> {
        let info = node.info();
        let format = format_of(&info, Facts::default())?;
        let is_known = options.separates.is_some() && options.range.is_some();
        let clip = Self { node, info, format: Arc::new(format), is_known: false };
        if is_known { clip.ranged(options) } else { clip.asked(options) }
    }

    /// The same with the range that was given.
    fn ranged(self, options: &Options) -> Result<Self> {
        let range = options.range.unwrap_or_default();
        Ok(Self { format: Arc::new(format_of(&self.info, Facts { range, ..Facts::default() })?), ..self })
    }

    /// The same with the properties of its first frame. Blocks until that is there.
    fn asked(self, options: &Options) -> Result<Self> {
        if self.is_known {
            return Ok(self);
        }
        let found = Facts::of(&self.node.fetch(0)?);
        let range = options.range.unwrap_or(found.range);
        Ok(Self { format: Arc::new(format_of(&self.info, Facts { range, ..found })?), is_known: true, ..self })
    }
}

/// The last node of a chain over a clip. `name` is what its nodes are called in messages.
///
/// # Errors
/// If the filters do not fit the clip, or the GPU that was asked for cannot be used.
pub fn nodes(core: Core<'_>, name: &str, clip: Clip, filters: Vec<Filter>, options: &Options) -> Result<Node> {
    if let Some(written) = filters.iter().find_map(Filter::file_written) {
        bail!("{written} cannot be written: a plugin gives frames alone; leave the name of the file out");
    }
    if let Some(companion) = filters.iter().find_map(Filter::companion) {
        bail!("{:?} is not read by a plugin; load it in the script, and take std.Expr or std.Merge", companion.path);
    }
    // Where chroma lies, what shape pixels have and which field is first is known of frames alone.
    let changes = filters.iter().any(|filter| filter.spec.change.is_some() || filter.is_deinterlacer());
    let Clip { node, info, format, .. } = if changes { clip.asked(options)? } else { clip };
    let filters = measured::settled(&node, &format, filters)?;
    let (plan, separates) = planned(&filters, &format, options)?;
    if plan.steps().is_empty() {
        return Ok(node);
    }
    let plan = Arc::new(plan);
    if options.choice != Choice::Cpu {
        let splits = plan.count_changes().next().is_some();
        let matches = plan.steps().iter().any(|step| step.pass.matching().is_some());
        let made = match (separates, splits) {
            _ if matches => Err(anyhow!("fields are matched on the CPU; pass backend=\"cpu\"")),
            (true, _) => Err(anyhow!("separate fields are filtered on the CPU; pass fields=\"frame\"")),
            (_, true) => {
                Err(anyhow!("a frame of each field is made on the CPU; pass one frame for each, or backend=\"cpu\""))
            }
            (false, false) => GpuNode::new(core, &plan, &node, &info, options),
        };
        match made {
            Ok(filter) => {
                let requests = filter.requests();
                return ffi::filter(core, name, &info_of(core, &plan.output(), &info)?, filter, &[(&node, requests)]);
            }
            Err(error) if options.choice == Choice::Cuda => {
                return Err(error).context("backend=\"cuda\"");
            }
            Err(error) => core.log(false, &reworded(&format!("{name}: filtering on the CPU: {error:#}"))),
        }
    }
    let shared = Shared { plan, threads: options.threads, pool: Pool::heap() };
    cpu(core, name, node, &info, shared, separates)
}

/// The plan for a clip, and whether its fields are separated.
fn planned(filters: &[Filter], format: &Arc<Format>, options: &Options) -> Result<(Plan, bool)> {
    if let Some(filter) = filters.iter().find(|filter| filter.changes_rate()) {
        bail!(
            "{}: frame rates are not changed here; use std.AssumeFPS, std.SelectEvery, vivtc.VDecimate or the warpreel program",
            filter.text
        );
    }
    if !options.separates(format.fields) || filters.is_empty() || deinterlaces(filters, format.fields, options)? {
        let plan = plan(filters, format)?;
        if let Some(split) = plan.count_changes().find(|&split| is_uneven(&plan, split)) {
            bail!(
                "{}: how many frames come out depends on which are interlaced; pass deint=\"all\", or one frame for each",
                plan.steps()[split].pass.name
            );
        }
        return Ok((plan, false));
    }
    let half = format.field().ok();
    let half = half.context(
        "the clip is interlaced, and its height does not divide into two fields; pass fields=\"frame\", or crop it",
    )?;
    for filter in filters {
        let Some(what) = filter.field_obstacle([&half, format]) else { continue };
        bail!("{}: {what} cannot be applied to fields; pass fields=\"frame\"", filter.text);
    }
    Ok((plan(filters, &Arc::new(half))?.of_fields(format)?, true))
}

/// Whether a step makes two frames of some and leaves others as they are, so that it takes counting to know which frame of the
/// output is made of which.
fn is_uneven(plan: &Plan, split: usize) -> bool {
    let marked = |op: &Op| op.facts().deinterlacing().is_some_and(|fields| fields.marked_only);
    plan.steps()[split].pass.ops().any(marked)
}

/// Whether a chain for an interlaced clip has a deinterlacer, so that whole frames are filtered.
///
/// # Errors
/// If its fields are to be separated, or filters before it would meet interlaced frames.
fn deinterlaces(filters: &[Filter], fields: FieldOrder, options: &Options) -> Result<bool> {
    let Some(place) = filters.iter().position(Filter::is_deinterlacer) else { return Ok(false) };
    let name = filters[place].spec.name;
    if options.separates == Some(true) {
        bail!("{name} needs whole frames; leave out fields=\"separate\"");
    }
    if place > 0 && options.separates(fields) {
        let first = filters[0].spec.name;
        bail!(
            "{first} before {name} would mix the fields of interlaced frames; put {name} first, or pass fields=\"frame\" to filter whole frames"
        );
    }
    Ok(true)
}

/// A node for each part of the plan.
fn cpu(core: Core<'_>, name: &str, clip: Node, like: &VideoInfo, shared: Shared, separates: bool) -> Result<Node> {
    let mut made = vec![(0, clip)];
    for part in parts(&shared.plan) {
        let source = |value: &usize| {
            let node = made.iter().find(|(known, _)| known == value).map(|(_, node)| node.clone());
            node.with_context(|| format!("value {value} is not made"))
        };
        let sources = part.sources.iter().map(source).collect::<Result<Vec<_>>>()?;
        let end = part.steps.end;
        let info = info_of(core, graph::format(&shared.plan, end), like)?;
        let info = doubled(info, graph::splits(&shared.plan, 0..end))?;
        let node = match separates {
            true => single(
                core,
                name,
                PassNode::of_fields(shared.clone(), part.clone(), sources.clone(), info)?,
                &sources,
                &info,
            ),
            false => single(
                core,
                name,
                PassNode::of_frames(shared.clone(), part.clone(), sources.clone(), info)?,
                &sources,
                &info,
            ),
        };
        made.push((end, node?));
    }
    let (_, last) = made.pop().context("the chain has no steps")?;
    Ok(last)
}

fn single<B>(core: Core<'_>, name: &str, filter: PassNode<B>, sources: &[Node], info: &VideoInfo) -> Result<Node>
where
    B: warpreel_filter::backend::Backend + Send + 'static,
{
    let requests = filter.requests();
    let sources: Vec<_> = sources.iter().zip(requests).collect();
    ffi::filter(core, name, info, filter, &sources)
}
