//! Typed strengths of denoisers, held against the noise of the first frames of a clip.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Error, Result};

use super::input;
use super::request::Request;
use crate::filter::Filter;
use crate::frame::{Format, Frame, Pool};
use crate::noise::NoiseMeter;
use crate::source::{CancelToken, Source};

/// How many frames are measured, and the most bytes that they may take: few enough that nobody waits for them.
const FRAMES: usize = 5;
const BYTES: usize = 256 << 20;

/// The denoiser whose typed strength the noise of the clip can be held against: the first filter, since those behind it
/// get other frames.
pub(super) fn typed(filters: &[Filter]) -> Option<&Filter> {
    filters.first().filter(|filter| filter.has_typed_strength())
}

/// A source whose first frames are measured.
pub(super) struct MeasuredSource {
    source: Box<dyn Source>,
    /// Frames that have been read and not given on, and why no more were.
    ahead: VecDeque<Frame>,
    fault: Option<Error>,
    /// Of a stream, until enough frames have passed, with the filter.
    passing: Option<(StrengthCheck, Filter)>,
}

/// The first frames of a clip, against whose noise typed strengths of denoisers are held.
///
/// ```
/// use warpreel::frame::Pool;
/// use warpreel::job::{Reader, Request, StrengthCheck, parse_chain};
///
/// let request = Request { input: "samples/ten-bit.mp4".to_owned(), ..Request::default() };
/// let mut reader = Reader::open(&request, &Default::default())?;
/// let mut check = StrengthCheck::new(reader.source().format());
/// while check.take(reader.source().next_frame(&Pool::heap())?.as_ref()) {}
/// let chain = parse_chain(&["nlmeans=s=1".to_owned()], None, None)?;
/// if let Some(remark) = check.remark(&chain) {
///     eprintln!("{remark}");
/// }
/// # anyhow::Ok(())
/// ```
pub struct StrengthCheck {
    meter: NoiseMeter,
    format: Arc<Format>,
    left: usize,
}

impl StrengthCheck {
    /// For a clip of which no frame has been seen.
    pub fn new(format: &Arc<Format>) -> Self {
        let left = FRAMES.min(BYTES / format.packed_bytes().max(1)).max(2);
        Self { meter: NoiseMeter::new(format), format: format.clone(), left }
    }

    /// Whether a chain begins with a denoiser whose strength was typed.
    pub fn is_wanted(filters: &[Filter]) -> bool {
        typed(filters).is_some()
    }

    /// Takes a frame, or the end of the clip; `false` where no more are wanted, as of frames that are on a device.
    pub fn take(&mut self, frame: Option<&Frame>) -> bool {
        let is_taken = self.left > 0 && frame.is_some_and(|frame| self.meter.push(frame).is_ok());
        self.left = if is_taken { self.left - 1 } else { 0 };
        self.left > 0
    }

    /// One line on the typed strength of a chain's first filter, if it is far from the noise, and what to type.
    pub fn remark(&self, filters: &[Filter]) -> Option<String> {
        typed(filters).filter(|_| self.meter.frames() > 0)?.strength_remark(self.format.pixel, &self.meter.deviations())
    }
}

impl MeasuredSource {
    /// Reads the first frames of a file; what lies around the part that is read has to be asked for before. The remark on the
    /// filter's strength comes with the source. Blocks until the frames are there.
    pub(super) fn ahead(mut source: Box<dyn Source>, filter: &Filter) -> (Self, Option<String>) {
        let mut measurement = StrengthCheck::new(source.format());
        let (mut ahead, mut fault) = (VecDeque::new(), None);
        let pool = Pool::heap();
        loop {
            let frame = match source.next_frame(&pool) {
                Ok(frame) => frame,
                Err(error) => {
                    fault = Some(error);
                    break;
                }
            };
            let goes_on = measurement.take(frame.as_ref());
            ahead.extend(frame);
            if !goes_on {
                break;
            }
        }
        let remark = measurement.remark(std::slice::from_ref(filter));
        (Self { source, ahead, fault, passing: None }, remark)
    }

    /// Measures the first frames of a stream as they pass, since who writes them may wait for what comes out; the remark is
    /// made then.
    pub(super) fn passing(source: Box<dyn Source>, filter: &Filter) -> Self {
        let passing = Some((StrengthCheck::new(source.format()), filter.clone()));
        Self { source, ahead: VecDeque::new(), fault: None, passing }
    }
}

/// Measures the first frames that a source gives; the remark on the filter's strength comes with the source. A file that is
/// decoded on a GPU, or in several places at a time, is opened once more for that. Blocks while a few frames are decoded.
pub(super) fn measured(
    source: Box<dyn Source>,
    filter: &Filter,
    request: &Request,
    interrupt: &CancelToken,
    is_on_device: bool,
) -> (Box<dyn Source>, Option<String>) {
    if input::is_stream(&request.input) {
        return if is_on_device { (source, None) } else { (Box::new(MeasuredSource::passing(source, filter)), None) };
    }
    if is_on_device || source.decoders() > 0 {
        // Whatever is wrong with the file the job itself finds out.
        let again = input::open(request, interrupt).ok();
        return (source, again.and_then(|(again, _)| MeasuredSource::ahead(again, filter).1));
    }
    let (source, remark) = MeasuredSource::ahead(source, filter);
    (Box::new(source), remark)
}

impl Source for MeasuredSource {
    fn inner(&self) -> Option<&dyn Source> {
        Some(self.source.as_ref())
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Source> {
        Some(self.source.as_mut())
    }

    fn format(&self) -> &Arc<Format> {
        self.source.format()
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        if let Some(frame) = self.ahead.pop_front() {
            return Ok(Some(frame));
        }
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let frame = self.source.next_frame(pool)?;
        if let Some((mut measurement, filter)) = self.passing.take() {
            if measurement.take(frame.as_ref()) {
                self.passing = Some((measurement, filter));
            } else if let Some(remark) = measurement.remark(&[filter]) {
                log::warn!("{remark}");
            }
        }
        Ok(frame)
    }

    fn length(&self) -> Option<u64> {
        self.source.length()
    }
}
