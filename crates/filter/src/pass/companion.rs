//! Another clip whose frames a pass reads beside its own.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use crate::frame::Format;
use crate::frame::source::Source;

/// Opens the clips that filters name.
pub trait ClipOpener: Send + Sync {
    /// Opens a clip by its name, as typed, whose frames are to be of a format: sources of another size, subsampling, depth or
    /// colour family are converted. Frames are given from `from` on, a time of the clip, or from a frame before that. Blocks while the
    /// beginning is read.
    ///
    /// # Errors
    /// If it cannot be read or converted.
    fn open(&self, path: &str, format: &Arc<Format>, from: Duration) -> Result<Box<dyn Source>>;
}

/// Opener of the clips that filters name, shared by all filters of a chain.
#[derive(Clone)]
pub struct Clips(Arc<dyn ClipOpener>);

impl Clips {
    /// Clips opened by `opener`.
    pub fn new(opener: impl ClipOpener + 'static) -> Self {
        Self(Arc::new(opener))
    }

    /// Opens one, as [`ClipOpener::open`].
    ///
    /// # Errors
    /// As [`ClipOpener::open`].
    pub fn open(&self, path: &str, format: &Arc<Format>, from: Duration) -> Result<Box<dyn Source>> {
        self.0.open(path, format, from)
    }
}

impl fmt::Debug for Clips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clips")
    }
}

impl PartialEq for Clips {
    /// Always: filters that differ in nothing else do the same.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Another clip that a pass reads, matched by time: each frame meets the latest frame of the other clip that is shown no later than
/// it. Times are counted from the beginning of both files. Before the other clip's first frame, frames stay as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanionClip {
    /// The name of the clip, as typed.
    pub path: Arc<str>,
    /// Partner of the frames after its end.
    pub past_end: PastEnd,
    /// Its opener; `None` if none was given, and then the pass cannot run.
    pub clips: Option<Clips>,
}

/// Partner of the frames after the end of the clip that they are composed with; the names are FFmpeg's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PastEnd {
    /// Its last frame.
    #[default]
    Repeat,
    /// Nothing: they stay as they are, after the time of its last frame.
    Pass,
}
