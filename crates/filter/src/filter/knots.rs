//! Key points of a curve, and the curves through them: FFmpeg's `curves`.

use std::fmt;

/// Key points from 0/0 to 1/1, from left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct Knots(pub(super) Vec<[f64; 2]>);

/// The most key points of a curve.
const MOST: usize = 256;

impl Knots {
    /// Reads points such as `0/0 0.5/0.6 1/1`.
    ///
    /// # Errors
    /// The fault, worded to follow the text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            let sides = word.split_once(['/', ';']).map(|(x, y)| [x, y].map(|side| side.parse::<f64>().ok()));
            let Some([Some(x), Some(y)]) = sides else {
                return Err("is no list of points".to_owned());
            };
            if ![x, y].iter().all(|side| (0.0..=1.0).contains(side)) {
                return Err(format!("has {word}, which is not within 0/0 and 1/1"));
            }
            if let Some([last, _]) = points.last()
                && (last * 255.0) as u8 >= (x * 255.0) as u8
            {
                return Err(format!("has {word}, which is not a step of 1/255 to the right of the point before"));
            }
            points.push([x, y]);
        }
        match points.len() {
            0 => Err("has no points".to_owned()),
            count if count > MOST => Err(format!("has {count} points, where {MOST} are the most")),
            _ => Ok(Self(points)),
        }
    }
}

impl fmt::Display for Knots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, [x, y]) in self.0.iter().enumerate() {
            let space = if n > 0 { " " } else { "" };
            write!(f, "{space}{x}/{y}")?;
        }
        Ok(())
    }
}

/// A curve through key points.
pub(super) enum KnotCurve {
    /// The natural cubic spline, whose ends are straight: between each two points, the numbers of a polynomial of the distance from the
    /// first.
    Natural(Vec<[f64; 2]>, Vec<[f64; 4]>),
    /// The monotone cubic spline.
    Monotone(MonotoneCurve),
}

impl KnotCurve {
    pub(super) fn new(knots: &Knots, is_natural: bool) -> Self {
        match is_natural {
            true => Self::Natural(knots.0.clone(), natural(&knots.0)),
            false => Self::Monotone(MonotoneCurve::new(knots.0.clone())),
        }
    }

    /// The value at `x`, from 0 to 1, not clipped.
    pub(super) fn value(&self, x: f64) -> f64 {
        match self {
            Self::Natural(points, spans) => match points.iter().rposition(|point| point[0] <= x) {
                None => points.first().map_or(x, |first| first[1]),
                Some(n) => spans.get(n).map_or(points[n][1], |span| polynomial(span, x - points[n][0])),
            },
            Self::Monotone(curve) => curve.value(x),
        }
    }

    /// FFmpeg's value of each sample up to `peak`, in samples, cut off and clipped. Each span of its natural spline begins at the whole
    /// sample below its first point.
    pub(super) fn table(&self, peak: u32) -> Vec<u32> {
        let scale = f64::from(peak);
        let whole = |value: f64| value.clamp(0.0, scale) as u32;
        match self {
            Self::Natural(points, spans) => {
                let begins: Vec<u32> = points.iter().map(|point| (point[0] * scale) as u32).collect();
                let value = |v: u32| match begins.iter().rposition(|begin| *begin <= v) {
                    None => points.first().map_or(scale, |first| first[1]),
                    Some(n) => {
                        let behind = || f64::from(v - begins[n]) / scale;
                        spans.get(n).map_or(points[n][1], |span| polynomial(span, behind()))
                    }
                };
                (0..=peak).map(|v| whole(value(v) * scale)).collect()
            }
            Self::Monotone(curve) => {
                let points = curve.points.iter().map(|point| point.map(|side| side * scale)).collect();
                let curve = MonotoneCurve::new(points);
                (0..=peak).map(|v| whole(curve.value(f64::from(v)))).collect()
            }
        }
    }
}

fn polynomial([a, b, c, d]: &[f64; 4], x: f64) -> f64 {
    a + b * x + c * x * x + d * x * x * x
}

