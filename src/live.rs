//! The screen of `--live`: the lines of the moment, drawn over those of the moment before.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use warpreel::bench::live::{Screen, memory_bytes};
use warpreel::pipeline::Monitor;

/// A screen that is drawn on stderr until it is dropped; what it showed last stays.
pub struct Live {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// Starts to draw.
    ///
    /// # Errors
    /// If stderr is no terminal, or there is no thread to draw with.
    pub fn start(monitor: Arc<Monitor>, length: Option<u64>) -> Result<Self> {
        ensure!(std::io::stderr().is_terminal(), "--live needs a terminal on stderr; leave it out");
        let (stop, stopped) = mpsc::channel();
        let draw = move || {
            let (started, mut screen) = (Instant::now(), Screen::new(length));
            let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            let mut lines: Vec<ProgressBar> = Vec::new();
            loop {
                let outcome = stopped.recv_timeout(Screen::PERIOD);
                let mut texts = screen.lines(monitor.read(), started.elapsed(), memory_bytes());
                texts.extend(screen.decoder_line(monitor.read_decoders(), started.elapsed()).map(str::to_owned));
                texts.extend_from_slice(screen.gpu_lines(monitor.read_lanes(), started.elapsed()));
                for (index, text) in texts.into_iter().enumerate() {
                    if index == lines.len() {
                        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
                        lines.push(all.add(ProgressBar::new_spinner().with_style(style)));
                    }
                    lines[index].set_message(text);
                    lines[index].tick();
                }
                if outcome != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            lines.iter().for_each(ProgressBar::abandon);
        };
        let thread = thread::Builder::new().name("live".into()).spawn(draw).context("start the live screen")?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}
