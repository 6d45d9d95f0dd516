//! Colours mapped to colours: the exact colour of each place in `f64`, and the prescribed one in `f32`, for one plane at a time.

use warpreel::frame::{Family, Sample};
use warpreel::pass::{ColourMap, ColourMatrix, Grade, Lattice, LatticeMode, ToneCurves, Vibrance};

use super::{Place, Stack};

/// What one sample is.
pub fn sample(op: &Grade, place: &Place) -> f32 {
    let format = place.format;
    let pixel = format.pixel;
    let plane = place.plane;
    let is_real = pixel.sample == Sample::F32;
    let known = |value: f32| if value.is_finite() { value } else { 0.0 };
    let read = |stack: &Stack, x: i128, y: i128| {
        let (x, y) = (x.clamp(0, stack.width as i128 - 1), y.clamp(0, stack.height as i128 - 1));
        known(stack.inside(0, y as isize, x as isize))
    };
    let (x, y) = (place.x as i128, place.y as i128);
    let planes = place.planes;
    let given: [f32; 3] = match (&op.matrix, pixel.family) {
        (None, _) => {
            let unit = if is_real { 1.0 } else { 1.0 / pixel.peak() };
            [2, 0, 1].map(|plane| read(&planes[plane], x, y) * unit)
        }
        (Some(matrix), family) => {
            let luma = |x, y| read(&planes[0], x, y);
            let finer = match pixel.subsampling(1) {
                (across, down) if family == Family::Yuv => [1i128 << across, 1 << down],
                _ => [1, 1],
            };
            let siting = matrix.siting.map(|siting| siting as i128);
            let own = |stack| read(stack, x, y);
            let three = match plane {
                _ if family == Family::Gray => [luma(x, y), matrix.middle, matrix.middle],
                0 => {
                    let between = |plane: usize| chroma(&planes[plane], [x, y], finer, siting, read);
                    [luma(x, y), between(1), between(2)]
                }
                _ => {
                    let ends = |axis: usize, place: i128| {
                        [siting[axis] / 2, (siting[axis] + 1) / 2].map(|behind| finer[axis] * place + behind)
                    };
                    let ([left, right], [above, below]) = (ends(0, x), ends(1, y));
                    let upper = luma(left, above) + luma(right, above);
                    let lower = luma(left, below) + luma(right, below);
                    [(upper + lower) / 4.0, own(&planes[1]), own(&planes[2])]
                }
            };
            colour(matrix, three)
        }
    };
    let mut found = match &op.map {
        ColourMap::Lattice(lattice, mode) => look_up(lattice, *mode, given),
        ColourMap::Curves(curves) => bent(curves, given),
        ColourMap::Vibrance(vibrance) => saturated(vibrance, given.map(known)),
    };
    if op.strength != 1.0 {
        found = [0, 1, 2].map(|n| given[n] * (1.0 - op.strength) + found[n] * op.strength);
    }
    let quiet = |value: f32| if value.is_nan() { f32::from_bits(0x7fc0_0000) } else { value };
    let whole = |value: f32| if value.is_nan() { 0.0 } else { value.clamp(0.0, pixel.peak()).floor() };
    match &op.matrix {
        None => {
            let number = found[[1, 2, 0][plane]];
            if is_real { quiet(number) } else { whole(number * pixel.peak()) }
        }
        Some(matrix) => {
            let [r, g, b] = found;
            let [wr, wg, wb] = matrix.weights;
            let luma = (r * wr + g * wg) + b * wb;
            let number = match plane {
                0 => luma * matrix.span + matrix.black,
                1 => ((b - luma) * matrix.back[0]) * matrix.chroma_span + matrix.middle,
                _ => ((r - luma) * matrix.back[1]) * matrix.chroma_span + matrix.middle,
            };
            if is_real { quiet(number) } else { whole(number + 0.5) }
        }
    }
}