/// The spans of the natural spline: its second derivatives by elimination.
fn natural(points: &[[f64; 2]]) -> Vec<[f64; 4]> {
    let widths: Vec<f64> = points.windows(2).map(|pair| pair[1][0] - pair[0][0]).collect();
    let slopes: Vec<f64> =
        points.windows(2).zip(&widths).map(|(pair, width)| (pair[1][1] - pair[0][1]) / width).collect();
    // Of each point, what its second derivative is less the part of the one of the next.
    let mut eliminated = vec![(0.0, 0.0)];
    for (width, slope) in widths.windows(2).zip(slopes.windows(2)) {
        let (before, part) = eliminated[eliminated.len() - 1];
        let factor = 1.0 / (2.0 * (width[0] + width[1]) - width[0] * part);
        eliminated.push(((6.0 * (slope[1] - slope[0]) - width[0] * before) * factor, width[1] * factor));
    }
    let mut bends = vec![0.0; points.len()];
    for n in (0..points.len() - 1).rev() {
        let (own, part) = eliminated[n];
        bends[n] = own - part * bends[n + 1];
    }
    let spans = bends.windows(2).zip(points.windows(2)).zip(&widths);
    let span = |((bend, pair), width): ((&[f64], &[[f64; 2]]), &f64)| {
        let rise = (pair[1][1] - pair[0][1]) / width;
        let first = rise - width * bend[0] / 2.0 - width * (bend[1] - bend[0]) / 6.0;
        [pair[0][1], first, bend[0] / 2.0, (bend[1] - bend[0]) / (6.0 * width)]
    };
    spans.map(span).collect()
}

/// Monotone cubic pieces: slopes at points are harmonic means, 0 at turns (F. N. Fritsch and J. Butland, A method for constructing local
/// monotone piecewise cubic interpolants, 1984; the ends after C. Moler, Numerical Computing with MATLAB, 3.6). Two points are a straight
/// line, beyond them too, as in FFmpeg.
pub(super) struct MonotoneCurve {
    points: Vec<[f64; 2]>,
    slopes: Vec<f64>,
}

impl MonotoneCurve {
    fn new(points: Vec<[f64; 2]>) -> Self {
        let widths: Vec<f64> = points.windows(2).map(|pair| pair[1][0] - pair[0][0]).collect();
        let rises = points.windows(2).zip(&widths).map(|(pair, width)| (pair[1][1] - pair[0][1]) / width);
        let rises: Vec<f64> = rises.collect();
        let end = |near: usize, next: usize| {
            let (h0, h1, m0, m1) = (widths[near], widths[next], rises[near], rises[next]);
            let slope = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
            let sign = |number: f64| (number > 0.0, number < 0.0);
            if sign(slope) != sign(m0) {
                0.0
            } else if sign(m0) != sign(m1) && slope.abs() > 3.0 * m0.abs() {
                3.0 * m0
            } else {
                slope
            }
        };
        let slopes = match widths.len() {
            0 | 1 => rises,
            count => {
                let inner = widths.windows(2).zip(rises.windows(2)).map(|(width, rise)| {
                    if rise[0] * rise[1] <= 0.0 {
                        return 0.0;
                    }
                    let (first, second) = (2.0 * width[1] + width[0], width[1] + 2.0 * width[0]);
                    (first + second) / (first / rise[0] + second / rise[1])
                });
                [end(0, 1)].into_iter().chain(inner).chain([end(count - 1, count - 2)]).collect()
            }
        };
        Self { points, slopes }
    }

    fn value(&self, x: f64) -> f64 {
        let (points, slopes) = (&self.points, &self.slopes);
        if let ([first, _], [slope]) = (&points[..], &slopes[..]) {
            return x * slope + (first[1] - first[0] * slope);
        }
        let Some(n) = points.iter().rposition(|point| point[0] <= x) else {
            return points.first().map_or(x, |first| first[1]);
        };
        let (Some(end), [x0, y0]) = (points.get(n + 1), points[n]) else { return points[n][1] };
        let width = end[0] - x0;
        let part = (x - x0) / width;
        let half = |x: f64, value: f64, slope: f64| {
            let (square, cube) = (x * x, x * x * x);
            value * (3.0 * square - 2.0 * cube) + slope * (cube - square)
        };
        half(1.0 - part, y0, -width * slopes[n]) + half(part, end[1], width * slopes[n + 1])
    }
}
