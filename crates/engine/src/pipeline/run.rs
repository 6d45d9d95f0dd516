//! One clip on one backend.

use std::thread;

use anyhow::{Context, Result};
use crossbeam_channel::bounded;

use super::message::CHANNEL_FRAMES;
use super::monitor::Monitor;
use super::outcome::{RunOutcome, first_cause, joined};
use super::{ends, filter};
use crate::backend::Backend;
use crate::frame::Pool;
use crate::plan::Plan;
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// A plan, the memory of its frames, and who watches and stops the run. It may run several clips of the plan's format, one
/// after another or at once.
///
/// ```
/// # use warpreel_engine::pipeline::{Monitor, Pipeline, RunOutcome};
/// # use warpreel_filter::plan::Plan;
/// # use warpreel_filter::backend::Backend;
/// # use warpreel_frame::sink::Sink;
/// # use warpreel_frame::source::{CancelToken, Source};
/// # use warpreel_frame::Pool;
/// fn filter<B: Backend + Send>(
///     source: &mut dyn Source,
///     backend: &mut B,
///     plan: &Plan,
///     sink: Box<dyn Sink>,
///     stop: &CancelToken,
/// ) -> anyhow::Result<RunOutcome> {
///     let (pool, monitor) = (Pool::heap(), Monitor::default());
///     Pipeline::new(plan, &pool).monitor(&monitor).cancel(stop).run(source, backend, sink)
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Pipeline<'a> {
    pub(super) plan: &'a Plan,
    pub(super) pool: &'a Pool,
    monitor: Option<&'a Monitor>,
    cancel: Option<&'a CancelToken>,
}

impl<'a> Pipeline<'a> {
    /// Sources write frames into memory of `pool`.
    pub fn new(plan: &'a Plan, pool: &'a Pool) -> Self {
        Self { plan, pool, monitor: None, cancel: None }
    }

    /// Counts frames and times stages in `monitor`, which may be read meanwhile.
    pub fn monitor(self, monitor: &'a Monitor) -> Self {
        Self { monitor: Some(monitor), ..self }
    }

    /// Where `cancel` is set before the end of the clip, the source ends (it has to look at the same token), frames that the
    /// sink has not seen are dropped, and the sink completes what it has: stopping takes no longer than that.
    pub fn cancel(self, cancel: &'a CancelToken) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// Runs a clip from source to sink, and returns when the sink has finished. Blocks for the whole clip.
    ///
    /// The caller keeps the source, to ask it for [`Source::defects`] afterwards. The source alone knows when the clip is
    /// over.
    ///
    /// # Errors
    /// The first cause, in data-path order.
    pub fn run<B: Backend + Send>(
        &self,
        source: &mut dyn Source,
        backend: &mut B,
        sink: Box<dyn Sink>,
    ) -> Result<RunOutcome> {
        self.watched(|monitor, cancel| {
            let Self { plan, pool, .. } = *self;
            monitor.watch_decoders(source);
            let (decoded, to_filter) = bounded(CHANNEL_FRAMES);
            let (filtered, to_encode) = bounded(CHANNEL_FRAMES);
            let outcomes = thread::scope(|scope| -> Result<_> {
                let decode = thread::Builder::new()
                    .name("decode".into())
                    .spawn_scoped(scope, move || {
                        monitor.stage(|| ends::decode(source, pool, &decoded, &monitor.decode))
                    })
                    .context("start the decode thread")?;
                let filter = thread::Builder::new()
                    .name("filter".into())
                    .spawn_scoped(scope, move || {
                        monitor.stage(|| filter::run(backend, plan, &to_filter, &filtered, &monitor.filter, cancel))
                    })
                    .context("start the filter thread")?;
                let encode = thread::Builder::new()
                    .name("encode".into())
                    .spawn_scoped(scope, move || monitor.stage(|| ends::encode(sink, &to_encode, monitor, cancel)))
                    .context("start the encode thread")?;
                Ok((joined(decode.join()), joined(filter.join()), joined(encode.join())))
            })?;
            let (decoded, filtered, encoded) = outcomes;
            let mut outcome = RunOutcome::Complete;
            let encoded = encoded.map(|ended| outcome = ended);
            first_cause([decoded, filtered, encoded]).map(|()| outcome)
        })
    }

    /// Whoever watches and stops the run, or nobody.
    pub(super) fn watched<T>(&self, run: impl FnOnce(&Monitor, &CancelToken) -> T) -> T {
        let (own, never);
        let monitor = match self.monitor {
            Some(monitor) => monitor,
            None => {
                own = Monitor::default();
                &own
            }
        };
        let cancel = match self.cancel {
            Some(cancel) => cancel,
            None => {
                never = CancelToken::default();
                &never
            }
        };
        run(monitor, cancel)
    }
}
