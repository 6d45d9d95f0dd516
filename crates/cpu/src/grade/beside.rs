//! Luma and chroma of the places of one row, as numbers: of subsampled planes those between samples.

use super::super::simd::Simd;
use super::super::window::PlaneWindow;
use super::shade::{Shaded, read};
use crate::frame::Format;
use crate::pass::ColourMatrix;

/// Where the samples of other planes lie beside those of a plane.
pub struct Beside {
    pub matrix: ColourMatrix,
    /// Luma pixels to a sample of chroma, across and down.
    finer: [usize; 2],
    /// Columns and rows of luma, and of chroma.
    luma: (usize, usize),
    chroma: (usize, usize),
    colours: usize,
    is_luma: bool,
}

/// A sample of chroma, and the part of the way to the next one, of a luma pixel along an axis.
struct ChromaPlace {
    first: isize,
    part: f32,
}

impl ChromaPlace {
    fn new(place: usize, siting: usize, finer: usize) -> Self {
        let (twice, span) = ((2 * place) as isize - siting as isize, 2 * finer as isize);
        Self { first: twice.div_euclid(span), part: twice.rem_euclid(span) as f32 / span as f32 }
    }

    /// The two samples, the edge repeated.
    fn ends(&self, count: usize) -> [usize; 2] {
        [self.first, self.first + 1].map(|place| place.clamp(0, count as isize - 1) as usize)
    }
}

/// Two numbers mixed.
#[inline(always)]
fn mix(a: f32, b: f32, part: f32) -> f32 {
    if part == 0.0 { a } else { a * (1.0 - part) + b * part }
}

/// Some of them.
#[inline(always)]
fn mixed<S: Simd>(simd: S, a: S::F32, b: S::F32, part: f32) -> S::F32 {
    if part == 0.0 {
        return a;
    }
    simd.add(simd.mul(a, simd.splat(1.0 - part)), simd.mul(b, simd.splat(part)))
}

/// Samples of a row as numbers, and 0 beyond.
#[inline(always)]
fn numbers<S: Simd, T: Shaded>(simd: S, row: &[T], to: &mut [f32]) {
    let (to, beyond) = to.split_at_mut(row.len());
    let (vectors, rest) = row.split_at(row.len() / S::LANES * S::LANES);
    let (places, last) = to.split_at_mut(vectors.len());
    for (to, from) in places.chunks_exact_mut(S::LANES).zip(vectors.chunks_exact(S::LANES)) {
        simd.store(read(simd, from), to);
    }
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = from.finite());
    beyond.fill(0.0);
}

/// Two rows mixed.
#[inline(always)]
fn between<S: Simd, T: Shaded>(simd: S, [upper, lower]: [&[T]; 2], part: f32, to: &mut [f32]) {
    let whole = to.len() / S::LANES * S::LANES;
    for k in (0..whole).step_by(S::LANES) {
        let (a, b) = (read(simd, &upper[k..]), read(simd, &lower[k..]));
        simd.store(mixed(simd, a, b, part), &mut to[k..]);
    }
    for ((to, a), b) in to[whole..].iter_mut().zip(&upper[whole..]).zip(&lower[whole..]) {
        *to = mix(a.finite(), b.finite(), part);
    }
}

/// The sum of the numbers at two places, 0 or 1, of each two samples.
#[inline(always)]
fn of_pairs<S: Simd, T: Shaded>(simd: S, from: &[T], places: [usize; 2]) -> S::F32 {
    let (a, b) = (read(simd, from), read(simd, &from[S::LANES..]));
    let (first, second) = (simd.evens(a, b), simd.odds(a, b));
    match places {
        [0, 0] => simd.add(first, first),
        [0, _] => simd.add(first, second),
        _ => simd.add(second, second),
    }
}

impl Beside {
    /// For a plane.
    pub fn new(matrix: ColourMatrix, format: &Format, plane: usize) -> Self {
        let pixel = format.pixel;
        let (across, down) = pixel.subsampling(1);
        Self {
            matrix,
            finer: [1 << across, 1 << down],
            luma: format.plane_size(0),
            chroma: format.plane_size(1),
            colours: pixel.planes() - usize::from(pixel.alpha),
            is_luma: plane == 0,
        }
    }

