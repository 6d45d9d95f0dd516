//! What a plan does and why, for people (a table) and for programs (anything that serde writes).

use std::fmt::{self, Write as _};

use serde::Serialize;
use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter};

use super::guard::Cuts;
use super::join::Step;
use super::planned::Plan;
use super::report::{FilterReport, PlaneReport, plane_reports};
use super::roofline::Roofline;
use crate::pass::Operations;

/// A plan, explained. All figures are for one frame that comes out, and that no filter lets by.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The clip: `yuv420p 1920x1080 at 25 fps`.
    pub format: String,
    /// What comes out: as `format`, unless a filter changes it.
    pub output: String,
    /// What was typed, in order.
    pub filters: Vec<FilterReport>,
    /// What is done, in order.
    pub passes: Vec<PassReport>,
    /// Filters that do not act on all frames.
    pub conditions: Vec<ConditionReport>,
    /// Filters that change nothing here, and neighbours that undo each other.
    pub dropped: Vec<String>,
    /// Whether the chain deinterlaces, so that the output is tagged as progressive.
    pub is_progressive: bool,
    /// Frames that go in before the first comes out, less one.
    pub latency_frames: usize,
    /// Bytes that all filters would read and write by themselves.
    pub bytes_before: u64,
    /// Operations of all filters by themselves with all their taps at once, a multiply-add counted as two.
    pub operations_before: u64,
    /// Bytes that all passes read and write.
    pub bytes: u64,
    /// Operations of all passes, a multiply-add counted as two.
    pub operations: u64,
    /// The limits that the times come from.
    pub roofline: Option<Roofline>,
    /// The least time that the limits allow.
    pub least_ms: Option<f64>,
}

/// A filter that does not act on all frames.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionReport {
    /// As it was typed.
    pub filter: String,
    /// On which frames it acts, as an expression of FFmpeg's.
    pub enable: String,
}

/// One pass.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassReport {
    /// The filter as it was typed, or several: `gaussian=2 + invert`.
    pub name: String,
    /// What its frames become, where they do not stay as they are: `yuv420p 1280x720 at 25 fps`.
    pub output: Option<String>,
    /// Why it does the work of several, a sentence for each that was added.
    pub joins: Vec<String>,
    /// Frames needed on either side.
    pub reach: usize,
    /// The scene score above which a frame begins a clip of its own, where cuts are looked for.
    pub scene: Option<f64>,
    /// One for each plane.
    pub planes: Vec<PlaneReport>,
    /// Bytes read and written.
    pub bytes: u64,
    /// Operations, a multiply-add counted as two.
    pub operations: u64,
    /// Of these, what no implementation can leave out.
    pub needed: Operations,
    /// The least time that the limits allow: the larger of memory's and arithmetic's.
    pub least_ms: Option<f64>,
}

impl Plan {
    /// What it does and why; with `roofline`, also how fast it could be.
    pub fn explain(&self, roofline: Option<Roofline>) -> Explanation {
        let formats = self.formats();
        let passes: Vec<PassReport> = self
            .steps
            .iter()
            .zip(&formats)
            .enumerate()
            .map(|(index, (step, format))| {
                let Step { pass, notes, joins, guard, .. } = step;
                let planes = plane_reports(format, pass, notes);
                let bytes = planes.iter().map(|plane| plane.bytes).sum();
                let operations = planes.iter().map(|plane| plane.operations).sum();
                let needed = pass.planes.iter().enumerate().map(|(plane, work)| {
                    let (width, height) = format.plane_size(plane);
                    work.least(format.pixel.sample, (width * height) as u64)
                });
                let needed = needed.sum();
                let least_ms = roofline.map(|limit| limit.memory_ms(bytes).max(limit.arithmetic_ms(&needed)));
                let scene = if let Cuts::Above(threshold) = guard.cuts { Some(threshold) } else { None };
                let (name, joins, reach) = (pass.name.clone(), joins.clone(), step.reach());
                let changes = pass.target.is_some() || step.changes_count();
                let output = changes.then(|| self.timed(&pass.output(format), index + 1).to_string());
                PassReport { name, output, joins, reach, scene, planes, bytes, operations, needed, least_ms }
            })
            .collect();
        let conditions = self.bypasses.iter().filter_map(|bypass| {
            let filter = self.steps[bypass.steps.start].pass.name.clone();
            Some(ConditionReport { filter, enable: bypass.enable.as_ref()?.text().to_owned() })
        });
        Explanation {
            conditions: conditions.collect(),
            format: self.format.to_string(),
            output: self.output().to_string(),
            filters: self.filters.clone(),
            bytes_before: self.filters.iter().map(|filter| filter.bytes).sum(),
            operations_before: self.filters.iter().map(|filter| filter.operations).sum(),
            dropped: self.dropped.clone(),
            is_progressive: self.is_progressive(),
            latency_frames: self.latency(),
            bytes: passes.iter().map(|pass| pass.bytes).sum(),
            operations: passes.iter().map(|pass| pass.operations).sum(),
            roofline,
            least_ms: roofline.map(|_| passes.iter().filter_map(|pass| pass.least_ms).fold(0.0, |sum, ms| sum + ms)),
            passes,
        }
    }
}

/// The most characters of a line, but where a word by itself is longer.
const MOST: usize = 80;

