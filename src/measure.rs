//! The subcommand `bench`: what was typed becomes runners, and what they measured becomes text and files.

use std::fs;
use std::iter::successors;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use warpreel::backend::cuda::{Device, Properties};
use warpreel::bench::baseline::Baseline;
use warpreel::bench::compare::Comparison;
use warpreel::bench::decoding::{self, DecodeMethod};
use warpreel::bench::machine::LoadMeter;
use warpreel::bench::run::{Method, Runner, Subject};
use warpreel::bench::schema::{Limits, Record};
use warpreel::bench::second::SlowSecond;
use warpreel::bench::timeline::Piece;
use warpreel::bench::work;
use warpreel::bench::{self, bound, csv, html, ladder, limit, markdown, verdict};
use warpreel::cli::{
    self, Against, BackendName, Bench, BenchCommand, BenchFiles, DecoderName, Execution, SyntheticFrames,
};
use warpreel::filter;
use warpreel::frame::Format;
use warpreel::gauge::chrome;
use warpreel::job::{
    Choice, GpuChoice, Overwrite, Request, TypedCut, Usage, check_is_no_address, check_is_no_chain, parse_chain,
};
use warpreel::plan::{Plan, Roofline};
use warpreel::source::CancelToken;
use warpreel::source::raw::RawSpec;

use super::report::{PendingReport, Surroundings};
use super::voice;

/// Measures; the text for stdout. Files are written on the way. Empty if it was interrupted.
pub fn run(typed: Bench, interrupt: &CancelToken) -> Result<String> {
    let _once = voice::once();
    let outcome = match typed.command {
        Some(BenchCommand::Copy { shape, execution, files, overwrite }) => {
            check_no_frames(&files)?;
            copy(&shape, &execution, Files::open(&files, &[], &[], overwrite)?)
        }
        Some(BenchCommand::Compare { a, b, input, frames, shape, execution, method, files, overwrite }) => {
            let both = [a.clone(), b.clone()];
            if is_result(&a) && is_result(&b) {
                check_no_frames(&files)?;
                let fault = || {
                    Usage::of(anyhow!(
                        "--prepare runs before repetitions, and two results are compared without any; leave it out"
                    ))
                };
                ensure!(method.prepare.is_none(), fault());
            }
            let files = Files::open(&files, &both, &[Some(&a), Some(&b), input.as_deref()], overwrite)?;
            if is_result(&a) && is_result(&b) {
                results(&a, &b, files)
            } else {
                chains([a, b], input, &shape, &execution, (&method, frames), files, interrupt)
            }
        }
        Some(BenchCommand::Decode { input, execution, repetitions, files, overwrite }) => {
            check_no_frames(&files)?;
            decode(&input, &execution, repetitions, Files::open(&files, &[], &[Some(&input)], overwrite)?)
        }
        Some(BenchCommand::Ladder { filter, border, sizes, execution, files, overwrite }) => {
            check_no_frames(&files)?;
            let files = Files::open(&files, std::slice::from_ref(&filter), &[], overwrite)?;
            climb(&filter, &border, &sizes, &execution, files)
        }
        None => job(typed, interrupt),
    };
    match outcome {
        Err(_) if interrupt.is_cancelled() => Ok(String::new()),
        outcome => outcome,
    }
}

/// Refuses reports of frames where none are filtered.
fn check_no_frames(files: &BenchFiles) -> Result<(), Usage> {
    let reports = [("--csv", &files.csv), ("--trace", &files.trace)];
    match reports.iter().find(|(_, path)| path.is_some()) {
        Some((option, _)) => Err(Usage::of(anyhow!(
            "{option} is of the frames of a run, and no frames are filtered here; leave it out, or type --json FILE"
        ))),
        None => Ok(()),
    }
}

