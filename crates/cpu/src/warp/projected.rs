//! Places of a row as it is seen in perspective.
//!
//! A quotient for each place, in `f64`, takes most of the time. Over the columns of a chunk the denominator `d · (1 + z)` changes
//! little, `z` being proportional to the distance `t` from the middle, and both quotients are `value + slope · t / (1 + z)`: the
//! last factor is the sum of the powers of `-z`, which is the same for both. The rounded result is that of the divisions where it
//! is farther from a half than both can err, which is known for the chunk; otherwise the chunk is divided.

use super::super::simd::Simd;
use super::place::{CHUNK, WarpPlaces};
use crate::pass::Projective;

/// From here on one is the step between numbers.
const ONES: f64 = 1.5 * (1u64 << 52) as f64;

/// A number of up to 2³⁰ rounded to nearest, ties to even, without a cast, which would be done one by one.
#[inline(always)]
fn small(number: f64) -> i32 {
    (number + ONES).to_bits() as i32
}

/// `a · b + c`, rounded once where the machine does so at once.
#[inline(always)]
fn mul_add<S: Simd>(a: f64, b: f64, c: f64) -> f64 {
    if S::LANES == 16 { a.mul_add(b, c) } else { a * b + c }
}

/// Chunks whose series are found together, by vectors.
const SERIES: usize = 8;

/// The quotients of some chunks of a row, in 1/256 of a pixel, as series around the middle of each.
pub(super) struct QuotientSeries {
    /// Change of the denominator by one column, beside what it is in the middle.
    bends: [f64; SERIES],
    /// Quotients in the middle.
    values: [[f64; SERIES]; 2],
    /// Their change by one column there.
    slopes: [[f64; SERIES]; 2],
    /// How far a quotient is from a whole number at most, so that it is rounded as one that is divided; below 0 where a series does
    /// not come close.
    most: [f64; SERIES],
}

impl QuotientSeries {
    pub(super) const NONE: Self =
        Self { bends: [0.0; SERIES], values: [[0.0; SERIES]; 2], slopes: [[0.0; SERIES]; 2], most: [-1.0; SERIES] };
    /// Places on either side of the middle.
    const REACH: f64 = (CHUNK / 2) as f64;
    /// More than rounding takes from sums, quotients and series, beside the sizes of what they are made of: 64 times half a step.
    const ROUNDING: f64 = 1.0 / (1u64 << 47) as f64;
    /// The largest error where few chunks have a place that is as close to a half.
    const MOST_ERROR: f64 = 1.0 / 65536.0;

    /// Finds those of the chunks from column `first` of row `j` on.
    #[inline(always)]
    fn set(&mut self, Projective { terms, finer }: &Projective, first: usize, j: usize) {
        let (step, y) = ((1u32 << finer[0]) as f64, (j << finer[1]) as f64);
        let reach = Self::REACH * step;
        let Self { bends, values: [across, down], slopes: [across_slopes, down_slopes], most } = self;
        let below = &terms[2];
        for k in 0..SERIES {
            let start = ((first + k * CHUNK) << finer[0]) as f64;
            let point = [start + reach, y];
            let end = start + 2.0 * reach;
            let inverse = 1.0 / Projective::sum(*below, point);
            let bend = below[0] * inverse;
            let turn = (bend * reach).abs();
            let power = turn * turn * turn;
            let rounding = Self::ROUNDING * (1.0 + size(below, end, y) * inverse.abs());
            let mut error = 0.0;
            let mut furthest = 0.0;
            for (terms, values, slopes) in
                [(&terms[0], &mut *across, &mut *across_slopes), (&terms[1], down, down_slopes)]
            {
                let value = Projective::sum(*terms, point) * inverse;
                let slope = 256.0 * (terms[0] * inverse - value * bend);
                (values[k], slopes[k]) = (256.0 * value, slope);
                let change = 1.1 * slope.abs() * reach;
                let far = values[k].abs() + change;
                // All powers after the fifth together are less than 1.07 times the sixth.
                error += rounding * (256.0 * size(terms, end, y) * inverse.abs() + far) + change * power * power;
                furthest += far;
            }
            bends[k] = bend;
            // False for no number. Without branches, which would be taken one by one.
            let is_close = (turn <= 1.0 / 16.0) & (furthest < Projective::MOST / 2.0) & (error <= Self::MOST_ERROR);
            most[k] = if is_close { 0.5 - error } else { -1.0 };
        }
    }

    /// Takes the places of the samples in row `j` from column `first` on, chunk by chunk; not monotonic if one is so close to a half
    /// that it may be another than that of a division.
    #[inline(always)]
    pub(super) fn place<S: Simd>(&mut self, projective: &Projective, first: usize, j: usize, places: &mut WarpPlaces) {
        let n = first / CHUNK % SERIES;
        if n == 0 {
            self.set(projective, first, j);
        }
        // Rounded quotients of numbers that rise or fall together do so too; those of rounded sums may not.
        places.is_monotonic = self.most[n] > 0.0 && self.round::<S>(n, projective.finer, places);
    }

