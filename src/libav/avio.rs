//! Any [`Read`] or [`Write`] as what FFmpeg reads from or writes to.

use std::ffi::{c_int, c_void};
use std::io::{self, Read, Write};

use anyhow::{Result, ensure};
use ffmpeg_sys_next as ffi;

use super::{error, version};

/// How much FFmpeg reads or writes at once.
const BUFFER_BYTES: usize = 256 << 10;

/// A stream that FFmpeg reads or writes; it cannot be rewound.
pub(super) struct Stream {
    raw: *mut ffi::AVIOContext,
    /// What `raw.opaque` points to; boxed so that it stays where it is.
    end: *mut End,
}

// SAFETY: the context has no tie to a thread, what it reads or writes is `Send`, and only the owner uses them.
unsafe impl Send for Stream {}

/// Our end of it.
enum End {
    Input(Box<dyn Read + Send>),
    Output(Box<dyn Write + Send>),
}

impl Stream {
    /// A stream to read.
    pub fn input(from: Box<dyn Read + Send>) -> Result<Self> {
        Self::new(End::Input(from), 0)
    }

    /// A stream to write.
    pub fn output(to: Box<dyn Write + Send>) -> Result<Self> {
        Self::new(End::Output(to), 1)
    }

    /// A stream that forgets what is written, and lets itself be sought in.
    pub fn nowhere() -> Result<Self> {
        let stream = Self::output(Box::new(io::sink()))?;
        // SAFETY: the context was just made, and the callback follows no pointer.
        unsafe {
            (*stream.raw).seek = Some(seek_nowhere);
            (*stream.raw).seekable = ffi::AVIO_SEEKABLE_NORMAL as c_int;
        }
        Ok(stream)
    }

    fn new(end: End, write_flag: c_int) -> Result<Self> {
        let end = Box::into_raw(Box::new(end));
        // SAFETY: the buffer comes from FFmpeg's allocator as the function asks; `end` lives until `drop`, after the
        // last call of the callbacks.
        let raw = unsafe {
            let buffer = ffi::av_malloc(BUFFER_BYTES).cast();
            ffi::avio_alloc_context(
                buffer,
                BUFFER_BYTES as c_int,
                write_flag,
                end.cast(),
                Some(read),
                Some(write),
                None,
            )
        };
        let stream = Self { raw, end };
        ensure!(!raw.is_null(), "out of memory");
        // SAFETY: the context was just made.
        unsafe { (*raw).seekable = 0 };
        Ok(stream)
    }

    pub fn as_mut_ptr(&mut self) -> *mut ffi::AVIOContext {
        self.raw
    }

    /// Hands everything written so far on, and flushes the other end.
    pub fn flush(&mut self) -> Result<()> {
        // SAFETY: the context is alive.
        let failed = unsafe {
            ffi::avio_flush(self.raw);
            (*self.raw).error
        };
        error::check(failed)?;
        // SAFETY: `end` is alive, and no callback runs now.
        if let End::Output(to) = unsafe { &mut *self.end } {
            to.flush()?;
        }
        Ok(())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: context, buffer and `end` belong to `self`, are freed once, and no callback runs afterwards.
        unsafe {
            if !self.raw.is_null() {
                ffi::av_freep((&raw mut (*self.raw).buffer).cast());
                ffi::avio_context_free(&mut self.raw);
            }
            drop(Box::from_raw(self.end));
        }
    }
}

unsafe extern "C" fn read(opaque: *mut c_void, buffer: *mut u8, size: c_int) -> c_int {
    // SAFETY: `opaque` is the `End` of a living stream, and FFmpeg calls from one thread at a time.
    let End::Input(from) = (unsafe { &mut *opaque.cast::<End>() }) else { return ffi::AVERROR(ffi::EIO) };
    let Ok(length) = usize::try_from(size) else { return ffi::AVERROR(ffi::EINVAL) };
    // SAFETY: FFmpeg passes a writable buffer of `size` bytes; it may be uninitialised, so it is filled first.
    let buffer = unsafe {
        buffer.write_bytes(0, length);
        std::slice::from_raw_parts_mut(buffer, length)
    };
    loop {
        match from.read(buffer) {
            Ok(0) => return error::END,
            Ok(count) => return count as c_int,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return error::code(&error),
        }
    }
}

unsafe extern "C" fn write(opaque: *mut c_void, buffer: version::Written, size: c_int) -> c_int {
    // SAFETY: `opaque` is the `End` of a living stream, and FFmpeg calls from one thread at a time.
    let End::Output(to) = (unsafe { &mut *opaque.cast::<End>() }) else { return ffi::AVERROR(ffi::EIO) };
    let Ok(length) = usize::try_from(size) else { return ffi::AVERROR(ffi::EINVAL) };
    // SAFETY: FFmpeg passes `size` bytes to be written.
    let bytes = unsafe { std::slice::from_raw_parts(buffer, length) };
    match to.write_all(bytes) {
        Ok(()) => size,
        Err(error) => error::code(&error),
    }
}

unsafe extern "C" fn seek_nowhere(_: *mut c_void, offset: i64, _: c_int) -> i64 {
    offset
}