/// One job, or one filter stage.
fn job(typed: Bench, interrupt: &CancelToken) -> Result<String> {
    let clips = [typed.input.as_deref(), Some(typed.output.as_str())];
    clips.into_iter().flatten().try_for_each(check_is_no_address)?;
    let files = Files::open(&typed.files, &typed.options.chain.filter, &clips, typed.options.writing.overwrite)?;
    let Against { save_baseline, baseline, fail_above } = typed.against.clone();
    let save = save_baseline.as_deref().map(Baseline::named).transpose()?;
    let baseline = baseline.as_deref().map(Baseline::named).transpose()?;
    // What is missing is said before anything is measured.
    let baseline = baseline.map(|baseline| anyhow::Ok((baseline.load()?, baseline))).transpose()?;
    if fail_above.is_some() && typed.method.repetitions < 2 {
        bail!(Usage::of(anyhow!("--fail-above needs several repetitions; type --repetitions 5")));
    }
    let mut runners = runners(typed, interrupt)?;
    let (mut runs, limits) = bench::measure(&mut runners)?;
    bench::note_gain(&mut runs);
    let record = Record { runs, ..bench::record(command(), runners[0].device(), limits) };
    let mut text = report(&record, files, &runners, None)?;
    let comparison = baseline.and_then(|(before, baseline)| baseline.compare(&before, &record));
    if let Some(save) = save {
        save.save(&record)?;
    }
    if let Some(comparison) = comparison {
        text += &format!("\n{comparison}");
        let is_slower = fail_above.map(|part| comparison.is_slower_by(part)).transpose()?;
        if let (Some(true), Some(part)) = (is_slower, fail_above) {
            super::print(&text)?;
            bail!("slower than the baseline by more than {} %: {}", 100.0 * part, comparison.sentence());
        }
    }
    Ok(text)
}

/// The limits of the machine.
fn copy(shape: &SyntheticFrames, execution: &Execution, files: Files) -> Result<String> {
    let (device, meter) = (device(execution)?, LoadMeter::start());
    let limits = limit::measure(format(shape)?.packed_bytes(), execution.threads.filter, device.as_ref())?;
    let remarks = Vec::from_iter(verdict::load(meter, "the limits were measured"));
    report(&Record { remarks, ..bench::record(command(), device.as_ref(), limits) }, files, &[], None)
}

fn is_result(name: &str) -> bool {
    name.ends_with(".json") && Path::new(name).is_file()
}

/// Two results that were measured before.
fn results(a: &str, b: &str, files: Files) -> Result<String> {
    let read = |path: &str| {
        let text = fs::read_to_string(path).with_context(|| format!("read {path:?}"))?;
        let mut record = Record::parse(&text).with_context(|| format!("read {path:?}"))?;
        bound::remember(&mut record);
        anyhow::Ok(record)
    };
    let (one, other) = (read(a)?, read(b)?);
    let comparison = Comparison::of_records(&one, &other, [a, b].map(file_name));
    let comparison = comparison
        .context("one of the results holds neither a job nor a filter stage; compare results of bench -f CHAIN")?;
    let both = one.runs.iter().take(1).chain(other.runs.iter().take(1)).cloned().collect();
    report(&Record { runs: both, command: command(), ..one }, files, &[], Some(&comparison))?;
    Ok(comparison.to_string())
}

/// Two chains, in turns.
fn chains(
    chains: [String; 2],
    input: Option<String>,
    shape: &SyntheticFrames,
    execution: &Execution,
    (measuring, frames): (&cli::Measuring, Option<u64>),
    files: Files,
    interrupt: &CancelToken,
) -> Result<String> {
    let method = self::method(measuring, frames);
    let subject = if input.is_some() { Subject::Job } else { Subject::Stage(format(shape)?) };
    let mut runners = chains
        .into_iter()
        .map(|chain| {
            let request = Request {
                input: input.clone().unwrap_or_default(),
                output: "null:".to_owned(),
                chain: vec![chain],
                cut: TypedCut { frames: method.frames, ..TypedCut::default() },
                backend: super::typed::choice(execution.backend),
                device: execution.device,
                gpus: execution.gpus.as_deref().map(super::typed::gpus).transpose()?,
                threads: execution.threads,
                in_flight: execution.in_flight.into(),
                ..Request::default()
            };
            let runner = Runner::new(request, subject.clone(), method, interrupt.clone())?;
            Ok(runner.prepared_by(measuring.prepare.clone()))
        })
        .collect::<Result<Vec<_>>>()?;
    let (runs, limits) = bench::measure(&mut runners)?;
    let record = Record { runs, ..bench::record(command(), runners[0].device(), limits) };
    let [a, b] = &record.runs[..] else { bail!("two chains give two runs") };
    let comparison = Comparison::of(a.clone(), b.clone());
    report(&record, files, &runners, Some(&comparison))?;
    Ok(comparison.to_string())
}

