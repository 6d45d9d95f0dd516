//! One of several inputs at a time: its job, its line, and a record of how it ended.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use anyhow::{Context, Result};
use log::{Level, error, info, log_enabled, warn};
use warpreel::job::{Interrupted, Job, Report, Request, Usage};
use warpreel::metrics::QualitySummary;
use warpreel::pipeline::Monitor;
use warpreel::source::CancelToken;

use super::super::progress::{JobName, Manner, Progress};
use super::super::{one_line, resume, voice};
use super::place::Placed;

/// Work on inputs, for several threads at a time.
pub struct Worker {
    /// The request that all jobs share; its input and output are ignored.
    pub request: Request,
    pub manner: Option<Manner>,
    pub interrupt: CancelToken,
    /// Prints the backend once.
    told: Once,
    ended: Mutex<Ended>,
}

/// Results of the jobs that are over, and the notes printed so far.
#[derive(Default)]
pub struct Ended {
    /// Remarks on the chain, which are made once.
    notes: HashSet<String>,
    pub done: usize,
    pub failed: Vec<String>,
    /// Those that the user stopped, and of which something is kept.
    pub stopped: usize,
    /// A mistake in what was typed, which no other input would make right.
    pub mistake: Option<anyhow::Error>,
}

impl Worker {
    pub fn new(request: Request, manner: Option<Manner>, interrupt: CancelToken) -> Self {
        Self { request, manner, interrupt, told: Once::new(), ended: Mutex::default() }
    }

    /// True if no other job may begin: the user stopped them, or an argument is wrong.
    pub fn is_over(&self) -> bool {
        self.interrupt.is_cancelled() || self.ended().mistake.is_some()
    }

    /// Filters one input, and prints how that ended.
    pub fn work(&self, placed: &Placed) {
        let _about = voice::about(&placed.input);
        match self.filter(placed) {
            Ok(report) => self.tell(&report),
            Err(error) => self.fail(&placed.input, error),
        }
    }

    /// Filters one input.
    fn filter(&self, placed: &Placed) -> Result<Report> {
        let Placed { input, output, .. } = placed.clone();
        let subject = JobName { input: input.clone(), output: output.clone(), is_one_of_several: true };
        let job = Job::open(Request { input, output, ..self.request.clone() }, self.interrupt.clone())?;
        let filterer = if log_enabled!(Level::Debug) { job.backend() } else { job.brief_backend() };
        self.told.call_once(|| voice::about_nothing(|| info!("filtered by {filterer}")));
        resume::unfinished(job.request()).iter().for_each(|line| warn!("{line}"));
        let notes = job.plan().filters().iter().filter_map(|filter| filter.note.as_ref());
        for note in notes {
            let is_new = self.ended().notes.insert(note.to_string());
            if is_new {
                voice::about_nothing(|| warn!("{note}"));
            }
        }
        job.plan().filters().iter().filter_map(|filter| filter.remark.as_ref()).for_each(|remark| warn!("{remark}"));
        let monitor = Arc::new(Monitor::default());
        let start = |manner| Progress::start(manner, monitor.clone(), job.length(), subject);
        let progress = self.manner.map(start);
        let report = job.run(&monitor);
        drop(progress);
        report
    }

    /// One line on an output that is complete, or was stopped.
    fn tell(&self, report: &Report) {
        report.metrics.iter().flat_map(QualitySummary::lines).for_each(|line| info!("{line}"));
        if report.interrupted.is_some() {
            self.ended().stopped += usize::from(report.frames > 0);
            error!("{}", report.summary());
            return;
        }
        self.ended().done += 1;
        let line = report.written().unwrap_or_else(|| format!("{}: {}", report.output, report.summary()));
        voice::about_nothing(|| info!("{line}"));
    }

    /// Records and prints a failure.
    pub fn fail(&self, input: &str, error: anyhow::Error) {
        // Wrong for the first, it is wrong for all.
        if error.is::<Usage>() && self.ended().done == 0 {
            self.ended().mistake.get_or_insert(error);
            return;
        }
        if error.is::<Interrupted>() {
            return;
        }
        error!("{}", one_line(&error));
        self.ended().failed.push(format!("{input:?}"));
    }

    /// How inputs ended so far.
    pub fn ended(&self) -> MutexGuard<'_, Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes folders that are not there yet; those that it made, outer ones first.
pub fn make_folders<'a>(wanted: impl Iterator<Item = &'a Path>) -> Result<Vec<PathBuf>> {
    let mut made = Vec::new();
    for folder in wanted.filter(|folder| *folder != Path::new("")) {
        if !folder.is_dir() {
            fs::create_dir_all(folder).with_context(|| format!("create folder {folder:?}"))?;
            info!("created folder {folder:?}");
            made.push(folder.to_owned());
        }
    }
    Ok(made)
}
