//! Opening a clip: finding its video, its start, and what its frames are.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};

use super::ahead::Ahead;
use super::ending::Ending;
use super::feed::LiveFeed;
use super::last::LastFrame;
use super::path::open_path;
use super::seam::Seams;
use super::sequence::Sequence;
use super::still::Stills;
use super::structure::FileStructure;
use super::suspect::Suspects;
use super::tape::Taped;
use super::timeline::{InputTimeline, MICROSECOND};
use super::{Container, Medium, Options};
use crate::frame::{FieldOrder, Format, Margin, Pixel, Rational};
use crate::libav::decoder::Decoder;
use crate::libav::error::{is_damage, is_vague};
use crate::libav::input::{InputContext, ReadOutcome, fits};
use crate::libav::log as libav_log;
use crate::libav::packet::{Packet, rescale};
use crate::libav::picture::Picture;
use crate::libav::source_info::SourceInfo;
use crate::libav::timecode;
use crate::sequence;
use crate::source::{Concealing, Defects, Salvage};

impl Container {
    /// Packets that are held take so many bytes, and one more.
    const HELD_BYTES: usize = 64 << 20;

    /// Opens a clip and decodes its first frame. Blocks until that is there.
    ///
    /// # Errors
    /// If the input does not exist, is nothing that FFmpeg reads, or holds no video that can be filtered; also if it is
    /// interrupted meanwhile.
    pub fn open(medium: Medium, options: Options) -> Result<Self> {
        let (name, path) = match &medium {
            Medium::Path(path) => (format!("{path:?}"), Some(path.clone())),
            Medium::Stream(_, name) => (format!("{name:?}"), None),
            Medium::Live(live) => (format!("{:?}", live.address.shown()), None),
        };
        let (mut live, mut tape) = (None, None);
        libav_log::complaint();
        let mut sequence = match &path {
            Some(path) if sequence::is_sequence(path) => {
                let mut found = Sequence::find(path).with_context(|| format!("open {name}"))?;
                found.rate = options.rate;
                Some(found)
            }
            _ => None,
        };
        let opened = match medium {
            Medium::Path(path) => match &mut sequence {
                Some(sequence) => open_images(sequence, &path, &options),
                None => open_path(&path),
            },
            Medium::Stream(from, _) => {
                let (taped, kept) = Taped::new(from);
                tape = Some(kept);
                InputContext::open_stream(Box::new(taped))
            }
            Medium::Live(typed) => live.insert(LiveFeed::new(typed, options.interrupt.clone())).open(),
        };
        let is_file = path.is_some();
        let explain = |error| if live.is_some() { explain_live(&error) } else { explain(&error, is_file) };
        let input = opened.map_err(explain).with_context(|| format!("open {name}"))?;
        let chosen = options.video.filter(|index| *index < input.streams());
        let video = chosen.or_else(|| input.best_video()).with_context(|| {
            let mut kinds: Vec<_> =
                (0..input.streams()).map(|index| format!("{:?}", input.stream(index).kind).to_lowercase()).collect();
            kinds.dedup();
            let found = if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") };
            match found.as_str() {
                "audio" => format!("{name} has no video; found audio: change sound with ffmpeg -i INPUT -af FILTER OUTPUT"),
                "subtitle" => format!(
                    "{name} has no video; found subtitle: add it to a clip with ffmpeg -i CLIP -i FILE -map 0 -map 1 -c copy OUTPUT.mkv"
                ),
                _ => format!("{name} has no video; found {found}"),
            }
        })?;
        let decoder = decoder(&input, video, &options).with_context(|| format!("decode {name}"))?;
        let stream = input.stream(video);
        let start_us = options.start.map_or(0, microseconds);
        let timeline = InputTimeline::new(
            stream.time_base,
            stream.rate,
            input.start_us(),
            options.start.map(microseconds),
            options.duration.map(microseconds),
        );
        let length_us = options.duration.map(microseconds);
        let placeholder = Arc::new(Format::new(Pixel::gray(8), 1, 1, Rational::new(1, 1)));
        let source_info = Arc::new(SourceInfo::of(&input, video, None, timeline.origin_us, length_us, None)?);
        let structure = path.as_ref().filter(|_| sequence.is_none());
        let structure = structure.and_then(|path| FileStructure::of(path, &input.container()));
        let stills = Stills::of(&input, video);
        let mut container = Self {
            name,
            path,
            input,
            video,
            picture: Picture::new(),
            decoder,
            ahead: Ahead::default(),
            lifted: None,
            format: placeholder,
            source_info,
            options,
            timeline,
            sequence,
            packet: Packet::new(),
            seams: Seams::default(),
            held: VecDeque::new(),
            is_ready: false,
            pending: BTreeMap::new(),
            ending: Ending::default(),
            cut: None,
            is_over: false,
            number: 0,
            first: 0,
            counted: None,
            portion: None,
            whole: None,
            reads_on: false,
            margin: Margin::default(),
            awaits_key: live.as_ref().is_some_and(LiveFeed::begins_anywhere),
            is_entered: false,
            is_at_beginning: true,
            lead: VecDeque::new(),
            tail: 0,
            placed: None,
            defects: Defects::default(),
            mended: 0,
            marked: 0,
            density: OnceLock::new(),
            last: LastFrame::default(),
            suspects: Suspects::default(),
            structure,
            tape,
            stills,
            live,
        };
        if start_us > 0 && container.path.is_some() {
            container.begin()?;
            container.mended = container.decoder.concealed();
        } else {
            container.is_ready = container.decode()?;
        }
        // A clip without a frame is nothing to write, least of all over an output that exists.
        ensure!(!container.is_interrupted(), "open {}: interrupted before its first frame", container.name);
        let is_silent = !container.is_ready && container.input.has_expired();
        ensure!(
            !is_silent,
            "open {}: no frame came in time; type a longer --timeout, or check the sender",
            container.name
        );
        let mut format = container.learn_format()?;
        let first = container.is_ready.then_some(&container.picture);
        let origin_us = container.timeline.origin_us;
        let groups = container.path.as_deref().filter(|_| container.sequence.is_none());
        let groups = groups.and_then(|path| timecode_of_groups(path, &container.input, video));
        let mut source_info = SourceInfo::of(&container.input, video, first, origin_us, length_us, groups)?;
        source_info.adopt_still(container.stills.first());
        container.source_info = Arc::new(source_info);
        format.turn = container.source_info.turn();
        format.light = container.source_info.light();
        container.format = Arc::new(format);
        Ok(container)
    }

