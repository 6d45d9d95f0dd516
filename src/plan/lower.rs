//! One plane's wish as an op: which arithmetic, separable or dense, and rounded to `f32` once.

use crate::filter::{Matrix, Row, Shape, Stencil, Want, Wanted};
use crate::frame::{Pixel, Sample};
use crate::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Separable, Taps};

use super::factor::{self, MAX_RESIDUAL};

/// How an op came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Taps that the filter asked for; 0 for a copy.
    pub taps_before: usize,
    /// How far the product of the factors is from what was asked for, relative to it; `None` where none were sought.
    pub residual: Option<f64>,
    /// Why the op is what it is, in words.
    pub reason: String,
}

impl Note {
    fn new(taps_before: usize, residual: Option<f64>, reason: impl Into<String>) -> Self {
        Self { taps_before, residual, reason: reason.into() }
    }
}

/// The op for one plane of such pixels.
pub(super) fn lower(wanted: &Wanted, pixel: Pixel) -> (Op, Note) {
    let Want::Stencil(stencil) = &wanted.want else {
        return (Op::Copy, Note::new(0, None, "not selected or unchanged"));
    };
    let finish = Finish { scale: stencil.scale as f32, dry: stencil.dry as f32, bias: stencil.bias as f32 };
    match &stencil.shape {
        Shape::Product { t, y, x } => {
            let before = t.weights.len() * y.weights.len() * x.weights.len();
            let rows = [t, y, x].map(factor::trimmed_row);
            let op = separable(&rows, finish, wanted.border, pixel);
            let copied = op == Op::Copy;
            let reason = if copied { "a single tap of 1" } else { "asked for axis by axis" };
            (op, Note::new(before, None, reason))
        }
        Shape::Kernels(kernels, combine) => from_kernels(kernels, *combine, stencil, finish, wanted.border, pixel),
    }
}

fn from_kernels(
    kernels: &[Matrix],
    combine: Combine,
    stencil: &Stencil,
    finish: Finish,
    border: Border,
    pixel: Pixel,
) -> (Op, Note) {
    let before = kernels.iter().map(|kernel| kernel.weights.len()).sum();
    let kernels: Vec<Matrix> = kernels.iter().map(factor::trimmed).collect();
    let after: usize = kernels.iter().map(|kernel| kernel.weights.len()).sum();
    let reason = match (&kernels[..], combine) {
        ([kernel], Combine::Sum) => match factor::factors(kernel) {
            Some(factors) => {
                let rows = [factors.t, factors.y, factors.x];
                let taps = taps(&rows);
                if kernel.size.iter().filter(|size| **size > 1).count() < 2 || taps < after {
                    let op = separable(&rows, finish, border, pixel);
                    let exact = factor::is_whole(&kernel.weights);
                    let reason = match (&op, exact) {
                        (Op::Copy, _) => "a single tap of 1".to_owned(),
                        _ if taps == before => "along one axis".to_owned(),
                        (_, true) => format!("exact whole factors: {taps} instead of {before} taps"),
                        _ => format!("rank 1, residual {:.0e}: {taps} instead of {before} taps", factors.residual),
                    };
                    return (op, Note::new(before, Some(factors.residual), reason));
                }
                format!("separable, but {taps} taps in steps are no fewer than {after} at once")
            }
            None if stencil.shape.gain() == 0.0 && kernel.weights == [0.0] => "all taps are 0".to_owned(),
            None if factor::is_whole(&kernel.weights) => "no whole factors".to_owned(),
            None => format!("not rank 1 within {MAX_RESIDUAL:.0e}"),
        },
        ([_], _) => "the absolute value needs the whole sum".to_owned(),
        _ => format!("{} kernels over the same samples in one pass", kernels.len()),
    };
    let exact = kernels.iter().all(|kernel| is_exact([&kernel.weights[..]], pixel));
    let arithmetic = if exact { Arithmetic::Integer } else { Arithmetic::Real };
    let kernels = kernels.into_iter().map(|kernel| Kernel {
        size: kernel.size,
        anchor: kernel.anchor,
        weights: rounded(&kernel.weights),
    });
    let op = Op::Dense(Dense { kernels: kernels.collect(), combine, arithmetic, border, finish });
    (op, Note::new(before, None, reason))
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
    pixel.sample != Sample::F32 && whole && largest * f64::from(pixel.peak()) < 2f64.powi(31)
}

fn rounded(weights: &[f64]) -> Vec<f32> {
    weights.iter().map(|weight| *weight as f32).collect()
}

/// Taps of the axes along which something is done.
fn taps(rows: &[Row; 3]) -> usize {
    rows.iter().filter(|row| **row != Row::identity()).map(|row| row.weights.len()).sum()
}
