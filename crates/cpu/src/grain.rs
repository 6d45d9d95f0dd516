//! Film grain: rows of noise that are smoothed along x stay in a ring, and their sums along y are added to samples.

use anyhow::Result;

use super::finish::{Finish, VECTORS};
use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Sample, Simd};
use super::tail::Tail;
use super::walk::{Band, BandFilter, PlaneStage};
use crate::pass::{Deband, Grain};

/// A plane that grain is added to.
struct Grained {
    op: Grain,
    /// Taps of an axis.
    taps: Vec<i32>,
    finish: Finish,
}

impl Grained {
    /// A row of noise, smoothed along x.
    #[inline(always)]
    fn smooth_row(&self, key: u32, row: usize, cells: &mut [i32], to: &mut [i32]) {
        let count = to.len() + self.taps.len() - 1;
        for (x, cell) in cells[..count].iter_mut().enumerate() {
            let h = Deband::hash(Deband::hash(x as u32, row as u32) ^ key, 0);
            *cell = ((h & 255) + (h >> 8 & 255) + (h >> 16 & 255) + (h >> 24)) as i32 - 510;
        }
        to.fill(0);
        for (i, tap) in self.taps.iter().enumerate() {
            for (sum, cell) in to.iter_mut().zip(&cells[i..]) {
                *sum += tap * cell;
            }
        }
    }

    /// A vector of samples with their noise.
    #[inline(always)]
    fn grained<S: Simd>(&self, simd: S, own: S::F32, noise: S::F32) -> S::F32 {
        let Grain { black, scale, dark, bright, .. } = self.op;
        let p = simd.mul(simd.add(own, simd.splat(-black)), simd.splat(scale));
        let p = simd.smaller(simd.larger(p, simd.splat(0.0)), simd.splat(1.0));
        let low = simd.add(simd.splat(dark[0]), simd.mul(p, simd.splat(dark[1])));
        let high = simd.add(simd.splat(bright[0]), simd.mul(p, simd.splat(bright[1])));
        let weight = simd.where_below(p, simd.splat(0.5), low, high);
        simd.add(own, simd.mul(noise, weight))
    }
}

impl<T: Sample> BandFilter<T> for Grained {
    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let (side, columns) = (self.taps.len(), VECTORS * S::LANES);
        let width = out.width.next_multiple_of(columns);
        let key = self.op.frame_key(window.number);
        let mut made = first;
        for y in 0..out.height {
            if !scratch.goes_on() {
                return;
            }
            let Scratch { ring, spare, .. } = &mut *scratch;
            let ring: &mut [i32] = ring.elements(side * width);
            let (cells, sums) = spare.elements::<i32>(2 * width + side).split_at_mut(width + side);
            while made < first + y + side {
                self.smooth_row(key, made, cells, &mut ring[made % side * width..][..width]);
                made += 1;
            }
            let sums = &mut sums[..width];
            sums.fill(0);
            for (j, tap) in self.taps.iter().enumerate() {
                let line = &ring[(first + y + j) % side * width..][..width];
                for (sum, smooth) in sums.iter_mut().zip(line) {
                    *sum += tap * smooth;
                }
            }
            let noise: &mut [f32] = bytemuck::cast_slice_mut(&mut cells[..width]);
            for (noise, sum) in noise.iter_mut().zip(&*sums) {
                *noise = *sum as f32;
            }
            let (from, to) = (window.centre(first + y), out.row_mut(y));
            for x in (0..to.len()).step_by(columns) {
                let last: Tail<T>;
                let near = if x + columns <= from.len() {
                    &from[x..x + columns]
                } else {
                    last = Tail::of(&from[x..]);
                    &last.0[..columns]
                };
                let mut values = [simd.splat(0.0); VECTORS];
                for (n, value) in values.iter_mut().enumerate() {
                    let noise = <f32 as Sample>::read(simd, &noise[x + n * S::LANES..]);
                    *value = self.grained(simd, T::read(simd, &near[n * S::LANES..]), noise);
                }
                self.finish.put(simd, values, from, x, to);
            }
        }
    }
}

impl<T: Sample> Staged<T> for Grain {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let taps = (0..2 * self.size - 1).map(|i| Grain::tap(self.size, i)).collect();
        Ok(setting.bands(Grained { op: self.clone(), taps, finish: setting.finish(self.finish) }))
    }
}
