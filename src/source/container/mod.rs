//! Clips from containers and codecs, and from sequences of images, through FFmpeg's libraries.
//!
//! Frames are decoded straight into pool memory. Whatever else the file holds rides along: packets of other streams on
//! the frame that follows them in time, properties of a frame on that frame, and the rest in [`Container::heritage`].

mod ending;
mod sequence;
mod timeline;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use self::ending::Ending;
use self::sequence::Sequence;
use self::timeline::{Clip, MICROSECOND, Timeline};
use super::{Defects, Interrupt, Source};
use crate::frame::{Attachment, FieldOrder, Format, Frame, Pool, Rational, Timing};
use crate::libav::decoder::{Decoder, Outcome};
use crate::libav::heritage::Heritage;
use crate::libav::input::{Input, Kind, Progress, fits};
use crate::libav::packet::{Packet, rescale};
use crate::libav::picture::{Carried, Picture};
use crate::libav::{Strictness, error, log as libav_log};

/// What is wanted of the input.
#[derive(Clone, Default)]
pub struct Options {
    /// Leave out what comes before; counted from the beginning of the file. Times of the output begin at 0.
    pub start: Option<Duration>,
    /// Leave out what comes after, counted from `start`.
    pub duration: Option<Duration>,
    /// At most so many frames.
    pub frames: Option<u64>,
    /// Whether damage is an error.
    pub strict: Strictness,
    /// What to do when the input ends early.
    pub salvage: Salvage,
    /// Threads to decode with; 0 for one a core.
    pub threads: usize,
    /// Ends the clip when set.
    pub interrupt: Interrupt,
}

/// What to do when the input ends before its own end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Salvage {
    /// Fail.
    #[default]
    Refuse,
    /// Say so, and keep what could be read.
    Keep,
}

/// Where a container comes from.
pub enum Medium {
    /// A file, or a sequence of images such as `frame%04d.png`.
    Path(PathBuf),
    /// A stream that is read once from its beginning, and its name for messages.
    Stream(Box<dyn Read + Send>, String),
}

/// A clip in a container.
pub struct Container {
    /// For messages: the input's name in quotes.
    name: String,
    /// The file, where it is one that can be opened again.
    path: Option<PathBuf>,
    input: Input,
    video: usize,
    decoder: Decoder,
    format: Arc<Format>,
    heritage: Arc<Heritage>,
    options: Options,
    timeline: Timeline,
    sequence: Option<Sequence>,
    packet: Packet,
    picture: Picture,
    /// Whether `picture` holds the next frame already, decoded to learn the format.
    is_ready: bool,
    /// Packets of other streams that no frame has taken along yet, in file order.
    pending: Vec<Packet>,
    ending: Ending,
    /// Where other streams end, once that is known, in the clip's time base.
    cut: Option<i64>,
    is_over: bool,
    /// Frames given so far.
    number: u64,
    defects: Defects,
    /// Pictures that the decoder mended before the first that is wanted.
    mended: u64,
    /// Frames that the decoder marked as damaged.
    marked: u64,
}

impl Container {
    /// Damage is described so many times, then only counted.
    const WARNINGS: usize = 20;

