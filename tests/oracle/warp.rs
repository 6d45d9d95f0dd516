//! Samples between samples: places in 128 bits, every sample of the source at its own place.

use warpreel::frame::Sample;
use warpreel::pass::{Correction, Interpolation, Placement, Stabilized, Warp, WarpEdge};

use super::Place;

/// One sample in 65536 parts.
const ONE: i128 = 65536;

/// What one sample is.
pub fn sample(op: &Warp, place: &Place) -> f32 {
    let (wide, high) = (op.from.0 as i128, op.from.1 as i128);
    let [x, y] = spot(op, place);
    let [column, row] = [x.div_euclid(ONE), y.div_euclid(ONE)];
    let [mut fx, mut fy] = [x.rem_euclid(ONE), y.rem_euclid(ONE)];
    let is_affine = matches!(op.placement, Placement::Affine(_));
    let edge = match &op.placement {
        Placement::Stabilized(placement) => Some(placement.edge),
        _ => None,
    };
    if (is_affine || edge == Some(WarpEdge::Fill)) && !((-1..=wide).contains(&column) && (-1..=high).contains(&row)) {
        return op.fill;
    }
    // The plane as it is shown, with its edge repeated, or mirrored about it.
    let inside = |mut place: i128, last: i128| {
        if edge == Some(WarpEdge::Mirror) && last > 0 {
            // Whole periods at once, and then one mirror after the other.
            place -= place / (2 * last) * 2 * last;
            while !(0..=last).contains(&place) {
                place = if place < 0 { -place } else { 2 * last - place };
            }
        }
        place.clamp(0, last) as usize
    };
    let at = |x: i128, y: i128| {
        let (x, y) = (inside(x, wide - 1), inside(y, high - 1));
        let (x, y) = op.turn.stored((x, y), op.from);
        place.stack.inside(0, y as isize, x as isize)
    };
    let is_real = place.format.pixel.sample == Sample::F32;
    let quiet = |value: f32| if value.is_nan() { f32::from_bits(0x7fc0_0000) } else { value };
    match &op.interpolation {
        Interpolation::Nearest => at(column, row),
        Interpolation::Linear => {
            if !is_affine && edge.is_none() {
                fx = if column < 0 { 0 } else { fx };
                fy = if row < 0 { 0 } else { fy };
            }
            let (left, top) = match edge {
                None => (column.clamp(0, wide - 1), row.clamp(0, high - 1)),
                Some(_) => (column, row),
            };
            let four = [at(left, top), at(left + 1, top), at(left, top + 1), at(left + 1, top + 1)];
            if is_real {
                let mix = |a: f32, b: f32, part: i128| {
                    let part = part as f32 / 65536.0;
                    part.mul_add(b, (1.0 - part) * a)
                };
                return quiet(mix(mix(four[0], four[1], fx), mix(four[2], four[3], fx), fy));
            }
            let weights = [(ONE - fx) * (ONE - fy), fx * (ONE - fy), (ONE - fx) * fy, fx * fy];
            let sum: i128 = weights.iter().zip(four).map(|(weight, sample)| weight * sample as i128).sum();
            let half = if is_affine { 0 } else { ONE * ONE / 2 };
            (sum + half).div_euclid(ONE * ONE) as f32
        }
        Interpolation::Weighted { taps, weights } => {
            let count = *taps as i128;
            let weight = |part: i128, tap: i128| weights[((part / 256) * count + tap) as usize];
            let mut sum = 0f32;
            let (mut ideal, mut size) = (0f64, 0f64);
            for n in 0..count {
                let mut along = 0f32;
                for m in 0..count {
                    let sample = at(column - count / 2 + 1 + m, row - count / 2 + 1 + n);
                    along = weight(fx, m).mul_add(sample, along);
                    let term = f64::from(weight(fx, m)) * f64::from(weight(fy, n)) * f64::from(sample);
                    ideal += term;
                    size += term.abs();
                }
                sum = weight(fy, n).mul_add(along, sum);
            }
            if sum.is_finite() && size.is_finite() {
                let error = 2.0 * (count as f64 + 1.0) * super::UNIT * size + f64::from(f32::MIN_POSITIVE);
                assert!((f64::from(sum) - ideal).abs() <= error, "{sum} is more than {error:e} from {ideal}");
            }
            if is_real { quiet(sum) } else { (sum + 0.5).floor().clamp(0.0, place.format.pixel.peak()) }
        }
    }
}

/// Where a sample lies, in parts of one.
fn spot(op: &Warp, place: &Place) -> [i128; 2] {
    let [i, j] = [place.x as i128, place.y as i128];
    match &op.placement {
        Placement::Stabilized(Stabilized { finer, zoom, .. }) => {
            let Correction { shift: [dx, dy], sine, cosine } = place.correction;
            let [wide, high] = finer.map(|power| 2f64.powi(power.into()));
            let fixed = |value: f64| (value * 65536.0).round_ties_even() as i128;
            // From the centre, in halves of samples.
            let last = [op.from.0, op.from.1].map(|length| length as i128 - 1);
            let [from_x, from_y] = [2 * i - last[0], 2 * j - last[1]];
            let along = [fixed(cosine / zoom), fixed(-sine * (wide / high) / zoom)];
            let below = [fixed(sine * (high / wide) / zoom), fixed(cosine / zoom)];
            let moved = [-(cosine * dx + sine * dy) / wide, -(cosine * dy - sine * dx) / high];
            [0, 1].map(|axis| {
                let halves = ONE * last[axis] + from_x * along[axis] + from_y * below[axis];
                halves.div_euclid(2) + fixed(moved[axis])
            })
        }
        Placement::Affine(affine) => [0, 1].map(|axis| {
            let part = |pair: [i64; 2]| i128::from(pair[axis]);
            part(affine.first) + i * part(affine.across) + j * part(affine.down)
        }),
        Placement::Projective(projective) => [0, 1].map(|axis| {
            let [across, down] = projective.finer.map(|power| 2f64.powi(power.into()));
            let sum = |n: usize| {
                let [a, b, c] = projective.terms[n];
                a * (i as f64 * across) + b * (j as f64 * down) + c
            };
            let quotient = 256.0 * sum(axis) / sum(2);
            let limit = 1i128 << 30;
            let units = match quotient {
                value if value.is_nan() => -limit,
                value => (value.round_ties_even() as i128).clamp(-limit, limit),
            };
            units.div_euclid(1 << projective.finer[axis]) * 256
        }),
    }
}
