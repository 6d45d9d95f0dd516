//! CPU time of the program's threads, by the stage that they work for.
//!
//! Linux counts for each thread how long it ran, and how long it could have run but had no core (`schedstat`; a kernel
//! without that counts the first alone, in steps of 10 ms). A thread's count is gone when it ends: so a watch looks every
//! 20 ms, and whenever the pipeline says that a stage's threads are about to end.

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::thread::gettid;
use rustix::time::{ClockId, clock_gettime};

/// The stage that a thread works for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StageKind {
    /// Reading and decoding.
    Decode,
    /// Filtering.
    Filter,
    /// Encoding and writing.
    Encode,
    /// Anything else.
    Other,
}

impl StageKind {
    /// All of them, in the order of the data path.
    pub const ALL: [Self; 4] = [Self::Decode, Self::Filter, Self::Encode, Self::Other];

    /// `decode`, `filter`, `encode` or `other`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Filter => "filter",
            Self::Encode => "encode",
            Self::Other => "other",
        }
    }

    /// Stage of a thread by its name: those that the program gives, those that FFmpeg and its libraries give
    /// (`av:h264:df0`), and those that their threads inherit.
    pub fn of(thread: &str) -> Self {
        let word = thread.split([' ', '-']).next().unwrap_or(thread);
        match word {
            "decode" | "decoder" | "lane" | "segment" | "dav1d" => Self::Decode,
            "filter" | "cpu" | "deal" | "collect" => Self::Filter,
            "encode" | "encoder" => Self::Encode,
            _ => match thread.strip_prefix("av:").and_then(|codec| codec.rsplit_once(':')) {
                Some((_, part)) if part.starts_with('d') => Self::Decode,
                Some(_) => Self::Encode,
                None => Self::Other,
            },
        }
    }

    /// True if a thread is the stage's own, not one of its helpers.
    fn is_own(thread: &str) -> bool {
        matches!(thread.split(' ').next(), Some("decode" | "filter" | "encode"))
    }
}

/// Time of a thread so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadTime {
    /// Nanoseconds on a core.
    pub cpu_ns: u64,
    /// Nanoseconds of being able to run without a core; `None` where the kernel does not count them.
    pub no_core_ns: Option<u64>,
}

impl ThreadTime {
    /// Reads a `schedstat`: nanoseconds on a core, nanoseconds waiting for one, number of time slices.
    pub fn of_schedstat(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace().map(|word| word.parse().ok());
        let (cpu_ns, no_core_ns) = (words.next()??, words.next()??);
        Some(Self { cpu_ns, no_core_ns: Some(no_core_ns) })
    }

    /// Reads a `stat`: its 14th and 15th words are ticks in the program and in the kernel. The second is the thread's name in
    /// brackets, which may hold anything.
    pub fn of_stat(text: &str) -> Option<Self> {
        /// Linux counts 100 ticks a second for programs, whatever its own.
        const TICK_NS: u64 = 10_000_000;
        let (_, rest) = text.rsplit_once(") ")?;
        let mut ticks = rest.split_whitespace().skip(11).map(|word| word.parse::<u64>().ok());
        let ticks = ticks.next()?? + ticks.next()??;
        Some(Self { cpu_ns: ticks * TICK_NS, no_core_ns: None })
    }
}

/// Counter of a thread's time.
enum Counter {
    Schedstat(File),
    Stat(File),
}

impl Counter {
    fn open(thread: &str) -> Option<Self> {
        let open = |name: &str| File::open(format!("/proc/self/task/{thread}/{name}")).ok();
        let known = open("schedstat").map(Self::Schedstat).filter(|counter| counter.read().is_some());
        known.or_else(|| open("stat").map(Self::Stat))
    }

    fn read(&self) -> Option<ThreadTime> {
        let mut bytes = [0; 1024];
        let text = |file: &File, bytes: &mut [u8]| file.read_at(bytes, 0).ok();
        let (Self::Schedstat(file) | Self::Stat(file)) = self;
        let count = text(file, &mut bytes)?;
        let text = String::from_utf8_lossy(&bytes[..count]);
        match self {
            Self::Schedstat(_) => ThreadTime::of_schedstat(&text),
            Self::Stat(_) => ThreadTime::of_stat(&text),
        }
    }
}

/// A thread that was seen.
struct SeenThread {
    counter: Counter,
    name: String,
    /// Number of times its name was read: threads get theirs shortly after they began.
    looks: usize,
    /// Time so far when the watch began; 0 for threads that began later.
    before: ThreadTime,
    last: ThreadTime,
}

/// All threads that were seen, by number.
#[derive(Default)]
struct SeenThreads {
    threads: HashMap<String, SeenThread>,
    /// Those whose number another thread has now.
    gone: Vec<SeenThread>,
    has_begun: bool,
    /// Moments of looks, with the time that the stages' own threads had been without a core by then.
    moments: Vec<CoreMoment>,
}

/// Time that the stages' own threads have been without a core by a moment.
#[derive(Clone, Copy, Debug)]
pub struct CoreMoment {
    /// Moment.
    pub at: Instant,
    /// Seconds of decode, filter and encode; `None` where that is not known.
    pub no_core_s: [Option<f64>; 3],
}

impl SeenThreads {
    /// Looks as often at a name that says nothing.
    const LOOKS: usize = 5;

