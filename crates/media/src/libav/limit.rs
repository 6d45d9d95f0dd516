//! Bounds on how long calls of FFmpeg that use the network may block.

use std::ffi::{c_int, c_void};
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use ffmpeg_next::ffi;

use super::error::{check, is_vague};
use crate::frame::source::CancelToken;

/// A deadline for each call, and a wish to stop. FFmpeg asks for both about ten times a second while it waits.
pub(crate) struct CallLimit {
    timeout: Duration,
    deadline: Mutex<Instant>,
    cancel: CancelToken,
    /// Whether a connection is being closed, which a wish to stop does not cut short.
    is_closing: AtomicBool,
    has_expired: AtomicBool,
}

impl CallLimit {
    /// Longest time that closing a connection may take.
    const CLOSING: Duration = Duration::from_secs(1);

    /// Calls take at most `timeout`, and end early once `cancel` is set.
    pub fn new(timeout: Duration, cancel: CancelToken) -> Arc<Self> {
        Arc::new(Self {
            timeout,
            deadline: Mutex::new(Instant::now() + timeout),
            cancel,
            is_closing: AtomicBool::new(false),
            has_expired: AtomicBool::new(false),
        })
    }

    /// A call begins, which may take `more` than the usual time.
    pub fn begin(&self, more: Duration) {
        self.set(self.timeout.saturating_add(more));
    }

    /// The connection is about to be closed.
    pub fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        self.set(Self::CLOSING.min(self.timeout));
    }

    /// Whether a call has taken too long.
    pub fn has_expired(&self) -> bool {
        self.has_expired.load(Ordering::Relaxed)
    }

    /// Longest time that a call may take.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The outcome of a call that writes.
    ///
    /// # Errors
    /// If it failed. An end of the reader is no broken pipe, with which programs end quietly.
    pub fn outcome(&self, code: c_int) -> Result<()> {
        let Err(error) = check(code) else { return Ok(()) };
        if self.has_expired() {
            bail!("nobody took it within {:?}; type a longer --timeout, or check the receiver", self.timeout);
        }
        let said = super::log::complaint().filter(|_| is_vague(&error));
        let said = said.map(|said| format!(" ({said})")).unwrap_or_default();
        let gone = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];
        match error.downcast_ref::<io::Error>().is_some_and(|error| gone.contains(&error.kind())) {
            true => bail!("the receiver closed the connection ({error:#})"),
            false => bail!("{error:#}{said}"),
        }
    }

    /// For a context that is dropped before this limit is.
    pub fn callback(self: &Arc<Self>) -> ffi::AVIOInterruptCB {
        ffi::AVIOInterruptCB { callback: Some(is_over), opaque: Arc::as_ptr(self).cast_mut().cast() }
    }

    fn set(&self, span: Duration) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + span;
    }

    fn is_over(&self) -> bool {
        if self.cancel.is_cancelled() && !self.is_closing.load(Ordering::Relaxed) {
            return true;
        }
        let is_late = Instant::now() >= *self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        if is_late {
            self.has_expired.store(true, Ordering::Relaxed);
        }
        is_late
    }
}

extern "C" fn is_over(limit: *mut c_void) -> c_int {
    // SAFETY: FFmpeg passes the address of `callback`, whose limit outlives the context.
    let limit = unsafe { &*limit.cast::<CallLimit>() };
    c_int::from(limit.is_over())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_end_when_their_time_is_over_or_the_user_asks() {
        let cancel = CancelToken::default();
        let limit = CallLimit::new(Duration::from_secs(3600), cancel.clone());
        assert!(!limit.is_over() && !limit.has_expired());
        cancel.cancel();
        assert!(limit.is_over() && !limit.has_expired());
        limit.close();
        assert!(!limit.is_over());
        let limit = CallLimit::new(Duration::ZERO, CancelToken::default());
        assert!(limit.is_over() && limit.has_expired());
    }
}
