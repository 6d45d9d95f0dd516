//! GPUs that are opened beside other work.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};

use super::gpu::GpuChoice;
use super::request::{Choice, Request};
use crate::backend::cuda::{Device, Prepared, Properties};
use crate::filter::Filter;
use crate::frame::Format;
use crate::pass::Pass;

/// A GPU, or several, being opened while the input is, and while passes are compiled for them.
pub struct Opening {
    found: Receiver<Vec<Properties>>,
    state: OpeningState,
}

/// How far the opening has come.
enum OpeningState {
    UnderWay(JoinHandle<Result<Vec<Device>>>),
    /// All of them; at least one.
    Open(Vec<Device>),
    Failed(String),
}

impl Opening {
    /// Starts to open the GPU or GPUs if the request may use any. Does not block.
    pub fn start(request: &Request) -> Option<Self> {
        let (ordinal, gpus) = (request.device, request.gpus.clone());
        let (sender, found) = mpsc::channel();
        let open = move || {
            let properties = match gpus {
                None => vec![Properties::find(ordinal)?],
                Some(GpuChoice::These(numbers)) => numbers.into_iter().map(Properties::find).collect::<Result<_>>()?,
                Some(GpuChoice::All) => Properties::find_all()?,
            };
            // Nobody listens if the input could not be opened.
            let _ = sender.send(properties.clone());
            let opening: Vec<_> =
                properties.into_iter().map(|properties| thread::spawn(|| properties.open())).collect();
            let open = |thread: JoinHandle<Result<Device>>| thread.join().unwrap_or_else(|_| Err(anyhow!(Self::MUTE)));
            opening.into_iter().map(open).collect()
        };
        (request.backend != Choice::Cpu).then(|| Self { found, state: OpeningState::UnderWay(thread::spawn(open)) })
    }

    /// The same for a job whose chain is known: none where nothing is to be filtered and no GPU is asked for by name.
    pub(super) fn for_chain(request: &Request, filters: &[Filter]) -> Option<Self> {
        let is_idle = filters.is_empty() && request.backend == Choice::Auto && request.gpus.is_none();
        if is_idle { None } else { Self::start(request) }
    }

    /// The GPU, for whoever makes frames on it; the first of several. Blocks until it is open.
    ///
    /// # Errors
    /// If it cannot be used; the message says why, each time.
    pub fn device(&mut self) -> Result<Device> {
        self.devices()?.into_iter().next().context(Self::MUTE)
    }

    /// All of them.
    fn devices(&mut self) -> Result<Vec<Device>> {
        let state = std::mem::replace(&mut self.state, OpeningState::Failed(Self::MUTE.to_owned()));
        let (state, outcome) = match state {
            OpeningState::Open(devices) => (OpeningState::Open(devices.clone()), Ok(devices)),
            OpeningState::Failed(reason) => (OpeningState::Failed(reason.clone()), Err(anyhow!(reason))),
            OpeningState::UnderWay(thread) => match thread.join().unwrap_or_else(|_| Err(anyhow!(Self::MUTE))) {
                Ok(devices) => (OpeningState::Open(devices.clone()), Ok(devices)),
                Err(error) => (OpeningState::Failed(format!("{error:#}")), Err(error)),
            },
        };
        self.state = state;
        outcome
    }

    /// The GPUs, each with the passes that are compiled for it while it is being opened.
    pub(super) fn finish(mut self, passes: &Arc<[Pass]>, format: &Arc<Format>) -> Result<Vec<(Device, Prepared)>> {
        let prepare = |all: Vec<Properties>| all.iter().map(|one| one.prepare(passes, format)).collect::<Result<_>>();
        let prepared: Result<Result<Vec<Prepared>>> = self.found.recv().map(prepare).context(Self::MUTE);
        let devices = self.devices()?;
        Ok(devices.into_iter().zip(prepared??).collect())
    }

    const MUTE: &str = "opening the GPU failed without a message";
}
