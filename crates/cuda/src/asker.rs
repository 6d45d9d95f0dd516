//! Whoever counts what is asked about the windows of a pass.

use std::sync::Arc;

use anyhow::Result;

use crate::frame::Format;
use crate::pass::Pass;

use super::answer::AnswerSlot;
use super::decimate::ChangeCounter;
use super::device::Device;
use super::stream::Streams;
use super::survey::{SurveyedWindow, Surveyor};

/// Kernels for the questions of a pass.
pub(super) enum Asker {
    /// Which fields fit.
    Fields(Surveyor),
    /// How much a frame differs from the one before.
    Changes(ChangeCounter),
}

impl Asker {
    /// Those of a pass on frames of a format, if it asks anything.
    pub(super) fn of(device: &Device, format: &Arc<Format>, pass: &Pass) -> Result<Option<Self>> {
        if let Some(op) = &pass.decimation {
            return ChangeCounter::new(device, format, op).map(|counter| Some(Self::Changes(counter)));
        }
        let surveyor = pass.matching().map(|op| Surveyor::new(device, format, op));
        Ok(surveyor.transpose()?.map(Self::Fields))
    }

    /// Memory on the GPU.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Fields(surveyor) => surveyor.bytes(),
            Self::Changes(counter) => counter.bytes(),
        }
    }

    /// Starts to count, as [`Surveyor::start`] and [`ChangeCounter::start`].
    pub(super) fn start(&self, device: &Device, streams: &Streams, window: &SurveyedWindow<'_>) -> Result<AnswerSlot> {
        let [before, own, _] = window.images;
        match self {
            Self::Fields(surveyor) => surveyor.start(device, streams, window),
            Self::Changes(counter) => counter.start(device, streams, [own, before]),
        }
    }
}
