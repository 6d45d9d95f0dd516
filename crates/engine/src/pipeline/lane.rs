//! A lane: an engine on one of several backends, which takes run after run without a pause between them.

use std::cell::Cell;
use std::collections::VecDeque;
use std::mem;

use anyhow::{Result, anyhow};
use crossbeam_channel::TryRecvError;

use super::message::{Deal, Filtered, FrameRun, Stopped};
use super::queue::{RunQueue, Taken};
use super::sharing::WhenLost;
use crate::backend::Backend;
use crate::frame::Frame;
use crate::gauge::{Gauge, NO_FRAME};
use crate::plan::Plan;
use crate::source::CancelToken;
use crate::{Engine, Observer, Outlet};

/// What a lane works with beside its backend.
pub(super) struct LaneRoom<'a> {
    pub(super) name: &'a str,
    pub(super) plan: &'a Plan,
    pub(super) queue: &'a RunQueue,
    pub(super) gauge: &'a Gauge,
    pub(super) interrupt: &'a CancelToken,
    pub(super) when_lost: WhenLost,
}

/// Stops all lanes where one ends before its time, in a panic too.
struct LaneAlarm<'a> {
    queue: &'a RunQueue,
    is_done: bool,
}

impl Drop for LaneAlarm<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.queue.stop();
        }
    }
}

/// Filters runs until there are no more, or the user stops it. Blocks.
///
/// # Errors
/// What the backend failed at, with its name and the frame; also [`Stopped`].
pub(super) fn run<B: Backend>(backend: &mut B, room: &LaneRoom<'_>) -> Result<()> {
    let mut alarm = LaneAlarm { queue: room.queue, is_done: false };
    let seen = Latest { gauge: room.gauge, frame: Cell::new(NO_FRAME) };
    let mut out = Outbox { under_way: VecDeque::new(), room };
    let outcome = filter(backend, &seen, &mut out);
    match outcome {
        Ok(LaneEnding::Complete) => alarm.is_done = true,
        Ok(LaneEnding::Interrupted) => {}
        Err(error) if error.is::<Stopped>() => return Err(error),
        Err(error) => {
            let frame = seen.frame.get();
            let place = if frame == NO_FRAME { String::new() } else { format!(" at frame {frame}") };
            let fault = format!("{} failed{place}", room.name);
            let oldest = out.under_way.front().map(|run| run.rest.output.clone());
            let runs = out.under_way.into_iter().map(RunUnderWay::for_another).collect();
            if room.when_lost == WhenLost::Fail || !room.queue.hand_over(runs) {
                return Err(error.context(fault));
            }
            alarm.is_done = true;
            // Not before the others can have its runs. Where the oldest is done by now, nobody waits.
            oldest.iter().for_each(|output| output.send(Filtered::Lost).unwrap_or_default());
            log::warn!("{fault}; the other GPUs take over its frames: {error:#}");
        }
    }
    Ok(())
}

/// How a lane ends that has not failed.
enum LaneEnding {
    Complete,
    Interrupted,
}

fn filter<B: Backend>(backend: &mut B, seen: &Latest<'_>, out: &mut Outbox<'_>) -> Result<LaneEnding> {
    let LaneRoom { plan, queue, gauge, interrupt, .. } = *out.room;
    let mut engine = Engine::observed(backend, plan.clone(), seen)?;
    gauge.begin();
    loop {
        let taken = match queue.try_take() {
            Taken::Nothing if engine.advance(out)? => continue,
            Taken::Nothing => gauge.starved(|| queue.take()),
            taken => taken,
        };
        let Taken::Run(run) = taken else {
            return Ok(if interrupt.is_cancelled() { LaneEnding::Interrupted } else { LaneEnding::Complete });
        };
        out.take(run);
        loop {
            if interrupt.is_cancelled() {
                return Ok(LaneEnding::Interrupted);
            }
            match out.receive() {
                Ok(Deal::Frame(frame, verdict)) => {
                    out.see(&frame);
                    engine.push_judged(frame, &verdict, out)?;
                }
                Ok(Deal::End(until)) => {
                    engine.go_on_at(until);
                    let due = engine.finish_and_restart(out)?;
                    out.end(due);
                    out.settle()?;
                    break;
                }
                Err(TryRecvError::Empty) if engine.advance(out)? => {}
                Err(TryRecvError::Empty) => gauge.starved(|| out.wait()),
                // Why the clip has no end is for the dealer to say.
                Err(TryRecvError::Disconnected) => return Ok(LaneEnding::Interrupted),
            }
        }
    }
}

