//! Steps of smooth areas made smooth: four samples around each, at places from a table.

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Level, Sample, Simd, WithSimd, quiet};
use super::walk::{Band, Banded, JointBand, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::Plane;
use crate::pass::{Border, Deband};

/// Samples of a row of which places are looked for at once.
const CHUNK: usize = 64;

/// Marks a place that the border's constant stands for.
const OUTSIDE: u32 = u32::MAX;

/// Samples that are compared and averaged.
pub trait Debandable: Sample {
    /// The mean of four, and whether a sample becomes that.
    fn judged(own: Self, around: [Self; 4], threshold: f32, blurs: bool) -> (Self, bool);
    /// As frames hold it.
    fn stored(self) -> Self;
}

macro_rules! whole {
    ($($T:ident)*) => {$(
        impl Debandable for $T {
            #[inline(always)]
            fn judged(own: $T, around: [$T; 4], threshold: f32, blurs: bool) -> ($T, bool) {
                let (own, around, threshold) = (i32::from(own), around.map(i32::from), threshold as i32);
                let [a, b, c, d] = around;
                let mean = (a + b + c + d) >> 2;
                let is_like = |other: i32| (own - other).abs() < threshold;
                // All four are compared: what they are is not foreseen.
                let all = is_like(a) & is_like(b) & is_like(c) & is_like(d);
                (mean as $T, if blurs { is_like(mean) } else { all })
            }

            #[inline(always)]
            fn stored(self) -> $T {
                self
            }
        }
    )*};
}
whole!(u8 u16);

impl Debandable for f32 {
    #[inline(always)]
    fn judged(own: f32, around: [f32; 4], threshold: f32, blurs: bool) -> (f32, bool) {
        let [a, b, c, d] = around;
        let mean = (((a + b) + c) + d) * 0.25;
        let is_like = |other: f32| (own - other).abs() < threshold;
        let all = is_like(a) & is_like(b) & is_like(c) & is_like(d);
        (mean, if blurs { is_like(mean) } else { all })
    }

    #[inline(always)]
    fn stored(self) -> f32 {
        quiet(self)
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
    /// What stands for columns and rows, from the farthest outside on.
    columns: Vec<u32>,
    rows: Vec<u32>,
    level: Level,
    band_rows: usize,
}

/// The four samples around one, read without a look at the edges.
#[derive(Clone, Copy)]
struct Inside<'a, T> {
    plane: Plane<'a, T>,
    y: usize,
}

impl<T: Debandable> Inside<'_, T> {
    #[inline(always)]
    fn around(&self, x: usize, [dx, dy]: [i16; 2]) -> (T, [T; 4]) {
        let (samples, stride) = (self.plane.samples(), self.plane.stride());
        let at = self.y * stride + x;
        let (dx, down) = (isize::from(dx), isize::from(dy) * stride as isize);
        let read = |away: isize| samples[at.wrapping_add_signed(away)];
        (samples[at], [read(down + dx), read(dx - down), read(-down - dx), read(down - dx)])
    }
}

impl<T: Debandable> Debanded<T> {
    fn new(op: &Deband, setting: &Setting) -> Self {
        let range = op.range();
        let ([down, across], (width, height)) = (range, setting.size());
        Self {
            op: op.clone(),
            constant: T::of(op.border.constant()),
            range,
            alike: (0..setting.pixel().planes())
                .filter(|&plane| setting.format.plane_size(plane) == (width, height))
                .collect(),
            columns: stand_ins(op.border, width, across),
            rows: stand_ins(op.border, height, down),
            level: setting.level,
            band_rows: setting.band_rows(),
        }
    }

    /// The same near the edges.
    #[inline(always)]
    fn near_edges(&self, window: &PlaneWindow<T>, x: usize, y: usize, [dx, dy]: [i16; 2]) -> (T, [T; 4]) {
        let [down, across] = self.range;
        let read = |dx: isize, dy: isize| {
            let column = self.columns[(x + across).wrapping_add_signed(dx)];
            match self.rows[(y + down).wrapping_add_signed(dy)] {
                row if row == OUTSIDE || column == OUTSIDE => self.constant,
                row => window.centre(row as usize)[column as usize],
            }
        };
        let (dx, dy) = (isize::from(dx), isize::from(dy));
        (window.centre(y)[x], [read(dx, dy), read(dx, -dy), read(-dx, -dy), read(-dx, dy)])
    }

