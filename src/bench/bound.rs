//! How near a run comes to each limit of the machine: what its share is a share of.
//!
//! | name | the limit | the share |
//! |---|---|---|
//! | `bus` | copies both ways at once between pinned memory and the GPU; from the GPU alone where it decodes | each frame there and back; or back |
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
use super::schema::{Bound, DecodeRate, Limits, Record, Run, Stage};
use super::work::{Work, roofline};
use crate::job::Request;
use crate::plan::Operations;

/// What a run uses of the machine.
pub struct Use<'a> {
    /// Mean frames a second.
    pub fps: f64,
    /// Bytes of a frame.
    pub frame_bytes: usize,
    /// The passes.
    pub work: &'a [Work],
    /// Threads and queues. Decode and encode threads count where they do what a job does, not in a filter stage alone.
    pub stages: &'a [Stage],
    /// Stages that were measured alone.
    pub alone: &'a [Alone],
    /// Whether there are a decoder and an encoder.
    pub is_job: bool,
    /// How often a frame goes through a pipe uncompressed: at the input, at the output.
    pub pipes: usize,
    /// What of all cores' time the program used.
    pub cores: f64,
    /// How many GPUs filtered; 0 where the CPU did.
    pub gpus: usize,
    /// Whether the GPU has decoded the frames, which then cross the bus once.
    pub is_decoded_on_gpu: bool,
}

/// All limits that concern a run, the nearest first.
pub fn bounds(used: &Use<'_>, limits: &Limits) -> Vec<Bound> {
    let Use { fps, frame_bytes, work, stages, alone, is_job, pipes, cores, gpus, is_decoded_on_gpu } = *used;
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
    let gb_ms = |gb_s: f64| if gb_s > 0.0 { frame_bytes as f64 / (gb_s * 1e6) } else { 0.0 };
    if let Some(device) = limits.device {
        let (copies, rate, each_way) = if is_decoded_on_gpu {
            ("copies from the GPU", device.pinned_down_gb_s, "")
        } else {
            ("copies both ways at once", device.duplex_gb_s, " each way")
        };
        let limit = format!("{copies}, {times}{} GB/s{each_way}", short(rate));
        add("bus", limit, gb_ms(rate) / each);
    }
    let host = limits.host;
    let limit = if limits.device.is_none() && host.is_in_cache() {
        let (cache, memory) = (short(roof.memory_gb_s), short(host.memory_gb_s));
        format!("copies of frames in the cache, {cache} GB/s; memory beyond it has {memory} GB/s")
    } else {
        format!("copies in memory, {times}{} GB/s", short(roof.memory_gb_s))
    };
    add("memory", limit, work.iter().map(|work| roof.memory_ms(work.bytes)).sum::<f64>() / each);
    let needed: Operations = work.iter().map(|work| work.needed).sum();
    let kinds = [
        (needed.dot8, roof.dot8_gop_s, "8-bit products"),
        (needed.dot16, roof.dot16_gop_s, "whole numbers"),
        (needed.real, roof.real_gop_s, "f32"),
    ];
    let rates = kinds.iter().filter(|(count, ..)| *count > 0);
    let rates: Vec<String> = rates.map(|(_, rate, what)| format!("{} Gop/s of {what}", short(*rate))).collect();
    add("arithmetic", format!("multiply-adds, {times}{}", rates.join(", ")), roof.arithmetic_ms(&needed) / each);
    if pipes > 0 {
        let pipe_gb_s = limits.host.pipe_gb_s;
        add("pipe", format!("a plain pipe, {} GB/s", short(pipe_gb_s)), gb_ms(pipe_gb_s));
    }
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

/// How often a job's frames go through a pipe uncompressed: at the input, whose samples come as they are if `is_plain`,
/// and at the output.
pub fn pipes(request: &Request, is_plain: bool) -> usize {
    let is_pipe = |path: &str| fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo());
    let input = if request.input == "-" { "/dev/stdin" } else { &request.input };
    let is_plain_output = request.kind().is_plain();
    usize::from(is_plain && is_pipe(input)) + usize::from(is_plain_output && is_pipe(&request.output))
}

/// Fills in the limits of runs whose file was written without them: those of memory and bus, which the file tells.
pub fn remember(record: &mut Record) {
    for run in record.runs.iter_mut().filter(|run| run.bounds.is_empty()) {
        run.bounds = remembered(run, &record.limits);
    }
}

fn remembered(run: &Run, limits: &Limits) -> Vec<Bound> {
    let work =
        run.passes.iter().map(|pass| Work { bytes: pass.bytes, operations: pass.operations, needed: pass.needed });
    let used = Use {
        fps: run.fps.mean,
        frame_bytes: limits.device.map_or(0, |device| device.block_bytes),
        work: &work.collect::<Vec<_>>(),
        stages: &run.stages,
        alone: &run.alone,
        is_job: run.input != "synthetic",
        pipes: 0,
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
