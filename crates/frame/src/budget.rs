//! Account of the memory that this process takes for frames, windows, queues and scratch, and its limit.
//!
//! Codecs allocate beside it, and so do drivers of GPUs.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
static USED: AtomicUsize = AtomicUsize::new(0);

/// Sets the limit in bytes, for all that is taken from now on. There is none at first.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Bytes that are taken.
pub fn used_bytes() -> usize {
    USED.load(Ordering::Relaxed)
}

/// Takes memory for `purpose`, such as `a frame`, before it is allocated.
///
/// # Errors
/// If that would exceed the limit.
pub fn take(bytes: usize, purpose: &'static str) -> Result<(), OverBudget> {
    let limit_bytes = LIMIT.load(Ordering::Relaxed);
    let taken = USED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
        used.checked_add(bytes).filter(|sum| *sum <= limit_bytes)
    });
    taken.map(drop).map_err(|used_bytes| OverBudget { bytes, purpose, used_bytes, limit_bytes })
}

/// Gives memory back that was taken.
pub fn give_back(bytes: usize) {
    USED.fetch_sub(bytes, Ordering::Relaxed);
}

/// Memory beyond the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverBudget {
    /// Size of the request.
    pub bytes: usize,
    /// Purpose, such as `a frame`.
    pub purpose: &'static str,
    /// Bytes in use at that time.
    pub used_bytes: usize,
    /// The limit.
    pub limit_bytes: usize,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        let (needed, used, limit) = (mib(self.bytes), mib(self.used_bytes), mib(self.limit_bytes));
        write!(
            f,
            "{} needs {needed:.1} MiB, {used:.1} MiB are in use, and --max-memory is {limit:.1} MiB; type a larger \
             --max-memory, fewer --threads, fewer frames with --in-flight, or a smaller radius of the filters",
            self.purpose
        )
    }
}

impl Error for OverBudget {}
