//! A folder that is watched: each video in it is filtered once it no longer grows, until the user stops it.
//!
//! The folder is read each second. That also sees files that other machines write to a network drive, of which the kernel
//! reports nothing (inotify), and how long a file has not changed is to be counted all the same.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, anyhow, ensure};
use log::{debug, error, info, warn};
use warpreel::cli::Several;
use warpreel::job::{Overwrite, Request, Usage};
use warpreel::source::CancelToken;

use super::super::progress::Manner;
use super::super::signal;
use super::folder::{Entry, FolderSearch};
use super::kind::FileKind;
use super::place::{Placed, check_written, place};
use super::stamp::{Stamp, Watched};
use super::worker::{Worker, make_folders};
use super::writer;

/// Time between two looks at the folder.
const PERIOD: Duration = Duration::from_secs(1);
/// How soon a signal ends it between two looks.
const PATIENCE: Duration = Duration::from_millis(100);

/// A folder that is watched, and where the outputs go.
pub struct Watch {
    worker: Worker,
    folder: PathBuf,
    outputs: String,
    is_recursive: bool,
    settle: Duration,
    jobs: usize,
    /// Inputs that wait for a thread or are at work.
    running: Mutex<HashSet<String>>,
}

/// Files that were seen so far.
#[derive(Default)]
struct Seen {
    files: HashMap<PathBuf, Watched>,
    /// The input of each output.
    taken: HashMap<String, String>,
    /// Folders that were made.
    made: Vec<PathBuf>,
    /// True if the folder could not be read the last time.
    is_gone: bool,
}

impl Watch {
    /// Checks what was typed; nothing is made or run yet.
    ///
    /// # Errors
    /// If the inputs are not one folder, the outputs would go into it, or the chain cannot be parsed.
    pub fn new(
        inputs: &[String],
        typed: &Several,
        request: Request,
        manner: Option<Manner>,
        interrupt: CancelToken,
    ) -> Result<Self> {
        let outputs = typed.into.clone().unwrap_or_default();
        let wrong = |line: String| Usage::of(anyhow!(line));
        let advice = "type warpreel --watch DIR OUTDIR/";
        let [input] = inputs else {
            return Err(wrong(format!("--watch takes one folder, not {}; {advice}", inputs.len())).into());
        };
        let folder = PathBuf::from(input);
        ensure!(folder.is_dir(), wrong(format!("--watch takes a folder, and {input:?} is none; {advice}")));
        let is_same = Path::new(&outputs).canonicalize().ok() == folder.canonicalize().ok();
        ensure!(!is_same, wrong(format!("{outputs:?} is the folder that is watched; name another for the outputs")));
        check_written(&request, usize::MAX)?;
        // Says what is wrong with the folder of the outputs.
        place(&[], &outputs, &request, true)?;
        let jobs = usize::from(typed.jobs).max(1);
        let request = Request { threads: request.threads.shared(jobs), ..request };
        let settle = Duration::from_secs(typed.settle.into());
        let (worker, is_recursive) = (Worker::new(request, manner, interrupt), typed.recursive);
        Ok(Self { worker, folder, outputs, is_recursive, settle, jobs, running: Mutex::default() })
    }

    /// Filters what comes, until the user stops it.
    ///
    /// # Errors
    /// If the folder of the outputs cannot be made, or something typed is wrong for every input.
    pub fn run(self) -> Result<()> {
        let mut seen = Seen { made: make_folders([Path::new(&self.outputs)].into_iter())?, ..Seen::default() };
        signal::set_idle(true);
        info!(
            "watching {:?} for videos that have not changed for {} s; Ctrl-C ends",
            self.folder,
            self.settle.as_secs()
        );
        let (queue, waiting) = mpsc::channel();
        let waiting = Mutex::new(waiting);
        thread::scope(|scope| {
            for number in 0..self.jobs {
                let thread = thread::Builder::new().name(format!("job {}", number + 1));
                thread.spawn_scoped(scope, || self.work(&waiting)).context("start a thread for a job")?;
            }
            while !self.worker.is_over() {
                let looked = Instant::now();
                self.look(&mut seen, &queue);
                while looked.elapsed() < PERIOD && !self.worker.is_over() {
                    thread::sleep(PATIENCE);
                }
            }
            drop(queue);
            anyhow::Ok(())
        })?;
        // Only those that nothing came into.
        seen.made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
        let mut ended = self.worker.ended();
        if let Some(mistake) = ended.mistake.take() {
            return Err(mistake);
        }
        info!("{} done, {} failed, {} kept as partial files", ended.done, ended.failed.len(), ended.stopped);
        Ok(())
    }

