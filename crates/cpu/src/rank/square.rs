//! The steps of medians of 5x5 and 7x7 samples, written out so that all values stay in registers. A test compares
//! them with what [`network`](crate::backend::network) gives.

use super::key::Key;
use crate::backend::network::Exchange;
use crate::simd::Simd;

/// The most registers that any of them takes: what two rows of boxes of 7x7 samples share.
pub const MOST: usize = 42;

/// A square box of `SIDE` by `SIDE` samples, an odd number, and what two boxes, one below the other, do to find their
/// medians.
pub trait Square: Send + Sync {
    /// Samples along each side.
    const SIDE: usize;
    /// Sorts the `SIDE − 1` samples of a column that both boxes hold: the steps, and where the results then stand.
    const COLUMN: (&[Exchange], &[usize]);
    /// Sorts the `SIDE` columns so far that the `SIDE + 1` samples are found that may be a median.
    const CORE: (&[Exchange], &[usize]);
    /// Takes the median out of these, which come first, and of the `SIDE` samples that only one of the boxes holds.
    const PICK: (&[Exchange], &[usize]);

    /// Runs [`Square::COLUMN`].
    fn column<S: Simd, K: Key>(simd: S, values: &mut [S::I32; MOST]);
    /// Runs [`Square::CORE`].
    fn core<S: Simd, K: Key>(simd: S, values: &mut [S::I32; MOST]);
    /// Runs [`Square::PICK`].
    fn pick<S: Simd, K: Key>(simd: S, values: &mut [S::I32; MOST]);
}

macro_rules! step {
    ($simd:ident, $values:ident, Both, $a:literal, $b:literal) => {
        let (a, b) = ($values[$a], $values[$b]);
        $values[$a] = K::lower($simd, a, b);
        $values[$b] = K::higher($simd, a, b);
    };
    ($simd:ident, $values:ident, Low, $a:literal, $b:literal) => {
        $values[$a] = K::lower($simd, $values[$a], $values[$b]);
    };
    ($simd:ident, $values:ident, High, $a:literal, $b:literal) => {
        $values[$b] = K::higher($simd, $values[$a], $values[$b]);
    };
}

