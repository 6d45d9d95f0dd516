//! Samples of another depth, type or range.

use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{BayerMatrix, Dither, Requantize};

use super::{Place, UNIT};

/// What one sample is.
pub fn sample(op: &Requantize, place: &Place) -> f32 {
    let sample = place.centre();
    let added = match op.dither {
        Dither::None => None,
        Dither::Ordered(matrix) => Some(threshold(matrix, place.x as usize, place.y as usize)),
    };
    let fused = op.scale.mul_add(sample, op.offset);
    let exact = added.map_or(fused, |threshold| fused + threshold as f32);
    let ideal = f64::from(sample) * f64::from(op.scale) + f64::from(op.offset) + added.unwrap_or(0.0);
    let size = f64::from(sample).abs() * f64::from(op.scale).abs() + f64::from(op.offset).abs() + 1.0;
    if exact.is_finite() && sample.is_finite() {
        let error = 4.0 * UNIT * size;
        assert!((f64::from(exact) - ideal).abs() <= error, "{exact} is more than {error:e} from {ideal}");
    }
    rounded(exact, op.to)
}

/// A value as a sample of such pixels.
fn rounded(value: f32, to: Pixel) -> f32 {
    match to.sample {
        Sample::F32 if value.is_nan() => f32::from_bits(0x7fc0_0000),
        Sample::F32 => value,
        _ if value.is_nan() => 0.0,
        _ => value.clamp(0.0, to.peak()).round_ties_even(),
    }
}

/// The number of a Bayer matrix of so many columns, put together of four smaller ones, each number of which is four times as
/// large: 0 3 over 2 1 is added.
fn bayer(side: usize, x: usize, y: usize) -> usize {
    if side == 1 {
        return 0;
    }
    let half = side / 2;
    let quarter = [[0, 3], [2, 1]][y / half][x / half];
    4 * bayer(half, x % half, y % half) + quarter
}

fn threshold(matrix: BayerMatrix, x: usize, y: usize) -> f64 {
    let (x, y) = (x % 16, y % 16);
    let number = match matrix {
        BayerMatrix::Plain => bayer(16, x, y),
        BayerMatrix::Mirrored => bayer(16, 15 - x, y),
        BayerMatrix::Flipped => bayer(16, x, 15 - y),
        BayerMatrix::Transposed => bayer(16, y, x),
    };
    let quotient = (number + 1) as f32 / 257.0;
    f64::from(quotient - 0.5)
}
