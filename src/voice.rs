//! What the program says on stderr: a line for each message, above the bars that are drawn there, and with the name of
//! its input where several are at work.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use env_logger::Logger;
use indicatif::MultiProgress;
use log::{Level, LevelFilter, Log, Metadata, Record};
use warpreel::cli::Verbosity;

use super::printable;

/// Where bars are drawn.
static SCREEN: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// The lines that were said while each is said once; `None` where all are.
static SAID: Mutex<Option<HashSet<String>>> = Mutex::new(None);

thread_local! {
    /// What this thread speaks of.
    static SUBJECT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// As long as it lives, this thread's lines begin with a name.
pub struct About(Option<String>);

/// Begins this thread's lines with `name`.
pub fn about(name: &str) -> About {
    About(SUBJECT.replace(Some(name.to_owned())))
}

/// Says something of all.
pub fn about_nothing(say: impl FnOnce()) {
    let _before = About(SUBJECT.take());
    say();
}

impl Drop for About {
    fn drop(&mut self) {
        SUBJECT.set(self.0.take());
    }
}

/// As long as it lives, a line that was said is not said again.
pub struct Once(());

/// From here on each line is said once, for work that is done over and over.
pub fn once() -> Once {
    *SAID.lock().unwrap_or_else(PoisonError::into_inner) = Some(HashSet::new());
    Once(())
}

impl Drop for Once {
    fn drop(&mut self) {
        *SAID.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Whether a line is due: not where each is said once, and this one was.
fn is_due(record: &Record<'_>) -> bool {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    said.as_mut().is_none_or(|said| said.insert(record.args().to_string()))
}

/// From here on messages go to stderr, as many as are wanted.
pub fn start(verbosity: &Verbosity) {
    let level = match (verbosity.quiet, verbosity.verbose) {
        (true, _) => LevelFilter::Error,
        (_, 0) => LevelFilter::Info,
        (_, 1) => LevelFilter::Debug,
        _ => LevelFilter::Trace,
    };
    let logger = env_logger::Builder::new()
        .filter_level(level)
        .format(|out, record| {
            let subject = SUBJECT.with_borrow(|name| name.as_ref().map_or(String::new(), |name| format!("{name}: ")));
            let text = format!("{subject}{}", record.args());
            let text = printable::line(&text);
            match record.level() {
                Level::Error => writeln!(out, "error: {text}"),
                Level::Warn => writeln!(out, "warning: {text}"),
                _ => writeln!(out, "{text}"),
            }
        })
        .build();
    log::set_max_level(logger.filter());
    // Only a second start could fail, and there is none.
    log::set_boxed_logger(Box::new(Voice(logger))).ok();
}

/// Does something during which nothing below `level` is printed.
pub fn within<T>(level: LevelFilter, work: impl FnOnce() -> T) -> T {
    let before = log::max_level();
    log::set_max_level(before.min(level));
    let done = work();
    log::set_max_level(before);
    done
}

/// Where bars are drawn.
pub fn screen() -> &'static MultiProgress {
    &SCREEN
}

/// Writes messages while no bar is drawn.
struct Voice(Logger);

impl Log for Voice {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if self.0.matches(record) && is_due(record) {
            SCREEN.suspend(|| self.0.log(record));
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}
