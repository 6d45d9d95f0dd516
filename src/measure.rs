//! The subcommand `bench`: what was typed becomes runners, and what they measured becomes text and files.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use warpreel::backend::cuda::Device;
use warpreel::bench::run::{Detail, Method, Runner, Subject};
use warpreel::bench::schema::Record;
use warpreel::bench::{self, csv, limit};
use warpreel::cli::{BackendName, Bench, BenchCommand, BenchFiles, Execution, Reporting, Run, Shape};
use warpreel::frame::Format;
use warpreel::source::Interrupt;
use warpreel::source::raw::Spec;

/// Measures; the text for stdout. Files are written on the way. Empty if it was interrupted.
pub fn run(typed: Bench, interrupt: &Interrupt) -> Result<String> {
    let outcome = match typed.command {
        Some(BenchCommand::Copy { shape, execution, files }) => copy(&shape, &execution, &files),
        None => job(typed, interrupt),
    };
    match outcome {
        Err(_) if interrupt.load(Ordering::Relaxed) => Ok(String::new()),
        outcome => outcome,
    }
}

/// One job, or one filter stage.
fn job(typed: Bench, interrupt: &Interrupt) -> Result<String> {
    let files = typed.files.clone();
    let mut runner = [runner(typed, interrupt)?];
    let (runs, limits) = bench::measure(&mut runner)?;
    let [runner] = runner;
    let record = Record { runs, ..bench::record(command(), runner.device(), limits) };
    report(&record, &files, runner.details())
}

/// The limits of the machine.
fn copy(shape: &Shape, execution: &Execution, files: &BenchFiles) -> Result<String> {
    let device = device(execution)?;
    let limits = limit::measure(format(shape)?.packed_bytes(), execution.threads, device.as_ref())?;
    report(&bench::record(command(), device.as_ref(), limits), files, &[])
}

/// What is to be measured.
fn runner(typed: Bench, interrupt: &Interrupt) -> Result<Runner> {
    let Bench { command: _, input, output, shape, reading, chain, writing, execution, method, files: _ } = typed;
    let method = Method { warmups: method.warmup, repetitions: method.repetitions, frames: reading.frames };
    let subject = match &input {
        Some(input) if shape.size.is_some() || shape.format.is_some() => {
            bail!("--size and --format are those of {input:?}; leave them out, or leave out the input")
        }
        Some(_) => Subject::Job,
        None => Subject::Stage(format(&shape)?),
    };
    let reporting = Reporting { stats: None, trace: None };
    let run = Run { input, output: Some(output), reading, chain, writing, execution, reporting };
    Runner::new(super::request(run), subject, method, interrupt.clone())
}

fn format(shape: &Shape) -> Result<Arc<Format>> {
    let (pixel, size) = (shape.format.as_deref().unwrap_or("yuv420p"), shape.size.as_deref().unwrap_or("1920x1080"));
    Ok(Arc::new(format!("{pixel}:{size}").parse::<Spec>()?.format()))
}

/// The GPU, unless the CPU was asked for, or there is none and none was asked for.
fn device(execution: &Execution) -> Result<Option<Device>> {
    match (execution.backend, Device::open(execution.device)) {
        (BackendName::Cpu, _) => Ok(None),
        (BackendName::Cuda, device) => device.map(Some),
        (BackendName::Auto, device) => Ok(device.inspect_err(|error| log::info!("{error:#}")).ok()),
    }
}

fn report(record: &Record, files: &BenchFiles, details: &[Detail]) -> Result<String> {
    let write =
        |path: &Path, text: String| fs::write(path, text).with_context(|| format!("write the result to {path:?}"));
    if let Some(path) = &files.json {
        write(path, record.print()?)?;
    }
    if let (Some(path), Some(run)) = (&files.csv, record.runs.first()) {
        let passes: Vec<String> = run.passes.iter().map(|pass| pass.name.clone()).collect();
        csv::write(path, details, &passes)?;
    }
    Ok(record.to_string())
}

/// The command line, as it was typed.
fn command() -> Vec<String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect()
}
