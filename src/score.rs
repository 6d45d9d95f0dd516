//! The subcommand `metrics`: what was typed becomes a pair of clips, and their figures become text and files; also the files of
//! `--metrics`.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use log::info;
use warpreel::cli::{Excerpt, MetricsWords, ProgressName};
use warpreel::job::{OutputKind, Report, Request, Usage};
use warpreel::metrics::{ClipPair, Metric, QualitySummary, page};
use warpreel::pipeline::Monitor;
use warpreel::sequence;
use warpreel::source::CancelToken;

use super::progress::{JobName, Manner, Progress};
use super::report::{PendingReport, Surroundings};
use super::typed;

/// Compares two clips; the text for stdout. Files are written on the way.
pub fn run(words: MetricsWords, quiet: bool, interrupt: &CancelToken) -> Result<String> {
    let MetricsWords {
        reference,
        other,
        metrics,
        excerpt,
        align,
        backend,
        device,
        threads,
        json,
        csv,
        html,
        overwrite,
    } = words;
    let names = [reference, other];
    let metrics = if metrics.is_empty() { Metric::ALL.to_vec() } else { typed::metrics(metrics) };
    let reports = [("--json", json.as_deref()), ("--csv", csv.as_deref()), ("--html", html.as_deref())];
    let is_stdout = reports.iter().flat_map(|(_, path)| *path).any(|path| path == Path::new("-"));
    let around = Surroundings { files: names.iter().map(String::as_str).collect(), stdout: None };
    let [json, csv, html] = PendingReport::open(reports, &around, typed::overwrite(overwrite))?;
    let requests = requests(names.clone(), &excerpt).map(|request| Request {
        backend: typed::choice(backend),
        device,
        threads: usize::from(threads).into(),
        ..request
    });
    let mut pair =
        if align { ClipPair::open_aligned(requests, interrupt)? } else { ClipPair::open(requests, interrupt)? };
    info!("{}; {}", pair.format(), metrics.iter().map(|metric| metric.name()).collect::<Vec<_>>().join(", "));
    let monitor = Arc::new(Monitor::default());
    let subject = JobName { input: names[0].clone(), output: "null:".to_owned(), is_one_of_several: false };
    let length = pair.length();
    let progress =
        Manner::of(ProgressName::Auto, quiet).map(|manner| Progress::start(manner, monitor.clone(), length, subject));
    let series = pair.measure(&metrics, &monitor);
    drop(progress);
    let series = series?;
    let summary = QualitySummary::of(&series);
    json.map_or(Ok(()), |report| report.write(&series.json(&summary)?))?;
    csv.map_or(Ok(()), |report| report.write(&series.csv()?))?;
    html.map_or(Ok(()), |report| report.write(&page(&series, &summary, &names)))?;
    Ok(if is_stdout { String::new() } else { summary.to_string() })
}

/// Requests that read the clips: alike, but that `--raw` is for the raw clip where the other has a name of another kind, and `--fps` for
/// clips without times.
fn requests(names: [String; 2], typed: &Excerpt) -> [Request; 2] {
    let is_raw = |name: &String| name == "-" || OutputKind::of(name, None) == OutputKind::Raw;
    let is_sequence = |name: &String| sequence::is_sequence(Path::new(name));
    let (is_one_raw, is_one_sequence) = (names.iter().any(is_raw), names.iter().any(is_sequence));
    names.map(|name| {
        let raw = typed.raw.clone().filter(|_| !is_one_raw || is_raw(&name));
        let is_timed = raw.is_none() && !is_sequence(&name);
        let is_one_untimed = typed.raw.is_some() || is_one_sequence;
        let fps = typed.fps.clone().filter(|_| !is_one_untimed || !is_timed);
        typed::clip(name, Excerpt { raw, fps, ..typed.clone() })
    })
}

/// How `--metrics-file` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreFile {
    /// A line of JSON for each frame, and one of the summary.
    JsonLines,
    /// A line for each frame.
    Csv,
    /// A page with a plot of each metric.
    Page,
}

impl ScoreFile {
    /// By the name of the file.
    ///
    /// # Errors
    /// If its ending is another.
    pub fn of(path: &Path) -> Result<Self, Usage> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "jsonl" | "json" => Ok(Self::JsonLines),
            "csv" => Ok(Self::Csv),
            "html" | "htm" => Ok(Self::Page),
            _ => Err(Usage::of(anyhow!(
                "--metrics-file {path:?} ends in none of .jsonl, .csv and .html; name such a file"
            ))),
        }
    }
}

/// Writes the metrics of a job's frames; nothing if none were measured.
///
/// # Errors
/// If that fails.
pub fn write_scores(report: &Report, kind: ScoreFile, file: PendingReport) -> Result<()> {
    let Some((series, summary)) = report.scores.as_ref().zip(report.metrics.as_ref()) else { return Ok(()) };
    let text = match kind {
        ScoreFile::JsonLines => series.json(summary)?,
        ScoreFile::Csv => series.csv()?,
        ScoreFile::Page => page(series, summary, &[report.input.clone(), report.output.clone()]),
    };
    file.write(&text)
}
