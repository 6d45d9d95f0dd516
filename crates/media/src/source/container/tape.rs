//! The beginning and the end of a stream, kept while it is read: what a container says of its end is looked up there.

use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// How many bytes of the end are kept.
const KEPT: usize = 1 << 18;
/// How many bytes of the beginning are kept.
const HEAD: usize = 12;

/// What is known of a stream: its first and last bytes, to be read at their places. Others are an error.
#[derive(Default)]
pub(super) struct StreamTape {
    head: Vec<u8>,
    last: VecDeque<u8>,
    length: u64,
    place: u64,
    is_over: bool,
}

impl StreamTape {
    /// True once the end of the stream was read.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    fn note(&mut self, bytes: &[u8]) {
        self.is_over = bytes.is_empty();
        self.length += bytes.len() as u64;
        let missing = (HEAD - self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..missing]);
        let kept = &bytes[bytes.len().saturating_sub(KEPT)..];
        let surplus = (self.last.len() + kept.len()).saturating_sub(KEPT);
        self.last.drain(..surplus);
        self.last.extend(kept);
    }
}

impl Read for StreamTape {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let begin = self.length - self.last.len() as u64;
        let from: &[u8] = match self.place.checked_sub(begin) {
            Some(at) => self.last.make_contiguous().get(at as usize..).unwrap_or_default(),
            None => match self.head.get(self.place as usize..) {
                Some(known) if !known.is_empty() => known,
                _ => return Err(Error::new(ErrorKind::NotSeekable, "these bytes of the stream were not kept")),
            },
        };
        let count = from.len().min(into.len());
        into[..count].copy_from_slice(&from[..count]);
        self.place += count as u64;
        Ok(count)
    }
}

impl Seek for StreamTape {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(step) => self.place.checked_add_signed(step),
            SeekFrom::End(step) => self.length.checked_add_signed(step),
        };
        self.place = place.ok_or_else(|| Error::from(ErrorKind::InvalidInput))?;
        Ok(self.place)
    }
}

/// A stream that is kept while it is read.
pub(super) struct Taped {
    from: Box<dyn Read + Send>,
    tape: Arc<Mutex<StreamTape>>,
}

impl Taped {
    /// The stream, and what will be known of it.
    pub fn new(from: Box<dyn Read + Send>) -> (Self, Arc<Mutex<StreamTape>>) {
        let tape = Arc::default();
        (Self { from, tape: Arc::clone(&tape) }, tape)
    }
}

impl Read for Taped {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let count = self.from.read(into)?;
        if !into.is_empty() {
            self.tape.lock().unwrap_or_else(PoisonError::into_inner).note(&into[..count]);
        }
        Ok(count)
    }
}
