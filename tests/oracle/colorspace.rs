//! Luma and chroma of another colour space: one sample in `i64`, from the formulas.

use warpreel::pass::{Colorspace, ColourPath, ColourSteps, Weights3};

use super::Place;

/// `⌊a / 2^places⌋`.
fn down(a: i64, places: i64) -> i64 {
    a.div_euclid(1 << places)
}

/// A row of weights with three numbers.
fn dot(row: [i16; 3], numbers: [i64; 3]) -> i64 {
    let sum = row.iter().zip(numbers).map(|(weight, number)| i64::from(*weight) * number).sum();
    assert!(i32::try_from(sum).is_ok(), "a sum of {sum}");
    sum
}

fn short(number: i64) -> i64 {
    number.clamp(-32768, 32767)
}

/// One sample of what goes in, the edge repeated.
fn read(op: &Colorspace, place: &Place, plane: usize, y: isize, x: isize) -> i64 {
    let stack = &place.planes[plane];
    let sample = stack.inside(0, y.min(stack.height - 1), x.min(stack.width - 1));
    (sample as i64).min((1 << op.from.depth) - 1)
}

/// Luma less black, and chroma less its middle, at a luma pixel.
fn pixel(op: &Colorspace, place: &Place, y: isize, x: isize) -> [i64; 3] {
    let (across, down) = op.from.subsampling(1);
    let middle = 1 << (op.from.depth - 1);
    let (y, x) = (y.min(place.planes[0].height - 1), x.min(place.planes[0].width - 1));
    let chroma = |plane| read(op, place, plane, y >> down, x >> across) - middle;
    [read(op, place, 0, y, x) - i64::from(op.black[0]), chroma(1), chroma(2)]
}

/// Red, green and blue of a luma pixel, as the other space codes them.
fn coded(op: &Colorspace, steps: &ColourSteps, numbers: [i64; 3]) -> [i64; 3] {
    let depth = i64::from(op.from.depth);
    let three = |weights: &Weights3, numbers: [i64; 3], places: i64| {
        weights.map(|row| short(down(dot(row, numbers) + (1 << (places - 1)), places)))
    };
    let look = |table: &[i16], colour: i64| i64::from(table[(colour + 2048).clamp(0, 32767) as usize]);
    let mut rgb = three(&steps.to_rgb, numbers, depth - 1).map(|colour| look(&steps.linear, colour));
    if let Some(primaries) = &steps.primaries {
        rgb = three(primaries, rgb, 14);
    }
    rgb.map(|colour| look(&steps.coded, colour))
}

/// What one sample is.
pub fn sample(op: &Colorspace, place: &Place) -> f32 {
    let depth = i64::from(op.to.depth);
    let (plane, y, x) = (place.plane, place.y, place.x);
    let base = if plane == 0 { i64::from(op.black[1]) } else { 1 << (depth - 1) };
    let (across, below) = if plane == 0 { (0, 0) } else { op.from.subsampling(1) };
    let made = match &op.path {
        ColourPath::Direct(weights) => {
            let places = 14 + i64::from(op.from.depth) - depth;
            let numbers = pixel(op, place, y << below, x << across);
            down(dot(weights[plane], numbers) + (1 << (places - 1)) + (base << places), places)
        }
        ColourPath::Linear(steps) => {
            let places = 29 - depth;
            let mut all = [0; 3];
            for row in 0..1 << below {
                for column in 0..1 << across {
                    let rgb = coded(op, steps, pixel(op, place, (y << below) + row, (x << across) + column));
                    all.iter_mut().zip(rgb).for_each(|(all, colour)| *all += colour);
                }
            }
            let count = 1 << (across + below);
            let mean = all.map(|sum| (sum + count / 2).div_euclid(count));
            base + down(dot(steps.to_yuv[plane], mean) + (1 << (places - 1)), places)
        }
    };
    made.clamp(0, (1 << depth) - 1) as f32
}
