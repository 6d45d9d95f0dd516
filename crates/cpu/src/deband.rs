//! Steps of smooth areas made smooth: four samples around each, at places from a table.

use anyhow::Result;

use super::border::Rows;
use super::operation::{Setting, Staged};
use super::simd::{Level, Sample, Simd, WithSimd, quiet};
use super::walk::{Band, Banded, JointBand, PlaneStage};
use super::window::PlaneWindow;
use crate::pass::Deband;

/// Samples of a row that are made at once: those around them are gathered one by one, and compared by vectors. Loops in place of
/// closures, which would not be compiled with the instructions of the level.
const CHUNK: usize = 64;

/// Samples that are compared and averaged.
pub trait Debandable: Sample {
    /// The mean of four.
    fn mean(around: [Self; 4]) -> Self;
    /// Whether two are closer than the threshold.
    fn is_like(self, other: Self, threshold: f32) -> bool;
    /// The mean where it goes, as frames hold it, by masks: branches would depend on noise, and vectors have none.
    fn chosen(own: Self, mean: Self, goes: bool) -> Self;
}

macro_rules! whole {
    ($($T:ident)*) => {$(
        impl Debandable for $T {
            #[inline(always)]
            fn mean([a, b, c, d]: [$T; 4]) -> $T {
                ((u32::from(a) + u32::from(b) + u32::from(c) + u32::from(d)) >> 2) as $T
            }

            #[inline(always)]
            fn is_like(self, other: $T, threshold: f32) -> bool {
                u32::from(self.abs_diff(other)) < threshold as u32
            }

            #[inline(always)]
            fn chosen(own: $T, mean: $T, goes: bool) -> $T {
                own ^ ((own ^ mean) & $T::from(goes).wrapping_neg())
            }
        }
    )*};
}
whole!(u8 u16);

impl Debandable for f32 {
    #[inline(always)]
    fn mean([a, b, c, d]: [f32; 4]) -> f32 {
        (((a + b) + c) + d) * 0.25
    }

    #[inline(always)]
    fn is_like(self, other: f32, threshold: f32) -> bool {
        (self - other).abs() < threshold
    }

    #[inline(always)]
    fn chosen(own: f32, mean: f32, goes: bool) -> f32 {
        let (own, mean) = (own.to_bits(), mean.to_bits());
        quiet(f32::from_bits(own ^ ((own ^ mean) & u32::from(goes).wrapping_neg())))
    }
}

/// Samples of a plane, and the four around each.
struct FourAround<T> {
    own: [T; CHUNK],
    four: [[T; CHUNK]; 4],
}

impl<T: Debandable> FourAround<T> {
    /// Writes their means, and clears the marks of those that do not become that.
    #[inline(always)]
    fn judge(&self, threshold: f32, blurs: bool, means: &mut [T; CHUNK], goes: &mut [bool; CHUNK]) {
        let (own, [a, b, c, d]) = (&self.own, &self.four);
        for k in 0..CHUNK {
            means[k] = T::mean([a[k], b[k], c[k], d[k]]);
        }
        if blurs {
            for k in 0..CHUNK {
                goes[k] &= own[k].is_like(means[k], threshold);
            }
            return;
        }
        for k in 0..CHUNK {
            let both = own[k].is_like(a[k], threshold) & own[k].is_like(b[k], threshold);
            goes[k] &= both & own[k].is_like(c[k], threshold) & own[k].is_like(d[k], threshold);
        }
    }
}

/// A plane, or planes that are made together.
struct Debanded<T> {
    op: Deband,
    constant: T,
    /// How far places are away, down and across.
    range: [usize; 2],
    /// All planes of its size.
    alike: Vec<usize>,
    /// Width and height.
    size: (usize, usize),
    /// Columns and rows, also those outside.
    columns: Rows,
    rows: Rows,
    level: Level,
    band_rows: usize,
}

impl<T: Debandable> Debanded<T> {
    fn new(op: &Deband, setting: &Setting) -> Self {
        let range = op.range();
        let ([down, across], size) = (range, setting.size());
        Self {
            op: op.clone(),
            constant: T::of(op.border.constant()),
            range,
            alike: (0..setting.pixel().planes()).filter(|&plane| setting.format.plane_size(plane) == size).collect(),
            size,
            columns: Rows::new(op.border, size.0, across, across),
            rows: Rows::new(op.border, size.1, down, down),
            level: setting.level,
            band_rows: setting.band_rows(),
        }
    }

