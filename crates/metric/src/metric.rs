//! The metrics by name.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Error};

use crate::frame::Pixel;

/// A measure of how much two frames differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Peak signal-to-noise ratio, in decibels.
    Psnr,
    /// Structural similarity, at most 1.
    Ssim,
    /// PSNR of errors weighted by how well they are seen, in decibels.
    Xpsnr,
    /// Similarity as people see it, 100 for equal pictures.
    Ssimulacra2,
}

impl Metric {
    /// All of them, in the order in which they are printed.
    pub const ALL: [Self; 4] = [Self::Psnr, Self::Ssim, Self::Xpsnr, Self::Ssimulacra2];

    /// As it is typed: `psnr`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Psnr => "psnr",
            Self::Ssim => "ssim",
            Self::Xpsnr => "xpsnr",
            Self::Ssimulacra2 => "ssimulacra2",
        }
    }

    /// Number of planes of a pixel format that have a value of their own, the first ones: XPSNR has none of opacity, and SSIMULACRA2 none.
    pub const fn planes(self, pixel: Pixel) -> usize {
        match self {
            Self::Psnr | Self::Ssim => pixel.planes(),
            Self::Xpsnr => pixel.planes() - pixel.alpha as usize,
            Self::Ssimulacra2 => 0,
        }
    }

    /// Digits behind the point that differ to the eye.
    pub const fn digits(self) -> usize {
        match self {
            Self::Psnr | Self::Xpsnr | Self::Ssimulacra2 => 4,
            Self::Ssim => 6,
        }
    }
}

impl FromStr for Metric {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let names = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|metric| metric.name() == name);
        found.with_context(|| format!("no metric {name:?}; there are {}", names()))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
