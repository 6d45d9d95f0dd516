//! Lanes in another order, where the machine has no instruction for it.

use bytemuck::cast;
use wide::{f32x8, i32x8};

/// The numbers of `a` and of `b` in turns, of each half those from `first` on.
#[inline(always)]
pub(super) fn zip<T: Copy, const N: usize>(a: [T; N], b: [T; N], first: usize) -> [T; N] {
    std::array::from_fn(|i| {
        let place = i / (N / 2) * (N / 2) + first + i % (N / 2) / 2;
        if i % 2 == 0 { a[place] } else { b[place] }
    })
}

/// In each place the sum of all numbers up to it.
#[inline(always)]
pub(super) fn running<T: Copy + Default, const N: usize>(numbers: [T; N], add: impl Fn(T, T) -> T) -> [T; N] {
    let mut sum = T::default();
    numbers.map(|number| {
        sum = add(sum, number);
        sum
    })
}

/// Lanes of both, of which `b` has those from 8 on.
#[inline(always)]
pub(super) fn of_both(a: f32x8, b: f32x8, places: [usize; 8]) -> f32x8 {
    let both: [f32; 16] = cast([a, b]);
    f32x8::from(places.map(|place| both[place]))
}

/// Lanes of both, of which `b` has those from 8 on, by places modulo 16.
#[inline(always)]
pub(super) fn permute(a: i32x8, b: i32x8, places: i32x8) -> i32x8 {
    let both: [i32; 16] = cast([a, b]);
    i32x8::from(places.to_array().map(|place| both[(place & 15) as usize]))
}

/// Of each half four lanes of `a` and then four of `b`.
#[inline(always)]
pub(super) fn fours(a: i32x8, b: i32x8) -> [i32; 16] {
    let (a, b) = (a.to_array(), b.to_array());
    std::array::from_fn(|i| if i % 8 < 4 { a[i / 8 * 4 + i % 4] } else { b[i / 8 * 4 + i % 4] })
}