    /// Filters what is in the queue, until nothing more comes.
    fn work(&self, waiting: &Mutex<Receiver<Placed>>) {
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok(placed) = next() {
            if !self.worker.is_over() {
                self.worker.work(&placed);
            }
            let mut running = self.running();
            running.remove(&placed.input);
            signal::set_idle(running.is_empty());
        }
    }

    /// Looks at the folder once.
    fn look(&self, seen: &mut Seen, queue: &Sender<Placed>) {
        let search = FolderSearch::new(self.is_recursive, &self.outputs, &self.worker.request, &self.worker.interrupt);
        let files = match search.files(&self.folder) {
            Ok((files, _)) => files,
            Err(fault) => {
                if !seen.is_gone {
                    error!("{fault:#}; watching for it");
                }
                seen.is_gone = true;
                return;
            }
        };
        seen.is_gone = false;
        let there: HashSet<&Path> = files.iter().map(|entry| entry.path.as_path()).collect();
        seen.files.retain(|path, _| there.contains(path.as_path()));
        let now = Instant::now();
        let due: Vec<Entry> = files.into_iter().filter(|entry| self.is_due(&entry.path, seen, now)).collect();
        let paths: Vec<PathBuf> = due.iter().map(|entry| entry.path.clone()).collect();
        let held = writer::held(&paths);
        let mut kept = Vec::new();
        for entry in due {
            let is_running = entry.path.to_str().is_some_and(|input| self.running().contains(input));
            if held.contains(&entry.path) || is_running {
                debug!("{:?} is in use, waiting", entry.path);
                continue;
            }
            if self.worker.is_over() {
                return;
            }
            if let Some(file) = seen.files.get_mut(&entry.path) {
                file.is_settled = true;
            }
            match self.placed(&search, &entry, seen) {
                Ok(Some(placed)) if placed.is_skipped => kept.push(placed.output),
                Ok(Some(placed)) => {
                    self.running().insert(placed.input.clone());
                    signal::set_idle(false);
                    // Threads end only after this.
                    queue.send(placed).ok();
                }
                Ok(None) => {}
                Err(fault) => {
                    error!("{fault:#}");
                    self.worker.ended().failed.push(format!("{:?}", entry.path));
                }
            }
        }
        kept.iter().for_each(|output| debug!("{output} exists, skipped"));
        match &kept[..] {
            [] => {}
            [output] => info!("{output} exists, skipped"),
            [output, rest @ ..] => info!("{output} and {} more exist, skipped", rest.len()),
        }
    }

    fn is_due(&self, path: &Path, seen: &mut Seen, now: Instant) -> bool {
        let Some(found) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else { return false };
        let stamp = Stamp::of(&found);
        seen.files.entry(path.to_owned()).or_insert_with(|| Watched::new(stamp, now)).is_due(stamp, now, self.settle)
    }

    /// Where a file goes; `None` if it is no video, or older than its output and changed.
    fn placed(&self, search: &FolderSearch<'_>, entry: &Entry, seen: &mut Seen) -> Result<Option<Placed>> {
        match search.kind(&entry.path) {
            FileKind::Video => {}
            FileKind::Raw => {
                info!("raw frames, skipped: {}; to filter them, add --raw FORMAT:WxH@FPS", entry.path.display());
                return Ok(None);
            }
            FileKind::Other => {
                info!("no video, skipped: {}", entry.path.display());
                return Ok(None);
            }
        }
        let item = entry.item()?;
        let placed = place(&[item], &self.outputs, &self.worker.request, true)?;
        let Some(placed) = placed.into_iter().next() else { return Ok(None) };
        let Placed { input, output, .. } = &placed;
        let other = seen.taken.entry(output.clone()).or_insert_with(|| input.clone());
        ensure!(other == input, "{other:?} and {input:?} have the same output {output:?}; rename one");
        let file = seen.files.get_mut(&entry.path);
        let was_taken = file.is_some_and(|file| std::mem::replace(&mut file.was_taken, true));
        if placed.is_skipped {
            let written = |path: &str| fs::metadata(path).and_then(|found| found.modified()).ok();
            // Equal if the input was replaced as its output was finished: the system's clock of files has steps of milliseconds.
            let is_newer = was_taken || written(input) >= written(output);
            if is_newer && self.worker.request.overwrite == Overwrite::Refuse {
                warn!("{input} is newer than {output}, which is kept; to filter it again, add -y");
                return Ok(None);
            }
            return Ok(Some(Placed { is_skipped: !is_newer, ..placed }));
        }
        let folder = Path::new(output).parent();
        seen.made.extend(make_folders(folder.into_iter())?);
        Ok(Some(placed))
    }

    fn running(&self) -> MutexGuard<'_, HashSet<String>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
