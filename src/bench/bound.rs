//! How near a run comes to each limit of the machine: what its share is a share of.
//!
//! | name | the limit | the share |
//! |---|---|---|
//! | `bus` | copies between pinned memory and the GPU, both ways at once and then the larger one alone; from the GPU alone where it decodes | what comes in, and what leaves |
//! | `memory` | copies of frames within the memory that the passes use; small ones stay in the cache, and the limit says so | the bytes that they must move |
//! | `arithmetic` | multiply-adds in the passes' kinds of numbers | the operations that they cannot leave out |
//! | `pipe` | a plain pipe from thread to thread | the frames, where they come through a pipe uncompressed |
//! | `cores` | all cores, busy all the time; not with fewer threads | the time of cores that the whole program used |
//! | `decode`, `filter`, `encode` | the stage alone, in the same call | the frames |
//!
//! A decoder or encoder that could not be measured alone is held against its own thread, without a wait. A share is the
//! run's frames a second over those of the limit. None can be above 1 unless its limit was measured wrong; [`faults`]
//! says so then.

use std::fs;
use std::os::unix::fs::FileTypeExt;

use super::alone::Alone;
use super::number::short;
use super::schema::{Bound, DecodeRate, Limits, PassTimes, Record, Run, Stage};
use super::work::{Traffic, Work, roofline};
use crate::job::Request;
use crate::plan::Operations;

/// What a run uses of the machine.
pub struct Use<'a> {
    /// Mean frames a second.
    pub fps: f64,
    /// Bytes of frames.
    pub traffic: Traffic,
    /// The passes.
    pub work: &'a [Work],
    /// Threads and queues. Decode and encode threads count where they do what a job does, not in a filter stage alone.
    pub stages: &'a [Stage],
    /// Stages that were measured alone.
    pub alone: &'a [Alone],
    /// Whether there are a decoder and an encoder.
    pub is_job: bool,
    /// Which pipes uncompressed frames go through.
    pub pipes: Pipes,
    /// What of all cores' time the program used.
    pub cores: f64,
    /// How many GPUs filtered; 0 where the CPU did.
    pub gpus: usize,
    /// Whether the GPU has decoded the frames, which then cross the bus once.
    pub is_decoded_on_gpu: bool,
}

/// All limits that concern a run, the nearest first.
pub fn bounds(used: &Use<'_>, limits: &Limits) -> Vec<Bound> {
    let Use { fps, traffic, work, stages, alone, is_job, pipes, cores, gpus, is_decoded_on_gpu } = *used;
    // Each of several GPUs has a bus, memory and arithmetic of its own.
    let (each, times) = if gpus > 1 { (gpus as f64, format!("{gpus} times ")) } else { (1.0, String::new()) };
    let roof = roofline(limits);
    let mut bounds = Vec::new();
    // A limit in frames a second, from the least milliseconds of a frame.
    let mut add = |name: &str, limit: String, ms: f64| {
        if ms > 0.0 {
            bounds.push(Bound { name: name.to_owned(), limit, fps: 1e3 / ms, share: fps * ms / 1e3 });
        }
    };
    let ms = |bytes: f64, gb_s: f64| if gb_s > 0.0 { bytes / (gb_s * 1e6) } else { 0.0 };
    let Traffic { incoming, outgoing } = traffic;
    if let Some(device) = limits.device {
        if is_decoded_on_gpu {
            let rate = device.pinned_down_gb_s;
            add("bus", format!("copies from the GPU, {times}{} GB/s", short(rate)), ms(outgoing, rate) / each);
        } else {
            let both = incoming.min(outgoing);
            let (rate, alone) = if incoming > outgoing {
                (device.pinned_up_gb_s, incoming - both)
            } else {
                (device.pinned_down_gb_s, outgoing - both)
            };
            let rest = if alone > 0.0 { format!(", then {times}{} GB/s one way", short(rate)) } else { String::new() };
            let limit = format!("copies both ways at once, {times}{} GB/s each way{rest}", short(device.duplex_gb_s));
            add("bus", limit, (ms(both, device.duplex_gb_s) + ms(alone, rate)) / each);
        }
    }
    let host = limits.host;
    let limit = if limits.device.is_none() && host.is_in_cache() {
        let (cache, memory) = (short(roof.memory_gb_s), short(host.memory_gb_s));
        format!("copies of frames in the cache, {cache} GB/s; memory beyond it has {memory} GB/s")
    } else {
        format!("copies in memory, {times}{} GB/s", short(roof.memory_gb_s))
    };
    add("memory", limit, work.iter().map(|work| work.runs * roof.memory_ms(work.bytes)).sum::<f64>() / each);
    let needed: Operations = work.iter().map(|work| work.needed).sum();
    let kinds = [
        (needed.dot8, roof.dot8_gop_s, "8-bit products"),
        (needed.dot16, roof.dot16_gop_s, "whole numbers"),
        (needed.real, roof.real_gop_s, "f32"),
    ];
    let rates = kinds.iter().filter(|(count, ..)| *count > 0);
    let rates: Vec<String> = rates.map(|(_, rate, what)| format!("{} Gop/s of {what}", short(*rate))).collect();
    let arithmetic_ms = work.iter().map(|work| work.runs * roof.arithmetic_ms(&work.needed)).sum::<f64>();
    add("arithmetic", format!("multiply-adds, {times}{}", rates.join(", ")), arithmetic_ms / each);
    let piped = [(pipes.input, incoming), (pipes.output, outgoing)];
    let piped = piped.into_iter().filter(|(is_piped, _)| *is_piped).map(|(_, bytes)| bytes).fold(0.0, f64::max);
    let pipe_gb_s = limits.host.pipe_gb_s;
    add("pipe", format!("a plain pipe, {} GB/s", short(pipe_gb_s)), ms(piped, pipe_gb_s));
    // A limit that is known by its share.
    let mut part = |name: &str, limit: &str, share: f64| {
        if share > 0.0 && fps > 0.0 {
            bounds.push(Bound { name: name.to_owned(), limit: limit.to_owned(), fps: fps / share, share });
        }
    };
    part("cores", "all cores, always busy", cores);
    let is_alone = |stage: &Stage| alone.iter().any(|alone| alone.stage == stage.name);
    let is_end = |stage: &Stage| stage.name == "decode" || stage.name == "encode";
    for stage in stages.iter().filter(|stage| is_job && is_end(stage) && !is_alone(stage)) {
        part(&stage.name, "the thread itself, never waiting", stage.busy);
    }
    for alone in alone {
        let limit = match alone.stage.as_str() {
            "decode" => "decoding alone, to nothing",
            "encode" => "encoding alone, from memory",
            _ => "filtering alone, from memory to memory",
        };
        part(&alone.stage, limit, fps / alone.fps);
    }
    bounds.sort_by(|a, b| b.share.total_cmp(&a.share));
    bounds
}