    /// Takes places from the quotients of chunk `n`; false if one is so close to a half that its place may be another than that of a
    /// division.
    #[inline(always)]
    fn round<S: Simd>(&self, n: usize, finer: [u8; 2], places: &mut WarpPlaces) -> bool {
        let (bend, most) = (self.bends[n], self.most[n]);
        let [[across, down], [across_slope, down_slope]] =
            [&self.values, &self.slopes].map(|pair| [pair[0][n], pair[1][n]]);
        let step = f64::from(1u32 << finer[0]);
        // The sign of a number below 0 stays.
        let mut beyond = 0u64;
        for k in 0..CHUNK {
            let distance = (k as f64 - Self::REACH) * step;
            let turn = -bend * distance;
            let sum = 1.0 + turn;
            let sum = mul_add::<S>(turn, sum, 1.0);
            let sum = mul_add::<S>(turn, sum, 1.0);
            let sum = mul_add::<S>(turn, sum, 1.0);
            let sum = mul_add::<S>(turn, sum, 1.0);
            let way = distance * sum;
            let x = mul_add::<S>(across_slope, way, across);
            let y = mul_add::<S>(down_slope, way, down);
            beyond |= rest(x, most) | rest(y, most);
            places.put(k, [small(x), small(y)], finer);
        }
        beyond >> 63 == 0
    }
}

/// No sum of these terms up to column `end` of row `y`, nor any part of it, is larger.
#[inline(always)]
fn size([across, down, first]: &[f64; 3], end: f64, y: f64) -> f64 {
    across.abs() * end + down.abs() * y + first.abs()
}

/// A number whose sign is set if another is farther from a whole number than `most`.
#[inline(always)]
fn rest(number: f64, most: f64) -> u64 {
    (most - (number - ((number + ONES) - ONES)).abs()).to_bits()
}

/// Takes places from the quotients of the chunk from column `first` of row `j` on.
#[inline(always)]
pub(super) fn divide(Projective { terms, finer }: &Projective, first: usize, j: usize, places: &mut WarpPlaces) {
    const MOST: f64 = Projective::MOST;
    let y = (j << finer[1]) as f64;
    for k in 0..CHUNK {
        let point = [((first + k) << finer[0]) as f64, y];
        let below = Projective::sum(terms[2], point);
        let unit = |terms| {
            let quotient = 256.0 * Projective::sum(terms, point) / below;
            let quotient = if quotient.is_nan() { -MOST } else { quotient };
            // The bounds are whole numbers, so that it may be rounded last, which the sum does.
            small(quotient.clamp(-MOST, MOST))
        };
        places.put(k, [unit(terms[0]), unit(terms[1])], *finer);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::simd::{Level, Portable, WithSimd};
    use super::*;

    /// Numbers from 0 to 1.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }

        fn between(&mut self, low: f64, high: f64) -> f64 {
            low + (high - low) * self.next()
        }
    }

    /// Sets how many chunks are made by series, after it has compared all of them with divisions.
    struct SeriesCheck<'a> {
        projective: Projective,
        taken: &'a mut usize,
    }

    impl WithSimd for SeriesCheck<'_> {
        #[inline(always)]
        fn work<S: Simd>(self, _: S) {
            let mut series = QuotientSeries::NONE;
            *self.taken = 0;
            for (j, first) in (0..1080).step_by(97).flat_map(|j| (0..1920).step_by(CHUNK).map(move |first| (j, first)))
            {
                let (mut made, mut wanted) = (WarpPlaces::NONE, WarpPlaces::NONE);
                series.place::<S>(&self.projective, first, j, &mut made);
                if made.is_monotonic {
                    divide(&self.projective, first, j, &mut wanted);
                    assert_eq!(made, wanted, "row {j}, column {first} of {:?}", self.projective);
                    *self.taken += 1;
                }
            }
        }
    }

    /// How many of 360 chunks are made by series, which every set of instructions makes as divisions do.
    fn taken(terms: [[f64; 3]; 3], finer: [u8; 2]) -> usize {
        let projective = Projective { terms, finer };
        let mut taken = 0;
        Portable.run(SeriesCheck { projective, taken: &mut taken });
        for level in Level::available() {
            let mut own = 0;
            level.run(SeriesCheck { projective, taken: &mut own });
        }
        taken
    }

    #[test]
    fn series_round_as_divisions() {
        let mut random = Random(1);
        let mut fewest = usize::MAX;
        for round in 0..60 {
            let finer = [(round % 2) as u8, (round / 2 % 2) as u8];
            // A picture that is seen from the side a little.
            let scale = 10f64.powf(random.between(-3.0, 6.0));
            let mut line = |along: [f64; 2], first: f64| {
                [random.between(along[0], along[1]), random.between(-0.2, 0.2), random.between(-first, first)]
            };
            let (across, down, below) = (line([0.8, 1.2], 90.0), line([-0.2, 0.2], 90.0), line([-1e-4, 1e-4], 0.0));
            let terms = [across, [down[1], 1.0 + down[0], down[2]], [below[0], below[1] * 1e-3, 1.0]];
            fewest = fewest.min(taken(terms.map(|line| line.map(|term| term * scale)), finer));
        }
        assert!(fewest > 340, "{fewest}");
        // Any numbers, among them poles, halves at all places, what is far away, and none.
        for _ in 0..400 {
            let power = random.between(-8.0, 1.0);
            let mut term = |size: f64| random.between(-size, size) * 10f64.powf(power);
            taken(
                [[term(1.0), term(1.0), term(1e3)], [term(1.0), term(1.0), term(1e3)], [term(1e-2), term(1e-2), 1.0]],
                [0, 1],
            );
        }
        let halves = [[1.0 / 512.0, 0.0, 0.0], [0.0, 1.0, 1.0 / 512.0], [0.0, 0.0, 1.0]];
        assert_eq!(taken(halves, [0, 0]), 0);
        assert_eq!(taken([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [1, 1]), 360);
        for [a, b] in [[0.0, 0.0], [f64::NAN, 1.0], [1.0, f64::INFINITY], [1e300, 1e-300], [1e-300, 1e300]] {
            taken([[a, b, a], [b, a, b], [a, a, b]], [0, 0]);
        }
    }
}
