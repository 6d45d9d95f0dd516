//! Whether passes are what [`crate::pass`] says that they are, so that nothing that runs them has to ask again.

use anyhow::{Result, bail, ensure};

use crate::frame::{Format, Frame, Sample};
use crate::pass::{Arithmetic, Blend, Border, Dense, Kernel, Op, Pass, Pointwise, Rank, Separable, Step, Taps};

/// What the sums of an op need to be held in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sums {
    /// Integers whose sums stay below 2²⁴ at every step, so that `f32` holds them exactly.
    Small,
    /// Integers that need `i32`.
    Wide,
    /// Real numbers.
    Real,
}

/// Fails unless a frame is what was promised.
///
/// # Errors
/// If it has another pixel format or size; the message names the frame.
pub fn frame(frame: &Frame, format: &Format) -> Result<()> {
    let size = |format: &Format| (format.width, format.height);
    ensure!(
        frame.format().pixel == format.pixel && size(frame.format()) == size(format),
        "frame {} is {} where {format} was promised",
        frame.timing.number,
        frame.format()
    );
    Ok(())
}

/// Fails unless a pass can be run on a format.
///
/// # Errors
/// If something in it contradicts itself or the format; the message names the pass and the plane.
pub fn pass(pass: &Pass, format: &Format) -> Result<()> {
    let name = &pass.name;
    ensure!(pass.fits(format), "{name}: {} ops for the {} planes of {format}", pass.ops.len(), format.pixel.planes());
    let alike = !pass.is_blend() || pass.ops.iter().all(|op| matches!(op, Op::Blend(_) | Op::Copy));
    ensure!(alike, "{name}: a blend beside an op that has another window");
    for (plane, (op, after)) in pass.ops.iter().zip(&pass.after).enumerate() {
        let checked = match op {
            Op::Blend(op) => blend(op, format.plane_size(plane)),
            op => check(op, format),
        };
        let checked = checked.and_then(|()| after.as_ref().map_or(Ok(()), |points| finished(op, points, format)));
        if let Err(error) = checked {
            bail!("{name}, plane {plane}: {error}");
        }
    }
    Ok(())
}

/// What is done to the finished samples of an op.
fn finished(op: &Op, points: &Pointwise, format: &Format) -> Result<()> {
    ensure!(
        !matches!(op, Op::Copy | Op::Pointwise(_) | Op::Blend(_)),
        "single samples after single samples, which are one operation"
    );
    pointwise(points, format)
}

fn check(op: &Op, format: &Format) -> Result<()> {
    match op {
        // Any numbers do for a gain.
        Op::Copy | Op::Blend(_) | Op::Gain(_) => Ok(()),
        Op::Separable(op) => {
            for Taps { weights, anchor } in [&op.t, &op.y, &op.x] {
                ensure!(*anchor < weights.len(), "anchor {anchor} lies outside {} taps", weights.len());
            }
            sums(op.arithmetic, op.border, format, separable_weights(op))
        }
        Op::Dense(op) => {
            ensure!(!op.kernels.is_empty(), "there is no kernel");
            for Kernel { size, anchor, weights } in &op.kernels {
                let [t, y, x] = *size;
                ensure!(t > 0 && y > 0 && x > 0, "a kernel of {t}x{y}x{x} taps is empty");
                ensure!(t * y * x == weights.len(), "{} weights for {t}x{y}x{x} taps", weights.len());
                ensure!((0..3).all(|axis| anchor[axis] < size[axis]), "the anchor lies outside {t}x{y}x{x} taps");
            }
            sums(op.arithmetic, op.border, format, op.kernels.iter().map(|kernel| kernel.weights.as_slice()))
        }
        Op::Pointwise(op) => pointwise(op, format),
        Op::Rank(op) => rank(op, format),
    }
}

fn pointwise(op: &Pointwise, format: &Format) -> Result<()> {
    let pixel = format.pixel;
    match op {
        Pointwise::Table(table) => {
            ensure!(pixel.sample != Sample::F32, "a table for float samples");
            let wanted = 1 << pixel.depth;
            ensure!(table.len() == wanted, "a table of {} entries where {wanted} are needed", table.len());
            let largest = table.iter().copied().max().unwrap_or(0);
            ensure!(f32::from(largest) <= pixel.peak(), "{largest} in a table is no sample of {}", pixel.name());
        }
        Pointwise::Steps { steps, .. } => {
            ensure!(pixel.sample == Sample::F32, "steps for integer samples");
            let short = |step: &Step| matches!(step, Step::Lookup(values) if values.len() < 2);
            ensure!(!steps.iter().any(short), "a table of floats has fewer than two entries");
        }
    }
    Ok(())
}

