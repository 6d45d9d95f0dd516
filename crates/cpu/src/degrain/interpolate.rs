//! Samples between samples: the four around, weighed −1, 9, 9 and −1.

/// Of four samples in a row what lies between the second and the third.
pub trait Interpolate: Copy {
    /// For samples of up to `peak`.
    fn between(around: [Self; 4], peak: Self) -> Self;
}

impl Interpolate for u8 {
    #[inline(always)]
    fn between([a, b, c, d]: [u8; 4], peak: u8) -> u8 {
        let (a, b, c, d) = (i16::from(a), i16::from(b), i16::from(c), i16::from(d));
        ((9 * (b + c) - (a + d) + 8) >> 4).clamp(0, i16::from(peak)) as u8
    }
}

impl Interpolate for u16 {
    #[inline(always)]
    fn between([a, b, c, d]: [u16; 4], peak: u16) -> u16 {
        let (a, b, c, d) = (i32::from(a), i32::from(b), i32::from(c), i32::from(d));
        ((9 * (b + c) - (a + d) + 8) >> 4).clamp(0, i32::from(peak)) as u16
    }
}

impl Interpolate for f32 {
    #[inline(always)]
    fn between([a, b, c, d]: [f32; 4], _: f32) -> f32 {
        (9.0 * (b + c) - (a + d)) * 0.0625
    }
}

// Loops are written out: what a closure holds would not be compiled with the instructions of the level.

/// The `N` samples between those at `from + 1` and `from + 2` and each of the next, of a row.
#[inline(always)]
pub fn along<T: Interpolate, const N: usize>(row: &[T], from: usize, peak: T) -> [T; N] {
    let row = &row[from..from + N + 3];
    let mut between = [peak; N];
    for (x, to) in between.iter_mut().enumerate() {
        *to = T::between([row[x], row[x + 1], row[x + 2], row[x + 3]], peak);
    }
    between
}

/// The samples between the second and the third of four rows.
#[inline(always)]
pub fn down<T: Interpolate, const N: usize>([a, b, c, d]: [&[T; N]; 4], peak: T) -> [T; N] {
    let mut between = [peak; N];
    for (x, to) in between.iter_mut().enumerate() {
        *to = T::between([a[x], b[x], c[x], d[x]], peak);
    }
    between
}
