//! The bytes under y4m and raw clips, and under containers that arrive through a pipe. An [`Input`] can look ahead
//! without losing bytes, puts large reads straight into the caller's memory, and ends early when interrupted.

use std::fs::{File, OpenOptions};
use std::io::{self, IoSliceMut, Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::CancelToken;
use crate::pipe;

/// A file or a pipe that is being read. The end of the input and an interrupt look the same, zero bytes;
/// [`Input::interrupted`] tells them apart.
pub struct Input {
    file: File,
    name: String,
    nature: Nature,
    /// Bytes that were read and not yet taken: `buffer[taken..]`.
    buffer: Vec<u8>,
    taken: usize,
    interrupt: CancelToken,
    /// When a container's reader stops waiting, once it was interrupted.
    last_call: Option<Instant>,
}

/// What reading can rely on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// A regular file: never waits, can be sought in.
    File,
    /// Anything else: a pipe, a socket, a device.
    Stream,
}

impl Input {
    /// How much a large read may take beyond what it was asked for: `FRAME\n`, which is what stands between two
    /// frames of y4m. With it there is one system call a frame, and no frame data pass through the buffer.
    const AHEAD_BYTES: usize = 6;

    /// What is read at once while a line is looked for.
    const LINE_BYTES: usize = 128;

    /// What is read at once to be thrown away.
    const SKIP_BYTES: usize = 1 << 20;

    /// How long a container is read on after an interrupt: its sound may lie behind the frames that it belongs to, and
    /// a packet that has begun is wanted whole.
    const LINGER: Duration = Duration::from_secs(1);

    /// The standard input; its pipe is enlarged. Does not wait.
    ///
    /// # Errors
    /// If the process has none, or it is a directory.
    pub fn stdin(interrupt: CancelToken) -> Result<Self> {
        let stdin = io::stdin().as_fd().try_clone_to_owned().context("open stdin")?;
        Self::new(File::from(stdin), "stdin".to_owned(), interrupt)
    }

