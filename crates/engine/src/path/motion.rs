//! Motion of the whole picture between two frames: a shift, an angle and a change of size, found from coarse to fine by
//! Gauss-Newton steps over the points of the first frame (Lucas and Kanade, "An iterative image registration technique", 1981),
//! each weighted the less the worse it fits (Geman and McClure), so that what moves by itself is left out. All in a fixed order
//! and without functions of the machine, so that every machine finds the same.

use super::picture::{PictureLevel, Point, SmallPicture, median};

/// Motion of what is seen, from one frame to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PictureMotion {
    /// Right and down, in samples of the largest level, of what lies in the centre.
    pub(super) shift: [f64; 2],
    /// Clockwise, in radians.
    pub(super) angle: f64,
}

/// `x' = (1 + m) x - n y + dx`, `y' = n x + (1 + m) y + dy` about the centre, and `value' = value + b`.
#[derive(Clone, Copy, Default)]
struct Parameters {
    shift: [f64; 2],
    m: f64,
    n: f64,
    b: f64,
}

/// Sums of products of the parameters' derivatives, and of those with the differences.
type Normal = ([[f64; 5]; 5], [f64; 5]);

/// Steps at most on one level.
const STEPS: usize = 12;
/// A step is the last if it moves no corner by more samples.
const SMALL: f64 = 0.01;
/// Half of the points differ by no more than this share of half of the contrast, where two frames show the same.
const MOST_DIFFERENCE: f32 = 0.5;
/// Differences of so many samples are noise.
const LEAST_SCALE: f32 = 0.02;
/// The farthest shift, as a share of the side, the largest angle, and the largest change of size.
const MOST_SHIFT: f64 = 0.3;
const MOST_ANGLE: f64 = 0.35;
const MOST_CHANGE: f64 = 0.2;

/// Motion from a picture to the next of the same size; `None` if they do not show the same.
pub(super) fn motion(before: &SmallPicture, after: &SmallPicture) -> Option<PictureMotion> {
    let levels = || before.levels.iter().zip(&after.levels);
    let (coarse, other) = levels().next_back()?;
    let mut found = Parameters { shift: nearest(coarse, other), ..Parameters::default() };
    let mut differences = Vec::new();
    let mut difference = 0.0;
    for (place, (level, other)) in levels().enumerate().rev() {
        if place + 1 < before.levels.len() {
            found.shift = found.shift.map(|shift| 2.0 * shift);
        }
        difference = refine(level, other, &mut found, &mut differences)?;
    }
    let fine = before.levels.first()?;
    let Parameters { shift, m, n, .. } = found;
    let angle = libm::atan2(n, 1.0 + m);
    let sides = [fine.width, fine.height];
    let is_near = shift.iter().zip(sides).all(|(shift, side)| shift.abs() <= MOST_SHIFT * side as f64);
    let is_alike = difference <= MOST_DIFFERENCE * fine.contrast;
    let is_small = angle.abs() <= MOST_ANGLE && m.abs() <= MOST_CHANGE;
    (is_near && is_alike && is_small).then_some(PictureMotion { shift, angle })
}

/// The shift in whole samples at which two small pictures differ least, apart from their mean; no sample counts as more than
/// half of them differ from it.
fn nearest(level: &PictureLevel, other: &PictureLevel) -> [f64; 2] {
    let (width, height) = (level.width as isize, level.height as isize);
    let centred = |level: &PictureLevel| {
        let sum: f64 = level.samples.iter().map(|sample| f64::from(*sample)).sum();
        let mean = (sum / level.samples.len() as f64) as f32;
        level.samples.iter().map(|sample| sample - mean).collect::<Vec<f32>>()
    };
    let (own, next) = (centred(level), centred(other));
    let most = median(&mut own.iter().map(|value| value.abs()).collect::<Vec<_>>()).max(1.0);
    let mean_difference = |dx: isize, dy: isize| {
        let (columns, rows) = (width - dx.abs(), height - dy.abs());
        let (from, to) = ((-dx).max(0), dx.max(0));
        let mut sum = 0.0;
        for row in 0..rows {
            let own = &own[((row + (-dy).max(0)) * width + from) as usize..][..columns as usize];
            let next = &next[((row + dy.max(0)) * width + to) as usize..][..columns as usize];
            let differences = own.iter().zip(next).map(|(own, next)| (own - next).abs().min(most));
            sum += f64::from(differences.sum::<f32>());
        }
        sum / (columns * rows) as f64
    };
    let (mut best, mut least) = ([0, 0], mean_difference(0, 0));
    for dy in -height / 4..=height / 4 {
        for dx in -width / 4..=width / 4 {
            let difference = mean_difference(dx, dy);
            if difference < least {
                (best, least) = ([dx, dy], difference);
            }
        }
    }
    best.map(|shift| shift as f64)
}