    /// Opens a clip and decodes its first frame. Blocks until that is there.
    ///
    /// # Errors
    /// If the input does not exist, is nothing that FFmpeg reads, or holds no video that can be filtered.
    pub fn open(medium: Medium, options: Options) -> Result<Self> {
        let (name, path) = match &medium {
            Medium::Path(path) => (format!("{path:?}"), Some(path.clone())),
            Medium::Stream(_, name) => (format!("{name:?}"), None),
        };
        libav_log::complaint();
        let sequence = match &path {
            Some(path) if sequence::is_sequence(path) => {
                Some(Sequence::find(path).with_context(|| format!("open {name}"))?)
            }
            _ => None,
        };
        let opened = match medium {
            Medium::Path(path) => open_path(&path, sequence.as_ref(), &options),
            Medium::Stream(from, _) => Input::open_stream(from, options.interrupt.clone()),
        };
        let input = opened.map_err(|error| explain(&error)).with_context(|| format!("open {name}"))?;
        let video = input.best_video().with_context(|| {
            let mut kinds: Vec<_> =
                (0..input.streams()).map(|index| format!("{:?}", input.stream(index).kind).to_lowercase()).collect();
            kinds.dedup();
            let found = if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") };
            format!("{name} has no video; found {found}")
        })?;
        let decoder = Decoder::open(&input, video, options.threads).with_context(|| format!("decode {name}"))?;
        let stream = input.stream(video);
        let start_us = options.start.map_or(0, microseconds);
        let timeline = Timeline::new(
            stream.time_base,
            stream.rate,
            input.start_us(),
            options.start.map(microseconds),
            options.duration.map(microseconds),
        );
        let length_us = options.duration.map(microseconds);
        let placeholder = Arc::new(Format::new(crate::frame::Pixel::gray(8), 1, 1, Rational::new(1, 1)));
        let heritage = Arc::new(Heritage::of(&input, video, None, timeline.origin_us, length_us)?);
        let mut container = Self {
            name,
            path,
            input,
            video,
            decoder,
            format: placeholder,
            heritage,
            options,
            timeline,
            sequence,
            packet: Packet::new(),
            picture: Picture::new(),
            is_ready: false,
            pending: Vec::new(),
            ending: Ending::default(),
            cut: None,
            is_over: false,
            number: 0,
            defects: Defects::default(),
            mended: 0,
            marked: 0,
        };
        if start_us > 0 && container.path.is_some() {
            container.begin()?;
            container.mended = container.decoder.concealed();
        } else {
            container.is_ready = container.decode()?;
        }
        container.format = Arc::new(container.learn_format()?);
        let first = container.is_ready.then_some(&container.picture);
        let origin_us = container.timeline.origin_us;
        container.heritage = Arc::new(Heritage::of(&container.input, video, first, origin_us, length_us)?);
        Ok(container)
    }

    /// What an output inherits: copied streams, metadata, chapters, side data of the streams.
    pub fn heritage(&self) -> Arc<Heritage> {
        self.heritage.clone()
    }

    /// Decodes the first picture, from a key frame before the start where the input can be rewound.
    fn begin(&mut self) -> Result<()> {
        // Where an index tells key frames, the first try is right. Without one FFmpeg lands somewhere before the start,
        // and if no key frame follows in time, it has to be further back.
        let mut margin_us = 0;
        while self.timeline.origin_us - margin_us > self.input.start_us() {
            let target = self.timeline.origin - rescale(margin_us, MICROSECOND, self.unit());
            if self.input.seek(self.video, target).is_err() {
                break;
            }
            self.decoder.flush();
            self.forget();
            self.is_ready = self.decode()?;
            if self.is_ready && self.picture.pts().is_some_and(|pts| pts <= self.timeline.origin) {
                return Ok(());
            }
            margin_us = 1_000_000 + 4 * margin_us;
        }
        log::debug!("{} cannot be rewound to its start; all of it is decoded", self.name);
        if let Some(path) = &self.path {
            self.input = open_path(path, self.sequence.as_ref(), &self.options)?;
            self.decoder = Decoder::open(&self.input, self.video, self.options.threads)?;
        }
        self.forget();
        self.is_ready = self.decode()?;
        Ok(())
    }

    /// What was read so far does not count.
    fn forget(&mut self) {
        self.pending.clear();
        self.ending = Ending::default();
        self.defects = Defects::default();
        self.is_ready = false;
    }

    fn unit(&self) -> Rational {
        self.input.stream(self.video).time_base
    }

