//! Numbers that the formulas of modes are evaluated in.

use std::ops::{Add, Div, Mul, Sub};

/// A number that formulas are evaluated in.
pub trait Composable:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    const ZERO: Self;
    const TWO: Self;

    /// A result of bits.
    fn bits(self, other: Self, combine: fn(u32, u32) -> u32) -> Self;
    fn geometric(self, other: Self) -> Self;
    fn multiply_around_grey(self, other: Self, scale: &Scale<Self>) -> Self;

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self > other { other } else { self }
    }

    #[inline(always)]
    fn most(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn size(self) -> Self {
        if self >= Self::ZERO { self } else { Self::ZERO - self }
    }
}

/// A whole number up to 2³⁴ in a float that holds it: floats have vectors of quotients, which integers have not. A quotient is cut off; that of
/// numbers below 2 to the power of the digits of `F` is exact, as its distance from the next whole number is more than the error.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct Whole<F>(pub F);

macro_rules! whole {
    ($($F:ty)*) => {
        $(
            impl Add for Whole<$F> {
                type Output = Self;

                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    Self(self.0 + other.0)
                }
            }

            impl Sub for Whole<$F> {
                type Output = Self;

                #[inline(always)]
                fn sub(self, other: Self) -> Self {
                    Self(self.0 - other.0)
                }
            }

            impl Mul for Whole<$F> {
                type Output = Self;

                #[inline(always)]
                fn mul(self, other: Self) -> Self {
                    Self(self.0 * other.0)
                }
            }

            impl Div for Whole<$F> {
                type Output = Self;

                #[inline(always)]
                fn div(self, other: Self) -> Self {
                    Self((self.0 / other.0).trunc())
                }
            }

            impl Composable for Whole<$F> {
                const ZERO: Self = Self(0.0);
                const TWO: Self = Self(2.0);

                #[inline(always)]
                fn bits(self, other: Self, combine: fn(u32, u32) -> u32) -> Self {
                    Self(combine(self.0 as u32, other.0 as u32) as $F)
                }

                #[inline(always)]
                fn geometric(self, other: Self) -> Self {
                    Self(((self.0 * other.0) as f32).sqrt().round_ties_even().into())
                }

                #[inline(always)]
                fn multiply_around_grey(self, other: Self, scale: &Scale<Self>) -> Self {
                    let product = ((self.0 - scale.grey.0) * other.0) as f32;
                    Self((product / (0.125 * scale.full.0 as f32) + scale.grey.0 as f32).trunc().into())
                }
            }
        )*
    };
}

whole!(f32 f64);

impl Composable for f32 {
    const ZERO: Self = 0.0;
    const TWO: Self = 2.0;

    #[inline(always)]
    fn bits(self, other: Self, combine: fn(u32, u32) -> u32) -> Self {
        f32::from_bits(combine(self.to_bits(), other.to_bits()))
    }

    #[inline(always)]
    fn geometric(self, other: Self) -> Self {
        (self.most(0.0) * other.most(0.0)).sqrt()
    }

    #[inline(always)]
    fn multiply_around_grey(self, other: Self, scale: &Scale<Self>) -> Self {
        (self - scale.grey) * other / 0.125 + scale.grey
    }
}

/// Numbers of the format.
pub struct Scale<N> {
    /// The largest sample.
    pub white: N,
    pub grey: N,
    /// One more than the largest, or 1.
    pub full: N,
}

impl Scale<u32> {
    /// Those of whole numbers of so many bits.
    pub fn of(depth: u8) -> Self {
        let full = 1 << depth;
        Self { white: full - 1, grey: full / 2, full }
    }

    pub fn map<N>(self, number: impl Fn(u32) -> N) -> Scale<N> {
        Scale { white: number(self.white), grey: number(self.grey), full: number(self.full) }
    }
}

/// One of two values, both of which are there: a choice between quotients that are made where they are wanted keeps compilers from vectors.
#[inline(always)]
pub fn select<N>(condition: bool, one: N, other: N) -> N {
    if condition { one } else { other }
}

/// A number from 0 to 2²³ cut off, in the low 23 bits. A cast that saturates has no vectors.
#[inline(always)]
pub fn cut(number: f32) -> u32 {
    (number.trunc() + 8_388_608.0).to_bits()
}

#[inline(always)]
pub fn burn<N: Composable>(a: N, b: N, scale: &Scale<N>) -> N {
    select(a <= N::ZERO, a, N::ZERO.most(scale.white - (scale.white - b) * scale.full / a))
}

#[inline(always)]
pub fn dodge<N: Composable>(a: N, b: N, scale: &Scale<N>) -> N {
    select(a >= scale.white, a, scale.white.least(b * scale.full / (scale.white - a)))
}
