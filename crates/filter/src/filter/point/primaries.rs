//! Colour spaces by the code points of H.273, with FFmpeg's numbers for them (`libavutil/csp.c`, `vf_colorspace.c`), and the matrices
//! and tables between them in its order of operations.

use crate::pass::{ColourSteps, Weights3};

/// Rows of three numbers.
type Matrix3 = [[f64; 3]; 3];

/// Chromaticities of red, green, blue and white.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Primaries {
    colours: [[f64; 2]; 3],
    white: [f64; 2],
}

const D65: [f64; 2] = [0.3127, 0.3290];
const C: [f64; 2] = [0.3100, 0.3160];
const DCI: [f64; 2] = [0.3140, 0.3510];
const E: [f64; 2] = [1.0 / 3.0, 1.0 / 3.0];

/// Luma weights and primaries of BT.709.
pub(super) const BT_709: HdColours = HdColours {
    luma: [0.2126, 0.7152, 0.0722],
    primaries: Primaries { colours: [[0.640, 0.330], [0.300, 0.600], [0.150, 0.060]], white: D65 },
};

/// Weights of luma, and primaries.
pub(super) struct HdColours {
    pub(super) luma: [f64; 3],
    pub(super) primaries: Primaries,
}

impl Primaries {
    /// Of a code point; `None` for those that FFmpeg's `colorspace` does not know.
    pub(super) fn of(code: u8) -> Option<Self> {
        let (white, [rx, ry, gx, gy, bx, by]) = match code {
            1 => return Some(BT_709.primaries),
            4 => (C, [0.670, 0.330, 0.210, 0.710, 0.140, 0.080]),
            5 => (D65, [0.640, 0.330, 0.290, 0.600, 0.150, 0.060]),
            6 | 7 => (D65, [0.630, 0.340, 0.310, 0.595, 0.155, 0.070]),
            8 => (C, [0.681, 0.319, 0.243, 0.692, 0.145, 0.049]),
            9 => (D65, [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]),
            10 => (E, [0.735, 0.265, 0.274, 0.718, 0.167, 0.009]),
            11 => (DCI, [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]),
            12 => (D65, [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]),
            22 => (D65, [0.630, 0.340, 0.295, 0.605, 0.155, 0.077]),
            _ => return None,
        };
        Some(Self { colours: [[rx, ry], [gx, gy], [bx, by]], white })
    }

    /// XYZ of red, green and blue, of which white sums to 1.
    fn xyz(&self) -> Matrix3 {
        let over = |x: f64, y: f64| [x / y, 1.0, (1.0 - x - y) / y];
        let columns = self.colours.map(|[x, y]| over(x, y));
        let mut matrix = [0, 1, 2].map(|row| columns.map(|column| column[row]));
        let [x, y] = self.white;
        let scales = inverse(&matrix).map(|row| row[0] * x + row[1] * y + row[2] * (1.0 - x - y));
        matrix.iter_mut().for_each(|row| row.iter_mut().zip(scales).for_each(|(number, scale)| *number *= scale));
        matrix
    }

    /// Luminance of red, green and blue, of which white has 1.
    pub(super) fn luminance(&self) -> [f64; 3] {
        let [_, row, _] = self.xyz();
        row.map(|y| y / row.iter().sum::<f64>())
    }

    /// Linear red, green and blue of these as those of others. The white of one becomes that of the other in the cone responses
    /// of `adaptation`, if there are such.
    pub(super) fn converted(&self, to: &Self, adaptation: Option<&Matrix3>) -> Matrix3 {
        let (from, back) = (self.xyz(), inverse(&to.xyz()));
        let adapted = match adaptation.filter(|_| self.white != to.white) {
            Some(cones) => product(&white(cones, self.white, to.white), &from),
            None => from,
        };
        product(&back, &adapted)
    }

    /// The same in 16384ths; `None` where a weight has no room in 16 bits.
    pub(super) fn turned(&self, to: &Self, adaptation: Option<&Matrix3>) -> Option<Weights3> {
        rounded(&self.converted(to, adaptation), |_, _, number| 16384.0 * number)
    }
}

/// Cone responses of XYZ: Bradford's.
pub(super) const BRADFORD: Matrix3 = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];

/// Those of von Kries.
pub(super) const VON_KRIES: Matrix3 =
    [[0.40024, 0.70760, -0.08081], [-0.22630, 1.16532, 0.04570], [0.00000, 0.00000, 0.91822]];

