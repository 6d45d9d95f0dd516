//! Two runs side by side: how much faster one is, and how sure that is.

use std::fmt;

use anyhow::{Result, ensure};
use comfy_table::{Table, presets};

use super::number::{clipped, ms, short};
use super::schema::{Record, Run};
use super::statistic::{Distribution, Ratio};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    names: [String; 2],
    runs: [Run; 2],
    /// What makes the comparison doubtful.
    pub remarks: Vec<String>,
}

/// A figure with its uncertainty: `1.42 ± 0.03`.
fn figure(ratio: Ratio) -> String {
    if ratio.uncertainty.is_finite() {
        format!("{:.3} ± {:.3}", ratio.value, ratio.uncertainty)
    } else {
        format!("{:.3} (uncertain: one repetition)", ratio.value)
    }
}

/// A setting for a sentence.
fn named(setting: &str) -> String {
    if setting.is_empty() { "none".to_owned() } else { clipped(setting) }
}

impl Comparison {
    /// Of two runs that were measured in turns on one machine.
    pub fn of(a: Run, b: Run) -> Self {
        let names = [&a, &b].map(|run| if run.chain.is_empty() { "no filter".to_owned() } else { run.chain.clone() });
        let mut remarks = Vec::new();
        for (what, one, other) in [("formats", &a.format, &b.format), ("inputs", &a.input, &b.input)] {
            if one != other {
                remarks.push(format!("the {what} differ: {one} and {other}"));
            }
        }
        Self { names, runs: [a, b], remarks }
    }

    /// Of the first runs of two result files; `names` are the files'. `None` if one of them holds no run.
    pub fn of_records(a: &Record, b: &Record, names: [String; 2]) -> Option<Self> {
        let (one, other) = (a.runs.first()?, b.runs.first()?);
        let mut comparison = Self::of(one.clone(), other.clone());
        let frames = |run: &Run| run.repetitions.first().map_or(0, |repetition| repetition.frames).to_string();
        for (what, one, other) in [
            ("chains", &one.chain, &other.chain),
            ("outputs", &one.output, &other.output),
            ("backends", &one.backend, &other.backend),
            ("numbers of frames", &frames(one), &frames(other)),
        ] {
            if one != other {
                comparison.remarks.push(format!("the {what} differ: {} and {}", named(one), named(other)));
            }
        }
        comparison.names = names;
        if a.machine != b.machine {
            let who = |record: &Record| {
                let gpu = record.machine.gpu.as_ref().map_or(String::new(), |gpu| format!(" with {}", gpu.name));
                format!("{} cores of {}{gpu}", record.machine.cores, record.machine.processor)
            };
            comparison.remarks.push(format!("the machines differ: {} and {}", who(a), who(b)));
        }
        Some(comparison)
    }

    /// True if the second is slower than the first by more than a part of its speed, with 95 % confidence.
    ///
    /// # Errors
    /// If one of them was measured only once.
    pub fn is_slower_by(&self, part: f64) -> Result<bool> {
        let Ratio { value, uncertainty } = self.ratio();
        ensure!(
            uncertainty.is_finite(),
            "one repetition cannot show that a run is slower; type --repetitions 5 for both"
        );
        Ok(value + uncertainty < 1.0 - part)
    }

    /// How many times as fast the second is.
    pub fn ratio(&self) -> Ratio {
        Ratio::of(&self.runs[1].fps, &self.runs[0].fps)
    }

    /// `B is 1.42 ± 0.03 times as fast as A`, or that no difference can be seen.
    pub fn sentence(&self) -> String {
        let ratio = self.ratio();
        let [a, b] = self.names.each_ref().map(|name| clipped(name));
        if ratio.uncertainty.is_finite() && (ratio.value - 1.0).abs() <= ratio.uncertainty {
            return format!("no difference can be seen: B ({b}) is {} times as fast as A ({a})", figure(ratio));
        }
        format!("B ({b}) is {} times as fast as A ({a}), with 95 % confidence", figure(ratio))
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.runs;
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["", "A", "B", "B / A"]);
        let fps = |run: &Run| format!("{} ± {}", short(run.fps.mean), short(run.fps.deviation));
        table.add_row(["fps".to_owned(), fps(a), fps(b), figure(self.ratio())]);
        let mut line = |name: String, a: Option<&Distribution>, b: Option<&Distribution>| {
            let text = |times: Option<&Distribution>| {
                times.map_or("–".to_owned(), |times| format!("{} ± {}", ms(times.p50_ms), ms(times.deviation_ms)))
            };
            let ratio = match (a, b) {
                (Some(a), Some(b)) if a.p50_ms > 0.0 => format!("{:.3}", b.p50_ms / a.p50_ms),
                _ => String::new(),
            };
            table.add_row([name, text(a), text(b), ratio]);
        };
        let times = |run: &Run, name: &str| -> Option<Distribution> {
            run.stages.iter().find(|stage| stage.name == name).map(|stage| stage.per_frame.clone())
        };
        for name in super::timeline::TRACKS {
            let (a, b) = (times(a, name), times(b, name));
            if a.is_some() || b.is_some() {
                line(format!("{name}, ms (p50 ± dev)"), a.as_ref(), b.as_ref());
            }
        }
        for (label, run, is_first) in [("A", a, true), ("B", b, false)] {
            for pass in &run.passes {
                let times = Some(&pass.per_frame);
                let name = format!("{label}: {}, ms", clipped(&pass.name));
                if is_first { line(name, times, None) } else { line(name, None, times) }
            }
        }
        writeln!(f, "{}\n\n  {}", table.trim_fmt(), self.sentence())?;
        for (label, run) in [("A", a), ("B", b)] {
            writeln!(f, "  {label}: {}", run.verdict)?;
            run.remarks.iter().try_for_each(|remark| writeln!(f, "  note on {label}: {remark}"))?;
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "  note: {remark}"))
    }
}