    /// What the clip is, by its first picture, or by its header where none could be decoded.
    fn learn_format(&self) -> Result<Format> {
        let name = &self.name;
        let announced = self.decoder.announced();
        let (stored, width, height) = match self.picture.stored().filter(|_| self.is_ready) {
            Some(stored) => (stored, self.picture.size().0, self.picture.size().1),
            None => announced.with_context(|| {
                format!("no frame of {name} can be decoded, or its pixel format cannot be filtered; look at it with: ffprobe {name}")
            })?,
        };
        ensure!(
            fits(width, height),
            "{name} is {width}x{height}; sides of 1 to {} can be filtered, scale it with ffmpeg first",
            Format::MAX_SIDE
        );
        let stream = self.input.stream(self.video);
        let mut format = Format::new(stored.pixel(), width, height, stream.rate);
        format.time_base = stream.time_base;
        format.aspect = stream.aspect;
        format.fields = self.decoder.field_order();
        if self.is_ready {
            format.colour = self.picture.colour();
            let first = self.picture.fields_order();
            format.fields = match (format.fields, first) {
                (_, FieldOrder::TopFirst | FieldOrder::BottomFirst) => first,
                (FieldOrder::TopFirst | FieldOrder::BottomFirst, _) => FieldOrder::Mixed,
                (announced, _) => announced,
            };
        }
        Ok(format)
    }

    /// Decodes the next picture into `self.picture`; `false` at the end.
    fn decode(&mut self) -> Result<bool> {
        if std::mem::take(&mut self.is_ready) {
            return Ok(true);
        }
        // A decoder that fails without end while it is drained would never come to its end.
        let mut failures = 0;
        while failures < 1000 {
            match self.decoder.receive(&mut self.picture) {
                Outcome::Done => return Ok(true),
                Outcome::End => return Ok(false),
                Outcome::Again => self.feed()?,
                Outcome::Damaged(code) => {
                    failures += u32::from(self.ending.is_reached());
                    self.damage(code)?;
                }
            }
        }
        Ok(false)
    }

    /// Reads one packet: of the video for the decoder, others to be carried along.
    fn feed(&mut self) -> Result<()> {
        match self.input.read(&mut self.packet) {
            Progress::Packet => {
                let damage = self.damage_known();
                self.ending.note(&self.packet, self.packet.stream() == self.video, damage);
                if self.packet.stream() != self.video {
                    return self.carry();
                }
                if let Outcome::Damaged(code) = self.decoder.send(Some(&self.packet)) {
                    self.damage(code)?;
                }
            }
            progress => {
                self.ending.reach(progress);
                self.decoder.send(None);
            }
        }
        Ok(())
    }

    /// Keeps a packet of another stream for the frames.
    fn carry(&mut self) -> Result<()> {
        let Some((kind, time_base)) = self.heritage.streams.get(self.packet.stream()).map(|s| (s.kind, s.time_base))
        else {
            log::debug!("{}: a stream that begins later than the others is left out", self.name);
            return Ok(());
        };
        let clip = if kind == Kind::Subtitle { Clip::Start } else { Clip::Keep };
        let packet = self.packet.share()?;
        // A cover has no time of its own.
        let shifted = if kind == Kind::Cover { Some(packet) } else { self.timeline.shift(packet, time_base, clip) };
        self.pending.extend(shifted);
        Ok(())
    }

    /// The packets that start before `time`, or all of them; the others wait.
    fn take_packets(&mut self, time: Option<i64>) -> Vec<Packet> {
        let Some(time) = time else { return std::mem::take(&mut self.pending) };
        let (timeline, streams) = (&self.timeline, &self.heritage.streams);
        self.pending
            .extract_if(.., |packet| {
                let stream = &streams[packet.stream()];
                stream.kind == Kind::Cover || timeline.is_before(packet, stream.time_base, time)
            })
            .collect()
    }

    /// All damage that the decoder has met, also in pictures that are still to be taken.
    fn damage_known(&self) -> u64 {
        self.defects.damaged_packets + self.marked.max(self.decoder.concealed())
    }

    /// A packet could not be decoded.
    fn damage(&mut self, code: std::ffi::c_int) -> Result<()> {
        self.defects.damaged_packets += 1;
        self.report(format!("a packet near frame {} of {} is damaged: {}", self.number, self.name, error::text(code)))
    }

    /// Looks whether the decoder had to make up a part of this picture, or of one that it has decoded ahead.
    fn count_mended(&mut self) -> Result<()> {
        self.marked += u64::from(self.picture.is_damaged());
        let mended = self.marked.max(self.decoder.concealed() - self.mended);
        if mended > self.defects.concealed_frames {
            self.defects.concealed_frames = mended;
            self.report(format!(
                "near frame {} of {}: a damaged frame was mended by the decoder",
                self.number, self.name
            ))?;
        }
        Ok(())
    }