/// Tells a gauge what is done, and knows which frame it was done to.
struct Latest<'a> {
    gauge: &'a Gauge,
    frame: Cell<u64>,
}

impl Observer for Latest<'_> {
    fn done<T>(&self, what: &str, number: u64, result: T) -> T {
        self.frame.set(number);
        self.gauge.done(what, number, result)
    }
}

/// Where frames go, each to the run that it is of.
struct Outbox<'a> {
    /// Those of which not all frames came out, the oldest first. The last is the one that is fed.
    under_way: VecDeque<RunUnderWay>,
    room: &'a LaneRoom<'a>,
}

/// A run in an engine.
struct RunUnderWay {
    /// The run as another lane would have to take it.
    rest: FrameRun,
    /// What is taken again before the input.
    again: VecDeque<Deal>,
    /// The latest of its own frames that went in.
    newest: Option<u64>,
    /// How many frames come out of it; known when all went in.
    due: Option<u64>,
    /// How many came out, those that had come out of another lane among them.
    come: u64,
}

impl RunUnderWay {
    fn for_another(mut self) -> FrameRun {
        self.rest.again.extend(self.again);
        self.rest
    }
}

impl Outbox<'_> {
    fn take(&mut self, mut run: FrameRun) {
        let again = VecDeque::from(mem::take(&mut run.again));
        self.under_way.push_back(RunUnderWay { rest: run, again, newest: None, due: None, come: 0 });
    }

    /// What is next for the latest run. Does not block.
    fn receive(&mut self) -> Result<Deal, TryRecvError> {
        let keeps = self.room.when_lost == WhenLost::GoOn;
        let run = self.under_way.back_mut().ok_or(TryRecvError::Disconnected)?;
        let deal = run.again.pop_front().map_or_else(|| run.rest.input.try_recv(), Ok)?;
        if keeps {
            run.rest.again.push(deal.clone());
        }
        Ok(deal)
    }

    /// Takes note of the next frame of the latest run.
    fn see(&mut self, frame: &Frame) {
        let number = Some(frame.timing.number).filter(|_| !frame.timing.is_margin);
        self.under_way.back_mut().iter_mut().for_each(|run| run.newest = number.or(run.newest));
    }

    /// Takes note of how many frames come out of the latest run, all of which went in.
    fn end(&mut self, due: u64) {
        self.under_way.back_mut().iter_mut().for_each(|run| run.due = Some(due));
    }

    /// Blocks until there is something for the latest run.
    fn wait(&self) {
        let Some(run) = self.under_way.back() else { return };
        let mut select = crossbeam_channel::Select::new();
        select.recv(&run.rest.input);
        select.ready();
    }

    /// Says of runs that they are complete.
    fn settle(&mut self) -> Result<()> {
        while let Some(run) = self.under_way.front().filter(|run| run.due == Some(run.come)) {
            run.rest.output.send(Filtered::End(run.newest)).map_err(|_| anyhow!(Stopped))?;
            self.under_way.pop_front();
            self.room.queue.finish();
        }
        Ok(())
    }
}

impl Outlet for Outbox<'_> {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let Some(run) = self.under_way.front_mut() else { return Err(anyhow!(Stopped)) };
        run.come += 1;
        if run.come > run.rest.done {
            run.rest.done = run.come;
            self.room.gauge.count();
            run.rest.output.send(Filtered::Frame(frame)).map_err(|_| anyhow!(Stopped))?;
        }
        self.settle()
    }
}
