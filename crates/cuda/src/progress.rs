//! What the GPU has begun, so that a failure can be told by its pass and frame.
//!
//! A failed GPU answers every question with the same error, also about work that was done before. So each launch
//! writes its number into the host's memory when it begins: one word over the bus.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::Result;
use cudarc::driver::CudaContext;

use super::memory::Pinned;

/// The numbers of launches, and the word that the GPU writes them to.
pub(super) struct LaunchLog {
    word: Pinned,
    latest: Launches,
}

impl LaunchLog {
    pub(super) fn new(context: &Arc<CudaContext>) -> Result<Self> {
        Ok(Self { word: Pinned::new(context, size_of::<u64>())?, latest: Launches::default() })
    }

    /// What the next launch is told: the word's address, and its number.
    pub(super) fn launch(&mut self, pass: usize, frame: u64) -> Ticket {
        // With one address space for host and GPU, which every GPU here has, both call pinned memory the same.
        Ticket { word: self.word.address(), number: self.latest.add(pass, frame) }
    }

    /// The pass and the frame of the launch that began last; `None` before the first.
    pub(super) fn begun(&self) -> Option<(usize, u64)> {
        // No reference is made to memory that the GPU may write meanwhile.
        let word = self.word.address() as *const u64;
        // SAFETY: pinned memory is aligned to pages and holds a word, which lives as long as `self`; the GPU may write
        // it at any time, in one piece, which a volatile read allows for.
        self.latest.find(unsafe { word.read_volatile() })
    }
}

/// What a launch writes when it begins, and where.
#[derive(Clone, Copy, Default)]
pub(super) struct Ticket {
    /// 0 for nowhere.
    pub(super) word: u64,
    pub(super) number: u64,
}

/// The pass and the frame of each of the latest launches, numbered from 1.
#[derive(Default)]
struct Launches {
    latest: VecDeque<(usize, u64)>,
    count: u64,
}

impl Launches {
    /// More than the GPU is ever behind: it holds about a thousand launches that wait.
    const MOST: usize = 4096;

    fn add(&mut self, pass: usize, frame: u64) -> u64 {
        self.latest.truncate(Self::MOST - 1);
        self.latest.push_front((pass, frame));
        self.count += 1;
        self.count
    }

    fn find(&self, number: u64) -> Option<(usize, u64)> {
        let back = self.count.checked_sub(number)?;
        self.latest.get(usize::try_from(back).ok()?).copied().filter(|_| number > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_found_by_their_number_until_they_are_long_gone() {
        let mut launches = Launches::default();
        assert_eq!(launches.find(0), None);
        for frame in 0..10_000 {
            let number = launches.add(frame as usize % 3, frame);
            assert_eq!(number, frame + 1);
            assert_eq!(launches.find(number), Some((frame as usize % 3, frame)));
            assert_eq!(launches.find(number + 1), None, "not launched yet");
            assert_eq!(launches.find(0), None, "nothing has begun");
        }
        assert_eq!(launches.find(10_000 - 4095), Some((5904 % 3, 5904)));
        assert_eq!(launches.find(10_000 - 4096), None, "long gone");
    }
}
