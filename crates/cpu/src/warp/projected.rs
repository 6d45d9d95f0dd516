//! Places of a row as it is seen in perspective.

use super::place::{CHUNK, WarpPlaces};
use crate::pass::Projective;

/// A number of up to 2³⁰ rounded to nearest, ties to even, without a cast, which would be done one by one.
#[inline(always)]
fn small(number: f64) -> i32 {
    /// From here on one is the step between numbers.
    const ONES: f64 = 1.5 * (1u64 << 52) as f64;
    (number + ONES).to_bits() as i32
}

/// Finds the places of the samples in row `j` from column `first` on.
#[inline(always)]
pub(super) fn project(Projective { terms, finer }: &Projective, first: usize, j: usize, places: &mut WarpPlaces) {
    const MOST: f64 = Projective::MOST;
    let y = (j << finer[1]) as f64;
    let mut units = [[0i32; CHUNK]; 2];
    let [across, down] = &mut units;
    for k in 0..CHUNK {
        let point = [((first + k) << finer[0]) as f64, y];
        let below = Projective::sum(terms[2], point);
        let unit = |terms| {
            let quotient = 256.0 * Projective::sum(terms, point) / below;
            let quotient = if quotient.is_nan() { -MOST } else { quotient };
            // The bounds are whole numbers, so that it may be rounded last, which the sum does.
            small(quotient.clamp(-MOST, MOST))
        };
        (across[k], down[k]) = (unit(terms[0]), unit(terms[1]));
    }
    let WarpPlaces { columns, rows, parts: [right, lower] } = places;
    for (units, finer, whole, part) in [(across, finer[0], columns, right), (down, finer[1], rows, lower)] {
        for k in 0..CHUNK {
            let place = units[k] >> finer;
            whole[k] = place >> 8;
            part[k] = ((place & 255) as u32) << 8;
        }
    }
}
