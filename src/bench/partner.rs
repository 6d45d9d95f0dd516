//! The programs at the other ends of a job's pipes: what they use of the cores belongs to the job, not to other programs.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::thread::ThreadTime;
use crate::job::{Destination, Request};

/// A pipe, as the system numbers it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PipeId {
    device: u64,
    inode: u64,
}

impl PipeId {
    fn of(found: &Metadata) -> Option<Self> {
        found.file_type().is_fifo().then(|| Self { device: found.dev(), inode: found.ino() })
    }
}

/// Watches what the programs at the other ends of pipes use of the cores.
pub struct PartnerWatch(Option<(Sender<()>, JoinHandle<f64>)>);

impl PartnerWatch {
    const PERIOD: Duration = Duration::from_millis(50);

    /// Begins to watch for a job whose pipes are open; does nothing where it has none.
    pub fn start(request: &Request) -> Self {
        let input = if request.input == "-" { "/dev/stdin" } else { &request.input };
        let output = match request.destination() {
            Destination::Path(path) => fs::metadata(path).ok(),
            Destination::Nowhere | Destination::Stdout | Destination::Address(_) => None,
        };
        let ends = [fs::metadata(input).ok(), output];
        let pipes: Vec<PipeId> = ends.iter().flatten().filter_map(PipeId::of).collect();
        if pipes.is_empty() {
            return Self(None);
        }
        let (stop, stopped) = channel();
        let work = move || {
            let mut partners = Partners::default();
            partners.look(&pipes);
            while stopped.recv_timeout(Self::PERIOD) == Err(RecvTimeoutError::Timeout) {
                partners.look(&pipes);
            }
            partners.look(&pipes);
            partners.cpu_s()
        };
        Self(thread::Builder::new().name("partners".into()).spawn(work).ok().map(|thread| (stop, thread)))
    }

    /// Seconds of cores that those programs used since the start, as far as they were seen.
    pub fn finish(self) -> f64 {
        let Some((stop, thread)) = self.0 else { return 0.0 };
        // It waits for that alone.
        stop.send(()).ok();
        thread.join().unwrap_or(0.0)
    }
}

/// Programs by number: nanoseconds of cores when first and when last seen.
#[derive(Default)]
struct Partners(HashMap<String, [u64; 2]>);

impl Partners {
    fn look(&mut self, pipes: &[PipeId]) {
        if self.0.is_empty() {
            let own = std::process::id().to_string();
            let all = fs::read_dir("/proc").into_iter().flatten().flatten();
            let numbers = all.filter_map(|entry| entry.file_name().into_string().ok());
            let numbers = numbers.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()) && *name != own);
            for number in numbers.filter(|number| holds(number, pipes)) {
                if let Some(now) = cpu_ns(&number) {
                    self.0.insert(number, [now; 2]);
                }
            }
        }
        for (number, [_, last]) in &mut self.0 {
            // One that has ended used what it had used before.
            *last = cpu_ns(number).unwrap_or(*last).max(*last);
        }
    }

    fn cpu_s(&self) -> f64 {
        self.0.values().map(|[first, last]| (last - first) as f64 / 1e9).sum()
    }
}

/// True if a program has one of the pipes open. Programs of other users cannot be looked at.
fn holds(number: &str, pipes: &[PipeId]) -> bool {
    let files = fs::read_dir(format!("/proc/{number}/fd")).into_iter().flatten().flatten();
    files.filter_map(|file| PipeId::of(&fs::metadata(file.path()).ok()?)).any(|pipe| pipes.contains(&pipe))
}

fn cpu_ns(number: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    ThreadTime::of_stat(&text).map(|time| time.cpu_ns)
}