    /// Says what is wrong, or fails if damage is an error.
    fn report(&mut self, warning: String) -> Result<()> {
        if self.options.strict == Strictness::Strict {
            bail!("{warning}; leave out --strict to go on with what can be decoded");
        }
        match self.defects.warnings.len() {
            count if count < Self::WARNINGS => log::warn!("{warning}"),
            Self::WARNINGS => {
                log::warn!("{}: further damage is only counted", self.name);
                self.defects.warnings.push("further damage was only counted".to_owned());
                return Ok(());
            }
            _ => return Ok(()),
        }
        self.defects.warnings.push(warning);
        Ok(())
    }

    /// The decoder has given its last picture.
    fn end(&mut self) -> Result<()> {
        self.is_over = true;
        if self.ending.is_stopped() {
            self.cut = Some(self.timeline.reached());
            return Ok(());
        }
        let mut reason = self.ending.is_early(&self.input, self.video, self.damage_known());
        if let Some(gap) = self.sequence.as_ref().and_then(|sequence| sequence.gap) {
            reason = Some(format!("image {gap} is missing though later ones exist"));
        }
        let Some(reason) = reason else { return Ok(()) };
        let message = format!("{} ends early, after {} frames: {reason}", self.name, self.number);
        if self.options.salvage == Salvage::Refuse {
            bail!("{message}; keep what could be read with --salvage");
        }
        log::warn!("{message}");
        self.defects.truncated = true;
        self.defects.warnings.push(message);
        Ok(())
    }

    /// Fails unless the picture is what the clip began as.
    fn check_picture(&self) -> Result<()> {
        let (width, height) = self.picture.size();
        let stored = self.picture.stored().map(|stored| stored.pixel());
        if (stored, width, height) == (Some(self.format.pixel), self.format.width, self.format.height) {
            return Ok(());
        }
        let pixel = stored.map_or_else(|| "unknown pixels".to_owned(), |pixel| pixel.name());
        bail!(
            "frame {} of {} is {pixel} {width}x{height}, but the clip began as {} {}x{}; make it one size with: ffmpeg -i {} -vf scale={}:{} OUTPUT",
            self.number,
            self.name,
            self.format.pixel.name(),
            self.format.width,
            self.format.height,
            self.name,
            self.format.width,
            self.format.height
        )
    }

    /// Reads on for other streams until they have reached the end of the cut.
    fn read_rest(&mut self, cut: i64) -> Result<()> {
        let audio: Vec<_> = (0..self.heritage.streams.len())
            .filter(|index| self.heritage.streams[*index].kind == Kind::Audio)
            .collect();
        let mut waiting: Vec<_> = audio
            .into_iter()
            .filter(|index| {
                let unit = self.heritage.streams[*index].time_base;
                let mut packets = self.pending.iter().filter(|packet| packet.stream() == *index);
                packets.all(|packet| self.timeline.is_before(packet, unit, cut))
            })
            .collect();
        // Streams are seldom interleaved more loosely than this.
        let limit = cut + rescale(10_000_000, MICROSECOND, self.format.time_base);
        while !waiting.is_empty() && !self.ending.is_reached() {
            if self.input.read(&mut self.packet) != Progress::Packet {
                break;
            }
            let index = self.packet.stream();
            if index == self.video {
                if self.packet.dts().is_some_and(|dts| dts - self.timeline.origin > limit) {
                    break;
                }
                continue;
            }
            self.carry()?;
            let Some(packet) = self.pending.last().filter(|packet| packet.stream() == index) else { continue };
            if !self.timeline.is_before(packet, self.heritage.streams[index].time_base, cut) {
                waiting.retain(|waiting| *waiting != index);
            }
        }
        Ok(())
    }
}

