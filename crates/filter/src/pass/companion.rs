//! Another clip whose frames a pass reads beside its own.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use crate::frame::Format;
use crate::frame::source::Source;

/// Opens the clips that filters name.
pub trait ClipOpener: Send + Sync {
    /// Opens a clip by its name, as typed, for a pass on frames of a format: its frames are to be of [`CompanionClip::format`], so sources
    /// of another subsampling, depth or colour family are converted. Frames are given from `from` on, a time of the clip, or from a
    /// frame before that. Blocks while the beginning is read.
    ///
    /// # Errors
    /// If it cannot be read or converted.
    fn open(&self, clip: &CompanionClip, format: &Arc<Format>, from: Duration) -> Result<Box<dyn Source>>;

    /// Size and opacity of a clip. Blocks while the beginning is read.
    ///
    /// # Errors
    /// If it cannot be read.
    fn shape(&self, path: &str) -> Result<ClipShape>;
}

/// Size and opacity of a clip that is not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipShape {
    /// Pixels in a row of frames as they are shown.
    pub width: usize,
    /// Rows of frames as they are shown.
    pub height: usize,
    /// Whether pixels have opacity of their own.
    pub has_alpha: bool,
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
    pub fn open(&self, clip: &CompanionClip, format: &Arc<Format>, from: Duration) -> Result<Box<dyn Source>> {
        self.0.open(clip, format, from)
    }

    /// The shape of one, as [`ClipOpener::shape`].
    ///
    /// # Errors
    /// As [`ClipOpener::shape`].
    pub fn shape(&self, path: &str) -> Result<ClipShape> {
        self.0.shape(path)
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
    /// How its frames come to those that they meet.
    pub fit: ClipFit,
    /// Partner of the frames after its end.
    pub past_end: PastEnd,
    /// Its opener; `None` if none was given, and then the pass cannot run.
    pub clips: Option<Clips>,
}

impl CompanionClip {
    /// The format of its frames, for a pass on frames of `input`.
    pub fn format(&self, input: &Arc<Format>) -> Arc<Format> {
        match &self.fit {
            ClipFit::Scaled => input.clone(),
            ClipFit::Placed(placed) => placed.format.clone(),
        }
    }
}

/// How the frames of a clip come to those that they meet.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ClipFit {
    /// Scaled to their size.
    #[default]
    Scaled,
    /// At a place over them, cut to what is seen.
    Placed(PlacedClip),
}

/// A clip of a size of its own over the frames of another. Its frames are stored as those that they lie over, which may be shown turned; each plane
/// holds the samples that are seen, and below them, if pixels have opacity of their own, the opacity of each, in as many rows.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedClip {
    /// Of its frames as they are stored for the pass; pixels are those of the frames that they lie over.
    pub format: Arc<Format>,
    /// Size and opacity of the clip.
    pub shape: ClipShape,
    /// Width and height that it is scaled to, as it is shown.
    pub size: (usize, usize),
    /// Its luma columns that are seen after that, as it is shown; the first is a multiple of a chroma sample.
    pub columns: Range<usize>,
    /// Its luma rows that are seen, likewise.
    pub rows: Range<usize>,
    /// Factor of its own opacity, 0 to 1.
    pub opacity: f64,
}

/// Partner of the frames after the end of the clip that they are composed with; the names are FFmpeg's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PastEnd {
    /// Its last frame.
    #[default]
    Repeat,
    /// Nothing: they stay as they are, after the time of its last frame.
    Pass,
    /// None: the clip ends after the time of its last frame. Whoever reads the clip ends it there; frames that are read around its
    /// end, for filters over time, meet the last frame.
    End,
}
