//! Chunks of a clip, for several machines: which frames each has, and what it reads beside them.

use std::fmt;

use anyhow::{Context, Result, anyhow};
use serde::Serialize;

use super::chain::filters;
use super::division::{ChunkChoice, Division};
use super::field::FieldPlan;
use super::input;
use super::request::{Request, TypedCut};
use super::second;
use super::shape::ChunkFormat;
use super::usage::Usage;
use crate::filter::Filter;
use crate::frame::{Format, Margin};
use crate::pass::Op;
use crate::plan::Plan;
use crate::sink::encoding::{Encoding, Fidelity};
use crate::sink::wish::{Dropped, StreamSelection, Wishes};
use crate::source::{CancelToken, FrameIndex, Portion, Source};

/// A chunk of a clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chunk {
    /// `3/8`: the third of eight.
    pub chunk: String,
    /// What `--chunk` takes too, and what spares looking through the clip again.
    pub place: String,
    /// How many frames of the clip, or of the cut of it, lie before.
    pub first: u64,
    /// How many frames it has.
    pub frames: u64,
    /// When the first is shown, in seconds.
    pub time: f64,
    /// Frames before it that are read too, because filters look at them; those before a cut's start are counted.
    pub before: u64,
    /// Frames behind it that are read too.
    pub after: u64,
    /// The frame with which decoding begins, where that is known.
    pub key_frame: Option<u64>,
}

/// Makes a source keep to a chunk. Blocks while the clip is looked through, if it has to be.
///
/// # Errors
/// If the clip cannot be looked through, or has too few frames.
pub(super) fn settle(chosen: ChunkChoice, source: &mut dyn Source, name: &str) -> Result<SettledChunk> {
    let ChunkChoice { index, count, portion } = chosen;
    let (portion, known) = match portion {
        Some(portion) => (portion, None),
        None => {
            let known = source.index()?;
            let portions = divide(&known, count, name)?;
            (portions[(index - 1) as usize], Some(known))
        }
    };
    source.keep_to(portion);
    Ok(SettledChunk { index, count, portion, known })
}

/// A chunk whose frames are known.
pub(super) struct SettledChunk {
    index: u64,
    count: u64,
    portion: Portion,
    known: Option<FrameIndex>,
}

impl SettledChunk {
    /// As [`Chunk::place`].
    pub(super) fn place(&self) -> String {
        place(self.index, self.count, self.portion)
    }

    /// What is to be said of it, with what is read around it.
    pub(super) fn told(&self, plan: &Plan) -> Chunk {
        let Self { index, count, portion, known } = self;
        Chunk::of(*index, *count, *portion, known.as_ref(), plan)
    }
}

impl Chunk {
    fn of(index: u64, count: u64, portion: Portion, known: Option<&FrameIndex>, plan: &Plan) -> Self {
        let Margin { before, after, .. } = plan.margin();
        let Portion { first, frames, from, to } = portion;
        let end = known.filter(|known| known.end.is_none()).map(|known| known.frames.len() as u64);
        let beyond = end.map_or(u64::MAX, |end| end.saturating_sub(first + frames));
        let (before, after) = (before.min(first), if to.is_none() { 0 } else { after.min(beyond) });
        Self {
            place: place(index, count, portion),
            chunk: format!("{index}/{count}"),
            first,
            frames,
            time: from as f64 * plan.format().time_base.value().unwrap_or(0.0),
            before,
            after,
            key_frame: known.and_then(|known| known.key_before(first - before)),
        }
    }
}

/// A chunk and its frames, as `--chunk` takes them.
fn place(index: u64, count: u64, Portion { first, frames, from, to }: Portion) -> String {
    let until = to.map_or_else(String::new, |to| to.to_string());
    format!("{index}/{count}@{first}+{frames}:{from}..{until}")
}

impl fmt::Display for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chunk, place, first, frames, time, before, after, key_frame } = self;
        let last = first + frames - 1;
        let key = key_frame.map_or_else(String::new, |key| format!(", decoded from key frame {key}"));
        write!(f, "chunk {chunk}: frames {first} to {last}, from {time:.3} s on{key}; ")?;
        write!(f, "also reads {before} frames before and {after} after; same as --chunk {place}")
    }
}

/// The chunks of a clip, in order.
#[derive(Clone, Debug)]
pub struct ChunkList {
    /// Each of them.
    pub chunks: Vec<Chunk>,
    /// What the chain makes of the clip's frames, where it changes their size or shape.
    pub frames: Option<ChunkFormat>,
    /// The part that they make up, as it is typed: a second clip of the chain may end it.
    pub cut: TypedCut,
}

