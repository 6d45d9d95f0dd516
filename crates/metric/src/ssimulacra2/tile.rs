//! A band of rows of two pictures: made XYB, blurred, and compared, some columns at a time so that all of it stays in the cache.

use super::linear::{LinearRows, REACH, WIDE};
use super::weight::WantedFigures;
use crate::simd::{Simd, WithSimd};

/// Taps of the blur to one side, the outermost first, and the middle one: the impulse of the reference's recursive Gaussian of
/// sigma 1.5.
const TAPS: [f32; REACH + 1] = [0.009_414_368, 0.036_011_115, 0.109_335_28, 0.212_928_6, 0.264_621_1];
/// Rows that one row of the blur sees.
const ROWS: usize = 2 * REACH + 1;
/// Columns that are worked on at a time.
const TILE: usize = WIDE - 2 * REACH;
/// Constant added to the variances of a window.
const STEADY: f32 = 0.0009;
/// Constant added to the light of each receptor.
const BIAS: f32 = 0.003_793_073_4;

/// Sums over a row: of structural error, ringing and blurring, each by itself and its 4th power, for X, Y and B.
pub type RowSums = [[f64; 6]; 3];

/// A band, and where the band of the picture of half the size goes: the three planes of both pictures, or nothing.
pub struct LightBand<'a> {
    /// First row.
    pub first: usize,
    /// Sums of each row.
    pub sums: &'a mut [RowSums],
    /// Rows of half the size.
    pub half: Option<[[&'a mut [f32]; 3]; 2]>,
}

/// A band at work.
pub struct CompareBand<'a, 'b, A> {
    /// Both pictures, the reference first.
    pub pictures: &'a [A; 2],
    /// Figures wanted of each of X, Y and B.
    pub wanted: &'a [WantedFigures; 3],
    /// The band.
    pub band: LightBand<'b>,
}

/// Memory of a band: rows of each channel, by the row modulo [`ROWS`].
struct Ring {
    /// Of both pictures: XYB.
    colours: [[[[f32; WIDE]; ROWS]; 3]; 2],
    /// Blurred across: both pictures, the sum of their squares, and their product.
    blurred: [[[[f32; TILE]; ROWS]; 4]; 3],
}

impl<A: LinearRows> WithSimd for CompareBand<'_, '_, A> {
    #[inline(always)]
    fn work<S: Simd>(self, _: S) {
        let Self { pictures, wanted, mut band } = self;
        let (width, height) = (pictures[0].width(), pictures[0].height());
        let mut ring =
            Box::new(Ring { colours: [[[[0.0; WIDE]; ROWS]; 3]; 2], blurred: [[[[0.0; TILE]; ROWS]; 4]; 3] });
        let rows = band.sums.len();
        for left in (0..width).step_by(TILE) {
            let columns = TILE.min(width - left);
            for step in 0..rows + 2 * REACH {
                // Row `place − REACH` of the picture.
                let place = band.first + step;
                let y = place.checked_sub(REACH).filter(|y| *y < height);
                ring.prepare(pictures, y, place % ROWS, left, columns, wanted, &mut band);
                if step >= 2 * REACH {
                    let sums = &mut band.sums[step - 2 * REACH];
                    for (channel, wanted) in wanted.iter().enumerate() {
                        ring.compare(channel, place - REACH, columns, *wanted, &mut sums[channel]);
                    }
                }
            }
        }
    }
}

impl Ring {
    /// Makes a row of all channels; of a row outside of the picture zeros.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the place of a row")]
    fn prepare<A: LinearRows>(
        &mut self,
        pictures: &[A; 2],
        y: Option<usize>,
        slot: usize,
        left: usize,
        columns: usize,
        wanted: &[WantedFigures; 3],
        band: &mut LightBand<'_>,
    ) {
        let Some(y) = y else {
            for channel in 0..3 {
                self.blurred[channel].iter_mut().for_each(|rows| rows[slot] = [0.0; TILE]);
                self.colours.iter_mut().for_each(|colours| colours[channel][slot] = [0.0; WIDE]);
            }
            return;
        };
        // Whole vectors, and what the blur sees beside them.
        let count = columns.next_multiple_of(8);
        let wide = count + 2 * REACH;
        // What lies outside to the left and to the right is zero.
        let (start, end) = (left.saturating_sub(REACH), (left + columns + REACH).min(pictures[0].width()));
        let inside = start + REACH - left..end + REACH - left;
        for (index, (picture, colours)) in pictures.iter().zip(&mut self.colours).enumerate() {
            let mut light = [[0.0f32; WIDE]; 3];
            picture.read(y, start, light.each_mut().map(|plane| &mut plane[inside.clone()]));
            if let Some(half) = &mut band.half
                && y >= band.first
                && y < band.first + band.sums.len()
            {
                let place = HalfPlace { row: (y - band.first) / 2, left, is_first: (y - band.first).is_multiple_of(2) };
                let is_alone = y + 1 == picture.height() && place.is_first;
                for (light, half) in light.iter().zip(&mut half[index]) {
                    place.add(&light[REACH..REACH + columns], half, picture.width(), is_alone);
                }
            }
            let [x, y, b] = colours;
            perceived(&light, [&mut x[slot][..wide], &mut y[slot][..wide], &mut b[slot][..wide]]);
            // XYB of darkness is not zero.
            for row in [x, y, b].map(|rows| &mut rows[slot]) {
                row[..inside.start].fill(0.0);
                row[inside.end..].fill(0.0);
            }
        }
        let [one, other] = &self.colours;
        for (channel, wanted) in wanted.iter().enumerate() {
            let (a, b) = (&one[channel][slot], &other[channel][slot]);
            let [means, others, squares, products] = &mut self.blurred[channel];
            across(a, &mut means[slot][..count]);
            across(b, &mut others[slot][..count]);
            if wanted.structure {
                let [mut square, mut product] = [[0.0f32; WIDE]; 2];
                for (((square, product), a), b) in square[..wide].iter_mut().zip(&mut product).zip(a).zip(b) {
                    // Not fused: of equal pictures twice the product, so that their error is 0.
                    *square = a * a + b * b;
                    *product = a * b;
                }
                across(&square, &mut squares[slot][..count]);
                across(&product, &mut products[slot][..count]);
            }
        }
    }

    /// Adds the errors of a row of a channel.
    #[inline(always)]
    fn compare(&self, channel: usize, place: usize, columns: usize, wanted: WantedFigures, sums: &mut [f64; 6]) {
        // Eight columns at a time; what lies beyond the last one has a weight of zero.
        let mut totals = [[0.0f32; 8]; 6];
        let images = &self.blurred[channel];
        // Rows from the topmost on.
        let mut rows = [[&images[0][0]; ROWS]; 4];
        for (rows, image) in rows.iter_mut().zip(images) {
            for (distance, row) in rows.iter_mut().enumerate() {
                *row = &image[(place + ROWS - REACH + distance) % ROWS];
            }
        }
        let centre = place % ROWS;
        let [one, other] = self.colours.each_ref().map(|colours| &colours[channel][centre]);
        for x in (0..columns).step_by(8) {
            let (mean, its) = (down(&rows[0], x), down(&rows[1], x));
            let left = columns - x;
            let mut inside = [0.0f32; 8];
            for (lane, inside) in inside.iter_mut().enumerate() {
                *inside = if lane < left { 1.0 } else { 0.0 };
            }
            if wanted.structure {
                let (squares, products) = (down(&rows[2], x), down(&rows[3], x));
                for lane in 0..8 {
                    let (a, b) = (mean[lane], its[lane]);
                    let apart = a - b;
                    let both = 2.0 * (products[lane] - a * b) + STEADY;
                    let all = squares[lane] - (a * a + b * b) + STEADY;
                    let error = (1.0 - (1.0 - apart * apart) * both / all).max(0.0) * inside[lane];
                    totals[0][lane] += error;
                    totals[1][lane] += (error * error) * (error * error);
                }
            }
            if wanted.edges {
                let (a, b) = (&one[x + REACH..][..8], &other[x + REACH..][..8]);
                for lane in 0..8 {
                    let edge = (1.0 + (b[lane] - its[lane]).abs()) / (1.0 + (a[lane] - mean[lane]).abs()) - 1.0;
                    let (ringing, blurring) = (edge.max(0.0) * inside[lane], (-edge).max(0.0) * inside[lane]);
                    totals[2][lane] += ringing;
                    totals[3][lane] += (ringing * ringing) * (ringing * ringing);
                    totals[4][lane] += blurring;
                    totals[5][lane] += (blurring * blurring) * (blurring * blurring);
                }
            }
        }
        for (sum, total) in sums.iter_mut().zip(&totals) {
            *sum += total.iter().map(|&lane| f64::from(lane)).sum::<f64>();
        }
    }
}

/// A row blurred across.
#[inline(always)]
fn across(from: &[f32; WIDE], to: &mut [f32]) {
    let from = &from[..to.len() + 2 * REACH];
    for (x, to) in to.iter_mut().enumerate() {
        let sum = from[x + 4] * TAPS[4];
        let sum = (from[x + 3] + from[x + 5]).mul_add(TAPS[3], sum);
        let sum = (from[x + 2] + from[x + 6]).mul_add(TAPS[2], sum);
        let sum = (from[x + 1] + from[x + 7]).mul_add(TAPS[1], sum);
        *to = (from[x] + from[x + 8]).mul_add(TAPS[0], sum);
    }
}

/// Eight columns from `x` on, blurred down.
#[inline(always)]
fn down(rows: &[&[f32; TILE]; ROWS], x: usize) -> [f32; 8] {
    let middle = &rows[REACH][x..x + 8];
    let mut sums = [0.0; 8];
    for lane in 0..8 {
        sums[lane] = middle[lane] * TAPS[REACH];
    }
    for tap in (0..REACH).rev() {
        let (above, below) = (&rows[tap][x..x + 8], &rows[2 * REACH - tap][x..x + 8]);
        for lane in 0..8 {
            sums[lane] = (above[lane] + below[lane]).mul_add(TAPS[tap], sums[lane]);
        }
    }
    sums
}

/// Place of a picture's row in that of half the size.
struct HalfPlace {
    row: usize,
    left: usize,
    is_first: bool,
}

impl HalfPlace {
    /// Adds a row of light; `is_alone` is one without a second row, which counts twice.
    #[inline(always)]
    fn add(&self, light: &[f32], half: &mut [f32], width: usize, is_alone: bool) {
        let columns = width.div_ceil(2);
        let to = &mut half[self.row * columns + self.left / 2..][..light.len().div_ceil(2)];
        let share = if is_alone { 0.5 } else { 0.25 };
        for (to, pair) in to.iter_mut().zip(light.chunks(2)) {
            let sum = share * (pair[0] + pair[pair.len() - 1]);
            *to = if self.is_first { sum } else { *to + sum };
        }
    }
}

/// XYB of linear light, made positive.
#[inline(always)]
fn perceived(light: &[[f32; WIDE]; 3], [to_x, to_y, to_b]: [&mut [f32]; 3]) {
    let root = cube_root(BIAS);
    let (count, [red, green, blue]) = (to_x.len(), light);
    let (red, green, blue) = (&red[..count], &green[..count], &blue[..count]);
    let (to_y, to_b) = (&mut to_y[..count], &mut to_b[..count]);
    for i in 0..count {
        let (r, g, b) = (red[i], green[i], blue[i]);
        let long = cube_root(r.mul_add(0.3, g.mul_add(0.622, b.mul_add(0.078, BIAS)))) - root;
        let medium = cube_root(r.mul_add(0.23, g.mul_add(0.692, b.mul_add(0.078, BIAS)))) - root;
        let short = r.mul_add(0.243_422_69, g.mul_add(0.204_767_45, b.mul_add(0.551_809_86, BIAS)));
        let short = cube_root(short) - root;
        let (x, y) = (0.5 * (long - medium), 0.5 * (long + medium));
        to_x[i] = x.mul_add(14.0, 0.42);
        to_y[i] = y + 0.01;
        to_b[i] = short - y + 0.55;
    }
}

/// The cube root of a number from 0.003 to 2, within some units in the last place: Newton's method for the reciprocal.
#[inline(always)]
fn cube_root(value: f32) -> f32 {
    // A third of the bits, by a sum of powers of four, from those of the reciprocal of 1.
    let bits = value.to_bits();
    let third = (bits >> 2) + (bits >> 4) + (bits >> 6) + (bits >> 8) + (bits >> 10);
    let mut root = f32::from_bits(0x549d_0000u32.wrapping_sub(third));
    for _ in 0..3 {
        let cube = root * root * root;
        root *= (-value).mul_add(cube, 4.0) * (1.0 / 3.0);
    }
    value * root * root
}
