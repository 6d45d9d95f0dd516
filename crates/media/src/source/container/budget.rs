//! How many frames wait that several decoders made ahead of time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A number of frames that decoders share. The one whose frames come next is never held back by those of the others.
pub(super) struct FrameBudget {
    state: Mutex<BudgetState>,
    news: Condvar,
    most: u64,
}

#[derive(Default)]
struct BudgetState {
    waiting: u64,
    /// The segment whose frames come next.
    head: u64,
    is_over: bool,
}

impl FrameBudget {
    /// Frames of the segment that comes next which may wait beside all others.
    const AHEAD: u64 = 4;

    /// At most so many frames wait, and a few of those that come next.
    pub fn new(most: u64) -> Self {
        Self { state: Mutex::default(), news: Condvar::new(), most }
    }

    fn lock(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for room for a frame of a segment; `false` where nobody wants it any more. Blocks until there is.
    pub fn take(&self, segment: u64) -> bool {
        let is_full = |state: &mut BudgetState| {
            let most = if state.head >= segment { self.most + Self::AHEAD } else { self.most };
            state.waiting >= most && !state.is_over
        };
        let mut state = self.news.wait_while(self.lock(), is_full).unwrap_or_else(PoisonError::into_inner);
        state.waiting += 1;
        !state.is_over
    }

    /// A frame waits no more.
    pub fn give_back(&self) {
        // Not for each: decoders that have made enough need not wake up for every frame that is taken.
        const SOME: u64 = 8;

        let mut state = self.lock();
        state.waiting = state.waiting.saturating_sub(1);
        if state.waiting >= self.most || state.waiting.is_multiple_of(SOME) {
            self.news.notify_all();
        }
    }

    /// Says which segment's frames come next.
    pub fn advance(&self, head: u64) {
        self.lock().head = head;
        self.news.notify_all();
    }

    /// Whether [`FrameBudget::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.lock().is_over
    }

    /// Nobody wants frames any more.
    pub fn close(&self) {
        self.lock().is_over = true;
        self.news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// A frame for which there is no room yet.
    fn asked(budget: &Arc<FrameBudget>, segment: u64) -> mpsc::Receiver<bool> {
        let (sender, receiver) = mpsc::channel();
        let budget = budget.clone();
        thread::spawn(move || sender.send(budget.take(segment)));
        receiver
    }

    #[test]
    fn a_later_segment_waits_and_the_next_does_not() {
        let budget = Arc::new(FrameBudget::new(2));
        assert!(budget.take(1) && budget.take(1));
        let later = asked(&budget, 1);
        for _ in 0..FrameBudget::AHEAD {
            assert!(budget.take(0));
        }
        assert!(later.recv_timeout(Duration::from_millis(50)).is_err(), "there is no room");
        // It hears of room when as many are left as are told of, at the latest when there is none.
        (0..2 + FrameBudget::AHEAD).for_each(|_| budget.give_back());
        assert_eq!(later.recv(), Ok(true));
    }

    #[test]
    fn a_segment_that_comes_next_goes_on() {
        let budget = Arc::new(FrameBudget::new(1));
        assert!(budget.take(1));
        let later = asked(&budget, 1);
        assert!(later.recv_timeout(Duration::from_millis(50)).is_err());
        budget.advance(1);
        assert_eq!(later.recv(), Ok(true));
    }

    #[test]
    fn whoever_waits_hears_that_nobody_wants_it() {
        let budget = Arc::new(FrameBudget::new(0));
        let later = asked(&budget, 1);
        budget.close();
        assert_eq!(later.recv(), Ok(false));
    }
}
