//! Sums over planes: whole, real and by terms, of RGB and of chroma alone, with planes left out.

use std::sync::Arc;

use warpreel::frame::{Family, Format, Pixel, Rational, Sample};
use warpreel::pass::{Mix, MixSums, Op};

use super::{Case, Random};

/// An op for planes of a pixel, which has colours.
pub fn op(random: &mut Random, pixel: Pixel) -> Op {
    let first = usize::from(pixel.family != Family::Rgb);
    let centre = if first == 1 { pixel.neutral(1) } else { 0.0 };
    let limit = *random.one_of(&[0.3, 1.0, 2.0]);
    let mut real = || [(); 3].map(|()| [(); 3].map(|()| random.real(-limit, limit)));
    let (weights, bias) = (real(), real()[0].map(|part| centre + part * 0.1 * pixel.peak()));
    let is_whole = pixel.sample != Sample::F32 && pixel.depth <= Mix::WHOLE_DEPTH;
    let sums = match random.below(4) {
        0 if pixel.sample == Sample::U8 => {
            let term = |weight: f32| std::array::from_fn(|byte| (weight * byte as f32).round_ties_even() as i16);
            MixSums::Terms(Arc::new(weights.map(|row| row.map(term))))
        }
        0..3 if is_whole => MixSums::Whole {
            weights: weights.map(|row| row.map(|weight| (weight * 65536.0) as i32)),
            bias: bias.map(|bias| (bias * 65536.0) as i32 + 32768),
        },
        _ => MixSums::Real { weights, bias },
    };
    Op::Mix(Mix { first, centre, sums })
}

pub fn cases() -> impl Iterator<Item = Case> {
    (0..300).map(|number| {
        let seed = 46_000 + number;
        let mut random = Random::new(seed);
        let layouts = [Pixel::rgb(8), Pixel::yuv420p(8), Pixel::yuv444p(8), Pixel::yuv422p(8)];
        let pixel = *random.one_of(&layouts);
        let depth = *random.one_of(&[8, 8, 9, 10, 10, 12, 16]);
        let pixel = Pixel::integer(pixel.family, pixel.log2_chroma_w, pixel.log2_chroma_h, depth);
        let pixel = if random.below(5) == 0 { pixel.float() } else { pixel };
        let pixel = if random.below(3) == 0 { pixel.with_alpha() } else { pixel };
        let most = *random.one_of(&[3, 40, 150]);
        let format = Format::new(pixel, random.range(1..=most), random.range(1..=most.min(40)), Rational::new(25, 1));
        let op = op(&mut random, pixel);
        let is_left_out = random.below(3) == 0;
        let first = usize::from(pixel.family != Family::Rgb);
        let ops = (0..pixel.planes()).map(|plane| {
            let is_kept = plane < first || pixel.is_alpha(plane) || is_left_out && random.below(2) == 0;
            if is_kept { Op::Copy } else { op.clone() }
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}