/// A paragraph whose lines but the first are indented; no word is split, and a filter only behind its values.
pub fn paragraph(first: &str, text: &str) -> String {
    let rest = " ".repeat(first.chars().count().min(MOST / 2));
    let options = Options::new(MOST).break_words(false).initial_indent(first).subsequent_indent(&rest);
    textwrap::fill(
        text,
        options.word_separator(WordSeparator::Custom(words)).word_splitter(WordSplitter::NoHyphenation),
    )
}

/// What lies between places where a line may end: behind blanks, and behind `,` and `:` between values.
fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let spaced = line.split_inclusive(' ');
    Box::new(spaced.flat_map(|word| word.split_inclusive([':', ','])).map(Word::from))
}

impl PlaneReport {
    /// All that is known of it, without its letter.
    fn words(&self) -> String {
        let then = if self.after.is_empty() { String::new() } else { format!(", then {}", self.after) };
        let taps = match (self.taps_before, self.taps_after) {
            (_, 0) => String::new(),
            (before, after) if before == after => format!("{after} taps"),
            (before, after) => format!("{before} → {after} taps"),
        };
        let cost = format!("{:.2} MB, {:.1} Mop", self.bytes as f64 / 1e6, self.operations as f64 / 1e6);
        let how = format!("{} {}", self.kind, self.shape).trim().to_owned() + &then;
        let facts = [how, taps, self.arithmetic.to_owned(), self.border.clone(), cost, self.reason.clone()];
        facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

impl PassReport {
    /// Its planes, those in one paragraph of which the same is known.
    fn write(&self, f: &mut fmt::Formatter<'_>, number: usize) -> fmt::Result {
        let becomes = self.output.as_ref().map_or_else(String::new, |output| format!(", into {output}"));
        writeln!(f, "{}", paragraph(&format!("pass {number}: "), &(self.name.clone() + &becomes)))?;
        let same = |a: &PlaneReport, b: &PlaneReport| a.words() == b.words();
        for planes in self.planes.chunk_by(same) {
            let letters: Vec<String> = planes.iter().map(|plane| plane.plane.to_string()).collect();
            let words = planes.first().map_or_else(String::new, PlaneReport::words);
            let each = if planes.len() > 1 { ", each" } else { "" };
            writeln!(f, "{}", paragraph(&format!("  {:4}", letters.join(" ")), &(words + each)))?;
        }
        Ok(())
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.format)?;
        if !self.filters.is_empty() {
            writeln!(f, "steps  taps       MB       Mop  as typed")?;
        }
        for FilterReport { name, steps, taps, bytes, operations, .. } in &self.filters {
            let (mega_bytes, mega_operations) = (*bytes as f64 / 1e6, *operations as f64 / 1e6);
            let figures = format!("{steps:5} {taps:5} {mega_bytes:8.2} {mega_operations:9.1}  ");
            writeln!(f, "{}", paragraph(&figures, name))?;
        }
        if !self.filters.is_empty() {
            writeln!(f)?;
        }
        for (index, pass) in self.passes.iter().enumerate() {
            pass.write(f, index + 1)?;
        }
        let mut rest = String::new();
        self.remarks(&mut rest)?;
        rest.lines().try_for_each(|line| writeln!(f, "{}", paragraph("", line)))
    }
}

impl Explanation {
    /// What is to be said beside the passes, a line each.
    fn remarks(&self, f: &mut String) -> fmt::Result {
        for sentence in self.passes.iter().flat_map(|pass| &pass.joins) {
            writeln!(f, "{sentence}")?;
        }
        for ConditionReport { filter, enable } in &self.conditions {
            writeln!(f, "\"{filter}\" acts on frames where {enable}; others are copied")?;
        }
        if self.is_progressive {
            writeln!(f, "output: progressive")?;
        }
        for text in &self.dropped {
            writeln!(f, "\"{text}\" changes no sample and is omitted")?;
        }
        for note in self.filters.iter().flat_map(|filter| [&filter.note, &filter.remark]).flatten() {
            writeln!(f, "{note}")?;
        }
        for pass in &self.passes {
            if let Some(scene) = pass.scene {
                writeln!(
                    f,
                    "\"{}\" does not look across cuts: a scene ends where the score exceeds {scene}",
                    pass.name
                )?;
            }
        }
        for pass in self.passes.iter().filter(|_| self.passes.len() > 1) {
            if let Some(least_ms) = pass.least_ms {
                writeln!(f, "\"{}\" takes at least {least_ms:.4} ms", pass.name)?;
            }
        }
        writeln!(
            f,
            "filters: {}; one by one with all taps at once, per frame: {:.2} MB, {:.1} million operations",
            self.filters.len(),
            self.bytes_before as f64 / 1e6,
            self.operations_before as f64 / 1e6
        )?;
        write!(
            f,
            "passes: {}; per frame: {:.2} MB, {:.1} million operations; latency in frames: {}",
            self.passes.len(),
            self.bytes as f64 / 1e6,
            self.operations as f64 / 1e6,
            self.latency_frames
        )?;
        match (self.least_ms, self.roofline) {
            (Some(least_ms), Some(limit)) => writeln!(
                f,
                "; at least {least_ms:.4} ms, at {:.0} GB/s and, in billions per second, {:.0} operations on bytes, \
                 {:.0} on other integers, {:.0} on f32",
                limit.memory_gb_s, limit.dot8_gop_s, limit.dot16_gop_s, limit.real_gop_s
            ),
            _ => writeln!(f),
        }
    }
}
