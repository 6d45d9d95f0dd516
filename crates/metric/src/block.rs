//! Sums over blocks of 4×4 samples of two planes: of each plane's samples, of all squares, and of the products.

use crate::frame::Plane;
use crate::simd::{Sample, Simd};

/// Side of a block.
pub const SIDE: usize = 4;

/// The number in which samples are summed.
pub trait Total: Copy + Default + Send + Sync + std::ops::Add<Output = Self> {}

impl Total for i32 {}
impl Total for f64 {}

/// The sums of a row of blocks.
pub struct BlockRow<N> {
    /// Of the samples of the first plane.
    pub first: Vec<N>,
    /// Of those of the second.
    pub second: Vec<N>,
    /// Of the squares of both.
    pub squares: Vec<N>,
    /// Of the products.
    pub products: Vec<N>,
}

impl<N: Total> BlockRow<N> {
    /// Room for so many blocks.
    pub fn new(blocks: usize) -> Self {
        let room = || vec![N::default(); blocks];
        Self { first: room(), second: room(), squares: room(), products: room() }
    }
}

/// Samples that are summed.
pub trait BlockSummed: Sample {
    /// Type that holds sums of 2×2 blocks exactly, where samples are integers.
    type Total: Total;
    /// The sums of row `y` of blocks.
    fn blocks<S: Simd>(simd: S, planes: &[Plane<'_, Self>; 2], y: usize, row: &mut BlockRow<Self::Total>);
    /// The sum of the figures of a row of windows: every eighth by itself.
    #[inline(always)]
    fn total(figures: &[f32]) -> f64 {
        let mut sums = [0.0; 8];
        for some in figures.chunks(8) {
            for (sum, &one) in sums.iter_mut().zip(some) {
                *sum += f64::from(one);
            }
        }
        sums.iter().sum()
    }
}

/// The four rows of row `y` of blocks.
#[inline(always)]
fn lines<'a, T>(plane: &Plane<'a, T>, y: usize) -> [&'a [T]; SIDE] {
    [0, 1, 2, 3].map(|line| plane.row(SIDE * y + line))
}

impl BlockSummed for u8 {
    type Total = i32;

    #[inline(always)]
    fn blocks<S: Simd>(simd: S, planes: &[Plane<'_, u8>; 2], y: usize, row: &mut BlockRow<i32>) {
        // Two columns a lane.
        let step = 2 * S::LANES;
        let [a, b] = [0, 1].map(|plane| lines(&planes[plane], y));
        let ones = simd.splat_i32(0x0001_0001);
        let blocks = row.first.len();
        let whole = blocks * SIDE / step;
        for part in 0..whole {
            let zero = simd.splat_i32(0);
            let [mut first, mut second, mut squares, mut products] = [zero; 4];
            for line in 0..SIDE {
                let a = simd.halves_u8(&a[line][part * step..]);
                let b = simd.halves_u8(&b[line][part * step..]);
                // At most 1020: no sum of 16 bits overflows.
                first = simd.add_i32(first, a);
                second = simd.add_i32(second, b);
                squares = simd.dot_i16(simd.dot_i16(squares, a, a), b, b);
                products = simd.dot_i16(products, a, b);
            }
            let sums = [simd.dot_i16(zero, first, ones), simd.dot_i16(zero, second, ones), squares, products];
            let at = part * step / SIDE;
            let targets = [&mut row.first, &mut row.second, &mut row.squares, &mut row.products];
            for (sums, target) in sums.into_iter().zip(targets) {
                let mut pairs = [0; 32];
                simd.store_integers(sums, &mut pairs[..S::LANES]);
                let target = &mut target[at..at + S::LANES / 2];
                target.iter_mut().zip(pairs.as_chunks::<2>().0).for_each(|(sum, [low, high])| *sum = low + high);
            }
        }
        for block in whole * step / SIDE..blocks {
            let mut sums = [0; 4];
            for (a, b) in a.iter().zip(&b) {
                let x = SIDE * block;
                for (&a, &b) in a[x..x + SIDE].iter().zip(&b[x..x + SIDE]) {
                    let (a, b) = (i32::from(a), i32::from(b));
                    [sums[0], sums[1], sums[2], sums[3]] =
                        [sums[0] + a, sums[1] + b, sums[2] + a * a + b * b, sums[3] + a * b];
                }
            }
            [row.first[block], row.second[block], row.squares[block], row.products[block]] = sums;
        }
    }
}

/// Columns that are summed at a time, so that their sums stay in registers or in the nearest cache.
const COLUMNS: usize = 32;

/// In f64, which holds all sums of integers exactly: samples have 16 bits, 64 squares of two planes 39, and 64 times that 45. Down
/// the columns first, then across.
#[inline(always)]
fn real_blocks<T: Sample>(
    planes: &[Plane<'_, T>; 2],
    y: usize,
    row: &mut BlockRow<f64>,
    value: impl Fn(T) -> f64 + Copy,
) {
    let [a, b] = [0, 1].map(|plane| lines(&planes[plane], y));
    let blocks = row.first.len();
    let targets = row.first.iter_mut().zip(&mut row.second).zip(&mut row.squares).zip(&mut row.products);
    let mut targets = targets.map(|(((first, second), squares), products)| [first, second, squares, products]);
    let mut sum = |sums: &[[f64; COLUMNS]; 4], columns: usize| {
        for block in 0..columns / SIDE {
            let across = |sums: &[f64; COLUMNS]| {
                let x = SIDE * block;
                (sums[x] + sums[x + 1]) + (sums[x + 2] + sums[x + 3])
            };
            let Some(targets) = targets.next() else { return };
            targets.into_iter().zip(sums).for_each(|(target, sums)| *target = across(sums));
        }
    };
    let add = |sums: &mut [[f64; COLUMNS]; 4], a: &[T], b: &[T]| {
        let [first, second, squares, products] = sums;
        for (x, (&a, &b)) in a.iter().zip(b).enumerate() {
            let (a, b) = (value(a), value(b));
            first[x] += a;
            second[x] += b;
            squares[x] += a * a + b * b;
            products[x] += a * b;
        }
    };
    let mut x = 0;
    while x < SIDE * blocks {
        let columns = COLUMNS.min(SIDE * blocks - x);
        let mut sums = [[0.0; COLUMNS]; 4];
        for (a, b) in a.iter().zip(&b) {
            match (a[x..].first_chunk::<COLUMNS>(), b[x..].first_chunk::<COLUMNS>()) {
                // Of a length that the compiler knows.
                (Some(a), Some(b)) if columns == COLUMNS => add(&mut sums, a, b),
                _ => add(&mut sums, &a[x..x + columns], &b[x..x + columns]),
            }
        }
        sum(&sums, columns);
        x += columns;
    }
}

impl BlockSummed for u16 {
    type Total = f64;

    #[inline(always)]
    fn blocks<S: Simd>(_: S, planes: &[Plane<'_, u16>; 2], y: usize, row: &mut BlockRow<f64>) {
        real_blocks(planes, y, row, f64::from);
    }

    /// In f32 from the first to the last, as FFmpeg has it above 8 bits.
    #[inline(always)]
    fn total(figures: &[f32]) -> f64 {
        let mut sum = 0.0;
        for figure in figures {
            sum += figure;
        }
        f64::from(sum)
    }
}

impl BlockSummed for f32 {
    type Total = f64;

    #[inline(always)]
    fn blocks<S: Simd>(_: S, planes: &[Plane<'_, f32>; 2], y: usize, row: &mut BlockRow<f64>) {
        real_blocks(planes, y, row, |sample| f64::from(sample.finite()));
    }
}
