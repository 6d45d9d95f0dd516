//! What one set of vector instructions can do ([`Simd`]), and loops that are compiled for every set ([`WithSimd`]).

use bytemuck::Pod;

/// The NaN that frames hold: which one an operation gives depends on the machine.
pub const NAN: f32 = f32::from_bits(0x7fc0_0000);

/// Any NaN becomes [`NAN`].
#[inline(always)]
pub fn quiet(value: f32) -> f32 {
    if value.is_nan() { NAN } else { value }
}

/// A loop that is compiled for every set of instructions. Everything it calls on its hot path is
/// `#[inline(always)]`, so that it becomes part of the function that has the instructions switched on. A closure is a function
/// without them: one that works on vectors, as in `map` and `from_fn`, calls a function for each of its instructions, and takes
/// up to twenty times as long. Loops, macros and methods stand in place of those.
pub trait WithSimd {
    /// The loop.
    fn work<S: Simd>(self, simd: S);
}

/// The first bytes of a slice as a vector, at any alignment.
#[inline(always)]
fn read<T: Pod, V: Pod>(from: &[T]) -> V {
    bytemuck::pod_read_unaligned(&bytemuck::cast_slice(from)[..size_of::<V>()])
}

/// A vector as the first bytes of a slice.
#[inline(always)]
fn write<T: Pod, V: Pod>(value: V, to: &mut [T]) {
    bytemuck::cast_slice_mut(to)[..size_of::<V>()].copy_from_slice(bytemuck::bytes_of(&value));
}

/// One set of vector instructions. Slices that are read or written hold at least a vector; a longer one is met at its
/// beginning.
pub trait Simd: Copy + Send + Sync {
    /// How many 32-bit numbers one vector holds.
    const LANES: usize;
    /// Whether vectors are registers of the machine, enough of them that loops that keep many pay.
    const REGISTERS: bool = true;
    /// A vector of `f32`.
    type F32: Pod;
    /// A vector of `i32`, or of as many bytes in smaller integers.
    type I32: Pod;
    /// As many 16-bit numbers as there are lanes.
    type U16: Pod;
    /// As many bytes as there are lanes.
    type U8: Pod;

    /// Runs `work` where these instructions are switched on.
    fn run<W: WithSimd>(self, work: W);

    /// Asks for memory that is read soon.
    #[inline(always)]
    fn prefetch(self, _: &[u8]) {}

    /// Writes `table[from[i]]` to `to[i]`, as far as there are both.
    #[inline(always)]
    fn look_up(self, table: &[u8; 256], from: &[u8], to: &mut [u8]) {
        to.iter_mut().zip(from).for_each(|(to, &from)| *to = table[usize::from(from)]);
    }

    /// In each lane the number of the table whose place the lane holds, a count from 0 on; the last for places beyond
    /// it, and 0 of an empty table.
    fn gather(self, table: &[f32], places: Self::I32) -> Self::F32;

    /// In each lane the four bytes from a place on, a count of bytes from 0 on; the last four for places beyond them, and 0 of fewer
    /// bytes.
    fn words(self, bytes: &[u8], places: Self::I32) -> Self::I32;

    /// In each lane the number of the table at a place.
    #[inline(always)]
    fn pick(self, table: &[f32; 1 << 16], places: &[u16]) -> Self::F32 {
        let mut found = [0.0; 16];
        found.iter_mut().zip(&places[..Self::LANES]).for_each(|(found, &place)| *found = table[usize::from(place)]);
        self.load(&found)
    }

    /// Eight rows of eight numbers, `from_stride` apart, become columns of rows that are `to_stride` apart.
    #[inline(always)]
    fn transpose(self, from: &[i32], from_stride: usize, to: &mut [i32], to_stride: usize) {
        for (i, to) in to.chunks_mut(to_stride).take(8).enumerate() {
            to.iter_mut().take(8).enumerate().for_each(|(j, to)| *to = from[j * from_stride + i]);
        }
    }

