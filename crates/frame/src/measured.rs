//! Samples as brightness and noise are measured: whole numbers.

/// A sample that can be measured.
pub trait Measured: Copy {
    /// The sample as a whole number of [`super::Pixel::measured_depth`] bits: an integer as it is; a float from 0 to 1,
    /// clamped, brought to 16 bits and rounded to nearest, ties to even. What is no number is 0.
    fn measured(self) -> u32;
}

impl Measured for u8 {
    #[inline(always)]
    fn measured(self) -> u32 {
        u32::from(self)
    }
}

impl Measured for u16 {
    #[inline(always)]
    fn measured(self) -> u32 {
        u32::from(self)
    }
}

impl Measured for f32 {
    #[expect(clippy::manual_clamp, reason = "of a NaN and a number the number is meant")]
    #[inline(always)]
    fn measured(self) -> u32 {
        // From 2²³ to 2²⁴ floats are whole numbers, and their bits count them. A cast would be done one by one.
        const WHOLE: f32 = 8_388_608.0;
        (self.max(0.0).min(1.0) * 65535.0 + WHOLE).to_bits() - WHOLE.to_bits()
    }
}