    /// Decodes the first picture, from a key frame before the start where the input can be rewound.
    pub(super) fn begin(&mut self) -> Result<()> {
        // Where an index tells key frames, the first try is right. Without one FFmpeg lands somewhere before the start,
        // and if no key frame follows in time, it has to be further back.
        let mut margin_us = 0;
        while self.timeline.origin_us - margin_us > self.input.start_us() {
            if !self.seek_before(margin_us)? {
                break;
            }
            self.is_ready = self.decode()?;
            if self.is_ready && self.picture.pts().is_some_and(|pts| pts <= self.timeline.origin) {
                return Ok(());
            }
            margin_us = 1_000_000 + 4 * margin_us;
        }
        log::debug!("{} cannot seek to its start; decoding all of it", self.name);
        self.rewind()?;
        self.is_ready = self.decode()?;
        Ok(())
    }

    /// Goes to a key frame at least so long before the part; false where that is not possible.
    pub(super) fn seek_before(&mut self, margin_us: i64) -> Result<bool> {
        let target = self.timeline.origin - rescale(margin_us, MICROSECOND, self.unit());
        // Whoever knows of a part has looked through the file, and has found that its times tell where a frame is.
        if self.input.may_restart() && self.portion.is_none() {
            self.read_up_to(target)?;
            self.awaits_key = !self.is_at_beginning;
            return Ok(true);
        }
        if self.sequence.as_ref().is_some_and(Sequence::is_moved) {
            self.rewind()?;
        }
        if self.input.seek(self.video, target).is_err() {
            return Ok(false);
        }
        self.decoder.flush();
        self.forget(Some(target));
        (self.is_at_beginning, self.awaits_key) = (false, true);
        Ok(true)
    }

    /// Reads the file from its beginning, without decoding it, up to what is shown at `target` by times that go on,
    /// which a search by the file's own could miss. What comes next is the last key frame before, or one farther back
    /// where more would have to be held. Blocks until that is read.
    ///
    /// # Errors
    /// If the file cannot be opened once more, or memory runs out.
    fn read_up_to(&mut self, target: i64) -> Result<()> {
        self.rewind()?;
        let mut bytes = 0;
        while bytes <= Self::HELD_BYTES && !self.is_interrupted() {
            let outcome = self.input.read(&mut self.packet);
            if outcome != ReadOutcome::Packet {
                self.ending.reach(outcome);
                break;
            }
            // What is wrong before the part is not told.
            drop(libav_log::container_complaint());
            let is_video = self.packet.stream() == self.video;
            self.ending.note(&self.input, &self.packet, is_video, 0);
            self.seams.place(&self.input, &mut self.packet, self.video);
            if !is_video {
                self.carry()?;
                continue;
            }
            if self.packet.is_key() && self.packet.pts().is_some_and(|pts| pts <= target) {
                self.is_at_beginning &= self.held.is_empty();
                self.held.clear();
                bytes = 0;
            }
            bytes += self.packet.bytes();
            self.held.push_back(self.packet.share()?);
            if self.packet.dts().or(self.packet.pts()).is_some_and(|time| time > target) {
                break;
            }
        }
        Ok(())
    }