    /// Samples of row `y` from column `x` on, and the four around each. Those of places behind the row are zeros.
    #[inline(always)]
    fn around(&self, window: &PlaneWindow<T>, [x, y]: [usize; 2], places: &[[i16; 2]; CHUNK]) -> FourAround<T> {
        let (zeros, width) = ([T::of(0.0); CHUNK], self.size.0);
        let mut around = FourAround { own: zeros, four: [zeros; 4] };
        let count = CHUNK.min(width - x);
        around.own[..count].copy_from_slice(&window.centre(y)[x..x + count]);
        let [down, across] = self.range;
        let is_inside = y >= down && y + down < self.size.1;
        let [a, b, c, d] = &mut around.four;
        let (mut first, mut end) = (count, count);
        if let (true, Some(plane)) = (is_inside, &window.planes[window.planes.len() / 2]) {
            // Of these none is outside.
            first = across.saturating_sub(x).min(count);
            end = width.saturating_sub(across + x).clamp(first, count);
            let (samples, stride) = (plane.samples(), plane.stride() as isize);
            let row = y as isize * stride + x as isize;
            for k in first..end {
                let ([dx, dy], at) = (places[k], row + k as isize);
                let (dx, rows) = (dx as isize, dy as isize * stride);
                a[k] = samples[(at + rows + dx) as usize];
                b[k] = samples[(at - rows + dx) as usize];
                c[k] = samples[(at - rows - dx) as usize];
                d[k] = samples[(at + rows - dx) as usize];
            }
        }
        for k in (0..first).chain(end..count) {
            let [dx, dy] = places[k];
            let (dx, dy) = (dx as isize, dy as isize);
            a[k] = self.beyond(window, [x + k, y], [dx, dy]);
            b[k] = self.beyond(window, [x + k, y], [dx, -dy]);
            c[k] = self.beyond(window, [x + k, y], [-dx, -dy]);
            d[k] = self.beyond(window, [x + k, y], [-dx, dy]);
        }
        around
    }

    /// A sample that may lie outside.
    fn beyond(&self, window: &PlaneWindow<T>, [x, y]: [usize; 2], [dx, dy]: [isize; 2]) -> T {
        let [down, across] = self.range;
        let column = self.columns.source((x + across).wrapping_add_signed(dx));
        let row = self.rows.source((y + down).wrapping_add_signed(dy));
        column.zip(row).map_or(self.constant, |(column, row)| window.centre(row)[column])
    }

    /// The places of samples of row `y` from column `x` on.
    #[inline(always)]
    fn places(&self, [x, y]: [usize; 2]) -> [[i16; 2]; CHUNK] {
        let (table, last) = (&*self.op.places, self.op.places.len() as u32 - 1);
        let mut indices = [0u32; CHUNK];
        for (k, index) in indices.iter_mut().enumerate() {
            *index = Deband::hash((x + k) as u32, y as u32) >> 16 & last;
        }
        let mut places = [[0; 2]; CHUNK];
        for (place, index) in places.iter_mut().zip(indices) {
            *place = table[index as usize];
        }
        places
    }

    /// What samples of row `y` from column `x` on become, in planes that are changed together.
    #[inline(always)]
    fn made<const N: usize>(
        &self,
        windows: [&PlaneWindow<T>; N],
        thresholds: [f32; N],
        at: [usize; 2],
    ) -> [[T; CHUNK]; N] {
        let places = self.places(at);
        let mut made = [[T::of(0.0); CHUNK]; N];
        let (mut means, mut goes) = (made, [true; CHUNK]);
        for n in 0..N {
            let around = self.around(windows[n], at, &places);
            around.judge(thresholds[n], self.op.blurs, &mut means[n], &mut goes);
            made[n] = around.own;
        }
        for (made, means) in made.iter_mut().zip(&means) {
            for k in 0..CHUNK {
                made[k] = T::chosen(made[k], means[k], goes[k]);
            }
        }
        made
    }

    /// Makes rows of coupled planes, `N` of one size.
    #[inline(always)]
    fn coupled<const N: usize>(&self, band: JointBand<T>) {
        let JointBand { windows, first, outs, scratch } = band;
        let Some(&alike) = self.alike.first_chunk::<N>() else { return };
        let windows = alike.map(|plane| &windows[plane]);
        let thresholds = alike.map(|plane| self.op.thresholds[plane]);
        let rows = outs.first().map_or(0, |(_, out)| out.height);
        for row in 0..rows {
            if !scratch.goes_on() {
                return;
            }
            for x in (0..self.size.0).step_by(CHUNK) {
                let made = self.made(windows, thresholds, [x, first + row]);
                for (plane, out) in outs.iter_mut() {
                    let Some(n) = alike.iter().position(|other| other == plane) else { continue };
                    put(&made[n], x, out.row_mut(row));
                }
            }
        }
    }
}

/// Writes a chunk, or as much of it as the row holds.
#[inline(always)]
fn put<T: Copy>(made: &[T; CHUNK], x: usize, row: &mut [T]) {
    let count = CHUNK.min(row.len() - x);
    row[x..x + count].copy_from_slice(&made[..count]);
}

impl<T: Debandable> Banded<T> for Debanded<T> {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let threshold = self.op.thresholds[0];
        for row in 0..out.height {
            if !scratch.goes_on() {
                return;
            }
            let to = out.row_mut(row);
            for x in (0..to.len()).step_by(CHUNK) {
                let [made] = self.made([window], [threshold], [x, first + row]);
                put(&made, x, to);
            }
        }
    }

    fn joint(&self, band: JointBand<T>) {
        self.level.run(MakeCoupled { planes: self, band });
    }
}

struct MakeCoupled<'a, 'b, T> {
    planes: &'a Debanded<T>,
    band: JointBand<'a, 'b, T>,
}

impl<T: Debandable> WithSimd for MakeCoupled<'_, '_, T> {
    #[inline(always)]
    fn work<S: Simd>(self, _: S) {
        match self.planes.alike.len() {
            1 => self.planes.coupled::<1>(self.band),
            2 => self.planes.coupled::<2>(self.band),
            3 => self.planes.coupled::<3>(self.band),
            _ => self.planes.coupled::<4>(self.band),
        }
    }
}

impl<T: Debandable> Staged<T> for Deband {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(Box::new(Debanded::<T>::new(self, setting)))
    }
}
