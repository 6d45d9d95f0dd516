//! Whether chunks that are joined are those that are due, and the record of a chunk that is filtered.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, anyhow, ensure};

use super::chunk::Chunk;
use super::division::ChunkChoice;
use super::kind::OutputKind;
use super::record::{ChunkRecord, identity, part};
use super::report::ChunkReport;
use super::request::Request;
use super::seal;
use super::shape::ChunkFormat;
use crate::source::CancelToken;

/// A chunk that is filtered, its record, and the checksum of its frames once they are there.
pub(super) struct ChunkJob {
    pub(super) chunk: Chunk,
    pub(super) record: Option<ChunkRecord>,
    pub(super) sum: Arc<OnceLock<String>>,
}

impl ChunkJob {
    /// Completes the record in the file that holds it, if that is one from which chunks can be joined.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub(super) fn finish(self, request: &Request, file: Option<&Path>) -> Result<ChunkReport> {
        let kind = request.kind();
        let is_stored =
            kind == OutputKind::Container || kind.is_plain() && kind == OutputKind::of(&request.output, None);
        if let (Some(file), Some(record)) = (file.filter(|_| is_stored), &self.record) {
            seal::close(file, record)?;
        }
        Ok(ChunkReport { chunk: self.chunk, md5: self.sum.get().cloned() })
    }
}

/// Chunks that are joined, as far as they were looked at.
pub(super) struct ChunkCheck {
    input: String,
    clip: String,
    part: String,
    /// The name and the record of the chunk before.
    before: Option<(String, ChunkRecord)>,
    /// How many frames the chunks before have.
    frames: u64,
    interrupt: CancelToken,
}

impl ChunkCheck {
    /// For chunks of a request's clip.
    ///
    /// # Errors
    /// If the clip cannot be read.
    pub(super) fn of(request: &Request, interrupt: &CancelToken) -> Result<Self> {
        let clip = identity(Path::new(&request.input))?;
        let (input, part, interrupt) = (request.input.clone(), part(request)?, interrupt.clone());
        Ok(Self { input, clip, part, before: None, frames: 0, interrupt })
    }

    /// Looks at the next chunk, and reads all of it for its checksum.
    ///
    /// # Errors
    /// If it is not the chunk that is due, or not what was stored.
    pub(super) fn take(&mut self, path: &Path) -> Result<()> {
        let number = self.number();
        let of = self.before.as_ref().and_then(|(_, before)| before.place.split(['/', '@']).nth(1));
        let again = format!("make it again with --chunk {number}/{}", of.unwrap_or("N"));
        let record = seal::read(path).with_context(|| format!("chunk {path:?}"))?.with_context(|| {
            let fault = "does not say which chunk it holds: it was made by an older version, through a pipe, or \
                         without --chunk";
            let sidecar = seal::sidecar(path);
            let also =
                if seal::is_bare(path) { format!(", or {sidecar:?} was not kept beside it") } else { String::new() };
            anyhow!("{path:?} {fault}{also}; {again}")
        })?;
        let (choice, portion) = record.choice().with_context(|| format!("{path:?} is damaged; {again}"))?;
        let ChunkChoice { index, count, .. } = choice;
        ensure!(record.sum != ChunkRecord::OPEN, "{path:?} is not complete; {again}");
        ensure!(record.clip == self.clip, "{path:?} is of another clip than {:?}; {again}", self.input);
        ensure!(
            record.part == self.part,
            "{path:?} is of another part of {:?}: {}, and here {}; join with the options it was made with, or {again}",
            self.input,
            named(&record.part),
            named(&self.part)
        );
        ensure!(
            index == number,
            "{path:?} holds chunk {index}/{count}, and chunk {number} is due; rename it, or {again}"
        );
        if let Some((name, before)) = &self.before {
            let differs = |what: &str, own: &str, other: &str| {
                ensure!(own == other, "{path:?} {what} {}, and {name} {}; {again}", named(own), named(other));
                anyhow::Ok(())
            };
            differs("was made by warpreel", &record.warpreel, &before.warpreel)?;
            differs("was filtered by", &record.chain, &before.chain)?;
            differs("was made with", &record.options, &before.options)?;
            ensure!(
                record.files == before.files,
                "{path:?} was filtered with other kernels or masks than {name}; {again}"
            );
            ensure!(
                record.frames == before.frames,
                "{path:?} says that it has frames of another size or format than {name}; {again}"
            );
            let due = before.choice()?.0.count;
            ensure!(count == due, "{path:?} is one of {count} chunks, and {name} one of {due}; {again}");
        }
        let (first, due) = (portion.first, self.frames);
        ensure!(first == due, "{path:?} begins with frame {first} of the clip, and frame {due} is due; {again}");
        let sum = seal::sum(path, &record, &self.interrupt).with_context(|| format!("{path:?} is damaged; {again}"))?;
        if let Some(sum) = sum {
            ensure!(sum == record.sum, "{path:?} is damaged: its checksum is not that of its frames; {again}");
        }
        self.frames += portion.frames;
        self.before = Some((format!("{path:?}"), record));
        Ok(())
    }

    /// What the frames of the chunks are, where the last of them says that their chain changed them.
    pub(super) fn frames(&self) -> Option<&ChunkFormat> {
        self.before.as_ref().and_then(|(_, record)| record.frames.as_ref())
    }

    /// The number of the chunk that is due.
    fn number(&self) -> u64 {
        self.before.as_ref().and_then(|(_, record)| record.choice().ok()).map_or(1, |(choice, _)| choice.index + 1)
    }

    /// There are no more chunks.
    ///
    /// # Errors
    /// If some are missing.
    pub(super) fn end(&self) -> Result<()> {
        let Some((name, record)) = &self.before else { return Ok(()) };
        let (ChunkChoice { index, count, .. }, _) = record.choice()?;
        let next = index + 1;
        ensure!(
            index == count,
            "{name} is chunk {index} of {count}, and no other is there; make --chunk {next}/{count}"
        );
        Ok(())
    }
}

/// A text as it is printed in a message, also where there is none.
fn named(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { text.to_owned() }
}
