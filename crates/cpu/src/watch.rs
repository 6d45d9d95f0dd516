//! Asking, while a frame is made, whether it is still wanted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Error, Result};

/// Answers whether work is to go on; what it fails with ends the work.
pub type Ask = Box<dyn Fn() -> Result<()> + Send + Sync>;

/// Question to the calling thread, put so often while threads make a frame.
pub struct Watch {
    every: Duration,
    ask: Ask,
    is_stopped: AtomicBool,
    state: Mutex<State>,
    news: Condvar,
}

struct State {
    /// When it is asked again, where the calling thread does the work.
    due: Instant,
    is_done: bool,
    fault: Option<Error>,
}

/// The end of the work of other threads, also where it unwinds.
pub struct WorkEnd<'a>(&'a Watch);

impl Drop for WorkEnd<'_> {
    fn drop(&mut self) {
        self.0.state().is_done = true;
        self.0.news.notify_all();
    }
}

impl Watch {
    pub fn new(every: Duration, ask: Ask) -> Self {
        let state = State { due: Instant::now(), is_done: false, fault: None };
        Self { every, ask, is_stopped: AtomicBool::new(false), state: Mutex::new(state), news: Condvar::new() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins another frame.
    pub fn begin(&self) {
        self.is_stopped.store(false, Ordering::Relaxed);
        *self.state() = State { due: Instant::now() + self.every, is_done: false, fault: None };
    }

    /// Whether what is under way is not wanted any more.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Asks, if it is time to. In the thread that called alone.
    pub fn beat(&self) {
        let due = self.state().due;
        if Instant::now() >= due {
            self.put();
            self.state().due = Instant::now() + self.every;
        }
    }

    fn put(&self) {
        if let Err(fault) = (self.ask)() {
            self.state().fault = Some(fault);
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Says when it is dropped that other threads have done all work.
    pub fn ending(&self) -> WorkEnd<'_> {
        WorkEnd(self)
    }

    /// Waits for that, and asks meanwhile.
    pub fn wait(&self) {
        let mut state = self.state();
        while !state.is_done {
            let (left, waited) = self.news.wait_timeout(state, self.every).unwrap_or_else(PoisonError::into_inner);
            state = left;
            if waited.timed_out() && !state.is_done && !self.is_stopped() {
                drop(state);
                self.put();
                state = self.state();
            }
        }
    }

    /// What ended the frame, if anything did.
    pub fn outcome(&self) -> Result<()> {
        self.state().fault.take().map_or(Ok(()), Err)
    }
}
