//! Samples of another depth, type or range.

use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{BayerMatrix, Dither, Requantize};

use super::{Place, UNIT};

/// What one sample is.
pub fn sample(op: &Requantize, place: &Place) -> f32 {
    let sample = place.centre();
    let added = match op.dither {
        Dither::None => None,
        Dither::Diffused => {
            let made = place.stack.made.get_or_init(|| diffused(op, place));
            return made[(place.y * place.stack.width + place.x) as usize];
        }
        Dither::Random(key) => Some(noise(key, place.x as u64, place.y as u64)),
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

/// A plane by error diffusion, sample after sample: each adds what the four before it have lost.
fn diffused(op: &Requantize, place: &Place) -> Vec<f32> {
    let (width, height) = (place.stack.width, place.stack.height);
    let mut errors = vec![0.0f32; (width * height) as usize];
    let mut made = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let lost = |dx: isize, dy: isize| {
                let inside = (0..width).contains(&(x + dx)) && y + dy >= 0;
                if inside { errors[((y + dy) * width + x + dx) as usize] } else { 0.0 }
            };
            let [left, corner, above, right] = [lost(-1, 0), lost(-1, -1), lost(0, -1), lost(1, -1)];
            let beside = (3.0f32 / 16.0).mul_add(right, 7.0 / 16.0 * left);
            let over = (1.0f32 / 16.0).mul_add(corner, 5.0 / 16.0 * above);
            let passed = beside + over;
            let ideal =
                (3.0 * f64::from(right) + 7.0 * f64::from(left) + f64::from(corner) + 5.0 * f64::from(above)) / 16.0;
            assert!((f64::from(passed) - ideal).abs() <= 4.0 * UNIT, "{passed} is far from {ideal}");
            let value = op.scale.mul_add(place.stack.inside(0, y, x), op.offset) + passed;
            let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, op.to.peak()) };
            let sample = value.round_ties_even();
            errors[(y * width + x) as usize] = value - sample;
            made.push(sample);
        }
    }
    made
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

/// One of 2²³ values at equal distances around 0, by a number that is mixed from the place and the key.
fn noise(key: u32, x: u64, y: u64) -> f64 {
    const WORD: u64 = 1 << 32;
    let mixed = |number: u64| {
        let number = (number ^ (number / 65536)) * 0x7feb_352d % WORD;
        let number = (number ^ (number / 32768)) * 0x846c_a68b % WORD;
        number ^ (number / 65536)
    };
    let number = mixed(mixed((x + y * 0x9e37_79b9) % WORD) ^ u64::from(key)) / 512;
    (2 * number + 1) as f64 / (1 << 24) as f64 - 0.5
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
