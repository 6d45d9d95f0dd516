//! Film grain: the words of the pass, with hashes in numbers that hold all of them.

use warpreel::pass::Grain;

use super::{Place, UNIT, Value, finish};

/// What one sample is.
pub fn sample(op: &Grain, place: &Place) -> f32 {
    let own = place.centre();
    let noise = noise(op, place);
    let p = (own - op.black) * op.scale;
    let p = if p > 0.0 { p } else { 0.0 };
    let p = if p < 1.0 { p } else { 1.0 };
    let [at, by] = if p < 0.5 { op.dark } else { op.bright };
    let exact = own + noise as f32 * (at + p * by);
    let weight = f64::from(at) + f64::from(p) * f64::from(by);
    let ideal = f64::from(own) + noise as f64 * weight;
    let size = (f64::from(at).abs() + f64::from(by).abs()) * noise.abs() as f64;
    let error = 6.0 * UNIT * (size + f64::from(own).abs() + ideal.abs());
    finish(op.finish, place.format, Value { exact, ideal, error }, own)
}

/// The noise of a place before it is weighted.
fn noise(op: &Grain, place: &Place) -> i64 {
    let number = if op.still { 0 } else { place.number % WORD };
    let key = mix((u64::from(op.key) + number * ROW) % WORD);
    let size = op.size as i64;
    let tap = |i: i64| size - (size - 1 - i).abs();
    let cell = |i: i64, j: i64| {
        let (column, row) = ((place.x as i64 + i) as u64, (place.y as i64 + j) as u64);
        let h = mix(mix((column + row * ROW) % WORD) ^ key);
        (0..4).map(|byte| (h / 256u64.pow(byte) % 256) as i64).sum::<i64>() - 510
    };
    let side = 0..2 * size - 1;
    side.clone().flat_map(|j| side.clone().map(move |i| (i, j))).map(|(i, j)| tap(i) * tap(j) * cell(i, j)).sum()
}

const WORD: u64 = 1 << 32;
const ROW: u64 = 0x9e37_79b9;

/// A number of which every bit depends on all bits of another.
fn mix(h: u64) -> u64 {
    let h = (h ^ (h / 65536)) * 0x7feb_352d % WORD;
    let h = (h ^ (h / 32768)) * 0x846c_a68b % WORD;
    h ^ (h / 65536)
}
