//! Steps of smooth areas made smooth: four samples around each, at places from a table, gathered from a ring of rows ([`ring`]), or from
//! the plane where places are far away.

mod ring;
mod sample;

use anyhow::Result;

use self::ring::{BorderedSize, ColumnRing, RingShape};
use self::sample::{CHUNK, Debandable, FourAround};
use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Simd, WithSimd};
use super::walk::{Band, Banded, JointBand, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::PlaneMut;
use crate::pass::Deband;

/// A plane, or planes that are made together.
struct Debanded<T> {
    op: Deband,
    /// Of rows around some columns, if no place is far away.
    shape: Option<RingShape>,
    extent: BorderedSize<T>,
    /// All planes of its size.
    alike: Vec<usize>,
    level: Level,
    band_rows: usize,
}

impl<T: Debandable> Debanded<T> {
    fn new(op: &Deband, setting: &Setting) -> Self {
        let size = setting.size();
        Self {
            op: op.clone(),
            shape: RingShape::new::<T>(op),
            extent: BorderedSize::new(op, size),
            alike: (0..setting.pixel().planes()).filter(|&plane| setting.format.plane_size(plane) == size).collect(),
            level: setting.level,
            band_rows: setting.band_rows(),
        }
    }

    /// Samples of row `y` from column `x` on, and the four around each. Those of places behind the row are zeros.
    #[inline(always)]
    fn around(&self, window: &PlaneWindow<T>, [x, y]: [usize; 2], places: &[[i16; 2]; CHUNK]) -> FourAround<T> {
        let (mut around, width) = (FourAround::none(), self.extent.size.0);
        let count = CHUNK.min(width - x);
        around.own[..count].copy_from_slice(&window.centre(y)[x..x + count]);
        let [down, across] = self.extent.range;
        let is_inside = y >= down && y + down < self.extent.size.1;
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
        let [down, across] = self.extent.range;
        let column = self.extent.columns.source((x + across).wrapping_add_signed(dx));
        let row = self.extent.rows.source((y + down).wrapping_add_signed(dy));
        column.zip(row).map_or(self.extent.constant, |(column, row)| window.centre(row)[column])
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
            for x in (0..planes.extent.size.0).step_by(CHUNK) {
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
            for x in (0..planes.extent.size.0).step_by(CHUNK) {
                self.far(planes, x, row);
            }
        }
    }

    /// Makes rows of a chunk of columns, whose places lie in a ring of rows.
    #[inline(always)]
    fn near<S: Simd>(&mut self, simd: S, planes: &Debanded<T>, shape: RingShape, x: usize, rows: usize) {
        let (down, length) = (planes.extent.range[0], shape.length());
        // Rows of the ring count from the topmost outside: those that the first row needs, and then one for each.
        let (begun, end) = (self.first + 2 * down + ring::LEAD, self.first + 2 * down + rows);
        for place in self.first..end + ring::LEAD {
            let samples = self.scratch.ring.elements::<T>(N * length);
            if place < end {
                for (window, samples) in self.windows.iter().zip(samples.chunks_exact_mut(length)) {
                    ColumnRing { shape, samples }.take(simd, &planes.extent, window, x, place);
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
