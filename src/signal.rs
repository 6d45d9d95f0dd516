//! Ctrl-C, `SIGTERM` and `SIGHUP`: the first stops the job, the second the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use warpreel::sink::target::remove_unfinished;
use warpreel::source::CancelToken;

/// How soon after the first a signal says the same once more: one Ctrl-C reaches a group of processes twice where a
/// program that started this one passes it on.
const SAME_WISH: Duration = Duration::from_secs(1);

/// True while no job runs, so that a signal has no output to finish.
static IDLE: AtomicBool = AtomicBool::new(false);

/// Notes whether no job runs, for the line that a signal prints.
pub fn set_idle(is_idle: bool) {
    IDLE.store(is_idle, Ordering::Relaxed);
}

/// What was heard so far.
pub struct Heard(Arc<AtomicI32>);

impl Heard {
    /// Listens from here on. The first signal sets `interrupt`, so that what is written is completed and kept; one
    /// that comes at least a second later removes it and ends the program. What whoever started the program has it ignore, as `nohup` does, is ignored.
    pub fn listen(interrupt: &CancelToken) -> Self {
        let first = Arc::new(AtomicI32::new(0));
        if let Err(error) = start(first.clone(), interrupt.clone()) {
            log::warn!("Ctrl-C will end the program at once and leave temporary files: {error:#}");
        }
        Self(first)
    }

    /// Ends the program by the signal that was heard, if one was, as if nobody had listened: who started it, a loop of a
    /// shell for instance, shall know that it was stopped.
    pub fn pass_on(&self) {
        let signal = self.0.load(Ordering::Relaxed);
        if signal != 0 {
            end_by(signal);
        }
    }
}

/// Starts to listen.
fn start(first: Arc<AtomicI32>, interrupt: CancelToken) -> Result<()> {
    // Beyond the largest file that is allowed, writing then fails with an error, which names the file.
    flag::register(SIGXFSZ, Arc::default()).context("listen for files that are too large")?;
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(wanted).context("install a signal handler")?;
    let listen = move || {
        let mut since: Option<Instant> = None;
        for signal in signals.forever() {
            if let Some(since) = since {
                if since.elapsed() < SAME_WISH {
                    continue;
                }
                remove_unfinished();
                end_by(signal);
            }
            since = Some(Instant::now());
            first.store(signal, Ordering::Relaxed);
            interrupt.cancel();
            if !IDLE.load(Ordering::Relaxed) {
                log::warn!("stopping: finishing the partial output; press Ctrl-C again to discard it");
            }
        }
    };
    thread::Builder::new().name("signal".into()).spawn(listen).context("install a signal handler")?;
    Ok(())
}

/// Ends the program by a signal.
fn end_by(signal: i32) -> ! {
    emulate_default_handler(signal).ok();
    // All of them end it; this is what shells make of it.
    process::exit(128 + signal)
}

/// The signals that the program was started to ignore, a bit for each from 1 on, where the system tells.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
