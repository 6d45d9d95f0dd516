//! How the input is read.

use clap::{Args, ValueEnum};

/// How the input is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct Reading {
    /// The clip.
    #[command(flatten)]
    pub excerpt: Excerpt,
    /// Filter only one chunk of the clip: 3/8 is the third of eight, cut at key frames
    ///
    /// The frames of all chunks together have the bytes and times of one run: filters see the frames around a chunk. A chunk
    /// holds video only; store it with --lossless in a .nut file (float samples in a .raw file), and join chunks with
    /// --chunks-from. explain --chunk 8 lists all eight; the long form it prints avoids scanning the clip again.
    #[arg(long, hide_short_help = true, value_name = "I/N")]
    pub chunk: Option<String>,
    /// Join filtered chunks, numbered from 1: part%d.nut; sound and metadata come from INPUT
    ///
    /// The frames are encoded again, to the bytes of one run. With --codec copy, chunks that are already encoded are joined
    /// packet by packet; each begins with a key frame.
    #[arg(long, hide_short_help = true, value_name = "PATTERN", conflicts_with_all = ["chunk", "filter"])]
    pub chunks_from: Option<String>,
    /// Longest time without an answer or a packet from or to an address (udp://…): 10s, 500ms; default: 10s
    #[arg(long, hide_short_help = true, value_name = "TIME")]
    pub timeout: Option<String>,
    /// Number of times in a row that an input address is opened again after it was lost; default: 0
    ///
    /// Each attempt takes up to --timeout, and attempts are a second apart; a frame ends the row. When all are used up, the output is completed
    /// and the run fails. Times go on with a gap as long as the loss.
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub reconnect: Option<u32>,
    /// Drop frames of an input address that are more than 0.5 s late because the job is too slow; they are counted
    #[arg(long, hide_short_help = true)]
    pub drop_late: bool,
    /// How to filter interlaced frames: each field separately, or whole frames
    #[arg(long, hide_short_help = true, value_enum, default_value_t, value_name = "HOW")]
    pub fields: FieldsName,
    /// Fail on damaged input, and on streams or timestamps that cannot be kept
    #[arg(long, hide_short_help = true, conflicts_with = "salvage")]
    pub strict: bool,
    /// Keep the readable part of an input that ends early
    #[arg(long, hide_short_help = true)]
    pub salvage: bool,
    /// Repeat the frame before for each frame lost to damage, so that sound and picture stay together
    #[arg(long, hide_short_help = true, conflicts_with_all = ["strict", "chunk", "chunks_from"])]
    pub conceal: bool,
}

/// Format of raw frames, and the part of a clip that is read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct Excerpt {
    /// Read raw frames of this format, size and rate: yuv420p10le:1920x1080@30000/1001
    #[arg(long, hide_short_help = true, value_name = "FORMAT:WxH@FPS")]
    pub raw: Option<String>,
    /// Frame rate of an image sequence or of raw frames: 24, 29.97 or 30000/1001; default 25
    #[arg(long, hide_short_help = true, value_name = "RATE")]
    pub fps: Option<String>,
    /// Start at a time, 12.5 or 1:02:03, or at a frame, #250
    ///
    /// Frames are counted from 0. A part has the same bytes as that part of the whole filtered clip: filters see the frames
    /// before and after it, and the times and frame numbers in enable= are those of the clip.
    #[arg(long, value_name = "TIME")]
    pub start: Option<String>,
    /// Stop before a time or a frame, as for --start
    #[arg(long, value_name = "TIME", conflicts_with = "duration")]
    pub end: Option<String>,
    /// Stop after this much time
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Stop after this many frames
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
}

/// How interlaced frames are filtered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FieldsName {
    /// Each field separately if the clip is marked as interlaced
    #[default]
    Auto,
    /// Whole frames
    Frame,
    /// Each field separately
    Separate,
}
