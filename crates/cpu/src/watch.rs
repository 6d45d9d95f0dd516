//! Asking, while a frame is made, whether it is still wanted: the thread that called asks between the parts that it makes itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
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
}

struct State {
    /// When it is asked again.
    due: Instant,
    fault: Option<Error>,
}

impl Watch {
    pub fn new(every: Duration, ask: Ask) -> Self {
        let state = State { due: Instant::now(), fault: None };
        Self { every, ask, is_stopped: AtomicBool::new(false), state: Mutex::new(state) }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins another frame.
    pub fn begin(&self) {
        self.is_stopped.store(false, Ordering::Relaxed);
        *self.state() = State { due: Instant::now() + self.every, fault: None };
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

    /// What ended the frame, if anything did.
    pub fn outcome(&self) -> Result<()> {
        self.state().fault.take().map_or(Ok(()), Err)
    }
}
