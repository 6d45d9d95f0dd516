//! One plane's wish as an op: which arithmetic, separable or dense, and rounded to `f32` once.

use crate::filter::{Matrix, Pick, Row, Shape, Stencil, Want, Wanted};
use crate::frame::{Pixel, Sample};
use crate::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Operation, Rank, Separable, Taps};

use super::factor::{self, MAX_RESIDUAL};
use super::note::Note;
use super::{guard, tone};

/// The ops for one plane of such pixels, at least one, to be run one after another.
pub(super) fn lower(wanted: &Wanted, pixel: Pixel) -> Vec<(Op, Note)> {
    match &wanted.want {
        Want::Copy => vec![(Op::Copy, Note::new(0, None, "not selected or unchanged"))],
        Want::Stencil(stencil) => vec![lower_stencil(stencil, wanted.border, pixel)],
        Want::Points(curve) => vec![tone::lower(curve, pixel)],
        Want::Steady(steady) => vec![guard::lower(steady, pixel)],
        Want::Picks(picks) => picks.iter().map(|pick| lower_pick(pick, wanted.border)).collect(),
        Want::OperationThen(op, curve) => vec![lower_operation(op, wanted.border), tone::lower(curve, pixel)],
        Want::Operation(op) => {
            let before = op.before();
            before.iter().chain([op]).map(|op| lower_operation(op, wanted.border)).collect()
        }
    }
}

fn lower_operation(op: &Op, border: Border) -> (Op, Note) {
    let mut op = op.clone();
    if let Some(outside) = op.facts_mut().and_then(Operation::border_mut) {
        *outside = border;
    }
    let taps = op.facts().taps();
    (op, Note::new(taps, None, "copied"))
}

fn lower_pick(pick: &Pick, border: Border) -> (Op, Note) {
    let samples = pick.samples();
    let finish = Finish { scale: pick.mix as f32, dry: (1.0 - pick.mix) as f32, bias: 0.0 };
    let op = Rank { size: pick.size, anchor: pick.anchor, rank: pick.rank, border, finish };
    let reason = match op.is_extreme() {
        true => "an extreme, along one axis after another".to_owned(),
        false => format!("number {} of {samples}", pick.rank + 1),
    };
    (Op::Rank(op), Note::new(samples, None, reason))
}

fn lower_stencil(stencil: &Stencil, border: Border, pixel: Pixel) -> (Op, Note) {
    let finish = Finish { scale: stencil.scale as f32, dry: stencil.dry as f32, bias: (stencil.bias + 0.0) as f32 };
    match &stencil.shape {
        Shape::Product { t, y, x } => {
            let before = t.weights.len() * y.weights.len() * x.weights.len();
            let rows = [t, y, x].map(factor::trimmed_row);
            let op = separable(&rows, finish, border, pixel);
            let copied = op == Op::Copy;
            let reason = if copied { "a single tap of 1" } else { "separable by definition" };
            (op, Note::new(before, None, reason))
        }
        Shape::Kernels(kernels, combine) => {
            let before = kernels.iter().map(|kernel| kernel.weights.len()).sum();
            let kernels: Vec<Matrix> = kernels.iter().map(factor::trimmed).collect();
            let factored = match (&kernels[..], combine) {
                ([kernel], Combine::Sum) => {
                    steps(kernel, before).map(|rows| (separable(&rows.0, finish, border, pixel), rows.1))
                }
                ([_], _) => Err("the absolute value needs the whole sum".to_owned()),
                _ => Err(format!("{} kernels over the same samples in one pass", kernels.len())),
            };
            match factored {
                Ok((Op::Copy, note)) => (Op::Copy, Note { reason: "a single tap of 1".to_owned(), ..note }),
                Ok(separable) => separable,
                Err(reason) => {
                    let op = dense(&kernels, *combine, finish, border, pixel);
                    (op, Note::new(before, None, reason))
                }
            }
        }
    }
}

/// The rows that a kernel is better run as, and why; or why it is run at once.
fn steps(kernel: &Matrix, before: usize) -> Result<([Row; 3], Note), String> {
    let whole = factor::is_whole(&kernel.weights);
    let Some(factors) = factor::factors(kernel) else {
        return Err(match whole {
            _ if kernel.weights == [0.0] => "all taps are 0".to_owned(),
            true => "no whole factors".to_owned(),
            false => format!("not rank 1 within {MAX_RESIDUAL:.0e}"),
        });
    };
    let (at_once, residual) = (kernel.weights.len(), factors.residual);
    let rows = [factors.t, factors.y, factors.x];
    let used = rows.iter().filter(|row| **row != Row::identity());
    let taps: usize = used.map(|row| row.weights.len()).sum();
    let axes = kernel.size.iter().filter(|size| **size > 1).count();
    let reason = match whole {
        _ if axes < 2 => "along one axis".to_owned(),
        _ if taps >= at_once => {
            return Err(format!("separable, but {taps} taps in steps are no fewer than {at_once} at once"));
        }
        true => format!("exact whole factors: {taps} instead of {before} taps"),
        false => format!("rank 1, residual {residual:.0e}: {taps} instead of {before} taps"),
    };
    Ok((rows, Note::new(before, Some(residual), reason)))
}

fn dense(kernels: &[Matrix], combine: Combine, finish: Finish, border: Border, pixel: Pixel) -> Op {
    let exact = kernels.iter().all(|kernel| is_exact([&kernel.weights[..]], pixel));
    let arithmetic = if exact { Arithmetic::Integer } else { Arithmetic::Real };
    let rounded =
        |kernel: &Matrix| Kernel { size: kernel.size, anchor: kernel.anchor, weights: rounded(&kernel.weights) };
    Op::Dense(Dense { kernels: kernels.iter().map(rounded).collect(), combine, arithmetic, border, finish })
}

/// Rows along t, y, x as an op; a copy where they and the last step do nothing.
fn separable(rows: &[Row; 3], finish: Finish, border: Border, pixel: Pixel) -> Op {
    let exact = is_exact(rows.each_ref().map(|row| &row.weights[..]), pixel);
    let [t, y, x] = rows.each_ref().map(|row| Taps { weights: rounded(&row.weights), anchor: row.anchor });
    if [&t, &y, &x].into_iter().all(Taps::is_identity) && finish == Finish::PLAIN {
        return Op::Copy;
    }
    let arithmetic = if exact { Arithmetic::Integer } else { Arithmetic::Real };
    Op::Separable(Separable { t, x, y, arithmetic, border, finish })
}

/// Whether sums of the product of these rows, and what stands between them, are exact in `i32`, and the taps in `f32`.
fn is_exact<const N: usize>(rows: [&[f64]; N], pixel: Pixel) -> bool {
    let largest: f64 = rows.iter().map(|row| row.iter().map(|tap| tap.abs()).sum::<f64>().max(1.0)).product();
    let whole = rows.iter().all(|row| factor::is_whole(row) && row.iter().all(|tap| tap.abs() < 2f64.powi(24)));
    pixel.sample != Sample::F32 && whole && largest * f64::from(pixel.highest()) < 2f64.powi(31)
}

fn rounded(weights: &[f64]) -> Vec<f32> {
    weights.iter().map(|weight| *weight as f32).collect()
}