    /// The same value in all lanes.
    fn splat(self, value: f32) -> Self::F32;
    /// `a · b + c`, rounded once.
    fn mul_add(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32;
    /// `a · b`.
    fn mul(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a + b`.
    fn add(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a − b`.
    fn sub(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a / b`, correctly rounded.
    fn div(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The correctly rounded root.
    fn sqrt(self, a: Self::F32) -> Self::F32;
    /// Without the sign.
    fn abs(self, a: Self::F32) -> Self::F32;
    /// `a` where it is larger than `b`, and `b` elsewhere, so also where one is NaN.
    fn larger(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a` where it is smaller than `b`, and `b` elsewhere, so also where one is NaN.
    fn smaller(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `then` where `test` is NaN, and `other` elsewhere.
    fn where_nan(self, test: Self::F32, then: Self::F32, other: Self::F32) -> Self::F32;
    /// `then` in the lanes in which `a` is smaller than `b`, and `other` elsewhere, so also where one is NaN.
    fn where_below(self, a: Self::F32, b: Self::F32, then: Self::F32, other: Self::F32) -> Self::F32;
    /// The nearest whole number, of two the even one, of numbers from 0 to 2²².
    fn nearest(self, a: Self::F32) -> Self::F32;
    /// The first of each two lanes, of `a` and then of `b`.
    fn evens(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The second of each two lanes, of `a` and then of `b`.
    fn odds(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The first half of the lanes of `a` and of `b`, in turns.
    fn turns_low(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The same of the last half.
    fn turns_high(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// Without what stands behind the point, of a number whose magnitude is below 2³¹.
    fn whole(self, a: Self::F32) -> Self::I32;

    /// The same value in all lanes.
    fn splat_i32(self, value: i32) -> Self::I32;
    /// The same 16-bit number everywhere.
    #[inline(always)]
    fn splat_u16(self, value: u16) -> Self::I32 {
        self.splat_i32(i32::from(value) << 16 | i32::from(value))
    }
    /// `a + b`, modulo 2³².
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a − b`, modulo 2³².
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a · b`, modulo 2³².
    fn mul_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The bits of either.
    fn or_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The bits of both.
    fn and_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a · 2⁸`, modulo 2³².
    fn up_by_8(self, a: Self::I32) -> Self::I32;
    /// `a · 2¹⁶`, modulo 2³².
    fn up_by_16(self, a: Self::I32) -> Self::I32;
    /// `a / 2^bits` rounded down, each lane a count and its `bits` below 32.
    fn down_i32(self, a: Self::I32, bits: Self::I32) -> Self::I32;
    /// Whether all bits of all lanes are 0.
    fn is_zero(self, a: Self::I32) -> bool;
    /// In each lane the sum of all lanes up to it, modulo 2³².
    fn running_sum(self, a: Self::I32) -> Self::I32;
    /// The last lane in all lanes.
    fn last(self, a: Self::I32) -> Self::I32;
    /// In each 16-bit number the sum of all of them up to it, modulo 2¹⁶.
    fn running_sum_u16(self, a: Self::I32) -> Self::I32;
    /// The last 16-bit number in all of them.
    fn last_u16(self, a: Self::I32) -> Self::I32;
    /// To `f32`, to nearest, ties to even.
    fn float(self, a: Self::I32) -> Self::F32;

    /// The smaller of each two bytes.
    fn min_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The larger of each two bytes.
    fn max_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The sum of each two bytes, or 255.
    fn add_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// What each byte of `a` is more than that of `b`, or 0.
    fn above_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// All bits of the bytes that are 0, and none of the others.
    fn zeros_u8(self, a: Self::I32) -> Self::I32;
    /// The second of each two bytes as a 16-bit number.
    fn high_u8(self, a: Self::I32) -> Self::I32;
    /// The sum of each two 16-bit numbers, or 65535.
    fn add_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The difference of each two 16-bit numbers, modulo 2¹⁶.
    fn sub_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// What each 16-bit number of `a` is more than that of `b`, or 0.
    fn above_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// All bits of the 16-bit numbers that are 0, and none of the others.
    fn zeros_u16(self, a: Self::I32) -> Self::I32;
    /// The product of each two 16-bit numbers, modulo 2¹⁶.
    fn mul_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The smaller of each two 16-bit numbers.
    fn min_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The larger of each two 16-bit numbers.
    fn max_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The smaller of each two lanes.
    fn min_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The larger of each two lanes.
    fn max_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;

    /// `a + b` of each two 16-bit numbers, modulo 2¹⁶.
    fn sum_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The smaller of each two signed 16-bit numbers.
    fn min_i16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The larger of each two signed 16-bit numbers.
    fn max_i16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Each signed 16-bit number without its sign.
    fn abs_i16(self, a: Self::I32) -> Self::I32;
    /// Each signed 16-bit number halved, rounded down.
    fn half_i16(self, a: Self::I32) -> Self::I32;
    /// `then` in the signed 16-bit numbers in which `a` is larger than `b`, and `other` elsewhere.
    fn where_above_i16(self, a: Self::I32, b: Self::I32, then: Self::I32, other: Self::I32) -> Self::I32;
    /// Each lane without its sign.
    fn abs_i32(self, a: Self::I32) -> Self::I32;
    /// `then` in the lanes in which `a` is larger than `b`, and `other` elsewhere.
    fn where_above_i32(self, a: Self::I32, b: Self::I32, then: Self::I32, other: Self::I32) -> Self::I32;
    /// `a / 2^bits` rounded down, each lane signed and its `bits` below 32.
    fn signed_down_i32(self, a: Self::I32, bits: Self::I32) -> Self::I32;
    /// The lanes of `a` and `b` as 16-bit numbers, clamped to signed ones, where [`Simd::zip_low_u16`] and
    /// [`Simd::zip_high_u16`] took them from.
    fn pack_i16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Of each eight bytes of `a` and `b`, the sum of the differences without their signs, in the first of two lanes; the
    /// second is 0.
    fn apart_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// In each lane the one of `a`, and behind it `b`, at the place that the lane holds, modulo their number.
    fn permute(self, a: Self::I32, b: Self::I32, places: Self::I32) -> Self::I32;
    /// The lanes of `a` from the second on, and the first of `b`.
    fn follow(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Of each two lanes the first of `a`, and then the first of `b`; the second of `a` is 0.
    fn pair_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Adds to each lane the products of its four bytes and four signed bytes of `weights`, modulo 2³².
    fn dot_u8(self, sum: Self::I32, bytes: Self::I32, weights: Self::I32) -> Self::I32;
    /// The same of its two signed 16-bit numbers and two weights.
    fn dot_i16(self, sum: Self::I32, numbers: Self::I32, weights: Self::I32) -> Self::I32;
    /// In each 16-bit number the sum of the products of its two bytes and two signed bytes of `weights`, which has room
    /// there.
    fn pairs_u8(self, bytes: Self::I32, weights: Self::I32) -> Self::I32;
    /// Of each sixteen bytes the first eight of `a` and of `b`, in turns.
    fn zip_low_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The same of the last eight.
    fn zip_high_u8(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Of each eight 16-bit numbers the first four of `a` and of `b`, in turns.
    fn zip_low_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The same of the last four.
    fn zip_high_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Of each eight 16-bit numbers the first four are the lanes of `a`, and the last four those of `b`, clamped to 0 to 65535:
    /// what [`Simd::zip_low_u16`] and [`Simd::zip_high_u16`] took apart.
    fn pack_u16(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// In each lane four bytes: those of `a`, `b`, `c` and `d`, clamped to 0 to 255.
    fn clamped(self, a: Self::I32, b: Self::I32, c: Self::I32, d: Self::I32) -> Self::I32;
    /// Bytes as lanes.
    fn lanes_of_u8(self, bytes: Self::U8) -> Self::I32;
    /// Twice as many bytes as there are lanes, each as a 16-bit number.
    fn halves_of_u8(self, bytes: Self::U16) -> Self::I32;
    /// 16-bit numbers as lanes.
    fn lanes_of_u16(self, numbers: Self::U16) -> Self::I32;
    /// Lanes of 0 to 255 as bytes.
    fn to_u8(self, a: Self::I32) -> Self::U8;
    /// 16-bit numbers of 0 to 255 as bytes.
    fn bytes_of_u16(self, a: Self::I32) -> Self::U16;
    /// Lanes of 0 to 65535 as 16-bit numbers.
    fn to_u16(self, a: Self::I32) -> Self::U16;

    /// The larger; of a number and a NaN the number.
    #[inline(always)]
    fn max(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        self.where_nan(b, a, self.larger(a, b))
    }

    /// Any NaN becomes the quiet [`NAN`].
    #[inline(always)]
    fn quiet(self, a: Self::F32) -> Self::F32 {
        self.where_nan(a, self.splat(NAN), a)
    }

    /// `floor(a + 0.5)` clamped to `0 ..= peak`, NaN giving 0. `peak` is an integer below 2²⁴.
    #[inline(always)]
    fn round(self, a: Self::F32, peak: Self::F32) -> Self::I32 {
        // From 0 on cutting off is rounding down.
        let above = self.larger(self.add(a, self.splat(0.5)), self.splat(0.0));
        self.whole(self.smaller(above, peak))
    }

    /// Reads.
    #[inline(always)]
    fn load(self, from: &[f32]) -> Self::F32 {
        read(from)
    }

    /// Reads several vectors.
    #[inline(always)]
    fn load_all<const N: usize>(self, from: &[f32]) -> [Self::F32; N] {
        let mut loaded = [self.splat(0.0); N];
        for (n, loaded) in loaded.iter_mut().enumerate() {
            *loaded = self.load(&from[n * Self::LANES..]);
        }
        loaded
    }

    /// Writes.
    #[inline(always)]
    fn store(self, value: Self::F32, to: &mut [f32]) {
        write(value, to);
    }

    /// Reads integers, of any size.
    #[inline(always)]
    fn load_integers<T: Pod>(self, from: &[T]) -> Self::I32 {
        read(from)
    }

    /// Writes integers, of any size.
    #[inline(always)]
    fn store_integers<T: Pod>(self, value: Self::I32, to: &mut [T]) {
        write(value, to);
    }

    /// Reads as many bytes as there are lanes.
    #[inline(always)]
    fn widen_u8(self, from: &[u8]) -> Self::I32 {
        self.lanes_of_u8(read(from))
    }

    /// Reads twice as many bytes as there are lanes, as 16-bit numbers.
    #[inline(always)]
    fn halves_u8(self, from: &[u8]) -> Self::I32 {
        self.halves_of_u8(read(from))
    }

    /// Reads as many 16-bit numbers as there are lanes.
    #[inline(always)]
    fn widen_u16(self, from: &[u16]) -> Self::I32 {
        self.lanes_of_u16(read(from))
    }

    /// Writes lanes of 0 to 255.
    #[inline(always)]
    fn narrow_u8(self, value: Self::I32, to: &mut [u8]) {
        write(self.to_u8(value), to);
    }

    /// Writes 16-bit numbers of 0 to 255 as bytes.
    #[inline(always)]
    fn narrow_halves_u8(self, value: Self::I32, to: &mut [u8]) {
        write(self.bytes_of_u16(value), to);
    }

    /// Writes lanes of 0 to 65535.
    #[inline(always)]
    fn narrow_u16(self, value: Self::I32, to: &mut [u16]) {
        write(self.to_u16(value), to);
    }

    /// Writes four times as many bytes as there are lanes, from vectors of the first, second, third and fourth of each
    /// four. Values are 0 to 255.
    #[inline(always)]
    fn weave_u8(self, [a, b, c, d]: [Self::I32; 4], to: &mut [u8]) {
        let (low, high) = (self.or_i32(a, self.up_by_8(b)), self.or_i32(c, self.up_by_8(d)));
        self.store_integers(self.or_i32(low, self.up_by_16(high)), to);
    }

    /// The same of any values, which are clamped to 0 to 255.
    #[inline(always)]
    fn weave_clamped(self, [a, b, c, d]: [Self::I32; 4], to: &mut [u8]) {
        self.store_integers(self.clamped(a, b, c, d), to);
    }

    /// Writes twice as many 16-bit numbers as there are lanes, from vectors of the first and second of each two.
    /// Values are 0 to 65535.
    #[inline(always)]
    fn weave_u16(self, [a, b]: [Self::I32; 2], to: &mut [u16]) {
        self.store_integers(self.or_i32(a, self.up_by_16(b)), to);
    }
}