/// Chroma at a luma pixel.
fn chroma(
    stack: &Stack,
    place: [i128; 2],
    finer: [i128; 2],
    siting: [i128; 2],
    read: impl Fn(&Stack, i128, i128) -> f32,
) -> f32 {
    let [(column, across), (row, down)] = [0, 1].map(|axis| {
        let (twice, span) = (2 * place[axis] - siting[axis], 2 * finer[axis]);
        (twice.div_euclid(span), twice.rem_euclid(span) as f32 / span as f32)
    });
    let mix = |a: f32, b: f32, part: f32| if part == 0.0 { a } else { a * (1.0 - part) + b * part };
    let [left, right] = [column, column + 1].map(|x| mix(read(stack, x, row), read(stack, x, row + 1), down));
    mix(left, right, across)
}

/// Luma and chroma as a colour.
fn colour(matrix: &ColourMatrix, [luma, blue, red]: [f32; 3]) -> [f32; 3] {
    let y = (luma - matrix.black) * matrix.luma;
    let [u, v] = [blue, red].map(|sample| (sample - matrix.middle) * matrix.chroma);
    [y + v * matrix.red, (y - u * matrix.green[0]) - v * matrix.green[1], y + u * matrix.blue]
}

/// What a lattice says of a colour, by the paths along the edges of its cell.
fn look_up(lattice: &Lattice, mode: LatticeMode, given: [f32; 3]) -> [f32; 3] {
    let size = lattice.size;
    let last = (size - 1) as f32;
    let s = [0, 1, 2].map(|axis| {
        let place = (given[axis] - lattice.low[axis]) * lattice.scale[axis];
        if place.is_nan() { 0.0 } else { place.max(0.0).min(last) }
    });
    let point = |at: [usize; 3]| {
        let [r, g, b] = at.map(|place| place.min(size - 1));
        lattice.points[(b * size + g) * size + r]
    };
    let p = s.map(|s| s as usize);
    let d = [0, 1, 2].map(|axis| s[axis] - p[axis] as f32);
    let found = match mode {
        LatticeMode::Nearest => return point(s.map(|s| (s + 0.5) as usize)),
        LatticeMode::Trilinear => {
            let corner = |r: usize, g: usize, b: usize| point([p[0] + r, p[1] + g, p[2] + b]);
            let mix = |a: [f32; 3], b: [f32; 3], part: f32| [0, 1, 2].map(|n| a[n] + (b[n] - a[n]) * part);
            let edge = |g: usize, b: usize| mix(corner(0, g, b), corner(1, g, b), d[0]);
            mix(mix(edge(0, 0), edge(1, 0), d[1]), mix(edge(0, 1), edge(1, 1), d[1]), d[2])
        }
        LatticeMode::Tetrahedral => {
            let mut order = [0, 1, 2];
            order.sort_by(|a, b| d[*b].total_cmp(&d[*a]));
            let parts = order.map(|axis| d[axis]);
            let weights = [1.0 - parts[0], parts[0] - parts[1], parts[1] - parts[2], parts[2]];
            let (mut sum, mut at) = ([0.0; 3], p);
            for (step, weight) in weights.into_iter().enumerate() {
                if step > 0 {
                    at[order[step - 1]] += 1;
                }
                for (sum, number) in sum.iter_mut().zip(point(at)) {
                    // The first term stands by itself: a sum with 0 would lose the sign of −0.
                    *sum = if step == 0 { weight * number } else { *sum + weight * number };
                }
            }
            sum
        }
    };
    // In f64, by the share that each corner of a tetrahedron or a cell has in the volume.
    for (n, &found) in found.iter().enumerate() {
        let (mut ideal, mut size) = (0.0f64, f64::from(f32::MIN_POSITIVE));
        for corner in 0..8usize {
            let inside = |axis: usize| corner >> axis & 1 == 1;
            let weight: f64 = match mode {
                LatticeMode::Trilinear => {
                    let part = |axis: usize| if inside(axis) { f64::from(d[axis]) } else { 1.0 - f64::from(d[axis]) };
                    (0..3).map(part).product()
                }
                // What the axes of the corner have in common, less what any other axis has.
                _ => {
                    let least = (0..3).filter(|axis| inside(*axis)).map(|axis| f64::from(d[axis])).fold(1.0, f64::min);
                    let most = (0..3).filter(|axis| !inside(*axis)).map(|axis| f64::from(d[axis])).fold(0.0, f64::max);
                    (least - most).max(0.0)
                }
            };
            let at = [0, 1, 2].map(|axis| p[axis] + usize::from(inside(axis)));
            let number = f64::from(point(at)[n]);
            ideal += weight * number;
            size += number.abs();
        }
        let error = 16.0 * super::UNIT * size;
        assert!((f64::from(found) - ideal).abs() <= error, "{} is more than {error:e} from {ideal}", found);
    }
    found
}

