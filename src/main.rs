//! The program: what was typed becomes a request, the request a job, the job an exit code.

mod batch;
mod live;
mod measure;
mod printable;
mod progress;
mod report;
mod resume;
mod score;
mod show;
mod signal;
pub(crate) mod typed;
mod voice;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use log::{Level, info, log, log_enabled, warn};
use warpreel::cli::{Cli, Command, Explain, Filtering, Reporting};
use warpreel::job::{Destination, Division, DryRun, Interrupted, Job, Portrait, Probed, Prospect, Request, Usage};
use warpreel::libav;
use warpreel::metrics::QualitySummary;
use warpreel::pipeline::Monitor;
use warpreel::plan::Plan;
use warpreel::source::CancelToken;
use warpreel::source::raw::RawSpec;
use warpreel::{doctor, filter, job, plan};

use batch::{Batch, Watch};
use live::Live;
use progress::{JobName, Manner, Progress};
use report::{PendingReport, Surroundings};
use score::ScoreFile;
use signal::Heard;
use typed::{overwrite as overwriting, request};

const FAILED: u8 = 1;
const WRONG_USAGE: u8 = 2;

fn main() -> ExitCode {
    libav::log::silence_encoders();
    ExitCode::from(answer(env::args_os()))
}

/// Does what was typed, the program's name first, and gives the exit code. Python's module is the program too, and has no
/// `main` of its own.
pub fn answer(words: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = Cli::read(words).unwrap_or_else(|error| error.exit());
    voice::start(&cli.verbosity);
    let interrupt = CancelToken::default();
    let heard = Heard::listen(&interrupt);
    let outcome = match cli.command {
        Some(Command::Filters { filter, svg, overwrite }) => filters(&filter.join(" "), svg.as_deref(), overwrite),
        Some(Command::Explain(typed)) => explain(*typed, &interrupt),
        Some(Command::Preview(typed)) => show::run(*typed, &interrupt, print),
        Some(Command::Doctor) => print(&doctor::examine()),
        Some(Command::Bench(typed)) => measure::run(*typed, &interrupt).and_then(|text| print(&text)),
        Some(Command::Metrics(typed)) => {
            score::run(*typed, cli.verbosity.quiet, &interrupt).and_then(|text| print(&text))
        }
        Some(Command::Completions { shell }) => print(&Cli::completions(shell)),
        Some(Command::Man { command }) => manual(command.as_deref()),
        None => run(cli.run, cli.verbosity.quiet, &interrupt),
    };
    if outcome.as_ref().map_or_else(|error| error.is::<Interrupted>(), |()| true) {
        heard.pass_on();
    }
    match outcome {
        Ok(()) => 0,
        // Whoever read our output has had enough: that is how Unix filters end.
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            log::error!("{}", one_line(&error));
            let typed = error.downcast_ref::<Usage>().and_then(Usage::caret).map(str::to_owned);
            let caret = typed.or_else(|| error.downcast_ref::<filter::Misfit>().map(filter::Misfit::caret));
            if let Some(caret) = caret {
                eprintln!("{}", printable::lines(&caret));
            }
            if error.is::<Usage>() { WRONG_USAGE } else { FAILED }
        }
    }
}

/// Lists the filters, finds some by purpose, or shows one, in words or as a picture.
fn filters(call: &str, svg: Option<&str>, overwrite: bool) -> Result<()> {
    if ["", "all", "list"].contains(&call) && svg.is_none() {
        return print(&filter::list());
    }
    let Some(path) = svg else {
        let found = filter::find_by_purpose(call).map_or_else(|| filter::describe(call), Ok);
        let wrong = |error| filter::no_purpose(call).map_or_else(|| Usage::at(&error), |line| Usage::of(anyhow!(line)));
        return print(&found.map_err(wrong)?);
    };
    check_picture(path)?;
    let picture = filter::draw(call).map_err(|error| Usage::at(&error))?;
    let around = Surroundings::default();
    let [report] = PendingReport::open([("--svg", Some(Path::new(path)))], &around, overwriting(overwrite))?;
    report.map_or(Ok(()), |report| report.write(&picture))
}

