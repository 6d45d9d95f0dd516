//! Clips from containers and codecs, and from sequences of images, through FFmpeg's libraries.
//!
//! Frames are decoded straight into pool memory. Whatever else the file holds rides along: packets of other streams on
//! the frame that follows them in time, properties of a frame on that frame, and the rest in [`Container::source_info`].

mod ahead;
mod beside;
mod budget;
mod carried;
mod conceal;
mod continuity;
mod damage;
mod decoding;
mod density;
mod ending;
mod enter;
mod feed;
mod image;
mod index;
mod key;
mod lane;
mod last;
mod length;
mod live;
mod open;
mod parallel;
mod path;
mod seam;
mod segment;
mod sequence;
mod still;
mod structure;
mod suspect;
mod tail;
mod tape;
mod timeline;
mod whole;

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use anyhow::Result;

use self::ahead::Ahead;
use self::density::Density;
use self::ending::Ending;
use self::feed::LiveFeed;
use self::last::LastFrame;
use self::seam::Seams;
use self::sequence::Sequence;
use self::still::Stills;
use self::structure::FileStructure;
use self::suspect::Suspects;
use self::tape::StreamTape;
use self::timeline::InputTimeline;
use super::{Approach, CancelToken, Concealing, DecodeLanes, Defects, FrameIndex, Portion, Salvage, Source};
use crate::frame::{Attachment, DecodingDevice, Format, Frame, LiveGauge, Margin, Pool, Rational, Timing};
use crate::gauge::Gauge;
use crate::libav::Stored;
use crate::libav::Strictness;
use crate::libav::decoder::Decoder;
use crate::libav::input::InputContext;
use crate::libav::packet::Packet;
use crate::libav::picture::{Carried, Picture};
use crate::libav::source_info::SourceInfo;

pub use self::feed::LiveInput;
pub use self::index::frame_times;

pub use self::whole::decode_whole;

/// What is wanted of the input.
#[derive(Clone, Default)]
pub struct Options {
    /// Leave out what comes before; counted from the beginning of the file. Times of the output begin at 0.
    pub start: Option<Duration>,
    /// Leave out what comes after, counted from `start`.
    pub duration: Option<Duration>,
    /// At most so many frames.
    pub frames: Option<u64>,
    /// The video that is read, by its index in the file; the one that a player would show unless given.
    pub video: Option<usize>,
    /// Images a second of a sequence; 25 unless said.
    pub rate: Option<Rational>,
    /// Whether damage is an error.
    pub strict: Strictness,
    /// What to do when the input ends early.
    pub salvage: Salvage,
    /// Treatment of frames that are lost to damage.
    pub conceal: Concealing,
    /// Threads to decode with; 0 for one a core.
    pub threads: usize,
    /// Where to decode, if not on the host; as far as the device knows the codec.
    pub device: Option<Arc<dyn DecodingDevice>>,
    /// Ends the clip when set, between two packets; a stream is to end by itself where it would wait for long.
    pub interrupt: CancelToken,
}

/// Where a container comes from.
pub enum Medium {
    /// A file, or a sequence of images such as `frame%04d.png`.
    Path(PathBuf),
    /// A stream that is read once from its beginning, and its name for messages.
    Stream(Box<dyn Read + Send>, String),
    /// A stream from the network.
    Live(LiveInput),
}

/// A clip in a container.
pub struct Container {
    /// For messages: the input's name in quotes.
    name: String,
    /// The file, where it is one that can be opened again.
    path: Option<PathBuf>,
    input: InputContext,
    video: usize,
    /// It is given back before the decoder, on whose device it may lie.
    picture: Picture,
    decoder: Decoder,
    /// Decoders that do its work.
    ahead: Ahead,
    /// `picture` as one of them has made a frame of it.
    lifted: Option<Frame>,
    format: Arc<Format>,
    source_info: Arc<SourceInfo>,
    options: Options,
    timeline: InputTimeline,
    sequence: Option<Sequence>,
    packet: Packet,
    seams: Seams,
    /// Packets of the video that were read and come next.
    held: VecDeque<Packet>,
    /// Whether `picture` holds the next frame already, decoded to learn the format.
    is_ready: bool,
    /// Packets that no frame has taken along yet, by their stream, in file order.
    pending: BTreeMap<usize, VecDeque<Packet>>,
    ending: Ending,
    /// Where other streams end, once that is known, in the clip's time base.
    cut: Option<i64>,
    is_over: bool,
    /// Frames of the wanted part given so far.
    number: u64,
    /// The number in the clip of the first of them.
    first: u64,
    /// That number, where it is known before frames are decoded.
    counted: Option<u64>,
    /// The part of the frames that is kept to.
    portion: Option<Portion>,
    /// Times and wishes as they were before a part was kept to.
    whole: Option<(InputTimeline, Options)>,
    margin: Margin,
    /// Whether the part is entered from where the source is.
    reads_on: bool,
    /// Whether the input was entered in its middle, and packets are passed over up to a key frame.
    awaits_key: bool,
    /// Whether the frames before the part are there.
    is_entered: bool,
    /// Whether no frame of the clip was passed over before the first that was decoded.
    is_at_beginning: bool,
    /// Frames before the part that come next.
    lead: VecDeque<Frame>,
    /// Frames behind the part that were given.
    tail: u64,
    /// Time and duration of `picture`, where it is the next frame and has been placed.
    placed: Option<(i64, i64)>,
    defects: Defects,
    /// Pictures that the decoder mended before the first that is wanted.
    mended: u64,
    /// Frames that the decoder marked as damaged.
    marked: u64,
    /// How many frames there are, once it was asked.
    density: OnceLock<Option<Density>>,
    last: LastFrame,
    suspects: Suspects,
    structure: Option<FileStructure>,
    /// The beginning and the end of the stream that it is.
    tape: Option<Arc<Mutex<StreamTape>>>,
    stills: Stills,
    /// The stream from the network that it is.
    live: Option<LiveFeed>,
}

