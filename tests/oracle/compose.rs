//! Each frame composed with the one before or a second one, in `f64`: integers exactly, floats with every operation rounded to `f32`.

use warpreel::frame::Sample;
use warpreel::pass::{Compose, ComposeMode};

use super::Place;

/// Arithmetic of the samples of a format.
struct Numbers {
    is_real: bool,
    m: f64,
    h: f64,
    /// `M + 1` of integers.
    f: f64,
}

impl Numbers {
    /// A result of one operation. That of `f64` rounded to `f32` is that of `f32`: `f64` has more than twice the digits.
    fn r(&self, value: f64) -> f64 {
        if self.is_real { f64::from(value as f32) } else { value }
    }

    fn add(&self, a: f64, b: f64) -> f64 {
        self.r(a + b)
    }

    fn sub(&self, a: f64, b: f64) -> f64 {
        self.r(a - b)
    }

    fn mul(&self, a: f64, b: f64) -> f64 {
        self.r(a * b)
    }

    fn div(&self, a: f64, b: f64) -> f64 {
        if self.is_real {
            return self.r(a / b);
        }
        (a as i128 / b as i128) as f64
    }

    /// `a · b / M`.
    fn product(&self, a: f64, b: f64) -> f64 {
        self.div(self.mul(a, b), self.m)
    }

    /// `M − factor · ((M − a) · (M − b) / M)`.
    fn screened(&self, factor: f64, a: f64, b: f64) -> f64 {
        self.sub(self.m, self.mul(factor, self.product(self.sub(self.m, a), self.sub(self.m, b))))
    }

    fn burnt(&self, a: f64, b: f64) -> f64 {
        if a <= 0.0 {
            return a;
        }
        let left = self.sub(self.m, self.div(self.mul(self.sub(self.m, b), self.f), a));
        if 0.0 > left { 0.0 } else { left }
    }

    fn dodged(&self, a: f64, b: f64) -> f64 {
        if a >= self.m { a } else { self.capped(self.div(self.mul(b, self.f), self.sub(self.m, a))) }
    }

    /// The smaller of `M` and a number.
    fn capped(&self, value: f64) -> f64 {
        if self.m > value { value } else { self.m }
    }

    /// `(M − a)² / b` taken from `M`; 0 where `b` is 0.
    fn heated(&self, a: f64, b: f64) -> f64 {
        if b == 0.0 {
            return 0.0;
        }
        let far = self.sub(self.m, a);
        let part = self.div(self.mul(far, far), b);
        self.sub(self.m, if part > self.m { self.m } else { part })
    }

    fn bits(&self, a: f64, b: f64, combine: fn(u32, u32) -> u32) -> f64 {
        match self.is_real {
            true => f32::from_bits(combine((a as f32).to_bits(), (b as f32).to_bits())).into(),
            false => combine(a as u32, b as u32).into(),
        }
    }

    fn size(&self, value: f64) -> f64 {
        if value >= 0.0 { value } else { self.sub(0.0, value) }
    }