/// Refuses the name of a picture that is not drawn.
fn check_picture(path: &str) -> Result<(), Usage> {
    const OTHERS: [&str; 7] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "pdf"];
    let path = Path::new(path);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    if !OTHERS.contains(&ending.as_str()) {
        return Ok(());
    }
    let svg = path.with_extension("svg");
    let wanted =
        format!("--svg {}, then convert it: rsvg-convert {} -o {}", svg.display(), svg.display(), path.display());
    Err(Usage::of(anyhow!("--svg does not write {ending} files; type {wanted}")))
}

/// Filters a video.
fn run(typed: Filtering, quiet: bool, interrupt: &CancelToken) -> Result<()> {
    if typed.several.into.is_some() {
        return several(typed, quiet, interrupt);
    }
    let Filtering { input, output, options, reporting, resume, .. } = typed;
    let Some(output) = output else {
        let request = request(input.unwrap_or_default(), String::new(), options)?;
        return print(&Portrait::of(&request, interrupt)?.to_string());
    };
    let Reporting { stats, metrics_file, trace, live, progress } = reporting;
    let request = request(input.unwrap_or_default(), output, options)?;
    if resume {
        return resume::run(request, Manner::of(progress, quiet), interrupt);
    }
    let request = Request { trace: trace.is_some(), ..request };
    let scores_kind = metrics_file.as_deref().map(ScoreFile::of).transpose()?;
    let reports =
        [("--stats", stats.as_deref()), ("--trace", trace.as_deref()), ("--metrics-file", metrics_file.as_deref())];
    let chain_files = request.chain_files();
    let Request { input, output, overwrite, .. } = &request;
    let files = [input, output].into_iter().chain(&chain_files).map(String::as_str).collect();
    let stdout = (request.destination() == Destination::Stdout).then_some("the output");
    let [stats, trace, scores] = PendingReport::open(reports, &Surroundings { files, stdout }, *overwrite)?;
    let subject = JobName { input: input.clone(), output: output.clone(), is_one_of_several: false };
    let job = Job::open(request, interrupt.clone())?;
    let is_brief = !log_enabled!(Level::Debug);
    info!("{}; filtered by {}", job.clip(), if is_brief { job.brief_backend() } else { job.backend() });
    job.chunk().iter().for_each(|chunk| info!("{chunk}"));
    resume::unfinished(job.request()).iter().for_each(|line| warn!("{line}"));
    job.plan()
        .filters()
        .iter()
        .flat_map(|filter| [&filter.note, &filter.remark])
        .flatten()
        .for_each(|note| warn!("{note}"));
    let monitor = Arc::new(if trace.is_some() { Monitor::traced() } else { Monitor::default() });
    let live = if live { Some(Live::start(monitor.clone(), job.length())?) } else { None };
    let manner = if live.is_some() { None } else { Manner::of(progress, quiet) };
    let progress = manner.map(|manner| Progress::start(manner, monitor.clone(), job.length(), subject));
    let (report, outcome) = job.attempt(&monitor);
    drop((progress, live));
    if outcome.is_ok() {
        // Also who wants to hear nothing has to know that the output is not there.
        log!(if report.interrupted.is_some() { Level::Error } else { Level::Info }, "{}", report.summary());
        report.written().iter().for_each(|line| info!("{line}"));
        report.metrics.iter().flat_map(QualitySummary::lines).for_each(|line| info!("{line}"));
    }
    let text = serde_json::to_string_pretty(&report).context("print statistics")? + "\n";
    let told = stats.map_or(Ok(()), |stats| stats.write(&text));
    let traced = trace.zip(monitor.trace.as_ref()).filter(|_| outcome.is_ok()).map_or(Ok(()), |(report, trace)| {
        let text = serde_json::to_string(&trace.chrome()).context("print the trace")?;
        report.write(&text)
    });
    let scored = scores.zip(scores_kind).map_or(Ok(()), |(file, kind)| score::write_scores(&report, kind, file));
    // None is lost where another cannot be written, and the cause of a failure comes before all.
    outcome.and(told).and(traced).and(scored)
}

