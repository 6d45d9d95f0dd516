//! `--resume`: a job in parts, which continues from the parts that are complete.
//!
//! Each part is a chunk of the clip, encoded as the output is. The parts are joined packet by packet; sound, subtitles and all else come
//! whole from the input. So every part that is complete is never made again, whatever stopped the program.

mod journal;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use log::{LevelFilter, debug, error, info, warn};
use warpreel::job::{
    Choice, DecoderChoice, Division, DryRun, Encoding, FieldChoice, Interrupted, Job, OutputKind, Overwrite, Report,
    Request, Usage, VideoChoice, chunks, is_whole_chunk,
};
use warpreel::libav::address::Address;
use warpreel::pipeline::Monitor;
use warpreel::shell::quoted;
use warpreel::sink::partial;
use warpreel::source::CancelToken;

use super::progress::{JobName, Manner, Progress};
use super::{signal, voice};

use journal::Journal;

/// Frames of a part: as many as libx264 and libx265 put between two key frames at the most, so that parts cost no bits.
const FRAMES: u64 = 250;

/// A job in parts.
struct Resumed {
    request: Request,
    journal: Journal,
    /// The folder of the parts, beside the output.
    folder: PathBuf,
    manner: Option<Manner>,
    interrupt: CancelToken,
}

/// Filters a clip in parts, those that are missing, and joins them.
///
/// # Errors
/// If the job cannot be cut into parts, or the parts that are there belong to another; and whatever a job ends with.
pub fn run(request: Request, manner: Option<Manner>, interrupt: &CancelToken) -> Result<()> {
    // Nothing is lost by a signal, so its line would mislead.
    signal::set_idle(true);
    check(&request)?;
    let folder = folder_of(&request);
    // The join prints what becomes of each stream.
    let plain = voice::within(LevelFilter::Error, || DryRun::of(on_cpu(&request), interrupt.clone(), |_| Ok(None)))?;
    if let Some(obstacle) = plain.obstacle {
        bail!("{obstacle}");
    }
    let advice = "leave --resume out";
    let encoder = plain.encoder.with_context(|| format!("{:?} is not encoded as a film; {advice}", request.output));
    let encoder = encoder.map_err(Usage::of)?;
    let now = Journal::of(&request, &encoder)?;
    let journal = match Journal::read(&folder)? {
        Some(before) => {
            if let Some(difference) = before.difference(&now) {
                let advice = "type what was typed then, or remove the folder to begin anew";
                bail!("{folder:?} belongs to another job: {difference}; {advice}");
            }
            before
        }
        None => begin(&request, now, &encoder, &folder, interrupt)?,
    };
    let lock = File::open(folder.join(journal::NAME)).with_context(|| format!("open {folder:?}"))?;
    ensure!(lock.try_lock().is_ok(), "another warpreel works in {folder:?}; wait for it, or end it");
    Resumed { request, journal, folder, manner, interrupt: interrupt.clone() }.run()
}

/// The folder of the parts, beside the output.
fn folder_of(request: &Request) -> PathBuf {
    PathBuf::from(format!("{}.resume", request.output))
}

/// The parts of a job that was started with `--resume`, which a run of the same output without it leaves as they are, and
/// what to type; `None` if there are none.
pub fn unfinished(request: &Request) -> Option<String> {
    let folder = folder_of(request);
    let journal = Journal::read(&folder).ok()??;
    let total = journal.parts.len();
    let whole = (1..=total).filter(|number| part(&folder, &journal, *number).exists()).count();
    let is_held = File::open(folder.join(journal::NAME)).is_ok_and(|lock| lock.try_lock().is_err());
    Some(match is_held {
        true => format!("another warpreel makes the same output with --resume, in {folder:?}; end one of the two"),
        false => format!(
            "{folder:?} keeps {whole} of {total} parts of an unfinished job; this run leaves them alone: to continue that \
             job, type its command with --resume, or remove them: rm -r {}",
            quoted(&folder.to_string_lossy())
        ),
    })
}

/// The file of a part.
fn part(folder: &Path, journal: &Journal, number: usize) -> PathBuf {
    folder.join(format!("part{number:05}.{}", journal.ending))
}

