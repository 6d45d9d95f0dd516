//! Sums over boxes, one after another: what comes near a Gaussian at a cost that does not depend on its width (Wells,
//! 1986).

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::operation::{Operation, border_and_finish};
use super::reach::Reach;
use crate::frame::{Format, Pixel, Sample};

/// Sums over boxes of some widths, first all along y, then all along x, in whole numbers.
///
/// - The plane goes on beyond its edges as the border says, as far as all boxes together reach.
/// - A box of `w` makes of numbers `v` the sums `v(i) + … + v(i + w − 1)`. Where the next box could make 2³⁰ or more
///   of them, each becomes `⌊(sum + 2^(shift − 1)) / 2^shift⌋`, with the least shift that keeps below: [`Boxes::steps`].
///   That leaves at least 17 bits, so that what it rounds off is a fraction of a step of 16-bit samples.
/// - All is exact in 32 bits, in any order. The last sum becomes `f32`, to nearest, ties to even, and goes into the last
///   step.
/// - The sample stands in the middle of what is summed: along each axis `Σ(w − 1)` is even.
#[derive(Clone, Debug, PartialEq)]
pub struct Boxes {
    /// Widths along y, in samples.
    pub y: Vec<usize>,
    /// Widths along x.
    pub x: Vec<usize>,
    /// Outside the plane; a constant is one that a sample can have.
    pub border: Border,
    /// The last step; its scale also makes a mean of the sum.
    pub finish: Finish,
}

/// One box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxStep {
    /// Of the box, in samples.
    pub width: usize,
    /// By how many bits its sums are shifted down, rounded.
    pub shift: u32,
}

impl BoxStep {
    /// A sum, rounded.
    pub fn rounded(&self, sum: u32) -> u32 {
        sum.wrapping_add(self.half()) >> self.shift
    }

    /// What is added before the shift.
    pub fn half(&self) -> u32 {
        (1 << self.shift) >> 1
    }
}

/// All boxes in order, and what becomes of a sample that all of them meet.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxSteps {
    /// Along y.
    pub y: Vec<BoxStep>,
    /// Along x.
    pub x: Vec<BoxStep>,
    /// The largest last sum.
    pub most: u32,
    /// What a constant sample of 1 becomes but for rounding: the last sums times `1 / gain` are means.
    pub gain: f64,
}

impl BoxSteps {
    /// What a constant becomes along y.
    pub fn constant(&self, sample: u32) -> u32 {
        self.y.iter().fold(sample, |value, step| step.rounded(value * step.width as u32))
    }
}

impl Boxes {
    /// The widest box, in samples.
    pub const MAX_WIDTH: usize = 8192;
    /// How far all boxes along an axis reach together, in samples: `Σ(w − 1)`.
    pub const MAX_REACH: usize = 10_000;

    /// The boxes with their shifts, for samples of some depth. Boxes of 1 are left out.
    pub fn steps(&self, pixel: Pixel) -> BoxSteps {
        let widths: Vec<usize> = self.y.iter().chain(&self.x).copied().filter(|width| *width > 1).collect();
        let (mut most, mut gain) = (u64::from(pixel.highest() as u32), 1.0);
        let mut steps = Vec::with_capacity(widths.len());
        for (index, &width) in widths.iter().enumerate() {
            let sum = most * width as u64;
            let next = widths.get(index + 1).map_or(1, |width| *width as u64);
            let rounded = |shift: u32| (sum + ((1 << shift) >> 1)) >> shift;
            let shift = (0..32).find(|&shift| rounded(shift) * next < 1 << 30).unwrap_or(31);
            most = rounded(shift);
            gain *= width as f64 / f64::from(1u32 << shift);
            steps.push(BoxStep { width, shift });
        }
        let down = self.y.iter().filter(|width| **width > 1).count();
        let x = steps.split_off(down);
        BoxSteps { y: steps, x, most: most as u32, gain }
    }
}

impl Operation for Boxes {
    fn kind(&self) -> &'static str {
        "boxes"
    }

    fn check(&self, format: &Format, _: usize) -> Result<()> {
        ensure!(format.pixel.sample != Sample::F32, "boxes sum integers, and the samples are floats");
        for widths in [&self.y, &self.x] {
            let fits = |width: &usize| (1..=Self::MAX_WIDTH).contains(width);
            ensure!(widths.iter().all(fits), "a box is not 1 to {} samples wide", Self::MAX_WIDTH);
            let reach = reach(widths);
            ensure!(reach.is_multiple_of(2), "boxes that reach {reach} samples in all have no middle");
            ensure!(reach <= Self::MAX_REACH, "boxes reach {reach} samples, and at most {}", Self::MAX_REACH);
        }
        self.border.check(format.pixel.peak())
    }

    /// An addition and a subtraction for each box.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { dot16: 2 * self.taps() as u64 * samples, ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        let [y, x] = [&self.y, &self.x].map(|widths| reach(widths));
        Reach::of([1, y + 1, x + 1], [0, y / 2, x / 2])
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Integer)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        let text = |widths: &[usize]| widths.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let axes = [("y", &self.y), ("x", &self.x)].into_iter().filter(|(_, widths)| !widths.is_empty());
        axes.map(|(axis, widths)| format!("{} {axis}", text(widths))).collect::<Vec<_>>().join(" + ")
    }

    /// Boxes: each costs the same, whatever its width.
    fn taps(&self) -> usize {
        self.y.len() + self.x.len()
    }
}

/// How many samples all of them take in beyond one.
fn reach(widths: &[usize]) -> usize {
    widths.iter().map(|width| width - 1).sum()
}
