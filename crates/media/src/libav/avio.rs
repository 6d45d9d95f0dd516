//! Any [`Read`] or [`Write`] as what FFmpeg reads from or writes to; it cannot be rewound.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use ffmpeg_next::format::context::StreamIo;

use super::error::{errno, explain};

/// How much FFmpeg reads or writes at once.
const BUFFER_BYTES: usize = 256 << 10;

/// A stream to read.
///
/// # Errors
/// If memory runs out.
pub(super) fn input(from: Box<dyn Read + Send>) -> Result<StreamIo> {
    StreamIo::from_read_with_capacity(Inlet(from), BUFFER_BYTES).map_err(explain)
}

/// A stream to write, and what ends it.
///
/// # Errors
/// If memory runs out.
pub(super) fn output(to: Box<dyn Write + Send>) -> Result<(StreamIo, AvioHandle)> {
    let outlet = AvioHandle(Arc::new(Mutex::new(Some(to))));
    let stream = StreamIo::from_write_with_capacity(outlet.clone(), BUFFER_BYTES).map_err(explain)?;
    Ok((stream, outlet))
}

/// A stream that forgets what is written, and lets itself be sought in.
///
/// # Errors
/// If memory runs out.
pub(super) fn nowhere() -> Result<StreamIo> {
    StreamIo::from_write_seek_with_capacity(io::empty(), BUFFER_BYTES).map_err(explain)
}

/// Our end of what FFmpeg reads.
struct Inlet(Box<dyn Read + Send>);

impl Read for Inlet {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(numbered)
    }
}

/// Our end of what FFmpeg writes. Once it is closed, what FFmpeg still has is forgotten.
#[derive(Clone)]
pub(super) struct AvioHandle(Arc<Mutex<Option<Box<dyn Write + Send>>>>);

impl AvioHandle {
    /// Takes the stream away from FFmpeg; `None` if it was taken before.
    pub fn close(&self) -> Option<Box<dyn Write + Send>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Write for AvioHandle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(to) => to.write(bytes).map_err(numbered),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(to) => to.flush(),
            None => Ok(()),
        }
    }
}

/// An error that comes back from FFmpeg as it went in: only numbers of the operating system do, and an early end that
/// has none would be taken for the end of the stream.
fn numbered(error: io::Error) -> io::Error {
    let is_kept = error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted;
    if is_kept { error } else { io::Error::from_raw_os_error(errno(&error)) }
}
