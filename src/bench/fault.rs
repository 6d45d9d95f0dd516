//! Page faults of the program, counted whenever a frame has left: memory that is touched for the first time, and what the disk
//! has to bring.

use std::sync::{Arc, Mutex, PoisonError};

use nix::sys::resource::{UsageWho, getrusage};

/// Page faults so far, of all threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageFaults {
    /// All of them: pages that were given to the program or mapped into it.
    pub all: u64,
    /// Those for which the disk was read.
    pub from_disk: u64,
}

impl PageFaults {
    /// Until now; `None` where the system does not tell. Takes 1 µs and some for each thread of the program.
    fn now() -> Option<Self> {
        let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
        let from_disk = u64::try_from(usage.major_page_faults()).ok()?;
        Some(Self { all: u64::try_from(usage.minor_page_faults()).ok()? + from_disk, from_disk })
    }

    /// Those after `before`.
    pub fn since(self, before: Self) -> Self {
        let Self { all, from_disk } = before;
        Self { all: self.all.saturating_sub(all), from_disk: self.from_disk.saturating_sub(from_disk) }
    }
}

/// Counts by frame, in the order in which frames leave.
#[derive(Clone, Debug, Default)]
pub struct FaultWatch(Arc<Mutex<Vec<PageFaults>>>);

impl FaultWatch {
    /// Function to be called after each frame, as [`crate::pipeline::Monitor::counted_by`] wants it.
    pub fn counter(&self) -> Box<dyn Fn() + Send + Sync> {
        let counts = self.0.clone();
        Box::new(move || {
            // Where one is unknown all are, so that each count has its frame.
            if let Some(now) = PageFaults::now() {
                counts.lock().unwrap_or_else(PoisonError::into_inner).push(now);
            }
        })
    }

    /// The counts so far, of which none are left here.
    pub fn take(&self) -> Vec<PageFaults> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
