//! What does the work.

use clap::{Args, ValueEnum};

/// What does the work.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Execution")]
pub struct Execution {
    /// What filters: auto takes the GPU where it works, and says why where it does not
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub backend: BackendName,
    /// Which GPU, as doctor numbers them
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub device: usize,
    /// What decodes: auto takes the GPU's decoders where they are likely the faster
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub decoder: DecoderName,
    /// Decoders that work on a file side by side, from key frames on; as many as the GPU has unless given, one in software
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub decode_lanes: Option<u8>,
    /// Several GPUs share the clip, or an error: all, or numbers as in 0,1; with --salvage one that fails leaves its
    /// frames to the others
    #[arg(long, value_name = "LIST", conflicts_with = "device")]
    pub gpus: Option<String>,
    /// Threads of the CPU stage, of the decoder and of the encoder; all cores unless given, and with 0
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Frames under way on a GPU at a time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub in_flight: u8,
}

/// What filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BackendName {
    /// The GPU where it works, else the CPU
    #[default]
    Auto,
    /// The CPU
    Cpu,
    /// The GPU, or an error
    Cuda,
}

/// What decodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DecoderName {
    /// The GPU's decoders where frames are filtered there and they are likely the faster, else software
    #[default]
    Auto,
    /// Software
    Software,
    /// The GPU's decoders, or an error
    Nvdec,
}
