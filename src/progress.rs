//! What is told while a job runs: how far, how fast, how long still, and who sets the pace.

use std::collections::VecDeque;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use warpreel::cli::ProgressName;
use warpreel::frame::LiveReading;
use warpreel::job::Destination;
use warpreel::pipeline::{Monitor, Readings};
use warpreel::sink::target::unfinished_bytes;

use super::{printable, voice};

/// How it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// A line on a terminal that moves.
    Bar,
    /// A line of text now and then.
    Plain,
    /// A line of JSON each second.
    Json,
}

impl Manner {
    /// What was typed, or what suits stderr; `None` where nothing is told.
    pub fn of(typed: ProgressName, quiet: bool) -> Option<Self> {
        match typed {
            ProgressName::Json => Some(Self::Json),
            ProgressName::Auto if !quiet && std::io::stderr().is_terminal() => Some(Self::Bar),
            ProgressName::Auto if !quiet => Some(Self::Plain),
            ProgressName::Auto | ProgressName::None => None,
        }
    }

    fn period(self) -> Duration {
        match self {
            Self::Bar => Duration::from_millis(200),
            Self::Plain => Duration::from_secs(10),
            Self::Json => Duration::from_secs(1),
        }
    }
}

/// Whose progress it is.
#[derive(Clone, Debug)]
pub struct JobName {
    /// As it was typed.
    pub input: String,
    /// Where it goes.
    pub output: String,
    /// Whether people have to be told which it is.
    pub is_one_of_several: bool,
}

impl JobName {
    /// The file that it will be; `None` of pipes.
    fn file(&self) -> Option<&Path> {
        match Destination::of(&self.output) {
            Destination::Path(path) => Some(path),
            Destination::Nowhere | Destination::Stdout | Destination::Address(_) => None,
        }
    }

    /// Bytes written so far, of files.
    fn bytes(&self) -> u64 {
        self.file().map_or(0, unfinished_bytes)
    }

    /// What lines begin with.
    fn prefix(&self) -> String {
        if self.is_one_of_several { format!("{}: ", printable::line(&self.input)) } else { String::new() }
    }
}