    /// Looks for the places of samples of row `y` from column `x` on.
    #[inline(always)]
    fn places(&self, x: usize, y: usize) -> [[i16; 2]; CHUNK] {
        let places = &*self.op.places;
        let last = places.len() - 1;
        let mut indices = [0u32; CHUNK];
        for (k, index) in indices.iter_mut().enumerate() {
            *index = Deband::hash((x + k) as u32, y as u32) >> 16;
        }
        indices.map(|index| places[index as usize & last])
    }

    /// The columns, of a row of which no four samples lie outside, whose four do not either.
    fn middle(&self, y: usize) -> std::ops::Range<usize> {
        let [down, across] = self.range;
        let (width, height) = (self.columns.len() - 2 * across, self.rows.len() - 2 * down);
        let is_inside = y >= down && y + down < height;
        if is_inside { across..width.saturating_sub(across).max(across) } else { 0..0 }
    }

    /// Calls `make` for the samples of a row, with where each is, and of each plane the sample and the four around it.
    #[inline(always)]
    fn row<const N: usize>(
        &self,
        windows: [&PlaneWindow<T>; N],
        y: usize,
        width: usize,
        mut make: impl FnMut(usize, [(T, [T; 4]); N]),
    ) {
        let middle = self.middle(y);
        let inside = windows.map(|window| window.planes[window.planes.len() / 2].map(|plane| Inside { plane, y }));
        let inside = all(inside);
        for x in (0..width).step_by(CHUNK) {
            let count = CHUNK.min(width - x);
            let places = &self.places(x, y)[..count];
            match inside.filter(|_| middle.start <= x && x + count <= middle.end) {
                Some(inside) => {
                    for (k, place) in places.iter().enumerate() {
                        make(x + k, inside.map(|inside| inside.around(x + k, *place)));
                    }
                }
                None => {
                    for (k, place) in places.iter().enumerate() {
                        make(x + k, windows.map(|window| self.near_edges(window, x + k, y, *place)));
                    }
                }
            }
        }
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
            let width = windows[0].centre(first + row).len();
            self.row(windows, first + row, width, |x, around| {
                let mut made = around.map(|(own, _)| own);
                let mut means = made;
                let mut agree = true;
                for (n, (own, four)) in around.into_iter().enumerate() {
                    let (mean, goes) = T::judged(own, four, thresholds[n], self.op.blurs);
                    means[n] = mean;
                    agree &= goes;
                }
                if agree {
                    made = means;
                }
                for (plane, out) in outs.iter_mut() {
                    if let Some(n) = alike.iter().position(|other| other == plane) {
                        out.row_mut(row)[x] = made[n].stored();
                    }
                }
            });
        }
    }
}

/// All of them, if there are all.
fn all<A: Copy, const N: usize>(some: [Option<A>; N]) -> Option<[A; N]> {
    let first = some.first().copied().flatten()?;
    let mut all = [first; N];
    for (to, from) in all.iter_mut().zip(some) {
        *to = from?;
    }
    Some(all)
}

/// What stands for each place along an axis, from `reach` before it on.
fn stand_ins(border: Border, length: usize, reach: usize) -> Vec<u32> {
    let places = -(reach as isize)..(length + reach) as isize;
    places.map(|place| border.index(place, length).map_or(OUTSIDE, |place| place as u32)).collect()
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
        let (threshold, blurs) = (self.op.thresholds[0], self.op.blurs);
        for row in 0..out.height {
            if !scratch.goes_on() {
                return;
            }
            let to = out.row_mut(row);
            let width = to.len();
            self.row([window], first + row, width, |x, [(own, four)]| {
                let (mean, goes) = T::judged(own, four, threshold, blurs);
                to[x] = if goes { mean } else { own }.stored();
            });
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
