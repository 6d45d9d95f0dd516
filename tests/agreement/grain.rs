//! Cases of film grain.

use warpreel::frame::{Format, Pixel, Rational};
use warpreel::pass::{Finish, Grain, Op};

use super::{Case, Random, gray};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(super::extremes(107_000, 4, [71, 5], op))
}

fn op(random: &mut Random, pixel: Pixel) -> Op {
    let size = random.range(1..=4) * random.range(1..=2);
    let most = random.real(0.0, 0.1) * pixel.peak() / Grain::deviation(size) as f32;
    let [low, high] = [random.real(-0.1, 0.2), random.real(0.6, 1.2)].map(|level| level * pixel.peak());
    let [shadows, highlights] = [random.real(0.0, 1.0), random.real(0.0, 1.0)];
    let finish = *random.one_of(&[Finish::PLAIN, Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.5 }]);
    Op::Grain(Grain {
        key: random.next() as u32,
        still: random.below(4) == 0,
        size,
        black: low,
        scale: 1.0 / (high - low),
        dark: [most * shadows, 2.0 * most * (1.0 - shadows)],
        bright: [most * (2.0 - highlights), -2.0 * most * (1.0 - highlights)],
        finish,
    })
}

/// Any grain in any plane of any format.
fn anything() -> impl Iterator<Item = Case> {
    super::drawn(105_000..105_200, [40, 12], op)
}

/// Rows around what is made at once, and heights around bands.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 3, 4, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257];
    widths.into_iter().enumerate().flat_map(|(index, width)| {
        [8, 10, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 106_000 + 10 * index as u64 + kind as u64;
            let (mut random, pixel) = (Random::new(seed), gray(depth));
            let op = op(&mut random, pixel);
            let format = Format::new(pixel, width, [1, 2, 33, 40][(index + kind) % 4], Rational::new(25, 1));
            random.finished(seed, format, vec![op])
        })
    })
}
