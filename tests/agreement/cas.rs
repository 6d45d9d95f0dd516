//! Cases of contrast-adaptive sharpening.

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Border, Cas, Finish, Op};

use super::{Case, Random, gray};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(super::extremes(92_000, 6, [71, 5], op))
}

fn op(random: &mut Random, pixel: Pixel) -> Op {
    let strength = match random.below(4) {
        0 => 0.0,
        1 => 1.0,
        _ => random.real(0.0, 1.0),
    };
    let arithmetic = if pixel.sample == Sample::F32 { Arithmetic::Real } else { Arithmetic::Integer };
    let border = match random.below(2) {
        0 => Border::Clamp,
        _ => random.border(pixel, arithmetic),
    };
    let finish = *random.one_of(&[Finish::PLAIN, Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.5 }]);
    Op::Cas(Cas { divisor: Cas::divisor(strength), border, finish })
}

/// Any strength in any plane of any format.
fn anything() -> impl Iterator<Item = Case> {
    super::drawn(90_000..90_250, [40, 12], op)
}

/// Rows around what is made at once.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 2, 3, 4, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, 257];
    widths.into_iter().enumerate().flat_map(|(index, width)| {
        [8, 10, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 91_000 + 10 * index as u64 + kind as u64;
            let (mut random, pixel) = (Random::new(seed), gray(depth));
            let op = op(&mut random, pixel);
            let format = Format::new(pixel, width, [1, 2, 33][(index + kind) % 3], Rational::new(25, 1));
            random.finished(seed, format, vec![op])
        })
    })
}
