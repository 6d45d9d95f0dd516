//! The machine that is measured, for the record.

use std::fs;
use std::num::NonZero;
use std::thread::available_parallelism;

use super::schema::{Gpu, Machine};
use crate::backend::cpu::simd::Level;
use crate::backend::cuda::Device;
use crate::doctor;
use crate::libav;

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

/// How many threads run at once.
pub fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// Seconds of cores that this program has used, all of its threads together; 0 where the system does not tell.
pub fn processor_s() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// How many programs wanted a core during the last minute, on average; `None` where the system does not tell.
pub fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
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
