//! Saturation that changes the less of a colour the more it has.

use anyhow::{Result, ensure};

use super::lattice::Lattice;

/// Saturation that changes the less of a colour the more it has, or the more the more it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vibrance {
    /// Strength of red, green and blue.
    pub intensity: [f32; 3],
    /// Factor of what a colour has already: the sign of the strength with the sign that it is to have.
    pub turn: [f32; 3],
    /// Weights of red, green and blue in luma.
    pub weights: [f32; 3],
}

impl Vibrance {
    pub(super) fn check(&self) -> Result<()> {
        let Self { intensity, turn, weights } = self;
        let mut all = intensity.iter().chain(turn).chain(weights);
        ensure!(all.all(|number| number.abs() < Lattice::LIMIT), "a number of its vibrance is out of range");
        Ok(())
    }
}
