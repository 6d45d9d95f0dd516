//! What is told of GPUs and of work on them: plain data, which builds without CUDA have too.

use serde::{Deserialize, Serialize};

/// What was found. Every part that is missing says what to install.
#[derive(Clone, Debug, Serialize)]
pub struct Probe {
    /// The CUDA version that the driver serves, as `13.0`; or why there is none.
    pub driver: Result<String, String>,
    /// One entry for each GPU.
    pub devices: Vec<Found>,
    /// The compiler; or why there is none.
    pub nvrtc: Result<FoundCompiler, String>,
}

/// One GPU.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// Its number, for `--device`.
    pub ordinal: usize,
    /// What the vendor calls it.
    pub name: String,
    /// Compute capability, major and minor.
    pub capability: (i32, i32),
    /// All of its memory.
    pub memory_bytes: usize,
    /// Multiprocessors.
    pub multiprocessors: i32,
    /// Where it sits on the bus, as `0000:1b:00.0`.
    pub pci: String,
    /// Why it cannot be used, if so.
    pub trouble: Option<String>,
    /// The numbers of the GPUs whose memory it can read and write by itself.
    pub peers: Vec<usize>,
    /// What its decoders know.
    pub decodes: Vec<DecodingCapability>,
}

/// A kind of stream that a GPU decodes.
#[derive(Clone, Debug, Serialize)]
pub struct DecodingCapability {
    /// FFmpeg's name of the codec.
    pub codec: &'static str,
    /// How colours are sampled: `4:2:0`.
    pub chroma: &'static str,
    /// Bits of a sample.
    pub depth: u8,
    /// How many decoders there are that work side by side.
    pub engines: usize,
    /// The largest picture.
    pub width: usize,
    /// Likewise.
    pub height: usize,
}

/// How a GPU decodes one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decodable {
    /// How many decoders there are that work side by side; at least 1.
    pub engines: usize,
}

/// An NVRTC library.
#[derive(Clone, Debug, Serialize)]
pub struct FoundCompiler {
    /// Where it was found; a bare name if the system's loader found it.
    pub path: String,
    /// Major and minor version.
    pub version: (i32, i32),
}

impl Probe {
    /// Why `Cuda` cannot be made on GPU `ordinal`; `None` if all that it needs is there.
    pub fn trouble(&self, ordinal: usize) -> Option<String> {
        if let Err(error) = &self.driver {
            return Some(error.clone());
        }
        match self.devices.iter().find(|device| device.ordinal == ordinal) {
            None => return Some(format!("there is no GPU {ordinal}")),
            Some(device) if device.trouble.is_some() => return device.trouble.clone(),
            Some(_) => {}
        }
        self.nvrtc.as_ref().err().cloned()
    }
}

/// One piece of work on the GPU.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceSpan {
    /// Number of the frame in the input, from 0.
    pub frame: u64,
    /// `upload`, `download`, `measure`, or the name of the pass.
    pub name: String,
    /// Which stream: `upload`, `compute` or `download`.
    #[serde(rename = "lane")]
    pub stream: &'static str,
    /// When it began, in milliseconds after `Cuda::trace_started`.
    pub start_ms: f64,
    /// When it ended, likewise.
    pub end_ms: f64,
}

/// Whether the times of all work are measured; it costs some microseconds a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tracing {
    /// Nothing is measured.
    #[default]
    Off,
    /// `Cuda::spans` gives the times.
    On,
}

/// Where finished frames are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// In the host's memory.
    #[default]
    Host,
    /// On the GPU, where they were made. [`super::Backend::wait`] gives them before they are done, and
    /// [`crate::frame::Surface::ready`] tells when that is.
    Device,
}

/// What a GPU allows. A multiply-add counts as two operations, GB are 10⁹ bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceLimits {
    /// Copies of blocks far larger than the caches, bytes read and written counted, or of blocks of a frame's size if
    /// those are faster; in GB/s.
    pub copy_gb_s: f64,
    /// Multiply-adds of `f32`, in 10⁹ operations a second.
    pub real_gop_s: f64,
    /// Dot products of four bytes, in 10⁹ operations a second.
    pub integer_gop_s: f64,
    /// Dot products of two 16-bit numbers; 0 in files that were written without it.
    #[serde(default)]
    pub dot16_gop_s: f64,
    /// Multiply-adds of 32-bit whole numbers; 0 in files that were written without it.
    #[serde(default)]
    pub word_gop_s: f64,
    /// An empty kernel after another, in microseconds.
    pub launch_us: f64,
    /// Bytes of the blocks that go over the bus: a frame.
    pub block_bytes: usize,
    /// Pinned memory to the GPU, in GB/s.
    pub pinned_up_gb_s: f64,
    /// The GPU to pinned memory.
    pub pinned_down_gb_s: f64,
    /// Both at once, each way.
    pub duplex_gb_s: f64,
    /// Pinned memory to the GPU in pieces of 64 KiB.
    pub piece_up_gb_s: f64,
    /// Ordinary memory to the GPU.
    pub pageable_up_gb_s: f64,
    /// The GPU to ordinary memory.
    pub pageable_down_gb_s: f64,
}
