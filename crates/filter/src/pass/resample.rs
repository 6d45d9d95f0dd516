//! Planes of another size: sums of the samples around, by weights that follow the place of each new sample.

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::cost::Operations;
use super::operation::Operation;
use crate::frame::{Format, Sample};

/// A plane of the centre frame resampled along one axis and then the other.
///
/// Of integers, as zimg does it. Samples of 8 bits are first multiplied by 256, so that they have 16 bits; others keep
/// their depth. Along each axis `v = ⌊(Σ w (s − 32768) + 8192) / 16384⌋ + 32768`, exact in `i32`, clamped to the
/// largest value of that depth. Samples of 8 bits are then `v / 256`, rounded to nearest, ties to even, and clamped.
///
/// Of floats each sum is `f32`, one fused multiply-add a tap, ascending, from +0 on.
#[derive(Clone, Debug, PartialEq)]
pub struct Resample {
    /// Along x; `None` leaves it as it is.
    pub x: Option<Phases>,
    /// Along y; `None` leaves it as it is.
    pub y: Option<Phases>,
    /// Whether x comes first, where both are resampled.
    pub x_first: bool,
    /// Width and height of the plane that goes in.
    pub from: (usize, usize),
    /// In which numbers.
    pub arithmetic: Arithmetic,
}

/// The weights of each new sample along an axis. All have the same number of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Phases {
    /// Weights for one sample.
    pub taps: usize,
    /// For each new sample the place of the first sample that it is made of; all lie inside the plane, and so do the
    /// `taps - 1` behind it.
    pub starts: Vec<u32>,
    /// For each new sample its weights, one after another; for [`Arithmetic::Integer`] whole numbers below 32768 in
    /// magnitude whose sum is 16384.
    pub weights: Vec<f32>,
}

impl Phases {
    /// The weights of a new sample.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.weights[index * self.taps..][..self.taps]
    }

    fn check(&self, length: usize, arithmetic: Arithmetic) -> Result<()> {
        ensure!(self.taps > 0 && !self.starts.is_empty(), "a sample is made of nothing");
        let weights = self.taps.checked_mul(self.starts.len());
        ensure!(weights == Some(self.weights.len()), "the weights are not as many as the samples ask for");
        let inside = |start: &u32| (*start as usize).checked_add(self.taps).is_some_and(|end| end <= length);
        ensure!(self.starts.iter().all(inside), "a weight lies outside the plane");
        ensure!(
            self.weights.iter().all(|weight| weight.is_finite()),
            "a weight is not a finite number; type an impulse whose values do not cancel out"
        );
        if arithmetic == Arithmetic::Integer {
            let whole = |weight: &f32| weight.fract() == 0.0 && weight.abs() < 32768.0;
            ensure!(
                self.weights.iter().all(whole),
                "its weights are no whole numbers of 16 bits; type smaller b and c, or another impulse"
            );
            // Then sums of 16 bits, moved to begin at 0 and with a half added, stay below 2³¹.
            let small = |row: &[f32]| row.iter().map(|weight| weight.abs()).sum::<f32>() < 49152.0;
            ensure!(
                self.weights.chunks(self.taps).all(small),
                "its weights are too large; type smaller b and c, or another impulse"
            );
        }
        Ok(())
    }
}

impl Resample {
    /// Width and height of the plane that comes out.
    pub fn to(&self) -> (usize, usize) {
        let length = |phases: &Option<Phases>, from| phases.as_ref().map_or(from, |phases| phases.starts.len());
        (length(&self.x, self.from.0), length(&self.y, self.from.1))
    }

    /// Sums along x and along y, each with how many taps.
    fn sums(&self) -> [(u64, u64); 2] {
        let ((width, height), (to_width, to_height)) = (self.from, self.to());
        let taps = |phases: &Option<Phases>| phases.as_ref().map_or(0, |phases| phases.taps as u64);
        let (along_x, along_y) = match self.x_first {
            true => (to_width * height, to_width * to_height),
            false => (to_width * to_height, width * to_height),
        };
        [(along_x as u64, taps(&self.x)), (along_y as u64, taps(&self.y))]
    }
}

impl Operation for Resample {
    fn kind(&self) -> &'static str {
        "resample"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let (got, due) = (self.from, format.plane_size(plane));
        ensure!(got == due, "it is for planes of {}x{}, not of {}x{}", got.0, got.1, due.0, due.1);
        let is_real = format.pixel.sample == Sample::F32;
        ensure!(is_real == (self.arithmetic == Arithmetic::Real), "its arithmetic is for other samples");
        for (phases, length) in [(&self.x, got.0), (&self.y, got.1)] {
            phases.as_ref().map_or(Ok(()), |phases| phases.check(length, self.arithmetic))?;
        }
        Ok(())
    }

    fn size(&self) -> Option<(usize, usize)> {
        Some(self.to())
    }

    fn least(&self, _: Sample, _: u64) -> Operations {
        let operations = self.operations(0);
        match self.arithmetic {
            Arithmetic::Integer => Operations { dot16: operations, ..Operations::NONE },
            Arithmetic::Real => Operations { real: operations, ..Operations::NONE },
        }
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(self.arithmetic)
    }

    fn shape(&self) -> String {
        let axis = |phases: &Option<Phases>, name| phases.as_ref().map(|phases| format!("{} {name}", phases.taps));
        let (x, y) = (axis(&self.x, "x"), axis(&self.y, "y"));
        let axes: Vec<String> = if self.x_first { [x, y] } else { [y, x] }.into_iter().flatten().collect();
        let (width, height) = self.to();
        format!("{width}x{height}: {}", axes.join(" + "))
    }

    fn taps(&self) -> usize {
        [&self.x, &self.y].into_iter().flatten().map(|phases| phases.taps).sum()
    }

    fn bytes(&self, sample: Sample, _: u64) -> u64 {
        let ((width, height), (to_width, to_height)) = (self.from, self.to());
        ((width * height + to_width * to_height) * sample.bytes()) as u64
    }

    fn operations(&self, _: u64) -> u64 {
        self.sums().iter().map(|(sums, taps)| 2 * sums * taps).sum()
    }
}
