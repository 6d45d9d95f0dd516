//! The bytes under y4m, raw and `hash:` outputs, and under containers that leave through a pipe: one large write a
//! frame, straight from the frame's memory.

use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::Target;
use crate::frame::Frame;
use crate::pipe;

/// A file or a pipe that is being written. Dropping it unfinished removes the file.
pub struct Output {
    file: File,
    name: String,
    target: Option<Target>,
}

impl Output {
    /// The standard output; its pipe is enlarged.
    ///
    /// # Errors
    /// If the process has none.
    pub fn stdout() -> Result<Self> {
        let stdout = io::stdout().as_fd().try_clone_to_owned().context("open stdout")?;
        Ok(Self::new(File::from(stdout), "stdout".to_owned()))
    }

    /// A file, pipe, socket or device that is open; a pipe is enlarged.
    pub fn new(file: File, name: String) -> Self {
        pipe::enlarge(&file);
        Self { file, name, target: None }
    }

    /// A file. Where the target is a named pipe, waits for its reader and enlarges it.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn file(target: Target) -> Result<Self> {
        let output = Self::new(target.file()?, format!("{:?}", target.named()));
        Ok(Self { target: Some(target), ..output })
    }

    /// What is written to nobody, and the name that messages call it by.
    ///
    /// # Errors
    /// If the system has no place for it.
    pub fn nowhere(name: String) -> Result<Self> {
        let file = File::options().write(true).open("/dev/null").context("open /dev/null")?;
        Ok(Self { file, name, target: None })
    }

    /// How messages call it: `"out.y4m"` in quotes, or `stdout`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Fails where video would be written to a terminal.
    ///
    /// # Errors
    /// If the output is a terminal.
    pub fn ensure_not_terminal(&self) -> Result<()> {
        ensure!(
            !self.file.is_terminal(),
            "{} is a terminal and cannot show video; redirect it with > FILE or | PROGRAM, or name an output file",
            self.name
        );
        Ok(())
    }

    /// Writes `head`, then all samples without padding. Blocks until they are written.
    ///
    /// # Errors
    /// If the frame is not on the host, or writing fails; the [`io::Error`] can be found in the chain.
    pub fn write_frame(&mut self, head: &[u8], frame: &Frame) -> Result<()> {
        let samples = frame.host().with_context(|| format!("write to {}", self.name))?;
        let mut pieces: Vec<_> = std::iter::once(head).chain(samples.pieces()).map(IoSlice::new).collect();
        let written = self.write_pieces(&mut pieces);
        written.with_context(|| format!("write frame {} of {}", frame.timing.number, self.name))
    }

    /// Writes a picture whose samples lie as they are to be written. `number` is the frame's, for messages. Blocks
    /// until it is written.
    ///
    /// # Errors
    /// As [`Output::write_frame`].
    pub fn write_picture(&mut self, picture: &[u8], number: u64) -> Result<()> {
        self.write_all(picture).with_context(|| format!("write frame {number} of {}", self.name))
    }

    /// Writes bytes. Blocks until they are written.
    ///
    /// # Errors
    /// As [`Output::write_frame`].
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).with_context(|| format!("write {}", self.name))
    }

    /// Closes the output, and gives a file its final name.
    ///
    /// # Errors
    /// If the name cannot be given.
    pub fn finish(self) -> Result<()> {
        drop(self.file);
        self.target.map_or(Ok(()), Target::commit)
    }

    /// Closes the output, and gives a file the name of a part, which is returned.
    ///
    /// # Errors
    /// If the name cannot be given.
    pub fn finish_partial(self) -> Result<Option<PathBuf>> {
        drop(self.file);
        self.target.map_or(Ok(None), Target::commit_partial)
    }

    /// Writes all pieces; the standard library passes on as many at once as the system takes.
    fn write_pieces(&mut self, mut pieces: &mut [IoSlice<'_>]) -> io::Result<()> {
        // Empty pieces at the front would look like a full disk below.
        IoSlice::advance_slices(&mut pieces, 0);
        while !pieces.is_empty() {
            match self.write_vectored(pieces)? {
                0 => return Err(ErrorKind::WriteZero.into()),
                written => IoSlice::advance_slices(&mut pieces, written),
            }
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        loop {
            match self.file.write_vectored(pieces) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => pipe::writable(&self.file)?,
                written => return written,
            }
        }
    }

    /// Nothing is kept back, so there is nothing to do.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
