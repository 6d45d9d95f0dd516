//! How the output is written.

use clap::{Args, ValueEnum};

use super::metrics::MetricName;

/// How the output is written.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Writing {
    /// Replace existing outputs and reports
    #[arg(short = 'y', long)]
    pub overwrite: bool,
    /// Video encoder: libx264, libx265, ffv1, h264_nvenc, …
    ///
    /// Encoder or codec: libx264, libx265, libsvtav1, libvpx-vp9, ffv1, prores_ks, h264_nvenc, …; default: the input's codec if
    /// the container can hold it. doctor lists the encoders that work here.
    #[arg(long, value_name = "NAME")]
    pub codec: Option<String>,
    /// Constant quality from 1 to 100, the best; default 80
    ///
    /// The default is libx264's crf 18 in every encoder, and 95 for stills.
    #[arg(long, value_name = "N", conflicts_with_all = ["crf", "bitrate", "lossless"])]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=100))]
    pub quality: Option<u8>,
    /// Constant quality in the encoder's own measure: crf, q, cq, qp; lower is better
    #[arg(long, hide_short_help = true, value_name = "N", conflicts_with_all = ["bitrate", "lossless"])]
    pub crf: Option<f32>,
    /// Speed preset of the encoder: fast, slow, …
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub preset: Option<String>,
    /// Bit rate: 5M, 800k
    #[arg(long, hide_short_help = true, value_name = "RATE", conflicts_with = "lossless")]
    pub bitrate: Option<String>,
    /// Pixel format of the output; default: the input's, or 4:2:0 for RGB in lossy codecs. Lost bits are
    /// dithered
    #[arg(long, hide_short_help = true, value_name = "FORMAT")]
    pub pix_fmt: Option<String>,
    /// Encode without loss, by default with ffv1
    #[arg(long)]
    pub lossless: bool,
    /// Container, if the output's name does not imply it: mp4, matroska, mov, webm, nut, …; for pipes y4m, raw, image2pipe
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub container: Option<String>,
    /// Videos to filter, where the input has several
    #[arg(
        long,
        hide_short_help = true,
        value_enum,
        value_name = "WHICH",
        default_value = "first",
        conflicts_with = "chunk"
    )]
    pub video: VideoName,
    /// Sound: all, copy, none, or streams as 1,2 or eng
    ///
    /// all copies sound, and converts what the container cannot hold; copy never converts. Streams are named by number, from 1,
    /// or by language.
    #[arg(long, value_name = "WHICH", conflicts_with = "chunk")]
    pub audio: Option<String>,
    /// Drop all sound, as --audio none
    #[arg(long, hide_short_help = true, conflicts_with = "audio")]
    pub no_audio: bool,
    /// Subtitles: all, copy, none, numbers or languages, as for --audio
    #[arg(long, hide_short_help = true, value_name = "WHICH", conflicts_with = "chunk")]
    pub subtitles: Option<String>,
    /// Drop these streams: audio, subtitles, data, audio:2, a language, or a stream's number; may be repeated
    ///
    /// audio:2 and subtitles:eng count as for --audio; a number alone is the one that ffprobe shows, from 0.
    #[arg(long, hide_short_help = true, value_name = "STREAMS")]
    pub drop: Vec<String>,
    /// Show before and after in one picture: side or split
    #[arg(long, value_enum, value_name = "HOW")]
    pub compare: Option<PairingName>,
    /// Measure how much filtered frames differ from the input: psnr, ssim, xpsnr, ssimulacra2, separated by commas
    ///
    /// The input is scaled where the sizes differ. The figures are those of warpreel metrics; they are printed at the end, and are in
    /// --stats. Losses of the encoder are not included; warpreel metrics INPUT OUTPUT measures that too.
    /// --backend chooses where to measure too.
    #[arg(long, hide_short_help = true, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub metrics: Vec<MetricName>,
    /// Option of the encoder: tune=grain; may be repeated
    #[arg(long, hide_short_help = true, value_name = "KEY=VALUE")]
    pub encoder_option: Vec<String>,
}

/// Which videos are filtered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum VideoName {
    /// The one that players show; others are copied
    #[default]
    First,
    /// All, each by itself
    All,
}

/// How before and after become one picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PairingName {
    /// Twice as wide: before on the left, after on the right
    Side,
    /// Same size: the left half before, a thin line, the right half after
    Split,
}
