//! What can be typed, and nothing about what it means: every field is exactly what stood on the command line.

mod parse;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  warpreel in.mp4 out.mp4 -f gaussian=sigma=2
  warpreel in.mkv out.mkv -f tmix=frames=5 -f unsharp --lossless
  warpreel in.mp4 hash: -f convolution=\"1 2 1 2 4 2 1 2 1\"
  ffmpeg -i in.mkv -f yuv4mpegpipe - | warpreel - - -f sobel | x264 --demuxer y4m -o out.264 -
  warpreel filters gaussian

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.";

/// Filters video with convolution in x, y and t, on the GPU or the CPU, with the same bytes on both.
///
/// INPUT is a file, an image sequence (frame%04d.png), or - for stdin, where y4m and streamable containers are
/// recognised and raw frames need --raw. OUTPUT is a file, an image sequence, - for stdout (y4m unless --container
/// says otherwise), null: to discard, hash: for a checksum of each frame on stdout, or hash:FILE.
#[derive(Debug, Parser)]
#[command(name = "warpreel", version, max_term_width = 98, after_help = EXAMPLES)]
#[command(override_usage = "warpreel [OPTIONS] <INPUT> <OUTPUT>\n       warpreel <COMMAND>")]
#[command(subcommand_negates_reqs = true)]
pub struct Cli {
    /// What to do other than filter a video.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The main job.
    #[command(flatten)]
    pub run: Filtering,
    /// How much is said.
    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// What to do other than filter a video.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the filters, or show one with its parameters and the kernel that results
    Filters {
        /// A filter, with values if wanted: gaussian=sigma=3
        filter: Option<String>,
        /// Draw its kernel and frequency response into this file instead; - is stdout
        #[arg(long, value_name = "FILE", requires = "filter")]
        svg: Option<String>,
        /// Replace an existing picture
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
    /// Print what a chain becomes: passes, factors, what was joined and why, taps, bytes and operations before and after
    Explain(Explain),
    /// Print what was found on this machine, and how to install what is missing
    Doctor,
    /// Measure how fast it is and why: a job, the filter stage alone, the machine's limits, the ladder of kernels
    Bench(Box<Bench>),
}

const BENCH_EXAMPLES: &str = "\
Examples:
  warpreel bench in.mp4 -f gaussian=sigma=2                  the whole job, to null:
  warpreel bench -f gaussian=sigma=2 --size 3840x2160        the filter stage alone
  warpreel bench in.mp4 -f sobel --output out.mkv --json result.json --html result.html
  warpreel bench copy                                        what the machine can do at best
  warpreel bench compare gaussian=sigma=2 box=radius=4       two chains, repeated in turns
  warpreel bench compare before.json after.json              two results
  warpreel bench ladder                                      a 3x3 box from the textbook's kernel to ours";

/// What to measure, and where the figures go.
#[derive(Debug, Args)]
#[command(override_usage = "warpreel bench [OPTIONS] [INPUT]\n       warpreel bench <COMMAND>")]
#[command(after_help = BENCH_EXAMPLES)]
pub struct Bench {
    /// What to measure other than a job or the filter stage.
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
    /// A clip to run the whole job on; without one the filter stage is measured alone, see --size and --format
    pub input: Option<String>,
    /// Where the frames go: null:, a file, a pipe in the file system, hash:FILE
    #[arg(long, value_name = "OUTPUT", default_value = "null:", requires = "input")]
    pub output: String,
    /// The frames where there is no clip.
    #[command(flatten)]
    pub shape: SyntheticFrames,
    /// How the input is read.
    #[command(flatten)]
    pub reading: Reading,
    /// What is done.
    #[command(flatten)]
    pub chain: Chain,
    /// How the output is written.
    #[command(flatten)]
    pub writing: Writing,
    /// What does the work.
    #[command(flatten)]
    pub execution: Execution,
    /// How it is measured.
    #[command(flatten)]
    pub method: Measuring,
    /// Where the figures go.
    #[command(flatten)]
    pub files: BenchFiles,
}

/// What to measure other than a job or the filter stage.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Measure what the machine can do at best: copies, arithmetic, pipes, and the GPU's bus and launches
    Copy {
        /// The frames where there is no clip.
        #[command(flatten)]
        shape: SyntheticFrames,
        /// What does the work.
        #[command(flatten)]
        execution: Execution,
        /// Where the figures go.
        #[command(flatten)]
        files: BenchFiles,
        /// Replace existing reports
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
    /// Compare two chains, repeated in turns, or two results written with --json
    Compare {
        /// A chain, or a result
        a: String,
        /// Another one
        b: String,
        /// A clip to run whole jobs on; without one the filter stage is measured alone
        #[arg(long, value_name = "INPUT")]
        input: Option<String>,
        /// Stop after this many frames
        #[arg(long, value_name = "N")]
        frames: Option<u64>,
        /// The frames where there is no clip.
        #[command(flatten)]
        shape: SyntheticFrames,
        /// What does the work.
        #[command(flatten)]
        execution: Execution,
        /// How it is measured.
        #[command(flatten)]
        method: Measuring,
        /// Where the figures go.
        #[command(flatten)]
        files: BenchFiles,
        /// Replace existing reports
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
    /// Measure a 2-D kernel from the textbook's first version to the production kernel, and on the CPU
    Ladder {
        /// The kernel: a chain of one filter; a box of 3x3 unless given
        #[arg(short, long, value_name = "CHAIN", default_value = "convolution=1 1 1 1 1 1 1 1 1")]
        filter: String,
        /// What lies outside the picture, where the filter does not say
        #[arg(long, value_name = "MODE", default_value = "zero")]
        border: String,
        /// Sizes of the 8-bit planes
        #[arg(
            long,
            value_name = "WxH,…",
            value_delimiter = ',',
            default_value = "256x256,512x512,1024x1024,2048x2048,3840x2160"
        )]
        sizes: Vec<String>,
        /// What does the work.
        #[command(flatten)]
        execution: Execution,
        /// Where the figures go.
        #[command(flatten)]
        files: BenchFiles,
        /// Replace existing reports
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
}

/// The frames of the filter stage alone.
#[derive(Debug, Args)]
pub struct SyntheticFrames {
    /// Size of the frames where there is no input; 1920x1080 unless given
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Pixel format of the frames where there is no input; yuv420p unless given
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
}

/// How it is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub struct Measuring {
    /// Repetitions that count, each run twice: for the frames a second, and for the times of frames; of a pipe only one
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub repetitions: usize,
    /// Repetitions before those, which do not count
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub warmup: usize,
}

