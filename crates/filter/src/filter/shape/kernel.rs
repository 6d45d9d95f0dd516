//! The curves that new samples are weighted by: functions of the distance in samples of the coarser grid.

use std::f64::consts::PI;
use std::sync::Arc;

/// A curve: zimg's definition of each, or one of the user's own.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum SamplingCurve {
    /// The nearest sample.
    Point,
    /// A triangle.
    Bilinear,
    /// Mitchell and Netravali's family, b and c.
    Bicubic(f64, f64),
    /// A sinc under the middle of another, of so many lobes.
    Lanczos(u32),
    /// Splines over 4, 6 or 8 samples.
    Spline16,
    Spline36,
    Spline64,
    Impulse(Impulse),
}

/// A curve by its values at equal distances, an odd number of them around the middle; between them lie straight lines, and it falls to 0
/// at the next distance.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Impulse {
    /// Its values.
    pub(super) values: Arc<[f64]>,
    /// How many there are for each sample of distance.
    pub(super) density: usize,
}

impl Impulse {
    /// The most values.
    pub(super) const MOST: usize = 1025;

    fn support(&self) -> f64 {
        (self.values.len() / 2 + 1) as f64 / self.density as f64
    }

    fn at(&self, distance: f64) -> f64 {
        // Values count from 1, so that 0 is the place before the first, where the curve is 0.
        let place = distance * self.density as f64 + (self.values.len() / 2 + 1) as f64;
        let value =
            |index: f64| if index < 1.0 { 0.0 } else { self.values.get(index as usize - 1).copied().unwrap_or(0.0) };
        let (whole, part) = (place.floor(), place - place.floor());
        value(whole) * (1.0 - part) + value(whole + 1.0) * part
    }
}

impl SamplingCurve {
    /// The curve of that name, bicubic of these b and c, and Lanczos of so many lobes. A name that is no other is bicubic.
    pub(super) fn named(name: &str, [b, c]: [f64; 2], lobes: u32) -> Self {
        match name {
            "point" => Self::Point,
            "bilinear" => Self::Bilinear,
            "lanczos" => Self::Lanczos(lobes),
            "spline16" => Self::Spline16,
            "spline36" => Self::Spline36,
            "spline64" => Self::Spline64,
            _ => Self::Bicubic(b, c),
        }
    }

    /// How far it reaches to either side.
    pub(in super::super) fn support(&self) -> f64 {
        match *self {
            Self::Point => 0.0,
            Self::Bilinear => 1.0,
            Self::Bicubic(..) | Self::Spline16 => 2.0,
            Self::Spline36 => 3.0,
            Self::Spline64 => 4.0,
            Self::Lanczos(lobes) => lobes.into(),
            Self::Impulse(ref impulse) => impulse.support(),
        }
    }

    /// Its value at a distance.
    pub(in super::super) fn at(&self, distance: f64) -> f64 {
        let x = distance.abs();
        match *self {
            Self::Point => 1.0,
            Self::Bilinear => (1.0 - x).max(0.0),
            Self::Bicubic(b, c) => bicubic(b, c, x),
            Self::Lanczos(lobes) if x < lobes.into() => sinc(x) * sinc(x / f64::from(lobes)),
            Self::Lanczos(_) => 0.0,
            Self::Spline16 => {
                spline(x, &[[1.0, -1.0 / 5.0, -9.0 / 5.0, 1.0], [0.0, -7.0 / 15.0, 4.0 / 5.0, -1.0 / 3.0]])
            }
            Self::Spline36 => spline(x, &SPLINE36),
            Self::Spline64 => spline(x, &SPLINE64),
            Self::Impulse(ref impulse) => impulse.at(distance),
        }
    }
}

const SPLINE36: [[f64; 4]; 3] = [
    [1.0, -3.0 / 209.0, -453.0 / 209.0, 13.0 / 11.0],
    [0.0, -156.0 / 209.0, 270.0 / 209.0, -6.0 / 11.0],
    [0.0, 26.0 / 209.0, -45.0 / 209.0, 1.0 / 11.0],
];

const SPLINE64: [[f64; 4]; 4] = [
    [1.0, -3.0 / 2911.0, -6387.0 / 2911.0, 49.0 / 41.0],
    [0.0, -2328.0 / 2911.0, 4032.0 / 2911.0, -24.0 / 41.0],
    [0.0, 582.0 / 2911.0, -1008.0 / 2911.0, 6.0 / 41.0],
    [0.0, -97.0 / 2911.0, 168.0 / 2911.0, -1.0 / 41.0],
];

/// A polynomial for each whole distance.
fn spline(x: f64, pieces: &[[f64; 4]]) -> f64 {
    let Some([a, b, c, d]) = pieces.get(x as usize) else { return 0.0 };
    let x = x - x.trunc();
    a + x * (b + x * (c + x * d))
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { libm::sin(x * PI) / (x * PI) }
}

fn bicubic(b: f64, c: f64, x: f64) -> f64 {
    let near = [(6.0 - 2.0 * b) / 6.0, (-18.0 + 12.0 * b + 6.0 * c) / 6.0, (12.0 - 9.0 * b - 6.0 * c) / 6.0];
    let far =
        [(8.0 * b + 24.0 * c) / 6.0, (-12.0 * b - 48.0 * c) / 6.0, (6.0 * b + 30.0 * c) / 6.0, (-b - 6.0 * c) / 6.0];
    if x < 1.0 {
        near[0] + x * (0.0 + x * (near[1] + x * near[2]))
    } else if x < 2.0 {
        far[0] + x * (far[1] + x * (far[2] + x * far[3]))
    } else {
        0.0
    }
}
