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

// Macros, constants and loops, and no closures: what a closure holds would not be compiled with the instructions of the level.

/// All nine vectors of a block from a place in it on.
macro_rules! nine {
    ($simd:ident.$load:ident, $rows:ident, $at:expr) => {{
        let at = $at;
        let [a, b, c] = [&$rows[0][at..], &$rows[1][at..], &$rows[2][at..]];
        [
            [$simd.$load(a), $simd.$load(&a[1..]), $simd.$load(&a[2..])],
            [$simd.$load(b), $simd.$load(&b[1..]), $simd.$load(&b[2..])],
            [$simd.$load(c), $simd.$load(&c[1..]), $simd.$load(&c[2..])],
        ]
    }};
}

/// Minima or maxima of a block: of the samples beside each and itself, and of all nine.
macro_rules! both {
    ($simd:ident.$of:ident, $nine:ident) => {{
        let [[a, b, c], [d, e, f], [g, h, i]] = $nine;
        let near = $simd.$of($simd.$of($simd.$of($simd.$of(b, d), e), f), h);
        [near, $simd.$of($simd.$of($simd.$of($simd.$of(near, a), c), g), i)]
    }};
}

/// The first or second 16-bit number of each lane.
#[inline(always)]
fn number<S: Simd, const SECOND: bool>(simd: S, v: S::I32) -> S::I32 {
    if SECOND { simd.down_i32(v, simd.splat_i32(16)) } else { simd.and_i32(v, simd.splat_i32(0xffff)) }
}

/// The first or second of each two bytes, as a 16-bit number.
#[inline(always)]
fn byte<S: Simd, const SECOND: bool>(simd: S, v: S::I32) -> S::I32 {
    if SECOND { simd.high_u8(v) } else { simd.and_i32(v, simd.splat_i32(0x00ff_00ff)) }
}

/// What integers around a sample come to, in numbers of 16 bits or lanes.
struct NeighbourSums<V> {
    room: V,
    high: V,
    beside: V,
    own: V,
}

impl<V: Copy> NeighbourSums<V> {
    /// Of every first or second 16-bit number.
    #[inline(always)]
    fn numbers<S: Simd<I32 = V>, const SECOND: bool>(&self, simd: S) -> Neighbourhood<S> {
        Neighbourhood {
            room: simd.float(number::<S, SECOND>(simd, self.room)),
            high: simd.float(number::<S, SECOND>(simd, self.high)),
            beside: simd.float(number::<S, SECOND>(simd, self.beside)),
            own: simd.float(number::<S, SECOND>(simd, self.own)),
        }
    }
}

/// Those of the first or second of each two bytes of a block, of which the minima and maxima are known.
#[inline(always)]
fn bytes<S: Simd, const SECOND: bool>(
    simd: S,
    [low, high]: [[S::I32; 2]; 2],
    [[_, b, _], [d, e, f], [_, h, _]]: [[S::I32; 3]; 3],
    limit: S::I32,
) -> NeighbourSums<S::I32> {
    let low = simd.sum_u16(byte::<S, SECOND>(simd, low[0]), byte::<S, SECOND>(simd, low[1]));
    let high = simd.sum_u16(byte::<S, SECOND>(simd, high[0]), byte::<S, SECOND>(simd, high[1]));
    let column = simd.sum_u16(byte::<S, SECOND>(simd, b), byte::<S, SECOND>(simd, h));
    let row = simd.sum_u16(byte::<S, SECOND>(simd, d), byte::<S, SECOND>(simd, f));
    let room = simd.min_u16(low, simd.sub_u16(limit, high));
    NeighbourSums { room, high, beside: simd.sum_u16(column, row), own: byte::<S, SECOND>(simd, e) }
}

/// The same of the first or second of each two 16-bit numbers.
#[inline(always)]
fn numbers<S: Simd, const SECOND: bool>(
    simd: S,
    [low, high]: [[S::I32; 2]; 2],
    [[_, b, _], [d, e, f], [_, h, _]]: [[S::I32; 3]; 3],
    limit: S::I32,
) -> Neighbourhood<S> {
    let low = simd.add_i32(number::<S, SECOND>(simd, low[0]), number::<S, SECOND>(simd, low[1]));
    let high = simd.add_i32(number::<S, SECOND>(simd, high[0]), number::<S, SECOND>(simd, high[1]));
    let column = simd.add_i32(number::<S, SECOND>(simd, b), number::<S, SECOND>(simd, h));
    let row = simd.add_i32(number::<S, SECOND>(simd, d), number::<S, SECOND>(simd, f));
    let room = simd.min_i32(low, simd.sub_i32(limit, high));
    Neighbourhood {
        room: simd.float(room),
        high: simd.float(high),
        beside: simd.float(simd.add_i32(column, row)),
        own: simd.float(number::<S, SECOND>(simd, e)),
    }
}

