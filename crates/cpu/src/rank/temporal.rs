//! Ranks of samples through time alone: rows of all frames are read where they lie, and of 3, 5, 7 and 9 frames the
//! median is found in registers.

use bytemuck::Zeroable;

use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::tail::Tail;
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use super::around::first_frame;
use super::block::{BLOCK, Last};
use super::key::{Key, Ordered};
use super::network::{SIDE_BYTES, run};
use crate::backend::network::Network;
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// Boxes of one sample in each frame.
pub struct Temporal {
    frames: usize,
    is_median: bool,
    first_frame: usize,
    last: Last,
    select: Network,
}

impl Temporal {
    /// True for ops that this stage serves.
    pub fn fits(op: &Rank) -> bool {
        op.size[1..] == [1, 1]
    }

    pub fn new(op: &Rank, setting: &Setting) -> Self {
        Self {
            frames: op.size[0],
            is_median: op.rank == op.size[0] / 2,
            first_frame: first_frame(op, setting),
            last: Last::new(op, setting.pixel()),
            select: Network::select(op.size[0], 1, op.rank),
        }
    }

    /// A row of medians of `N` frames.
    #[inline(always)]
    fn medians<S: Simd, T: Ordered, const N: usize>(&self, simd: S, window: &PlaneWindow<T>, y: usize, out: &mut [T]) {
        let (width, vector) = (out.len(), T::Key::lanes(simd));
        let mut rows: [&[T]; N] = [&[]; N];
        for (t, row) in rows.iter_mut().enumerate() {
            *row = &window.row(self.first_frame + t, y)[..width];
        }
        for x in (0..width).step_by(BLOCK) {
            // Without a last step, keys go from the registers into the row.
            let direct = self.last.plain && x + BLOCK <= width;
            let mut keys = [T::Key::zeroed(); BLOCK];
            for at in (0..BLOCK.min(width - x)).step_by(vector) {
                let columns = x + at..x + at + vector;
                let mut values = [simd.splat_i32(0); N];
                for (value, row) in values.iter_mut().zip(rows) {
                    *value = match row.get(columns.clone()) {
                        Some(samples) => T::load(simd, samples, self.last.most),
                        None => T::load(simd, &Tail::<T>::of(&row[columns.start..]).0, self.last.most),
                    };
                }
                let median = median::<S, T::Key, N>(simd, values);
                if direct {
                    simd.store_integers(median, &mut out[columns]);
                } else {
                    T::Key::store(simd, median, &mut keys[at..]);
                }
            }
            if !direct {
                self.last.put(simd, &keys, window.centre(y), x, out);
            }
        }
    }

    /// A row of samples of the rank.
    #[inline(always)]
    fn ranks<S: Simd, T: Ordered>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        out: &mut [T],
        memory: &mut [T::Key],
    ) {
        let (width, most) = (out.len(), SIDE_BYTES / size_of::<T>());
        for x in (0..width).step_by(most) {
            let count = most.min(width - x);
            let side = count.next_multiple_of(BLOCK);
            for (t, register) in memory.chunks_exact_mut(side).enumerate().take(self.frames) {
                let samples = &window.row(self.first_frame + t, y)[x..x + count];
                register.iter_mut().zip(samples).for_each(|(key, &sample)| *key = sample.key_within(self.last.most));
            }
            run(&self.select.steps, memory, side);
            let keys = &memory[self.select.results[0] * side..][..side];
            for (n, keys) in keys.as_chunks::<BLOCK>().0.iter().enumerate() {
                self.last.put(simd, keys, window.centre(y), x + n * BLOCK, out);
            }
        }
    }
}

/// Sorts some of the values as far as the one in the middle needs it; what it does not need is never computed.
macro_rules! exchange {
    ($simd:ident, $values:ident: $($a:literal $b:literal,)*) => {$(
        let (a, b) = ($values[$a], $values[$b]);
        ($values[$a], $values[$b]) = (K::lower($simd, a, b), K::higher($simd, a, b));
    )*};
}

/// The medians of 3, 5, 7 or 9 vectors, by the shortest networks known.
#[inline(always)]
fn median<S: Simd, K: Key, const N: usize>(simd: S, mut values: [S::I32; N]) -> S::I32 {
    match N {
        3 => {
            exchange!(simd, values: 0 1, 1 2, 0 1,);
        }
        5 => {
            exchange!(simd, values: 0 1, 3 4, 0 3, 1 4, 1 2, 2 3, 1 2,);
        }
        7 => {
            exchange!(simd, values: 0 5, 0 3, 1 6, 2 4, 0 1, 3 5, 2 6, 2 3, 3 6, 4 5, 1 4, 1 3, 3 4,);
        }
        _ => {
            exchange!(simd, values: 1 2, 4 5, 7 8, 0 1, 3 4, 6 7, 1 2, 4 5, 7 8, 0 3, 5 8, 4 7, 3 6, 1 4, 2 5, 4 7,);
            exchange!(simd, values: 4 2, 6 4, 4 2,);
        }
    }
    values[N / 2]
}

impl<T: Ordered> LineFilter<T> for Temporal {
    type Line = T::Key;

    fn shape(&self) -> (usize, usize) {
        (0, 0)
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, _: &PlaneWindow<T>, _: Option<usize>, _: &mut [T::Key], _: &mut Buffer) {}

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        y: usize,
        _: &Lines<T::Key>,
        out: &mut PlaneMut<T>,
        spare: &mut Buffer,
    ) {
        for row in 0..out.height {
            let (y, out) = (y + row, out.row_mut(row));
            match (self.is_median, self.frames) {
                (true, 3) => self.medians::<S, T, 3>(simd, window, y, out),
                (true, 5) => self.medians::<S, T, 5>(simd, window, y, out),
                (true, 7) => self.medians::<S, T, 7>(simd, window, y, out),
                (true, 9) => self.medians::<S, T, 9>(simd, window, y, out),
                _ => self.ranks(simd, window, y, out, spare.elements(self.frames * SIDE_BYTES / size_of::<T>())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::simd::Portable;
    use super::*;

    fn check<const N: usize>() {
        // A network that sorts all zeros and ones sorts everything: a lane of bytes for each of them.
        let lanes = u8::lanes(Portable);
        for first in (0..1usize << N).step_by(lanes) {
            let values = std::array::from_fn(|bit| {
                let bytes: Vec<u8> = (first..first + lanes).map(|number| (number >> bit & 1) as u8).collect();
                Portable.load_integers(&bytes)
            });
            let mut found = vec![0u8; lanes];
            Portable.store_integers(median::<_, u8, N>(Portable, values), &mut found);
            for (lane, found) in found.into_iter().enumerate() {
                let number = (first + lane) & ((1 << N) - 1);
                assert_eq!(usize::from(found), usize::from(number.count_ones() as usize > N / 2), "{N}: {number:b}");
            }
        }
    }

    #[test]
    fn networks_find_the_medians_of_all_zeros_and_ones() {
        check::<3>();
        check::<5>();
        check::<7>();
        check::<9>();
    }
}