macro_rules! medians {
    (
        $(#[$doc:meta])*
        $name:ident, $side:literal;
        $(
            $run:ident $results:tt = [$($step:ident $a:literal $b:literal,)*];
        )*
    ) => {
        $(#[$doc])*
        pub struct $name;

        impl Square for $name {
            const SIDE: usize = $side;
            $(
                medians!(constant $run = (&[$(Exchange::$step($a, $b)),*], &$results));

                #[inline(always)]
                fn $run<S: Simd, K: Key>(simd: S, values: &mut [S::I32; MOST]) {
                    $(step!(simd, values, $step, $a, $b);)*
                }
            )*
        }
    };
    (constant column = $value:expr) => { const COLUMN: (&[Exchange], &[usize]) = $value; };
    (constant core = $value:expr) => { const CORE: (&[Exchange], &[usize]) = $value; };
    (constant pick = $value:expr) => { const PICK: (&[Exchange], &[usize]) = $value; };
}

medians! {
    /// Five by five samples.
    Five, 5;
    column [0, 1, 2, 3] = [
        Both 0 1, Both 2 3, Both 0 2, Both 1 3, Both 1 2,
    ];
    core [7, 8, 9, 10, 11, 16] = [
        Both 0 4, Both 2 6, Both 2 4, Both 1 5, Both 3 7, Both 3 5, Both 1 2, Both 3 4, Both 5 6, Both 0 8, Both 4 8,
        Both 2 10, Both 6 10, Both 2 4, Both 6 8, Both 1 9, Both 5 9, Both 3 11, Both 7 11, Both 3 5, Both 7 9,
        Both 1 2, Both 3 4, Both 5 6, Both 7 8, Both 9 10, Both 12 16, Both 14 18, Both 14 16, Both 13 17, Both 15 19,
        Both 15 17, Both 13 14, Both 15 16, Both 17 18, High 0 12, Both 8 12, Both 4 16, High 4 8, Low 16 12,
        High 2 14, Low 10 14, Low 6 18, Both 6 10, High 6 8, Both 10 16, High 1 13, Both 9 13, Both 5 17, High 5 9,
        Low 17 13, High 3 15, Low 11 15, Low 7 19, Both 7 11, Both 7 9, Low 11 17, Both 7 8, Both 9 10, Both 11 16,
    ];
    pick [5] = [
        Both 6 7, Both 6 8, Both 7 8, Both 9 10, Both 6 9, Both 8 9, Both 7 10, Both 7 8, Both 10 9, High 4 6,
        Low 5 6, High 3 7, Low 5 7, High 2 8, Low 5 8, High 1 10, Low 5 10, High 0 9, Low 5 9,
    ];
}

medians! {
    /// Seven by seven samples.
    Seven, 7;
    column [0, 1, 2, 4, 3, 5] = [
        Both 0 1, Both 0 2, Both 1 2, Both 3 4, Both 3 5, Both 4 5, Both 0 3, Both 2 5, Both 2 3, Both 1 4, Both 1 2,
        Both 4 3,
    ];
    core [13, 14, 15, 18, 19, 22, 23, 30] = [
        Both 0 6, Both 4 10, Both 4 6, Both 2 8, Both 2 4, Both 8 6, Both 1 7, Both 5 11, Both 5 7, Both 3 9,
        Both 3 5, Both 9 7, Both 1 2, Both 3 4, Both 5 8, Both 9 6, Both 7 10, Both 12 18, Both 16 22, Both 16 18,
        Both 14 20, Both 14 16, Both 20 18, Both 13 19, Both 17 23, Both 17 19, Both 15 21, Both 15 17, Both 21 19,
        Both 13 14, Both 15 16, Both 17 20, Both 21 18, Both 19 22, Both 0 12, Both 6 18, Both 6 12, Both 4 16,
        Both 4 6, Both 16 12, Both 2 14, Both 10 22, Both 10 14, Both 8 20, Both 8 10, Both 20 14, Both 2 4, Both 8 6,
        Both 10 16, Both 20 12, Both 14 18, Both 1 13, Both 7 19, Both 7 13, Both 5 17, Both 5 7, Both 17 13,
        Both 3 15, Both 11 23, Both 11 15, Both 9 21, Both 9 11, Both 21 15, Both 3 5, Both 9 7, Both 11 17,
        Both 21 13, Both 15 19, Both 1 2, Both 3 4, Both 5 8, Both 9 6, Both 7 10, Both 11 16, Both 17 20, Both 21 12,
        Both 13 14, Both 15 18, Both 19 22, Both 24 30, Both 28 34, Both 28 30, Both 26 32, Both 26 28, Both 32 30,
        Both 25 31, Both 29 35, Both 29 31, Both 27 33, Both 27 29, Both 33 31, Both 25 26, Both 27 28, Both 29 32,
        Both 33 30, Both 31 34, Both 24 36, Both 30 36, Both 28 40, Both 28 30, Both 40 36, Both 26 38, Both 34 38,
        Both 32 34, Both 26 28, Both 32 30, Both 34 40, Both 38 36, Both 25 37, Both 31 37, Both 29 41, Both 29 31,
        Both 41 37, Both 27 39, Both 35 39, Both 33 35, Both 27 29, Both 33 31, Both 35 41, Both 39 37, Both 25 26,
        Both 27 28, Both 29 32, Both 33 30, Both 31 34, Both 35 40, Both 41 38, Both 39 36, High 0 24, Low 12 36,
        High 12 24, High 6 30, Low 30 24, High 4 28, Low 18 28, Low 16 40, High 16 18, Both 18 30, High 2 26,
        Both 14 26, Both 10 34, High 10 14, Low 34 26, High 8 32, Low 22 32, Low 20 38, Both 20 22, High 20 14,
        Low 22 34, Both 14 18, Both 22 30, High 1 25, Low 13 37, Both 13 25, Both 7 31, High 7 13, Low 31 25,
        High 5 29, Low 19 29, Low 17 41, Both 17 19, High 17 13, Both 19 31, High 3 27, Both 15 27, Both 11 35,
        High 11 15, Low 35 27, High 9 33, Low 23 33, Low 21 39, Both 21 23, Both 21 15, Low 23 35, High 21 13,
        Both 15 19, Low 23 31, Both 13 14, Both 15 18, Both 19 22, Both 23 30,
    ];
    pick [7] = [
        Both 8 9, Both 10 11, Both 8 10, Both 9 11, Both 9 10, Both 12 13, Both 12 14, Both 13 14, Both 8 12,
        Both 10 14, Both 10 12, Both 9 13, Both 11 13, Both 9 10, Both 11 12, Both 13 14, High 6 8, Low 7 8, High 5 9,
        Low 7 9, High 4 10, Low 7 10, High 3 11, Low 7 11, High 2 12, Low 7 12, High 1 13, Low 7 13, High 0 14,
        Low 7 14,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::network::Network;

    fn check<Z: Square>() {
        let (side, rank) = (Z::SIDE, Z::SIDE * Z::SIDE / 2);
        let wanted = [
            Network::sort(side - 1),
            Network::middle(side, side - 1, rank - side..rank + 1),
            Network::pick(side + 1, side, side),
        ];
        for ((steps, results), wanted) in [Z::COLUMN, Z::CORE, Z::PICK].into_iter().zip(wanted) {
            assert_eq!((steps, results), (wanted.steps.as_slice(), wanted.results.as_slice()), "side {side}");
            assert!(wanted.steps.iter().all(|step| step.registers().1 < MOST));
        }
    }

    #[test]
    fn steps_are_those_of_the_networks() {
        check::<Five>();
        check::<Seven>();
    }
}
