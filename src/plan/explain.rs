//! What a plan does and why, for people (a table) and for programs (anything that serde writes).

use std::fmt;

use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;

use crate::filter::letter;
use crate::frame::Format;
use crate::pass::{Arithmetic, Border, Op, Pointwise, Taps};

use super::{Note, Operations, Plan, Roofline};

/// A plan, explained. All figures are for one frame that comes out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The clip: `yuv420p 1920x1080 at 25 fps`.
    pub format: String,
    /// In order.
    pub passes: Vec<PassReport>,
    /// Filters that change nothing here.
    pub dropped: Vec<String>,
    /// Frames that go in before the first comes out, less one.
    pub latency_frames: usize,
    /// Bytes that all passes read and write.
    pub bytes: u64,
    /// Operations of all passes, a multiply-add counted as two.
    pub operations: u64,
    /// The limits that the times come from.
    pub roofline: Option<Roofline>,
    /// The least time that the limits allow.
    pub least_ms: Option<f64>,
}

/// One pass.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassReport {
    /// The filter as it was typed.
    pub name: String,
    /// Frames needed on either side.
    pub reach: usize,
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

/// One plane of one pass.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaneReport {
    /// Its letter.
    pub plane: char,
    /// `copy`, `separable`, `dense`, `pointwise` or `rank`.
    pub kind: &'static str,
    /// The taps of each step: `13 x + 13 y`, `2 of 3x3`.
    pub shape: String,
    /// Taps that the filter asked for.
    pub taps_before: usize,
    /// Taps that are run, or samples that are looked at, for each sample.
    pub taps_after: usize,
    /// How far the factors are from what was asked for, relative to it.
    pub residual: Option<f64>,
    /// `integer` or `real`; empty for a copy.
    pub arithmetic: &'static str,
    /// What lies outside; empty for a copy.
    pub border: String,
    /// Bytes read and written.
    pub bytes: u64,
    /// Operations, a multiply-add counted as two.
    pub operations: u64,
    /// Why it is done so.
    pub reason: String,
}

impl Plan {
    /// What it does and why; with `roofline`, also how fast it could be.
    pub fn explain(&self, roofline: Option<Roofline>) -> Explanation {
        let passes: Vec<PassReport> = std::iter::zip(&*self.passes, &self.notes)
            .map(|(pass, notes)| {
                let planes: Vec<PlaneReport> = std::iter::zip(&pass.ops, notes)
                    .enumerate()
                    .map(|(plane, (op, note))| plane_report(&self.format, plane, op, note))
                    .collect();
                let bytes = planes.iter().map(|plane| plane.bytes).sum();
                let operations = planes.iter().map(|plane| plane.operations).sum();
                let needed = pass.ops.iter().enumerate().map(|(plane, op)| {
                    let (width, height) = self.format.plane_size(plane);
                    Operations::least(op, self.format.pixel.sample, width * height)
                });
                let needed = needed.sum();
                let least_ms = roofline.map(|limit| limit.memory_ms(bytes).max(limit.arithmetic_ms(&needed)));
                PassReport { name: pass.name.clone(), reach: pass.reach(), planes, bytes, operations, needed, least_ms }
            })
            .collect();
        Explanation {
            format: self.format.to_string(),
            dropped: self.dropped.clone(),
            latency_frames: self.latency(),
            bytes: passes.iter().map(|pass| pass.bytes).sum(),
            operations: passes.iter().map(|pass| pass.operations).sum(),
            roofline,
            least_ms: roofline.map(|_| passes.iter().filter_map(|pass| pass.least_ms).fold(0.0, |sum, ms| sum + ms)),
            passes,
        }
    }
}

