//! The main job: a clip, a chain of filters, and where the result goes.

use clap::Args;

use super::execution::Execution;
use super::reading::Reading;
use super::reporting::Reporting;
use super::writing::Writing;

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

/// What is done.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
pub struct Chain {
    /// A filter or a chain of them: name=value:key=value,name2=…, or @FILE; may be repeated, runs in order
    ///
    /// Every filter takes planes=y, mix=0.5, enable='between(t,1,3)' (the frames it acts on, as in FFmpeg), roi=WxH+X+Y (a
    /// rectangle) and mask=FILE.png (white: all of the result). In a file each line may hold a filter, and # begins a
    /// comment.
    #[arg(short, long, value_name = "CHAIN")]
    pub filter: Vec<String>,
    /// What lies outside the picture, for all filters that do not say: reflect101, clamp, reflect, wrap, lopsided, zero, or a grey from 0 to 1
    #[arg(long, value_name = "MODE")]
    pub border: Option<String>,
    /// Which planes are filtered, for all filters that do not say: a mask as in FFmpeg, or letters such as y or uv
    #[arg(long, value_name = "PLANES")]
    pub planes: Option<String>,
}
