//! Small pictures in which motion is found: levels, each half as large as the one before, and the points at which two frames are
//! compared.

use std::ops::Range;

use crate::backend::Reduction;
use crate::frame::Pixel;

/// One level.
pub(super) struct PictureLevel {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Smoothed, on the scale of 8 bits.
    pub(super) samples: Vec<f32>,
    /// Where there is something to be seen, row by row.
    pub(super) points: Vec<Point>,
    /// Median distance of the points' values from their mean, times the point's unit.
    pub(super) contrast: f32,
}

/// A sample whose surroundings are not even.
#[derive(Clone, Copy)]
pub(super) struct Point {
    /// Distance from the centre, right and down.
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) value: f32,
    /// Change of the value per sample, right and down.
    pub(super) gradient: [f32; 2],
    /// Factor that turns differences of the value into a displacement, in samples.
    pub(super) unit: f32,
}

/// A frame in all levels, the largest first; none for a frame without cells.
pub(super) struct SmallPicture {
    pub(super) levels: Vec<PictureLevel>,
}

impl SmallPicture {
    /// Levels are halved until no side has more samples.
    const COARSEST: usize = 48;
    /// The smallest side in which motion is looked for.
    const LEAST: usize = 8;
    /// The most points of a level.
    const MOST_POINTS: usize = 16384;

    /// Of the sums over the cells of a frame.
    pub(super) fn new(reduction: Reduction, pixel: Pixel, cells: &[u32]) -> Self {
        let Reduction { log2_side, columns, rows } = reduction;
        let samples = pixel.brightness_planes() as f64 * f64::from(1u32 << (2 * log2_side));
        let unit = 1.0 / (samples * f64::from(1u32 << (pixel.measured_depth() - 8)));
        let mut samples: Vec<f32> = cells.iter().map(|sum| (f64::from(*sum) * unit) as f32).collect();
        let (mut width, mut height, mut levels) = (columns, rows, Vec::new());
        while width.min(height) >= Self::LEAST {
            levels.push(PictureLevel::new(width, height, smoothed(&samples, width, height)));
            if width.max(height) <= Self::COARSEST {
                break;
            }
            samples = halved(&samples, width, height);
            (width, height) = (width / 2, height / 2);
        }
        Self { levels }
    }
}

/// A side in pieces of 16 samples; the last may be shorter.
fn pieces(side: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    side.clone().step_by(16).map(move |first| first..(first + 16).min(side.end))
}

impl PictureLevel {
    /// The square of the least gradient that a point has: below lies noise.
    const LEAST_SQUARE: f32 = 0.25;

    fn new(width: usize, height: usize, samples: Vec<f32>) -> Self {
        let [centre_x, centre_y] = [width, height].map(|length| (length - 1) as f32 / 2.0);
        let at = |x: usize, y: usize| samples[y * width + x];
        let gradient = |x: usize, y: usize| [(at(x + 1, y) - at(x - 1, y)) / 2.0, (at(x, y + 1) - at(x, y - 1)) / 2.0];
        let square = |[across, down]: [f32; 2]| across * across + down * down;
        let mut points: Vec<Point> = Vec::new();
        // Each part of the picture has its share, so that what is rich in contrast does not outvote the rest.
        for rows in pieces(1..height - 1) {
            for columns in pieces(1..width - 1) {
                let places = || rows.clone().flat_map(|y| columns.clone().map(move |x| (x, y)));
                let sum: f64 = places().map(|(x, y)| f64::from(square(gradient(x, y)))).sum();
                let mean = (sum / (rows.len() * columns.len()) as f64) as f32;
                for (x, y) in places() {
                    let gradient = gradient(x, y);
                    if square(gradient) >= mean.max(Self::LEAST_SQUARE) {
                        points.push(Point {
                            x: x as f32 - centre_x,
                            y: y as f32 - centre_y,
                            value: at(x, y),
                            gradient,
                            unit: 1.0,
                        });
                    }
                }
            }
        }
        let every = points.len().div_ceil(SmallPicture::MOST_POINTS).max(1);
        let mut points: Vec<Point> = points.into_iter().step_by(every).collect();
        // A point with a large gradient says more, but no more than twice as much as half of the others.
        let middle = median(&mut points.iter().map(|point| square(point.gradient)).collect::<Vec<_>>());
        points.iter_mut().for_each(|point| point.unit = 1.0 / (square(point.gradient) + middle).sqrt());
        let mean = points.iter().map(|point| f64::from(point.value)).sum::<f64>() / points.len().max(1) as f64;
        let contrast =
            median(&mut points.iter().map(|point| (point.value - mean as f32).abs() * point.unit).collect::<Vec<_>>());
        Self { width, height, samples, points, contrast }
    }

    /// The value at a distance from the centre, between samples; `None` outside.
    #[inline(always)]
    pub(super) fn value(&self, x: f32, y: f32) -> Option<f32> {
        let [x, y] = [x + (self.width - 1) as f32 / 2.0, y + (self.height - 1) as f32 / 2.0];
        let is_inside = x >= 0.0 && y >= 0.0 && x < (self.width - 1) as f32 && y < (self.height - 1) as f32;
        if !is_inside {
            return None;
        }
        let (column, row) = (x as usize, y as usize);
        let (right, down) = (x - column as f32, y - row as f32);
        let place = row * self.width + column;
        let [above, below] = [place, place + self.width]
            .map(|place| self.samples[place] + right * (self.samples[place + 1] - self.samples[place]));
        Some(above + down * (below - above))
    }
}

/// The middle of some values, of two the larger; 0 of none.
pub(super) fn median(values: &mut [f32]) -> f32 {
    let middle = values.len() / 2;
    match values.is_empty() {
        true => 0.0,
        false => *values.select_nth_unstable_by(middle, f32::total_cmp).1,
    }
}

/// Means of a sample and its neighbours by weights of 1, 2 and 1 a quarter along each axis; edges are repeated.
fn smoothed(samples: &[f32], width: usize, height: usize) -> Vec<f32> {
    let quarter = |a: f32, b: f32, c: f32| (a + 2.0 * b + c) / 4.0;
    let mut across = Vec::with_capacity(samples.len());
    for row in samples.chunks_exact(width) {
        across.extend((0..width).map(|x| quarter(row[x.max(1) - 1], row[x], row[(x + 1).min(width - 1)])));
    }
    let row = |y: usize| &across[y * width..][..width];
    let mut both = Vec::with_capacity(samples.len());
    for y in 0..height {
        let (above, own, below) = (row(y.max(1) - 1), row(y), row((y + 1).min(height - 1)));
        both.extend((0..width).map(|x| quarter(above[x], own[x], below[x])));
    }
    both
}

/// Means of two by two samples; what is left at the right and at the bottom goes.
fn halved(samples: &[f32], width: usize, height: usize) -> Vec<f32> {
    let mut half = Vec::with_capacity((width / 2) * (height / 2));
    for rows in samples.chunks_exact(width).collect::<Vec<_>>().chunks_exact(2).take(height / 2) {
        let pair = |x: usize| (rows[0][2 * x] + rows[0][2 * x + 1] + rows[1][2 * x] + rows[1][2 * x + 1]) / 4.0;
        half.extend((0..width / 2).map(pair));
    }
    half
}
