//! How the input is read.

use clap::{Args, ValueEnum};

/// How the input is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct Reading {
    /// Read raw frames of this format, size and rate: yuv420p10le:1920x1080@30000/1001
    #[arg(long, value_name = "FORMAT:WxH@FPS")]
    pub raw: Option<String>,
    /// Frames a second of an image sequence or of raw frames, 25 unless given: 24, 29.97, 30000/1001
    #[arg(long, value_name = "RATE")]
    pub fps: Option<String>,
    /// Start here: seconds, HH:MM:SS.fraction, or a frame, counted from 0: --start=#250
    ///
    /// A part is a slice of what the whole clip would become: filters see the frames around it, and the times and numbers of
    /// enable are those of the clip.
    #[arg(long, value_name = "TIME")]
    pub start: Option<String>,
    /// Stop before this: seconds, HH:MM:SS.fraction, or a frame: --end=#500
    #[arg(long, value_name = "TIME", conflicts_with = "duration")]
    pub end: Option<String>,
    /// Stop after this much: seconds, or HH:MM:SS.fraction
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Stop after this many frames
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Read only this chunk of what is left then: 3/8 is the third of eight, cut at key frames
    ///
    /// The frames of all chunks together are, byte for byte, those of one run, with its times: filters see the frames around
    /// a chunk. A chunk is video alone, and best stored with --lossless in a .nut (floats in a .raw); --chunks-from joins
    /// chunks. explain lists all with --chunk 8, and each in a longer form that is taken here too and spares looking through
    /// the clip again.
    #[arg(long, value_name = "I/N")]
    pub chunk: Option<String>,
    /// Take the pictures from chunks that are filtered already, numbered from 1 on: part%d.nut; all else is of the input
    ///
    /// They are encoded anew, to the bytes of one run; with --codec copy chunks that are encoded already are joined packet by
    /// packet, and each begins with a key frame.
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["chunk", "filter"])]
    pub chunks_from: Option<String>,
    /// How interlaced frames are filtered: each field as a picture of its own, or whole
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub fields: FieldsName,
    /// Treat damaged input, and streams and times that cannot be kept, as errors
    #[arg(long, conflicts_with = "salvage")]
    pub strict: bool,
    /// Keep what can be read of an input that ends early
    #[arg(long)]
    pub salvage: bool,
}

/// How interlaced frames are filtered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FieldsName {
    /// Each field by itself where the clip says that it is interlaced
    #[default]
    Auto,
    /// Whole frames
    Frame,
    /// Each field by itself
    Separate,
}
