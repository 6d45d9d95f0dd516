//! The operations that a pass cannot do without, by the kind of numbers that they are done in, and how long a machine
//! takes for them at the least.

use serde::{Deserialize, Serialize};

use crate::frame::Sample;
use crate::pass::{Arithmetic, Blend, Dense, Op, Pointwise, Separable, Taps};

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

/// How fast a machine can be at best; whoever asks has measured it. Operations are in 10⁹ a second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Roofline {
    /// Bytes that memory reads and writes in a second, both counted, in GB/s (10⁹).
    pub memory_gb_s: f64,
    /// The rate of [`Operations::dot8`].
    pub dot8_gop_s: f64,
    /// The rate of [`Operations::dot16`].
    pub dot16_gop_s: f64,
    /// The rate of [`Operations::word`].
    pub word_gop_s: f64,
    /// The rate of [`Operations::real`].
    pub real_gop_s: f64,
}

impl Operations {
    /// What no implementation of an op can leave out for a plane of so many samples: a box in whole numbers is a
    /// running sum, whatever its size; ranks and points look at each sample, and more depends on the method.
    /// The same of what is done to each finished sample.
    pub fn least(op: &Op, after: Option<&Pointwise>, sample: Sample, samples: usize) -> Self {
        let samples = samples as u64;
        let nothing = Self::default();
        let all = match op {
            Op::Copy => nothing,
            Op::Pointwise(_) | Op::Rank(_) => Self { dot16: samples, ..nothing },
            Op::Dense(op) => dense(op, sample).times(samples),
            Op::Separable(op) => separable(op, sample).times(samples),
            // Weights of 0 and 1 take a sample as it is.
            Op::Blend(Blend::Inside { weight: 1.0, .. }) => nothing,
            // A difference, a product and a sum.
            Op::Blend(Blend::Inside { columns, rows, .. }) => {
                Self { real: 3 * (columns.len() * rows.len()) as u64, ..nothing }
            }
            Op::Blend(Blend::Even(_) | Blend::Each { .. }) | Op::Gain(_) => Self { real: 3 * samples, ..nothing },
        };
        let after = Self { dot16: if after.is_some() { samples } else { 0 }, ..nothing };
        [all, after].into_iter().sum()
    }

    fn times(self, count: u64) -> Self {
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

impl Roofline {
    /// The least milliseconds for moving so many bytes.
    pub fn memory_ms(&self, bytes: u64) -> f64 {
        ms(bytes, self.memory_gb_s)
    }

    /// The least milliseconds for operations, those of all kinds after each other.
    pub fn arithmetic_ms(&self, operations: &Operations) -> f64 {
        let Operations { dot8, dot16, word, real } = *operations;
        ms(dot8, self.dot8_gop_s) + ms(dot16, self.dot16_gop_s) + ms(word, self.word_gop_s) + ms(real, self.real_gop_s)
    }
}

/// Milliseconds at 10⁹ a second; nothing takes no time at any rate.
fn ms(count: u64, giga_s: f64) -> f64 {
    if count == 0 { 0.0 } else { count as f64 / (giga_s * 1e6) }
}

/// Whether samples and taps are bytes, as dot products of four take them.
fn is_bytes(sample: Sample, taps: &[f32]) -> bool {
    sample == Sample::U8 && taps.iter().all(|tap| (-128.0..=127.0).contains(tap))
}

/// For one sample.
fn dense(op: &Dense, sample: Sample) -> Operations {
    let taps: u64 = op.kernels.iter().map(|kernel| kernel.weights.len() as u64).sum();
    let nothing = Operations::default();
    match op.arithmetic {
        Arithmetic::Real => Operations { real: 2 * taps, ..nothing },
        Arithmetic::Integer if op.kernels.iter().all(|kernel| is_bytes(sample, &kernel.weights)) => {
            Operations { dot8: 2 * taps, ..nothing }
        }
        Arithmetic::Integer => Operations { dot16: 2 * taps, ..nothing },
    }
}

/// For one sample. A box in whole numbers needs one addition and one subtraction along each axis. The first axis that
/// is met has bytes before it; what stands between the others is wider.
fn separable(op: &Separable, sample: Sample) -> Operations {
    let mut operations = Operations::default();
    let mut is_first = true;
    for taps in [&op.t, &op.x, &op.y].into_iter().filter(|taps| taps.weights.len() > 1) {
        let all = 2 * taps.weights.len() as u64;
        match op.arithmetic {
            Arithmetic::Real => operations.real += all,
            Arithmetic::Integer if is_box(taps) => operations.dot16 += 2,
            Arithmetic::Integer if is_first && is_bytes(sample, &taps.weights) => operations.dot8 += all,
            Arithmetic::Integer => operations.dot16 += all,
        }
        is_first = false;
    }
    operations
}

fn is_box(taps: &Taps) -> bool {
    taps.weights.iter().all(|tap| *tap == taps.weights[0])
}
