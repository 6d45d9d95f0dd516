//! Frames of another clip beside those of a pass: matched by time, each read once, and uploaded when it is first wanted.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use crate::backend::Backend;
use crate::frame::{Format, Frame, Pool, Rational};
use crate::pass::{CompanionClip, Pass, PastEnd};
use crate::source::Source;

/// How far before a time a clip is entered, so that the frame that is shown at that time is among the first.
const BEFORE: Duration = Duration::from_secs(2);

/// Another clip, read forwards.
pub(super) struct CompanionReader<I> {
    companion: CompanionClip,
    pass: String,
    format: Arc<Format>,
    pool: Pool,
    clip: Option<Entered>,
    /// The latest frame that was due.
    shown: Option<(u64, I)>,
}

/// The clip, open.
struct Entered {
    source: Box<dyn Source>,
    unit: Rational,
    /// How many frames came before the next one.
    count: u64,
    /// The latest frame that is not later than the time asked for last.
    latest: Option<Frame>,
    /// The frame after it; none at the end.
    next: Option<Frame>,
}

/// The time of a frame in its clip.
fn time(frame: &Frame) -> i64 {
    frame.timing.pts.saturating_add(frame.timing.offset)
}

/// Compares times of two units, exactly.
fn compare((a, of_a): (i64, Rational), (b, of_b): (i64, Rational)) -> Ordering {
    let scaled =
        |time: i64, own: Rational, other: Rational| i128::from(time) * i128::from(own.num) * i128::from(other.den);
    scaled(a, of_a, of_b).cmp(&scaled(b, of_b, of_a))
}

impl<I: Clone> CompanionReader<I> {
    /// For a pass that reads another clip; none for others. Nothing is opened before the first frame is due.
    pub(super) fn of(pass: &Pass, format: &Arc<Format>) -> Option<Self> {
        let companion = pass.companion.clone()?;
        let (pass, format, pool) = (pass.name.clone(), format.clone(), Pool::heap());
        Some(Self { companion, pass, format, pool, clip: None, shown: None })
    }

    /// The image that is shown at a time of the clip, counted in `unit`; none before its first frame, and after its end where
    /// that is wanted. Times ascend, or the clip is opened anew. Blocks while it is read.
    ///
    /// # Errors
    /// If the clip cannot be opened, read or uploaded.
    pub(super) fn at<B: Backend<Image = I>>(
        &mut self,
        backend: &mut B,
        pass: usize,
        time: (i64, Rational),
    ) -> Result<Option<I>> {
        let path = self.companion.path.clone();
        let found = self.seek(time).with_context(|| format!("{}: read the second clip {path:?}", self.pass))?;
        let Some((count, frame)) = found else { return Ok(None) };
        if let Some((known, image)) = &self.shown
            && *known == count
        {
            return Ok(Some(image.clone()));
        }
        let image = backend.upload_beside(pass, frame).with_context(|| self.pass.clone())?;
        self.shown = Some((count, image.clone()));
        Ok(Some(image))
    }

    /// The frame of that time and its place in the clip.
    fn seek(&mut self, time: (i64, Rational)) -> Result<Option<(u64, Frame)>> {
        let is_passed = |clip: &Entered| clip.latest.as_ref().is_some_and(|frame| clip.is_later(frame, time));
        let mut clip = match self.clip.take().filter(|clip| !is_passed(clip)) {
            Some(clip) => clip,
            None => {
                self.shown = None;
                self.enter(time)?
            }
        };
        while let Some(next) = clip.next.take_if(|next| compare((self::time(next), clip.unit), time).is_le()) {
            clip.latest = Some(next);
            clip.count += 1;
            clip.next = clip.source.next_frame(&self.pool)?;
        }
        let clip = self.clip.insert(clip);
        let is_over = clip.next.is_none()
            && self.companion.past_end == PastEnd::Pass
            && clip.latest.as_ref().is_some_and(|last| !clip.is_shown_at(last, time));
        Ok(clip.latest.clone().filter(|_| !is_over).map(|frame| (clip.count, frame)))
    }

    /// Opens the clip, a little before a time.
    fn enter(&self, time: (i64, Rational)) -> Result<Entered> {
        let (ticks, unit) = time;
        let seconds = unit.value().map_or(0.0, |unit| unit * ticks as f64);
        let from = Duration::try_from_secs_f64(seconds).unwrap_or_default().saturating_sub(BEFORE);
        let clip = self.open(from)?;
        let is_early = clip.next.as_ref().is_some_and(|first| !clip.is_later(first, time));
        // A frame may be shown for longer than that.
        if is_early || from.is_zero() { Ok(clip) } else { self.open(Duration::ZERO) }
    }

    fn open(&self, from: Duration) -> Result<Entered> {
        let clips =
            self.companion.clips.as_ref().ok_or_else(|| {
                anyhow!("nothing opens second clips here; set Defaults::clips when the chain is parsed")
            })?;
        let mut source = clips.open(&self.companion, &self.format, from)?;
        let (unit, next) = (source.format().time_base, source.next_frame(&self.pool)?);
        Ok(Entered { source, unit, count: 0, latest: None, next })
    }
}

impl Entered {
    /// True if a frame is shown after a time.
    fn is_later(&self, frame: &Frame, at: (i64, Rational)) -> bool {
        compare((time(frame), self.unit), at).is_gt()
    }

    /// True if a frame is shown at exactly that time. As in FFmpeg's framesync, nothing is shown after the time of the last frame.
    fn is_shown_at(&self, frame: &Frame, at: (i64, Rational)) -> bool {
        compare((time(frame), self.unit), at).is_eq()
    }
}
