//! Steps of smooth areas made smooth: the words of the pass, with the hash in numbers that hold all of it.

use warpreel::frame::Sample;
use warpreel::pass::Deband;

use super::{Place, Stack};

/// What one sample is.
pub fn sample(op: &Deband, place: &Place) -> f32 {
    let count = op.places.len() as u64;
    let [dx, dy] = op.places[(number(place.x as u64, place.y as u64) / 65536 % count) as usize];
    let is_float = place.format.pixel.sample == Sample::F32;
    let judge = |stack: &Stack, threshold: f32| {
        let at = |across: isize, down: isize| stack.sample(op.border, 0, place.y + down, place.x + across);
        let (dx, dy, own) = (isize::from(dx), isize::from(dy), at(0, 0));
        let around = [at(dx, dy), at(dx, -dy), at(-dx, -dy), at(-dx, dy)];
        let sum = around.into_iter().skip(1).fold(around[0], |sum, sample| sum + sample);
        let mean = if is_float { sum * 0.25 } else { (sum / 4.0).floor() };
        let compared: &[f32] = if op.blurs { &[mean] } else { &around };
        (own, mean, compared.iter().all(|other| (own - other).abs() < threshold))
    };
    let (own, mean, goes) = judge(place.stack, op.thresholds[if op.coupled { place.plane } else { 0 }]);
    let agree = match op.coupled {
        false => goes,
        true => {
            let size = |stack: &Stack| (stack.width, stack.height);
            let all = place.planes.iter().zip(&*op.thresholds);
            let mut alike = all.filter(|(stack, _)| size(stack) == size(place.stack));
            alike.all(|(stack, threshold)| judge(stack, *threshold).2)
        }
    };
    let made = if agree { mean } else { own };
    if made.is_nan() { f32::from_bits(0x7fc0_0000) } else { made }
}

/// The number of a place in the picture.
fn number(x: u64, y: u64) -> u64 {
    const WORD: u64 = 1 << 32;
    let mut h = (x + y * 0x9e37_79b9) % WORD;
    h = (h ^ (h / 65536)) * 0x7feb_352d % WORD;
    h = (h ^ (h / 32768)) * 0x846c_a68b % WORD;
    h ^ (h / 65536)
}