    fn look(&mut self) {
        let own = gettid().as_raw_nonzero().to_string();
        for entry in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
            let number = entry.file_name().to_string_lossy().into_owned();
            let own_ns = (number == own).then(|| {
                let time = clock_gettime(ClockId::ThreadCPUTime);
                time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
            });
            self.see(number, own_ns);
        }
        self.has_begun = true;
        let times = self.times();
        let no_core_s = [0, 1, 2].map(|index: usize| times[index].no_core_s);
        self.moments.push(CoreMoment { at: Instant::now(), no_core_s });
    }

    /// Looks at a thread; `own_ns` is the CPU time of the calling one, which `schedstat` lags behind.
    fn see(&mut self, number: String, own_ns: Option<u64>) {
        let mut known = self.threads.remove(&number);
        let mut now = known.as_ref().and_then(|seen| seen.counter.read());
        if now.is_none_or(|now| known.as_ref().is_some_and(|seen| now.cpu_ns < seen.last.cpu_ns)) {
            self.gone.extend(known.take());
            let Some(counter) = Counter::open(&number) else { return };
            now = counter.read();
            let before = now.filter(|_| !self.has_begun).unwrap_or_default();
            known = Some(SeenThread { counter, name: String::new(), looks: 0, before, last: ThreadTime::default() });
        }
        let (Some(mut seen), Some(now)) = (known, now) else { return };
        if StageKind::of(&seen.name) == StageKind::Other && seen.looks < Self::LOOKS {
            let name = fs::read_to_string(format!("/proc/self/task/{number}/comm")).unwrap_or_default();
            (seen.name, seen.looks) = (name.trim_end().to_owned(), seen.looks + 1);
        }
        seen.last = ThreadTime { cpu_ns: now.cpu_ns.max(own_ns.unwrap_or(0)), ..now };
        self.threads.insert(number, seen);
    }

    fn times(&self) -> [StageTime; 4] {
        let time = |kind| {
            let mut time = StageTime { kind, cpu_s: 0.0, busiest_s: 0.0, threads: 0, no_core_s: None };
            let seen = self.gone.iter().chain(self.threads.values()).filter(|seen| StageKind::of(&seen.name) == kind);
            for SeenThread { name, before, last, .. } in seen {
                let seconds = |last: u64, before: u64| last.saturating_sub(before) as f64 / 1e9;
                let cpu_s = seconds(last.cpu_ns, before.cpu_ns);
                time.cpu_s += cpu_s;
                time.busiest_s = time.busiest_s.max(cpu_s);
                time.threads += usize::from(cpu_s > 0.0);
                if let Some(no_core_ns) = last.no_core_ns.filter(|_| StageKind::is_own(name)) {
                    *time.no_core_s.get_or_insert(0.0) += seconds(no_core_ns, before.no_core_ns.unwrap_or(0));
                }
            }
            time
        };
        StageKind::ALL.map(time)
    }
}

/// Time of all threads of one stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageTime {
    /// Stage that they work for.
    pub kind: StageKind,
    /// Seconds of cores that they used, all together.
    pub cpu_s: f64,
    /// The same of the one that used most.
    pub busiest_s: f64,
    /// Number of threads that used a core at all.
    pub threads: usize,
    /// Seconds in which the stage's own thread could have run but had no core; `None` where that is not known.
    pub no_core_s: Option<f64>,
}

/// Watches the threads of the program until it is finished.
pub struct ThreadWatch {
    seen: Arc<Mutex<SeenThreads>>,
    stop: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl ThreadWatch {
    const PERIOD: Duration = Duration::from_millis(20);

    /// Begins to watch: what threads did before does not count. Where the system counts nothing, nothing is seen.
    pub fn start() -> Self {
        let seen = Arc::<Mutex<SeenThreads>>::default();
        look(&seen);
        let ((stop, stopped), own) = (channel(), seen.clone());
        let work = move || watch(&own, &stopped);
        // Without the thread, what ends between two looks of the pipeline is not seen.
        let thread = thread::Builder::new().name("watch".into()).spawn(work).ok();
        Self { seen, stop, thread }
    }

    /// Calls for another look, as [`crate::pipeline::Monitor::watched_by`] wants it.
    pub fn looker(&self) -> Box<dyn Fn() + Send + Sync> {
        let seen = self.seen.clone();
        Box::new(move || look(&seen))
    }

    /// Time of the threads since the start, by stage, and the moments at which it was looked.
    pub fn finish(mut self) -> (Vec<StageTime>, Vec<CoreMoment>) {
        self.end();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        (seen.times().into(), std::mem::take(&mut seen.moments))
    }

    fn end(&mut self) {
        // It may have ended by itself.
        self.stop.send(()).ok();
        self.thread.take().map(JoinHandle::join);
    }
}

impl Drop for ThreadWatch {
    fn drop(&mut self) {
        self.end();
    }
}

fn look(seen: &Mutex<SeenThreads>) {
    seen.lock().unwrap_or_else(PoisonError::into_inner).look();
}

fn watch(seen: &Mutex<SeenThreads>, stopped: &Receiver<()>) {
    while stopped.recv_timeout(ThreadWatch::PERIOD) == Err(RecvTimeoutError::Timeout) {
        look(seen);
    }
}
