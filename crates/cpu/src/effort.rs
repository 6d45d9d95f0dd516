//! How many threads a pass is worth.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time that a pass takes of all threads for a frame, as the last frames tell; at first it is not known.
#[derive(Default)]
pub struct Effort(AtomicU64);

impl Effort {
    /// The least time of a frame that is worth a thread. A thread more costs waking it and waiting for it, and the core that a decoder or
    /// encoder has no use of meanwhile: on 16 cores, beside a decoder, eight threads make half as many frames again as 16 do where a pass
    /// takes 1.8 ms in all (`scripts/test-threads`).
    const LEAST: Duration = Duration::from_micros(200);

    /// Threads out of so many.
    pub fn threads(&self, most: usize) -> usize {
        match self.0.load(Ordering::Relaxed) {
            0 => most,
            nanoseconds => (nanoseconds.div_ceil(Self::LEAST.as_nanos() as u64) as usize).clamp(1, most),
        }
    }

    /// Learns from another frame.
    pub fn note(&self, time: Duration) {
        let (before, now) = (self.0.load(Ordering::Relaxed), time.as_nanos() as u64);
        let mean = if before == 0 { now } else { (7 * before + now) / 8 };
        self.0.store(mean.max(1), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_follow_the_time_that_frames_take() {
        let effort = Effort::default();
        assert_eq!(effort.threads(16), 16, "unknown");
        let least = |times: u32| Effort::LEAST * times;
        effort.note(least(4));
        assert_eq!((effort.threads(16), effort.threads(3)), (4, 3));
        (0..100).for_each(|_| effort.note(least(40)));
        assert_eq!(effort.threads(16), 16);
        (0..100).for_each(|_| effort.note(Duration::ZERO));
        assert_eq!(effort.threads(16), 1);
    }
}
