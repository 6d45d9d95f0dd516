//! Cases of frames composed with the one before or a second one: every mode, on every kind of samples.

use warpreel::frame::{Format, Pixel, Rational};
use warpreel::pass::{Compose, ComposeMode, ComposePartner, Op};

use super::{Case, Random, gray};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    let drawn = super::drawn(120_000..120_100, [40, 12], with_the_one_before);
    let second = super::drawn(120_100..120_200, [40, 12], with_a_second_one);
    drawn.chain(second).chain(modes()).chain(super::extremes(121_000, 8, [71, 5], with_the_one_before))
}

fn with_the_one_before(random: &mut Random, _: Pixel) -> Op {
    op(random, ComposePartner::Before)
}

fn with_a_second_one(random: &mut Random, _: Pixel) -> Op {
    op(random, ComposePartner::Second)
}

fn op(random: &mut Random, partner: ComposePartner) -> Op {
    let mode = *random.one_of(ComposeMode::ALL);
    let opacity = if random.below(2) == 0 { 1.0 } else { random.real(0.0, 1.0) };
    Op::Compose(Compose { mode, opacity, partner })
}

/// Each mode, with all of the result, on frames of a few thousand pairs of samples.
fn modes() -> impl Iterator<Item = Case> {
    ComposeMode::ALL.iter().enumerate().flat_map(|(index, mode)| {
        [8, 10, 12, 16, 32].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 123_000 + 10 * index as u64 + kind as u64;
            let format = Format::new(gray(depth), 129, 33, Rational::new(25, 1));
            let op = Compose { mode: *mode, opacity: 1.0, partner: ComposePartner::Second };
            Random::new(seed).finished(seed, format, vec![Op::Compose(op)])
        })
    })
}
