//! Files that no longer grow.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant, SystemTime};

/// A file's state, which every writer changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Device and inode.
    pub identity: (u64, u64),
    pub bytes: u64,
    pub written: Option<SystemTime>,
}

/// A file that is watched.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    pub stamp: Stamp,
    /// Since when it has been so.
    since: Instant,
    /// True once it was looked at in this state: it is left alone until it changes.
    pub is_settled: bool,
    /// True once it was filtered, in this state or another.
    pub was_taken: bool,
}

impl Stamp {
    pub fn of(found: &Metadata) -> Self {
        Self { identity: (found.dev(), found.ino()), bytes: found.len(), written: found.modified().ok() }
    }
}

impl Watched {
    pub fn new(stamp: Stamp, now: Instant) -> Self {
        Self { stamp, since: now, is_settled: false, was_taken: false }
    }

    /// Notes what a file is now; true if it is to be looked at: it has bytes, and has not changed for so long.
    pub fn is_due(&mut self, stamp: Stamp, now: Instant, settle: Duration) -> bool {
        if self.stamp != stamp {
            *self = Self { was_taken: self.was_taken, ..Self::new(stamp, now) };
        }
        !self.is_settled && stamp.bytes > 0 && now.duration_since(self.since) >= settle
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Stamp, Watched};

    #[test]
    fn a_file_is_due_once_for_each_state_that_lasts() {
        let (start, settle) = (Instant::now(), Duration::from_secs(5));
        let at = |seconds| start + Duration::from_secs(seconds);
        let stamp = |bytes| Stamp { identity: (1, 1), bytes, written: None };
        let mut file = Watched::new(stamp(0), at(0));
        assert!(!file.is_due(stamp(0), at(50), settle), "it is empty");
        assert!(!file.is_due(stamp(9), at(51), settle), "it has grown");
        assert!(!file.is_due(stamp(9), at(55), settle), "four seconds are too few");
        assert!(!file.is_due(stamp(12), at(56), settle), "it has grown again");
        assert!(file.is_due(stamp(12), at(61), settle));
        (file.is_settled, file.was_taken) = (true, true);
        assert!(!file.is_due(stamp(12), at(90), settle), "it was taken");
        assert!(!file.is_due(stamp(7), at(91), settle));
        assert!(file.is_due(stamp(7), at(96), settle) && file.was_taken);
    }
}
