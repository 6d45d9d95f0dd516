//! Who waits for whom: three threads, bounded channels between them, and the first cause when one fails.
//!
//! End of stream is a message; a closed channel is a failure. So a decoder's error never reaches
//! [`Sink::finish`], and a temporal tail is never flushed as if the clip had ended there. A stage whose neighbour
//! vanished returns [`Stopped`]; the run reports the first outcome, in data-path order, that is something else.
//!
//! Memory is bounded by construction: each channel holds [`CHANNEL_FRAMES`] frames, the engine what
//! [`crate::engine`] says, and decoder and encoder what their codec needs.

mod filter;
mod message;
mod monitor;
mod trace;

use std::any::Any;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread;

use anyhow::{Context, Result, anyhow};
use crossbeam_channel::{Receiver, Sender, bounded};

use crate::backend::Backend;
use crate::frame::{Frame, Pool};
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{Interrupt, Source};

use message::Message;

pub use message::Stopped;
pub use monitor::{Gauge, GaugeReading, Monitor, Readings};
pub use trace::{Doing, NO_FRAME, Span, Trace};

/// Frames that wait between two stages. One would let neighbours work at the same time; a decoder with threads gives
/// its frames in bursts, and an encoder takes them so (at a key frame, after a look-ahead), and four evens that out.
/// More only costs memory: at 4K and 4:2:0, 12 MB each.
pub const CHANNEL_FRAMES: usize = 4;

/// How a run ended that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// The output is complete.
    Complete,
    /// The user stopped it.
    Interrupted {
        /// Where what was written until then stands, if it is a file.
        kept: Option<PathBuf>,
    },
}

/// Runs a clip from source to sink, and returns when the sink has finished. Blocks for the whole clip.
///
/// The caller keeps the source, to ask it for [`Source::defects`] afterwards. The source alone knows when the clip is
/// over. Where `interrupt` is set before that, the source ends, frames that the sink has not seen are dropped, and the
/// sink completes what it has: stopping takes no longer than that.
///
/// # Errors
/// The first cause, in data-path order.
pub fn run<B: Backend + Send>(
    source: &mut dyn Source,
    backend: &mut B,
    plan: &Plan,
    sink: Box<dyn Sink>,
    pool: &Pool,
    monitor: &Monitor,
    interrupt: &Interrupt,
) -> Result<RunOutcome> {
    let (decoded, to_filter) = bounded(CHANNEL_FRAMES);
    let (filtered, to_encode) = bounded(CHANNEL_FRAMES);
    let outcomes = thread::scope(|scope| -> Result<_> {
        let decode = thread::Builder::new()
            .name("decode".into())
            .spawn_scoped(scope, move || decode(source, pool, &decoded, &monitor.decode))
            .context("start the decode thread")?;
        let filter = thread::Builder::new()
            .name("filter".into())
            .spawn_scoped(scope, move || filter::run(backend, plan, &to_filter, &filtered, &monitor.filter, interrupt))
            .context("start the filter thread")?;
        let encode = thread::Builder::new()
            .name("encode".into())
            .spawn_scoped(scope, move || encode(sink, &to_encode, &monitor.encode, interrupt))
            .context("start the encode thread")?;
        Ok((joined(decode.join()), joined(filter.join()), joined(encode.join())))
    })?;
    let (decoded, filtered, encoded) = outcomes;
    let mut outcome = RunOutcome::Complete;
    let encoded = encoded.map(|ended| outcome = ended);
    first_cause([decoded, filtered, encoded]).map(|()| outcome)
}

/// The outcome of a thread; a panic in it goes on here.
fn joined<T>(outcome: Result<Result<T>, Box<dyn Any + Send>>) -> Result<T> {
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// The first outcome that says more than that a neighbour stopped.
fn first_cause(outcomes: [Result<()>; 3]) -> Result<()> {
    let mut stopped = None;
    for outcome in outcomes {
        match outcome {
            Err(error) if error.is::<Stopped>() => stopped = Some(error),
            Err(error) => return Err(error),
            Ok(()) => {}
        }
    }
    stopped.map_or(Ok(()), Err)
}

fn decode(source: &mut dyn Source, pool: &Pool, output: &Sender<Message>, gauge: &Gauge) -> Result<()> {
    let send = |message| gauge.blocked(|| output.send(message)).map_err(|_| anyhow!(Stopped));
    let number = |next: &Result<Option<Frame>>| match next {
        Ok(Some(frame)) => frame.timing.number,
        _ => NO_FRAME,
    };
    gauge.begin();
    while let Some(frame) = gauge.busy_for("decode", number, || source.next(pool))? {
        gauge.count();
        send(Message::Frame(frame))?;
    }
    send(Message::End(source.trailer()))
}

fn encode(
    mut sink: Box<dyn Sink>,
    input: &Receiver<Message>,
    gauge: &Gauge,
    interrupt: &Interrupt,
) -> Result<RunOutcome> {
    let mut rest = Vec::new();
    gauge.begin();
    loop {
        let message = gauge.starved(|| input.recv()).map_err(|_| anyhow!(Stopped))?;
        let is_interrupted = interrupt.load(Ordering::Relaxed);
        let late = match message {
            Message::Frame(frame) if is_interrupted => {
                rest.extend(frame.timing.attachment.clone());
                continue;
            }
            Message::Frame(frame) => {
                let number = frame.timing.number;
                gauge.busy("encode", number, || sink.put(frame))?;
                gauge.count();
                continue;
            }
            Message::End(trailer) if !is_interrupted => {
                gauge.busy("finish", NO_FRAME, || sink.finish(trailer))?;
                return Ok(RunOutcome::Complete);
            }
            Message::End(trailer) => Vec::from_iter(trailer),
            Message::Interrupted(late) => late,
        };
        rest.extend(late);
        let kept = gauge.busy("finish", NO_FRAME, || sink.finish_partial(&rest))?;
        return Ok(RunOutcome::Interrupted { kept });
    }
}
