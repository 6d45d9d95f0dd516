//! The machine that is measured, for the record.

use std::fs;
use std::time::Instant;

use super::schema::{Gpu, Machine};
use crate::backend::cpu::simd::Level;
use crate::backend::cuda::Device;
use crate::doctor;
use crate::libav;
use crate::thread::cores;

/// What there is. Does not block.
pub fn examine(device: Option<&Device>) -> Machine {
    Machine {
        processor: doctor::processor(),
        cores: cores(),
        instructions: Level::best().name().to_owned(),
        memory_bytes: memory_bytes().unwrap_or(0),
        system: system(),
        libraries: vec![format!("FFmpeg {}", libav::version())],
        gpu: device.map(|device| Gpu {
            name: device.name.clone(),
            capability: format!("{}.{}", device.capability.0, device.capability.1),
            memory_bytes: device.memory_bytes,
            driver: format!("{}.{}", device.driver / 1000, device.driver % 1000 / 10),
        }),
    }
}

/// Seconds of cores that this program has used, all of its threads together; 0 where the system does not tell.
pub fn processor_s() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The time of all cores since the machine started, in the system's ticks.
#[derive(Clone, Copy, Debug)]
pub struct Ticks {
    busy: u64,
    all: u64,
    cores: usize,
}

impl Ticks {
    /// Until now; `None` where the system does not tell.
    pub fn now() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// Reads what Linux writes: `cpu`, then user, nice, system, idle, iowait, irq, softirq, steal; then a line for each core.
    pub fn parse(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let times: Vec<u64> = line.split_whitespace().take(8).map_while(|word| word.parse().ok()).collect();
        let [user, nice, system, idle, wait, interrupts @ ..] = &times[..] else { return None };
        let busy = user + nice + system + interrupts.iter().sum::<u64>();
        let cores = text.lines().skip(1).take_while(|line| line.starts_with("cpu")).count();
        Some(Self { busy, all: busy + idle + wait, cores })
    }

    /// How many cores were busy between `self` and a later time, on average; `None` if no time has passed.
    pub fn busy_until(self, later: Self) -> Option<f64> {
        let (busy, all) = (later.busy.checked_sub(self.busy)?, later.all.checked_sub(self.all)?);
        (all > 0).then(|| busy as f64 / all as f64 * self.cores as f64)
    }
}

/// Use of the cores by the program and by others from a moment on.
pub struct LoadMeter {
    started: Instant,
    ticks: Option<Ticks>,
    before_s: f64,
}

/// Use of the cores.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Time over which it was measured.
    pub wall_s: f64,
    /// Seconds of cores that the program used.
    pub processor_s: f64,
    /// Cores that other programs used, on average; `None` where the system does not count that. The system counts in steps of 10 ms,
    /// so that it may be below 0 over a short time.
    pub others: Option<f64>,
}

impl LoadMeter {
    /// Begins.
    pub fn start() -> Self {
        Self { started: Instant::now(), ticks: Ticks::now(), before_s: processor_s() }
    }

    /// Use since then. Of that, `partner_s` seconds of cores are of programs that belong to the job.
    pub fn finish(self, partner_s: f64) -> Load {
        let (wall_s, processor_s) = (self.started.elapsed().as_secs_f64(), processor_s() - self.before_s);
        let busy = self.ticks.zip(Ticks::now()).and_then(|(before, after)| before.busy_until(after));
        let others = busy.map(|cores| cores - (processor_s + partner_s) / wall_s.max(1e-9));
        Load { wall_s, processor_s, others }
    }
}

fn memory_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib * 1024)
}

fn system() -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{} {} {}", std::env::consts::OS, release.trim(), std::env::consts::ARCH)
}

/// The time of day in UTC, to a second: `2026-11-21T09:40:00Z`.
pub fn date() -> String {
    format!("{:.0}", jiff::Timestamp::now())
}
