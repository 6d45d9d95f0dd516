//! Packets of chunks that are encoded already, in the place of an encoder's.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::clock::Moment;
use crate::frame::{Format, Rational};
use crate::libav::input::{InputContext, ReadOutcome};
use crate::libav::packet::{Packet, rescale};
use crate::libav::passed::PassedStream;

/// Gives the file of the next chunk; `None` behind the last. Blocks until it is there.
pub type NextChunk = Box<dyn FnMut() -> Result<Option<PathBuf>> + Send>;

/// The chunks of a clip one after the other. Each frame of the clip is answered by the packet that is shown at its time.
pub struct Passage {
    next: NextChunk,
    format: Arc<Format>,
    /// What the first chunk is coded as, and all have to be.
    stream: PassedStream,
    /// The chunk that is read; `None` behind the last.
    current: Option<PassedChunk>,
    /// Duration by time, in the clip's unit, of frames whose packets have not come yet.
    due: BTreeMap<i64, i64>,
    /// When the last frame is shown that came.
    last: Option<i64>,
    order: DecodingOrder,
    is_ended: bool,
}

/// A chunk that is being read.
struct PassedChunk {
    name: String,
    input: InputContext,
    video: usize,
    unit: Rational,
    /// A packet that was read before its frame came.
    ahead: Option<Packet>,
    /// When the last of those that were given is shown.
    latest: Option<i64>,
}

impl Passage {
    /// Opens the first chunk of a clip of that format. Blocks until it is there.
    ///
    /// # Errors
    /// If it does not come, cannot be read, or is no chunk of such a clip.
    pub fn open(mut next: NextChunk, format: &Arc<Format>) -> Result<Self> {
        let path = next()?.context("there is no chunk to join")?;
        let (chunk, stream) = PassedChunk::open(&path, format)?;
        let order = DecodingOrder { delay: stream.delay(), times: VecDeque::new(), given: 0 };
        Ok(Self {
            next,
            format: format.clone(),
            stream,
            current: Some(chunk),
            due: BTreeMap::new(),
            last: None,
            order,
            is_ended: false,
        })
    }

    /// What the packets are coded as.
    pub(super) fn stream(&self) -> &PassedStream {
        &self.stream
    }

    /// The clip has a frame that is shown at `pts` for `duration`.
    pub(super) fn await_frame(&mut self, pts: i64, duration: i64) {
        self.due.insert(pts, duration);
        self.order.times.push_back(pts);
        self.last = Some(pts);
    }

    /// The clip has no more frames.
    pub(super) fn end(&mut self) {
        self.is_ended = true;
    }

    /// Takes a packet; `None` if a frame must come first, or behind the last. Blocks until the next chunk is there.
    ///
    /// # Errors
    /// If a chunk cannot be read, is coded otherwise than the first, or has not the frames of the clip.
    pub(super) fn receive(&mut self, packet: &mut Packet) -> Result<Option<Moment>> {
        loop {
            let Some(chunk) = &mut self.current else { return Ok(None) };
            let Some(ahead) = chunk.read()? else {
                self.advance()?;
                continue;
            };
            let (name, unit) = (&chunk.name, self.format.time_base);
            let shown = ahead.pts().with_context(|| format!("{name} has frames without timestamps"))?;
            let time = rescale(shown, chunk.unit, unit);
            // A container may round times to a coarser unit than the clip's.
            let near = rescale(1, chunk.unit, unit) / 2;
            let found = self.due.range(time - near..=time + near).min_by_key(|(due, _)| (**due - time).abs());
            let Some((pts, duration)) = found.map(|(pts, duration)| (*pts, *duration)) else {
                let is_behind = self.last.is_none_or(|last| time > last);
                ensure!(is_behind, "{name} has a frame that is not in the clip, or a frame twice; {AGAIN}");
                ensure!(!self.is_ended, "{name} has frames after the clip's last; {AGAIN}");
                chunk.ahead = Some(ahead);
                return Ok(None);
            };
            if chunk.latest.is_none() {
                ensure!(ahead.is_key(), "{name} does not begin with a key frame; encode it as a clip of its own");
                let is_missing = self.due.keys().next().is_some_and(|first| *first < pts);
                ensure!(!is_missing, "frames are missing before {name}; {AGAIN}");
            }
            if !self.order.is_known() && !self.is_ended {
                chunk.ahead = Some(ahead);
                return Ok(None);
            }
            let dts = self.order.next().unwrap_or(pts);
            ensure!(
                dts <= pts,
                "the headers of {name} do not give the order of its frames; encode it without B-frames"
            );
            self.due.remove(&pts);
            chunk.latest = chunk.latest.max(Some(pts));
            *packet = ahead;
            return Ok(Some(Moment { pts, dts, duration }));
        }
    }

