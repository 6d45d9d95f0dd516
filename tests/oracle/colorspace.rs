//! Luma and chroma of another colour space: one sample in `i64`, from the formulas.

use warpreel::pass::{Colorspace, ColourPath, ColourSteps, LogTable, SystemGamma, ToneSteps, Weights3};

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

/// Three sums of weights, each cut to 16 bits.
fn three(weights: &Weights3, numbers: [i64; 3], places: i64) -> [i64; 3] {
    weights.map(|row| short(down(dot(row, numbers) + (1 << (places - 1)), places)))
}

/// Red, green and blue as the other space codes them.
fn coded(steps: &ColourSteps, rgb: [i64; 3]) -> [i64; 3] {
    let look = |table: &[i16], colour: i64| i64::from(table[(colour + 2048).clamp(0, 32767) as usize]);
    let mut rgb = rgb.map(|colour| look(&steps.linear, colour));
    if let Some(primaries) = &steps.primaries {
        rgb = three(primaries, rgb, 14);
    }
    rgb.map(|colour| look(&steps.coded, colour))
}

/// What a table has for a number: by its power of two, and how far it is on the way to the next.
fn looked_up<T: Copy>(table: &LogTable<T>, number: f32) -> T {
    let number = f64::from(number);
    let mut power = f64::from(table.exponent).exp2();
    if number < power {
        return table.values[0];
    }
    for octave in table.values.chunks(1024) {
        if number < 2.0 * power {
            return octave[((number / power - 1.0) * 1024.0).floor() as usize];
        }
        power *= 2.0;
    }
    table.values[32767]
}

/// A sum of three products, each operation rounded, from the left.
fn sum([a, b, c]: [f32; 3], [r, g, b_]: [f32; 3]) -> f32 {
    let rounded = |number: f64| number as f32;
    let product = |x: f32, y: f32| rounded(f64::from(x) * f64::from(y));
    let first = rounded(f64::from(product(a, r)) + f64::from(product(b, g)));
    rounded(f64::from(first) + f64::from(product(c, b_)))
}

/// Red, green and blue of HDR as SDR codes them.
fn toned(steps: &ToneSteps, rgb: [i64; 3]) -> [i64; 3] {
    let times = |light: [f32; 3], factor: f32| light.map(|c| (f64::from(c) * f64::from(factor)) as f32);
    let mut light = rgb.map(|colour| steps.linear[colour.max(0) as usize]);
    if let Some(SystemGamma { weights, factors }) = &steps.system {
        light = times(light, looked_up(factors, sum(light, *weights)));
    }
    let most = light.into_iter().fold(0.0, f32::max);
    light = times(light, looked_up(&steps.gain, most));
    steps.primaries.map(|row| i64::from(looked_up(&steps.coded, sum(row, light))))
}

/// One sample by colours that become others.
fn through(
    op: &Colorspace,
    place: &Place,
    [to_rgb, to_yuv]: [&Weights3; 2],
    changed: impl Fn([i64; 3]) -> [i64; 3],
) -> i64 {
    let (plane, y, x) = (place.plane, place.y, place.x);
    let (across, below) = if plane == 0 { (0, 0) } else { op.from.subsampling(1) };
    let mut all = [0; 3];
    for row in 0..1 << below {
        for column in 0..1 << across {
            let numbers = pixel(op, place, (y << below) + row, (x << across) + column);
            let rgb = changed(three(to_rgb, numbers, i64::from(op.from.depth) - 1));
            all.iter_mut().zip(rgb).for_each(|(all, colour)| *all += colour);
        }
    }
    let count = 1 << (across + below);
    let mean = all.map(|sum| (sum + count / 2).div_euclid(count));
    let places = 29 - i64::from(op.to.depth);
    base(op, plane) + down(dot(to_yuv[plane], mean) + (1 << (places - 1)), places)
}

/// The sample of black, or of no colour.
fn base(op: &Colorspace, plane: usize) -> i64 {
    if plane == 0 { i64::from(op.black[1]) } else { 1 << (op.to.depth - 1) }
}

/// What one sample is.
pub fn sample(op: &Colorspace, place: &Place) -> f32 {
    let depth = i64::from(op.to.depth);
    let (plane, y, x) = (place.plane, place.y, place.x);
    let (across, below) = if plane == 0 { (0, 0) } else { op.from.subsampling(1) };
    let made = match &op.path {
        ColourPath::Direct(weights) => {
            let places = 14 + i64::from(op.from.depth) - depth;
            let numbers = pixel(op, place, y << below, x << across);
            down(dot(weights[plane], numbers) + (1 << (places - 1)) + (base(op, plane) << places), places)
        }
        ColourPath::Linear(steps) => through(op, place, [&steps.to_rgb, &steps.to_yuv], |rgb| coded(steps, rgb)),
        ColourPath::Tone(steps) => through(op, place, [&steps.to_rgb, &steps.to_yuv], |rgb| toned(steps, rgb)),
    };
    made.clamp(0, (1 << depth) - 1) as f32
}
