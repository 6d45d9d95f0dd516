//! What a measurement is when it is written down: the layout of `--json`, documented in `docs/bench-schema.md`.
//! Everything that the tables and pages show is computed from these values, so that a file can be shown again.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::alone::Alone;
use super::cpu::CpuTime;
use super::prediction::Prediction;
use super::process::ProcessUsage;
use super::slow::SlowFrame;
use super::statistic::{self, Distribution, Estimate};
use crate::backend::cuda::limit::DeviceLimits;
use crate::plan::Operations;

/// A result file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of this layout: [`Record::SCHEMA`].
    pub schema: u32,
    /// Name and version of the program.
    pub program: String,
    /// The command line, word by word.
    pub command: Vec<String>,
    /// When it was measured, in UTC: `2026-11-21T09:40:00Z`.
    pub date: String,
    /// On what.
    pub machine: Machine,
    /// What the machine can do at best, measured in the same run.
    pub limits: Limits,
    /// Jobs or filter stages: one for `bench`, two for `bench compare`, none for the others. With `--gpus` also
    /// the same on the first half of them, on half of those, and so on down to the first GPU alone.
    pub runs: Vec<Run>,
    /// The ladder; empty for all but `bench ladder`.
    pub ladder: Vec<Rung>,
    /// How fast a file is decoded; empty for all but `bench decode`.
    #[serde(default)]
    pub decoding: Vec<DecodeRate>,
    /// What makes the figures of the ladder doubtful; those of a run are with the run.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// The machine and what runs on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// What the processor calls itself.
    pub processor: String,
    /// How many threads run at once.
    pub cores: usize,
    /// The vector instructions in use.
    pub instructions: String,
    /// Memory of the machine, in bytes; 0 where the system does not tell.
    pub memory_bytes: u64,
    /// Operating system, with its kernel's release.
    pub system: String,
    /// FFmpeg's libraries.
    pub libraries: Vec<String>,
    /// The GPU that was used.
    pub gpu: Option<Gpu>,
}

/// A GPU and its driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gpu {
    /// What the vendor calls it.
    pub name: String,
    /// Compute capability: `9.0`.
    pub capability: String,
    /// All of its memory.
    pub memory_bytes: usize,
    /// The CUDA version that the driver serves: `13.0`.
    pub driver: String,
}

/// What the hardware allows. Every figure is the best of several tries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Processor, memory and kernel.
    pub host: HostLimits,
    /// The GPU, where one is used.
    pub device: Option<DeviceLimits>,
}

/// What processor, memory and kernel allow. A multiply-add counts as two operations, GB are 10⁹ bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostLimits {
    /// Bytes of each of the blocks that were copied, 12 in turns.
    pub block_bytes: usize,
    /// One thread's copy, bytes read and written counted, in GB/s.
    pub copy_one_core_gb_s: f64,
    /// All threads' copy, likewise.
    pub copy_all_cores_gb_s: f64,
    /// All threads' copy of 128 MiB to as many, which no cache holds, likewise; 0 in files that were written without it.
    #[serde(default, skip_serializing_if = "statistic::is_unknown")]
    pub memory_gb_s: f64,
    /// One thread's multiply-adds of `f32`, in 10⁹ operations a second.
    pub real_one_core_gop_s: f64,
    /// All threads' multiply-adds of `f32`.
    pub real_all_cores_gop_s: f64,
    /// All threads' multiply-adds of 8-bit integers by the instruction that the CPU stage uses.
    pub integer_all_cores_gop_s: f64,
    /// All threads' multiply-adds of 16-bit integers, likewise; 0 in files that were written without it.
    #[serde(default)]
    pub dot16_all_cores_gop_s: f64,
    /// Through a pipe from one thread to another, in GB/s.
    pub pipe_gb_s: f64,
}

