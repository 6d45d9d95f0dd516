//! Samples of another depth, type or range: what a plane needs, and in which order that and another size go.

use crate::filter::change::Change;
use crate::frame::{Colour, Format, Pixel, Range, Sample};
use crate::pass::{BayerMatrix, Dither, Op, Requantize};

/// Ways of rounding to fewer bits.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Dithering {
    None,
    Ordered,
    Random,
    ErrorDiffusion,
}

impl Dithering {
    /// The dithering of a plane.
    fn of(self, pixel: Pixel, plane: usize) -> Dither {
        match self {
            Self::None => Dither::None,
            Self::Ordered => Dither::Ordered(matrix(pixel, plane)),
            Self::Random => Dither::Random(plane as u32),
            Self::ErrorDiffusion => Dither::Diffused,
        }
    }
}

/// Matrix coefficients of YCgCo, whose chroma has the range of luma where it is limited.
const YCGCO: u8 = 8;

/// What the samples of a plane mean: that of 0 on a scale from 0 to 1 (of chroma, of 0.5), and of 1.
struct CodeValues {
    offset: f64,
    range: f64,
}

impl CodeValues {
    /// As zimg's `integer_offset` and `integer_range`; float chroma is 0.5 higher here.
    fn of(format: &Format, plane: usize) -> Self {
        let pixel = format.pixel;
        let is_chroma = pixel.is_chroma(plane);
        if pixel.sample == Sample::F32 {
            return Self { offset: if is_chroma { 0.5 } else { 0.0 }, range: 1.0 };
        }
        let unit = f64::from(1u32 << (pixel.depth - 8));
        let is_full = is_full(format, plane);
        let offset = if is_chroma {
            128.0
        } else if is_full {
            0.0
        } else {
            16.0
        };
        let range = match is_full {
            true => f64::from(pixel.peak()),
            false if is_chroma && format.colour.matrix != YCGCO => 224.0 * unit,
            false => 219.0 * unit,
        };
        Self { offset: offset * unit, range }
    }
}

/// Opacity is always of full range.
fn is_full(format: &Format, plane: usize) -> bool {
    format.range() == Range::Full || format.pixel.is_alpha(plane)
}

/// True if samples of both mean the same.
pub(super) fn is_same(from: &Format, to: &Format) -> bool {
    let (a, b) = (from.pixel, to.pixel);
    (a.sample, a.depth) == (b.sample, b.depth) && (a.sample == Sample::F32 || from.range() == to.range())
}

/// The matrix of a plane, which zimg counts Y, U, V or red, green, blue, and opacity last.
fn matrix(pixel: Pixel, plane: usize) -> BayerMatrix {
    const ORDER: [BayerMatrix; 3] = [BayerMatrix::Plain, BayerMatrix::Mirrored, BayerMatrix::Flipped];
    match pixel.family {
        _ if pixel.is_alpha(plane) => BayerMatrix::Transposed,
        crate::frame::Family::Rgb => ORDER[(plane + 1) % 3],
        _ => ORDER[plane % 3],
    }
}

/// What turns the samples of a plane into those of another format.
fn converted(from: &Format, to: &Format, plane: usize, dithering: Dithering) -> Op {
    let (a, b) = (from.pixel, to.pixel);
    let is_float = |pixel: Pixel| pixel.sample == Sample::F32;
    let is_limited = !is_float(a) && !is_float(b) && ![from, to].into_iter().any(|format| is_full(format, plane));
    let is_ranged = is_float(a) || is_full(from, plane) == is_full(to, plane);
    if (a.sample, a.depth) == (b.sample, b.depth) && is_ranged {
        return Op::Copy;
    }
    let (old, new) = (CodeValues::of(from, plane), CodeValues::of(to, plane));
    let scale = (new.range / old.range) as f32;
    let offset = (-old.offset * new.range / old.range + new.offset) as f32;
    // Nothing is rounded where limited range gets more bits.
    let is_exact = is_limited && b.depth >= a.depth;
    let dither = if is_float(b) || is_exact { Dither::None } else { dithering.of(a, plane) };
    Op::Requantize(Requantize { from: a, to: b, scale, offset, dither })
}