/// What was read.
enum PacketRead {
    /// A packet of the video, which is [`Container::packet`].
    Video,
    /// One of another stream, which frames carry along.
    Carried,
    /// Nothing comes any more.
    End,
}

impl Container {
    /// What an output inherits: copied streams, metadata, chapters, side data of the streams.
    pub fn source_info(&self) -> Arc<SourceInfo> {
        self.source_info.clone()
    }

    /// Whether the user asked to stop.
    fn is_interrupted(&self) -> bool {
        self.options.interrupt.is_cancelled()
    }
}

impl Source for Container {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        if self.is_over {
            return Ok(None);
        }
        if self.is_interrupted() || self.options.frames == Some(0) {
            self.is_over = true;
            self.cut = Some(self.timeline.reached());
            return Ok(None);
        }
        self.decoder.set_pool(pool);
        if !std::mem::replace(&mut self.is_entered, true) {
            self.begin_ahead(pool);
            self.enter(pool)?;
        }
        if let Some(frame) = self.lead.pop_front() {
            return Ok(Some(frame));
        }
        if self.cut.is_none() && self.options.frames.is_some_and(|most| self.number >= most) {
            self.cut = Some(self.timeline.reached());
        }
        if self.cut.is_some() && self.tail >= self.margin.after {
            self.is_over = true;
            return Ok(None);
        }
        let Some((pts, duration)) = self.advance_in_time()? else {
            if let Some(frame) = self.replace_last()? {
                return Ok(Some(frame));
            }
            self.end()?;
            return Ok(None);
        };
        if self.timeline.has_start && pts < 0 {
            // Only where all of the clip before the part is wanted does it come here.
            let timing = Timing { number: self.first, pts, duration, is_margin: true, ..Timing::default() };
            self.first += 1;
            return self.frame(pool, timing, Vec::new()).map(Some);
        }
        if self.cut.is_none()
            && let Some(frame) = self.replace_lost(pts)?
        {
            (self.placed, self.is_ready) = (Some((pts, duration)), true);
            return Ok(Some(frame));
        }
        if let (None, Some(end)) = (self.cut, self.timeline.end.filter(|end| pts >= *end)) {
            self.cut = Some(end);
            if self.margin.after == 0 {
                self.is_over = true;
                return Ok(None);
            }
        }
        self.count_mended()?;
        let is_margin = self.cut.is_some();
        // What belongs to frames behind the part is not wanted.
        let until = (pts + duration).min(self.timeline.end.unwrap_or(i64::MAX));
        let packets = if is_margin { Vec::new() } else { self.take_packets(Some(until)) };
        let number = self.position() + self.tail;
        let origin = self.timeline.origin;
        self.seams.tell(&self.name, self.timeline.has_start.then_some(origin), pts + origin, number);
        let live = self.live.as_mut().map(LiveFeed::mark);
        let frame =
            self.frame(pool, Timing { number, pts, duration, is_margin, live, ..Timing::default() }, packets)?;
        if is_margin {
            self.tail += 1;
        } else {
            self.number += 1;
            self.note_frame(&frame, pts + duration)?;
        }
        Ok(Some(frame))
    }

    fn widen(&mut self, margin: Margin) {
        self.margin = margin;
    }

    fn index(&mut self) -> Result<FrameIndex> {
        self.look_through()
    }

    fn keep_to(&mut self, portion: Portion) {
        self.keep_to(portion);
    }

    fn decode_in_lanes(&mut self, lanes: DecodeLanes) -> Result<(), &'static str> {
        self.lane(lanes)
    }

    fn decoders(&self) -> usize {
        self.ahead.lanes.as_ref().map_or(0, |lanes| lanes.count)
    }

    fn watch(&mut self, gauges: Vec<Arc<Gauge>>) {
        // Whoever was told first is told.
        let _ = self.ahead.gauges.set(gauges);
    }

    fn codec(&self) -> Option<String> {
        Some(self.input.stream(self.video).codec)
    }

    fn go_to(&mut self, portion: Portion, approach: Approach) -> bool {
        self.go_to(portion, approach)
    }

    fn key_frame_before(&mut self, number: u64, pool: &Pool) -> Result<Option<Frame>> {
        self.key_frame_before(number, pool)
    }

    fn length(&self) -> Option<u64> {
        self.expected_frames()
    }

    fn stored(&self) -> Option<&'static str> {
        let stored = self.decoder.stored(&self.picture).or_else(|| Some(self.decoder.announced()?.0));
        stored.map(Stored::name)
    }

    fn trailer(&mut self) -> Option<Attachment> {
        // A part has its frames alone.
        if self.portion.is_some() {
            return None;
        }
        let cut = self.cut.filter(|_| self.is_over);
        if let Some(cut) = cut
            && let Err(error) = self.read_rest(cut)
        {
            log::warn!("{}: the end of the other streams is missing: {error:#}", self.name);
        }
        let packets = self.take_packets(cut);
        (!packets.is_empty()).then(|| Arc::new(Carried { packets, ..Carried::default() }) as Attachment)
    }

    fn live(&self) -> Option<Arc<LiveGauge>> {
        self.live.as_ref().map(|live| live.gauge.clone())
    }

    fn defects(&self) -> Defects {
        self.defects.clone()
    }
}
