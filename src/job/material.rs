//! What a job has to work on.

use std::sync::Arc;

use super::feed::ChunkQueue;
use super::shot::Shots;
use crate::backend::cuda::DecodingGpu;
use crate::frame::Format;
use crate::source::{CancelToken, Source};

/// Where a job's frames come from: as they are, or shot by shot for a chain that suits how noisy they are.
pub(super) enum JobInput {
    Plain(Box<dyn Source>),
    Shots(Box<Shots>),
}

impl JobInput {
    /// What gives the frames.
    pub fn source(&self) -> &dyn Source {
        match self {
            Self::Plain(source) => source.as_ref(),
            Self::Shots(shots) => shots.as_ref(),
        }
    }
}

/// What a job has of an input that it has opened itself.
pub(super) struct OwnInput<'a> {
    /// Stops it.
    pub interrupt: &'a CancelToken,
    /// Where pictures come from instead.
    pub chunks: Option<ChunkQueue>,
    /// Of the packets that take the place of pictures.
    pub passed: Option<Arc<Format>>,
    /// Where they are decoded already.
    pub early: Option<Arc<DecodingGpu>>,
}