/// Filters several videos into a folder.
fn several(typed: Filtering, quiet: bool, interrupt: &CancelToken) -> Result<()> {
    let (inputs, manner) = (typed.inputs(), Manner::of(typed.reporting.progress, quiet));
    let request = request(String::new(), String::new(), typed.options)?;
    if typed.several.watch {
        return Watch::new(&inputs, &typed.several, request, manner, interrupt.clone())?.run();
    }
    Batch::new(&inputs, &typed.several, request, manner, interrupt.clone())?.run()
}

/// Prints what a chain becomes, and what a job would do.
fn explain(typed: Explain, interrupt: &CancelToken) -> Result<()> {
    let Explain { input, output, mut options, size, format, limits, json } = typed;
    let roofline = |plan: &Plan| limits.then(|| measure::roofline(plan)).transpose();
    let is_job = output.is_some();
    // A number alone asks for all chunks.
    let count = options.reading.chunk.as_deref().and_then(|text| text.parse().ok()).filter(|_| !is_job);
    options.reading.chunk = options.reading.chunk.filter(|_| count.is_none());
    let request = request(input.clone().unwrap_or_default(), output.unwrap_or_else(|| "null:".to_owned()), options)?;
    if is_job {
        let dry_run = DryRun::of(request, interrupt.clone(), roofline)?;
        return print(&if json { serde_json::to_string_pretty(&dry_run)? + "\n" } else { dry_run.to_string() });
    }
    let measures = (!request.metrics.is_empty()).then_some("--metrics");
    let compares = request.compare.map(|_| "--compare").or(measures);
    if let Some(option) = request.encoding.needless(false).or(compares) {
        return Err(Usage::of(anyhow!("{option} needs an output; type warpreel explain INPUT OUTPUT")).into());
    }
    if (count.is_some() || request.chunk.is_some()) && input.is_none() {
        return Err(Usage::of(anyhow!("--chunk needs a clip; type warpreel explain INPUT --chunk …")).into());
    }
    if input.is_none() && request.chain.is_empty() && !limits {
        return Err(Usage::of(anyhow!(
            "INPUT is missing; type warpreel explain INPUT OUTPUT, or warpreel explain -f CHAIN"
        ))
        .into());
    }
    let Probed { format, filters, noise, remark, chunk } = match input {
        Some(_) => job::probe(&request, interrupt)?,
        None => Probed {
            format: Arc::new(format!("{format}:{size}").parse::<RawSpec>().map_err(Usage::of)?.format()),
            filters: job::parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref())?,
            noise: None,
            remark: None,
            chunk: None,
        },
    };
    let chunks = match count {
        Some(count) => job::chunks(&request, Division::Count(count), interrupt)?.chunks,
        None => chunk.into_iter().collect(),
    };
    let plan = plan::plan(&filters, &format)?.with_remark(remark);
    let sharing = job::sharing(&request, &plan);
    let explanation = Prospect { noise, sharing, chunks, plan: plan.explain(roofline(&plan)?) };
    print(&if json { serde_json::to_string_pretty(&explanation)? + "\n" } else { explanation.to_string() })
}

/// Prints a page of the manual.
fn manual(command: Option<&str>) -> Result<()> {
    print(&Cli::manual(command).map_err(|problem| Usage::of(anyhow!(problem)))?)
}

fn print(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<()> {
    let bytes = text.as_ref();
    let shown = str::from_utf8(bytes).map(printable::lines);
    io::stdout().write_all(shown.as_ref().map_or(bytes, |text| text.as_bytes())).context("write to stdout")
}

/// The whole chain of causes, without line breaks.
fn one_line(error: &anyhow::Error) -> String {
    format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}
