//! The limit of a run in a sentence, and what makes the figures doubtful: pure functions of what was measured.

use super::cpu::CpuTime;
use super::machine::LoadMeter;
use super::number::short;
use super::prediction::{self, Prediction};
use super::schema::{Record, Repetition, Run, Stage};
use super::statistic::{Estimate, outliers};
use crate::gauge::DECODERS;
use crate::thread::cores;

/// Below this nobody is busy enough to be the cause.
const BUSY: f64 = 0.6;
/// Two stages that are busy alike set the pace together.
const ALIKE: f64 = 0.03;

/// Limit of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PaceLimit<'a> {
    /// All cores are in use: whatever saves CPU time makes the run faster.
    Cores(&'a CpuTime),
    /// A thread or queue that is always busy.
    Stage(&'a Stage),
    /// No stage is always busy, and cores are left; this one is the busiest.
    Nothing(&'a Stage),
}

impl PaceLimit<'_> {
    /// `cores`, or the name of the stage.
    pub fn name(&self) -> &str {
        match self {
            Self::Cores(_) => "cores",
            Self::Stage(stage) | Self::Nothing(stage) => &stage.name,
        }
    }
}

/// What a stage does, on whichever GPU: `upload` for `GPU 1 upload`.
fn kind(stage: &str) -> &str {
    stage.rsplit(' ').next().unwrap_or(stage)
}

/// Name of a stage, for people. Where a GPU filters, the filter thread only starts work there.
fn meaning(stage: &str, stages: &[Stage]) -> &'static str {
    let has_queues = stages.iter().any(|stage| kind(&stage.name) == "compute");
    match kind(stage) {
        "filter" if has_queues => "starting work on the GPU",
        "decode" => "reading and decoding",
        "encode" => "encoding and writing",
        "upload" => "copying to the GPU",
        "compute" => "the passes on the GPU",
        "download" => "copying from the GPU",
        _ => "filtering",
    }
}

/// A thread of the pipeline with what it does: `encode (encoding and writing)`.
pub fn described(stage: &str) -> String {
    format!("{stage} ({})", meaning(stage, &[]))
}

/// The part of the time in which a stage worked, without the time in which its thread had no core.
fn busy(stage: &Stage, cpu: Option<&CpuTime>) -> f64 {
    let no_core = cpu.and_then(|cpu| cpu.stage(&stage.name)).and_then(|stage| stage.no_core).unwrap_or(0.0);
    (stage.busy - no_core).max(0.0)
}

/// True for a decoder with a thread of its own, which is a part of decoding.
fn is_decoder(stage: &Stage) -> bool {
    stage.name.split(' ').next() == Some(DECODERS)
}

/// `, and its 7 decoders 77 to 92 %`: how busy the decoders of a file are that have threads of their own; empty if none has.
fn decoders(stages: &[Stage]) -> String {
    let busy = stages.iter().filter(|stage| is_decoder(stage)).map(|stage| stage.busy);
    let count = busy.clone().count();
    let (least, most) = (busy.clone().fold(f64::INFINITY, f64::min), busy.fold(0.0, f64::max));
    match count {
        0 => String::new(),
        1 => format!(", and its decoder {}", percent(most)),
        _ => format!(", and its {count} decoders {:.0} to {}", 100.0 * least, percent(most)),
    }
}

/// Limit of a run: the cores where none is left, else the stage that is busiest; `None` if nothing was measured.
pub fn pace<'a>(stages: &'a [Stage], cpu: Option<&'a CpuTime>) -> Option<PaceLimit<'a>> {
    if let Some(cpu) = cpu.filter(|cpu| cpu.is_full()) {
        return Some(PaceLimit::Cores(cpu));
    }
    let busiest =
        stages.iter().filter(|stage| !is_decoder(stage)).max_by(|a, b| busy(a, cpu).total_cmp(&busy(b, cpu)))?;
    Some(if busy(busiest, cpu) < BUSY { PaceLimit::Nothing(busiest) } else { PaceLimit::Stage(busiest) })
}

