//! The slowest frames of a run, each with the reason: how long the output stood still before a frame came, and which stage
//! worked, or what its thread lacked, in that time.

use serde::{Deserialize, Serialize};

use super::fault::PageFaults;
use super::number::ms;
use super::statistic::median;
use super::thread::StageKind;
use crate::gauge::{Doing, NO_FRAME, Span};
use crate::source::FrameTime;

/// A frame that came late.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlowFrame {
    /// Its number in the clip, from 0.
    pub frame: u64,
    /// The repetition, from 1.
    pub repetition: usize,
    /// Time from the frame before it to this one, where they leave.
    pub ms: f64,
    /// The median of that over the repetition.
    pub usual_ms: f64,
    /// Cause of the delay.
    pub why: String,
    /// True if decoding can begin with it; `null` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_key: Option<bool>,
    /// Bytes of its packet; `null` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_bytes: Option<usize>,
    /// True if it begins a shot; `null` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_cut: Option<bool>,
    /// Page faults of the whole program in that time; `null` where they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_faults: Option<u64>,
}

/// Time that the threads of the stages have been without a core by a moment: decode, filter, encode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoreWait {
    /// Microseconds after the start of the trace.
    pub at_us: f64,
    /// Microseconds; `None` where that is not known.
    pub no_core_us: [Option<f64>; 3],
}

impl CoreWait {
    /// Microseconds without a core of a stage's thread within a time, about: moments are 20 ms apart.
    fn between(waits: &[Self], kind: StageKind, [from, to]: [f64; 2]) -> Option<f64> {
        let index = StageKind::ALL.iter().position(|other| *other == kind).filter(|index| *index < 3)?;
        let at = |time: f64| {
            let next = waits.partition_point(|wait| wait.at_us < time);
            let known = |wait: &Self| Some((wait.at_us, wait.no_core_us[index]?));
            let (last, next) = (waits[..next].iter().rev().find_map(known), waits[next..].iter().find_map(known));
            match (last, next) {
                (Some((begin, before)), Some((end, after))) => {
                    Some(before + (after - before) * (time - begin) / (end - begin).max(1e-9))
                }
                (known, None) | (None, known) => known.map(|(_, no_core_us)| no_core_us),
            }
        };
        Some((at(to)? - at(from)?).max(0.0))
    }
}

/// Circumstances that were watched while frames were made.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// Times without a core so far, at several moments.
    pub waits: Vec<CoreWait>,
    /// Page faults so far after each frame that left, in order; fewer or more than frames where they are not known.
    pub faults: Vec<PageFaults>,
}

/// Number of frames that are named.
pub const SLOWEST: usize = 10;

/// The slowest frames of a repetition, the slowest first. The first `lead` frames are not counted.
pub fn slowest(spans: &[Span], lead: usize, circumstances: &Circumstances) -> Vec<SlowFrame> {
    let Circumstances { waits, faults } = circumstances;
    let mut out: Vec<&Span> = spans.iter().filter(|span| span.track == "encode" && span.name == "encode").collect();
    out.sort_by(|a, b| a.start_us.total_cmp(&b.start_us));
    let first = out.iter().map(|span| span.frame).filter(|frame| *frame != NO_FRAME).min().unwrap_or(0);
    let are_known = faults.len() == out.len();
    let faults = |index: usize| are_known.then(|| faults[index + 1].since(faults[index]));
    let gaps = out.windows(2).enumerate().skip(lead.saturating_sub(1));
    let gap = |(index, pair): (usize, &[&Span])| OutputGap {
        frame: pair[1].frame.saturating_sub(first),
        time: [end_of(pair[0]), end_of(pair[1])],
        faults: faults(index),
    };
    let mut gaps: Vec<OutputGap> = gaps.map(gap).collect();
    let middle = |of: &dyn Fn(&OutputGap) -> Option<f64>| median(&gaps.iter().filter_map(of).collect::<Vec<_>>());
    let usual_us = middle(&|gap| Some(gap.length_us()));
    let usual_faults = middle(&|gap| Some(gap.faults?.all as f64));
    gaps.sort_by(|a, b| b.length_us().total_cmp(&a.length_us()));
    gaps.truncate(SLOWEST);
    let frame = |gap: OutputGap| SlowFrame {
        frame: gap.frame,
        repetition: 1,
        ms: gap.length_us() / 1e3,
        usual_ms: usual_us / 1e3,
        why: reason(spans, gap.time, waits) + &paging(gap.faults, usual_faults),
        is_key: None,
        packet_bytes: None,
        is_cut: None,
        page_faults: gap.faults.map(|faults| faults.all),
    };
    gaps.into_iter().map(frame).collect()
}

