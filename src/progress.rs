//! The line on a terminal that moves while a job runs: how far, how fast, how long still, and who sets the pace.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use warpreel::pipeline::{Monitor, Readings};

/// How often the line is drawn anew.
const PERIOD: Duration = Duration::from_millis(200);

/// A running progress line; dropping it ends and erases the line.
pub struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Draws on stderr if that is a terminal, else does nothing.
    pub fn start(monitor: Arc<Monitor>, length: Option<u64>) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { stop: None, thread: None };
        }
        let (stop, stopped) = mpsc::channel();
        let thread = thread::Builder::new().name("progress".into()).spawn(move || {
            let bar = bar(length);
            let mut earlier = Readings::default();
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(PERIOD) {
                let now = monitor.read();
                bar.set_position(now.encode.frames);
                if length.is_some_and(|length| now.encode.frames > length) {
                    bar.set_length(now.encode.frames);
                }
                bar.set_message(now.pace_since(&earlier));
                earlier = now;
            }
            bar.finish_and_clear();
        });
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

fn bar(length: Option<u64>) -> ProgressBar {
    let template = match length {
        Some(_) => "{wide_bar} {percent:>3}%  frame {pos}/{len}  {per_sec}  eta {eta}  pace: {msg}",
        None => "{spinner} frame {pos}  {per_sec}  {elapsed}  pace: {msg}",
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed").with_key(
        "per_sec",
        |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            write!(out, "{:.1} fps", state.per_sec()).ok();
        },
    );
    ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_style(style)
}