/// Progress that is being told; dropping it ends that, and erases a bar.
pub struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Tells on stderr.
    pub fn start(manner: Manner, monitor: Arc<Monitor>, length: Option<u64>, subject: JobName) -> Self {
        let (stop, stopped) = mpsc::channel();
        let mut pace = Lately::new(length, subject.clone());
        let tell = move || {
            let teller = Teller::new(manner, length, &subject);
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(manner.period()) {
                let place = pace.look(&monitor.read(), Instant::now());
                teller.tell(&Standing { live: monitor.read_live(), ..place });
            }
            let place = pace.end(&monitor.read(), Instant::now());
            teller.end(&Standing { live: monitor.read_live(), ..place });
        };
        let thread = thread::Builder::new().name("progress".into()).spawn(tell);
        Self { stop: Some(stop), thread: thread.ok() }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Standing {
    /// As it was typed.
    input: String,
    /// Frames that the encoder has taken.
    frame: u64,
    /// How many there will be, where that is known or can be estimated.
    frames: Option<u64>,
    /// Frames a second, lately.
    fps: f64,
    /// Since the start.
    seconds: f64,
    /// How long still, where `frames` is known.
    seconds_left: Option<f64>,
    /// The stage that worked longest lately: all others wait for it.
    pace: &'static str,
    /// Bytes written so far, of files.
    bytes: u64,
    /// Whether it is the last line of the job.
    end: bool,
    /// Delays and losses of a live input.
    #[serde(skip_serializing_if = "Option::is_none")]
    live: Option<LiveReading>,
}

/// Looks at a job again and again.
struct Lately {
    subject: JobName,
    started: Instant,
    length: Option<u64>,
    /// When the output was changed before the job, if it was there.
    before: Option<SystemTime>,
    /// The most bytes of it that were seen.
    bytes: u64,
    /// What was seen lately, the oldest first.
    seen: VecDeque<(Instant, Readings)>,
}

impl Lately {
    /// How far back the rate looks: over bursts of an encoder, which fills its look-ahead at once and then waits for it.
    const SPAN: Duration = Duration::from_secs(15);

    fn new(length: Option<u64>, subject: JobName) -> Self {
        let started = Instant::now();
        let before = subject.file().and_then(modified);
        Self { subject, started, length, before, bytes: 0, seen: VecDeque::from([(started, Readings::default())]) }
    }

    fn look(&mut self, now: &Readings, at: Instant) -> Standing {
        while self.seen.len() > 1 && at.duration_since(self.seen[1].0) > Self::SPAN {
            self.seen.pop_front();
        }
        let (since, earlier) = self.seen[0];
        self.seen.push_back((at, *now));
        let frame = now.encode.frames;
        let lately_s = at.duration_since(since).as_secs_f64();
        let fps = if lately_s > 0.0 { (frame - earlier.encode.frames) as f64 / lately_s } else { 0.0 };
        let frames = self.length.map(|length| length.max(frame));
        let left = frames.map(|frames| (frames - frame) as f64);
        Standing {
            input: self.subject.input.clone(),
            frame,
            frames,
            fps,
            seconds: at.duration_since(self.started).as_secs_f64(),
            seconds_left: left.filter(|_| fps > 0.0).map(|left| left / fps),
            pace: now.pace_since(&earlier),
            bytes: self.written(self.subject.bytes()),
            end: false,
            live: None,
        }
    }

    /// How it was left.
    fn end(&mut self, now: &Readings, at: Instant) -> Standing {
        // The file has its final name by now.
        let finished = self.subject.file().filter(|file| modified(file) != self.before);
        let bytes = finished.and_then(|file| file.metadata().ok()).map_or(0, |found| found.len());
        let last = self.look(now, at);
        Standing { bytes: if bytes > 0 { bytes } else { last.bytes }, end: true, ..last }
    }

    /// The most bytes that were seen: a sequence that is complete is not counted again.
    fn written(&mut self, bytes: u64) -> u64 {
        self.bytes = self.bytes.max(bytes);
        self.bytes
    }
}

/// Writes it down.
enum Teller {
    Bar(ProgressBar),
    /// What its lines begin with.
    Plain(String),
    Json,
}

impl Teller {
    fn new(manner: Manner, length: Option<u64>, subject: &JobName) -> Self {
        match manner {
            Manner::Bar => Self::Bar(bar(length, subject.prefix())),
            Manner::Plain => Self::Plain(subject.prefix()),
            Manner::Json => Self::Json,
        }
    }

    fn tell(&self, place: &Standing) {
        match self {
            Self::Bar(bar) => {
                bar.set_position(place.frame);
                if let Some(frames) = place.frames {
                    bar.set_length(frames);
                }
                bar.set_message(text(place));
            }
            Self::Plain(prefix) => log::info!("{prefix}frame {}{}  {}", place.frame, of(place), text(place)),
            Self::Json => {
                let Ok(line) = serde_json::to_string(place) else { return };
                writeln!(std::io::stderr(), "{line}").ok();
            }
        }
    }

    /// The last time.
    fn end(&self, place: &Standing) {
        match self {
            Self::Bar(bar) => {
                bar.finish_and_clear();
                voice::screen().remove(bar);
            }
            Self::Plain(_) => {}
            Self::Json => self.tell(place),
        }
    }
}

/// When a file was changed.
fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|found| found.modified()).ok()
}

fn of(place: &Standing) -> String {
    place.frames.map_or(String::new(), |frames| format!(" of {frames}"))
}

/// How fast, how long still, who sets the pace.
fn text(place: &Standing) -> String {
    let left = place.seconds_left.map_or(String::new(), |left| {
        format!("  {} left", indicatif::FormattedDuration(Duration::from_secs_f64(left.min(1e9))))
    });
    let live = place.live.as_ref().map_or(String::new(), |live| {
        let dropped = if live.dropped > 0 { format!(", {} dropped", live.dropped) } else { String::new() };
        format!("  delay {:.0} ms{dropped}", live.recent_delay_ms)
    });
    format!("{:.1} fps{left}  pace: {}{live}", place.fps, place.pace)
}

fn bar(length: Option<u64>, prefix: String) -> ProgressBar {
    let template = match length {
        Some(_) => "{prefix}{wide_bar} {percent:>3}%  frame {pos}/{len}  {msg}",
        None => "{prefix}{spinner} frame {pos}  {msg}",
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    voice::screen().add(bar.with_style(style).with_prefix(prefix))
}
