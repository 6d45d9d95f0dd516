//! Several inputs, one after the other or some at a time, each into a file of a folder. One that fails does not stop the
//! others; a signal does, and keeps of those that are under way what it keeps of one.

mod folder;
mod kind;
mod place;
mod stamp;
mod watch;
mod worker;
mod writer;

use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use anyhow::{Context, Result, ensure};
use log::{error, info};
use warpreel::cli::Several;
use warpreel::job::{Request, check_is_no_address};
use warpreel::source::CancelToken;

use super::progress::Manner;

use place::{Placed, check_written, place};
use worker::{Ended, Worker, make_folders};

pub use folder::FolderSearch;
pub use watch::Watch;

/// What is done with all inputs.
pub struct Batch {
    worker: Worker,
    placed: Vec<Placed>,
    jobs: usize,
    /// The folders that were made for this.
    made: Vec<PathBuf>,
    /// The next input, by its place.
    next: AtomicUsize,
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
        inputs.iter().map(String::as_str).chain([folder]).try_for_each(check_is_no_address)?;
        let items = FolderSearch::new(typed.recursive, folder, &request, &interrupt).expand(inputs)?;
        check_written(&request, items.len())?;
        let placed = place(&items, folder, &request, typed.skip_existing)?;
        let jobs = usize::from(typed.jobs).min(placed.len()).max(1);
        let request = Request { threads: request.threads.shared(jobs), ..request };
        let wanted = placed.iter().filter(|placed| !placed.is_skipped);
        let wanted = wanted.filter_map(|placed| Path::new(&placed.output).parent());
        let made = make_folders([Path::new(folder)].into_iter().chain(wanted))?;
        let worker = Worker::new(request, manner, interrupt);
        Ok(Self { worker, placed, jobs, made, next: AtomicUsize::new(0) })
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
        // Only those that nothing came into.
        self.made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
        let Ended { done, failed, stopped, mistake, .. } = take(&mut *self.worker.ended());
        if let Some(mistake) = mistake {
            return Err(mistake);
        }
        let total = self.placed.len();
        let skipped = self.placed.iter().filter(|placed| placed.is_skipped).count();
        let failures = format!("{} of {total} failed: {}", failed.len(), failed.join(", "));
        if self.worker.interrupt.is_cancelled() {
            if !failed.is_empty() {
                error!("{failures}");
            }
            error!("interrupted: {done} of {total} done, {stopped} kept as partial files");
            return Ok(());
        }
        if total > 1 || self.placed.iter().any(|placed| placed.is_found) {
            let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
            info!("{done} of {total} done{skipped}");
        }
        ensure!(failed.is_empty(), failures);
        Ok(())
    }

    /// Takes one input after the other, until there is none or the user stops it.
    fn work(&self) {
        while let Some(placed) = self.placed.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if self.worker.is_over() {
                return;
            }
            let Placed { output, is_skipped, is_found, .. } = placed;
            match is_skipped {
                true => info!("{output} exists, skipped{}", if *is_found { "; add -y to replace it" } else { "" }),
                false => self.worker.work(placed),
            }
        }
    }
}
