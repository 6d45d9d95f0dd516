//! The operations that a pass cannot do without, by the kind of numbers that they are done in.

use serde::{Deserialize, Serialize};

/// Operations, a multiply-add counted as two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operations {
    /// Products of 8-bit samples and 8-bit taps, which machines sum four at a time.
    pub dot8: u64,
    /// What else can be done in whole numbers; the best that machines do exactly are 16-bit products, two at a time.
    pub dot16: u64,
    /// What a kernel does in 32-bit whole numbers, one at a time, though it need not.
    pub word: u64,
    /// In `f32`.
    pub real: u64,
}

impl Operations {
    /// None at all.
    pub const NONE: Self = Self { dot8: 0, dot16: 0, word: 0, real: 0 };

    /// So many times as many.
    pub fn times(self, count: u64) -> Self {
        let Self { dot8, dot16, word, real } = self;
        Self { dot8: dot8 * count, dot16: dot16 * count, word: word * count, real: real * count }
    }

    /// All kinds together.
    pub fn total(&self) -> u64 {
        self.dot8 + self.dot16 + self.word + self.real
    }
}

impl std::iter::Sum for Operations {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            dot8: a.dot8 + b.dot8,
            dot16: a.dot16 + b.dot16,
            word: a.word + b.word,
            real: a.real + b.real,
        })
    }
}
