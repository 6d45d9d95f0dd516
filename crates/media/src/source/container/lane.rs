//! One decoder of several that work on a stream side by side.

use std::ffi::c_int;
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Error, Result};

use super::budget::FrameBudget;
use super::path::open_path;
use super::segment::Segment;
use super::timeline::MICROSECOND;
use crate::frame::{DecodingDevice, Format, Frame, Pool, Timing};
use crate::gauge::{Doing, Gauge, NO_FRAME};
use crate::libav::decoder::Decoder;
use crate::libav::input::InputContext;
use crate::libav::outcome::Outcome;
use crate::libav::packet::{Packet, rescale};
use crate::libav::picture::Picture;

/// A gauge for each decoder, once somebody wants to know.
pub(super) type DecoderGauges = Arc<OnceLock<Vec<Arc<Gauge>>>>;

/// What all decoders of a stream share.
pub(super) struct LaneStream {
    pub path: PathBuf,
    /// The stream, by its index in the file.
    pub video: usize,
    pub format: Arc<Format>,
    /// Where pictures go that are decoded on the host.
    pub pool: Pool,
    pub device: Option<Arc<dyn DecodingDevice>>,
    /// Of a decoder on the host.
    pub threads: usize,
    pub budget: FrameBudget,
    /// How often the device refused a segment.
    pub refusals: AtomicU64,
}

/// What a decoder tells of its segment, in order.
pub(super) enum LaneEvent {
    Picture(Box<LanePicture>),
    /// A packet could not be decoded: FFmpeg's error code.
    Damaged(c_int),
    /// So many pictures more had to be mended.
    Mended(u64),
    /// Why the device could not go on.
    Softened(String),
    Failed(Error),
    /// The segment is complete.
    End,
}

/// A picture that has become a frame.
pub(super) struct LanePicture {
    /// Its properties.
    pub picture: Picture,
    pub frame: Frame,
}

/// A segment for a decoder.
pub(super) struct LaneTask {
    pub number: u64,
    pub segment: Segment,
    pub events: Sender<LaneEvent>,
}

/// Nobody wants what comes.
struct Unwanted;

/// A decoder and what it reads. It is kept from segment to segment.
pub(super) struct LaneDecoder {
    /// Dropped before its decoder, whose device it may lie on.
    picture: Picture,
    decoder: Decoder,
    input: InputContext,
    packet: Packet,
    /// Where the segment before ended, if `picture` is the first that lies behind it.
    held: Option<i64>,
}

/// Where decoding begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Landing {
    KeyFrame,
    /// All before is decoded too.
    Beginning,
}

impl LaneStream {
    /// A device that refuses so many segments is asked no more.
    const PATIENCE: u64 = 3;

    fn open(&self) -> Result<LaneDecoder> {
        let input = open_path(&self.path).with_context(|| format!("open {:?} once more", self.path))?;
        let device = self.device.as_ref().filter(|_| self.refusals.load(Ordering::Relaxed) < Self::PATIENCE);
        let mut decoder = match device {
            Some(device) => Decoder::open_on(device.lane()?, &input, self.video)?,
            None => Decoder::open(&input, self.video, self.threads)?,
        };
        decoder.set_pool(&self.pool);
        Ok(LaneDecoder { decoder, input, packet: Packet::new(), picture: Picture::new(), held: None })
    }

    /// Decodes a segment, with `kept` if there is a decoder already. Blocks until it is done, or nobody wants it any more.
    pub fn work(&self, kept: &mut Option<LaneDecoder>, task: &LaneTask, gauge: &Gauge) {
        let outcome = self.decode(kept, task, gauge);
        gauge.tell(Doing::Work, "decode", NO_FRAME);
        // Where nobody listens any more, nothing is to be said.
        match outcome {
            Ok(Ok(())) => drop(task.events.send(LaneEvent::End)),
            Ok(Err(Unwanted)) => {}
            Err(error) => drop(task.events.send(LaneEvent::Failed(error))),
        }
    }

