//! Jobs of the videos beside the first, where all are filtered: each has its own source, plan and backend, and gives its
//! packets to the output of the first.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};

use super::input::{self, Inheritance};
use super::interrupted::Interrupted;
use super::kind::{Destination, OutputKind};
use super::material::OwnInput;
use super::open::Job;
use super::opening::Opening;
use super::output::{self, Begun};
use super::report::Report;
use super::request::{DecoderChoice, Request, TypedCut, VideoChoice};
use super::usage::Usage;
use crate::filter::Filter;
use crate::libav::SourceInfo;
use crate::pass::Op;
use crate::pipeline::Monitor;
use crate::sink::container::{ExtraVideo, PeerStopped};
use crate::sink::encoding::Encoding;
use crate::source::CancelToken;

impl Job {
    /// Refuses what does not go together with several videos.
    ///
    /// # Errors
    /// [`Usage`] with what to type instead.
    pub(super) fn check_extras(request: &Request, is_join: bool) -> Result<()> {
        if request.videos == VideoChoice::First {
            return Ok(());
        }
        let TypedCut { start, end, frames, .. } = &request.cut;
        let counts = [start, end].into_iter().flatten().any(|point| point.starts_with('#')) || frames.is_some();
        let fault = match () {
            () if request.kind() != OutputKind::Container => {
                "has no effect on outputs of one video; name a file such as out.mkv"
            }
            () if request.chunk.is_some() || is_join => {
                "filters whole clips; filter each video by itself in chunks, or leave out --chunk and --chunks-from"
            }
            () if input::is_stream(&request.input) => "reads the input once for each video; name a file",
            () if counts => {
                "needs a part in seconds, since frames of each video have other times; type --start and --duration"
            }
            () if !request.metrics.is_empty() => {
                "filters several videos, and --metrics measures one; leave out one of them"
            }
            () => return Ok(()),
        };
        Err(Usage::of(anyhow!("--video all {fault}")).into())
    }

    /// The jobs of the other videos of an input, and what its output has to know of them.
    ///
    /// # Errors
    /// As [`Job::open`], with the stream and how to leave it out.
    pub(super) fn extras(
        request: &Request,
        filters: &[Filter],
        source_info: &Inheritance,
        interrupt: &CancelToken,
    ) -> Result<Vec<(Self, ExtraVideo)>> {
        let Some(source_info) = source_info.as_deref().filter(|_| request.videos == VideoChoice::All) else {
            return Ok(Vec::new());
        };
        let wanted =
            source_info.extra_videos().into_iter().filter(|index| request.encoding.wishes.want(source_info, *index));
        let open = |index| {
            let opened = Self::extra(request, filters, index, interrupt);
            opened.map_err(|error| match error.is::<Usage>() || error.is::<Interrupted>() {
                true => error,
                false => anyhow!("{}: {error:#}; or leave it out with --drop {index}", source_info.title(index)),
            })
        };
        wanted.map(open).collect()
    }

    fn extra(
        request: &Request,
        filters: &[Filter],
        index: usize,
        interrupt: &CancelToken,
    ) -> Result<(Self, ExtraVideo)> {
        let request = Request {
            video: Some(index),
            videos: VideoChoice::First,
            decoder: DecoderChoice::Software,
            decode_lanes: 0,
            gpus: None,
            ..request.clone()
        };
        let opening = Opening::for_chain(&request, filters);
        let (source, source_info) = input::open(&request, interrupt)?;
        let source_info: Arc<SourceInfo> = source_info.context("only containers hold several videos")?;
        let own = OwnInput { interrupt, chunks: None, passed: None, early: None };
        let mut video = None;
        let job = Self::assemble(request, filters, source, opening, Some(own), |request, _, joint, _| {
            let encoding = Encoding {
                strict: output::strictness(request),
                threads: request.threads.encode,
                ..request.encoding.clone()
            };
            let named = match request.destination() {
                Destination::Path(path) => path.to_string_lossy().into_owned(),
                Destination::Nowhere | Destination::Stdout | Destination::Address(_) => request.output.clone(),
            };
            let (sink, extra) = ExtraVideo::open(&named, &joint.format, source_info, &encoding)?;
            video = Some(extra);
            Ok(Begun { sink: joint.join(Box::new(sink)), streams: Vec::new(), encoder: None, reads_device: false })
        })?;
        let told = job.plan.steps().iter().any(|step| step.pass.ops().any(|op| Op::told(op).is_some()));
        ensure!(
            !told,
            Usage::of(anyhow!("one file of vectors cannot hold those of several videos; leave out --video all"))
        );
        let video = video.context("the video has no encoder")?;
        Ok((Self { interrupt: interrupt.clone(), ..job }, video))
    }

    /// Runs it beside the jobs of the other videos. The cause of a failure is the first that is not another's.
    pub(super) fn with_extras(mut self, monitor: &Monitor) -> (Report, Result<()>) {
        let extras = std::mem::take(&mut self.extras);
        thread::scope(|scope| {
            let start = |job: Self| {
                let work = move || job.alone(&Monitor::default()).1;
                thread::Builder::new().name("video".into()).spawn_scoped(scope, work).context("start a thread")
            };
            let running: Vec<_> = extras.into_iter().map(start).collect();
            let (mut report, own) = self.alone(monitor);
            let others = running.into_iter().map(|thread| thread?.join().unwrap_or_else(|panic| resume_unwind(panic)));
            let outcomes: Vec<_> = std::iter::once(own).chain(others).collect();
            let mut faults: Vec<_> = outcomes.into_iter().filter_map(Result::err).collect();
            let cause = faults.iter().position(|fault| !fault.is::<PeerStopped>()).unwrap_or(0);
            let outcome = if faults.is_empty() { Ok(()) } else { Err(faults.swap_remove(cause)) };
            report.error = outcome.as_ref().err().map(|error| format!("{error:#}"));
            (report, outcome)
        })
    }
}