    /// Goes on with the next chunk.
    fn advance(&mut self) -> Result<()> {
        let Some(done) = self.current.take() else { return Ok(()) };
        let missing = self.due.keys().next().filter(|first| done.latest.is_some_and(|latest| **first < latest));
        ensure!(missing.is_none(), "{} lacks frames of its part of the clip; {AGAIN}", done.name);
        let Some(path) = (self.next)()? else { return Ok(()) };
        let (chunk, stream) = PassedChunk::open(&path, &self.format)?;
        ensure!(
            stream.is_like(&self.stream),
            "{} has other encoder settings than the chunks before; make all of them with the same options",
            chunk.name
        );
        self.current = Some(chunk);
        Ok(())
    }

    /// Looks whether every frame had its packet, once the clip has no more and all were taken.
    ///
    /// # Errors
    /// If not.
    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            !self.is_ended || self.due.is_empty(),
            "the chunks end {} frames before the clip; {AGAIN}",
            self.due.len()
        );
        Ok(())
    }
}

/// When packets are decoded: each so many frames before the one that is shown at its place. So times ascend over all seams.
struct DecodingOrder {
    /// How many.
    delay: usize,
    /// Times of the frames from that on at which the next packet is decoded; from the first on while that lies before it.
    times: VecDeque<i64>,
    /// Packets that have a time.
    given: usize,
}

impl DecodingOrder {
    /// Whether the next packet's time is settled by the frames that came so far.
    fn is_known(&self) -> bool {
        self.given >= self.delay || self.times.len() > self.delay
    }

    /// The next packet's time. Before the first frame times are as far apart as behind it.
    fn next(&mut self) -> Option<i64> {
        let number = self.given;
        self.given += 1;
        if number >= self.delay {
            return self.times.pop_front();
        }
        let at = |index: usize| self.times.get(index).copied();
        let first = at(0)?;
        let lead = at(self.delay).map(|later| later - first);
        Some(match (at(number), lead) {
            (Some(time), Some(lead)) => time - lead,
            // Of a clip of a few frames.
            _ => first - (self.delay - number) as i64,
        })
    }
}

impl PassedChunk {
    fn open(path: &Path, format: &Arc<Format>) -> Result<(Self, PassedStream)> {
        let name = format!("{path:?}");
        let input = InputContext::open_path(path, None).with_context(|| format!("open {name}"))?;
        let video = input.best_video().with_context(|| format!("{name} has no video"))?;
        let stream = PassedStream::of(&input, video, format)?;
        let (width, height) = stream.size();
        let due = (format.width, format.height);
        ensure!((width, height) == due, "{name} is {width}x{height}, and not {}x{}; {AGAIN}", due.0, due.1);
        let unit = input.stream(video).time_base;
        Ok((Self { name, input, video, unit, ahead: None, latest: None }, stream))
    }

    /// The next packet; `None` at the end.
    fn read(&mut self) -> Result<Option<Packet>> {
        while self.ahead.is_none() {
            let mut packet = Packet::new();
            match self.input.read(&mut packet) {
                ReadOutcome::Packet if packet.is_corrupt() => bail!(self.damaged()),
                ReadOutcome::Packet if packet.stream() == self.video => return Ok(Some(packet)),
                ReadOutcome::Packet => {}
                ReadOutcome::End if self.input.io_error().is_none() => return Ok(None),
                ReadOutcome::End | ReadOutcome::Torn | ReadOutcome::Failed(_) => bail!(self.damaged()),
            }
        }
        Ok(self.ahead.take())
    }

    fn damaged(&self) -> anyhow::Error {
        anyhow!("{} is damaged; {AGAIN}", self.name)
    }
}

/// What helps.
const AGAIN: &str = "make all chunks of this clip again with the same N";
