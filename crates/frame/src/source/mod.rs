//! Where frames come from: the trait [`Source`] and what it speaks of.

mod portion;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};

use crate::gauge::Gauge;
use crate::{Attachment, DecodingDevice, Format, Frame, LiveGauge, Margin, Pool};

pub use portion::{Approach, FrameIndex, FrameTime, Portion};

/// Set when the user asks to stop: a source, and nobody else, then ends its clip at a frame's end, so that what was
/// read is still filtered and written, and other streams end with the video.
///
/// ```
/// use warpreel_frame::source::CancelToken;
///
/// let token = CancelToken::default();
/// let other = token.clone();
/// std::thread::spawn(move || other.cancel()).join().unwrap();
/// assert!(token.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Requests the end; safe in a signal handler.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once the end was requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What to do with an input that ends in the middle of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Salvage {
    /// It is an error.
    #[default]
    Off,
    /// The clip ends with the last whole frame, and [`Defects::truncated`] is set.
    On,
}

/// Treatment of frames that are lost to damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Concealing {
    /// They are counted.
    #[default]
    Off,
    /// The frame before is repeated in their place.
    On,
}

/// How many decoders work on a file side by side, and where.
#[derive(Clone)]
pub struct DecodeLanes {
    /// How many; at least 1. Each has a part of the clip, from a key frame on.
    pub count: usize,
    /// Where they leave their frames; the host's memory where there is none.
    pub device: Option<Arc<dyn DecodingDevice>>,
}

impl fmt::Debug for DecodeLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, device } = self;
        f.debug_struct("DecodeLanes").field("count", count).field("on_device", &device.is_some()).finish()
    }
}

/// A clip that is being read.
///
/// A source that wraps another returns it from [`Source::inner`] and [`Source::inner_mut`]; the facts of the clip are then
/// the wrapped source's. Methods that choose what is read ([`Source::widen`], [`Source::index`], [`Source::keep_to`],
/// [`Source::go_to`], [`Source::decode_in_lanes`]) are not forwarded: a wrapper that has frames in hand may not move.
pub trait Source: Send {
    /// The source that this one wraps.
    fn inner(&self) -> Option<&dyn Source> {
        None
    }

    /// The same, mutable. `Some` where [`Source::inner`] is.
    fn inner_mut(&mut self) -> Option<&mut dyn Source> {
        None
    }

    /// What every frame of the clip is.
    fn format(&self) -> &Arc<Format>;

    /// The next frame, or `None` at the end of the clip. Blocks while the input does. A frame of another size or
    /// pixel than [`Source::format`] is an error here, never a frame.
    ///
    /// # Errors
    /// If the input cannot be read or decoded; the message names the input and the frame.
    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>>;

    /// Asks for frames around the part of the clip that is read, with [`crate::Timing::is_margin`]: as many as there
    /// are, up to these. Called before [`Source::next_frame`], if at all. A source that reads whole clips has none.
    fn widen(&mut self, _: Margin) {}

    /// Index of the frames that [`Source::next_frame`] would give. Asked before it, if at all. Blocks while the input is looked
    /// through.
    ///
    /// # Errors
    /// If the input cannot be read more than once, or not without its end in sight.
    fn index(&mut self) -> Result<FrameIndex> {
        bail!("this clip cannot be cut into chunks; name a file")
    }

    /// Keeps to a part of the frames that [`Source::next_frame`] would give, with their times. Called before it, if at all, on a
    /// source that has an [`Source::index`].
    fn keep_to(&mut self, _: Portion) {}

    /// Lets several decoders make the frames, which are the same. Called before [`Source::next_frame`], if at all.
    ///
    /// # Errors
    /// Why that cannot be, in a few words; all is as before then.
    fn decode_in_lanes(&mut self, _: DecodeLanes) -> Result<(), &'static str> {
        Err("its frames are uncompressed")
    }

    /// How many decoders make the frames side by side; 0 where the thread that reads the source does so.
    fn decoders(&self) -> usize {
        self.inner().map_or(0, |inner| inner.decoders())
    }

    /// Has each of those decoders tell its gauge what it does from now on. Called once, if at all.
    fn watch(&mut self, gauges: Vec<Arc<Gauge>>) {
        if let Some(inner) = self.inner_mut() {
            inner.watch(gauges);
        }
    }

    /// FFmpeg's name of what decodes the frames, if something does.
    fn codec(&self) -> Option<String> {
        self.inner()?.codec()
    }

    /// Keeps to another part, at any time, without opening the input again; [`Source::next_frame`] then gives its frames. `false`
    /// where that cannot be done, and the source is then as it was. Only for a source that was opened without a cut.
    fn go_to(&mut self, _: Portion, _: Approach) -> bool {
        false
    }

    /// The last key frame up to frame `number`, as far as times tell where that is; its own number is estimated likewise. For a look at
    /// all of a clip that is not read frame by frame as well. `None` where the source knows of none.
    ///
    /// # Errors
    /// If it cannot be read.
    fn key_frame_before(&mut self, number: u64, pool: &Pool) -> Result<Option<Frame>> {
        self.inner_mut().map_or(Ok(None), |inner| inner.key_frame_before(number, pool))
    }

    /// Number of frames that [`Source::next_frame`] will give without those around the part that is read, where that is known or can
    /// be estimated.
    fn length(&self) -> Option<u64>;

    /// Whether the samples come as they are, so that each frame takes all of its bytes on the way.
    fn is_plain(&self) -> bool {
        self.inner().is_some_and(|inner| inner.is_plain())
    }

    /// FFmpeg's name of the pixel format in which the input stores its frames, where that is known.
    fn stored(&self) -> Option<&'static str> {
        self.inner()?.stored()
    }

    /// What came after the last frame and belongs to the output: the rest of the copied streams. Asked once, after
    /// [`Source::next_frame`] gave `None`.
    fn trailer(&mut self) -> Option<Attachment> {
        self.inner_mut()?.trailer()
    }

    /// The time of the frame behind the last, in its clip, where [`Source::next_frame`] gave `None` before the end: the chain changes
    /// there, and another run takes the rest.
    fn until(&self) -> Option<i64> {
        self.inner()?.until()
    }

    /// Delays and losses, where frames arrive as they are made.
    fn live(&self) -> Option<Arc<LiveGauge>> {
        self.inner()?.live()
    }

    /// What went wrong without ending the clip: damaged packets, frames concealed or dropped.
    fn defects(&self) -> Defects {
        self.inner().map_or_else(Defects::default, |inner| inner.defects())
    }
}

/// How often the input was damaged, and one line for each kind of damage.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Defects {
    /// Packets that could not be decoded.
    pub damaged_packets: u64,
    /// Frames that the decoder marked as damaged and concealed.
    pub concealed_frames: u64,
    /// Frames that are lost to damage, by the gaps that they leave.
    pub lost_frames: u64,
    /// Frames that were repeated in their place, with `--conceal`.
    pub repeated_frames: u64,
    /// Whether the input ended early and `--salvage` kept what could be read.
    pub truncated: bool,
    /// One line each, naming the frame; bounded in number.
    pub warnings: Vec<String>,
}