/// One white as another.
fn white(cones: &Matrix3, from: [f64; 2], to: [f64; 2]) -> Matrix3 {
    let response = |[x, y]: [f64; 2]| cones.map(|row| row[0] * x + row[1] * y + row[2] * (1.0 - x - y));
    let (before, after) = (response(from), response(to));
    let mut factors = [[0.0; 3]; 3];
    (0..3).for_each(|n| factors[n][n] = after[n] / before[n]);
    product(&inverse(cones), &product(&factors, cones))
}

/// The inverse, in FFmpeg's order.
fn inverse(m: &Matrix3) -> Matrix3 {
    let [[a, b, c], [d, e, f], [g, h, i]] = *m;
    let adjoint = [
        [e * i - h * f, -(b * i - h * c), b * f - e * c],
        [-(d * i - g * f), a * i - g * c, -(a * f - d * c)],
        [d * h - g * e, -(a * h - g * b), a * e - d * b],
    ];
    let factor = 1.0 / (a * adjoint[0][0] + d * adjoint[0][1] + g * adjoint[0][2]);
    adjoint.map(|row| row.map(|number| number * factor))
}

/// First `second`, then `first`.
fn product(first: &Matrix3, second: &Matrix3) -> Matrix3 {
    first.map(|row| [0, 1, 2].map(|n| row[0] * second[0][n] + row[1] * second[1][n] + row[2] * second[2][n]))
}

/// Each number, scaled, to the nearest whole one, ties to even; `None` where one has no room in 16 bits.
fn rounded(matrix: &Matrix3, scaled: impl Fn(usize, usize, f64) -> f64) -> Option<Weights3> {
    let mut weights = [[0; 3]; 3];
    for (m, (row, to)) in matrix.iter().zip(&mut weights).enumerate() {
        for (n, (number, to)) in row.iter().zip(to).enumerate() {
            let whole = scaled(m, n, *number).round_ties_even();
            *to = (whole.abs() <= 32767.0).then_some(whole as i16)?;
        }
    }
    Some(weights)
}

/// Weights of red, green and blue in luma by the code point of a matrix; `None` for those that are none of such weights.
pub(super) fn luma(code: u8) -> Option<[f64; 3]> {
    Some(match code {
        1 => BT_709.luma,
        4 => [0.30, 0.59, 0.11],
        5 | 6 => [0.299, 0.587, 0.114],
        7 => [0.212, 0.701, 0.087],
        9 | 10 => [0.2627, 0.6780, 0.0593],
        _ => return None,
    })
}

/// Luma and chroma of red, green and blue.
fn of_rgb([kr, kg, kb]: [f64; 3]) -> Matrix3 {
    let (blue, red) = (0.5 / (kb - 1.0), 0.5 / (kr - 1.0));
    [[kr, kg, kb], [blue * kr, blue * kg, 0.5], [0.5, red * kg, red * kb]]
}

/// Code values of a depth and a range.
#[derive(Clone, Copy)]
pub(super) struct CodeRange {
    pub(super) depth: u8,
    /// The sample of black.
    pub(super) black: i32,
    luma: i32,
    chroma: i32,
}

impl CodeRange {
    pub(super) fn new(depth: u8, is_full: bool) -> Self {
        let unit = 1 << (depth - 8);
        match is_full {
            true => Self { depth, black: 0, luma: 256 * unit - 1, chroma: 256 * unit - 1 },
            false => Self { depth, black: 16 * unit, luma: 219 * unit, chroma: 224 * unit },
        }
    }

    /// Samples from black to white of luma, or from one end of chroma to the other.
    fn span(self, plane: usize) -> f64 {
        f64::from(if plane == 0 { self.luma } else { self.chroma })
    }

    fn unit(self) -> f64 {
        f64::from(1 << self.depth)
    }
}

/// Luma and chroma by one matrix.
pub(super) fn direct(luma: [[f64; 3]; 2], [from, to]: [CodeRange; 2]) -> Option<Weights3> {
    let matrix = product(&of_rgb(luma[1]), &inverse(&of_rgb(luma[0])));
    rounded(&matrix, |m, n, number| 16384.0 * number * to.span(m) * from.unit() / (from.span(n) * to.unit()))
}

/// Red, green and blue of luma and chroma.
pub(super) fn to_rgb(luma: [f64; 3], from: CodeRange) -> Option<Weights3> {
    let scale = f64::from(ColourSteps::WHITE << (from.depth - 1));
    rounded(&inverse(&of_rgb(luma)), |_, plane, number| scale * number / from.span(plane))
}

