//! Samples around samples: minima and maxima in vectors of samples as they lie in memory, then sums in numbers that hold them.

use super::super::finish::VECTORS;
use super::super::simd::{Dot as _, Sample, Simd};

/// Of each lane's sample what the weight and the result depend on.
pub struct Neighbourhood<S: Simd> {
    /// The smaller of the sum of minima and what the sum of maxima leaves.
    pub room: S::F32,
    /// The sum of maxima.
    pub high: S::F32,
    /// The sum of the four samples beside it.
    pub beside: S::F32,
    /// The sample.
    pub own: S::F32,
}

/// Samples that can be sharpened.
pub trait Surrounded: Sample {
    /// Copies samples, those above `peak` as that.
    fn known(from: &[Self], peak: Self, to: &mut [Self]);
    /// Reads the rows above, of, and below [`VECTORS`] vectors of samples, which begin a sample before them and end one after
    /// them, in an order of its own.
    fn around<S: Simd>(simd: S, rows: [&[Self]; 3], limit: f32) -> [Neighbourhood<S>; VECTORS];
    /// Writes results in that order: of integer samples without what stands behind the point, clamped.
    fn put<S: Simd>(simd: S, values: [S::F32; VECTORS], peak: f32, to: &mut [Self]);
}

/// Minima or maxima of a block: of the samples beside each and itself, and of all nine.
#[inline(always)]
fn both<V: Copy>(rows: [[V; 3]; 3], of: impl Fn(V, V) -> V) -> [V; 2] {
    let [[a, b, c], [d, e, f], [g, h, i]] = rows;
    let near = of(of(of(of(b, d), e), f), h);
    [near, of(of(of(of(near, a), c), g), i)]
}

/// All nine vectors of a block from a place in it on.
#[inline(always)]
fn nine<T, V>(rows: [&[T]; 3], at: usize, read: impl Fn(&[T]) -> V) -> [[V; 3]; 3] {
    rows.map(|row| [0, 1, 2].map(|shift| read(&row[at + shift..])))
}

impl Surrounded for u8 {
    fn known(from: &[u8], _: u8, to: &mut [u8]) {
        to.copy_from_slice(from);
    }

    /// Each lane holds four samples: the first vector of results is of the first of them, and so on.
    #[inline(always)]
    fn around<S: Simd>(simd: S, rows: [&[u8]; 3], limit: f32) -> [Neighbourhood<S>; VECTORS] {
        let rows = nine(rows, 0, |row| simd.load_integers(row));
        let low = both(rows, |a, b| simd.min_u8(a, b));
        let high = both(rows, |a, b| simd.max_u8(a, b));
        let [[_, b, _], [d, e, f], [_, h, _]] = rows;
        let even = |v| simd.and_i32(v, simd.splat_i32(0x00ff_00ff));
        let odd = |v| simd.high_u8(v);
        let sum = |a, b| simd.sum_u16(a, b);
        let limit = limit as i32;
        let limit = simd.splat_i32(limit | limit << 16);
        let halves = |low: [S::I32; 2], high: [S::I32; 2], beside: [S::I32; 4], own| {
            let [low, high] = [low, high].map(|[near, all]| sum(near, all));
            let [b, d, f, h] = beside;
            [simd.min_u16(low, simd.sub_u16(limit, high)), high, sum(sum(b, d), sum(f, h)), own]
        };
        let even = halves(low.map(even), high.map(even), [b, d, f, h].map(even), even(e));
        let odd = halves(low.map(odd), high.map(odd), [b, d, f, h].map(odd), odd(e));
        let first = |v| simd.float(simd.and_i32(v, simd.splat_i32(0xffff)));
        let second = |v| simd.float(simd.down_i32(v, simd.splat_i32(16)));
        let of = |[room, high, beside, own]: [S::F32; 4]| Neighbourhood { room, high, beside, own };
        [of(even.map(first)), of(odd.map(first)), of(even.map(second)), of(odd.map(second))]
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, values: [S::F32; VECTORS], _: f32, to: &mut [u8]) {
        simd.weave_clamped(values.map(|value| simd.whole(value)), to);
    }
}

impl Surrounded for u16 {
    fn known(from: &[u16], peak: u16, to: &mut [u16]) {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from.min(&peak));
    }

    /// Each lane holds two samples: the first vector of results is of the first of them, the second of the second, and then
    /// come the lanes after them.
    #[inline(always)]
    fn around<S: Simd>(simd: S, rows: [&[u16]; 3], limit: f32) -> [Neighbourhood<S>; VECTORS] {
        let limit = simd.splat_i32(limit as i32);
        let block = |at: usize| {
            let rows = nine(rows, at, |row| simd.load_integers(row));
            let low = both(rows, |a, b| simd.min_u16(a, b));
            let high = both(rows, |a, b| simd.max_u16(a, b));
            let [[_, b, _], [d, e, f], [_, h, _]] = rows;
            let add = |a, b| simd.add_i32(a, b);
            let of = |[[near, all], [nearest, most], [b, d], [f, h], [e, _]]: [[S::I32; 2]; 5]| {
                let high = add(nearest, most);
                let room = simd.min_i32(add(near, all), simd.sub_i32(limit, high));
                let beside = add(add(b, d), add(f, h));
                let [room, high, beside, own] = [room, high, beside, e].map(|v| simd.float(v));
                Neighbourhood { room, high, beside, own }
            };
            let pairs = [low, high, [b, d], [f, h], [e, e]];
            let first = pairs.map(|pair| pair.map(|v| simd.and_i32(v, simd.splat_i32(0xffff))));
            let second = pairs.map(|pair| pair.map(|v| simd.down_i32(v, simd.splat_i32(16))));
            [of(first), of(second)]
        };
        let ([a, b], [c, d]) = (block(0), block(2 * S::LANES));
        [a, b, c, d]
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, values: [S::F32; VECTORS], peak: f32, to: &mut [u16]) {
        let (least, most) = (simd.splat(0.0), simd.splat(peak));
        u16::weave(simd, values.map(|value| simd.whole(simd.smaller(simd.larger(value, least), most))), to);
    }
}

impl Surrounded for f32 {
    fn known(from: &[f32], _: f32, to: &mut [f32]) {
        to.copy_from_slice(from);
    }

    #[inline(always)]
    fn around<S: Simd>(simd: S, rows: [&[f32]; 3], limit: f32) -> [Neighbourhood<S>; VECTORS] {
        std::array::from_fn(|n| {
            let rows = nine(rows, n * S::LANES, |row| simd.load(row));
            let low = both(rows, |a, b| simd.smaller(a, b));
            let high = both(rows, |a, b| simd.larger(a, b));
            let [[_, b, _], [d, own, f], [_, h, _]] = rows;
            let [low, high] = [low, high].map(|[near, all]| simd.add(near, all));
            let room = simd.larger(simd.smaller(low, simd.sub(simd.splat(limit), high)), simd.splat(0.0));
            Neighbourhood { room, high, beside: simd.add(simd.add(simd.add(b, d), f), h), own }
        })
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, values: [S::F32; VECTORS], _: f32, to: &mut [f32]) {
        for (n, value) in values.into_iter().enumerate() {
            simd.store(value, &mut to[n * S::LANES..]);
        }
    }
}
