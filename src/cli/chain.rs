//! What is done: filters, and what holds for those that do not say.

use clap::Args;

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
    /// What lies outside the picture, for all filters that do not say: reflect101, clamp, reflect, wrap, lopsided, zero, or
    /// a grey from 0 to 1
    #[arg(long, value_name = "MODE")]
    pub border: Option<String>,
    /// Which planes are filtered, for all filters that do not say: a mask as in FFmpeg, or letters such as y or uv
    #[arg(long, value_name = "PLANES")]
    pub planes: Option<String>,
}
