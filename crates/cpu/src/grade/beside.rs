//! Luma and chroma of the places of one row, as numbers: of subsampled planes those between samples.

use super::super::window::PlaneWindow;
use super::shade::Shaded;
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
    pub fn rows<T: Shaded>(&self, windows: &[PlaneWindow<T>], y: usize, stride: usize, lines: &mut [f32]) {
        let (of_luma, rest) = lines.split_at_mut(stride);
        let (of_blue, rest) = rest.split_at_mut(stride);
        let (of_red, spare) = rest.split_at_mut(stride);
        let number = |sample: &T| sample.finite();
        let all = |row: &[T], to: &mut [f32]| {
            to.iter_mut().zip(row).for_each(|(to, sample)| *to = number(sample));
            to[row.len()..].fill(0.0);
        };
        if self.colours == 1 {
            all(windows[0].centre(y), of_luma);
            [of_blue, of_red].into_iter().for_each(|to| to.fill(self.matrix.middle));
            return;
        }
        let is_whole = self.finer == [1, 1];
        if self.is_luma || is_whole {
            all(windows[0].centre(y), of_luma);
        } else {
            self.luma_beside(&windows[0], y, of_luma);
        }
        for (plane, to) in [(1, of_blue), (2, of_red)] {
            if self.is_luma && !is_whole {
                self.chroma_beside(&windows[plane], y, to, spare);
            } else {
                all(windows[plane].centre(y), to);
            }
        }
    }

    /// Luma at the samples of a row of chroma.
    #[inline(always)]
    fn luma_beside<T: Shaded>(&self, window: &PlaneWindow<T>, y: usize, to: &mut [f32]) {
        let [across, down] = self.finer;
        let [x0, y0] = self.matrix.siting;
        let last = (self.luma.0 - 1, self.luma.1 - 1);
        let rows = [y0 / 2, y0.div_ceil(2)].map(|behind| window.centre((down * y + behind).min(last.1)));
        let (left, right) = (x0 / 2, x0.div_ceil(2));
        for (i, to) in to.iter_mut().enumerate() {
            let [a, b] = [left, right].map(|behind| (across * i + behind).min(last.0));
            let [upper, lower] = rows.map(|row| row[a].finite() + row[b].finite());
            *to = (upper + lower) * 0.25;
        }
    }

    /// Chroma at the pixels of a row of luma.
    #[inline(always)]
    fn chroma_beside<T: Shaded>(&self, window: &PlaneWindow<T>, y: usize, to: &mut [f32], line: &mut [f32]) {
        let [across, down] = self.finer;
        let [x0, y0] = self.matrix.siting;
        let between = ChromaPlace::new(y, y0, down);
        let [upper, lower] = between.ends(self.chroma.1).map(|row| window.centre(row));
        // The edge is repeated on either side.
        let count = self.chroma.0;
        let part = between.part;
        for ((to, upper), lower) in line[1..=count].iter_mut().zip(upper).zip(lower) {
            *to = mix(upper.finite(), lower.finite(), part);
        }
        line[0] = line[1];
        let edge = line[count];
        line[count + 1..].fill(edge);
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