    /// A file, a named pipe or a device. Does not wait: where nobody writes into a named pipe yet, reading does.
    ///
    /// # Errors
    /// If it cannot be opened, or is a directory.
    pub fn file(path: &Path, interrupt: CancelToken) -> Result<Self> {
        let name = format!("{path:?}");
        let mut options = OpenOptions::new();
        options.read(true);
        if cfg!(target_os = "linux") && path.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo()) {
            // Opening a named pipe would wait for a writer, deaf to an interrupt. Linux lets reading wait instead.
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        }
        let file = options.open(path).with_context(|| format!("open {name}"))?;
        Self::new(file, name, interrupt)
    }

    /// A file, pipe, socket or device that is open. Does not wait.
    ///
    /// # Errors
    /// If it is a directory.
    pub fn new(file: File, name: String, interrupt: CancelToken) -> Result<Self> {
        let metadata = file.metadata().with_context(|| format!("read the type of {name}"))?;
        ensure!(!metadata.is_dir(), "{name} is a directory; name a file in it");
        let nature = if metadata.is_file() { Nature::File } else { Nature::Stream };
        if nature == Nature::Stream {
            pipe::enlarge(&file);
        }
        Ok(Self { file, name, nature, buffer: Vec::new(), taken: 0, interrupt, last_call: None })
    }

    /// How messages call it: `"in.y4m"` in quotes, or `stdin`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the user asked to stop.
    pub fn interrupted(&self) -> bool {
        self.interrupt.is_cancelled()
    }

    /// How many bytes are left, where that can be known: in regular files.
    pub fn remaining(&self) -> Option<u64> {
        if self.nature == Nature::Stream {
            return None;
        }
        let length = self.file.metadata().ok()?.len();
        let offset = (&self.file).stream_position().ok()?;
        Some(length.saturating_sub(offset) + self.buffered().len() as u64)
    }

    /// The next `count` bytes, which stay there to be read; fewer only at the end. Blocks until they are there.
    ///
    /// # Errors
    /// If reading fails.
    pub fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.buffered().len() < count && self.more(count - self.buffered().len())? {}
        let buffered = self.buffered();
        Ok(&buffered[..count.min(buffered.len())])
    }

    /// The bytes up to the next line feed, which is taken too but not returned. `None` where none came within
    /// `limit` bytes or before the end; nothing is taken then, and [`Input::peek`] shows what is there. Blocks
    /// until the line is complete.
    ///
    /// # Errors
    /// If reading fails.
    pub fn line(&mut self, limit: usize) -> io::Result<Option<Vec<u8>>> {
        let mut searched = 0;
        loop {
            let buffered = self.buffered();
            if let Some(at) = buffered[searched..].iter().position(|&byte| byte == b'\n') {
                let line = buffered[..searched + at].to_vec();
                self.take(line.len() + 1);
                return Ok(Some(line));
            }
            searched = buffered.len();
            if searched >= limit || !self.more(Self::LINE_BYTES)? {
                return Ok(None);
            }
        }
    }

    /// Fills `dst`, and returns how much of it: less only at the end. What comes beyond the buffered bytes is read
    /// straight into `dst`. Blocks until it is full.
    ///
    /// # Errors
    /// If reading fails.
    pub fn fill(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let mut filled = self.drain(dst);
        while filled < dst.len() {
            let mut ahead = [0; Self::AHEAD_BYTES];
            let rest = &mut dst[filled..];
            let asked = rest.len();
            let read = self.receive(&mut [IoSliceMut::new(rest), IoSliceMut::new(&mut ahead)])?;
            if read == 0 {
                break;
            }
            let direct = read.min(asked);
            filled += direct;
            self.buffer.extend_from_slice(&ahead[..read - direct]);
        }
        Ok(filled)
    }

    /// Takes `count` bytes without looking at them, and returns how many there were. A file is sought in, anything
    /// else is read; blocks until that is done.
    ///
    /// # Errors
    /// If reading fails.
    pub fn skip(&mut self, count: u64) -> io::Result<u64> {
        let buffered = self.buffered().len() as u64;
        let from_buffer = count.min(buffered);
        self.take(from_buffer as usize);
        let mut skipped = from_buffer;
        if let Some(remaining) = self.remaining() {
            let step = (count - skipped).min(remaining);
            if step > 0 {
                self.file.seek_relative(step.cast_signed())?;
            }
            return Ok(skipped + step);
        }
        let mut scratch = vec![0; Self::SKIP_BYTES.min((count - skipped) as usize)];
        while skipped < count {
            let wanted = scratch.len().min(usize::try_from(count - skipped).unwrap_or(usize::MAX));
            let read = self.receive(&mut [IoSliceMut::new(&mut scratch[..wanted])])?;
            if read == 0 {
                break;
            }
            skipped += read as u64;
        }
        Ok(skipped)
    }

    fn buffered(&self) -> &[u8] {
        &self.buffer[self.taken..]
    }

    /// Marks buffered bytes as taken.
    fn take(&mut self, count: usize) {
        self.taken += count;
        if self.taken == self.buffer.len() {
            self.buffer.clear();
            self.taken = 0;
        }
    }

    /// Moves buffered bytes into `dst`, as many as fit.
    fn drain(&mut self, dst: &mut [u8]) -> usize {
        let count = dst.len().min(self.buffered().len());
        dst[..count].copy_from_slice(&self.buffered()[..count]);
        self.take(count);
        count
    }

    /// Reads up to `count` bytes into the buffer; whether any came.
    fn more(&mut self, count: usize) -> io::Result<bool> {
        let mut piece = [0; Self::LINE_BYTES];
        let count = count.min(piece.len());
        let read = self.receive(&mut [IoSliceMut::new(&mut piece[..count])])?;
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(&piece[..read]);
        Ok(read > 0)
    }

    /// One read; 0 at the end, or when interrupted.
    fn receive(&mut self, pieces: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        self.receive_once(pieces, |input| pipe::readable(&input.file, &input.interrupt))
    }

    /// The same where an interrupt still leaves some time.
    fn receive_late(&mut self, pieces: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        self.receive_once(pieces, |input| {
            if pipe::readable(&input.file, &input.interrupt)? {
                return Ok(true);
            }
            let last_call = *input.last_call.get_or_insert_with(|| Instant::now() + Self::LINGER);
            pipe::readable_until(&input.file, last_call)
        })
    }

    /// One read, once there is something to read in a stream; 0 at the end, or where `wait` found nothing.
    fn receive_once(
        &mut self,
        pieces: &mut [IoSliceMut<'_>],
        wait: impl Fn(&mut Self) -> io::Result<bool>,
    ) -> io::Result<usize> {
        loop {
            if self.nature == Nature::Stream && !wait(self)? {
                return Ok(0);
            }
            match self.file.read_vectored(pieces) {
                Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
                read => return read,
            }
        }
    }
}

impl Read for Input {
    /// As any reader; zero bytes also a second after an interrupt, whatever may still come.
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        if dst.is_empty() || !self.buffered().is_empty() {
            return Ok(self.drain(dst));
        }
        self.receive_late(&mut [IoSliceMut::new(dst)])
    }
}
