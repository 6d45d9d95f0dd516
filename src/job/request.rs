//! A job in words: what was typed, or what a program asks for.

use std::path::Path;
use std::time::Duration;

use warpreel_metric::Metric;

use super::division::ChunkChoice;
use super::gpu::GpuChoice;
use super::kind::{Destination, OutputKind};
use crate::filter;
use crate::frame::Pairing;
use crate::libav::address::Address;
use crate::sequence;
use crate::sink::container::is_sequence;
use crate::sink::encoding::Encoding;
use crate::sink::file_set::FileSet;
use crate::sink::target::Overwrite;
use crate::source::Concealing;
use crate::thread::ThreadSplit;

pub use crate::backend::Choice;

/// What decodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecoderChoice {
    /// The GPU's decoders where they are likely the faster, else software.
    #[default]
    Auto,
    /// Software.
    Software,
    /// The GPU's decoders, or an error.
    Nvdec,
}

/// How interlaced frames are filtered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldChoice {
    /// Each field as a picture of its own where the clip says that all of it is interlaced.
    #[default]
    Auto,
    /// Whole frames.
    Frame,
    /// Each field as a picture of its own.
    Separate,
}

/// How damage in the input is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tolerance {
    /// Damage is an error, and so is a stream that the output cannot hold.
    Strict,
    /// A damaged packet is a warning; an input that ends early is an error.
    #[default]
    Normal,
    /// What can be read is kept, also of an input that ends early.
    Salvage,
}

/// Which videos of the input are filtered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VideoChoice {
    /// The one that a player would show; the others are copied.
    #[default]
    First,
    /// All but covers, each by itself.
    All,
}

/// Which part of the input is read; all of it unless said. Times are seconds or `HH:MM:SS.fraction`; a start and an end may
/// also be frames, `#250`, counted from 0.
#[derive(Clone, Debug, Default)]
pub struct TypedCut {
    /// What lies before is left out.
    pub start: Option<String>,
    /// What lies from here on is left out.
    pub end: Option<String>,
    /// How much is kept.
    pub duration: Option<String>,
    /// How many frames are kept.
    pub frames: Option<u64>,
}

/// How addresses are opened.
#[derive(Clone, Debug, Default)]
pub struct TypedNetwork {
    /// Longest time without an answer or a packet, as times are typed; [`TypedNetwork::TIMEOUT`] unless given.
    pub timeout: Option<String>,
    /// How often in a row an input is opened again after it was lost; not at all unless given.
    pub reconnect: Option<u32>,
    /// Whether frames of an input that come too late are dropped.
    pub drop_late: bool,
}

impl TypedNetwork {
    /// Longest time without an answer or a packet where none is typed.
    pub const TIMEOUT: Duration = Duration::from_secs(10);
}

/// A job in words.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A path, a pattern of an image sequence, `-`, or an address such as `udp://127.0.0.1:5000`.
    pub input: String,
    /// The same, or `null:`, `hash:`, `hash:PATH`.
    pub output: String,
    /// Format, size and rate of raw input.
    pub raw: Option<String>,
    /// Which videos of the input.
    pub videos: VideoChoice,
    /// Which video is read, by its index in the file; the one that a player would show unless given.
    pub video: Option<usize>,
    /// Frames a second of raw input and of image sequences: a number, or a fraction.
    pub fps: Option<String>,
    /// Which part of the input.
    pub cut: TypedCut,
    /// Which chunk of that; its pictures alone are written, and keep the times that they have in all of it.
    pub chunk: Option<ChunkChoice>,
    /// Where the pictures come from, if they were filtered in chunks: a pattern of files numbered from 1 on, `part%d.nut`.
    pub chunks_from: Option<String>,
    /// How addresses are opened.
    pub network: TypedNetwork,
    /// How interlaced frames are filtered.
    pub fields: FieldChoice,
    /// How damage is taken.
    pub tolerance: Tolerance,
    /// Treatment of frames that are lost to damage.
    pub conceal: Concealing,
    /// Chains of filters, in order.
    pub chain: Vec<String>,
    /// Border in space for filters that do not say.
    pub border: Option<String>,
    /// Planes for filters that do not say.
    pub planes: Option<String>,
    /// Whether an output that exists may be replaced.
    pub overwrite: Overwrite,
    /// Whether the output shows what frames were beside what became of them, and how.
    pub compare: Option<Pairing>,
    /// Metrics of how much filtered frames differ from what they were; those are scaled where the sizes differ.
    pub metrics: Vec<Metric>,
    /// How the output is stored; the job fills in `strict` and `threads`.
    pub encoding: Encoding,
    /// What filters.
    pub backend: Choice,
    /// Which GPU.
    pub device: usize,
    /// What decodes.
    pub decoder: DecoderChoice,
    /// Decoders that work on a file side by side; 0 for as many as the GPU has, and for one in software.
    pub decode_lanes: usize,
    /// Which GPUs, where several are to share the clip, or an error if they cannot; only [`Request::device`] unless
    /// given.
    pub gpus: Option<GpuChoice>,
    /// Threads of each stage.
    pub threads: ThreadSplit,
    /// Frames under way on a GPU at a time; 0 for as many as keep it busy.
    pub in_flight: usize,
    /// Whether the GPU's times are wanted, for a monitor made by [`crate::pipeline::Monitor::traced`].
    pub trace: bool,
}

impl Request {
    /// How frames leave.
    pub fn kind(&self) -> OutputKind {
        OutputKind::of(&self.output, self.encoding.container.as_deref())
    }

    /// Where the bytes of the output go.
    pub fn destination(&self) -> Destination<'_> {
        Destination::of(&self.output)
    }

    /// Whether chunks are joined as they are encoded.
    pub(super) fn passes_packets(&self) -> bool {
        self.encoding.codec.as_deref() == Some("copy")
    }

    /// The existing files that the job reads: the input or the images of its sequence, the chunks that it joins, and the
    /// files of the chain.
    pub fn files_read(&self) -> FileSet {
        let mut files = FileSet::default();
        if self.input != "-" && !Address::is(&self.input) {
            let input = Path::new(&self.input);
            files.add(input, sequence::is_sequence(input));
        }
        Address::described(&self.input).into_iter().for_each(|file| files.add(file, false));
        self.chunks_from.iter().for_each(|pattern| files.add(Path::new(pattern), true));
        self.chain_files().iter().for_each(|name| files.add(Path::new(name), false));
        files
    }

    /// Whether the output is a sequence of images.
    pub fn writes_sequence(&self) -> bool {
        let Destination::Path(path) = self.destination() else { return false };
        let container = self.encoding.container.as_deref();
        self.kind() == OutputKind::Container && is_sequence(path, container).unwrap_or(false)
    }

    /// The files that the chain reads: kernels and masks.
    pub fn chain_files(&self) -> Vec<String> {
        self.chain.iter().flat_map(|text| filter::files(text)).collect()
    }
}