/// How fast a file is decoded.
fn decode(input: &str, execution: &Execution, repetitions: usize, files: Files) -> Result<String> {
    let device = match execution.decoder {
        DecoderName::Software => None,
        DecoderName::Nvdec => Some(Device::open(execution.device)?),
        DecoderName::Auto => device(execution)?,
    };
    let method = DecodeMethod {
        device,
        is_software_wanted: execution.decoder != DecoderName::Nvdec,
        lanes: execution.decode_lanes.unwrap_or(0).into(),
        repetitions,
    };
    let meter = LoadMeter::start();
    let decoding = decoding::measure(Path::new(input), &method)?;
    let record = bench::record(command(), method.device.as_ref(), Limits::default());
    let mut remarks = Vec::from_iter(verdict::load(meter, "decoders were measured"));
    remarks.extend(bound::decoding_faults(&decoding));
    report(&Record { decoding, remarks, ..record }, files, &[], None)
}

/// The ladder of kernels.
fn climb(filter: &str, border: &str, sizes: &[String], execution: &Execution, files: Files) -> Result<String> {
    let chain = parse_chain(&[filter.to_owned()], Some(border), None)?;
    let size = |size: &String| -> Result<(usize, usize)> {
        let spec: RawSpec = format!("gray:{size}").parse().map_err(Usage::of)?;
        Ok((spec.width, spec.height))
    };
    let sizes = sizes.iter().map(size).collect::<Result<Vec<_>>>()?;
    let device = device(execution)?;
    if device.is_none() {
        log::info!("no GPU: only the CPU part of the ladder is measured");
    }
    let largest = sizes.iter().map(|(width, height)| width * height).max().unwrap_or(1);
    let meter = LoadMeter::start();
    let limits = limit::measure(largest, execution.threads.filter, device.as_ref())?;
    let ladder = ladder::climb(&chain, &sizes, device.as_ref(), execution.threads.filter, &limits)?;
    let mut record = Record { ladder, ..bench::record(command(), device.as_ref(), limits) };
    record.remarks = bound::ladder_faults(&record);
    record.remarks.extend(verdict::load(meter, "the ladder was measured"));
    report(&record, files, &[], None)
}

/// What the machine that `--backend auto` would take can do at best, for a plan's explanation.
pub fn roofline(plan: &Plan) -> Result<Roofline> {
    let device = Device::open(0).ok();
    let limits = limit::measure(plan.format().packed_bytes(), 0, device.as_ref())?;
    Ok(work::roofline(&limits))
}

/// A subject for each number of GPUs: those that share the clip, the first half of them, half of those, down to the first
/// alone. One subject where the CPU or one GPU filters.
fn runners(typed: Bench, interrupt: &CancelToken) -> Result<Vec<Runner>> {
    let Bench { command: _, input, output, shape, options, method, against: _, files: _ } = typed;
    let (prepare, method) = (method.prepare.clone(), self::method(&method, options.reading.excerpt.frames));
    input.as_deref().map_or(Ok(()), check_is_no_chain)?;
    let subject = match &input {
        Some(input) if shape.size.is_some() || shape.format.is_some() => {
            let fault = "leave out --size and --format, or the input";
            bail!(Usage::of(anyhow!("{input:?} sets the size and format; {fault}")))
        }
        Some(_) => Subject::Job,
        None => Subject::Stage(format(&shape)?),
    };
    let request = super::request(input.unwrap_or_default(), output, options)?;
    let gpus = match &request.gpus {
        None => Vec::new(),
        Some(GpuChoice::These(gpus)) => gpus.clone(),
        Some(GpuChoice::All) => Properties::find_all()?.iter().map(|found| found.ordinal).collect(),
    };
    // What was read from a pipe cannot be read again.
    let most = if request.input == "-" { 0 } else { gpus.len() };
    let fewer = successors(Some(most / 2), |count| Some(count / 2)).take_while(|&count| count > 0);
    // By then the output is our own.
    let again = Request { overwrite: Overwrite::Replace, ..request.clone() };
    let requests = fewer.map(|count| match count {
        1 => Request { gpus: None, backend: Choice::Cuda, device: gpus[0], ..again.clone() },
        _ => Request { gpus: Some(GpuChoice::These(gpus[..count].to_vec())), ..again.clone() },
    });
    let requests = [request.clone()].into_iter().chain(requests);
    let runner = |request| {
        let runner = Runner::new(request, subject.clone(), method, interrupt.clone())?;
        Ok(runner.prepared_by(prepare.clone()))
    };
    requests.map(runner).collect()
}