/// All chunks of a request's clip for its chain. Blocks while the clip is looked through.
///
/// # Errors
/// If the clip cannot be opened or looked through, the chain cannot be parsed, or has a state that no chunk can know.
pub fn chunks(request: &Request, division: Division, interrupt: &CancelToken) -> Result<ChunkList> {
    let filters = filters(request)?;
    let request = &second::ended_request(request.clone(), &filters, interrupt)?;
    let mut source = input::open(request, interrupt)?.0;
    let planned = FieldPlan::of(&filters, source.format(), request)?;
    check(&planned.plan)?;
    let index = source.index()?;
    let count = match division {
        Division::Count(count) => count,
        Division::Length(length) => (index.frames.len() as u64).div_ceil(length.max(1)).max(1),
    };
    let portions = divide(&index, count, &request.input)?;
    let told = |(number, portion)| Chunk::of(number, count, portion, Some(&index), &planned.plan);
    let frames = ChunkFormat::of(planned.plan.format(), &planned.plan.output());
    Ok(ChunkList { chunks: (1..).zip(portions).map(told).collect(), frames, cut: request.cut.clone() })
}

fn divide(index: &FrameIndex, count: u64, name: &str) -> Result<Vec<Portion>> {
    index.divide(count).with_context(|| format!("cut {name:?} into chunks"))
}

/// Refuses what no chunk can know, a state that goes back to the clip's first frame, and what all would write.
///
/// # Errors
/// That, with the filter's words.
pub(super) fn check(plan: &Plan) -> Result<(), Usage> {
    plan.check_one_for_one("a chunk").map_err(Usage::of)?;
    if let Some(name) = plan.steps().iter().flat_map(|step| step.pass.ops()).find_map(Op::told) {
        return Err(Usage::of(anyhow!("every chunk would write vectors={name:?}; filter the clip in one run")));
    }
    if plan.margin().before < u64::MAX {
        return Ok(());
    }
    let keeps = |text: &&String| text.contains("st(") || text.contains("ld(") || text.contains("random");
    let conditions = plan.bypasses().iter().filter_map(|bypass| bypass.enable.as_ref());
    let places =
        plan.steps().iter().filter_map(|step| step.trajectory.as_ref()).filter(|place| place.margin().before > 0);
    let conditions = conditions.map(|enable| format!("enable={:?}", enable.text()));
    let texts: Vec<String> = conditions.chain(places.map(ToString::to_string)).collect();
    let which = texts.iter().find(keeps).or_else(|| texts.last()).cloned().unwrap_or_default();
    Err(Usage::of(anyhow!(
        "{which} keeps state from the clip's first frame, which a chunk does not have; filter the clip in one run, or write the expression with n and t"
    )))
}

/// Refuses what does not go with chunks, before anything is opened; `joins` tells whether a program gives some to join.
///
/// # Errors
/// That, with what to type.
pub(super) fn check_together(request: &Request, filters: &[Filter], joins: bool) -> Result<(), Usage> {
    let joins = joins || request.chunks_from.is_some();
    if joins && !filters.is_empty() {
        return Err(Usage::of(anyhow!("--chunks-from joins chunks that are already filtered; leave out -f")));
    }
    if joins && request.chunk.is_some() {
        return Err(Usage::of(anyhow!("--chunk makes chunks and --chunks-from joins them; leave out one of them")));
    }
    if joins && request.passes_packets() {
        let Request { encoding, compare, metrics, .. } = request;
        let is_lossless = encoding.fidelity == Fidelity::Lossless;
        let options =
            [(compare.is_some(), "--compare"), (!metrics.is_empty(), "--metrics"), (is_lossless, "--lossless")];
        let given = options.iter().find(|(is_given, _)| *is_given).map(|(_, option)| *option);
        if let Some(option) = given.or(Encoding { codec: None, ..encoding.clone() }.needless(false)) {
            let advice = "leave it out, or choose it for each chunk";
            return Err(Usage::of(anyhow!("{option} has no effect: --codec copy joins chunks as they are; {advice}")));
        }
    }
    Ok(())
}

/// A chunk has pictures alone.
pub(super) fn alone() -> Wishes {
    Wishes {
        audio: StreamSelection::None,
        subtitles: StreamSelection::None,
        drop: Dropped { data: true, ..Dropped::default() },
    }
}

/// How many frames have to come, and what is said otherwise, where frames are counted: by a condition, or by `--frames`.
pub(super) fn due(chunk: &Chunk, plan: &Plan, request: &Request) -> Option<(u64, String)> {
    let is_counted = plan.margin().counts || request.cut.frames.is_some();
    let Chunk { chunk: name, frames, .. } = chunk;
    let otherwise = format!(
        "chunk {name}: the packets of {:?} do not give the number of frames; filter it in one run, or type --end=#N for --frames",
        request.input
    );
    is_counted.then_some((*frames, otherwise))
}

/// What the frames of a chunk are, for a message where those of a clip differ.
pub(super) fn describe(format: &Format) -> String {
    format!("{} {}x{}", format.pixel.name(), format.width, format.height)
}
