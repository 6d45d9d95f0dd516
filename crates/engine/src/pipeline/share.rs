//! One clip on several backends: runs of frames go to whichever is free, and come back in order.

use std::thread;

use anyhow::{Context, Result, bail, ensure};
use crossbeam_channel::{bounded, unbounded};

use super::collect::Collector;
use super::deal::Dealer;
use super::ends::{decode, encode};
use super::lane::{self, LaneRoom};
use super::message::CHANNEL_FRAMES;
use super::monitor::Monitor;
use super::outcome::{RunOutcome, first_cause, joined};
use super::queue::RunQueue;
use super::run::Pipeline;
use super::sharing::Sharing;
use crate::backend::Backend;
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// One of several backends.
pub struct FilterLane<B> {
    /// Its number among all that there are, for whoever looks at the monitor.
    pub gpu: usize,
    /// What messages call it: `GPU 1 (NVIDIA H200)`.
    pub name: String,
    /// All were made for the same passes and format.
    pub backend: B,
}

/// All of them.
pub struct Lanes<B> {
    /// At least one.
    pub lanes: Vec<FilterLane<B>>,
    /// How a clip is shared out to them.
    pub sharing: Sharing,
}

impl<B: Backend> Lanes<B> {
    /// How many frames may have been dealt out and not come back in order: a run for each lane, so that none waits for
    /// another, what each has under way, and what comes out later than it goes in.
    pub fn room(&self, plan: &Plan) -> usize {
        let under_way: usize = self.lanes.iter().map(|lane| lane.backend.in_flight()).sum();
        let runs = self.lanes.len().saturating_mul(self.sharing.run_frames.try_into().unwrap_or(usize::MAX));
        let after = plan.margin().after.try_into().unwrap_or(usize::MAX);
        runs.saturating_add(after).saturating_add(under_way + plan.latency() + CHANNEL_FRAMES)
    }
}

impl Pipeline<'_> {
    /// As [`Self::run`], with several backends: runs of frames go to whichever is free, and what comes of them is what one
    /// backend would make of the whole. Frames have to lie on the host.
    ///
    /// Frames that have been dealt out and not come back are at most [`Lanes::room`]; with [`super::WhenLost::GoOn`] those that
    /// went in are kept beside those that came out, and for each backend that fails another run may be under way. The monitor gets
    /// a gauge for each lane.
    ///
    /// # Errors
    /// If a condition counts frames behind a step that changes how many there are, or a pass looks at several of them behind a
    /// change of the frame rate; else the first cause, in data-path order; of a backend with its name and the frame.
    pub fn share<B: Backend + Send>(
        &self,
        source: &mut dyn Source,
        lanes: &mut Lanes<B>,
        sink: Box<dyn Sink>,
    ) -> Result<RunOutcome> {
        self.watched(|monitor, interrupt| share(self, source, lanes, sink, monitor, interrupt))
    }
}

fn share<B: Backend + Send>(
    pipeline: &Pipeline<'_>,
    source: &mut dyn Source,
    lanes: &mut Lanes<B>,
    sink: Box<dyn Sink>,
    monitor: &Monitor,
    interrupt: &CancelToken,
) -> Result<RunOutcome> {
    let Pipeline { plan, pool, .. } = *pipeline;
    let (limit, Sharing { run_frames, when_lost }) = (lanes.room(plan), lanes.sharing);
    ensure!(run_frames > 0 && !lanes.lanes.is_empty(), "sharing a clip needs a GPU and runs of at least one frame");
    let condition = plan.counted_behind_change().map(|condition| format!("enable={:?}", condition.text()));
    if let Some(text) = condition.or_else(|| plan.moved_behind_change().map(ToString::to_string)) {
        bail!(
            "{text} counts frames behind a filter that changes how many there are, and no GPU sees them all; leave out \
             --gpus"
        );
    }
    if let Some(step) = plan.counting_behind_change() {
        let name = &step.pass.name;
        bail!(
            "{name:?} counts frames behind a filter that changes how many there are, and no GPU sees them all; leave out --gpus"
        );
    }
    if plan.halo_of(0..plan.steps().len()) == [u64::MAX; 2] {
        bail!(
            "a filter behind one that changes the frame rate looks at other frames, and no GPU sees them all; leave out --gpus"
        );
    }
    monitor.begin_lanes(lanes.lanes.iter().map(|lane| (lane.gpu, lane.name.clone())));
    monitor.watch_decoders(source);
    let queue = &RunQueue::new(lanes.lanes.len());
    let (decoded, to_deal) = bounded(CHANNEL_FRAMES);
    let (filtered, to_encode) = bounded(CHANNEL_FRAMES);
    let (give_room, room) = unbounded();
    (0..limit).try_for_each(|_| give_room.send(())).context("allocate memory for the frames in flight")?;
    let ((turn, turns), (hold, held)) = (unbounded(), unbounded());
    let dealer = Dealer { queue, turns: turn, held: hold, room, run_frames, interrupt };
    let more = run_frames.saturating_add(plan.latency() as u64).saturating_add(plan.margin().after);
    let collector =
        Collector { turns, held, room: Some(give_room), more, counts: plan.is_counted(), output: filtered, interrupt };
    // Where a thread cannot be started, what the others wait for goes with the closure.
    let outcomes = thread::scope(move |scope| -> Result<_> {
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        let encode =
            named("encode").spawn_scoped(scope, move || monitor.stage(|| encode(sink, &to_encode, monitor, interrupt)));
        let encode = encode.context("start the encode thread")?;
        let collect = named("collect").spawn_scoped(scope, move || collector.run());
        let collect = collect.context("start the reordering thread")?;
        let mut filters = Vec::new();
        for FilterLane { gpu, name, backend } in &mut lanes.lanes {
            let gauge = monitor.lane(*gpu).with_context(|| format!("{name} has no gauge"))?;
            let room = LaneRoom { name, plan, queue, gauge, interrupt, when_lost };
            let thread = named(&format!("filter {gpu}"))
                .spawn_scoped(scope, move || monitor.stage(|| lane::run(backend, &room)));
            filters.push(thread.with_context(|| format!("start the thread of {name}"))?);
        }
        let deal = named("deal").spawn_scoped(scope, move || dealer.run(plan, &to_deal));
        let deal = deal.context("start the distribution thread")?;
        let decode = named("decode")
            .spawn_scoped(scope, move || monitor.stage(|| decode(source, pool, &decoded, &monitor.decode)));
        let decode = decode.context("start the decode thread")?;
        let mut outcomes = vec![joined(decode.join()), joined(deal.join())];
        outcomes.extend(filters.into_iter().map(|filter| joined(filter.join())));
        outcomes.push(joined(collect.join()));
        Ok((outcomes, joined(encode.join())))
    })?;
    let (mut outcomes, encoded) = outcomes;
    let mut outcome = RunOutcome::Complete;
    outcomes.push(encoded.map(|ended| outcome = ended));
    first_cause(outcomes).map(|()| outcome)
}
