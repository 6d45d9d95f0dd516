//! How pictures are to be stored: what can be asked of an encoder and a container.

use crate::libav::Strictness;

/// How pictures are stored.
#[derive(Clone, Debug, Default)]
pub struct Encoding {
    /// FFmpeg's name of an encoder; by default what suits the container: libx264, libvpx-vp9 in webm, png for images.
    pub codec: Option<String>,
    /// Constant quality in the encoder's own measure; by default 18 with libx264, 20 with libx265, 31 with libvpx-vp9.
    pub crf: Option<f32>,
    /// The encoder's preset, by its name or number.
    pub preset: Option<String>,
    /// Bits per second instead of constant quality: `5M`.
    pub bitrate: Option<String>,
    /// FFmpeg's name of a pixel format; by default the clip's own, or the nearest that the encoder takes.
    pub pix_fmt: Option<String>,
    /// Whether every sample must come back.
    pub fidelity: Fidelity,
    /// The container by name or usual ending; by default what the output's name ends in.
    pub container: Option<String>,
    /// The encoder's own options.
    pub options: Vec<(String, String)>,
    /// Whether what the output cannot hold is an error.
    pub strict: Strictness,
    /// Threads to encode with; 0 for as many as the encoder thinks right.
    pub threads: usize,
}

/// Whether every sample must come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fidelity {
    /// As good as the quality that is asked for.
    #[default]
    Lossy,
    /// Bit for bit: ffv1 in mkv, mov and avi, lossless libx264 in mp4, lossless libvpx-vp9 in webm, or the lossless
    /// mode of the encoder that is asked for.
    Lossless,
}
