//! Description of a clip, for someone who does not know yet what to do with it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::input;
use super::interrupted::Interrupted;
use super::kind::OutputKind;
use super::report::size;
use super::request::Request;
use super::survey::Survey;
use crate::backend::{Backend, Cpu};
use crate::engine::Scores;
use crate::filter::letter;
use crate::frame::{FieldOrder, Format, Frame, Pool, Range};
use crate::noise::NoiseMeter;
use crate::plan::paragraph;
use crate::sequence;
use crate::shell::quoted;
use crate::sink::container::is_sequence;
use crate::source::CancelToken;

/// Largest number of frames that are looked at.
const FRAMES: u64 = 250;
/// Largest number of pixels that are looked at: those of 27 frames of 4K, since more would take seconds.
const PIXELS: u64 = FRAMES * 1280 * 720;
/// Number of them that are measured for noise.
const MEASURED: usize = 25;
/// The noise, in steps of 8 bits, from which on it is visible and worth removing.
const NOISY: f64 = 1.0;
/// The height above which players scale most clips down.
const TALL: usize = 1080;

/// A clip's description, with commands that could follow.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// As typed.
    name: String,
    format: Arc<Format>,
    /// Number of frames, where that is known or can be estimated.
    length: Option<u64>,
    bytes: Option<u64>,
    /// The name of each stream, and its language.
    streams: Vec<String>,
    /// The standard deviation of the noise of each plane, in steps of 8 bits; nothing of a still.
    noise: Vec<f64>,
    /// Times of the frames that begin a shot, in seconds; the first is left out.
    cuts: Vec<f64>,
    /// Number of frames that were looked at.
    looked_at: u64,
    /// Times between successive ones among them, in ticks: the shortest and the longest.
    steps: Option<(i64, i64)>,
    /// From the first of them to the end of the last, in ticks.
    span: i64,
}

impl Portrait {
    /// Looks at the beginning of the input of a request. Blocks while that is decoded.
    ///
    /// # Errors
    /// As [`super::Job::open`], where the input is concerned.
    pub fn of(request: &Request, interrupt: &CancelToken) -> Result<Self> {
        let (mut source, source_info) = input::open(request, interrupt)?;
        let format = source.format().clone();
        let streams = source_info.as_ref().map_or_else(Vec::new, |source_info| {
            let language =
                |index| source_info.language(index).map_or_else(String::new, |language| format!(", {language}"));
            (0..source_info.count()).map(|index| format!("{}{}", source_info.title(index), language(index))).collect()
        });
        let pool = Pool::heap();
        let mut judge = Cpu::new(Arc::from([]), format.clone(), pool.clone(), 1)?;
        let (mut scores, mut meter) = (Scores::new(&format), NoiseMeter::new(&format));
        let (mut before, mut cuts, mut looked_at) = (None::<Frame>, Vec::new(), 0);
        let (mut steps, mut span) = (None, 0);
        let frames = (PIXELS / (format.width * format.height).max(1) as u64).clamp(MEASURED as u64, FRAMES);
        while looked_at < frames {
            let Some(frame) = source.next_frame(&pool)? else { break };
            if meter.frames() < MEASURED {
                meter.push(&frame)?;
            }
            span += frame.timing.duration.max(0);
            if let Some(before) = &before {
                let step = frame.timing.pts - before.timing.pts;
                span += step - before.timing.duration.max(0);
                steps = steps.map_or(Some((step, step)), |(least, most)| Some((step.min(least), step.max(most))));
                let measure = judge.measure(&frame, Some(before))?;
                if scores.next(judge.read(measure)?) > Survey::CUT {
                    let ticks = (frame.timing.pts + frame.timing.offset) as f64;
                    cuts.push(ticks * format.time_base.value().unwrap_or_default());
                }
            }
            before = Some(frame);
            looked_at += 1;
        }
        if interrupt.is_cancelled() {
            bail!(Interrupted);
        }
        let length = if looked_at < frames { Some(looked_at) } else { source.length() };
        let noise = if looked_at > 1 { meter.deviations() } else { Vec::new() };
        let bytes = std::fs::metadata(&request.input).ok().filter(|found| found.is_file()).map(|found| found.len());
        Ok(Self { name: request.input.clone(), format, length, bytes, streams, noise, cuts, looked_at, steps, span })
    }

