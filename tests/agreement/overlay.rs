//! Pictures and other clips over planes: every depth, with and without opacity of the frames, at every edge, and planes left out.

use std::ops::Range;
use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational, Sample, Turn};
use warpreel::pass::{ClipOpacity, Op, Overlay, OverlayBase, OverlayClip, OverlayMotion, OverlayPlace, OverlaySamples};

use super::{Case, Content, Random};

/// A clip over frames of a format, for any of their planes.
pub struct LaidClip(OverlayClip);

impl LaidClip {
    /// One that fits within them.
    pub fn new(random: &mut Random, format: &Format) -> Self {
        let pixel = format.pixel;
        let (width, rows) = (random.range(1..=format.width), random.range(1..=format.height));
        let most = if pixel.sample == Sample::F32 { 1.0 } else { pixel.peak() };
        let (height, opacity) = match random.below(3) {
            0 => (2 * rows.next_multiple_of(1 << pixel.log2_chroma_h), ClipOpacity::FromRow(0)),
            1 => (rows, ClipOpacity::Even(most)),
            _ if pixel.sample == Sample::F32 => (rows, ClipOpacity::Even(random.real(0.0, 1.0))),
            _ => (rows, ClipOpacity::Even(random.below(pixel.peak() as u64 + 1) as f32)),
        };
        let format = Arc::new(Format { width, height, ..format.clone() });
        Self(OverlayClip { format, opacity })
    }

    /// It somewhere over a plane.
    pub fn op(&self, random: &mut Random, format: &Format, plane: usize) -> Op {
        let mut clip = self.0.clone();
        let ((width, height), mut seen) = (format.plane_size(plane), clip.format.plane_size(plane));
        if let ClipOpacity::FromRow(first) = &mut clip.opacity {
            seen.1 /= 2;
            *first = seen.1;
        }
        // Rows that only fill a sample of chroma may lie below the frame.
        let rows = seen.1.min(height);
        let (left, top) = (random.range(0..=width - seen.0), random.range(0..=height - rows));
        let (columns, rows) = (left..left + seen.0, top..top + rows);
        let (motion, base) = (None, OverlayBase::of(format.pixel, plane));
        Op::Overlay(Overlay { columns, rows, motion, picture: OverlaySamples::Clip(clip), base })
    }

    /// It over a plane where frames have it.
    pub fn moving(&self, format: &Format, plane: usize) -> Op {
        let mut clip = self.0.clone();
        let mut size = clip.format.plane_size(plane);
        if let ClipOpacity::FromRow(first) = &mut clip.opacity {
            size.1 /= 2;
            *first = size.1;
        }
        let (motion, base) = (Some(OverlayMotion::of(format, plane)), OverlayBase::of(format.pixel, plane));
        let picture = OverlaySamples::Clip(clip);
        Op::Overlay(Overlay { columns: 0..size.0, rows: 0..size.1, motion, picture, base })
    }
}

/// An op of a still picture for a plane of a format.
pub fn op(random: &mut Random, format: &Format, plane: usize) -> Op {
    let (width, height) = format.plane_size(plane);
    let mut part = |end: usize| -> Range<usize> {
        let start = random.range(0..=end - 1);
        start..random.range(start + 1..=end)
    };
    let rectangle = (part(width), part(height));
    still(random, format, plane, rectangle, None)
}

/// An op of a still picture that lies where frames have it, which may be larger than the plane.
pub fn moving(random: &mut Random, format: &Format, plane: usize) -> Op {
    let (width, height) = format.plane_size(plane);
    let rectangle = (0..random.range(1..=width + 5), 0..random.range(1..=height + 5));
    still(random, format, plane, rectangle, Some(OverlayMotion::of(format, plane)))
}

fn still(
    random: &mut Random,
    format: &Format,
    plane: usize,
    (columns, rows): (Range<usize>, Range<usize>),
    motion: Option<OverlayMotion>,
) -> Op {
    let pixel = format.pixel;
    let base = OverlayBase::of(pixel, plane);
    let places = columns.len() * rows.len();
    let shown = if base == OverlayBase::Opacity { 0 } else { places };
    let most = pixel.peak();
    let mut opacity = |peak: f32| match random.below(4) {
        0 => 0.0,
        1 => peak,
        _ => random.real(0.0, peak),
    };
    let opacity: Vec<f32> = (0..places).map(|_| opacity(most)).collect();
    let samples: Vec<f32> = (0..shown).map(|_| random.real(0.0, most)).collect();
    let whole = |numbers: Vec<f32>| numbers.iter().map(|number| *number as u16).collect();
    let picture = match pixel.sample {
        Sample::F32 => OverlaySamples::Real { samples: samples.into(), opacity: opacity.into() },
        _ => OverlaySamples::Whole { samples: whole(samples), opacity: whole(opacity) },
    };
    Op::Overlay(Overlay { columns, rows, motion, picture, base })
}

/// A place from wholly outside on one side to wholly outside on the other, which frames with a picture as large as they are have.
fn place(random: &mut Random, format: &Format) -> OverlayPlace {
    let (width, height) = format.turn.size((format.width, format.height));
    let pixel = format.pixel;
    let grain = format.turn.size((1 << pixel.log2_chroma_w, 1 << pixel.log2_chroma_h));
    let mut from = |side: usize| match random.below(8) {
        0 => f64::NAN,
        1 => *random.one_of(&[-1e9, 1e9]),
        _ => f64::from(random.real(-(side as f32), side as f32)),
    };
    OverlayPlace::new((from(width), from(height)), grain)
}

pub fn cases() -> impl Iterator<Item = Case> {
    (0..560).map(|number| {
        let seed = 70_000 + number;
        let mut random = Random::new(seed);
        let layouts = [Pixel::rgb(8), Pixel::yuv420p(8), Pixel::yuv444p(8), Pixel::yuv422p(8), Pixel::gray(8)];
        let pixel = *random.one_of(&layouts);
        let depth = *random.one_of(&[8, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
        let pixel = Pixel::integer(pixel.family, pixel.log2_chroma_w, pixel.log2_chroma_h, depth);
        let pixel = if random.below(4) == 0 { pixel.float() } else { pixel };
        let pixel = if random.below(2) == 0 { pixel.with_alpha() } else { pixel };
        let most = *random.one_of(&[3, 40, 150, 260]);
        let mut format =
            Format::new(pixel, random.range(1..=most), random.range(1..=most.min(70)), Rational::new(25, 1));
        let moves = number >= 320;
        if moves && random.below(2) == 0 {
            let [transposed, mirrored, flipped] = [(); 3].map(|()| random.below(2) == 0);
            format.turn = Turn { transposed, mirrored, flipped };
        }
        let clip = (number >= 160 && (!moves || number % 2 == 0)).then(|| LaidClip::new(&mut random, &format));
        let ops = (0..pixel.planes()).map(|plane| match (random.below(5), &clip) {
            (0, _) => Op::Copy,
            (_, Some(clip)) if moves => clip.moving(&format, plane),
            (_, Some(clip)) => clip.op(&mut random, &format, plane),
            (_, None) if moves => moving(&mut random, &format, plane),
            (_, None) => op(&mut random, &format, plane),
        });
        let ops = ops.collect();
        let content = *random.one_of(&[Content::Noise, Content::Noise, Content::Checkers, Content::Wild]);
        let place = if moves { place(&mut random, &format) } else { OverlayPlace::default() };
        Case { content, place, ..random.finished(seed, format, ops) }
    })
}
