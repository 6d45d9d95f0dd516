//! How many threads each stage of a job may use.

use std::num::NonZero;
use std::str::FromStr;
use std::thread::available_parallelism;

use anyhow::{Error, Result, anyhow, bail};

/// Cores that are few.
const FEW: usize = 4;

/// Threads of each stage, 0 for as many as suit the cores.
///
/// As text: `4` for each stage, or stages by name, as `decode=2,encode=1`; those that are not named have 0.
///
/// ```
/// # use warpreel::thread::ThreadSplit;
/// assert_eq!("4".parse::<ThreadSplit>()?, ThreadSplit::from(4));
/// let split: ThreadSplit = "decode=5,encode=1".parse()?;
/// assert_eq!(split, ThreadSplit { decode: 5, filter: 0, encode: 1 });
/// assert_eq!((split.shared(2).decode, split.shared(2).encode), (2, 1));
/// # anyhow::Ok(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadSplit {
    /// Of a software decoder; 0 is three quarters of the cores where those are many, and at most 16.
    pub decode: usize,
    /// Of the CPU filters, and of the metrics on the CPU; 0 for the filters is one more than there are cores where those are few.
    pub filter: usize,
    /// Of each encoder.
    pub encode: usize,
}

impl ThreadSplit {
    /// Most threads of a stage.
    pub const MOST: usize = 1024;

    /// The part of each of several jobs at a time, at least one thread of each stage.
    pub fn shared(self, jobs: usize) -> Self {
        let share = |threads: usize| match (jobs, threads) {
            (..=1, _) => threads,
            (_, 0) => (cores() / jobs).max(1),
            _ => (threads / jobs).max(1),
        };
        Self { decode: share(self.decode), filter: share(self.filter), encode: share(self.encode) }
    }

    /// Threads of a software decoder; 0 for as many as there are cores. On 16 cores, 12 decode as many frames as 16, and filters and
    /// encoders make up to a tenth more beside them (`scripts/test-threads`).
    pub fn decoders(self) -> usize {
        const MOST: usize = 16;
        match (self.decode, cores()) {
            (0, cores) if cores > FEW => (cores * 3 / 4).min(MOST),
            (threads, _) => threads,
        }
    }

    /// Threads of the CPU filters of a job. While a decoder's threads hold a core, one of as many threads as cores waits for it; without
    /// one more, others that are done with their rows leave a core idle. Two cores make up to a seventh more frames with one more, 16
    /// cores none (`scripts/test-threads`).
    pub fn filters(self) -> usize {
        match (self.filter, cores()) {
            (0, cores @ 2..=FEW) => cores + 1,
            (0, cores) => cores,
            (threads, _) => threads,
        }
    }

    /// True if the CPU filters leave cores to decoders and encoders, as by [`Cpu::sharing_cores`]: where their number of threads is not set and
    /// there are more than four cores. Two cores make the same number of frames either way.
    ///
    /// [`Cpu::sharing_cores`]: crate::backend::cpu::Cpu::sharing_cores
    pub fn shares_cores(self) -> bool {
        self.filter == 0 && cores() > FEW
    }

    /// Whether a stage has fewer threads than a machine of so many cores.
    pub fn is_below(self, cores: usize) -> bool {
        [self.decode, self.filter, self.encode].iter().any(|threads| (1..cores).contains(threads))
    }
}

impl From<usize> for ThreadSplit {
    fn from(threads: usize) -> Self {
        Self { decode: threads, filter: threads, encode: threads }
    }
}

impl FromStr for ThreadSplit {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let count = |text: &str| {
            let most = Self::MOST;
            let count = text.parse().ok().filter(|count| *count <= most);
            count.ok_or_else(|| anyhow!("{text:?} is no number of threads from 0, for all cores, to {most}"))
        };
        if !text.contains('=') {
            return count(text).map(Self::from);
        }
        let mut split = Self::default();
        let mut given = Vec::new();
        for part in text.split(',') {
            let (stage, threads) = part.split_once('=').unwrap_or((part, ""));
            let place = match stage {
                "decode" => &mut split.decode,
                "filter" => &mut split.filter,
                "encode" => &mut split.encode,
                _ => bail!("{part:?} is no stage with its threads, as in decode=2,filter=4,encode=1"),
            };
            if given.contains(&stage) {
                bail!("{stage} has its threads twice");
            }
            given.push(stage);
            *place = count(threads)?;
        }
        Ok(split)
    }
}

/// How many threads run at once.
pub fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
