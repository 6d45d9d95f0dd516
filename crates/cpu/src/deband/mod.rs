//! Steps of smooth areas made smooth: four samples around each, at places from a table, gathered from a ring of rows ([`ring`]), or from
//! the plane where places are far away.

mod ring;

use anyhow::Result;

use self::ring::{ColumnRing, RingShape};
use super::border::Rows;
use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Sample, Simd, WithSimd, quiet};
use super::walk::{Band, Banded, JointBand, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::PlaneMut;
use crate::pass::Deband;

/// Samples of a row that are made at once. Loops in place of closures, which would not be compiled with the instructions of the level.
const CHUNK: usize = 64;

/// Samples that are compared and averaged.
pub trait Debandable: Sample {
    /// The mean of four.
    fn mean(around: [Self; 4]) -> Self;
    /// In each lane the sample whose place the lane holds, a count from 0 on; four bytes behind the last one are read too.
    fn at<S: Simd>(simd: S, samples: &[Self], places: S::I32) -> S::I32;
    /// Writes such samples.
    fn narrow<S: Simd>(simd: S, lanes: S::I32, to: &mut [Self]);
    /// Whether two are closer than the threshold.
    fn is_like(self, other: Self, threshold: f32) -> bool;
    /// The mean where it goes, as frames hold it, by masks: branches would depend on noise, and vectors have none.
    fn chosen(own: Self, mean: Self, goes: bool) -> Self;
}

macro_rules! whole {
    ($($T:ident: $narrow:ident;)*) => {$(
        impl Debandable for $T {
            #[inline(always)]
            fn mean([a, b, c, d]: [$T; 4]) -> $T {
                ((u32::from(a) + u32::from(b) + u32::from(c) + u32::from(d)) >> 2) as $T
            }

            #[inline(always)]
            fn at<S: Simd>(simd: S, samples: &[$T], places: S::I32) -> S::I32 {
                let places = if size_of::<$T>() == 2 { simd.add_i32(places, places) } else { places };
                simd.and_i32(simd.words(bytemuck::cast_slice(samples), places), simd.splat_i32($T::MAX.into()))
            }

            #[inline(always)]
            fn narrow<S: Simd>(simd: S, lanes: S::I32, to: &mut [$T]) {
                simd.$narrow(lanes, to);
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
whole!(u8: narrow_u8; u16: narrow_u16;);

impl Debandable for f32 {
    #[inline(always)]
    fn mean([a, b, c, d]: [f32; 4]) -> f32 {
        (((a + b) + c) + d) * 0.25
    }

    #[inline(always)]
    fn at<S: Simd>(simd: S, samples: &[f32], places: S::I32) -> S::I32 {
        let places = simd.add_i32(places, places);
        simd.words(bytemuck::cast_slice(samples), simd.add_i32(places, places))
    }

    #[inline(always)]
    fn narrow<S: Simd>(simd: S, lanes: S::I32, to: &mut [f32]) {
        simd.store_integers(lanes, to);
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
#[derive(Clone, Copy)]
struct FourAround<T> {
    own: [T; CHUNK],
    four: [[T; CHUNK]; 4],
}

impl<T: Debandable> FourAround<T> {
    #[inline(always)]
    fn none() -> Self {
        let zeros = [T::of(0.0); CHUNK];
        Self { own: zeros, four: [zeros; 4] }
    }

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
    /// Of rows around some columns, if no place is far away.
    shape: Option<RingShape>,
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
            shape: RingShape::new::<T>(op),
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
        let (mut around, width) = (FourAround::none(), self.size.0);
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

    /// The numbers of the places of samples of row `y` from column `x` on.
    #[inline(always)]
    fn numbers(&self, [x, y]: [usize; 2]) -> [u32; CHUNK] {
        let (mut numbers, last) = ([0; CHUNK], self.op.places.len() as u32 - 1);
        for (k, number) in numbers.iter_mut().enumerate() {
            *number = Deband::hash((x + k) as u32, y as u32) >> 16 & last;
        }
        numbers
    }

    /// The places.
    #[inline(always)]
    fn places(&self, at: [usize; 2]) -> [[i16; 2]; CHUNK] {
        let (table, mut places) = (&*self.op.places, [[0; 2]; CHUNK]);
        for (place, number) in places.iter_mut().zip(self.numbers(at)) {
            *place = table[number as usize];
        }
        places
    }
}

/// Planes that are changed together, or one, with what is made of them.
struct AlikePlanes<'a, 'b, T, const N: usize> {
    windows: [&'a PlaneWindow<'a, T>; N],
    thresholds: [f32; N],
    /// The first of the rows.
    first: usize,
    /// Which of them is made, and where its rows go.
    outs: &'a mut [(usize, PlaneMut<'b, T>)],
    scratch: &'a mut Scratch,
}

impl<T: Debandable, const N: usize> AlikePlanes<'_, '_, T, N> {
    /// Makes their rows, some columns after the others.
    #[inline(always)]
    fn make<S: Simd>(&mut self, simd: S, planes: &Debanded<T>) {
        let rows = self.outs.first().map_or(0, |(_, out)| out.height);
        if let Some(shape) = planes.shape {
            for x in (0..planes.size.0).step_by(CHUNK) {
                if !self.scratch.goes_on() {
                    return;
                }
                self.near(simd, planes, shape, x, rows);
            }
            return;
        }
        for row in 0..rows {
            if !self.scratch.goes_on() {
                return;
            }
            for x in (0..planes.size.0).step_by(CHUNK) {
                self.far(planes, x, row);
            }
        }
    }

    /// Makes rows of a chunk of columns, whose places lie in a ring of rows.
    #[inline(always)]
    fn near<S: Simd>(&mut self, simd: S, planes: &Debanded<T>, shape: RingShape, x: usize, rows: usize) {
        let (down, length) = (planes.range[0], shape.length());
        // Rows of the ring count from the topmost outside: those that the first row needs, and then one for each.
        let (begun, end) = (self.first + 2 * down + ring::LEAD, self.first + 2 * down + rows);
        for place in self.first..end + ring::LEAD {
            let samples = self.scratch.ring.elements::<T>(N * length);
            if place < end {
                for (window, samples) in self.windows.iter().zip(samples.chunks_exact_mut(length)) {
                    ColumnRing { shape, samples }.take(simd, planes, window, x, place);
                }
            }
            let Some(row) = place.checked_sub(begun) else { continue };
            let (y, mut around) = (self.first + row, [FourAround::none(); N]);
            let places = ring::places(simd, &planes.op, &planes.numbers([x, y]));
            for (around, samples) in around.iter_mut().zip(samples.chunks_exact_mut(length)) {
                *around = ColumnRing { shape, samples }.around(simd, y + down, &places);
            }
            put(planes, &around, &self.thresholds, [x, row], self.outs);
        }
    }

    /// Makes a chunk of a row whose places are anywhere.
    #[inline(always)]
    fn far(&mut self, planes: &Debanded<T>, x: usize, row: usize) {
        let at = [x, self.first + row];
        let (places, mut around) = (planes.places(at), [FourAround::none(); N]);
        for (around, window) in around.iter_mut().zip(self.windows) {
            *around = planes.around(window, at, &places);
        }
        put(planes, &around, &self.thresholds, [x, row], self.outs);
    }
}

/// Writes what samples become, of which these are around: a chunk, or as much of it as the row holds.
#[inline(always)]
fn put<T: Debandable, const N: usize>(
    planes: &Debanded<T>,
    around: &[FourAround<T>; N],
    thresholds: &[f32; N],
    [x, row]: [usize; 2],
    outs: &mut [(usize, PlaneMut<T>)],
) {
    let (mut means, mut goes) = ([[T::of(0.0); CHUNK]; N], [true; CHUNK]);
    for n in 0..N {
        around[n].judge(thresholds[n], planes.op.blurs, &mut means[n], &mut goes);
    }
    for (n, out) in outs {
        let (own, means, mut made) = (&around[*n].own, &means[*n], [T::of(0.0); CHUNK]);
        for k in 0..CHUNK {
            made[k] = T::chosen(own[k], means[k], goes[k]);
        }
        let to = &mut out.row_mut(row)[x..];
        let count = CHUNK.min(to.len());
        to[..count].copy_from_slice(&made[..count]);
    }
}

impl<T: Debandable> Banded<T> for Debanded<T> {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, out, scratch, .. } = band;
        let outs = &mut [(0, out)];
        AlikePlanes { windows: [window], thresholds: [self.op.thresholds[0]], first, outs, scratch }.make(simd, self);
    }

    fn joint(&self, band: JointBand<T>) {
        self.level.run(MakeCoupled { planes: self, band });
    }
}

struct MakeCoupled<'a, 'b, T> {
    planes: &'a Debanded<T>,
    band: JointBand<'a, 'b, T>,
}

impl<T: Debandable> MakeCoupled<'_, '_, T> {
    /// Makes rows of planes of one size, of which there are `N`.
    #[inline(always)]
    fn make<S: Simd, const N: usize>(self, simd: S) {
        let JointBand { windows, first, outs, scratch } = self.band;
        let Some(&alike) = self.planes.alike.first_chunk::<N>() else { return };
        for (plane, _) in outs.iter_mut() {
            *plane = alike.iter().position(|other| other == plane).unwrap_or(0);
        }
        let (windows, thresholds) =
            (alike.map(|plane| &windows[plane]), alike.map(|plane| self.planes.op.thresholds[plane]));
        AlikePlanes { windows, thresholds, first, outs, scratch }.make(simd, self.planes);
    }
}

impl<T: Debandable> WithSimd for MakeCoupled<'_, '_, T> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        match self.planes.alike.len() {
            1 => self.make::<S, 1>(simd),
            2 => self.make::<S, 2>(simd),
            3 => self.make::<S, 3>(simd),
            _ => self.make::<S, 4>(simd),
        }
    }
}

impl<T: Debandable> Staged<T> for Deband {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(Box::new(Debanded::<T>::new(self, setting)))
    }
}