    /// Whether times between frames differ by more than rounding to a clock's ticks makes them.
    fn is_uneven(&self) -> bool {
        self.steps.is_some_and(|(least, most)| most > least + 2 && most as f64 > 1.2 * least as f64)
    }

    /// Whether it is tagged as HDR, and how.
    fn hdr(&self) -> Option<&'static str> {
        match self.format.colour.transfer {
            16 => Some("HDR10 (PQ)"),
            18 => Some("HDR (HLG)"),
            _ => None,
        }
    }

    /// Three commands and their purposes, those that the clip needs first.
    fn suggestions(&self) -> Vec<(String, &'static str)> {
        let (input, output) = (quoted(&self.name), quoted(&self.output()));
        let filter = |chain: &str| format!("warpreel {input} {output} -f {chain}");
        let is_interlaced = matches!(self.format.fields, FieldOrder::TopFirst | FieldOrder::BottomFirst);
        let is_noisy = self.noise.first().is_some_and(|noise| *noise >= NOISY);
        let is_file = self.name != "-";
        let all = [
            (is_interlaced, filter("bwdif=mode=send_frame"), "progressive frames"),
            (is_noisy, filter("denoise"), "noise removed"),
            (self.hdr().is_some(), filter("sdr"), "SDR, which every player shows"),
            (self.is_uneven(), filter(&format!("fps={}", self.even_rate())), "frames at even times"),
            (self.format.height > TALL, filter("scale=-2:1080"), "1080 rows, which every player shows"),
            (self.is_still(), filter("unsharp"), "sharpened"),
            (self.is_still(), filter("scale=640:-2"), "640 pixels wide"),
            (!self.is_still() && is_file, format!("warpreel preview {input}"), "try filters in the browser"),
            (true, filter("unsharp"), "sharpened"),
            (true, format!("{} --compare split", filter("gaussian=2")), "blurred, beside what it was"),
            (true, filter("scale=640:-2"), "640 pixels wide"),
        ];
        let mut chosen: Vec<(String, &'static str)> = Vec::new();
        for (_, command, purpose) in all.into_iter().filter(|(is_useful, ..)| *is_useful) {
            if chosen.len() < 3 && chosen.iter().all(|(_, known)| *known != purpose) {
                chosen.push((command, purpose));
            }
        }
        chosen
    }

    fn is_still(&self) -> bool {
        self.length == Some(1)
    }

    /// A name for an output, of the input's kind where that can be written.
    fn output(&self) -> String {
        let path = Path::new(&self.name);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let stem = if path.file_stem().is_some_and(|stem| stem == "out") { "filtered" } else { "out" };
        let name = format!("{stem}.{ending}");
        let is_container =
            OutputKind::of(&name, None) == OutputKind::Container && is_sequence(Path::new(&name), None).is_ok();
        let keeps_kind = is_container && !sequence::is_sequence(path) && is_image(ending) == self.is_still();
        if keeps_kind { name } else { format!("{stem}.mp4") }
    }

    /// Pixels, size and rate: of a still without a rate.
    fn picture(&self) -> String {
        let Format { pixel, width, height, fields, .. } = self.format.as_ref();
        let range = match self.format.range() {
            Range::Full => "full range",
            Range::Limited | Range::Unspecified => "limited range",
        };
        let fields = match fields {
            FieldOrder::Unspecified => "",
            FieldOrder::Progressive => ", progressive",
            FieldOrder::TopFirst => ", interlaced, top field first",
            FieldOrder::BottomFirst => ", interlaced, bottom field first",
            FieldOrder::Mixed => ", interlaced in part",
        };
        let opacity = if pixel.alpha { ", with opacity" } else { "" };
        let hdr = self.hdr().map_or_else(String::new, |hdr| format!(", {hdr}"));
        let aspect = self.format.aspect;
        let is_square = aspect.value().is_none_or(|aspect| (aspect - 1.0).abs() < 1e-3);
        let aspect = if is_square { String::new() } else { format!(", pixels {}:{}", aspect.num, aspect.den) };
        if self.is_still() {
            return format!("{} {width}x{height}, {range}{aspect}{opacity}{hdr}", pixel.name());
        }
        let uneven = if self.is_uneven() { ", at uneven times" } else { "" };
        format!("{}{uneven}, {range}{fields}{aspect}{opacity}{hdr}", self.format)
    }

    /// The usual rate that is nearest to the mean of the frames looked at.
    fn even_rate(&self) -> u32 {
        const USUAL: [u32; 6] = [24, 25, 30, 48, 50, 60];
        let seconds = self.seconds().unwrap_or(1.0);
        let mean = self.looked_at as f64 / seconds;
        let distance = |rate: &u32| (f64::from(*rate) - mean).abs();
        USUAL.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(25)
    }

    /// How long the frames looked at are shown.
    fn seconds(&self) -> Option<f64> {
        let seconds = self.span as f64 * self.format.time_base.value()?;
        Some(seconds).filter(|seconds| *seconds > 0.0)
    }

    /// The noise in words, and of each plane.
    fn noise(&self) -> Option<String> {
        let luma = *self.noise.first()?;
        let planes = self.noise.iter().enumerate();
        let planes: Vec<String> =
            planes.map(|(plane, noise)| format!("{} {noise:.1}", letter(self.format.pixel, plane))).collect();
        let verdict = match luma {
            _ if luma < 0.5 => "none to speak of",
            _ if luma < NOISY => "little",
            _ if luma < 4.0 => "visible",
            _ => "strong",
        };
        Some(format!("{verdict} ({} of 255)", planes.join(", ")))
    }

    /// Number of shots that begin among the frames looked at, and their times.
    fn cuts(&self) -> Option<String> {
        /// As many as are named.
        const MOST: usize = 6;
        if self.looked_at < 2 {
            return None;
        }
        let is_all = self.length == Some(self.looked_at);
        let part = if is_all { String::new() } else { format!(" in the first {} frames", self.looked_at) };
        let times: Vec<String> = self.cuts.iter().take(MOST).map(|time| format!("{time:.2} s")).collect();
        let more = if self.cuts.len() > MOST { ", …" } else { "" };
        Some(match self.cuts.len() {
            0 => format!("none{part}"),
            count => format!("{count}{part}: at {}{more}", times.join(", ")),
        })
    }
}

