//! What a run tells of itself when it is done.

use serde::Serialize;
use warpreel_metric::{QualitySeries, QualitySummary};

use super::chunk::Chunk;
use crate::frame::LiveReading;
use crate::gauge::GaugeReading;
use crate::pipeline::{LaneReading, Readings, RunOutcome};
use crate::sink::fate::StreamFate;
use crate::source::Defects;

/// Statistics of a run, as `--stats` writes them.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this layout.
    pub version: u32,
    /// As typed.
    pub input: String,
    /// As typed.
    pub output: String,
    /// `yuv420p 1280x720 at 25 fps`.
    pub format: String,
    /// The passes that ran, in order; those of each shot where the chain changed from one to another.
    pub passes: Vec<String>,
    /// Remark on a denoiser whose typed strength is far from the measured noise, and what to type.
    pub remark: Option<String>,
    /// Who filtered, and why.
    pub backend: String,
    /// What decoded, and why: `nvdec, 7 lanes`, `software`; `null` where frames were not coded.
    pub decoder: Option<String>,
    /// How frames were stored, and what came along beside them: `h264 crf 18`, `AAC copied`; nothing where they were not
    /// encoded.
    pub stored: Vec<String>,
    /// What became of each stream of the input, of its chapters and tags.
    pub streams: Vec<StreamFate>,
    /// Size of the output, where it is one file.
    pub bytes: Option<u64>,
    /// Frames written.
    pub frames: u64,
    /// Which chunk of a clip they are, and their checksum, if they are not all of it.
    pub chunk: Option<ChunkReport>,
    /// How the user stopped it, if so.
    pub interrupted: Option<Interruption>,
    /// From the first frame asked for to the output complete.
    pub seconds: f64,
    /// `frames / seconds`.
    pub fps: f64,
    /// The stage that worked longest: all others waited for it.
    pub pace: &'static str,
    /// How long each stage worked and waited.
    pub stages: Readings,
    /// The same of each GPU, where several filtered.
    pub gpus: Vec<LaneReading>,
    /// How long each decoder worked and waited, where several work side by side.
    pub decoders: Vec<GaugeReading>,
    /// Figures of the metrics that were asked for: how much the frames differ from those of the input. `null` where none were asked
    /// for, or no frame was written.
    pub metrics: Option<QualitySummary>,
    /// The values of each frame behind them.
    #[serde(skip)]
    pub scores: Option<QualitySeries>,
    /// Delays and losses of a live input, an address; `null` where the input is not live.
    pub live: Option<LiveReading>,
    /// What was wrong with the input.
    pub defects: Defects,
    /// Memory of all frames there ever were at a time.
    pub frame_memory_bytes: usize,
    /// Memory used on the GPU; `null` where none filtered.
    pub device_memory_bytes: Option<usize>,
    /// Cause of the failure, where the run failed; there is no output then, except of a live input that was lost.
    pub error: Option<String>,
}

/// A chunk that was filtered.
#[derive(Clone, Debug, Serialize)]
pub struct ChunkReport {
    /// Which frames it was to have.
    #[serde(flatten)]
    pub chunk: Chunk,
    /// The MD5 of the MD5s of all its frames as they were filtered, each as `hash:` prints it and on a line of its own; `null`
    /// where the user stopped it. Of a chunk that was stored without loss it is that of the last column of
    /// `ffmpeg -i CHUNK -f framemd5 -`.
    pub md5: Option<String>,
}

/// A run that the user stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interruption {
    /// How many frames the whole clip would have had, where that is known or can be estimated.
    pub of: Option<u64>,
    /// Where those that were written stand, if that is a file; its name is not the output's.
    pub kept: Option<String>,
}

impl Interruption {
    /// Of a clip of `of` frames; `None` where the output is complete.
    pub(super) fn of(outcome: RunOutcome, of: Option<u64>) -> Option<Self> {
        match outcome {
            RunOutcome::Complete => None,
            RunOutcome::Interrupted { kept } => Some(Self { of, kept: kept.map(|path| path.display().to_string()) }),
        }
    }
}

impl Report {
    /// The version of this layout; it rises when a field changes its meaning or goes.
    pub const VERSION: u32 = 1;

    /// One line: `132 frames in 1.02 s, 129.4 fps; encode sets the pace`, or, where the user stopped it,
    /// `interrupted at frame 70 of 132; the first 70 are in out.partial.mp4`.
    pub fn summary(&self) -> String {
        let Self { frames, seconds, fps, pace, .. } = self;
        let plural = if *frames == 1 { "" } else { "s" };
        if let Some(Interruption { of, kept }) = &self.interrupted {
            let of = of.filter(|of| of > frames).map_or(String::new(), |of| format!(" of {of}"));
            return match (frames, kept) {
                (0, _) => "interrupted before the first frame; nothing was written".to_owned(),
                (1, Some(kept)) => format!("interrupted at frame 1{of}; the first is in {kept}"),
                (_, Some(kept)) => {
                    let live = self.live.as_ref().map(told).unwrap_or_default();
                    format!("interrupted at frame {frames}{of}; the first {frames} are in {kept}{live}")
                }
                (_, None) => {
                    let live = self.live.as_ref().map(told).unwrap_or_default();
                    format!("interrupted at frame {frames}{of}{live}")
                }
            };
        }
        if *frames == 1 {
            return format!("1 frame in {seconds:.2} s");
        }
        let live = self.live.as_ref().map(told).unwrap_or_default();
        format!("{frames} frame{plural} in {seconds:.2} s, {fps:.1} fps; {pace} sets the pace{live}")
    }

    /// One line on the output: `out.mp4: h264 crf 18, 132 frames, 1.7 MB, AAC copied`; `None` where nothing was encoded.
    pub fn written(&self) -> Option<String> {
        let (coding, rest) = self.stored.split_first()?;
        let plural = if self.frames == 1 { "" } else { "s" };
        let mut parts = vec![coding.clone(), format!("{} frame{plural}", self.frames)];
        parts.extend(self.bytes.map(size));
        parts.extend_from_slice(rest);
        let name = match &self.interrupted {
            Some(interruption) => interruption.kept.as_ref()?,
            None if self.output == "-" => "stdout",
            None => &self.output,
        };
        Some(format!("{name}: {}", parts.join(", ")))
    }
}

/// Delays and losses in words.
fn told(live: &LiveReading) -> String {
    let LiveReading { delay_ms, longest_delay_ms, recent_delay_ms: _, dropped, reconnects } = live;
    let counted = |count: u64, one: &str, many: &str| match count {
        0 => String::new(),
        1 => format!(", 1 {one}"),
        count => format!(", {count} {many}"),
    };
    let dropped = counted(*dropped, "late frame dropped", "late frames dropped");
    let reconnects = counted(*reconnects, "reconnect", "reconnects");
    format!("; delay {delay_ms:.0} ms, at most {longest_delay_ms:.0} ms{dropped}{reconnects}")
}

/// A number of bytes as people write it: `1.7 MB`.
pub(super) fn size(bytes: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let large = units.iter().find(|(_, unit)| bytes as f64 >= *unit);
    large.map_or_else(|| format!("{bytes} bytes"), |(name, unit)| format!("{:.1} {name}", bytes as f64 / unit))
}
