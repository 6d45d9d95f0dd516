//! Which instructions form the sums of an op so that they are exact, and its taps as those instructions read them.

use crate::frame::{Pixel, Sample};
use crate::pass::{Arithmetic, Border};

/// How products are formed and summed; the types of the same names in `kernels/common.cuh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProductEngine {
    Float,
    Int { small: bool },
    Dot4 { small: bool },
    Dot2 { small: bool },
}

impl ProductEngine {
    /// The fastest that gives the exact sums that the arithmetic asks for. `taps` are the taps it multiplies with, and
    /// `bound` is the largest magnitude of any sum.
    pub(super) fn new(arithmetic: Arithmetic, pixel: Pixel, border: Border, taps: &[f32], bound: f64) -> Self {
        if arithmetic == Arithmetic::Real {
            return Self::Float;
        }
        let constant = border.constant();
        let whole = constant.fract() == 0.0;
        let small = bound < f64::from(1 << 22);
        let bytes = taps.iter().all(|tap| (-128.0..=127.0).contains(tap));
        if bytes && whole && (0.0..=pixel.peak()).contains(&constant) {
            match pixel.sample {
                Sample::U8 => return Self::Dot4 { small },
                Sample::U16 => return Self::Dot2 { small },
                Sample::F32 => {}
            }
        }
        Self::cells(whole, bound)
    }

    /// An engine over single samples.
    pub(super) fn cells(whole: bool, bound: f64) -> Self {
        // Sums of whole numbers below 2²⁴ are exact in floats, whose multiply-adds are the faster ones.
        if whole && bound < f64::from(1 << 24) { Self::Float } else { Self::Int { small: bound < f64::from(1 << 22) } }
    }

    /// Samples in 4 bytes of a tile, a word.
    pub(super) fn samples_per_word(self) -> usize {
        match self {
            Self::Float | Self::Int { .. } => 1,
            Self::Dot4 { .. } => 4,
            Self::Dot2 { .. } => 2,
        }
    }

    /// Samples in 16 bytes of a tile.
    pub(super) fn step(self) -> usize {
        4 * self.samples_per_word()
    }

    pub(super) fn text(self) -> String {
        match self {
            Self::Float => "Float".to_owned(),
            Self::Int { small } => format!("Int<{small}>"),
            Self::Dot4 { small } => format!("Dot4<{small}>"),
            Self::Dot2 { small } => format!("Dot2<{small}>"),
        }
    }

    /// A tap as this engine reads it.
    pub(super) fn word(self, tap: f32) -> u32 {
        if self == Self::Float { tap.to_bits() } else { tap as i32 as u32 }
    }

    /// The taps of one row as a thread's four sums meet them, where the row starts `pad` samples after the words that
    /// the thread reads: `[word][sum]`, packed. With one sample to a word, the taps themselves.
    pub(super) fn row(self, taps: &[f32], pad: usize) -> Vec<u32> {
        let samples = self.samples_per_word();
        if samples == 1 {
            return taps.iter().map(|&tap| self.word(tap)).collect();
        }
        let words = (pad + taps.len() + 3).div_ceil(4) * 4 / samples;
        let mut row = Vec::with_capacity(4 * words);
        for word in 0..words {
            for sum in 0..4 {
                row.push((0..samples).fold(0, |packed, sample| {
                    let tap = (word * samples + sample).checked_sub(pad + sum).and_then(|index| taps.get(index));
                    packed | (tap.map_or(0, |&tap| tap as i32 as u8 as u32) << (8 * sample))
                }));
            }
        }
        row
    }
}
