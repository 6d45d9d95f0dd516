//! Where runs lie until a lane takes them: in the order of the clip, also those that a lane has failed at.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::message::FrameRun;

/// Where runs lie until a lane takes them.
pub(super) struct RunQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    waiting: VecDeque<FrameRun>,
    /// Runs of which not all frames have come out, those that wait among them.
    unfinished: usize,
    lanes: usize,
    is_closed: bool,
    is_stopped: bool,
}

/// What a lane finds.
pub(super) enum Taken {
    Run(FrameRun),
    /// Nothing yet.
    Nothing,
    /// Nothing comes any more.
    Over,
}

impl RunQueue {
    /// An empty queue for so many lanes.
    pub(super) fn new(lanes: usize) -> Self {
        let state = QueueState { waiting: VecDeque::new(), unfinished: 0, lanes, is_closed: false, is_stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a run behind all others.
    pub(super) fn add(&self, run: FrameRun) {
        let mut state = self.state();
        // Whoever waits for what comes of it hears that nothing does.
        if !state.is_stopped {
            state.waiting.push_back(run);
            state.unfinished += 1;
        }
        self.changed.notify_all();
    }

    /// No more runs are added.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Whether all runs are there.
    pub(super) fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    /// Nobody is to work any more.
    pub(super) fn stop(&self) {
        let mut state = self.state();
        state.is_stopped = true;
        state.waiting.clear();
        self.changed.notify_all();
    }

    /// All frames of a run have come out.
    pub(super) fn finish(&self) {
        self.state().unfinished -= 1;
        self.changed.notify_all();
    }

    /// A lane has failed; false if it was the last, or nobody is to work any more. Else its runs go to
    /// the others, before all that are later.
    pub(super) fn hand_over(&self, runs: Vec<FrameRun>) -> bool {
        let mut state = self.state();
        state.lanes -= 1;
        let is_taken = state.lanes > 0 && !state.is_stopped;
        if is_taken {
            for run in runs {
                let place = state.waiting.partition_point(|waiting| waiting.index < run.index);
                state.waiting.insert(place, run);
            }
        }
        self.changed.notify_all();
        is_taken
    }

    /// The next run. Does not block.
    pub(super) fn try_take(&self) -> Taken {
        self.state().next()
    }

    /// The next run, [`Taken::Nothing`] never. Blocks until there is one, or nothing comes any more.
    pub(super) fn take(&self) -> Taken {
        let mut state = self.state();
        loop {
            match state.next() {
                Taken::Nothing => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                taken => return taken,
            }
        }
    }
}

impl QueueState {
    fn next(&mut self) -> Taken {
        match self.waiting.pop_front() {
            Some(run) => Taken::Run(run),
            None if self.is_stopped || self.is_closed && self.unfinished == 0 => Taken::Over,
            None => Taken::Nothing,
        }
    }
}