/// Pipes that uncompressed frames of a job go through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pipes {
    /// At the input.
    pub input: bool,
    /// At the output.
    pub output: bool,
}

/// The pipes of a job whose input's samples come as they are if `is_plain`.
pub fn pipes(request: &Request, is_plain: bool) -> Pipes {
    let is_pipe = |path: &str| fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo());
    let input = if request.input == "-" { "/dev/stdin" } else { &request.input };
    Pipes { input: is_plain && is_pipe(input), output: request.kind().is_plain() && is_pipe(&request.output) }
}

/// Fills in the limits of runs whose file was written without them: those of memory and bus, which the file tells.
pub fn remember(record: &mut Record) {
    for run in record.runs.iter_mut().filter(|run| run.bounds.is_empty()) {
        run.bounds = remembered(run, &record.limits);
    }
}

fn remembered(run: &Run, limits: &Limits) -> Vec<Bound> {
    let work = |pass: &PassTimes| {
        let PassTimes { bytes, operations, needed, runs, .. } = *pass;
        Work { bytes, operations, needed, runs }
    };
    let work = run.passes.iter().map(work);
    let used = Use {
        fps: run.fps.mean,
        traffic: Traffic::even(limits.device.map_or(0, |device| device.block_bytes)),
        work: &work.collect::<Vec<_>>(),
        stages: &run.stages,
        alone: &run.alone,
        is_job: run.input != "synthetic",
        pipes: Pipes::default(),
        cores: 0.0,
        gpus: run.gpus.len(),
        is_decoded_on_gpu: false,
    };
    bounds(&used, limits)
}

/// `bus 93.1 %`: the limit that binds; empty where none is known.
pub fn binding(run: &Run) -> String {
    run.bounds.first().map_or(String::new(), |bound| format!("{} {:.1} %", bound.name, 100.0 * bound.share))
}

/// What is above its limit, which cannot be: the limit was measured too low.
pub fn faults(run: &Run) -> Vec<String> {
    let bounds = run.bounds.iter().map(|bound| (bound.name.as_str(), bound.share));
    let passes = run.passes.iter().map(|pass| (pass.name.as_str(), pass.share));
    let stages = run.stages.iter().filter_map(|stage| Some((stage.name.as_str(), stage.share?)));
    bounds.chain(passes).chain(stages).filter_map(|(name, share)| fault(name, share)).collect()
}

/// The same of a ladder.
pub fn ladder_faults(record: &Record) -> Vec<String> {
    let rungs = record.ladder.iter().flat_map(|rung| {
        let name = format!("{} at {}x{}", rung.name, rung.width, rung.height);
        [
            fault(&format!("{name}, memory"), rung.memory_share),
            fault(&format!("{name}, arithmetic"), rung.arithmetic_share),
        ]
    });
    rungs.flatten().collect()
}

/// The same of decoders: over all of them a file is no faster than where each decodes all of it.
pub fn decoding_faults(rates: &[DecodeRate]) -> Vec<String> {
    let name = |rate: &DecodeRate| format!("decoding ({}, lanes: {})", rate.decoder, rate.lanes);
    rates.iter().filter_map(|rate| fault(&name(rate), rate.share)).collect()
}

fn fault(name: &str, share: f64) -> Option<String> {
    let percent = 100.0 * share;
    // What is measured at another moment differs by that much on any machine.
    let is_elsewhere = ["decode", "filter", "encode"].contains(&name) || name.starts_with("decoding ");
    let most = if is_elsewhere { 1.05 } else { 1.0 };
    (share > most).then(|| {
        format!("{name} reaches {percent:.0} % of its limit, which cannot be: the limit was measured too low; repeat")
    })
}