fn method(typed: &cli::Measuring, frames: Option<u64>) -> Method {
    Method { warmups: typed.warmup, repetitions: typed.repetitions, frames }
}

fn format(shape: &SyntheticFrames) -> Result<Arc<Format>> {
    let (pixel, size) = (shape.format.as_deref().unwrap_or("yuv420p"), shape.size.as_deref().unwrap_or("1920x1080"));
    Ok(Arc::new(format!("{pixel}:{size}").parse::<RawSpec>().map_err(Usage::of)?.format()))
}

/// The GPU, unless the CPU was asked for, or there is none and none was asked for.
fn device(execution: &Execution) -> Result<Option<Device>> {
    match (execution.backend, Device::open(execution.device)) {
        (BackendName::Cpu, _) => Ok(None),
        (BackendName::Cuda, device) => device.map(Some),
        (BackendName::Auto, device) => Ok(device.inspect_err(|error| log::info!("{error:#}")).ok()),
    }
}

/// Where the figures go, beside stdout.
struct Files {
    json: Option<PendingReport>,
    csv: Option<PendingReport>,
    html: Option<PendingReport>,
    markdown: Option<PendingReport>,
    trace: Option<PendingReport>,
}

impl Files {
    /// Gets ready to write them; `clips` are what the job reads and writes beside the files of its chain.
    fn open(typed: &BenchFiles, chain: &[String], clips: &[Option<&str>], overwrite: bool) -> Result<Self> {
        let BenchFiles { json, csv, html, markdown, trace } = typed;
        let reports = [
            ("--json", json.as_deref()),
            ("--csv", csv.as_deref()),
            ("--html", html.as_deref()),
            ("--markdown", markdown.as_deref()),
            ("--trace", trace.as_deref()),
        ];
        let chain_files: Vec<String> = chain.iter().flat_map(|text| filter::files(text)).collect();
        let files = clips.iter().flatten().copied().chain(chain_files.iter().map(String::as_str)).collect();
        let around = Surroundings { files, stdout: Some("the figures") };
        let [json, csv, html, markdown, trace] =
            PendingReport::open(reports, &around, super::typed::overwrite(overwrite))?;
        Ok(Self { json, csv, html, markdown, trace })
    }
}

/// Writes the files, and gives the text for stdout. `runners` measured the record's runs; none where they were read from files.
fn report(record: &Record, files: Files, runners: &[Runner], comparison: Option<&Comparison>) -> Result<String> {
    let Files { json, csv, html, markdown, trace } = files;
    if let Some(report) = json {
        report.write(&record.print()?)?;
    }
    if let Some(report) = html {
        let pieces: Vec<&[Piece]> = runners.iter().map(Runner::pieces).collect();
        let seconds: Vec<Option<&SlowSecond>> = runners.iter().map(Runner::slowest_second).collect();
        report.write(&html::page(record, &pieces, &seconds, comparison)?)?;
    }
    if let Some(report) = markdown {
        report.write(&markdown::report(record, comparison))?;
    }
    if let (Some(report), Some(second)) = (trace, runners.first().and_then(Runner::slowest_second)) {
        report.write(&serde_json::to_string(&chrome(second.spans().to_vec())).context("print the trace")?)?;
    }
    if let (Some(report), Some(run), Some(runner)) = (csv, record.runs.first(), runners.first()) {
        let passes: Vec<String> = run.passes.iter().map(|pass| pass.name.clone()).collect();
        report.write(&csv::print(runner.details(), &passes, runner.packets())?)?;
    }
    Ok(record.to_string())
}

/// The command line, as it was typed.
fn command() -> Vec<String> {
    let mut words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    // Where the program lies is nobody's business.
    if let Some(program) = words.first_mut() {
        *program = file_name(program);
    }
    words
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or(path.to_owned(), |name| name.to_string_lossy().into_owned())
}
