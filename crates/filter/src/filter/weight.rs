//! Weights that several filters share, each in samples of the plane: the filters have scaled lengths before.

use super::stencil::{Matrix, Row};

/// Samples of a Gaussian, from `−radius` to `radius`, summing to 1; `sigma` 0 is the identity.
pub(super) fn gaussian(sigma: f64, radius: usize) -> Row {
    if sigma <= 0.0 || radius == 0 {
        return Row::identity();
    }
    let bell = |i: usize| libm::exp(-0.5 * ((i as f64 - radius as f64) / sigma).powi(2));
    let weights: Vec<f64> = (0..=2 * radius).map(bell).collect();
    let sum: f64 = weights.iter().sum();
    Row::centred(weights.into_iter().map(|weight| weight / sum).collect())
}

/// Where a Gaussian is cut off: `truncate · sigma`, rounded, as SciPy does.
pub(super) fn gaussian_radius(sigma: f64, truncate: f64) -> usize {
    (sigma * truncate + 0.5).floor() as usize
}

/// Widths of so many boxes, one after another, whose standard deviation is as near to `sigma` as whole widths come; none
/// for 0. They differ by a few samples, and together have a middle.
pub(super) fn boxes(sigma: f64, count: usize) -> Vec<usize> {
    if sigma <= 0.0 {
        return Vec::new();
    }
    // A box of w has the variance (w² − 1) / 12.
    let width = (12.0 * sigma * sigma / count as f64 + 1.0).sqrt() as usize;
    let (least, most) = (width.saturating_sub(2).max(1), width + 3);
    let mut widths = vec![least; count];
    let mut best = (f64::INFINITY, Vec::new());
    loop {
        let variance = widths.iter().map(|&width| (width * width - 1) as f64 / 12.0).sum::<f64>();
        let away = (variance - sigma * sigma).abs();
        if widths.iter().map(|width| width - 1).sum::<usize>().is_multiple_of(2) && away < best.0 {
            best = (away, widths.clone());
        }
        // The next of all choices, each in ascending order.
        let Some(last) = widths.iter().rposition(|&width| width < most) else { return best.1 };
        let next = widths[last] + 1;
        widths[last..].fill(next);
    }
}

/// A box of `2·radius + 1` luma pixels where `scale`, 1 or 1/2 or 1/4, samples lie in one: whole taps, all integers.
/// Where its ends fall inside a sample, that sample counts in part.
pub(super) fn box_row(radius: usize, scale: f64) -> Row {
    let parts = (2.0 / scale).round() as usize;
    // All in units of 1/parts of a sample, where half a luma pixel is one unit.
    let width = 2 * (2 * radius + 1);
    if scale == 1.0 || width <= parts {
        return Row::centred(vec![1.0; if scale == 1.0 { 2 * radius + 1 } else { 1 }]);
    }
    let whole = (width - parts) / 2 / parts;
    let rest = (width - parts) / 2 % parts;
    let mut weights = vec![parts as f64; 2 * whole + 1];
    if rest > 0 {
        weights.insert(0, rest as f64);
        weights.push(rest as f64);
    }
    Row::centred(weights)
}

/// Row `2·radius` of Pascal's triangle, not normalised.
pub(super) fn binomial(radius: usize) -> Row {
    let mut row = Row::identity();
    for _ in 0..radius {
        row = row.convolved(&Row::centred(vec![1.0, 2.0, 1.0]));
    }
    row
}

/// Into how many parts a luma pixel is cut, along each axis, to see how much of it a figure covers.
const PARTS: usize = 8;

/// How much of each sample a convex figure covers, as whole numbers: `inside` says of a point, in luma pixels from the
/// centre, whether it belongs to the figure, which reaches no further than `reach` (x, y). `scale` is the number of
/// samples in a luma pixel, (x, y). `None` if that takes more taps than a kernel may have.
pub(super) fn figure(reach: (f64, f64), scale: (f64, f64), inside: impl Fn(f64, f64) -> bool) -> Option<Matrix> {
    let radius = |reach: f64, scale: f64| (reach * scale - 0.5).ceil().max(0.0) as usize;
    let (rx, ry) = (radius(reach.0, scale.0), radius(reach.1, scale.1));
    let size = [1, 2 * ry + 1, 2 * rx + 1];
    if size[1].checked_mul(size[2]).is_none_or(|taps| taps > Matrix::MAX_TAPS) {
        return None;
    }
    let parts = |scale: f64| (PARTS as f64 / scale) as usize;
    let (nx, ny) = (parts(scale.0), parts(scale.1));
    let place = |index: usize, radius: usize, part: usize, parts: usize, scale: f64| {
        (index as f64 - radius as f64 - 0.5 + (part as f64 + 0.5) / parts as f64) / scale
    };
    let mut weights = Vec::with_capacity(size[1] * size[2]);
    for y in 0..size[1] {
        for x in 0..size[2] {
            let part = |i: usize, j: usize| inside(place(x, rx, i, nx, scale.0), place(y, ry, j, ny, scale.1));
            // A convex figure that covers the corners covers everything between them.
            if part(0, 0) && part(nx - 1, 0) && part(0, ny - 1) && part(nx - 1, ny - 1) {
                weights.push((nx * ny) as f64);
                continue;
            }
            let covered = (0..nx * ny).filter(|at| part(at % nx, at / nx)).count();
            weights.push(covered as f64);
        }
    }
    Some(Matrix::centred(size, weights))
}
