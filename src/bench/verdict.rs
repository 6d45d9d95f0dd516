//! Who sets the pace, in a sentence, and what makes the figures doubtful.

use super::machine;
use super::number::short;
use super::schema::{Repetition, Run, Stage};
use super::statistic::{Estimate, median, outliers};

/// Below this nobody is busy enough to be the cause.
const BUSY: f64 = 0.6;
/// Two stages that are busy alike set the pace together.
const ALIKE: f64 = 0.03;

/// What a stage does, on whichever GPU: `upload` for `GPU 1 upload`.
fn kind(stage: &str) -> &str {
    stage.rsplit(' ').next().unwrap_or(stage)
}

/// What a stage is, for people. Where a GPU filters, the filter thread only tells it what to do.
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

/// The stage that is busiest; `None` if there is none.
pub fn pace(stages: &[Stage]) -> Option<&Stage> {
    stages.iter().max_by(|a, b| a.busy.total_cmp(&b.busy))
}

/// `filter (filtering) sets the pace: it works 97 % of the time; decode works 31 % and would matter if it were 3.2
/// times slower; encode never matters (0.1 %)`.
pub fn sentence(stages: &[Stage]) -> String {
    let Some(pace) = pace(stages) else { return "nothing was measured".to_owned() };
    let percent = |stage: &Stage| format!("{:.0} %", 100.0 * stage.busy);
    let mut text = if pace.busy < BUSY {
        format!(
            "no stage is always busy, so frames wait for each other or for other programs; the busiest is {} ({}), at {}",
            pace.name,
            meaning(&pace.name, stages),
            percent(pace)
        )
    } else {
        format!("{} ({}) sets the pace: it works {} of the time", pace.name, meaning(&pace.name, stages), percent(pace))
    };
    let mut others: Vec<&Stage> = stages.iter().filter(|stage| stage.name != pace.name).collect();
    others.sort_by(|a, b| b.busy.total_cmp(&a.busy));
    for stage in others {
        let share = percent(stage);
        let times = pace.busy / stage.busy.max(f64::MIN_POSITIVE);
        text += &match stage.busy {
            busy if busy >= pace.busy - ALIKE => format!("; {} is as busy ({share})", stage.name),
            busy if busy < 0.005 => format!("; {} has ample headroom", stage.name),
            _ => format!(
                "; {} works {share} and would be the bottleneck if it were {} times slower",
                stage.name,
                short(times)
            ),
        };
    }
    text
}

/// What every remark says that makes a run unfit for a page of figures.
const UNQUIET: &str = "the machine is not quiet";
/// Others that use less than this part of the cores are what every system does on its own.
const OTHERS: f64 = 0.1;

/// Whether nothing tells that the machine did other work during the run.
pub fn is_quiet(run: &Run) -> bool {
    !run.remarks.iter().any(|remark| remark.contains(UNQUIET))
}

/// What makes the figures doubtful.
pub fn remarks(repetitions: &[Repetition], fps: &Estimate) -> Vec<String> {
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
    let cores = machine::cores() as f64;
    let others = median(&repetitions.iter().filter_map(|repetition| repetition.others).collect::<Vec<_>>());
    if others > OTHERS * cores {
        let used = format!("other programs used {others:.1} of the {cores:.0} cores meanwhile");
        remarks.push(format!("{used}: {UNQUIET}; close them and repeat"));
    }
    remarks
}
