//! What does the work.

use clap::{Args, ValueEnum};

use crate::thread::ThreadSplit;

/// What does the work.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Execution")]
pub struct Execution {
    /// Where to filter: auto, cpu or cuda
    ///
    /// auto uses the GPU if it works; otherwise it uses the CPU and prints why.
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub backend: BackendName,
    /// Number of the GPU, as printed by doctor
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 0)]
    pub device: usize,
    /// Where to decode: auto uses the GPU's decoders where they are likely faster
    #[arg(long, hide_short_help = true, value_enum, default_value_t, value_name = "NAME")]
    pub decoder: DecoderName,
    /// Number of decoders that share one file, split at key frames; default: all GPU decoders, or one software decoder
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub decode_lanes: Option<u8>,
    /// GPUs that share the clip: all, or numbers as in 0,1; with --salvage the others take over the frames of a GPU that fails
    #[arg(long, hide_short_help = true, value_name = "LIST", conflicts_with = "device")]
    pub gpus: Option<String>,
    /// Threads for decoding, filtering and encoding
    ///
    /// Decoder, CPU filters and encoder use this many each. 0, the default, uses all cores; of more than four, three quarters for the
    /// decoder, and for the filters as many as their part of the work; with up to four, one thread more for the filters, since the decoder
    /// takes a core from them at times. decode=2,filter=4,encode=1 gives each its own; those that are not named have the default.
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true)]
    pub threads: ThreadSplit,
    /// Most memory for frames, queues and scratch: 2GiB, 512M, or 50% of the memory; default: 80%
    ///
    /// A share is of the memory of this machine, or of its control group where that allows less. A job that would need more fails, and the
    /// message says what needed how much. Codecs allocate beside it.
    #[arg(long, hide_short_help = true, value_name = "SIZE")]
    pub max_memory: Option<String>,
    /// Number of frames in flight on a GPU
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub in_flight: u8,
}

/// What filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BackendName {
    /// The GPU if it works, else the CPU
    #[default]
    Auto,
    /// The CPU
    Cpu,
    /// The GPU; fail without one
    Cuda,
}

/// What decodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DecoderName {
    /// The GPU's decoders if frames are filtered there and decoding is likely faster, else software
    #[default]
    Auto,
    /// Software
    Software,
    /// The GPU's decoders; fail without them
    Nvdec,
}