/// Where the figures go, beside stdout.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reporting")]
pub struct BenchFiles {
    /// Write all figures; docs/bench-schema.md describes them
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write a line for each frame
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Write a page with pictures, which needs no network
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
}

/// What to explain.
#[derive(Debug, Args)]
pub struct Explain {
    /// A clip whose format counts; without one, see --size and --format
    pub input: Option<String>,
    /// What is done.
    #[command(flatten)]
    pub chain: Chain,
    /// Frame size to explain for
    #[arg(long, value_name = "WxH", default_value = "1920x1080", conflicts_with = "input")]
    pub size: String,
    /// Pixel format to explain for
    #[arg(long, value_name = "FORMAT", default_value = "yuv420p", conflicts_with = "input")]
    pub format: String,
    /// Measure what this machine can do at best, and print the least time that this allows
    #[arg(long)]
    pub limits: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

/// The main job.
#[derive(Debug, Args)]
pub struct Filtering {
    /// File, image sequence (frame%04d.png), or - for stdin
    #[arg(required = true)]
    pub input: Option<String>,
    /// File, image sequence, - for stdout, null:, hash: or hash:FILE
    #[arg(required = true)]
    pub output: Option<String>,
    /// How the input is read.
    #[command(flatten)]
    pub reading: Reading,
    /// What is done.
    #[command(flatten)]
    pub chain: Chain,
    /// How the output is written.
    #[command(flatten)]
    pub writing: Writing,
    /// What does the work.
    #[command(flatten)]
    pub execution: Execution,
    /// What is told when it is done.
    #[command(flatten)]
    pub reporting: Reporting,
}

/// How the input is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct Reading {
    /// Read raw frames of this format, size and rate: yuv420p10le:1920x1080@30000/1001
    #[arg(long, value_name = "FORMAT:WxH@FPS")]
    pub raw: Option<String>,
    /// Start here: seconds, or HH:MM:SS.fraction
    #[arg(long, value_name = "TIME")]
    pub start: Option<String>,
    /// Stop after this much: seconds, or HH:MM:SS.fraction
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Stop after this many frames
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Treat damaged input, and streams and times that cannot be kept, as errors
    #[arg(long, conflicts_with = "salvage")]
    pub strict: bool,
    /// Keep what can be read of an input that ends early
    #[arg(long)]
    pub salvage: bool,
}

