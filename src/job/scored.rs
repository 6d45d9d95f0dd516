//! A sink that measures how much each filtered frame differs from the one that it was.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use log::debug;
use warpreel_metric::{QualityMeter, QualitySeries};

use super::gpu::GpuChoice;
use super::request::Request;
use crate::backend::ChosenMeter;
use crate::frame::{Attachment, Format, Frame};
use crate::sink::Sink;
use crate::sink::compared::Before;

/// A sink that measures frames before it passes them on.
pub(super) struct Scored {
    sink: Box<dyn Sink>,
    before: Before,
    meter: QualityMeter,
    scores: RunScores,
}

/// Values of the frames that went through a [`Scored`], for whoever reports them.
#[derive(Clone)]
pub(super) struct RunScores(Arc<Mutex<QualitySeries>>);

impl RunScores {
    /// The values, of which none are left here.
    pub(super) fn take(&self) -> QualitySeries {
        let mut series = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let empty = series.emptied();
        std::mem::replace(&mut *series, empty)
    }
}

impl Scored {
    /// Joins them, for frames of a format, which both frames of each pair have; the values come into what is returned beside it. The
    /// request's choice of a backend is the meter's too.
    ///
    /// # Errors
    /// If threads cannot be started, or a GPU was asked for and cannot be used.
    pub(super) fn new(
        sink: Box<dyn Sink>,
        before: Before,
        format: &Arc<Format>,
        request: &Request,
    ) -> Result<(Self, RunScores)> {
        let metrics = &request.metrics;
        let device = match &request.gpus {
            Some(GpuChoice::These(numbers)) => numbers.first().copied().unwrap_or_default(),
            _ => request.device,
        };
        let chosen = ChosenMeter::make(request.backend, device, format, metrics, request.threads.filter)?;
        debug!("--metrics: measured by {}", chosen.name);
        let meter = chosen.meter;
        let scores = RunScores(Arc::new(Mutex::new(QualitySeries::new(format, metrics))));
        Ok((Self { sink, before, meter, scores: scores.clone() }, scores))
    }

    /// Adds the values of the clip.
    fn end(&self) {
        self.scores.0.lock().unwrap_or_else(PoisonError::into_inner).end(self.meter.of_clip());
    }
}

impl Sink for Scored {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let before = self.before.of(&frame)?;
        let scores = self.meter.measure(before, &frame);
        let scores = scores.with_context(|| format!("measure frame {}", frame.timing.number))?;
        self.scores.0.lock().unwrap_or_else(PoisonError::into_inner).push(&frame, &scores);
        self.sink.put(frame)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.end();
        self.sink.finish(trailer)
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.end();
        self.sink.finish_partial(rest)
    }

    fn describe(&self) -> Vec<String> {
        self.sink.describe()
    }
}