fn blend(op: &Blend, (width, height): (usize, usize)) -> Result<()> {
    let fits = |weight: &f32| (0.0..=1.0).contains(weight);
    let weights = match op {
        Blend::Even(weight) => std::slice::from_ref(weight),
        Blend::Inside { columns, rows, weight } => {
            let inside = columns.start <= columns.end && columns.end <= width;
            ensure!(inside && rows.start <= rows.end && rows.end <= height, "the rectangle reaches out of the plane");
            std::slice::from_ref(weight)
        }
        Blend::Each { width: row, weights } => {
            let count = weights.len();
            ensure!(*row == width && count == width * height, "{count} weights for {width}x{height} samples");
            weights
        }
    };
    ensure!(weights.iter().all(fits), "a weight is not from 0 to 1");
    Ok(())
}

fn rank(op: &Rank, format: &Format) -> Result<()> {
    let Rank { size, anchor, rank, border, .. } = op;
    let [t, y, x] = *size;
    ensure!(t > 0 && y > 0 && x > 0, "a box of {t}x{y}x{x} samples is empty");
    let most = Rank::MAX_SAMPLES;
    let samples = t.checked_mul(y).and_then(|samples| samples.checked_mul(x)).filter(|&samples| samples <= most);
    let Some(samples) = samples else { bail!("a box of {t}x{y}x{x} samples holds more than {most}") };
    ensure!((0..3).all(|axis| anchor[axis] < size[axis]), "the anchor lies outside {t}x{y}x{x} samples");
    ensure!(*rank < samples, "there is no rank {rank} among {samples} samples");
    if format.pixel.sample != Sample::F32 {
        sample(border.constant(), format.pixel.peak())?;
    }
    Ok(())
}

/// Fails unless a constant is an integer that a sample can be.
fn sample(constant: f32, peak: f32) -> Result<()> {
    let fits = constant.fract() == 0.0 && (0.0..=peak).contains(&constant);
    ensure!(fits, "the border {constant} is no sample of 0 to {peak}");
    Ok(())
}

fn separable_weights(op: &Separable) -> impl Iterator<Item = &[f32]> {
    [&op.t, &op.x, &op.y].into_iter().map(|taps| taps.weights.as_slice())
}

fn sums<'a>(
    arithmetic: Arithmetic,
    border: Border,
    format: &Format,
    mut weights: impl Iterator<Item = &'a [f32]>,
) -> Result<()> {
    if arithmetic == Arithmetic::Real {
        return Ok(());
    }
    ensure!(format.pixel.sample != Sample::F32, "integer sums of float samples");
    let integer = |value: f32| value.fract() == 0.0 && value.abs() < (1 << 24) as f32;
    ensure!(weights.all(|weights| weights.iter().all(|&w| integer(w))), "a weight is no integer below 2^24");
    sample(border.constant(), format.pixel.peak())
}

fn absolute(weights: &[f32]) -> f64 {
    weights.iter().map(|&w| f64::from(w).abs()).sum()
}

fn classify(arithmetic: Arithmetic, bound: f64) -> Result<Sums> {
    Ok(match arithmetic {
        Arithmetic::Real => Sums::Real,
        Arithmetic::Integer if bound < f64::from(1 << 24) => Sums::Small,
        Arithmetic::Integer if bound < 2f64.powi(31) => Sums::Wide,
        Arithmetic::Integer => bail!("integer sums may reach {bound}, which is not below 2^31"),
    })
}

/// What the sums of a separable op need. A step in between counts even if what follows makes it smaller.
///
/// # Errors
/// If they need more than there is.
pub fn separable(op: &Separable, highest: f32) -> Result<Sums> {
    let bound = separable_weights(op).fold(f64::from(highest), |bound, weights| bound * absolute(weights).max(1.0));
    classify(op.arithmetic, bound)
}

/// What the sums of a dense op need.
///
/// # Errors
/// If they need more than there is.
pub fn dense(op: &Dense, highest: f32) -> Result<Sums> {
    let bound = op.kernels.iter().map(|kernel| absolute(&kernel.weights)).fold(0.0, f64::max) * f64::from(highest);
    classify(op.arithmetic, bound)
}
