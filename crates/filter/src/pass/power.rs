//! A power that is the same on every machine: only operations that IEEE 754 rounds correctly, in a fixed order.

/// `v` to the power of `exponent`, which is positive: 0 for `v ≤ 0`, NaN for NaN, else within 2⁻⁴⁰ of the exact
/// value, rounded to `f32`.
///
/// In `f64`: `v = m · 2ⁿ` with `m` from `√½` to `√2`; `ln m = 2 artanh((m − 1) / (m + 1))` by its series; the exponent
/// times `n + ln m / ln 2` as a whole number and a rest; `2` to the rest by the series of `e^x`.
pub fn power(v: f32, exponent: f64) -> f32 {
    if v.is_nan() || v == f32::INFINITY {
        return v;
    }
    if v <= 0.0 {
        return 0.0;
    }
    let bits = f64::from(v).to_bits();
    let mut n = (bits >> 52) as i32 - 1023;
    let mut m = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        n += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut sum = LOGARITHM[0];
    for &term in &LOGARITHM[1..] {
        sum = sum.mul_add(square, term);
    }
    let logarithm = (2.0 * s * sum).mul_add(std::f64::consts::LOG2_E, f64::from(n));
    let y = (exponent * logarithm).clamp(-1000.0, 1000.0);
    let whole = (y + 0.5).floor();
    let x = (y - whole) * std::f64::consts::LN_2;
    let mut sum = EXPONENTIAL[0];
    for &term in &EXPONENTIAL[1..] {
        sum = sum.mul_add(x, term);
    }
    (sum * f64::from_bits(((whole as i64 + 1023) as u64) << 52)) as f32
}

/// 1/21, 1/19, … 1/3, 1.
const LOGARITHM: [f64; 11] = [
    1.0 / 21.0,
    1.0 / 19.0,
    1.0 / 17.0,
    1.0 / 15.0,
    1.0 / 13.0,
    1.0 / 11.0,
    1.0 / 9.0,
    1.0 / 7.0,
    1.0 / 5.0,
    1.0 / 3.0,
    1.0,
];

/// 1/13!, 1/12!, … 1/1!, 1/0!.
const EXPONENTIAL: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];
