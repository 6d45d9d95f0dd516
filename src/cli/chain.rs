//! The chain of filters, and defaults for it.

use clap::Args;

/// The filters.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
pub struct Chain {
    /// Filter, or chain of filters separated by commas
    ///
    /// name=value:key=value,name2=…, or @FILE to read the chain from a text file with one filter a line and comments behind #.
    /// May be repeated; filters run in the order typed. Every filter takes planes=y, mix=0.5, enable='between(t,1,3)' (the
    /// frames to filter, as in FFmpeg), roi=WxH+X+Y (a rectangle) and mask=FILE.png (white: filtered, black: unchanged).
    /// "warpreel filters" lists the filters, "warpreel filters NAME" describes one.
    #[arg(short, long, value_name = "CHAIN")]
    pub filter: Vec<String>,
    /// Samples outside the picture, for filters without border=: reflect101, clamp, reflect, wrap, lopsided, zero, or a grey
    /// level from 0 to 1
    #[arg(long, hide_short_help = true, value_name = "MODE")]
    pub border: Option<String>,
    /// Planes to filter, for filters without planes=: letters such as y or uv, or a bit mask as in FFmpeg
    #[arg(long, hide_short_help = true, value_name = "PLANES")]
    pub planes: Option<String>,
}
