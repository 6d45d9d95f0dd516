//! CPU time of a run: what of it each stage takes with all its threads, and whether cores are left.

use serde::{Deserialize, Serialize};

use super::thread::{StageKind, StageTime};

/// CPU time of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CpuTime {
    /// Cores of the machine.
    pub cores: usize,
    /// Cores that the program used, on average: CPU seconds for each second.
    pub used: f64,
    /// Cores that other programs used meanwhile, on average; `null` where that is not known.
    pub others: Option<f64>,
    /// The program's stages, and `other`: all that belongs to none.
    pub stages: Vec<StageCpu>,
}

/// CPU time of a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageCpu {
    /// `decode`, `filter`, `encode` or `other`.
    pub stage: String,
    /// Part of the program's CPU time, 0 to 1: the stage's own thread and all that help it.
    pub share: f64,
    /// Cores that the stage used, on average.
    pub cores: f64,
    /// Threads that used a core.
    pub threads: usize,
    /// Part of the time in which the busiest of them was on a core, 0 to 1.
    pub busiest: f64,
    /// Part of the time in which the stage's own thread could have run but had no core, 0 to 1; `null` where the kernel
    /// has no `schedstat`.
    pub no_core: Option<f64>,
}

/// CPU time of one repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedCpu {
    /// Time that it took.
    pub wall_s: f64,
    /// CPU seconds of the whole program.
    pub process_s: f64,
    /// The same by stage, as far as threads were seen.
    pub stages: Vec<StageTime>,
}

impl CpuTime {
    /// Part of all cores' time from which on they are the limit: switching between threads, and clocks of 4 ms, take some.
    pub const FULL: f64 = 0.9;

    /// Part of the time without a core from which on a stage lacks one.
    const LACK: f64 = 0.1;

    /// CPU time of several repetitions; `None` if there are none. `used` and `others` are cores, the program's and all other
    /// programs'.
    pub fn of(counted: &[CountedCpu], cores: usize, used: f64, others: Option<f64>) -> Option<Self> {
        let sum = |of: &dyn Fn(&CountedCpu) -> f64| counted.iter().map(of).sum::<f64>();
        let (wall_s, process_s) = (sum(&|one| one.wall_s), sum(&|one| one.process_s));
        if wall_s <= 0.0 || process_s <= 0.0 {
            return None;
        }
        let times = |kind: StageKind| {
            counted.iter().flat_map(|one| &one.stages).filter(move |time| time.kind == kind).collect::<Vec<_>>()
        };
        let staged: f64 =
            StageKind::ALL.map(|kind| times(kind).iter().map(|time| time.cpu_s).sum::<f64>()).iter().sum();
        // Clocks of threads and of the process are read one after the other.
        let all_s = process_s.max(staged);
        let stage = |kind: StageKind| {
            let times = times(kind);
            let total = |of: fn(&StageTime) -> f64| times.iter().map(|time| of(time)).sum::<f64>();
            // What was not seen belongs to no stage.
            let unseen_s = if kind == StageKind::Other { all_s - staged } else { 0.0 };
            let share = (total(|time| time.cpu_s) + unseen_s) / all_s;
            let no_core: Option<f64> = times.iter().map(|time| time.no_core_s).sum();
            StageCpu {
                stage: kind.name().to_owned(),
                share,
                cores: share * used,
                threads: times.iter().map(|time| time.threads).max().unwrap_or(0),
                busiest: (total(|time| time.busiest_s) / wall_s).min(1.0),
                no_core: no_core.filter(|_| kind != StageKind::Other).map(|no_core_s| (no_core_s / wall_s).min(1.0)),
            }
        };
        Some(Self { cores, used, others, stages: StageKind::ALL.map(stage).into() })
    }

    /// Part of all cores' time that is used, by this and other programs, 0 to 1.
    pub fn full(&self) -> f64 {
        (self.used + self.others.unwrap_or(0.0)) / self.cores.max(1) as f64
    }

    /// True if the cores are the limit: the program uses all of them, or those that other programs leave and lacks more.
    pub fn is_full(&self) -> bool {
        let own = self.used / self.cores.max(1) as f64;
        let waits = self.stages.iter().filter_map(|stage| stage.no_core).reduce(f64::max);
        let lacks = waits.map_or(own >= 0.5, |waits| waits >= Self::LACK);
        own >= Self::FULL || self.full() >= Self::FULL && lacks
    }

    /// A stage by its name.
    pub fn stage(&self, name: &str) -> Option<&StageCpu> {
        self.stages.iter().find(|stage| stage.stage == name)
    }

    /// `decode 45 %, filter 40 %, encode 12 %, other 3 %`: each stage's share of CPU time.
    pub fn shares(&self) -> String {
        let share = |stage: &StageCpu| format!("{} {:.0} %", stage.stage, 100.0 * stage.share);
        self.stages.iter().filter(|stage| stage.share >= 0.005).map(share).collect::<Vec<_>>().join(", ")
    }

    /// Remark on missing figures.
    pub fn remark(&self) -> Option<String> {
        let is_known = self.stages.iter().any(|stage| stage.no_core.is_some());
        (!is_known).then(|| {
            "this kernel does not count how long threads wait for a core (no schedstat): column \"no core\" is empty, \
             and CPU times are in steps of 10 ms"
                .to_owned()
        })
    }
}