    fn decode(&self, kept: &mut Option<LaneDecoder>, task: &LaneTask, gauge: &Gauge) -> Result<Result<(), Unwanted>> {
        let mut lane = match kept.take() {
            Some(lane) => lane,
            None => self.open()?,
        };
        let was_on_device = lane.decoder.is_on_device();
        let mut margin_us = 0;
        // Where segments follow each other, the first picture is there.
        let mut is_held = task.segment.from.is_some() && lane.held.take() == task.segment.from;
        let mut landing =
            if is_held { Landing::Beginning } else { self.land(&mut lane, task.segment.from, &mut margin_us)? };
        let mut mended = lane.decoder.concealed();
        let mut is_first = true;
        loop {
            let outcome = match mem::take(&mut is_held) {
                true => Outcome::Done,
                false => lane.decoder.receive(&mut lane.picture)?,
            };
            let pts = lane.picture.pts();
            let is_beyond = |bound: Option<i64>| pts.zip(bound).is_some_and(|(pts, bound)| pts > bound);
            let event = match outcome {
                Outcome::Again => {
                    let sent = lane.feed(self.video)?;
                    if sent == Outcome::Done { continue } else { self.trouble(&mut lane, sent)? }
                }
                // The key frame promised more than it kept: its own picture did not come whole, or none did.
                Outcome::Done | Outcome::End
                    if is_first
                        && landing == Landing::KeyFrame
                        && (outcome == Outcome::End || is_beyond(task.segment.from)) =>
                {
                    margin_us = farther(margin_us);
                    landing = self.land(&mut lane, task.segment.from, &mut margin_us)?;
                    mended = lane.decoder.concealed();
                    continue;
                }
                Outcome::End => break,
                Outcome::Done if is_beyond(task.segment.to.map(|to| to - 1)) => {
                    lane.held = task.segment.to;
                    break;
                }
                Outcome::Done => {
                    is_first = false;
                    let LaneDecoder { decoder, picture, .. } = &mut lane;
                    let properties = picture.properties()?;
                    let frame = decoder.frame(picture, &self.format, &self.pool, Timing::default())?;
                    picture.leave_device();
                    gauge.tell(Doing::Work, "decode", NO_FRAME);
                    if !gauge.blocked(|| self.budget.take(task.number)) {
                        return Ok(Err(Unwanted));
                    }
                    gauge.count();
                    LaneEvent::Picture(Box::new(LanePicture { picture: properties, frame }))
                }
                Outcome::Damaged(_) | Outcome::Refused => self.trouble(&mut lane, outcome)?,
            };
            let count = lane.decoder.concealed();
            let more = (count > mended).then(|| LaneEvent::Mended(count - mended));
            mended = count;
            if more.into_iter().chain([event]).any(|event| task.events.send(event).is_err()) {
                return Ok(Err(Unwanted));
            }
        }
        // What the device refused here it may know elsewhere.
        if lane.decoder.is_on_device() == was_on_device {
            *kept = Some(lane);
        }
        Ok(Ok(()))
    }

    /// Goes on where a decoder could not.
    fn trouble(&self, lane: &mut LaneDecoder, outcome: Outcome) -> Result<LaneEvent> {
        if let Outcome::Damaged(code) = outcome {
            return Ok(LaneEvent::Damaged(code));
        }
        self.refusals.fetch_add(1, Ordering::Relaxed);
        lane.picture.leave_device();
        Ok(LaneEvent::Softened(lane.decoder.soften(&lane.input, self.video, self.threads)?))
    }

    /// Goes to the key frame that is shown at `from`, or where `margin_us` is not 0 to one so many microseconds before, and
    /// sends it. Where the input does not find it, the margin grows.
    fn land(&self, lane: &mut LaneDecoder, from: Option<i64>, margin_us: &mut i64) -> Result<Landing> {
        let Some(from) = from else { return Ok(Landing::Beginning) };
        let unit = lane.input.stream(self.video).time_base;
        let begin_us = lane.input.start_us();
        loop {
            let target = from - rescale(*margin_us, MICROSECOND, unit);
            if rescale(target, unit, MICROSECOND) <= begin_us || lane.input.seek(self.video, target).is_err() {
                *lane = self.open()?;
                lane.decoder.begin_at(from);
                return Ok(Landing::Beginning);
            }
            if lane.find(self.video, from, *margin_us == 0)? {
                return Ok(Landing::KeyFrame);
            }
            *margin_us = farther(*margin_us);
        }
    }
}

/// The next larger margin, in microseconds.
fn farther(margin_us: i64) -> i64 {
    1_000_000 + 4 * margin_us
}

impl LaneDecoder {
    /// Reads up to a key frame that is shown at `from`, or where another will do, not later, and sends it; `false` if there
    /// is none.
    fn find(&mut self, video: usize, from: i64, is_exact: bool) -> Result<bool> {
        while self.input.read_of(video, &mut self.packet) {
            let packet = &self.packet;
            let Some(pts) = packet.pts().filter(|_| packet.is_key()) else { continue };
            if pts > from {
                return Ok(false);
            }
            if pts == from || !is_exact {
                self.decoder.leap(packet);
                self.decoder.land(Some(pts));
                self.decoder.begin_at(from);
                self.decoder.send(Some(packet))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sends the next packet of the stream, or that there is none.
    fn feed(&mut self, video: usize) -> Result<Outcome> {
        let is_packet = self.input.read_of(video, &mut self.packet);
        self.decoder.send(Some(&self.packet).filter(|_| is_packet))
    }
}