/// Luma and chroma of red, green and blue.
pub(super) fn to_yuv(luma: [f64; 3], to: CodeRange) -> Option<Weights3> {
    let scale = |plane| f64::from(1 << (29 - to.depth)) * to.span(plane);
    rounded(&of_rgb(luma), |plane, _, number| scale(plane) * number / f64::from(ColourSteps::WHITE))
}

/// A curve of a power with a straight part near black: `alpha · v^gamma − (alpha − 1)` from `beta` on, `delta · v` below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transfer {
    alpha: f64,
    beta: f64,
    gamma: f64,
    delta: f64,
}

impl Transfer {
    /// Of a code point; `None` for those that FFmpeg's `colorspace` does not know.
    pub(super) fn of(code: u8) -> Option<Self> {
        let (alpha, beta, gamma, delta) = match code {
            1 | 6 | 11 | 14 => (1.099, 0.018, 0.45, 4.5),
            4 => (1.0, 0.0, 1.0 / 2.2, 0.0),
            5 => (1.0, 0.0, 1.0 / 2.8, 0.0),
            7 => (1.1115, 0.0228, 0.45, 4.0),
            8 => (1.0, 0.0, 1.0, 0.0),
            13 => (1.055, 0.003_130_8, 1.0 / 2.4, 12.92),
            15 => (1.0993, 0.0181, 0.45, 4.5),
            _ => return None,
        };
        Some(Self { alpha, beta, gamma, delta })
    }

    /// The coded value of a linear one.
    fn coded(&self, v: f64) -> f64 {
        let Self { alpha, beta, gamma, delta } = *self;
        if v <= -beta {
            -alpha * libm::pow(-v, gamma) + (alpha - 1.0)
        } else if v < beta {
            delta * v
        } else {
            alpha * libm::pow(v, gamma) - (alpha - 1.0)
        }
    }

    /// The linear value of a coded one. A little below 0 FFmpeg asks for powers of negative numbers, which are none: NaN, for
    /// which its tables have 0.
    fn linear(&self, v: f64) -> f64 {
        let Self { alpha, beta, gamma, delta } = *self;
        let (part, power) = (1.0 / alpha, 1.0 / gamma);
        if v <= -beta * delta {
            -libm::pow((1.0 - alpha - v) * part, power)
        } else if v < beta * delta {
            v * (1.0 / delta)
        } else {
            libm::pow((v + alpha - 1.0) * part, power)
        }
    }

    /// The table of linear values, and that of coded ones.
    pub(super) fn tables(&self) -> [Vec<i16>; 2] {
        [Self::linear, Self::coded].map(|curve| table(|v| curve(self, v)))
    }
}

/// A curve at each number of the table.
fn table(curve: impl Fn(f64) -> f64) -> Vec<i16> {
    let white = f64::from(ColourSteps::WHITE);
    let place = |n: usize| (n as f64 - f64::from(ColourSteps::ZERO)) / white;
    // Conversion clamps what has no room in 16 bits, and makes 0 of NaN.
    (0..ColourSteps::ENTRIES).map(|n| (curve(place(n)) * white).round_ties_even() as i16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Powers of another mathematical library may differ in their last bits, and give the same table.
    #[test]
    fn no_power_lies_between_two_entries() {
        let white = f64::from(ColourSteps::WHITE);
        for transfer in [1, 4, 5, 7, 8, 13, 15].map(|code| Transfer::of(code).expect("a curve")) {
            let Transfer { beta, delta, gamma, .. } = transfer;
            for n in 0..ColourSteps::ENTRIES {
                let v = (n as f64 - 2048.0) / white;
                for (value, straight) in [(transfer.linear(v), beta * delta), (transfer.coded(v), beta)] {
                    let fraction = (value * white).rem_euclid(1.0);
                    let is_power = v.abs() >= straight && gamma != 1.0;
                    assert!(
                        !is_power || value.is_nan() || (fraction - 0.5).abs() > 1e-9,
                        "{transfer:?} at {n}: {value}"
                    );
                }
            }
        }
    }

    #[test]
    fn white_stays_white() {
        for (from, to) in [(1, 9), (9, 1), (5, 1), (4, 1), (8, 12), (11, 1), (10, 9)] {
            let [from, to] = [from, to].map(|code| Primaries::of(code).expect("primaries"));
            for adaptation in [BRADFORD, VON_KRIES] {
                let weights = from.turned(&to, Some(&adaptation)).expect("weights of 16 bits");
                for row in weights {
                    let sum: i32 = row.iter().map(|weight| i32::from(*weight)).sum();
                    assert!((sum - 16384).abs() <= 2, "white becomes {sum} / 16384");
                }
            }
        }
    }
}
