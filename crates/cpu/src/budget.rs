//! Threads of the filters where decoders and encoders want the cores too.
//!
//! A frame is made by all threads at once, so it waits for the slowest of them; while a decoder has more threads that can run than there
//! are cores, that is a thread that lost its core, and each thread more makes that likelier. So the filters wake about as many threads
//! as their portion of the processor time is of the cores. Filters that have the process to themselves have all of it, and so all
//! threads.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// How many threads are woken for a job, learnt from the time that the jobs before took.
#[derive(Debug)]
pub struct Budget {
    /// Of the machine.
    cores: usize,
    /// Part of the processor time of the process that the team took lately, 0 to 1.
    portion: f64,
    /// Since the last look at the process: the team's time, and jobs.
    spent: Duration,
    jobs: u32,
    /// Of the process at that look.
    process: Duration,
}

impl Budget {
    /// Helpers are in groups, each as large as all threads before it; it is woken where the portion is larger than those threads by this
    /// factor. On 16 cores, 720p H.264: `sobel` has a portion of 2 cores, `gaussian=sigma=2` of 7, `nlmeans` of 10.
    const OVER: f64 = 1.25;
    /// Processor time between two looks at the process.
    const WINDOW: Duration = Duration::from_millis(100);
    /// Jobs between two looks at the least: reading the clock takes as long as there are threads.
    const JOBS: u32 = 8;

    /// Before anything is known, all threads are woken.
    pub fn new() -> Self {
        Self {
            cores: available_parallelism().map_or(1, NonZero::get),
            portion: 1.0,
            spent: Duration::ZERO,
            jobs: 0,
            process: time(ClockId::ProcessCPUTime),
        }
    }

    /// Threads for the next job, out of so many.
    pub fn threads(&self, most: usize) -> usize {
        let portion = self.portion * self.cores as f64;
        let mut threads = 1;
        while threads < most && portion > Self::OVER * threads as f64 {
            threads *= 2;
        }
        threads.min(most)
    }

    /// Learns from a job that took all its threads together so much processor time.
    pub fn spend(&mut self, spent: Duration) {
        self.spent += spent;
        self.jobs += 1;
        if self.jobs >= Self::JOBS {
            self.look(time(ClockId::ProcessCPUTime));
        }
    }

    fn look(&mut self, process: Duration) {
        let passed = process.saturating_sub(self.process);
        if passed < Self::WINDOW {
            return;
        }
        let portion = (self.spent.as_secs_f64() / passed.as_secs_f64()).min(1.0);
        // One window holds few frames of a slow chain.
        self.portion = (self.portion + portion) / 2.0;
        (self.spent, self.jobs, self.process) = (Duration::ZERO, 0, process);
    }
}

/// Processor time of this thread, since it began.
pub fn thread_time() -> Duration {
    time(ClockId::ThreadCPUTime)
}

fn time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_follow_the_portion_of_the_time() {
        let mut budget = Budget { cores: 16, process: Duration::ZERO, ..Budget::new() };
        assert_eq!((budget.threads(16), budget.threads(3), budget.threads(1)), (16, 3, 1), "unknown");
        for (percent, threads) in [(13, 2), (25, 4), (45, 8), (70, 16), (3, 1), (100, 16), (0, 1)] {
            for _ in 0..20 {
                budget.spent = Budget::WINDOW * percent / 100;
                budget.look(budget.process + Budget::WINDOW);
            }
            assert_eq!(budget.threads(16), threads, "{percent} %");
        }
    }

    #[test]
    fn a_window_that_is_not_over_changes_nothing() {
        let mut budget = Budget { cores: 8, process: Duration::ZERO, ..Budget::new() };
        budget.look(Budget::WINDOW / 2);
        assert_eq!(budget.threads(8), 8);
    }
}
