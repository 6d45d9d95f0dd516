//! Steps from HDR to SDR: light of a scene or of a bright display as that of a dimmer one, from tables.

use anyhow::{Result, ensure};

/// Rows of three weights.
pub type Weights3 = [[i16; 3]; 3];

/// A function of a positive number in [`LogTable::ENTRIES`] values, 1024 for each power of two from `2^exponent` on. Value 0
/// holds for all numbers below, also those that are negative, and the last one for all above.
///
/// The index of `v` is `min(⌊(max(bits(v), first) − first) / 2^13⌋, 32767)`, with the bits of the `f32` as an `i32` and
/// `first = bits(2^exponent)`. All numbers with one index are within 1/1024 of each other.
#[derive(Debug, PartialEq)]
pub struct LogTable<T> {
    /// Power of two of the first value, −126 to 95.
    pub exponent: i32,
    /// The values.
    pub values: Vec<T>,
}

impl<T: Copy> LogTable<T> {
    /// Number of values.
    pub const ENTRIES: usize = 32768;
    /// Bits of a number that do not count.
    pub const SHIFT: u32 = 13;

    /// Of a function, at the middle of the numbers of each index.
    pub fn of(exponent: i32, function: impl Fn(f64) -> T) -> Self {
        let middle = |n: usize| 2f64.powi(exponent + (n / 1024) as i32) * (1.0 + ((n % 1024) as f64 + 0.5) / 1024.0);
        Self { exponent, values: (0..Self::ENTRIES).map(|n| function(middle(n))).collect() }
    }

    /// Bits of the first number.
    pub fn first(&self) -> i32 {
        (self.exponent + 127) << 23
    }

    fn check(&self) -> Result<()> {
        ensure!((-126..=95).contains(&self.exponent), "a table begins at 2^{}", self.exponent);
        ensure!(self.values.len() == Self::ENTRIES, "a table has another size");
        Ok(())
    }
}

/// Steps of [`super::ColourPath::Tone`]: colours of HDR as those of SDR.
#[derive(Debug, PartialEq)]
pub struct ToneSteps {
    /// Red, green and blue of luma and both planes of chroma.
    pub to_rgb: Weights3,
    /// Light of coded values: [`super::ColourSteps::ENTRIES`] numbers, in white of the output, or of the scene where `system` is given.
    pub linear: Vec<f32>,
    /// The display's rendering of the light of a scene (OOTF).
    pub system: Option<SystemGamma>,
    /// Factor of a colour by the largest of its three numbers.
    pub gain: LogTable<f32>,
    /// Red, green and blue of the primaries of the output.
    pub primaries: [[f32; 3]; 3],
    /// Coded values of light.
    pub coded: LogTable<i16>,
    /// Luma and both planes of chroma of red, green and blue.
    pub to_yuv: Weights3,
}

/// Light of a display from that of a scene: a factor by luminance.
#[derive(Debug, PartialEq)]
pub struct SystemGamma {
    /// Luminance of red, green and blue.
    pub weights: [f32; 3],
    /// Factor of a colour by its luminance.
    pub factors: LogTable<f32>,
}

impl ToneSteps {
    /// Bound of the magnitude of all numbers, exclusive. Products of four of them are finite.
    pub const LIMIT: f32 = 1e6;

    pub(super) fn check(&self) -> Result<()> {
        let Self { linear, system, gain, primaries, coded, .. } = self;
        ensure!(linear.len() == LogTable::<f32>::ENTRIES, "a table has another size");
        gain.check()?;
        coded.check()?;
        let positive = |number: &f32| (0.0..Self::LIMIT).contains(number) && number.is_sign_positive();
        let is_light = linear.iter().chain(&gain.values).all(positive);
        ensure!(is_light, "light is negative or not below {:e}", Self::LIMIT);
        ensure!(primaries.iter().flatten().all(|w| w.abs() < Self::LIMIT), "a weight is not below {:e}", Self::LIMIT);
        let Some(SystemGamma { weights, factors }) = system else { return Ok(()) };
        factors.check()?;
        ensure!(weights.iter().chain(&factors.values).all(positive), "a factor is out of range");
        Ok(())
    }
}
