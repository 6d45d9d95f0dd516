//! What can be typed, and nothing about what it means: every field is exactly what stood on the command line.

mod bench;
mod chain;
mod execution;
mod explain;
mod filtering;
mod foreign;
mod option;
mod page;
mod parse;
mod preview;
mod reading;
mod reporting;
mod several;
mod writing;

use clap::{Parser, Subcommand};

pub use bench::{Bench, BenchCommand, BenchFiles, Measuring, SyntheticFrames};
pub use chain::Chain;
pub use execution::{BackendName, DecoderName, Execution};
pub use explain::Explain;
pub use filtering::Filtering;
pub use option::JobOptions;
pub use preview::PreviewWords;
pub use reading::{FieldsName, Reading};
pub use reporting::{ProgressName, Reporting, Verbosity};
pub use several::Several;
pub use writing::{PairingName, Writing};

const EXAMPLES: &str = "\
Examples:
  warpreel in.mp4 out.mp4 -f gaussian=sigma=2
  warpreel in.mkv out.mkv -f tmix=frames=5 -f unsharp --lossless
  warpreel in.mp4 hash: -f convolution=\"1 2 1 2 4 2 1 2 1\"
  ffmpeg -i in.mkv -f yuv4mpegpipe - | warpreel - - -f sobel | x264 --demuxer y4m -o out.264 -
  warpreel *.mp4 -o filtered -f gaussian=sigma=2 --skip-existing
  warpreel in.mp4 out.mp4 -f unsharp --compare split
  warpreel filters gaussian

Exit codes: 0 done, 1 failed, 2 wrong usage. Ctrl-C keeps what is written as OUTPUT.partial.EXT; once more ends at once.";

/// Filters video with convolution in x, y and t, on the GPU or the CPU, with the same bytes on both.
///
/// INPUT is a file, an image sequence (frame%04d.png), or - for stdin, where y4m and streamable containers are
/// recognised and raw frames need --raw. OUTPUT is a file, an image sequence, - for stdout (y4m unless --container
/// says otherwise), null: to discard, hash: for a checksum of each frame on stdout, or hash:FILE.
#[derive(Debug, Parser)]
#[command(name = "warpreel", version, max_term_width = 98, after_help = EXAMPLES)]
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
    /// Print what a chain becomes (passes, factors, what was joined and why, taps, bytes, operations), and with an output
    /// what would become of every stream
    Explain(Box<Explain>),
    /// See what a chain does, before and after, in the browser: a page on this machine that follows every change
    Preview(Box<PreviewWords>),
    /// Print what was found on this machine, and how to install what is missing
    Doctor,
    /// Measure how fast it is and why: a job, the filter stage alone, the machine's limits, the ladder of kernels
    Bench(Box<Bench>),
    /// Print the script with which a shell completes what is typed
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the page of the manual: warpreel man | man -l -
    Man {
        /// A subcommand with a page of its own, such as bench
        command: Option<String>,
    },
}