/// Refuses what has no parts to continue from.
fn check(request: &Request) -> Result<(), Usage> {
    let options = &request.encoding.options;
    let is_two_pass = options.iter().any(|(key, _)| ["pass", "passlogfile", "stats"].contains(&key.as_str()));
    let fault = match request.kind() {
        OutputKind::Container if request.writes_sequence() => {
            Some("numbered images are no parts of a film; continue with --start=#N".to_owned())
        }
        OutputKind::Container if request.output == "-" => Some("a pipe cannot be continued; name a file".to_owned()),
        OutputKind::Container if [&request.input, &request.output].into_iter().any(|name| Address::is(name)) => {
            Some("a stream cannot be continued; name a file".to_owned())
        }
        OutputKind::Container if request.input == "-" => Some("a pipe is read once; name a file as input".to_owned()),
        OutputKind::Container if request.videos == VideoChoice::All => {
            Some("--video all cannot be cut into parts; leave out one of them".to_owned())
        }
        OutputKind::Container if request.encoding.codec.as_deref() == Some("copy") => {
            Some("--codec copy encodes nothing; name an encoder".to_owned())
        }
        OutputKind::Container if request.compare.is_some() => {
            Some("--compare needs decoded frames, and parts are joined as packets; leave out one of them".to_owned())
        }
        OutputKind::Container if !request.metrics.is_empty() => {
            Some("--metrics needs decoded frames, and parts are joined as packets; leave out one of them".to_owned())
        }
        OutputKind::Container if is_two_pass => {
            Some("two-pass encoding needs the whole clip; use --crf, or leave --resume out".to_owned())
        }
        OutputKind::Container => None,
        _ => Some(format!("{:?} is not encoded; name a file such as out.mkv, or leave --resume out", request.output)),
    };
    fault.map_or(Ok(()), |fault| Err(Usage::of(anyhow!("--resume: {fault}"))))
}

/// Cuts a job into parts, and makes the folder for them.
fn begin(
    request: &Request,
    journal: Journal,
    encoder: &str,
    folder: &Path,
    interrupt: &CancelToken,
) -> Result<Journal> {
    let whole = Request { output: "null:".to_owned(), encoding: Encoding::default(), ..request.clone() };
    let list = chunks(&whole, Division::Length(FRAMES), interrupt).map_err(|fault| match fault.is::<Usage>() {
        true => Usage::of(anyhow!("--resume works in parts: {fault:#}, without --resume")).into(),
        false => fault,
    })?;
    let parts = list.chunks.into_iter().map(|chunk| chunk.place).collect();
    // NUT keeps times exactly, but has no name for some codecs.
    let ending = if fits_nut(request, encoder) { "nut" } else { "mkv" };
    let journal = journal.cut(parts, ending);
    let partial = partial::name(Path::new(&request.output), 1);
    if partial.exists() {
        info!("{partial:?} was written without --resume and cannot be continued; filtering from the first frame");
    }
    fs::create_dir_all(folder).with_context(|| format!("create folder {folder:?}"))?;
    journal.write(folder)?;
    Ok(journal)
}

/// The same where no GPU is opened: nothing is filtered.
fn on_cpu(request: &Request) -> Request {
    Request { backend: Choice::Cpu, decoder: DecoderChoice::Auto, gpus: None, ..request.clone() }
}

/// True if NUT holds the codec of an encoder.
fn fits_nut(request: &Request, encoder: &str) -> bool {
    // Which part does not matter; one whose place is known spares looking through the clip.
    let (chunk, output) = ("1/1@0+1:0..".parse().ok(), "part.nut".to_owned());
    let encoding = Encoding { codec: Some(encoder.to_owned()), container: None, ..request.encoding.clone() };
    let trial = Request { output, chunk, encoding, ..on_cpu(request) };
    voice::within(LevelFilter::Error, || DryRun::of(trial, CancelToken::default(), |_| Ok(None)).is_ok())
}

impl Resumed {
    fn run(self) -> Result<()> {
        self.clear()?;
        let total = self.journal.parts.len();
        let mut done = vec![false; total];
        for (is_done, number) in done.iter_mut().zip(1..) {
            *is_done = is_whole_chunk(&self.part(number), &self.interrupt);
        }
        let whole = done.iter().filter(|is_done| **is_done).count();
        match whole {
            0 if total == 1 => info!("filtering in one part, kept in {:?} until the end", self.folder),
            0 => info!("filtering in {total} parts of about {FRAMES} frames, kept in {:?} until the end", self.folder),
            _ => info!("resuming: {whole} of {total} parts are complete"),
        }
        let missing = (1..).zip(&self.journal.parts).zip(&done).filter(|(_, is_done)| !**is_done);
        let mut is_first = true;
        for ((number, place), _) in missing {
            let Some(report) = self.stoppable(|| self.filter(number, place, std::mem::take(&mut is_first)))? else {
                return self.stopped();
            };
            debug!("part {number} of {total}: {}", report.summary());
        }
        let Some(report) = self.stoppable(|| self.join())? else { return self.stopped() };
        report.written().iter().for_each(|line| info!("{line}"));
        self.remove();
        Ok(())
    }