/// Time between two frames that leave.
struct OutputGap {
    frame: u64,
    time: [f64; 2],
    faults: Option<PageFaults>,
}

impl OutputGap {
    fn length_us(&self) -> f64 {
        self.time[1] - self.time[0]
    }
}

/// Fewer page faults than that take no time that would be seen: one takes about a microsecond.
const FAULTS: u64 = 256;

/// Remark on page faults in a gap that are many beside those that are usual, or for which a disk was read; else empty.
fn paging(faults: Option<PageFaults>, usual: f64) -> String {
    let Some(PageFaults { all, from_disk }) = faults else { return String::new() };
    let disk = if from_disk > 0 { format!(", {from_disk} of them read from disk") } else { String::new() };
    if from_disk == 0 && (all < FAULTS || (all as f64) < 4.0 * usual) {
        return String::new();
    }
    format!("; {all} page faults{disk}, usually {usual:.0}")
}

fn end_of(span: &Span) -> f64 {
    span.start_us + span.length_us
}

/// Microseconds of a gap in which a stage did something; what several threads of one did at once counts once.
fn within(spans: &[Span], [from, to]: [f64; 2], is_wanted: impl Fn(&Span) -> bool) -> f64 {
    let mut parts: Vec<[f64; 2]> = spans
        .iter()
        .filter(|span| span.start_us < to && end_of(span) > from && is_wanted(span))
        .map(|span| [span.start_us.max(from), end_of(span).min(to)])
        .collect();
    parts.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut at, mut covered) = (from, 0.0);
    for [begin, end] in parts {
        covered += (end - begin.max(at)).max(0.0);
        at = at.max(end);
    }
    covered
}

/// Cause of a gap: from the output back to the input, the first stage that worked for half of it, or worked most.
fn reason(spans: &[Span], gap: [f64; 2], waits: &[CoreWait]) -> String {
    let length_us = gap[1] - gap[0];
    let works = |track: &'static str| within(spans, gap, |span| span.track == track && span.doing == Doing::Work);
    let on_gpu = spans.iter().any(|span| span.track == "compute");
    let waited = within(spans, gap, |span| on_gpu && span.track == "filter" && ["wait", "read"].contains(&&*span.name));
    let stages = [
        (StageKind::Encode, works("encode"), "encoding and writing"),
        (StageKind::Filter, works("filter"), if waited > 0.0 { "waiting for the GPU" } else { "filtering" }),
        (StageKind::Decode, works("decode"), "reading and decoding"),
    ];
    let most = || stages.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(&stages[0]);
    let (kind, work_us, what) = stages.iter().find(|stage| stage.1 >= 0.5 * length_us).unwrap_or_else(most);
    if *work_us < 0.1 * length_us {
        return "no stage worked: threads waited for each other".to_owned();
    }
    let took = format!("{what} took {} ms", ms(work_us / 1e3));
    let no_core_us = CoreWait::between(waits, *kind, gap);
    match no_core_us.filter(|no_core_us| *no_core_us >= 0.25 * work_us) {
        Some(no_core_us) => {
            format!("{took}; its thread had no core for {} ms of it", ms(no_core_us.min(*work_us) / 1e3))
        }
        None => took,
    }
}

/// The slowest of several repetitions, the slowest first.
pub fn slowest_of<'a>(repetitions: impl Iterator<Item = &'a [SlowFrame]>) -> Vec<SlowFrame> {
    let numbered = repetitions.enumerate().flat_map(|(index, frames)| {
        frames.iter().map(move |frame| SlowFrame { repetition: index + 1, ..frame.clone() })
    });
    let mut all: Vec<SlowFrame> = numbered.collect();
    all.sort_by(|a, b| b.ms.total_cmp(&a.ms));
    all.truncate(SLOWEST);
    all
}

/// Notes the packets of frames; `packets` are those of the clip's frames, in order.
pub fn note_packets(frames: &mut [SlowFrame], packets: &[FrameTime]) {
    for frame in frames {
        let packet = usize::try_from(frame.frame).ok().and_then(|number| packets.get(number));
        frame.is_key = packet.map(|packet| packet.is_key);
        frame.packet_bytes = packet.map(|packet| packet.bytes).filter(|bytes| *bytes > 0);
    }
}