    fn value(&self, mode: ComposeMode, a: f64, b: f64) -> f64 {
        let &Self { is_real, m, h, f } = self;
        let twice = |value: f64| self.mul(2.0, value);
        let rest = self.sub(self.sub(m, a), b);
        match mode {
            ComposeMode::Multiply => self.product(a, b),
            ComposeMode::Multiply128 if is_real => self.add(self.div(self.mul(self.sub(a, h), b), 0.125), h),
            // In f32, and cut off.
            ComposeMode::Multiply128 => {
                let part = ((a - h) * b) as f32 / (f / 8.0) as f32;
                f64::from(part + h as f32).trunc()
            }
            ComposeMode::Negation => self.sub(m, self.size(rest)),
            ComposeMode::Extremity => self.size(rest),
            ComposeMode::Screen => self.screened(1.0, a, b),
            ComposeMode::Overlay if a < h => twice(self.product(a, b)),
            ComposeMode::HardLight if b < h => twice(self.product(a, b)),
            ComposeMode::Overlay | ComposeMode::HardLight => self.screened(2.0, a, b),
            ComposeMode::HardMix => {
                if a < self.sub(m, b) {
                    0.0
                } else {
                    m
                }
            }
            ComposeMode::Heat => self.heated(b, a),
            ComposeMode::Freeze => self.heated(a, b),
            ComposeMode::Divide if b == 0.0 => m,
            ComposeMode::Divide => self.div(self.mul(m, a), b),
            ComposeMode::Dodge => self.dodged(a, b),
            ComposeMode::Burn => self.burnt(a, b),
            ComposeMode::SoftLight => {
                let inner = self.product(a, self.sub(m, a));
                self.add(self.product(a, a), twice(self.product(b, inner)))
            }
            ComposeMode::Exclusion => self.sub(self.add(a, b), self.product(twice(a), b)),
            ComposeMode::PinLight if b < h => {
                if a > twice(b) {
                    twice(b)
                } else {
                    a
                }
            }
            ComposeMode::PinLight => {
                if a > twice(self.sub(b, h)) {
                    a
                } else {
                    twice(self.sub(b, h))
                }
            }
            ComposeMode::Reflect if b == m => b,
            ComposeMode::Reflect => self.capped(self.div(self.mul(a, a), self.sub(m, b))),
            ComposeMode::Glow if a == m => a,
            ComposeMode::Glow => self.capped(self.div(self.mul(b, b), self.sub(m, a))),
            ComposeMode::And => self.bits(a, b, |a, b| a & b),
            ComposeMode::Or => self.bits(a, b, |a, b| a | b),
            ComposeMode::Xor => self.bits(a, b, |a, b| a ^ b),
            ComposeMode::VividLight if a < h => self.burnt(twice(a), b),
            ComposeMode::VividLight => self.dodged(twice(self.sub(a, h)), b),
            ComposeMode::LinearLight if b < h => self.sub(self.add(b, twice(a)), m),
            ComposeMode::LinearLight => self.add(b, twice(self.sub(a, h))),
            ComposeMode::SoftDifference => {
                let (first, second, left) = if a > b { (a, b, self.sub(m, b)) } else { (b, a, b) };
                if left == 0.0 { 0.0 } else { self.div(self.mul(self.sub(first, second), m), left) }
            }
            ComposeMode::Geometric if is_real => {
                let [a, b] = [a, b].map(|value| if value > 0.0 { value } else { 0.0 });
                f64::from(((a * b) as f32).sqrt())
            }
            ComposeMode::Geometric => f64::from(((a * b) as f32).sqrt()).round_ties_even(),
            ComposeMode::Harmonic if a == 0.0 && b == 0.0 => 0.0,
            ComposeMode::Harmonic => self.div(self.mul(twice(a), b), self.add(a, b)),
            ComposeMode::HardOverlay if a == m => m,
            ComposeMode::HardOverlay if a > h => self.capped(self.div(self.mul(m, b), self.sub(twice(m), twice(a)))),
            ComposeMode::HardOverlay => self.capped(self.product(twice(a), b)),
            ComposeMode::Normal => unreachable!("its share is against the other sample"),
            ComposeMode::Addition => self.capped(self.add(a, b)),
            ComposeMode::Average => self.div(self.add(a, b), 2.0),
            ComposeMode::Subtract if 0.0 > self.sub(a, b) => 0.0,
            ComposeMode::Subtract => self.sub(a, b),
            ComposeMode::Difference => self.size(self.sub(a, b)),
            ComposeMode::Darken => {
                if a > b {
                    b
                } else {
                    a
                }
            }
            ComposeMode::Lighten => {
                if a > b {
                    a
                } else {
                    b
                }
            }
            ComposeMode::GrainExtract => self.sub(self.add(h, a), b),
            ComposeMode::GrainMerge => self.sub(self.add(a, b), h),
            ComposeMode::Phoenix => self.add(self.sub(if a > b { b } else { a }, if a > b { a } else { b }), m),
        }
    }
}

/// What one sample is.
pub fn sample(op: &Compose, place: &Place) -> f32 {
    // The frame before, or the second image, stands before the centre.
    let [a, b] = [0, -1].map(|t| place.stack.inside(t, place.y, place.x));
    let pixel = place.format.pixel;
    // The share of each, rounded once a product and once in their sum.
    let shared = |a: f32, b: f32| a * op.opacity + b * (1.0 - op.opacity);
    if pixel.sample == Sample::F32 && op.mode == ComposeMode::Normal {
        let made = shared(a, b);
        return if made.is_nan() { f32::from_bits(0x7fc0_0000) } else { made };
    }
    if pixel.sample == Sample::F32 {
        let numbers = Numbers { is_real: true, m: 1.0, h: 0.5, f: 1.0 };
        let value = numbers.value(op.mode, a.into(), b.into()) as f32;
        let made = a + (value - a) * op.opacity;
        return if made.is_nan() { f32::from_bits(0x7fc0_0000) } else { made };
    }
    let full = f64::from(1u32 << pixel.depth);
    let numbers = Numbers { is_real: false, m: full - 1.0, h: full / 2.0, f: full };
    let [a, b] = [a, b].map(|sample| f64::from(sample).min(numbers.m));
    if op.mode == ComposeMode::Normal {
        return shared(a as f32, b as f32).floor();
    }
    let value = numbers.value(op.mode, a, b).clamp(0.0, numbers.m);
    let share = ((value - a) as f32) * op.opacity;
    (a as f32 + share).floor()
}
