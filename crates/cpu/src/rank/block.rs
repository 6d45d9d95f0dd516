//! Samples on their way into lines of keys, and blocks of keys on their way into rows.

use super::super::border::Columns;
use super::super::finish::{Finish, VECTORS};
use super::super::simd::Simd;
use super::key::Ordered;
use crate::frame::Pixel;
use crate::pass::{self, Rank};

/// The samples of a row, none above `most`, with those that stand for what lies outside it; the constant everywhere if
/// there is no row.
#[inline(always)]
pub fn convert<T: Ordered>(row: Option<&[T]>, columns: &Columns, constant: T::Key, most: u16, line: &mut [T::Key]) {
    let Some(samples) = row else { return line.fill(constant) };
    line[columns.left..].iter_mut().zip(samples).for_each(|(key, &sample)| *key = sample.key_within(most));
    columns.pad(line, constant);
}

/// The last step of samples that stand as they are.
#[derive(Clone, Copy)]
pub struct Last {
    finish: Finish,
    /// Whether it changes no integer up to `most`.
    pub plain: bool,
    /// What samples above the peak count as: the peak if nothing else would make it of them in the end.
    pub most: u16,
}

/// A block of a line from column `x` on, of a length that is known, so that what reads it checks no bounds.
#[inline(always)]
pub fn block<A>(line: &[A], x: usize) -> &[A; BLOCK] {
    line[x..].first_chunk().expect(ROOM)
}

/// The same to write.
#[inline(always)]
pub fn block_mut<A>(line: &mut [A], x: usize) -> &mut [A; BLOCK] {
    line[x..].first_chunk_mut().expect(ROOM)
}

/// Why there is a whole block.
const ROOM: &str = "lines have room for a last block that is not full";

/// Samples that go through the last step at once: a multiple of what any set of instructions takes.
pub const BLOCK: usize = 128;

impl Last {
    /// Of an op on samples of a format.
    pub fn new(op: &Rank, pixel: Pixel) -> Self {
        let plain = op.finish == pass::Finish::PLAIN && pixel.sample != crate::frame::Sample::F32;
        let most = if plain { pixel.peak() as u16 } else { u16::MAX };
        Self { finish: Finish::new(op.finish, pixel), plain, most }
    }

    /// Writes a block of a row from column `x` on, or as much of it as the row holds.
    #[inline(always)]
    pub fn put<S: Simd, T: Ordered>(&self, simd: S, keys: &[T::Key; BLOCK], centre: &[T], x: usize, row: &mut [T]) {
        if self.plain && x + BLOCK <= row.len() {
            let samples = row[x..x + BLOCK].iter_mut();
            return samples.zip(keys).for_each(|(sample, &key)| *sample = T::sample(key));
        }
        let mut samples = [T::zeroed(); BLOCK];
        samples.iter_mut().zip(keys).for_each(|(sample, &key)| *sample = T::sample(key));
        let count = BLOCK.min(row.len() - x);
        if self.plain {
            row[x..x + count].copy_from_slice(&samples[..count]);
            return;
        }
        let columns = VECTORS * S::LANES;
        for at in (0..count).step_by(columns) {
            let mut values = [simd.splat(0.0); VECTORS];
            for (n, value) in values.iter_mut().enumerate() {
                *value = T::read(simd, &samples[at + n * S::LANES..]);
            }
            self.finish.put(simd, values, centre, x + at, row);
        }
    }
}
