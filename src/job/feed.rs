//! The chunks that a clip is joined from, in order: all there already, or the last of them still being made.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::due::ChunkCheck;
use super::interrupted::Interrupted;
use super::request::Request;
use super::shape::ChunkFormat;
use super::usage::Usage;
use crate::frame::Format;
use crate::sequence::Pattern;
use crate::sink::container::Passage;
use crate::source::CancelToken;

/// A chunk that is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredChunk {
    /// Where it lies.
    pub path: PathBuf,
    /// What [`super::ChunkReport::md5`] said when it was made, if its frames are to be compared with that.
    pub md5: Option<String>,
}

/// Where chunks are added, in order. Dropped before [`ChunkFeed::end`] it ends the job that joins them with an error.
pub struct ChunkFeed(Sender<Addition>);

enum Addition {
    Chunk(StoredChunk),
    End,
}

impl ChunkFeed {
    /// A list without a chunk yet. `frames` says what they have, where their chain changes the size or shape of the clip's.
    pub fn new(frames: Option<ChunkFormat>) -> (Self, ChunkQueue) {
        let (sender, receiver) = mpsc::channel();
        (Self(sender), ChunkQueue { ahead: VecDeque::new(), coming: Some(receiver), check: None, frames })
    }

    /// Adds the next chunk. Nobody takes it where the job has ended.
    pub fn add(&self, chunk: StoredChunk) {
        self.0.send(Addition::Chunk(chunk)).ok();
    }

    /// No other comes.
    pub fn end(self) {
        self.0.send(Addition::End).ok();
    }
}

/// Chunks in order.
pub struct ChunkQueue {
    ahead: VecDeque<StoredChunk>,
    /// Where others come from; nowhere once all are known.
    coming: Option<Receiver<Addition>>,
    /// Whether each is the one that is due, by its own record; `None` where whoever adds chunks answers for them.
    check: Option<ChunkCheck>,
    /// What their frames are, where they are not those of the clip; of chunks with records known with the first.
    frames: Option<ChunkFormat>,
}

impl ChunkQueue {
    /// The files behind a pattern such as `part%d.nut`, in the order of their numbers, from 1 on. Each is compared with the
    /// clip of the request and with those before.
    ///
    /// # Errors
    /// [`Usage`] if it is no pattern; if one is missing, or the folder cannot be read.
    pub(super) fn find(pattern: &str, request: &Request, interrupt: &CancelToken) -> Result<Self> {
        let path = Path::new(pattern);
        let expected = "expected a file name with a number pattern, as in part%d.nut or part%03d.nut";
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
            bail!("chunk {missing} of {path:?} is missing; make it with --chunk {missing}/N");
        }
        let ahead = files.into_iter().map(|(_, path)| StoredChunk { path, md5: None }).collect();
        Ok(Self { ahead, coming: None, check: Some(ChunkCheck::of(request, interrupt)?), frames: None })
    }

    /// The next chunk; `None` behind the last, and where the user asked to stop. Blocks until it is complete.
    ///
    /// # Errors
    /// If no more are made, or the next is not the one that is due.
    pub(super) fn next(&mut self, interrupt: &CancelToken) -> Result<Option<StoredChunk>> {
        const BETWEEN: Duration = Duration::from_millis(50);

        while self.ahead.is_empty() && !interrupt.is_cancelled() {
            let Some(coming) = &self.coming else { break };
            match coming.recv_timeout(BETWEEN) {
                Ok(addition) => self.take(addition),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!(ABANDONED),
            }
        }
        let next = self.ahead.pop_front();
        match (&mut self.check, &next) {
            (Some(check), Some(chunk)) => {
                check.take(&chunk.path)?;
                self.frames = check.frames().cloned();
            }
            (Some(check), None) if !interrupt.is_cancelled() => check.end()?,
            _ => {}
        }
        Ok(next)
    }

    /// The format of the frames of the chunks that came, for a clip of that format.
    ///
    /// # Errors
    /// If there is no such format.
    pub(super) fn format(&self, clip: &Arc<Format>) -> Result<Arc<Format>> {
        self.frames.as_ref().map_or_else(|| Ok(clip.clone()), |frames| frames.format(clip))
    }

    /// The packets of the chunks of a clip of that format, and the format of their frames. Blocks until the first is there.
    ///
    /// # Errors
    /// If it does not come, cannot be read, or is no chunk of such a clip; [`Interrupted`] if the user asked to stop.
    pub(super) fn passage(mut self, clip: &Arc<Format>, interrupt: &CancelToken) -> Result<(Passage, Arc<Format>)> {
        let mut first = self.next(interrupt)?;
        let format = self.format(clip)?;
        let heard = interrupt.clone();
        let next = move || {
            let chunk = first.take().map_or_else(|| self.next(&heard), |chunk| Ok(Some(chunk)))?;
            Ok(chunk.map(|chunk| chunk.path))
        };
        let passage = Passage::open(Box::new(next), &format);
        ensure!(passage.is_ok() || !interrupt.is_cancelled(), Interrupted);
        Ok((passage?, format))
    }

    /// Looks whether chunks are still made, where not all are there.
    ///
    /// # Errors
    /// If they are not.
    pub(super) fn check(&mut self) -> Result<()> {
        while let Some(coming) = &self.coming {
            match coming.try_recv() {
                Ok(addition) => self.take(addition),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => bail!(ABANDONED),
            }
        }
        Ok(())
    }

    fn take(&mut self, addition: Addition) {
        match addition {
            Addition::Chunk(chunk) => self.ahead.push_back(chunk),
            Addition::End => self.coming = None,
        }
    }
}

/// What ended the making of chunks is said by whoever made them.
const ABANDONED: &str = "the missing chunks are no longer being made; make them again";
