//! Several inputs, one after the other or some at a time, each into a file of a folder. One that fails does not stop the
//! others; a signal does, and keeps of those that are under way what it keeps of one.

mod place;

use std::collections::HashSet;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::{fs, thread};

use anyhow::{Context, Result, anyhow, ensure};
use log::{Level, error, info, log_enabled, warn};
use warpreel::cli::Several;
use warpreel::filter::Filter;
use warpreel::job::{Interrupted, Job, Report, Request, Usage, parse_chain};
use warpreel::pipeline::Monitor;
use warpreel::source::CancelToken;

use super::progress::{JobName, Manner, Progress};
use super::voice;

use place::{Placed, place};

/// What is done with all inputs.
pub struct Batch {
    /// What all jobs have in common; its input and output are not looked at.
    request: Request,
    placed: Vec<Placed>,
    jobs: usize,
    manner: Option<Manner>,
    interrupt: CancelToken,
    /// The next input, by its place.
    /// The folder, where it was made for this.
    made: Option<PathBuf>,
    next: AtomicUsize,
    /// Who filters is told once.
    told: Once,
    ended: Mutex<Ended>,
}

/// What became of those that are over, and what was said.
#[derive(Default)]
struct Ended {
    /// Remarks on the chain, which are made once.
    notes: HashSet<String>,
    done: usize,
    failed: Vec<String>,
    /// Those that the user stopped, and of which something is kept.
    stopped: usize,
    /// A mistake in what was typed, which no other input would make right.
    mistake: Option<anyhow::Error>,
}

impl Batch {
    /// Finds a place for each output, and makes the folder; nothing is run yet.
    ///
    /// # Errors
    /// Whatever is wrong with what was typed, and if an output exists that is neither to be replaced nor to be skipped.
    pub fn new(
        inputs: &[String],
        typed: &Several,
        request: Request,
        manner: Option<Manner>,
        interrupt: CancelToken,
    ) -> Result<Self> {
        let folder = typed.into.as_deref().unwrap_or_default();
        let filters = parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref())?;
        let written = filters.iter().find_map(Filter::file_written).filter(|_| inputs.len() > 1);
        if let Some(name) = written {
            let fault = format!("{name:?} is one file, which each of {} inputs would replace", inputs.len());
            return Err(Usage::of(anyhow!("{fault}; filter them one by one, with a file for each")).into());
        }
        let placed = place(inputs, folder, &request, typed.skip_existing)?;
        let jobs = usize::from(typed.jobs).min(placed.len()).max(1);
        let request = Request { threads: share(request.threads, jobs), ..request };
        let made = Some(PathBuf::from(folder)).filter(|folder| !folder.is_dir());
        if let Some(folder) = &made {
            fs::create_dir_all(folder).with_context(|| format!("create folder {folder:?}"))?;
            info!("created folder {folder:?}");
        }
        let (next, told, ended) = (AtomicUsize::new(0), Once::new(), Mutex::default());
        Ok(Self { request, placed, jobs, manner, interrupt, made, next, told, ended })
    }

    /// Filters all inputs, and tells of each. Blocks until that is done, or the user has stopped it.
    ///
    /// # Errors
    /// If one failed; the message says how many, and which.
    pub fn run(self) -> Result<()> {
        thread::scope(|scope| {
            for number in 0..self.jobs {
                let worker = thread::Builder::new().name(format!("job {}", number + 1));
                worker.spawn_scoped(scope, || self.work()).context("start a thread for a job")?;
            }
            anyhow::Ok(())
        })?;
        if let Some(folder) = &self.made {
            // Only if nothing came into it.
            fs::remove_dir(folder).ok();
        }
        let ended = self.ended.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Ended { done, failed, stopped, mistake, .. } = ended;
        if let Some(mistake) = mistake {
            return Err(mistake);
        }
        let total = self.placed.len();
        let skipped = self.placed.iter().filter(|placed| placed.is_skipped).count();
        let failures = format!("{} of {total} failed: {}", failed.len(), failed.join(", "));
        if self.interrupt.is_cancelled() {
            if !failed.is_empty() {
                error!("{failures}");
            }
            error!("interrupted: {done} of {total} done, {stopped} kept as partial files");
            return Ok(());
        }
        ensure!(failed.is_empty(), failures);
        if total > 1 {
            let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
            info!("{done} of {total} done{skipped}");
        }
        Ok(())
    }

    /// Takes one input after the other, until there is none or the user stops it.
    fn work(&self) {
        while let Some(placed) = self.placed.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if self.interrupt.is_cancelled() || self.ended().mistake.is_some() {
                return;
            }
            let Placed { input, output, is_skipped } = placed;
            if *is_skipped {
                info!("{output} exists, skipped");
                continue;
            }
            let _about = voice::about(input);
            match self.filter(placed) {
                Ok(report) => self.tell(&report),
                Err(error) => self.fail(input, error),
            }
        }
    }

    /// Filters one input.
    fn filter(&self, placed: &Placed) -> Result<Report> {
        let Placed { input, output, .. } = placed.clone();
        let subject = JobName { input: input.clone(), output: output.clone(), is_one_of_several: true };
        let job = Job::open(Request { input, output, ..self.request.clone() }, self.interrupt.clone())?;
        let filterer = if log_enabled!(Level::Debug) { job.backend() } else { job.brief_backend() };
        self.told.call_once(|| voice::about_nothing(|| info!("filtered by {filterer}")));
        let notes = job.plan().filters.iter().filter_map(|filter| filter.note.as_ref());
        for note in notes {
            let is_new = self.ended().notes.insert(note.to_string());
            if is_new {
                voice::about_nothing(|| warn!("{note}"));
            }
        }
        job.plan().filters.iter().filter_map(|filter| filter.remark.as_ref()).for_each(|remark| warn!("{remark}"));
        let monitor = Arc::new(Monitor::default());
        let start = |manner| Progress::start(manner, monitor.clone(), job.length(), subject);
        let progress = self.manner.map(start);
        let report = job.run(&monitor);
        drop(progress);
        report
    }

    /// One line on an output that is complete, or was stopped.
    fn tell(&self, report: &Report) {
        if report.interrupted.is_some() {
            self.ended().stopped += usize::from(report.frames > 0);
            error!("{}", report.summary());
            return;
        }
        self.ended().done += 1;
        let line = report.written().unwrap_or_else(|| format!("{}: {}", report.output, report.summary()));
        voice::about_nothing(|| info!("{line}"));
    }

    fn fail(&self, input: &str, error: anyhow::Error) {
        // Wrong for the first, it is wrong for all.
        if error.is::<Usage>() && self.ended().done == 0 {
            self.ended().mistake.get_or_insert(error);
            return;
        }
        if error.is::<Interrupted>() {
            return;
        }
        error!("{}", super::one_line(&error));
        self.ended().failed.push(format!("{input:?}"));
    }

    fn ended(&self) -> MutexGuard<'_, Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The threads of each of several jobs at a time; 0 is all cores.
fn share(threads: usize, jobs: usize) -> usize {
    if jobs == 1 {
        return threads;
    }
    let all = if threads > 0 { threads } else { thread::available_parallelism().map_or(1, NonZero::get) };
    (all / jobs).max(1)
}
