//! The command line as it is typed; its meaning is decided elsewhere.

mod answer;
mod bench;
mod chain;
mod complaint;
mod execution;
mod explain;
mod filtering;
mod foreign;
mod metrics;
mod misplaced;
mod option;
mod page;
mod parse;
mod preview;
mod reading;
mod reporting;
mod several;
mod writing;

use clap::{Parser, Subcommand};

pub use bench::{Against, Bench, BenchCommand, BenchFiles, Measuring, SyntheticFrames};
pub use chain::Chain;
pub use execution::{BackendName, DecoderName, Execution};
pub use explain::Explain;
pub use filtering::Filtering;
pub use metrics::{MetricName, MetricsWords};
pub use option::JobOptions;
pub use preview::PreviewWords;
pub use reading::{Excerpt, FieldsName, Reading};
pub use reporting::{ProgressName, Reporting, Verbosity};
pub use several::Several;
pub use writing::{PairingName, VideoName, Writing};

const EXAMPLES: &str = "\
Examples:
  warpreel in.mp4 out.mp4 -f gaussian=sigma=2
  warpreel in.mkv out.mkv -f tmix=frames=5 -f unsharp --lossless
  warpreel in.mp4 hash: -f convolution=\"1 2 1 2 4 2 1 2 1\"
  ffmpeg -i in.mkv -f yuv4mpegpipe - | warpreel - - -f sobel | x264 --demuxer y4m -o out.264 -
  warpreel *.mp4 -o filtered -f gaussian=sigma=2 --skip-existing
  warpreel clips/ filtered/ -f denoise --container mkv
  warpreel --watch incoming/ filtered/ -f denoise
  warpreel in.mp4 out.mp4 -f unsharp --compare split
  warpreel filters gaussian

Exit codes: 0 done, 1 failed, 2 wrong usage.
Ctrl-C keeps the finished part as the playable file OUTPUT.partial.EXT; press it again to delete it. A job that was started with
--resume continues when it is typed again.";

/// End of `-h`, which fits on a screen.
const BRIEF: &str = "\
Example: warpreel in.mp4 out.mp4 -f denoise
All options: warpreel --help. All filters: warpreel filters";

/// Text of the program without arguments.
const WELCOME: &str = "\
warpreel filters video: blur, sharpen, denoise, or any kernel of your own,
on the GPU or the CPU, with the same bytes on both.

  warpreel in.mp4 out.mp4 -f denoise           filter a clip
  warpreel preview in.mp4 -f gaussian=sigma=2  try filters in the browser
  warpreel *.mp4 -o filtered -f unsharp        filter several clips

The filters:         warpreel filters
The common options:  warpreel -h
All options:         warpreel --help
";

/// Filters video on the GPU or the CPU, with the same bytes on both.
///
/// INPUT is a file, an image sequence (frame%04d.png), a folder, each video of which is filtered into the folder OUTPUT, or - for
/// stdin: y4m and streamable containers are detected, raw frames need --raw. An address such as rtsp://… or udp://… is read
/// from the network. OUTPUT is a file, an image sequence, - for stdout (y4m, or what --container names), an address, null: to discard the
/// frames, hash: to print a checksum of each frame, or hash:FILE.
#[derive(Debug, Parser)]
#[command(name = "warpreel", version, max_term_width = 98, after_help = BRIEF, after_long_help = EXAMPLES)]
#[command(
    override_usage = "warpreel [OPTIONS] <INPUT> <OUTPUT>\n       warpreel <COMMAND>\n       warpreel [OPTIONS] <INPUT>... -o <DIR>"
)]
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
    /// List the filters, describe one, or find some by purpose
    Filters {
        /// A filter, with values if wanted: gaussian=sigma=3; a purpose: "remove noise"; or common
        #[arg(value_name = "FILTER")]
        filter: Vec<String>,
        /// Draw its kernel and frequency response as an SVG file; - is stdout
        #[arg(long, value_name = "FILE", requires = "filter")]
        svg: Option<String>,
        /// Replace an existing picture
        #[arg(short = 'y', long)]
        overwrite: bool,
    },
    /// Print how a chain or a whole job would run, without running it
    ///
    /// For a chain: passes, factors, what was joined and why, taps, bytes and operations. With an output also how every stream
    /// would be written.
    Explain(Box<Explain>),
    /// Compare before and after in the browser, on a local page
    Preview(Box<PreviewWords>),
    /// Check this machine: GPU, FFmpeg, encoders, and what to install
    Doctor,
    /// Measure speed: a job, the filters alone, the machine's limits
    Bench(Box<Bench>),
    /// Measure how much two clips differ: PSNR, SSIM, XPSNR, SSIMULACRA2
    ///
    /// Clips are compared frame by frame, on the CPU or a GPU. Prints figures of the clip and the worst frames; --json and --csv write the
    /// values of each frame, and --html plots them.
    Metrics(Box<MetricsWords>),
    /// Print a completion script for a shell
    Completions {
        /// Name of the shell
        shell: clap_complete::Shell,
    },
    /// Print a page of the manual: warpreel man | man -l -
    Man {
        /// Subcommand that has its own page, such as bench
        command: Option<String>,
    },
}
