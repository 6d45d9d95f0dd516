//! Contrast-adaptive sharpening (AMD's), as FFmpeg's `cas` does it.

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, border_and_finish};
use super::reach::Reach;
use crate::frame::{Format, Pixel, Sample};

/// A sample `e` and its neighbours `a b c / d e f / g h i`: the four beside it are subtracted, with a weight that is the
/// smaller the more contrast there is already.
///
/// - `m` is the smallest of `b d e f h`, `n` the smallest of that and `a c g i`, `low = m + n`; `high` is the same of the largest.
/// - `room` is the smaller of `low` and `limit − high`, at least 0; `limit` is twice the largest sample and 1 more, of float
///   samples 2.
/// - `q = room / high`, at least 0 and at most 1, and 0 if it is no number; `w = √q / divisor`.
/// - `v = ((b + d + f + h) · w + e) / (1 + 4 · w)`. Of integer samples what stands behind the point is cut off, and what is
///   left is clamped to the format. The result goes into the last step in place of a sum.
///
/// Samples above the format's largest count as the largest. Of integer samples all up to `room` and the sum of four is exact;
/// everything else is `f32`, each operation rounded, none fused, in the order written. Of float samples minima and maxima are
/// formed in the order of the letters, `min(x, y)` is `x` if `x < y` else `y`, `max` alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Cas {
    /// By which the square root is divided to give a weight; below −4.
    pub divisor: f32,
    /// Outside the plane; for integer samples a constant is one that a sample can have.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

impl Cas {
    /// The divisor of the least and of the most sharpening.
    const ENDS: [f32; 2] = [16.0, 4.01];

    /// The divisor for a strength from 0 to 1.
    pub fn divisor(strength: f32) -> f32 {
        let [least, most] = Self::ENDS;
        -(least + (most - least) * strength)
    }

    /// What the largest sums may reach.
    pub fn limit(pixel: Pixel) -> f32 {
        match pixel.sample {
            Sample::F32 => 2.0,
            Sample::U8 | Sample::U16 => 2.0 * pixel.peak() + 1.0,
        }
    }
}

impl Operation for Cas {
    fn kind(&self) -> &'static str {
        "cas"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        let Self { divisor, border, .. } = self;
        ensure!((-65536.0..-4.0).contains(divisor), "the divisor {divisor} is not from -65536 to below -4");
        if format.pixel.sample == Sample::F32 { Ok(()) } else { border.check(format.pixel.peak()) }
    }

    /// Minima and maxima of nine, and a dozen operations on real numbers, of which two are quotients and one is a root.
    fn least(&self, sample: Sample, samples: u64) -> Operations {
        let compared = 16 * samples;
        let real = 12 * samples;
        match sample {
            Sample::F32 => Operations { real: real + compared, ..Operations::NONE },
            Sample::U8 | Sample::U16 => Operations { real, dot16: compared, ..Operations::NONE },
        }
    }

    fn reach(&self) -> Reach {
        Reach::of([1, 3, 3], [0, 1, 1])
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Real)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        "3x3".to_owned()
    }

    fn taps(&self) -> usize {
        9
    }

    fn operations(&self, samples: u64) -> u64 {
        28 * samples
    }
}
