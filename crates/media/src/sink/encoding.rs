//! How an output is stored: what was asked for, option by option, from where it is typed to where an encoder takes it.

use super::wish::Wishes;
use crate::strictness::Strictness;

/// How pictures are stored.
#[derive(Clone, Debug, Default)]
pub struct Encoding {
    /// FFmpeg's name of an encoder or a codec; by default that of the input's codec (H.264, HEVC, VP9, AV1, ProRes) in mp4,
    /// mov, mkv, webm and ts, else what suits the container: libx264, libvpx-vp9 in webm, png for images.
    pub codec: Option<String>,
    /// Constant quality from 1 to 100, the best, by one scale for all encoders; by default 80 for videos and 95 for stills.
    pub quality: Option<u8>,
    /// Constant quality in the encoder's own measure instead: 0 to 51 with libx264, 1 to 31 with mpeg2video.
    pub crf: Option<f32>,
    /// The encoder's preset, by its name or number; by default a fast one where the encoder's own is slow: 8 with libsvtav1,
    /// 6 with libaom-av1, 4 with libvpx-vp9.
    pub preset: Option<String>,
    /// Bits per second instead of constant quality: `5M`.
    pub bitrate: Option<String>,
    /// FFmpeg's name of a pixel format; by default the clip's own, or the nearest that the encoder takes. RGB and JPEG
    /// pictures become 4:2:0 of the same depth in lossy codecs, and GIF has 256 colours that suit them.
    pub pix_fmt: Option<String>,
    /// Whether every sample must come back.
    pub fidelity: Fidelity,
    /// The container by name or usual ending; by default what the output's name ends in. `y4m` and `raw` too.
    pub container: Option<String>,
    /// The encoder's own options.
    pub options: Vec<(String, String)>,
    /// What becomes of sound, subtitles and whatever else is beside the pictures.
    pub wishes: Wishes,
    /// The comment of the file instead of the clip's: which chunk it holds. A job says so.
    pub comment: Option<String>,
    /// Whether what the output cannot hold is an error; a job says so.
    pub strict: Strictness,
    /// Whether it is a chunk, whose samples a join reads again: lossless codecs keep them, whatever the container can say
    /// of them; a job says so.
    pub is_chunk: bool,
    /// Whether it is watched as it is made, so that encoders hold no frame back; a job says so.
    pub is_live: bool,
    /// Threads to encode with, 0 for as many as the encoder thinks right; a job says how many.
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

impl Encoding {
    /// The first option that was given and has no use where nothing is encoded; `--pix-fmt` has one `if_stored`, where
    /// samples are written as they are.
    pub fn needless(&self, if_stored: bool) -> Option<&'static str> {
        // Each option is thought of: what would lose nothing by being ignored is named and left alone.
        let Self { codec, quality, crf, preset, bitrate, pix_fmt, options, .. } = self;
        let Self { fidelity: _, container: _, wishes: _, comment: _, strict: _, is_chunk: _, threads: _, .. } = self;
        let Self { is_live: _, .. } = self;
        let given = [
            (codec.is_some(), "--codec"),
            (quality.is_some(), "--quality"),
            (crf.is_some(), "--crf"),
            (preset.is_some(), "--preset"),
            (bitrate.is_some(), "--bitrate"),
            (pix_fmt.is_some() && !if_stored, "--pix-fmt"),
            (!options.is_empty(), "--encoder-option"),
        ];
        given.iter().find(|(is_given, _)| *is_given).map(|(_, option)| *option)
    }
}
