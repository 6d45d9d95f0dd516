//! A matrix as the product of one row along each axis, where it is one: exactly for whole numbers, and within
//! [`MAX_RESIDUAL`] for real ones.

use crate::filter::{Matrix, Row};

/// The largest relative error (root of the sum of squares) at which real taps count as a product: a quarter of what
/// rounding them to `f32` may do.
pub(super) const MAX_RESIDUAL: f64 = 1.0 / (1 << 22) as f64;

/// One row along each axis, and how far their product is from the matrix, relative to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Factors {
    pub t: Row,
    pub y: Row,
    pub x: Row,
    pub residual: f64,
}

/// The matrix without the zeros at its outside; the anchor stays inside. Zeros alone become a single one. No bytes
/// change, but in float clips where a zero would have met infinity, which gives NaN.
pub(super) fn trimmed(matrix: &Matrix) -> Matrix {
    let [_, rows, columns] = matrix.size;
    let (mut low, mut high) = (matrix.anchor, matrix.anchor);
    for (i, _) in matrix.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
        let place = [i / columns / rows, i / columns % rows, i % columns];
        for axis in 0..3 {
            low[axis] = low[axis].min(place[axis]);
            high[axis] = high[axis].max(place[axis]);
        }
    }
    let mut weights = Vec::new();
    for t in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            let start = (t * rows + y) * columns;
            weights.extend_from_slice(&matrix.weights[start + low[2]..=start + high[2]]);
        }
    }
    let size = [0, 1, 2].map(|axis| high[axis] - low[axis] + 1);
    let anchor = [0, 1, 2].map(|axis| matrix.anchor[axis] - low[axis]);
    Matrix { size, anchor, weights }
}

/// The same for one row.
pub(super) fn trimmed_row(row: &Row) -> Row {
    let used = |weight: &f64| *weight != 0.0;
    let low = row.weights.iter().position(used).map_or(row.anchor, |first| first.min(row.anchor));
    let high = row.weights.iter().rposition(used).map_or(row.anchor, |last| last.max(row.anchor));
    Row { weights: row.weights[low..=high].to_vec(), anchor: row.anchor - low }
}

/// Factors of a matrix, t from the rest and then y from x; `None` where it is no product, or of zeros alone.
pub(super) fn factors(matrix: &Matrix) -> Option<Factors> {
    let [frames, rows, columns] = matrix.size;
    let whole = is_whole(&matrix.weights);
    let split = |weights: &[f64], rows, columns| match (rows, columns) {
        _ if weights.iter().all(|weight| *weight == 0.0) => None,
        (1, _) => Some((vec![1.0], weights.to_vec())),
        (_, 1) => Some((weights.to_vec(), vec![1.0])),
        _ if whole => split_whole(weights, columns),
        _ => split_real(weights, rows, columns),
    };
    let (t, plane) = split(&matrix.weights, frames, rows * columns)?;
    let (y, x) = split(&plane, rows, columns)?;
    let row = |weights, axis: usize| Row { weights, anchor: matrix.anchor[axis] };
    let (t, y, x) = (row(t, 0), row(y, 1), row(x, 2));
    let product = Matrix::product(&t, &y, &x);
    let square = |value: f64| value * value;
    let error: f64 = product.weights.iter().zip(&matrix.weights).map(|(a, b)| square(a - b)).sum();
    let total: f64 = matrix.weights.iter().copied().map(square).sum();
    let residual = (error / total).sqrt();
    (residual < MAX_RESIDUAL).then_some(Factors { t, y, x, residual })
}

/// Whether all are whole numbers that `f64` holds exactly.
pub(super) fn is_whole(weights: &[f64]) -> bool {
    weights.iter().all(|weight| weight.fract() == 0.0 && weight.abs() < 2f64.powi(53))
}

/// Rows of whole numbers as a column times a row that has no common divisor; exact or `None`.
fn split_whole(weights: &[f64], columns: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    let pivot = weights.chunks(columns).find(|row| row.iter().any(|weight| *weight != 0.0))?;
    let divisor = pivot.iter().fold(0, |divisor, weight| gcd(divisor, weight.abs() as u64)) as f64;
    let x: Vec<f64> = pivot.iter().map(|weight| weight / divisor).collect();
    let place = x.iter().position(|weight| *weight != 0.0)?;
    let y: Vec<f64> = weights.chunks(columns).map(|row| row[place] / x[place]).collect();
    let exact = is_whole(&y)
        && weights.chunks(columns).zip(&y).all(|(row, y)| row.iter().zip(&x).all(|(weight, x)| *weight == x * y));
    exact.then_some((y, x))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The column and the row whose product comes closest, found by alternating least squares. From the largest element's
/// row, two rounds are enough where the second singular value is below [`MAX_RESIDUAL`] of the first; where it is not,
/// the caller finds out. The row is scaled so that its absolute values sum to 1. Not all weights are 0.
fn split_real(weights: &[f64], rows: usize, columns: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    let largest = (0..weights.len()).max_by(|&a, &b| weights[a].abs().total_cmp(&weights[b].abs()))?;
    let start = largest / columns * columns;
    let mut x: Vec<f64> = weights[start..start + columns].iter().map(|weight| weight / weights[largest]).collect();
    let mut y = vec![0.0; rows];
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for _ in 0..2 {
        let length = dot(&x, &x);
        y = weights.chunks(columns).map(|row| dot(row, &x) / length).collect();
        let length = dot(&y, &y);
        x.fill(0.0);
        for (row, factor) in weights.chunks(columns).zip(&y) {
            for (sum, weight) in x.iter_mut().zip(row) {
                *sum += weight * factor / length;
            }
        }
    }
    let norm: f64 = x.iter().map(|weight| weight.abs()).sum();
    x.iter_mut().for_each(|weight| *weight /= norm);
    y.iter_mut().for_each(|weight| *weight *= norm);
    Some((y, x))
}