fn plane_report(format: &Format, plane: usize, op: &Op, note: &Note) -> PlaneReport {
    let (width, height) = format.plane_size(plane);
    let samples = (width * height) as u64;
    let (kind, shape, taps_after, frames, arithmetic, border) = match op {
        Op::Copy => ("copy", String::new(), 0, 1, "", String::new()),
        Op::Separable(op) => {
            let axes = [("t", &op.t), ("x", &op.x), ("y", &op.y)];
            let steps: Vec<(&str, &Taps)> = axes.into_iter().filter(|(_, taps)| !taps.is_identity()).collect();
            let shape: Vec<String> =
                steps.iter().map(|(axis, taps)| format!("{} {axis}", taps.weights.len())).collect();
            let taps = steps.iter().map(|(_, taps)| taps.weights.len()).sum();
            let frames = op.t.weights.len();
            ("separable", shape.join(" + "), taps, frames, word(op.arithmetic), border_word(op.border))
        }
        Op::Dense(op) => {
            let sizes: Vec<String> = op
                .kernels
                .iter()
                .map(|kernel| match kernel.size {
                    [1, y, x] => format!("{x}x{y}"),
                    [t, y, x] => format!("{x}x{y}x{t}"),
                })
                .collect();
            let taps = op.kernels.iter().map(|kernel| kernel.weights.len()).sum();
            let frames = op.kernels.iter().map(|kernel| kernel.size[0]).max().unwrap_or(1);
            ("dense", sizes.join(", "), taps, frames, word(op.arithmetic), border_word(op.border))
        }
        Op::Pointwise(Pointwise::Table(table)) => {
            ("pointwise", format!("table of {}", table.len()), 0, 1, "", String::new())
        }
        Op::Pointwise(Pointwise::Steps { steps, .. }) => {
            ("pointwise", format!("{} steps", steps.len()), 0, 1, "", String::new())
        }
        Op::Rank(op) => {
            let [t, y, x] = op.size;
            let shape = if t == 1 { format!("{x}x{y}") } else { format!("{x}x{y}x{t}") };
            let sum: usize = op.size.iter().filter(|size| **size > 1).sum();
            let taps = if op.is_extreme() { sum } else { op.samples() };
            ("rank", shape, taps, t, "", border_word(op.border))
        }
    };
    PlaneReport {
        plane: letter(format.pixel, plane),
        kind,
        shape,
        taps_before: note.taps_before,
        taps_after,
        residual: note.residual,
        arithmetic,
        border,
        bytes: samples * format.pixel.sample.bytes() as u64 * (frames as u64 + 1),
        operations: samples * 2 * taps_after as u64,
        reason: note.reason.clone(),
    }
}

fn word(arithmetic: Arithmetic) -> &'static str {
    match arithmetic {
        Arithmetic::Integer => "integer",
        Arithmetic::Real => "real",
    }
}

fn border_word(border: Border) -> String {
    match border {
        Border::Constant(value) => format!("constant {value}"),
        mode => format!("{mode:?}").to_lowercase(),
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.format)?;
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_header(["pass", "plane", "how", "taps", "numbers", "border", "MB", "Mop", "why"]);
        for pass in &self.passes {
            for (index, plane) in pass.planes.iter().enumerate() {
                let taps = match plane.taps_after {
                    0 => String::new(),
                    taps if taps == plane.taps_before => taps.to_string(),
                    taps => format!("{} → {taps}", plane.taps_before),
                };
                table.add_row([
                    if index == 0 { pass.name.clone() } else { String::new() },
                    plane.plane.to_string(),
                    format!("{} {}", plane.kind, plane.shape).trim().to_owned(),
                    taps,
                    plane.arithmetic.to_owned(),
                    plane.border.clone(),
                    format!("{:.2}", plane.bytes as f64 / 1e6),
                    format!("{:.1}", plane.operations as f64 / 1e6),
                    plane.reason.clone(),
                ]);
            }
        }
        if !self.passes.is_empty() {
            writeln!(f, "{}", table.trim_fmt())?;
        }
        for text in &self.dropped {
            writeln!(f, "\"{text}\" changes nothing and is left out")?;
        }
        for pass in self.passes.iter().filter(|_| self.passes.len() > 1) {
            if let Some(least_ms) = pass.least_ms {
                writeln!(f, "\"{}\" takes {least_ms:.4} ms at the least", pass.name)?;
            }
        }
        write!(
            f,
            "passes: {}; per frame: {:.2} MB, {:.1} million operations; latency in frames: {}",
            self.passes.len(),
            self.bytes as f64 / 1e6,
            self.operations as f64 / 1e6,
            self.latency_frames
        )?;
        match (self.least_ms, self.roofline) {
            (Some(least_ms), Some(limit)) => write!(
                f,
                "; {least_ms:.4} ms at the least, at {:.0} GB/s and, in billions a second, {:.0} operations on bytes, \
                 {:.0} on other whole numbers, {:.0} on f32",
                limit.memory_gb_s, limit.dot8_gop_s, limit.dot16_gop_s, limit.real_gop_s
            ),
            _ => Ok(()),
        }
    }
}
