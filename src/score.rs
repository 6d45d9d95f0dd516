//! The subcommand `metrics`: what was typed becomes a pair of clips, and their figures become text and files.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use log::info;
use warpreel::cli::{Excerpt, MetricName, MetricsWords, ProgressName};
use warpreel::job::{OutputKind, Request};
use warpreel::metrics::{ClipPair, Metric, QualitySummary};
use warpreel::pipeline::Monitor;
use warpreel::sequence;
use warpreel::source::CancelToken;

use super::progress::{JobName, Manner, Progress};
use super::report::{PendingReport, Surroundings};
use super::typed;

/// Compares two clips; the text for stdout. Files are written on the way.
pub fn run(words: MetricsWords, quiet: bool, interrupt: &CancelToken) -> Result<String> {
    let MetricsWords { reference, other, metrics, excerpt, align, threads, json, csv, html, overwrite } = words;
    let names = [reference, other];
    let mut wanted: Vec<Metric> = Vec::new();
    for metric in metrics.into_iter().map(metric) {
        if !wanted.contains(&metric) {
            wanted.push(metric);
        }
    }
    let metrics = if wanted.is_empty() { Metric::ALL.to_vec() } else { wanted };
    let reports = [("--json", json.as_deref()), ("--csv", csv.as_deref()), ("--html", html.as_deref())];
    let is_stdout = reports.iter().flat_map(|(_, path)| *path).any(|path| path == Path::new("-"));
    let around = Surroundings { files: names.iter().map(String::as_str).collect(), stdout: None };
    let [json, csv, html] = PendingReport::open(reports, &around, typed::overwrite(overwrite))?;
    let requests = requests(names.clone(), &excerpt, threads);
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
    html.map_or(Ok(()), |report| report.write(&series.html(&summary, &names)))?;
    Ok(if is_stdout { String::new() } else { summary.to_string() })
}

/// Requests that read the clips: alike, but that `--raw` is for the raw clip where the other has a name of another kind, and `--fps` for
/// clips without times.
fn requests(names: [String; 2], typed: &Excerpt, threads: u16) -> [Request; 2] {
    let is_raw = |name: &String| name == "-" || OutputKind::of(name, None) == OutputKind::Raw;
    let is_sequence = |name: &String| sequence::is_sequence(Path::new(name));
    let (is_one_raw, is_one_sequence) = (names.iter().any(is_raw), names.iter().any(is_sequence));
    names.map(|name| {
        let raw = typed.raw.clone().filter(|_| !is_one_raw || is_raw(&name));
        let is_timed = raw.is_none() && !is_sequence(&name);
        let is_one_untimed = typed.raw.is_some() || is_one_sequence;
        let fps = typed.fps.clone().filter(|_| !is_one_untimed || !is_timed);
        Request { threads: threads.into(), ..typed::clip(name, Excerpt { raw, fps, ..typed.clone() }) }
    })
}

fn metric(name: MetricName) -> Metric {
    match name {
        MetricName::Psnr => Metric::Psnr,
        MetricName::Ssim => Metric::Ssim,
        MetricName::Xpsnr => Metric::Xpsnr,
        MetricName::Ssimulacra2 => Metric::Ssimulacra2,
    }
}