impl Source for Container {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        if self.is_over {
            return Ok(None);
        }
        if self.options.interrupt.load(Ordering::Relaxed) || self.options.frames.is_some_and(|most| self.number >= most)
        {
            self.is_over = true;
            self.cut = Some(self.timeline.reached());
            return Ok(None);
        }
        self.decoder.set_pool(pool);
        loop {
            if !self.decode()? {
                self.end()?;
                return Ok(None);
            }
            let nudged = self.timeline.nudged;
            let (pts, duration) = self.timeline.place(self.picture.pts(), self.picture.duration());
            if nudged == 0 && self.timeline.nudged > 0 {
                log::warn!("frame {} of {}: times do not ascend; they are moved", self.number, self.name);
            }
            if self.timeline.has_start && pts < 0 {
                continue;
            }
            if let Some(end) = self.timeline.end.filter(|end| pts >= *end) {
                self.is_over = true;
                self.cut = Some(end);
                return Ok(None);
            }
            self.check_picture()?;
            self.count_mended()?;
            let packets = self.take_packets(Some(pts + duration));
            let properties = Some(self.picture.properties()?);
            let attachment: Attachment = Arc::new(Carried { properties, packets });
            let timing = Timing { number: self.number, pts, duration, attachment: Some(attachment) };
            let frame = self.decoder.frame(&self.picture, &self.format, pool, timing);
            let frame = frame.with_context(|| format!("frame {} of {}", self.number, self.name))?;
            self.number += 1;
            return Ok(Some(frame));
        }
    }

    fn length(&self) -> Option<u64> {
        let stream = self.input.stream(self.video);
        let limit = self.options.frames.unwrap_or(u64::MAX);
        let is_whole = self.options.start.is_none() && self.options.duration.is_none();
        if let Some(frames) = self.sequence.as_ref().map(|s| s.length).or(stream.frames).filter(|_| is_whole) {
            return Some(frames.min(limit));
        }
        let total = match stream.duration {
            Some(duration) => duration as f64 * stream.time_base.value()?,
            None => self.input.duration_us()? as f64 / 1e6,
        };
        let after = (total - self.options.start.unwrap_or_default().as_secs_f64()).max(0.0);
        let wanted = self.options.duration.map_or(after, |duration| duration.as_secs_f64().min(after));
        Some(((wanted * stream.rate.value()?).round() as u64).min(limit))
    }

    fn trailer(&mut self) -> Option<Attachment> {
        let cut = self.cut.filter(|_| self.is_over);
        if let Some(cut) = cut
            && let Err(error) = self.read_rest(cut)
        {
            log::warn!("{}: the end of other streams is missing: {error:#}", self.name);
        }
        let packets = self.take_packets(cut);
        (!packets.is_empty()).then(|| Arc::new(Carried { properties: None, packets }) as Attachment)
    }

    fn defects(&self) -> Defects {
        self.defects.clone()
    }
}

fn open_path(path: &Path, sequence: Option<&Sequence>, options: &Options) -> Result<Input> {
    if let Some(sequence) = sequence {
        return Input::open_path(path, Some(sequence.first), options.interrupt.clone());
    }
    let metadata = std::fs::metadata(path)?;
    ensure!(!metadata.is_dir(), "it is a folder; name a file, or images in it such as {:?}", path.join("%04d.png"));
    if metadata.is_file() {
        ensure!(metadata.len() > 0, "the file is empty");
        let mut start = [0; PLAYLIST.len()];
        let is_playlist = File::open(path)?.read_exact(&mut start).is_ok() && start == *PLAYLIST;
        // FFmpeg would wait for the network, which it is not allowed to use.
        ensure!(!is_playlist, "it is a playlist; name one of the files that it lists");
    }
    Input::open_path(path, None, options.interrupt.clone())
}

/// How playlists of streams begin.
const PLAYLIST: &[u8; 7] = b"#EXTM3U";

/// FFmpeg's error with what its libraries said about it.
fn explain(error: &anyhow::Error) -> anyhow::Error {
    match libav_log::complaint() {
        Some(complaint) => anyhow!("{error:#} ({complaint}); is it a complete video file?"),
        None => anyhow!("{error:#}"),
    }
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX / 4)
}
