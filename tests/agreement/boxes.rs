//! Cases of sums over boxes.

use warpreel::frame::{Format, Pixel, Rational, Sample};
use warpreel::pass::{Arithmetic, Border, Boxes, Finish, Op};

use super::{Case, Content, Random};

/// All of them.
pub fn cases() -> impl Iterator<Item = Case> {
    anything().chain(sizes()).chain(wide())
}

/// Boxes of these widths as a mean, with whatever else the last step does.
fn op(random: &mut Random, pixel: Pixel, [y, x]: [Vec<usize>; 2], border: Border) -> Op {
    let mut op =
        Boxes { y, x, border, finish: *random.one_of(&[Finish::PLAIN, Finish { dry: 0.25, ..Finish::PLAIN }]) };
    op.finish.scale = ((1.0 - f64::from(op.finish.dry)) / op.steps(pixel).gain) as f32;
    Op::Boxes(op)
}

/// Up to three boxes up to `widest`, which have a middle.
fn widths(random: &mut Random, widest: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = (0..random.below(4)).map(|_| random.range(1..=widest)).collect();
    let reach: usize = widths.iter().map(|width| width - 1).sum();
    if reach % 2 == 1 {
        widths[0] += 1;
    }
    widths
}

fn pixel(random: &mut Random) -> Pixel {
    let any = random.pixel();
    if any.sample == Sample::F32 { Pixel::yuv420p(*random.one_of(&[8, 10, 16])) } else { any }
}

/// Any boxes in any plane of any format.
fn anything() -> impl Iterator<Item = Case> {
    (60_000..60_150).map(|seed| {
        let mut random = Random::new(seed);
        let pixel = pixel(&mut random);
        let format = Format::new(pixel, random.range(1..=30), random.range(1..=24), Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| {
            let axes = [0; 2].map(|_| widths(&mut random, 9));
            let border = random.border(pixel, Arithmetic::Integer);
            op(&mut random, pixel, axes, border)
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    })
}

/// Columns and rows around what is summed side by side, at the highest samples among others.
fn sizes() -> impl Iterator<Item = Case> {
    let sizes = [(1, 1), (7, 17), (8, 16), (31, 15), (32, 33), (33, 8), (63, 5), (64, 3), (65, 2), (129, 4), (200, 1)];
    sizes.into_iter().enumerate().flat_map(|(index, (width, height))| {
        [Content::Noise, Content::Wild, Content::Peak].into_iter().enumerate().map(move |(kind, content)| {
            let seed = 61_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let pixel = Pixel::gray(*random.one_of(&[8, 9, 12, 16]));
            let axes = [0; 2].map(|_| widths(&mut random, 7));
            let border = random.border(pixel, Arithmetic::Integer);
            let op = op(&mut random, pixel, axes, border);
            Case { content, ..random.finished(seed, Format::new(pixel, width, height, Rational::new(25, 1)), vec![op]) }
        })
    })
}

/// Boxes far beyond the plane, whose sums are rounded on their way.
fn wide() -> impl Iterator<Item = Case> {
    let axes = [[vec![38, 38, 43], vec![38, 38, 43]], [vec![], vec![3001]], [vec![700, 701, 702], vec![2, 2]]];
    let axes = axes.into_iter().chain([[vec![3333, 3334, 3334], vec![]], [vec![9, 9, 10, 10, 11, 11], vec![64; 2]]]);
    axes.enumerate().flat_map(|(index, axes)| {
        [8, 10, 16].into_iter().enumerate().map(move |(kind, depth)| {
            let seed = 62_000 + 10 * index as u64 + kind as u64;
            let mut random = Random::new(seed);
            let pixel = Pixel::gray(depth);
            let border = random.border(pixel, Arithmetic::Integer);
            let op = op(&mut random, pixel, axes.clone(), border);
            let (width, height) = (random.range(1..=7), random.range(1..=5));
            random.finished(seed, Format::new(pixel, width, height, Rational::new(25, 1)), vec![op])
        })
    })
}
