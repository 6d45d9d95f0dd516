//! How fast it is and why: jobs, the filter stage alone, the machine's limits, and the ladder of kernels, measured so
//! that the figures can be trusted and shown.
//!
//! ```text
//! Runner: warm up, repeat ──Span──▶ Timeline: times of each frame ──▶ Run: distributions, shares, the verdict
//!                                                                       │
//! limit: what the machine can do, in the same run ──────────────────────┴──▶ Record ──▶ table · JSON · CSV · page
//! ```
//!
//! Host times are the monotonic clock's and device times the events' of the GPU; both come from the trace that the
//! pipeline keeps anyway. A figure is never without what it could have been at best: bytes and operations are the
//! plan's, and the limits they are held against are measured beside them.

pub mod alone;
pub mod baseline;
pub mod bound;
pub mod compare;
pub mod cpu;
pub mod csv;
pub mod decoding;
pub mod evidence;
pub mod fault;
pub mod html;
pub mod ladder;
pub mod limit;
pub mod live;
pub mod machine;
pub mod markdown;
pub mod number;
pub mod partner;
pub mod prediction;
pub mod process;
pub mod rate;
pub mod repetition;
pub mod run;
pub mod schema;
pub mod second;
mod shot;
pub mod slow;
pub mod statistic;
pub mod synthetic;
mod table;
pub mod thread;
pub mod timeline;
pub mod verdict;
pub mod without;
pub mod work;

use anyhow::Result;

use crate::backend::cuda::Device;
use machine::LoadMeter;
use run::Runner;
use schema::{GpuGain, Limits, Record, Run};

/// A record of this moment, this machine and this program, to be filled. `command` is the command line.
pub fn record(command: Vec<String>, device: Option<&Device>, limits: Limits) -> Record {
    Record {
        schema: Record::SCHEMA,
        program: concat!("warpreel ", env!("CARGO_PKG_VERSION")).to_owned(),
        command,
        date: machine::date(),
        machine: machine::examine(device),
        limits,
        runs: Vec::new(),
        ladder: Vec::new(),
        decoding: Vec::new(),
        remarks: Vec::new(),
    }
}

/// Notes in all runs but the last what their GPUs gain over the one GPU of the last.
pub fn note_gain(runs: &mut [Run]) {
    if let Some((single, shared)) = runs.split_last_mut() {
        shared.iter_mut().for_each(|run| run.gain = GpuGain::of(run, single));
    }
}

/// Warms up and repeats all runners in turns, so that a machine that changes its pace changes it for all of them.
/// Blocks for all repetitions, and a few seconds for the limits.
///
/// # Errors
/// If a job fails or is interrupted.
pub fn measure(runners: &mut [Runner]) -> Result<(Vec<Run>, Limits)> {
    for runner in &mut *runners {
        runner.warm_up()?;
    }
    let most = runners.iter().map(Runner::repetitions).max().unwrap_or(0);
    for repetition in 0..most {
        for runner in runners.iter_mut().filter(|runner| repetition < runner.repetitions()) {
            runner.repeat()?;
        }
    }
    let meter = LoadMeter::start();
    runners.iter_mut().try_for_each(Runner::measure_alone)?;
    let limits = runners.first().map(Runner::limits).transpose()?.unwrap_or_default();
    let remark = verdict::load(meter, "the limits were measured");
    let mut runs = runners.iter().map(|runner| runner.result(&limits)).collect::<Result<Vec<_>>>()?;
    runs.iter_mut().for_each(|run| run.remarks.extend(remark.clone()));
    Ok((runs, limits))
}