impl Surrounded for u8 {
    fn known(from: &[u8], _: u8, to: &mut [u8]) {
        to.copy_from_slice(from);
    }

    /// Each lane holds four samples: the first vector of results is of the first of them, and so on.
    #[inline(always)]
    fn around<S: Simd>(simd: S, rows: [&[u8]; 3], limit: f32) -> [Neighbourhood<S>; VECTORS] {
        let nine = nine!(simd.load_integers, rows, 0);
        let extremes = [both!(simd.min_u8, nine), both!(simd.max_u8, nine)];
        let limit = simd.splat_u16(limit as u16);
        let even = bytes::<S, false>(simd, extremes, nine, limit);
        let odd = bytes::<S, true>(simd, extremes, nine, limit);
        [
            even.numbers::<S, false>(simd),
            odd.numbers::<S, false>(simd),
            even.numbers::<S, true>(simd),
            odd.numbers::<S, true>(simd),
        ]
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, [a, b, c, d]: [S::F32; VECTORS], _: f32, to: &mut [u8]) {
        simd.weave_clamped([simd.whole(a), simd.whole(b), simd.whole(c), simd.whole(d)], to);
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
        let nine = nine!(simd.load_integers, rows, 0);
        let extremes = [both!(simd.min_u16, nine), both!(simd.max_u16, nine)];
        let (a, b) =
            (numbers::<S, false>(simd, extremes, nine, limit), numbers::<S, true>(simd, extremes, nine, limit));
        let nine = nine!(simd.load_integers, rows, 2 * S::LANES);
        let extremes = [both!(simd.min_u16, nine), both!(simd.max_u16, nine)];
        let (c, d) =
            (numbers::<S, false>(simd, extremes, nine, limit), numbers::<S, true>(simd, extremes, nine, limit));
        [a, b, c, d]
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, values: [S::F32; VECTORS], peak: f32, to: &mut [u16]) {
        let (least, most) = (simd.splat(0.0), simd.splat(peak));
        let mut whole = [simd.splat_i32(0); VECTORS];
        for (whole, value) in whole.iter_mut().zip(values) {
            *whole = simd.whole(simd.smaller(simd.larger(value, least), most));
        }
        u16::weave(simd, whole, to);
    }
}

/// What is around the vector of floats at a place.
#[inline(always)]
fn floats<S: Simd>(simd: S, rows: [&[f32]; 3], at: usize, limit: f32) -> Neighbourhood<S> {
    let nine = nine!(simd.load, rows, at);
    let ([near, all], [nearest, most]) = (both!(simd.smaller, nine), both!(simd.larger, nine));
    let [[_, b, _], [d, own, f], [_, h, _]] = nine;
    let (low, high) = (simd.add(near, all), simd.add(nearest, most));
    let room = simd.larger(simd.smaller(low, simd.sub(simd.splat(limit), high)), simd.splat(0.0));
    Neighbourhood { room, high, beside: simd.add(simd.add(simd.add(b, d), f), h), own }
}

impl Surrounded for f32 {
    fn known(from: &[f32], _: f32, to: &mut [f32]) {
        to.copy_from_slice(from);
    }

    #[inline(always)]
    fn around<S: Simd>(simd: S, rows: [&[f32]; 3], limit: f32) -> [Neighbourhood<S>; VECTORS] {
        [
            floats(simd, rows, 0, limit),
            floats(simd, rows, S::LANES, limit),
            floats(simd, rows, 2 * S::LANES, limit),
            floats(simd, rows, 3 * S::LANES, limit),
        ]
    }

    #[inline(always)]
    fn put<S: Simd>(simd: S, values: [S::F32; VECTORS], _: f32, to: &mut [f32]) {
        for (n, value) in values.into_iter().enumerate() {
            simd.store(value, &mut to[n * S::LANES..]);
        }
    }
}