    /// Goes to the beginning of the clip, where it is a file.
    pub(super) fn rewind(&mut self) -> Result<()> {
        if let Some(path) = &self.path {
            self.input = match &mut self.sequence {
                Some(sequence) => {
                    sequence.rewind();
                    open_images(sequence, path, &self.options)?
                }
                None => open_path(path)?,
            };
            // It may lie on the device of the decoder that goes.
            self.picture = Picture::new();
            self.decoder = decoder(&self.input, self.video, &self.options)?;
        }
        self.forget(None);
        self.is_at_beginning = true;
        Ok(())
    }

    /// What was read so far does not count: the input was entered at another place.
    fn forget(&mut self, landing: Option<i64>) {
        self.ahead.land(landing);
        self.lifted = None;
        self.last = LastFrame::default();
        self.suspects = Suspects::default();
        self.structure.iter_mut().for_each(FileStructure::forget);
        if let (Some(sequence), Some(landing)) = (&mut self.sequence, landing) {
            sequence.land(landing);
        }
        self.pending.clear();
        self.held.clear();
        self.seams = Seams::default();
        self.stills.forget();
        self.ending = Ending::default();
        self.defects = Defects::default();
        (self.is_ready, self.placed, self.awaits_key) = (false, None, false);
        self.timeline.restart();
    }

    pub(super) fn unit(&self) -> Rational {
        self.input.stream(self.video).time_base
    }

    /// What the clip is, by its first picture, or by its header where none could be decoded.
    fn learn_format(&self) -> Result<Format> {
        let name = &self.name;
        let announced = self.decoder.announced();
        let (stored, width, height) = match self.decoder.stored(&self.picture).filter(|_| self.is_ready) {
            Some(stored) => (stored, self.picture.size().0, self.picture.size().1),
            None => announced.with_context(|| match self.live {
                Some(_) => format!(
                    "no frame of {name} can be decoded; its sender has to repeat the codec's headers (h264parse \
                     config-interval=-1 in GStreamer, -bsf:v dump_extra in ffmpeg), or type a longer --timeout"
                ),
                None => format!(
                    "no frame of {name} can be decoded, or its pixel format is not supported; inspect it with ffprobe"
                ),
            })?,
        };
        ensure!(
            fits(width, height),
            "{name} is {width}x{height}; the limit is {} pixels a side; scale it with ffmpeg first",
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
}

/// Opens the images of a sequence from the first on that can be read.
///
/// # Errors
/// If the first cannot, or where that is to be passed over, if none can.
fn open_images(sequence: &mut Sequence, path: &Path, options: &Options) -> Result<InputContext> {
    loop {
        let number = sequence.due().map_or(sequence.first, |(number, _)| number);
        let passes = options.salvage == Salvage::On || options.conceal == Concealing::On;
        match sequence.open(path).with_context(|| format!("image number {number}")) {
            Err(_) if passes && sequence.remains() => {
                log::warn!("image number {number} of {path:?} cannot be read; left out");
                sequence.skip();
            }
            opened => return opened,
        }
    }
}

pub(super) fn decoder(input: &InputContext, video: usize, options: &Options) -> Result<Decoder> {
    match &options.device {
        Some(device) => Decoder::open_on(device.lane()?, input, video),
        None => Decoder::open(input, video, options.threads),
    }
}

/// FFmpeg's error with what its libraries said about it, and what that means of a file.
fn explain(error: &anyhow::Error, is_file: bool) -> anyhow::Error {
    match libav_log::complaint() {
        Some(complaint) => anyhow!("{error:#} ({complaint}); is it a complete video file?"),
        None if is_file && is_damage(error) => {
            anyhow!("{error:#} (no video or picture that FFmpeg knows, or its beginning is missing)")
        }
        None => anyhow!("{error:#}"),
    }
}

/// The same of a stream from the network.
fn explain_live(error: &anyhow::Error) -> anyhow::Error {
    let said = libav_log::complaint().filter(|_| is_vague(error));
    anyhow!("{error:#}{}", said.map(|said| format!(" ({said})")).unwrap_or_default())
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX / 4)
}

/// The timecode of the first group of pictures of a file of MPEG-1 or MPEG-2. The file is opened once more: decoding begins
/// anywhere, and pictures do not say how far they are from the beginning of their group.
fn timecode_of_groups(path: &Path, input: &InputContext, video: usize) -> Option<String> {
    let codec = input.stream(video).codec;
    ["mpeg1video", "mpeg2video"].contains(&codec.as_str()).then_some(())?;
    let mut beginning = InputContext::open_path(path, None).ok()?;
    let mut packet = Packet::new();
    beginning.read_of(video, &mut packet).then(|| timecode::of_groups(packet.data()))?
}
