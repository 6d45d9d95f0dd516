//! A clip whose pictures come from chunks that were filtered elsewhere, and all else from the clip itself.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::chunk::describe;
use super::feed::{ChunkQueue, StoredChunk};
use super::input;
use super::interrupted::Interrupted;
use super::kind::OutputKind;
use super::request::{Request, Tolerance, TypedCut};
use crate::frame::{Attachment, Format, Frame, Margin, Pool, Range};
use crate::gauge::Gauge;
use crate::libav::Stored;
use crate::sink::FrameSum;
use crate::source::{CancelToken, Defects, Source};

/// A source whose frames have the samples of others. Its own are decoded too, for what rides on them: times, side data,
/// packets of sound. The chunks are opened one after the other.
pub(super) struct Rejoined {
    source: Box<dyn Source>,
    /// Of the chunks: how each is opened but for its name.
    request: Request,
    interrupt: CancelToken,
    /// Those that have not been opened.
    ahead: ChunkQueue,
    current: Option<OpenChunk>,
    /// Of the chunks' frames.
    format: Arc<Format>,
}

/// A chunk that is being read.
struct OpenChunk {
    name: String,
    source: Box<dyn Source>,
    /// What is read of it, and what that has to be.
    sum: Option<(FrameSum, String)>,
}

impl Rejoined {
    /// Takes the pictures of chunks; the first is opened. Blocks until it is there.
    ///
    /// # Errors
    /// If it cannot be read, or is no chunk of such a clip; [`Interrupted`] if it did not come.
    pub(super) fn new(
        source: Box<dyn Source>,
        ahead: ChunkQueue,
        request: &Request,
        interrupt: &CancelToken,
    ) -> Result<Self> {
        let request = Request {
            raw: None,
            fps: None,
            cut: TypedCut::default(),
            chunk: None,
            chunks_from: None,
            tolerance: Tolerance::Strict,
            ..request.clone()
        };
        let format = source.format().clone();
        let mut rejoined = Self { source, request, interrupt: interrupt.clone(), ahead, current: None, format };
        let has_begun = rejoined.advance()?;
        ensure!(has_begun || !interrupt.is_cancelled(), Interrupted);
        Ok(rejoined)
    }

    /// Opens the next chunk; `false` where there is none.
    fn advance(&mut self) -> Result<bool> {
        self.current = None;
        let Some(StoredChunk { path, md5 }) = self.ahead.next(&self.interrupt)? else { return Ok(false) };
        let name = path.into_os_string().into_string().map_err(|name| anyhow!("{name:?} is not UTF-8"))?;
        self.format = self.ahead.format(self.source.format()).with_context(|| format!("chunk {name:?}"))?;
        let raw = (OutputKind::of(&name, None) == OutputKind::Raw).then(|| self.bare());
        let request = Request { input: name.clone(), raw, ..self.request.clone() };
        let opened = input::open(&request, &self.interrupt);
        if opened.is_err() && self.interrupt.is_cancelled() {
            return Ok(false);
        }
        let source = opened?.0;
        let (got, due) = (source.format(), &self.format);
        let is_alike = (got.pixel, got.width, got.height) == (due.pixel, due.width, due.height);
        let is_converted = got.colour.range != Range::Unspecified && got.range() != due.range();
        ensure!(!is_converted, "{name:?} has samples of another range than the clip; make it with --lossless, as .mkv");
        let whose = if due.planes_match(self.source.format()) { "clip" } else { "filtered clip" };
        let [got, due] = [describe(got), describe(due)];
        ensure!(is_alike, "{name:?} has {got} frames, and the {whose} {due}; make it from this clip, with --lossless");
        self.current = Some(OpenChunk { name, source, sum: md5.map(|due| (FrameSum::new("decoder sum"), due)) });
        Ok(true)
    }

    /// What the frames of a chunk are that does not say it: as a job writes them.
    fn bare(&self) -> String {
        let format = &self.format;
        let stored = self
            .source
            .stored()
            .and_then(Stored::named)
            .filter(|stored| stored.is_lossless() && stored.pixel() == format.pixel);
        let name = stored.map_or_else(|| format.pixel.name(), |stored| stored.name().to_owned());
        format!("{name}:{}x{}", format.width, format.height)
    }

    /// The next frame of the chunks.
    fn picture(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        loop {
            let Some(OpenChunk { name, source, sum }) = &mut self.current else { return Ok(None) };
            if let Some(frame) = source.next_frame(pool)? {
                if let Some((sum, _)) = sum {
                    sum.add(&frame)?;
                }
                return Ok(Some(frame));
            }
            if self.interrupt.is_cancelled() {
                return Ok(None);
            }
            if let Some((sum, due)) = sum.take() {
                ensure!(sum.finish()? == due, "{name:?} does not hold the filtered frames; make it again");
            }
            if !self.advance()? {
                return Ok(None);
            }
        }
    }
}

impl Source for Rejoined {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        self.ahead.check()?;
        let Some(own) = self.source.next_frame(pool)? else {
            let is_stopped = self.interrupt.is_cancelled();
            if !is_stopped && self.picture(pool)?.is_some() {
                let name = self.current.as_ref().map_or("", |chunk| &chunk.name);
                bail!("{name:?} has frames after the clip's last; use chunks made from this clip");
            }
            return Ok(None);
        };
        let number = own.timing.number;
        let Some(picture) = self.picture(pool)? else {
            // The user asked to stop between the two: the clip's own frame has no picture, and the clip ends there.
            if self.interrupt.is_cancelled() {
                return self.source.next_frame(pool).map(|_| None);
            }
            bail!("the chunks end before frame {number} of the clip; make all its chunks with the same N");
        };
        let (layout, block) = (picture.layout().clone(), picture.host()?.block().clone());
        Frame::from_block(self.format.clone(), own.timing, layout, block).map(Some)
    }

    fn widen(&mut self, margin: Margin) {
        self.source.widen(margin);
    }

    fn decoders(&self) -> usize {
        self.source.decoders()
    }

    fn watch(&mut self, gauges: Vec<Arc<Gauge>>) {
        self.source.watch(gauges);
    }

    fn length(&self) -> Option<u64> {
        self.source.length()
    }

    fn stored(&self) -> Option<&'static str> {
        self.source.stored()
    }

    fn trailer(&mut self) -> Option<Attachment> {
        self.source.trailer()
    }

    fn until(&self) -> Option<i64> {
        self.source.until()
    }

    fn defects(&self) -> Defects {
        self.source.defects()
    }
}