/// What becomes of an f64 value whose `f32` result is `found`, by terms of such a size.
fn check(found: f32, ideal: f64, size: f64) -> f32 {
    let error = 16.0 * super::UNIT * (size + f64::from(f32::MIN_POSITIVE));
    assert!(
        !size.is_finite() || (f64::from(found) - ideal).abs() <= error,
        "{found} is more than {error:e} from {ideal}"
    );
    found
}

/// What three curves say of a colour.
fn bent(curves: &ToneCurves, given: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| {
        let place = (given[axis] - curves.low[axis]) * curves.scale[axis];
        let place = if place.is_nan() { 0.0 } else { place.max(0.0).min((curves.size - 1) as f32) };
        let piece = (place + curves.ahead) as usize;
        let part = place - piece as f32;
        let [a, b, c, d] = curves.pieces[axis * curves.size + piece];
        let powers: [f64; 4] = std::array::from_fn(|n| f64::from(part).powi(n as i32));
        let terms = [a, b, c, d].map(f64::from);
        let ideal: f64 = terms.iter().zip(powers).map(|(term, power)| term * power).sum();
        let size: f64 = terms.iter().zip(powers).map(|(term, power)| (term * power).abs()).sum();
        check(((d * part + c) * part + b) * part + a, ideal, size)
    })
}

/// A colour with more or less saturation.
fn saturated(vibrance: &Vibrance, given: [f32; 3]) -> [f32; 3] {
    let Vibrance { intensity, turn, weights } = vibrance;
    let [r, g, b] = given;
    let luma = (g * weights[1] + r * weights[0]) + b * weights[2];
    let ends = |numbers: [f32; 3]| numbers.into_iter().fold((f32::MAX, f32::MIN), |(a, b), v| (a.min(v), b.max(v)));
    let (least, most) = ends(given);
    let wide = given.map(f64::from);
    let ideal_luma: f64 = wide.iter().zip(weights).map(|(v, weight)| v * f64::from(*weight)).sum();
    let size = wide.iter().zip(weights).fold(0.0, |sum, (v, weight)| sum + v.abs() * (1.0 + f64::from(weight.abs())));
    [0, 1, 2].map(|axis| {
        let factor = 1.0 + intensity[axis] * (1.0 - turn[axis] * (most - least));
        let found = luma + (given[axis] - luma) * factor;
        let (strength, turn) = (f64::from(intensity[axis]), f64::from(turn[axis]));
        let ideal_factor = 1.0 + strength * (1.0 - turn * (f64::from(most) - f64::from(least)));
        let ideal = ideal_luma + (wide[axis] - ideal_luma) * ideal_factor;
        let room = 1.0 + strength.abs() * (1.0 + (turn * (f64::from(most.abs()) + f64::from(least.abs()))).abs());
        check(found, ideal, if found.is_finite() { size * (1.0 + room) } else { f64::INFINITY })
    })
}