/// One chain on one input, repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The chain as it was typed, filters joined by commas.
    pub chain: String,
    /// What was read: a name, or `synthetic`.
    pub input: String,
    /// What was written.
    pub output: String,
    /// `yuv420p 3840x2160 at 25 fps`.
    pub format: String,
    /// The same of the frames that leave the chain, where they are others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_format: Option<String>,
    /// Who filtered, and why.
    pub backend: String,
    /// The numbers of the GPUs that filtered; none where the CPU did, and in files that were written without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gpus: Vec<usize>,
    /// What several GPUs gain over the first of them, if that was measured beside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<GpuGain>,
    /// Frames at the start of each repetition that are not counted: the stage fills. 0 for whole jobs.
    pub lead_frames: u64,
    /// Each repetition that was counted, in order; without the times of frames, except where the input was a pipe.
    pub repetitions: Vec<Repetition>,
    /// Frames a second over the repetitions, those that leave the chain.
    pub fps: Estimate,
    /// Samples of luma a second of the frames that leave the chain, in 10⁶.
    pub megapixel_s: f64,
    /// Bytes that all passes read and write, a second, in 10⁹.
    pub gb_s: f64,
    /// Operations of all passes as the plan counts them, a second, in 10⁹.
    pub gop_s: f64,
    /// Threads and the GPU's queues, in the order of the data path.
    pub stages: Vec<Stage>,
    /// CPU time by stage; left out where the system does not count it, and in files that were written without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<CpuTime>,
    /// The stages of a job alone, in the same run; empty for a filter stage, where the input was a pipe, and in files that
    /// were written without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alone: Vec<Alone>,
    /// Speed of the job if one of its stages were free.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<Prediction>,
    /// Time from the decoder to the output, of each frame; left out of files that were written without it.
    #[serde(default, skip_serializing_if = "Distribution::is_empty")]
    pub latency: Distribution,
    /// The slowest frames of all repetitions, the slowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slowest: Vec<SlowFrame>,
    /// The passes of the chain, in order.
    pub passes: Vec<PassTimes>,
    /// The limits of the machine that concern the run, the nearest first.
    #[serde(default)]
    pub bounds: Vec<Bound>,
    /// What measuring costs; `null` where the input was a pipe, which can be read only once.
    #[serde(default)]
    pub overhead: Option<Overhead>,
    /// What only the first run pays.
    pub first: FirstCosts,
    /// The sentence that names the limit: the cores, or the stage that sets the pace.
    pub verdict: String,
    /// What makes the figures doubtful; empty if nothing does.
    pub remarks: Vec<String>,
}

/// What several GPUs gain over one of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuGain {
    /// How many there are.
    pub gpus: usize,
    /// How many times as fast they are, from the mean frames a second of both.
    pub speed_up: f64,
    /// Half the width of the interval of 95 % confidence; `null` with one repetition.
    pub uncertainty: Option<f64>,
    /// The speed-up over the number of GPUs: 1 where nothing is lost.
    pub efficiency: f64,
}

/// A limit of the machine, and how near a run comes to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// `bus`, `memory`, `arithmetic`, `cores`, `decode`, `filter`, `encode` or `pipe`.
    pub name: String,
    /// What the limit is: `copies both ways at once, 47.6 GB/s each way`.
    pub limit: String,
    /// Frames a second, if nothing else were in the way.
    pub fps: f64,
    /// What of these the run reaches, 0 to 1. Above 1 the limit is wrong, and a remark says so.
    pub share: f64,
}

/// The same repetitions with the times of every frame: a trace, and events of the GPU that carry their time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overhead {
    /// Pairs of a repetition with and one without, in turns.
    pub pairs: usize,
    /// Time with over time without: the median of the pairs, the smallest, and the largest.
    pub time: [f64; 3],
    /// The same of the time of all cores that the program used.
    pub processor_time: [f64; 3],
}

/// One repetition.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repetition {
    /// Frames that were counted.
    pub frames: u64,
    /// How long they took.
    pub seconds: f64,
    /// Opening the input, preparing the passes and the output; not part of `seconds`.
    pub open_s: f64,
    /// What of all cores' time the program used during the whole run, 0 to 1; `null` in files that were written without.
    #[serde(default)]
    pub cores: Option<f64>,
    /// How many cores other programs used meanwhile, on average; `null` where that is not known.
    #[serde(default)]
    pub others: Option<f64>,
    /// The program's time and memory as the system counts them; left out where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<ProcessUsage>,
}

/// A thread of the pipeline, or a queue of the GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// `decode`, `filter`, `upload`, `compute`, `download` or `encode`.
    pub name: String,
    /// The part of the time in which it worked, 0 to 1. On a GPU the filter thread's wait for it is no work.
    pub busy: f64,
    /// The part of the time in which it waited for the stage before; `null` for a GPU's queues.
    pub starved: Option<f64>,
    /// The part of the time in which it waited for the stage after; `null` for a GPU's queues.
    pub blocked: Option<f64>,
    /// The part of the time in which it waited for the GPU; `null` but for a filter thread that has one.
    #[serde(default)]
    pub device: Option<f64>,
    /// The part of the time in which it had not begun, or was done; with the others this makes 1. `null` for a GPU's
    /// queues.
    #[serde(default)]
    pub idle: Option<f64>,
    /// How long it worked on a frame.
    pub per_frame: Distribution,
    /// What of the bus a copy reaches while it runs, one way: the least time over the median, 0 to 1; `null` for all
    /// other stages.
    pub share: Option<f64>,
}