    /// Writes luma and chroma of row `y` into the first three lines, each `stride` long; what is beyond the width is anything
    /// finite. There is room for more than a fourth.
    #[inline(always)]
    pub fn rows<S: Simd, T: Shaded>(
        &self,
        simd: S,
        windows: &[PlaneWindow<T>],
        y: usize,
        stride: usize,
        lines: &mut [f32],
    ) {
        let (of_luma, rest) = lines.split_at_mut(stride);
        let (of_blue, rest) = rest.split_at_mut(stride);
        let (of_red, spare) = rest.split_at_mut(stride);
        if self.colours == 1 {
            numbers(simd, windows[0].centre(y), of_luma);
            [of_blue, of_red].into_iter().for_each(|to| to.fill(self.matrix.middle));
            return;
        }
        let is_whole = self.finer == [1, 1];
        if self.is_luma || is_whole {
            numbers(simd, windows[0].centre(y), of_luma);
        } else {
            self.luma_beside(simd, &windows[0], y, of_luma);
        }
        for (plane, to) in [(1, of_blue), (2, of_red)] {
            if self.is_luma && !is_whole {
                self.chroma_beside(simd, &windows[plane], y, to, spare);
            } else {
                numbers(simd, windows[plane].centre(y), to);
            }
        }
    }

    /// Luma at the samples of a row of chroma.
    #[inline(always)]
    fn luma_beside<S: Simd, T: Shaded>(&self, simd: S, window: &PlaneWindow<T>, y: usize, to: &mut [f32]) {
        let [across, down] = self.finer;
        let [x0, y0] = self.matrix.siting;
        let last = (self.luma.0 - 1, self.luma.1 - 1);
        let rows = [y0 / 2, y0.div_ceil(2)].map(|behind| window.centre((down * y + behind).min(last.1)));
        let (left, right) = (x0 / 2, x0.div_ceil(2));
        let mut made = 0;
        if across == 2 {
            while 2 * (made + S::LANES) <= self.luma.0 && made + S::LANES <= to.len() {
                let (upper, lower) = (&rows[0][2 * made..], &rows[1][2 * made..]);
                let sum = simd.add(of_pairs(simd, upper, [left, right]), of_pairs(simd, lower, [left, right]));
                simd.store(simd.mul(sum, simd.splat(0.25)), &mut to[made..]);
                made += S::LANES;
            }
        }
        to[self.chroma.0..].fill(0.0);
        for (i, to) in to[..self.chroma.0].iter_mut().enumerate().skip(made) {
            let [a, b] = [left, right].map(|behind| (across * i + behind).min(last.0));
            let [upper, lower] = rows.map(|row| row[a].finite() + row[b].finite());
            *to = (upper + lower) * 0.25;
        }
    }

    /// Chroma at the pixels of a row of luma.
    #[inline(always)]
    fn chroma_beside<S: Simd, T: Shaded>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        to: &mut [f32],
        line: &mut [f32],
    ) {
        let [across, down] = self.finer;
        let [x0, y0] = self.matrix.siting;
        let down = ChromaPlace::new(y, y0, down);
        let rows = down.ends(self.chroma.1).map(|row| window.centre(row));
        // The edge is repeated on either side.
        let count = self.chroma.0;
        between(simd, rows, down.part, &mut line[1..=count]);
        line[0] = line[1];
        let edge = line[count];
        line[count + 1..to.len() / across + 2].fill(edge);
        if across == 2 {
            let [first, second] = [0, 1].map(|phase| ChromaPlace::new(phase, x0, 2));
            let (from, next) = (&line[(first.first + 1) as usize..], &line[(second.first + 1) as usize..]);
            for (k, to) in to.chunks_exact_mut(2 * S::LANES).enumerate() {
                let (from, next) = (&from[k * S::LANES..], &next[k * S::LANES..]);
                let a = mixed(simd, simd.load(from), simd.load(&from[1..]), first.part);
                let b = mixed(simd, simd.load(next), simd.load(&next[1..]), second.part);
                simd.store(simd.turns_low(a, b), to);
                simd.store(simd.turns_high(a, b), &mut to[S::LANES..]);
            }
            return;
        }
        for phase in 0..across {
            let ChromaPlace { first, part } = ChromaPlace::new(phase, x0, across);
            // Behind the sample of the edge, and of the pixel before, which is the first below 0.
            let from = &line[(first + 1) as usize..];
            for (to, pair) in to[phase..].iter_mut().step_by(across).zip(from.windows(2)) {
                *to = mix(pair[0], pair[1], part);
            }
        }
    }
}