/// The ranges of both, in words: `limited to full range`.
fn reason(from: &Format, to: &Format) -> String {
    let named = |format: &Format| format!("{:?}", format.range()).to_lowercase();
    let is_float = |format: &Format| format.pixel.sample == Sample::F32;
    match (is_float(from), is_float(to)) {
        (true, _) => format!("{} range", named(to)),
        (_, true) => format!("{} range", named(from)),
        _ if from.range() == to.range() => format!("{} range", named(to)),
        _ => format!("{} to {} range", named(from), named(to)),
    }
}

/// The change of the samples of a format into those of another of the same size.
fn requantized(from: &Format, to: &Format, dithering: Dithering) -> Change {
    let reason = reason(from, to);
    let op = |plane| match converted(from, to, plane, dithering) {
        Op::Copy => (Op::Copy, "same samples".to_owned()),
        op => (op, reason.clone()),
    };
    Change::to(to, op)
}

/// The same frames with the samples of another format.
fn with_samples(format: &Format, like: &Format) -> Format {
    let pixel = Pixel { sample: like.pixel.sample, depth: like.pixel.depth, ..format.pixel };
    Format { pixel, colour: Colour { range: like.colour.range, ..format.colour }, ..format.clone() }
}

/// The samples that a resize works on between two formats, as zimg chooses them: never 8 bits where others are at hand;
/// of two others those of which there are fewer. Between 8 bits of two ranges, 16 bits, or floats of full range.
fn between(from: &Format, to: &Format, plane: usize) -> Format {
    let count = |format: &Format| {
        let (width, height) = format.plane_size(plane);
        width * height
    };
    match (from.pixel.sample, to.pixel.sample) {
        (Sample::U8, Sample::U8) if from.range() == Range::Limited => {
            let pixel = Pixel { sample: Sample::U16, depth: 16, ..from.pixel };
            Format { pixel, ..from.clone() }
        }
        (Sample::U8, Sample::U8) => Format { pixel: from.pixel.float(), ..from.clone() },
        (Sample::U8, _) => with_samples(from, to),
        (_, Sample::U8) => from.clone(),
        _ if count(from) < count(to) => with_samples(from, to),
        _ => from.clone(),
    }
}

/// The change of frames of 8 bits into others of 8 bits by sums of 16 bits, which are what is dithered. Samples are 256 times as large
/// there, whatever their range.
fn dithered(from: &Format, to: &Format, dithering: Dithering, resize: impl Fn(&Format, &Format) -> Change) -> Change {
    let deep = |format: &Format| {
        let pixel = Pixel { sample: Sample::U16, depth: 16, ..format.pixel };
        Format { pixel, ..format.clone() }
    };
    let (work, large) = (deep(from), deep(to));
    let times = |from: &Format, to: &Format, scale: f32, dithering: Dithering| {
        let op = |plane| {
            let dither = dithering.of(from.pixel, plane);
            let op = Requantize { from: from.pixel, to: to.pixel, scale, offset: 0.0, dither };
            (Op::Requantize(op), "sums of 16 bits".to_owned())
        };
        Change::to(to, op)
    };
    let down = times(&large, to, 1.0 / 256.0, dithering);
    times(from, &work, 256.0, Dithering::None).before(Some(resize(&work, &large).before(Some(down))))
}

/// The changes, one after another, from one format to another that differs in samples and size: `resized` says how each
/// plane of frames of a format gets the size of another.
pub(super) fn route(
    from: &Format,
    to: &Format,
    dithering: Dithering,
    resized: impl Fn(&Format, &Format, usize) -> Op,
) -> Change {
    let planes = 0..to.pixel.planes();
    let sized = planes.clone().find(|&plane| resized(from, to, plane) != Op::Copy);
    let resize = |from: &Format, to: &Format| {
        let op = |plane| (resized(from, to, plane), "weights by phase".to_owned());
        Change::to(to, op)
    };
    if is_same(from, to) && sized.is_some() && from.pixel.sample == Sample::U8 && dithering != Dithering::None {
        return dithered(from, to, dithering, resize);
    }
    let Some(plane) = sized.filter(|_| !is_same(from, to)) else {
        return if is_same(from, to) { resize(from, to) } else { requantized(from, to, dithering) };
    };
    let work = between(from, to, plane);
    let large = with_samples(to, &work);
    let last = (!is_same(&large, to)).then(|| requantized(&large, to, dithering));
    let target = if last.is_some() { &large } else { to };
    let resize = resize(&work, target).before(last);
    if is_same(from, &work) { resize } else { requantized(from, &work, dithering).before(Some(resize)) }
}
