//! The last step, which makes samples of sums.

/// The last step, each operation rounded to `f32`:
/// `v = sum · scale; if dry ≠ 0 { v = v + centre · dry }; v = v + bias`, then for integer samples
/// `floor(v + 0.5)` clamped to `0 ..= 2^depth − 1`, NaN giving 0. Float samples keep `v`, but every NaN is written as
/// `0x7fc0_0000`, since which NaN an operation gives depends on the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finish {
    /// Factor of the sum.
    pub scale: f32,
    /// Weight of the unfiltered sample (of the centre frame); 0 leaves the step out.
    pub dry: f32,
    /// Added last, in the units of the samples.
    pub bias: f32,
}

impl Finish {
    /// The sum itself.
    pub const PLAIN: Self = Self { scale: 1.0, dry: 0.0, bias: 0.0 };

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        [self.scale, self.dry, self.bias].iter().all(|number| number.is_finite())
    }

    /// True if no number is NaN. Infinite ones have defined results.
    pub fn is_number(&self) -> bool {
        [self.scale, self.dry, self.bias].iter().all(|number| !number.is_nan())
    }
}
