//! Many taps along x, y or both: around the sizes of what is filtered at once, beyond the plane, with every border.

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Border, Finish, Op, Separable, Taps};

use super::{Case, Content, Random};

const FLOAT: Pixel = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    lengths().chain(sizes()).chain(borders()).chain(in_time()).chain(whole())
}

/// Taps of either sign; one alone does nothing.
fn taps(random: &mut Random, count: usize, anchor: usize) -> Taps {
    match count {
        1 => Taps::identity(),
        _ => Taps { weights: (0..count).map(|_| random.real(-0.5, 1.0)).collect(), anchor },
    }
}

fn case(seed: u64, pixel: Pixel, (width, height): (usize, usize), op: impl Fn(&mut Random) -> Separable) -> Case {
    let mut random = Random::new(seed);
    let ops = (0..pixel.planes()).map(|_| Op::Separable(op(&mut random))).collect();
    random.finished(seed, Format::new(pixel, width, height, Rational::new(25, 1)), ops)
}

fn real([t, x, y]: [Taps; 3], border: Border) -> Separable {
    let sum: f32 = [&t, &x, &y].map(|taps| taps.weights.iter().sum::<f32>()).iter().product();
    let finish = Finish { scale: 1.0 / sum, ..Finish::PLAIN };
    Separable { t, x, y, arithmetic: Arithmetic::Real, border, finish }
}

/// Numbers of taps around those from which other loops take them, on finite samples and on all that floats can be.
fn lengths() -> impl Iterator<Item = Case> {
    let across = [1, 2, 23, 24, 25, 47, 48, 49, 97].into_iter();
    let lengths = across.flat_map(|x| [1, 2, 3, 4, 24, 45, 46, 47, 48, 60].map(|y| (x, y)));
    lengths.filter(|(x, y)| x + y > 40).enumerate().flat_map(|(index, (x, y))| {
        [(Pixel::gray(8), Content::Noise), (FLOAT, Content::Wild)].into_iter().map(move |(pixel, content)| {
            let seed = 40_000 + 10 * index as u64;
            let op = |random: &mut Random| {
                real([Taps::identity(), taps(random, x, x / 2), taps(random, y, y / 2)], Border::Reflect101)
            };
            Case { content, ..case(seed, pixel, (35, 8), op) }
        })
    })
}

/// Widths around one and more vectors, and heights around what is filtered at once along x, along y, and by a thread.
fn sizes() -> impl Iterator<Item = Case> {
    let widths = [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];
    let heights = [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 24, 25, 26];
    let widths = widths.into_iter().enumerate().map(move |(index, width)| (width, heights[index % heights.len()]));
    let sizes = widths.chain(heights.into_iter().map(|height| (20, height)));
    sizes.enumerate().map(|(index, size)| {
        let pixel = [Pixel::gray(8), Pixel::gray(10), FLOAT][index % 3];
        case(41_000 + 10 * index as u64, pixel, size, |random| {
            real([Taps::identity(), taps(random, 49, 30), taps(random, 31, 4)], Border::Clamp)
        })
    })
}

/// Every border, with taps that reach beyond the plane and to the other side of it.
fn borders() -> impl Iterator<Item = Case> {
    use Border::{Clamp, Constant, Lopsided, Reflect, Reflect101, Wrap};
    let borders = [Reflect101, Clamp, Lopsided, Reflect, Wrap, Constant(77.0)];
    borders.into_iter().enumerate().flat_map(|(index, border)| {
        [0, 35, 69].into_iter().map(move |anchor| {
            let seed = 42_000 + 100 * index as u64 + anchor as u64;
            let mut planes = [(70, 70), (70, 1), (1, 70)].into_iter();
            let mut random = Random::new(seed);
            let ops = std::iter::from_fn(|| {
                let (x, y) = planes.next()?;
                let taps = [Taps::identity(), taps(&mut random, x, anchor), taps(&mut random, y, anchor)];
                Some(Op::Separable(real(taps, border)))
            });
            let ops = ops.collect();
            random.finished(seed, Format::new(Pixel::yuv420p(8), 37, 11, Rational::new(25, 1)), ops)
        })
    })
}

/// Taps along t before them, of which some meet no frame.
fn in_time() -> impl Iterator<Item = Case> {
    (0..12).map(|index| {
        let border = if index % 2 == 0 { Border::Constant(9.5) } else { Border::Wrap };
        case(43_000 + index, Pixel::gray(8), (41, 9), |random| {
            let (x, y) = [(51, 1), (51, 50), (1, 51)][index as usize % 3];
            real([taps(random, 3, 2), taps(random, x, 20), taps(random, y, 0)], border)
        })
    })
}

/// Integers, of sums that `f32` holds exactly and of wider ones.
fn whole() -> impl Iterator<Item = Case> {
    (0..12).map(|index| {
        case(44_000 + index, Pixel::gray(if index % 2 == 0 { 8 } else { 16 }), (45, 10), |random| {
            let (x, y) = [(52, 1), (33, 34), (1, 52)][index as usize % 3];
            let mut taps = |count| match count {
                1 => Taps::identity(),
                _ => Taps { weights: (0..count).map(|_| random.below(5) as f32 - 1.0).collect(), anchor: count / 3 },
            };
            let (x, y) = (taps(x), taps(y));
            let finish = Finish { scale: 0.0005, ..Finish::PLAIN };
            let (arithmetic, border) = (Arithmetic::Integer, Border::Reflect);
            Separable { t: Taps::identity(), x, y, arithmetic, border, finish }
        })
    })
}