/// True of the ending of a picture's name.
fn is_image(ending: &str) -> bool {
    is_sequence(Path::new(&format!("%d.{ending}")), None).unwrap_or(false)
}

impl fmt::Display for Portrait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut facts = Vec::new();
        if let (Some(frames), false) = (self.length, self.is_still()) {
            let about = if frames == self.looked_at { "" } else { "about " };
            let rate = self.format.rate.value().filter(|rate| *rate > 0.0);
            let seconds = match self.seconds().filter(|_| frames == self.looked_at && self.is_uneven()) {
                Some(seconds) => format!(", {seconds:.2} s"),
                None => rate.map_or_else(String::new, |rate| format!(", {:.2} s", frames as f64 / rate)),
            };
            facts.push(format!("{about}{frames} frames{seconds}"));
        }
        let ending = Path::new(&self.name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if self.is_still() && !is_image(ending) {
            facts.push("1 frame".to_owned());
        }
        facts.extend(self.bytes.map(size));
        let facts = if facts.is_empty() { "a clip".to_owned() } else { facts.join(", ") };
        let name = if self.name.contains(char::is_control) { format!("{:?}", self.name) } else { self.name.clone() };
        writeln!(f, "{}", paragraph("", &format!("{name}: {facts}")))?;
        let is_worth_it = self.streams.len() > 1 || !self.is_still();
        let streams = if is_worth_it { self.streams.join("; ") } else { String::new() };
        let lines = [
            ("picture", Some(self.picture())),
            ("streams", Some(streams).filter(|streams| !streams.is_empty())),
            ("noise", self.noise()),
            ("cuts", self.cuts()),
        ];
        for (name, text) in lines {
            if let Some(text) = text {
                writeln!(f, "{}", paragraph(&format!("  {name:8} "), &text))?;
            }
        }
        writeln!(f, "\nThree things to do with it:")?;
        let suggestions = self.suggestions();
        let widest = suggestions.iter().map(|(command, _)| command.chars().count()).max().unwrap_or_default();
        let is_beside = suggestions.iter().all(|(_, purpose)| widest + purpose.len() < 76);
        for (command, purpose) in suggestions {
            if is_beside {
                writeln!(f, "  {command:widest$}  {purpose}")?;
            } else {
                writeln!(f, "  {command}\n      {purpose}")?;
            }
        }
        writeln!(f, "All filters: warpreel filters. By purpose: warpreel filters remove noise")
    }
}