    /// Runs a job for its report; `None` if the user stopped it, whose output is then removed.
    fn stoppable(&self, job: impl FnOnce() -> Result<Report>) -> Result<Option<Report>> {
        if self.interrupt.is_cancelled() {
            return Ok(None);
        }
        match job() {
            Ok(report) => match &report.interrupted {
                Some(interruption) => {
                    interruption.kept.iter().for_each(|kept| drop(fs::remove_file(kept)));
                    Ok(None)
                }
                None => Ok(Some(report)),
            },
            Err(fault) if fault.is::<Interrupted>() => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Says how to continue.
    fn stopped(&self) -> Result<()> {
        let total = self.journal.parts.len();
        let whole = (1..=total).filter(|number| self.part(*number).exists()).count();
        error!(
            "interrupted: {whole} of {total} parts are kept in {:?}; type the same command to continue",
            self.folder
        );
        Ok(())
    }

    /// Filters and encodes a part.
    fn filter(&self, number: usize, place: &str, is_first: bool) -> Result<Report> {
        let encoding = Encoding {
            codec: Some(self.journal.encoder.clone()),
            container: None,
            wishes: Default::default(),
            ..self.request.encoding.clone()
        };
        let chunk = Some(place.parse().context("read the list of parts")?);
        let output = text(&self.part(number))?;
        let request = Request { output, chunk, encoding, overwrite: Overwrite::Replace, ..self.request.clone() };
        let level = if is_first { LevelFilter::Trace } else { LevelFilter::Warn };
        let job = voice::within(level, || Job::open(request, self.interrupt.clone()))?;
        if is_first {
            info!("{}; filtered by {}", job.clip(), job.brief_backend());
            let notes = job.plan().filters().iter().flat_map(|filter| [&filter.note, &filter.remark]).flatten();
            notes.for_each(|note| warn!("{note}"));
        }
        self.watched(job, &format!("part {number}/{}", self.journal.parts.len()))
    }

    /// Joins the parts, with what else is in the input.
    fn join(&self) -> Result<Report> {
        let Encoding { container, wishes, .. } = self.request.encoding.clone();
        let encoding = Encoding { codec: Some("copy".to_owned()), container, wishes, ..Encoding::default() };
        let pattern = format!("part%05d.{}", self.journal.ending);
        let request = Request {
            chunks_from: Some(text(&self.folder.join(pattern))?),
            chain: Vec::new(),
            border: None,
            planes: None,
            fields: FieldChoice::Auto,
            encoding,
            ..on_cpu(&self.request)
        };
        self.watched(Job::open(request, self.interrupt.clone())?, "joining")
    }

    fn watched(&self, job: Job, what: &str) -> Result<Report> {
        let monitor = Arc::new(Monitor::default());
        let Request { input, output, .. } = job.request();
        let name = JobName { input: format!("{input} {what}"), output: output.clone(), is_one_of_several: true };
        let progress = self.manner.map(|manner| Progress::start(manner, monitor.clone(), job.length(), name));
        let report = job.run(&monitor);
        drop(progress);
        report
    }

    /// The file of a part.
    fn part(&self, number: usize) -> PathBuf {
        part(&self.folder, &self.journal, number)
    }

    /// Removes what a program that was killed has left of a part.
    fn clear(&self) -> Result<()> {
        for entry in fs::read_dir(&self.folder).with_context(|| format!("read folder {:?}", self.folder))?.flatten() {
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            if name.starts_with(".part") && name.ends_with(".part")
                || name.starts_with("part") && name.contains(".partial")
            {
                fs::remove_file(entry.path()).with_context(|| format!("remove {:?}", entry.path()))?;
            }
        }
        Ok(())
    }

    /// Removes the parts, and the folder if nothing else is in it.
    fn remove(&self) {
        let parts = (1..=self.journal.parts.len()).map(|number| self.part(number));
        for path in parts.chain([self.folder.join(journal::NAME)]) {
            fs::remove_file(path).ok();
        }
        if let Err(fault) = fs::remove_dir(&self.folder) {
            debug!("remove {:?}: {fault}", self.folder);
        }
    }
}

fn text(path: &Path) -> Result<String> {
    path.to_str().map(str::to_owned).with_context(|| format!("{path:?} is not UTF-8; name another output"))
}