/// `the cores are the limit: 97 % of the time of all 2 is used; CPU time: decode 45 %, filter 51 %, encode 4 %`, or
/// `filter (filtering) sets the pace: it works 97 % of the time; decode works 31 %; 7.5 of 16 cores are used (decode 20 %,
/// filter 80 %)`; then what would be faster, and by how much.
pub fn sentence(stages: &[Stage], cpu: Option<&CpuTime>, predictions: &[Prediction], fps: f64) -> String {
    let Some(limit) = pace(stages, cpu) else { return "nothing was measured".to_owned() };
    let mut text = match limit {
        PaceLimit::Cores(cpu) => full(cpu),
        PaceLimit::Stage(pace) => {
            let does = meaning(&pace.name, stages);
            let its = if pace.name == "decode" { decoders(stages) } else { String::new() };
            format!("{} ({does}) sets the pace: it works {} of the time{its}", pace.name, percent(pace.busy))
        }
        PaceLimit::Nothing(pace) => format!(
            "no stage is always busy, so frames wait for each other or for other programs; the busiest is {} ({}), at {}",
            pace.name,
            meaning(&pace.name, stages),
            percent(pace.busy)
        ),
    };
    if let PaceLimit::Stage(pace) | PaceLimit::Nothing(pace) = limit {
        let is_other = |stage: &&Stage| stage.name != pace.name && !is_decoder(stage);
        let mut others: Vec<&Stage> = stages.iter().filter(is_other).collect();
        others.sort_by(|a, b| b.busy.total_cmp(&a.busy));
        for stage in others {
            let share = percent(stage.busy);
            text += &match stage.busy {
                part if part >= pace.busy - ALIKE => format!("; {} is as busy ({share})", stage.name),
                part if part < 0.005 => format!("; {} has ample headroom", stage.name),
                _ if stage.name == "decode" => format!("; decode works {share}{}", decoders(stages)),
                _ => format!("; {} works {share}", stage.name),
            };
        }
        if let Some(cpu) = cpu {
            text += &format!("; {} of {} cores are used ({})", short(cpu.used), cpu.cores, cpu.shares());
        }
    }
    let predicted = prediction::sentence(predictions, fps);
    if predicted.is_empty() { text } else { format!("{text}. Predicted: {predicted}") }
}

fn percent(part: f64) -> String {
    format!("{:.0} %", 100.0 * part)
}

/// Sentence where no core is left.
fn full(cpu: &CpuTime) -> String {
    let used = match cpu.cores {
        1 => format!("the core is the limit: {} of its time is used", percent(cpu.full())),
        cores => format!("the cores are the limit: {} of the time of all {cores} is used", percent(cpu.full())),
    };
    let others = cpu.others.filter(|others| *others > OTHERS * cpu.cores as f64);
    let others = others.map_or(String::new(), |others| format!(", {} cores of it by other programs", short(others)));
    format!("{used}{others}; CPU time: {}", cpu.shares())
}

/// What every remark says that makes a run unfit for a page of figures.
const UNQUIET: &str = "the machine is not quiet";
/// Others that use less than this part of the cores are what every system does on its own.
const OTHERS: f64 = 0.1;

/// Whether nothing tells that the machine did other work during the run.
pub fn is_quiet(run: &Run) -> bool {
    !run.remarks.iter().any(|remark| remark.contains(UNQUIET))
}

/// The same of all that a result holds beside runs.
pub fn is_quiet_beside(record: &Record) -> bool {
    !record.remarks.iter().any(|remark| remark.contains(UNQUIET))
}

/// Doubts about the figures. `others` is how many cores other programs used, over all repetitions.
pub fn remarks(repetitions: &[Repetition], fps: &Estimate, others: Option<f64>) -> Vec<String> {
    let mut remarks = Vec::new();
    let rates: Vec<f64> = repetitions.iter().map(|repetition| repetition.frames as f64 / repetition.seconds).collect();
    if rates.len() == 1 {
        remarks.push("one repetition does not show how far figures vary; type --repetitions 5".to_owned());
    }
    for index in outliers(&rates) {
        let times = rates[index] / fps.median;
        remarks.push(format!("repetition {} is an outlier: {times:.2} times the usual rate", index + 1));
    }
    if rates.len() > 2 && fps.deviation > 0.05 * fps.mean {
        let spread = 100.0 * fps.deviation / fps.mean;
        remarks.push(format!("repetitions vary by {spread:.0} %: {UNQUIET}, or it changes its clock"));
    }
    remarks.extend(others.and_then(|others| others_remark(others, "meanwhile")));
    remarks
}

/// Doubts about figures that were measured since a moment: `what` says which.
pub fn load(meter: LoadMeter, what: &str) -> Option<String> {
    others_remark(meter.finish(0.0).others?, &format!("while {what}"))
}

fn others_remark(others: f64, when: &str) -> Option<String> {
    let cores = cores() as f64;
    (others > OTHERS * cores).then(|| {
        format!("other programs used {others:.1} of the {cores:.0} cores {when}: {UNQUIET}; close them and repeat")
    })
}
