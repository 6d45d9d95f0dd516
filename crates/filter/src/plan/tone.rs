//! Operations on single samples: a table where samples are integers, steps in `f32` where they are floats.

use crate::filter::{Curve, Tone};
use crate::frame::{Pixel, Sample};
use crate::pass::{Op, PointStep, Pointwise};

use super::note::Note;

/// The op for one plane of such pixels.
pub(super) fn lower(curve: &Curve, pixel: Pixel) -> (Op, Note) {
    if pixel.sample == Sample::F32 {
        let steps: Vec<PointStep> = curve.tones.iter().map(step).collect();
        let reason = format!("float samples: {} steps", steps.len());
        let (wet, dry) = (curve.mix as f32, (1.0 - curve.mix) as f32);
        return (Op::Pointwise(Pointwise::Steps { steps, wet, dry }), Note::new(0, None, reason));
    }
    let peak = f64::from(pixel.peak());
    // A cast gives 0 for NaN.
    let entry = |sample: u32| (curve.value(f64::from(sample)) + 0.5).floor().clamp(0.0, peak) as u16;
    let table: Vec<u16> = (0..1 << pixel.depth).map(entry).collect();
    if table.iter().enumerate().all(|(sample, &entry)| sample == usize::from(entry)) {
        return (Op::Copy, Note::new(0, None, "the table changes nothing"));
    }
    let reason = format!("one table of {} entries", table.len());
    (Op::Pointwise(Pointwise::Table(table.into())), Note::new(0, None, reason))
}

fn step(tone: &Tone) -> PointStep {
    match tone {
        Tone::Multiply(factor) => PointStep::Multiply(*factor as f32),
        Tone::Add(term) => PointStep::Add(*term as f32),
        Tone::Absolute => PointStep::Absolute,
        Tone::Clamp(low, high) => PointStep::Clamp { low: *low as f32, high: *high as f32 },
        Tone::Threshold { level, below, above } => {
            PointStep::Threshold { level: *level as f32, below: *below as f32, above: *above as f32 }
        }
        Tone::Power(exponent) => PointStep::Power(*exponent),
        Tone::Lookup(values) => PointStep::Lookup(values.iter().map(|value| *value as f32).collect()),
    }
}
