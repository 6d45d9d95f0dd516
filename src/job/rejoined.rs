//! A clip whose pictures come from chunks that were filtered elsewhere, and all else from the clip itself.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::chunk::describe;
use super::input;
use super::kind::OutputKind;
use super::request::{Request, Tolerance, TypedCut};
use super::usage::Usage;
use crate::frame::{Attachment, Format, Frame, Margin, Pool};
use crate::libav::Stored;
use crate::sequence::Pattern;
use crate::source::{Defects, Interrupt, Source};

/// A source whose frames have the samples of others. Its own are decoded too, for what rides on them: times, side data, packets
/// of sound. The chunks are opened one after the other.
pub(super) struct Rejoined {
    source: Box<dyn Source>,
    /// Of the chunks: how each is opened but for its name.
    request: Request,
    interrupt: Interrupt,
    /// Those that have not been opened.
    ahead: VecDeque<PathBuf>,
    current: Option<OpenChunk>,
}

/// A chunk that is being read.
struct OpenChunk {
    name: String,
    source: Box<dyn Source>,
}

impl Rejoined {
    /// Takes the pictures of the files behind a pattern, such as `part%d.nut`, numbered from 1 on; the first is opened.
    ///
    /// # Errors
    /// If one is missing, or the first cannot be read, or is no chunk of such a clip.
    pub(super) fn new(
        source: Box<dyn Source>,
        pattern: &str,
        request: &Request,
        interrupt: &Interrupt,
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
        let (ahead, interrupt) = (find(Path::new(pattern))?, interrupt.clone());
        let mut rejoined = Self { source, request, interrupt, ahead, current: None };
        rejoined.advance()?;
        Ok(rejoined)
    }

    /// Opens the next chunk; `false` where there is none.
    fn advance(&mut self) -> Result<bool> {
        self.current = None;
        let Some(path) = self.ahead.pop_front() else { return Ok(false) };
        let name = path.into_os_string().into_string().map_err(|name| anyhow!("{name:?} is not UTF-8"))?;
        let raw = (OutputKind::of(&name, None) == OutputKind::Raw).then(|| self.bare());
        let request = Request { input: name.clone(), raw, ..self.request.clone() };
        let source = input::open(&request, &self.interrupt)?.0;
        let (got, due) = (source.format(), self.source.format());
        let is_alike = (got.pixel, got.width, got.height) == (due.pixel, due.width, due.height);
        let [got, due] = [describe(got), describe(due)];
        ensure!(is_alike, "{name:?} has frames of {got}, and the clip of {due}; make it of this clip, with --lossless");
        self.current = Some(OpenChunk { name, source });
        Ok(true)
    }

    /// What the frames of a chunk are that does not say it: as a job writes those of the clip.
    fn bare(&self) -> String {
        let format = self.source.format();
        let stored = self.source.stored().filter(|stored| stored.is_lossless() && stored.pixel() == format.pixel);
        let name = stored.map_or_else(|| format.pixel.name(), |stored| stored.name().to_owned());
        format!("{name}:{}x{}", format.width, format.height)
    }

    /// The next frame of the chunks.
    fn picture(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        loop {
            let Some(OpenChunk { source, .. }) = &mut self.current else { return Ok(None) };
            if let Some(frame) = source.next(pool)? {
                return Ok(Some(frame));
            }
            if self.interrupt.load(Ordering::Relaxed) || !self.advance()? {
                return Ok(None);
            }
        }
    }
}

/// The files behind a pattern in the order of their numbers, from 1 on.
fn find(path: &Path) -> Result<VecDeque<PathBuf>> {
    let expected = "expected the name of chunks with a place for their number, as in part%d.nut or part%03d.nut";
    let pattern =
        Pattern::of(path).with_context(|| format!("--chunks-from {path:?}: {expected}")).map_err(Usage::of)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("read the folder {folder:?}"))? {
        let entry = entry.with_context(|| format!("read the folder {folder:?}"))?;
        let number = entry.file_name().to_str().and_then(|name| pattern.number(name));
        files.extend(number.map(|number| (number, entry.path())));
    }
    files.sort_unstable();
    let missing = (1..).zip(&files).find(|(due, (number, _))| due != number).map(|(due, _)| due);
    if let Some(missing) = missing.or(files.is_empty().then_some(1)) {
        bail!("chunk {missing} of {path:?} is not there; make it with --chunk {missing}/N");
    }
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

impl Source for Rejoined {
    fn format(&self) -> &Arc<Format> {
        self.source.format()
    }

    fn next(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let Some(own) = self.source.next(pool)? else {
            let is_stopped = self.interrupt.load(Ordering::Relaxed);
            if !is_stopped && self.picture(pool)?.is_some() {
                let name = self.current.as_ref().map_or("", |chunk| &chunk.name);
                bail!("{name:?} has frames behind the clip's last; take chunks that were made of this clip together");
            }
            return Ok(None);
        };
        let number = own.timing.number;
        let picture = self.picture(pool)?.with_context(|| {
            format!("the chunks end before frame {number} of the clip; make all chunks of it with the same N")
        })?;
        let (layout, block) = (picture.layout().clone(), picture.host()?.block().clone());
        Frame::from_block(self.source.format().clone(), own.timing, layout, block).map(Some)
    }

    fn widen(&mut self, margin: Margin) {
        self.source.widen(margin);
    }

    fn length(&self) -> Option<u64> {
        self.source.length()
    }

    fn stored(&self) -> Option<Stored> {
        self.source.stored()
    }

    fn trailer(&mut self) -> Option<Attachment> {
        self.source.trailer()
    }

    fn defects(&self) -> Defects {
        self.source.defects()
    }
}
