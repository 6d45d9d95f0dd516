//! Time and memory of the program as the system counts them.

use std::fs;

use serde::{Deserialize, Serialize};

/// Time and memory of the program.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessUsage {
    /// Seconds of cores in the program, all of its threads together, in steps of 10 ms.
    pub user_s: f64,
    /// Seconds of cores in the kernel for it, likewise.
    pub system_s: f64,
    /// Most memory that it had at a time, in bytes.
    pub peak_memory_bytes: u64,
}

impl ProcessUsage {
    /// Begins to count: the peak of memory is what the program has now. `None` where the system does not tell.
    pub fn start() -> Option<Self> {
        // The kernel forgets the peak; one that does not lets it stand for all that came before.
        let _ = fs::write("/proc/self/clear_refs", "5");
        Self::now()
    }

    /// Until now.
    pub fn now() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/self/stat").ok()?, &fs::read_to_string("/proc/self/status").ok()?)
    }

    /// Reads `stat`, whose 14th and 15th words are ticks of 10 ms in the program and in the kernel, and of `status` the line
    /// `VmHWM`. The second word of `stat` is the program's name in brackets, which may hold anything.
    pub fn parse(stat: &str, status: &str) -> Option<Self> {
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut ticks = rest.split_whitespace().skip(11).map(|word| word.parse::<u64>().ok());
        let [user_s, system_s] = [ticks.next()??, ticks.next()??].map(|ticks| ticks as f64 / 100.0);
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let peak_memory_bytes = 1024 * line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?;
        Some(Self { user_s, system_s, peak_memory_bytes })
    }

    /// What was used after `before`; the peak is of all the time.
    pub fn since(self, before: Self) -> Self {
        let (user_s, system_s) = (self.user_s - before.user_s, self.system_s - before.system_s);
        Self { user_s: user_s.max(0.0), system_s: system_s.max(0.0), ..self }
    }
}
