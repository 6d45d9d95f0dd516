//! Who waits for whom: three threads, bounded channels between them, and the first cause when one fails.
//!
//! End of stream is a message; a closed channel is a failure. So a decoder's error never reaches
//! [`Sink::finish`], and a temporal tail is never flushed as if the clip had ended there. A stage whose neighbour
//! vanished returns [`Stopped`]; the run reports the first outcome, in data-path order, that is something else.
//!
//! Memory is bounded by construction: each channel holds [`CHANNEL_FRAMES`] frames, the engine what
//! [`Engine`](crate::Engine) says, and decoder and encoder what their codec needs.
//!
//! Where several backends filter one clip ([`share`]), a dealer stands in the filter thread's place:
//!
//! ```text
//!                      ┌──run 0, 2, …──▶ lane: an engine on GPU 0 ──┐
//! decode ══▶ deal ─────┤                                            ├──▶ collect ══▶ encode
//!              ▲       └──run 1, 3, …──▶ lane: an engine on GPU 1 ──┘       │
//!              └─────────────────── so many frames may follow ──────────────┘
//! ```
//!
//! A run is some frames that follow each other, with those around it that filters look at, so that what comes of it is
//! a slice of what would come of the whole. Which lane takes it makes no difference: a lane takes the next when it has
//! taken in the last. Where conditions act is judged once, by the dealer, who sees all frames.

mod collect;
mod deal;
mod ends;
mod filter;
mod held;
mod lane;
mod message;
mod monitor;
mod outcome;
mod queue;
mod share;
mod sharing;

use std::thread;

use anyhow::{Context, Result};
use crossbeam_channel::bounded;

use crate::backend::Backend;
use crate::frame::Pool;
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

use outcome::{first_cause, joined};

pub use message::{CHANNEL_FRAMES, Stopped};
pub use monitor::{LaneReading, Monitor, Readings};
pub use outcome::RunOutcome;
pub use share::{FilterLane, Lanes, share};
pub use sharing::{Sharing, WhenLost};

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
    interrupt: &CancelToken,
) -> Result<RunOutcome> {
    monitor.watch_decoders(source);
    let (decoded, to_filter) = bounded(CHANNEL_FRAMES);
    let (filtered, to_encode) = bounded(CHANNEL_FRAMES);
    let outcomes = thread::scope(|scope| -> Result<_> {
        let decode = thread::Builder::new()
            .name("decode".into())
            .spawn_scoped(scope, move || monitor.stage(|| ends::decode(source, pool, &decoded, &monitor.decode)))
            .context("start the decode thread")?;
        let filter = thread::Builder::new()
            .name("filter".into())
            .spawn_scoped(scope, move || {
                monitor.stage(|| filter::run(backend, plan, &to_filter, &filtered, &monitor.filter, interrupt))
            })
            .context("start the filter thread")?;
        let encode = thread::Builder::new()
            .name("encode".into())
            .spawn_scoped(scope, move || monitor.stage(|| ends::encode(sink, &to_encode, monitor, interrupt)))
            .context("start the encode thread")?;
        Ok((joined(decode.join()), joined(filter.join()), joined(encode.join())))
    })?;
    let (decoded, filtered, encoded) = outcomes;
    let mut outcome = RunOutcome::Complete;
    let encoded = encoded.map(|ended| outcome = ended);
    first_cause([decoded, filtered, encoded]).map(|()| outcome)
}