/// Improves what was found in a coarser level. Returns the median difference of the points that both frames have; `None` if
/// there are too few.
fn refine(
    level: &PictureLevel,
    other: &PictureLevel,
    found: &mut Parameters,
    differences: &mut Vec<f32>,
) -> Option<f32> {
    let (mut scale, mut difference) = (f32::INFINITY, f32::INFINITY);
    let reach = [level.width, level.height].map(|side| side as f64 / 2.0);
    for step in 0..=STEPS {
        let (normal, median) = compared(level, other, found, scale, differences);
        difference = median?;
        // 2.5 standard deviations of even noise.
        scale = (2.5 * 1.4826 * difference).max(LEAST_SCALE);
        if step == 0 {
            // The first comparison gives the scale of the weights alone.
            continue;
        }
        let [dx, dy, m, n, b] = solved(normal)?;
        found.shift[0] += dx;
        found.shift[1] += dy;
        (found.m, found.n, found.b) = (found.m + m, found.n + n, found.b + b);
        let corner = dx.abs().max(dy.abs()) + m.abs().max(n.abs()) * (reach[0] + reach[1]);
        if corner < SMALL {
            break;
        }
    }
    Some(difference)
}

/// Compares the points of a level with another frame that is moved so far.
fn compared(
    level: &PictureLevel,
    other: &PictureLevel,
    found: &Parameters,
    scale: f32,
    differences: &mut Vec<f32>,
) -> (Normal, Option<f32>) {
    let [dx, dy] = found.shift.map(|shift| shift as f32);
    let (size, n, b) = ((1.0 + found.m) as f32, found.n as f32, found.b as f32);
    let mut sums = [0.0f64; 20];
    differences.clear();
    for point in &level.points {
        let &Point { x, y, value, gradient, unit } = point;
        let Some(there) = other.value(size * x - n * y + dx, n * x + size * y + dy) else { continue };
        let difference = (there - value - b) * unit;
        differences.push(difference.abs());
        let part = difference / scale;
        let weight = 1.0 / (1.0 + part * part);
        let weight = weight * weight;
        let [across, down] = gradient.map(|change| change * unit);
        let slopes = [across, down, across * x + down * y, down * x - across * y, -unit];
        let mut place = 0;
        for (index, slope) in slopes.iter().enumerate() {
            let weighted = weight * slope;
            for other in slopes[index..].iter().chain([&difference]) {
                sums[place] += f64::from(weighted * other);
                place += 1;
            }
        }
    }
    let is_enough = 4 * differences.len() >= level.points.len() && !differences.is_empty();
    let (mut matrix, mut right, mut sums) = ([[0.0; 5]; 5], [0.0; 5], sums.into_iter());
    let mut next = || sums.next().unwrap_or(0.0);
    for (row, right) in right.iter_mut().enumerate() {
        for (row, column) in (row..5).map(|column| (row, column)) {
            let sum = next();
            (matrix[row][column], matrix[column][row]) = (sum, sum);
        }
        *right = -next();
    }
    ((matrix, right), is_enough.then(|| median(differences)))
}

/// The solution of the equations, which are damped a little; `None` if there is none.
fn solved((mut matrix, mut right): Normal) -> Option<[f64; 5]> {
    for (index, row) in matrix.iter_mut().enumerate() {
        row[index] += 1e-6 * row[index] + 1e-9;
    }
    for pivot in 0..5 {
        // Symmetric and damped, so that no rows need to change places.
        let divisor = matrix[pivot][pivot];
        if divisor.is_nan() || divisor.abs() < 1e-12 {
            return None;
        }
        for row in pivot + 1..5 {
            let factor = matrix[row][pivot] / divisor;
            let above = matrix[pivot];
            for (value, above) in matrix[row].iter_mut().zip(above).skip(pivot) {
                *value -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    let mut solution = [0.0; 5];
    for row in (0..5).rev() {
        let known: f64 = (row + 1..5).map(|column| matrix[row][column] * solution[column]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    solution.iter().all(|value| value.is_finite()).then_some(solution)
}