/// One pass of the chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassTimes {
    /// The filter as it was typed.
    pub name: String,
    /// How long it took for a frame, or for both that it makes of one.
    pub per_frame: Distribution,
    /// How often it runs for each frame that leaves the chain: once, unless the chain changes how many there are.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub runs: f64,
    /// Bytes read and written for a run.
    pub bytes: u64,
    /// Operations for a run as the plan counts them: two for each tap.
    pub operations: u64,
    /// Of these, what no implementation can leave out, by the kind of numbers.
    #[serde(default)]
    pub needed: Operations,
    /// Bytes a second at the median time, in 10⁹.
    pub gb_s: f64,
    /// Operations a second at the median time, in 10⁹.
    pub gop_s: f64,
    /// The least time that the limits allow.
    pub least_ms: f64,
    /// `least_ms` over the median time, 0 to 1.
    pub share: f64,
    /// Which limit is the nearer: `memory` or `arithmetic`.
    pub bound: String,
}

fn once() -> f64 {
    1.0
}

fn is_once(runs: &f64) -> bool {
    *runs == 1.0
}

/// What the first run of a program or a user pays, and later ones do not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FirstCosts {
    /// Opening, the first time: a GPU's context, compiling, starting threads.
    pub open_s: f64,
    /// Opening again: the median of the repetitions.
    pub open_again_s: f64,
    /// From the start until the first frame came out, the first time: memory is made and pinned, buffers fill.
    pub frame_s: f64,
    /// The same again: the median of the repetitions.
    pub frame_again_s: f64,
}

/// How fast some decoders are, in frames a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecodeRate {
    /// `software` or `nvdec`.
    pub decoder: String,
    /// How many decoders.
    pub lanes: usize,
    /// Of the file, over all of them, its frames in order.
    pub fps: Estimate,
    /// Of all together where each decodes all of the file, and what it makes is thrown away.
    pub apart_fps: Estimate,
    /// The one over the other, of medians.
    pub share: f64,
}

/// One rung of the ladder at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// `basic`, `constant`, `tiled`, `cached`, `production`, or `cpu`.
    pub name: String,
    /// The kernel as it was typed.
    pub kernel: String,
    /// Samples in a row of the plane.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The time of one plane.
    pub per_plane: Distribution,
    /// Samples a second, in 10⁶.
    pub megapixel_s: f64,
    /// Bytes a second, each sample read once and written once, in 10⁹.
    pub gb_s: f64,
    /// Operations a second, two for each tap, in 10⁹.
    pub gop_s: f64,
    /// Operations for each byte that must be moved.
    pub operations_per_byte: f64,
    /// What no implementation can leave out; for the classical rungs, what they do.
    #[serde(default)]
    pub needed: Operations,
    /// The least time that memory allows, over the median time; 0 to 1.
    pub memory_share: f64,
    /// The least time that arithmetic allows, over the median time; 0 to 1.
    pub arithmetic_share: f64,
}

impl HostLimits {
    /// True if copies of a frame's size are so much faster than copies of much memory that a cache must hold them.
    pub fn is_in_cache(&self) -> bool {
        self.memory_gb_s > 0.0 && self.copy_all_cores_gb_s > 1.5 * self.memory_gb_s
    }
}

impl Bound {
    /// Part of a limit below which it says nothing: the run is far from it.
    pub const FAR: f64 = 0.01;
}

impl Record {
    /// The version of this layout; it rises when a field changes its meaning or goes. New fields do not raise it.
    pub const SCHEMA: u32 = 2;
    /// The oldest version that is read: it had bins with an end each, and pieces of a dozen frames, which are passed over.
    const OLDEST: u32 = 1;

    /// Reads a result file's text, as it was written: of a file without `bounds`, [`super::bound::remember`] knows some.
    ///
    /// # Errors
    /// If it is no result, or of a version that is not known.
    pub fn parse(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let Version { schema } = serde_json::from_str(text).context("this is not a result of warpreel bench --json")?;
        let (oldest, newest) = (Self::OLDEST, Self::SCHEMA);
        ensure!(
            (oldest..=newest).contains(&schema),
            "the result has schema {schema}, this program reads {oldest} to {newest}; measure again with --json"
        );
        let record: Self = serde_json::from_str(text).context("the result is damaged")?;
        Ok(Self { schema: Self::SCHEMA, ..record })
    }

    /// The text of a result file.
    ///
    /// # Errors
    /// If a figure is not finite, which none is.
    pub fn print(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self).context("print a result")? + "\n")
    }
}