/// What is done.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
pub struct Chain {
    /// A filter or a chain of them: name=value:key=value,name2=…; may be repeated, runs in order
    ///
    /// Every filter takes planes=y, mix=0.5, enable='between(t,1,3)' (the frames it acts on, as in FFmpeg), roi=WxH+X+Y (a
    /// rectangle) and mask=FILE.png (white: all of the result).
    #[arg(short, long, value_name = "CHAIN")]
    pub filter: Vec<String>,
    /// What lies outside the picture, for all filters that do not say: reflect101, clamp, reflect, wrap, lopsided, zero, or a grey from 0 to 1
    #[arg(long, value_name = "MODE")]
    pub border: Option<String>,
    /// Which planes are filtered, for all filters that do not say: a mask as in FFmpeg, or letters such as y or uv
    #[arg(long, value_name = "PLANES")]
    pub planes: Option<String>,
}

/// How the output is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct Writing {
    /// Replace existing outputs and reports
    #[arg(short = 'y', long)]
    pub overwrite: bool,
    /// Video encoder: libx264, libx265, libsvtav1, libvpx-vp9, ffv1, prores_ks, h264_nvenc, …
    #[arg(long, value_name = "NAME")]
    pub codec: Option<String>,
    /// Constant quality of the encoder; 18 for libx264 unless given
    #[arg(long, value_name = "N", conflicts_with_all = ["bitrate", "lossless"])]
    pub crf: Option<f32>,
    /// Speed preset of the encoder
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Bits per second: 5M, 800k
    #[arg(long, value_name = "RATE", conflicts_with = "lossless")]
    pub bitrate: Option<String>,
    /// Pixel format of the output; the input's unless given. For y4m and raw frames, one of the same samples
    #[arg(long, value_name = "FORMAT")]
    pub pix_fmt: Option<String>,
    /// Encode without loss: ffv1 where the container holds it
    #[arg(long)]
    pub lossless: bool,
    /// Container, where the name does not tell: mp4, matroska, mov, webm, nut, …; y4m and raw for pipes
    #[arg(long, value_name = "NAME")]
    pub container: Option<String>,
    /// An option of the encoder: tune=grain; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub encoder_option: Vec<String>,
}

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
    /// Threads of the CPU stage, of the decoder and of the encoder; all cores unless given, and with 0
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Frames under way on the GPU at a time
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

/// What is told when it is done.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reporting")]
pub struct Reporting {
    /// Write statistics of the run: frames, fps, and how long each stage worked and waited; - is stdout
    #[arg(long, value_name = "FILE.json")]
    pub stats: Option<PathBuf>,
    /// Write when each frame was decoded, uploaded, filtered, downloaded and encoded, for ui.perfetto.dev; - is stdout
    #[arg(long, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
    /// Draw a screen while it runs: fps, stages, frames under way, memory, the last minute
    #[arg(long, conflicts_with = "quiet")]
    pub live: bool,
}

/// How much is said on stderr.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reporting")]
pub struct Verbosity {
    /// Say more; twice for what the codecs say
    #[arg(short, long, action = clap::ArgAction::Count, global = true, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}
