//! How the output is written.

use clap::{Args, ValueEnum};

/// How the output is written.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Writing {
    /// Replace existing outputs and reports
    #[arg(short = 'y', long)]
    pub overwrite: bool,
    /// Video encoder or codec; the input's codec unless given, where the container allows: libx264, libx265, libsvtav1,
    /// libvpx-vp9, ffv1, prores_ks, h264_nvenc, …
    #[arg(long, value_name = "NAME")]
    pub codec: Option<String>,
    /// Constant quality from 1 to 100, the best; 80 unless given (libx264 at crf 18), 95 for stills
    #[arg(long, value_name = "N", conflicts_with_all = ["crf", "bitrate", "lossless"])]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=100))]
    pub quality: Option<u8>,
    /// Constant quality in the encoder's own measure: crf, q, cq, qp
    #[arg(long, value_name = "N", conflicts_with_all = ["bitrate", "lossless"])]
    pub crf: Option<f32>,
    /// Speed preset of the encoder
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Bits per second: 5M, 800k
    #[arg(long, value_name = "RATE", conflicts_with = "lossless")]
    pub bitrate: Option<String>,
    /// Pixel format of the output; the input's unless given, 4:2:0 for RGB in lossy codecs. For y4m, one of the same samples
    #[arg(long, value_name = "FORMAT")]
    pub pix_fmt: Option<String>,
    /// Encode without loss: ffv1 where the container holds it
    #[arg(long)]
    pub lossless: bool,
    /// Container, where the name does not tell: mp4, matroska, mov, webm, nut, …; y4m, raw, image2pipe for pipes
    #[arg(long, value_name = "NAME")]
    pub container: Option<String>,
    /// Sound: all (converted where the container cannot hold it), copy (never converted), none, or numbers: 1,2
    #[arg(long, value_name = "WHICH", conflicts_with = "chunk")]
    pub audio: Option<String>,
    /// Leave out all sound: --audio none
    #[arg(long, conflicts_with = "audio")]
    pub no_audio: bool,
    /// Subtitles: all, copy, none, or numbers, as for --audio
    #[arg(long, value_name = "WHICH", conflicts_with = "chunk")]
    pub subtitles: Option<String>,
    /// Leave these out: audio, subtitles, data, or a stream's number
    #[arg(long, value_name = "STREAMS")]
    pub drop: Option<String>,
    /// Show before and after in one picture
    #[arg(long, value_enum, value_name = "HOW")]
    pub compare: Option<PairingName>,
    /// An option of the encoder: tune=grain; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub encoder_option: Vec<String>,
}

/// How before and after become one picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PairingName {
    /// Twice as wide: before on the left, after on the right
    Side,
    /// Of the same size: the left half of before, a thin line, the right half of after
    Split,
}
