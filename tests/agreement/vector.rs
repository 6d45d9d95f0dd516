//! Every operation of every set of vector instructions against what it is said to do, lane by lane.

use std::array::from_fn;

use warpreel::backend::cpu::simd::{Level, NAN, Simd, WithSimd};

use super::Random;

/// As many lanes as the widest set has.
const MOST: usize = 16;

const FLOATS: [f32; 16] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    254.5,
    255.49,
    65535.4,
    -3.7,
    1e9,
    -1e9,
    3e38,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MIN_POSITIVE,
];

const INTEGERS: [i32; 9] = [0, 1, -1, 255, 256, -256, 65535, i32::MAX, i32::MIN];

struct Check<'a> {
    random: &'a mut Random,
    level: Level,
}

impl Check<'_> {
    fn integer(&mut self) -> i32 {
        match self.random.below(3) {
            0 => *self.random.one_of(&INTEGERS),
            _ => (self.random.below(1 << 16) << 16 | self.random.below(1 << 16)) as u32 as i32,
        }
    }

    fn integers(&mut self) -> [i32; MOST] {
        from_fn(|_| self.integer())
    }

    fn floats(&mut self) -> [f32; MOST] {
        from_fn(|_| match self.random.below(3) {
            0 => *self.random.one_of(&FLOATS),
            _ => self.random.below(1 << 20) as f32 / 7.0 - 70_000.0,
        })
    }

    fn same<S: Simd>(&self, simd: S, name: &str, found: S::I32, wanted: impl Fn(usize) -> i32) {
        let mut lanes = [0; MOST];
        simd.store_integers(found, &mut lanes);
        for (n, &lane) in lanes.iter().enumerate().take(S::LANES) {
            assert_eq!(lane, wanted(n), "{name}, lane {n}, {}", self.level);
        }
    }

    fn same_float<S: Simd>(&self, simd: S, name: &str, found: S::F32, wanted: impl Fn(usize) -> f32) {
        let mut lanes = [0.0; MOST];
        simd.store(found, &mut lanes);
        for (n, &lane) in lanes.iter().enumerate().take(S::LANES) {
            let wanted = wanted(n);
            let same = lane.to_bits() == wanted.to_bits() || lane.is_nan() && wanted.is_nan();
            assert!(same, "{name}, lane {n}, {}: {lane} is not {wanted}", self.level);
        }
    }

    fn on_floats<S: Simd>(&mut self, simd: S) {
        let (a, b, c) = (self.floats(), self.floats(), self.floats());
        let [va, vb, vc] = [a, b, c].map(|lanes| simd.load(&lanes));
        self.same_float(simd, "mul_add", simd.mul_add(va, vb, vc), |n| a[n].mul_add(b[n], c[n]));
        self.same_float(simd, "mul", simd.mul(va, vb), |n| a[n] * b[n]);
        self.same_float(simd, "add", simd.add(va, vb), |n| a[n] + b[n]);
        self.same_float(simd, "sub", simd.sub(va, vb), |n| a[n] - b[n]);
        self.same_float(simd, "div", simd.div(va, vb), |n| a[n] / b[n]);
        self.same_float(simd, "sqrt", simd.sqrt(va), |n| a[n].sqrt());
        self.same_float(simd, "abs", simd.abs(va), |n| a[n].abs());
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        self.same_float(simd, "larger", simd.larger(va, vb), |n| larger(a[n], b[n]));
        self.same_float(simd, "smaller", simd.smaller(va, vb), |n| if a[n] < b[n] { a[n] } else { b[n] });
        self.same_float(simd, "max", simd.max(va, vb), |n| if b[n].is_nan() { a[n] } else { larger(a[n], b[n]) });
        let mut quiet = [0.0; MOST];
        simd.store(simd.quiet(va), &mut quiet);
        for (n, &lane) in quiet.iter().enumerate().take(S::LANES) {
            let wanted = if a[n].is_nan() { NAN } else { a[n] };
            assert_eq!(lane.to_bits(), wanted.to_bits(), "quiet, {}", self.level);
        }
        let below = simd.where_below(va, vb, vc, va);
        self.same_float(simd, "where below", below, |n| if a[n] < b[n] { c[n] } else { a[n] });
        for peak in [255.0, 1023.0, 65535.0] {
            let rounded = simd.round(va, simd.splat(peak));
            self.same(simd, "round", rounded, |n| (a[n] + 0.5).floor().clamp(0.0, peak) as i32);
        }
        let small = a.map(|lane| if lane.abs() < 4_194_304.0 { lane.abs() } else { 2.5 });
        self.same_float(simd, "nearest", simd.nearest(simd.load(&small)), |n| small[n].round_ties_even());
        let lanes = S::LANES;
        let both = |n: usize| if n < lanes { a[n] } else { b[n - lanes] };
        self.same_float(simd, "evens", simd.evens(va, vb), |n| both(2 * n));
        self.same_float(simd, "odds", simd.odds(va, vb), |n| both(2 * n + 1));
        self.same_float(simd, "turns low", simd.turns_low(va, vb), |n| both(n / 2 + n % 2 * lanes));
        self.same_float(simd, "turns high", simd.turns_high(va, vb), |n| both((lanes + n) / 2 + n % 2 * lanes));
        let near = a.map(|lane| if lane.abs() < 2e9 { lane } else { 1.9 });
        self.same(simd, "whole", simd.whole(simd.load(&near)), |n| near[n] as i32);
    }

    fn on_integers<S: Simd>(&mut self, simd: S) {
        let (a, b, c) = (self.integers(), self.integers(), self.integers());
        let [va, vb, vc] = [a, b, c].map(|lanes| simd.load_integers(&lanes));
        self.same(simd, "splat", simd.splat_i32(a[0]), |_| a[0]);
        self.same(simd, "add", simd.add_i32(va, vb), |n| a[n].wrapping_add(b[n]));
        self.same(simd, "sub", simd.sub_i32(va, vb), |n| a[n].wrapping_sub(b[n]));
        self.same(simd, "mul", simd.mul_i32(va, vb), |n| a[n].wrapping_mul(b[n]));
        self.same(simd, "or", simd.or_i32(va, vb), |n| a[n] | b[n]);
        self.same(simd, "and", simd.and_i32(va, vb), |n| a[n] & b[n]);
        self.same(simd, "up by 8", simd.up_by_8(va), |n| a[n] << 8);
        self.same(simd, "up by 16", simd.up_by_16(va), |n| a[n] << 16);
        let bits = b.map(|lane| lane & 31);
        let counts = a.map(|lane| lane & i32::MAX);
        let down = simd.down_i32(simd.load_integers(&counts), simd.load_integers(&bits));
        self.same(simd, "down", down, |n| counts[n] >> bits[n]);
        let sum = |n: usize| a[..=n].iter().fold(0i32, |sum, &lane| sum.wrapping_add(lane));
        self.same(simd, "running sum", simd.running_sum(va), sum);
        self.same(simd, "last", simd.last(va), |_| a[S::LANES - 1]);
        let word = |n: usize| (a[n / 2] as u32 >> (n % 2 * 16)) as u16;
        let sum = |n: usize| (0..=n).fold(0u16, |sum, n| sum.wrapping_add(word(n)));
        let sums = simd.running_sum_u16(va);
        self.same(simd, "running sum of words", sums, |n| i32::from(sum(2 * n)) | i32::from(sum(2 * n + 1)) << 16);
        let last = i32::from(word(2 * S::LANES - 1));
        self.same(simd, "last word", simd.last_u16(va), |_| last | last << 16);
        let block: [i32; 8 * 9] = from_fn(|_| self.integer());
        let mut turned = [0; 8 * 11];
        simd.transpose(&block, 9, &mut turned, 11);
        for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
            assert_eq!(turned[11 * row + column], block[9 * column + row], "transpose, {}", self.level);
        }
        self.same_float(simd, "float", simd.float(va), |n| a[n] as f32);
        let bytes = |f: fn(u8, u8) -> u8| {
            move |n: usize| {
                let (a, b) = (a[n].to_le_bytes(), b[n].to_le_bytes());
                i32::from_le_bytes(from_fn(|i| f(a[i], b[i])))
            }
        };
        self.same(simd, "min of bytes", simd.min_u8(va, vb), bytes(u8::min));
        self.same(simd, "max of bytes", simd.max_u8(va, vb), bytes(u8::max));
        self.same(simd, "add of bytes", simd.add_u8(va, vb), bytes(u8::saturating_add));
        self.same(simd, "above of bytes", simd.above_u8(va, vb), bytes(u8::saturating_sub));
        let few = simd.and_i32(va, simd.and_i32(vb, vc));
        let few = simd.and_i32(few, simd.splat_i32(0x0100_1001));
        let zeros = simd.zeros_u8(few);
        let lane = |n: usize| a[n] & b[n] & c[n] & 0x0100_1001;
        self.same(simd, "zeros of bytes", zeros, |n| {
            i32::from_le_bytes(lane(n).to_le_bytes().map(|byte| if byte == 0 { 255 } else { 0 }))
        });
        self.same(simd, "high bytes", simd.high_u8(va), |n| (a[n] as u32 >> 8 & 0x00ff_00ff) as i32);
        let halves = |a: i32| [a as u16, (a as u32 >> 16) as u16];
        let words = |f: fn(u16, u16) -> u16| {
            move |n: usize| {
                let (a, b) = (halves(a[n]), halves(b[n]));
                i32::from(f(a[0], b[0])) | i32::from(f(a[1], b[1])) << 16
            }
        };
        self.same(simd, "min of words", simd.min_u16(va, vb), words(u16::min));
        self.same(simd, "max of words", simd.max_u16(va, vb), words(u16::max));
        self.same(simd, "add of words", simd.add_u16(va, vb), words(u16::saturating_add));
        self.same(simd, "sub of words", simd.sub_u16(va, vb), words(u16::wrapping_sub));
        self.same(simd, "above of words", simd.above_u16(va, vb), words(u16::saturating_sub));
        self.same(simd, "zeros of words", simd.zeros_u16(few), |n| {
            let [low, high] = halves(lane(n)).map(|word| if word == 0 { 0xffff_u32 } else { 0 });
            (low | high << 16) as i32
        });
        self.same(simd, "mul of words", simd.mul_u16(va, vb), words(u16::wrapping_mul));
        let bit = 1 << self.random.below(31);
        let mut one = [0; MOST];
        assert!(simd.is_zero(simd.load_integers(&one)), "{}", self.level);
        one[self.random.below(S::LANES as u64) as usize] = bit;
        assert!(!simd.is_zero(simd.load_integers(&one)), "{}", self.level);
        self.same(simd, "min", simd.min_i32(va, vb), |n| a[n].min(b[n]));
        self.same(simd, "max", simd.max_i32(va, vb), |n| a[n].max(b[n]));
        let apart = |n: usize| {
            let pairs = a[n].to_le_bytes().into_iter().zip(b[n].to_le_bytes());
            pairs.map(|(a, b)| i32::from(a.abs_diff(b))).sum::<i32>()
        };
        let sums = |n: usize| if n.is_multiple_of(2) { apart(n) + apart(n + 1) } else { 0 };
        self.same(simd, "apart of bytes", simd.apart_u8(va, vb), sums);
        let firsts: [i32; MOST] = from_fn(|n| if n % 2 == 0 { a[n] } else { 0 });
        let pairs = simd.pair_i32(simd.load_integers(&firsts), vb);
        self.same(simd, "pair", pairs, |n| if n % 2 == 0 { a[n] } else { b[n - 1] });
        self.same(simd, "dot of bytes", simd.dot_u8(va, vb, vc), |n| {
            let products = b[n].to_le_bytes().into_iter().zip(c[n].to_le_bytes());
            products.fold(a[n], |sum, (byte, weight)| sum.wrapping_add(i32::from(byte) * i32::from(weight as i8)))
        });
        self.same(simd, "dot of words", simd.dot_i16(va, vb, vc), |n| {
            let products = halves(b[n]).into_iter().zip(halves(c[n]));
            products
                .fold(a[n], |sum, (word, weight)| sum.wrapping_add(i32::from(word as i16) * i32::from(weight as i16)))
        });
        // So that two products have room in 16 bits.
        let small = c.map(|lane| i32::from_le_bytes(lane.to_le_bytes().map(|byte| ((byte as i8) >> 1) as u8)));
        self.same(simd, "pairs", simd.pairs_u8(vb, simd.load_integers(&small)), |n| {
            let products: [_; 4] =
                from_fn(|i| i32::from(b[n].to_le_bytes()[i]) * i32::from(small[n].to_le_bytes()[i] as i8));
            i32::from((products[0] + products[1]) as u16) | (products[2] + products[3]) << 16
        });
        let of_bytes = |first: usize| {
            move |n: usize| {
                let byte = |place: usize, of: &[i32; MOST]| of[n / 4 * 4 + place / 4].to_le_bytes()[place % 4];
                let place = first + n % 4 * 2;
                i32::from_le_bytes([byte(place, &a), byte(place, &b), byte(place + 1, &a), byte(place + 1, &b)])
            }
        };
        self.same(simd, "zip of low bytes", simd.zip_low_u8(va, vb), of_bytes(0));
        self.same(simd, "zip of high bytes", simd.zip_high_u8(va, vb), of_bytes(8));
        let of_words = |first: usize| {
            move |n: usize| {
                let place = first + n % 4;
                let word = |of: &[i32; MOST]| halves(of[n / 4 * 4 + place / 2])[place % 2];
                i32::from(word(&a)) | i32::from(word(&b)) << 16
            }
        };
        self.same(simd, "zip of low words", simd.zip_low_u16(va, vb), of_words(0));
        self.same(simd, "zip of high words", simd.zip_high_u16(va, vb), of_words(4));
        let four = [a, b, c, a];
        self.same(simd, "clamped", simd.clamped(va, vb, vc, va), |n| {
            i32::from_le_bytes(four.map(|lanes| lanes[n].clamp(0, 255) as u8))
        });
    }

    /// Signed numbers of 16 and 32 bits.
    fn on_signed<S: Simd>(&mut self, simd: S) {
        let (a, b, c, d) = (self.integers(), self.integers(), self.integers(), self.integers());
        let [va, vb, vc, vd] = [a, b, c, d].map(|lanes| simd.load_integers(&lanes));
        let halves = |a: i32| [a as i16, (a >> 16) as i16];
        let joined = |[low, high]: [i16; 2]| i32::from(low as u16) | i32::from(high) << 16;
        let two = |f: fn(i16, i16) -> i16| {
            move |n: usize| {
                let (a, b) = (halves(a[n]), halves(b[n]));
                joined([f(a[0], b[0]), f(a[1], b[1])])
            }
        };
        self.same(simd, "sum of words", simd.sum_u16(va, vb), two(i16::wrapping_add));
        self.same(simd, "min of signed words", simd.min_i16(va, vb), two(i16::min));
        self.same(simd, "max of signed words", simd.max_i16(va, vb), two(i16::max));
        self.same(simd, "half of signed words", simd.half_i16(va), two(|a, _| a >> 1));
        // The smallest has no opposite.
        let near: [i32; MOST] = from_fn(|n| joined(halves(a[n]).map(|half| half.max(-i16::MAX))));
        let sizes = simd.abs_i16(simd.load_integers(&near));
        self.same(simd, "abs of words", sizes, |n| joined(halves(near[n]).map(i16::abs)));
        self.same(simd, "where above of words", simd.where_above_i16(va, vb, vc, vd), |n| {
            let [a, b, c, d] = [a[n], b[n], c[n], d[n]].map(halves);
            joined([0, 1].map(|i| if a[i] > b[i] { c[i] } else { d[i] }))
        });
        let near: [i32; MOST] = from_fn(|n| a[n].max(-i32::MAX));
        self.same(simd, "abs", simd.abs_i32(simd.load_integers(&near)), |n| near[n].abs());
        self.same(simd, "where above", simd.where_above_i32(va, vb, vc, vd), |n| if a[n] > b[n] { c[n] } else { d[n] });
        let bits = b.map(|lane| lane & 31);
        self.same(simd, "signed down", simd.signed_down_i32(va, simd.load_integers(&bits)), |n| a[n] >> bits[n]);
        let [small_a, small_b] = [a, b].map(|lanes| lanes.map(|lane| lane >> 15));
        let packed = simd.pack_i16(simd.load_integers(&small_a), simd.load_integers(&small_b));
        self.same(simd, "pack", packed, |n| {
            let of = |place: usize| {
                let (lanes, place) = if place < 4 { (&small_a, place) } else { (&small_b, place - 4) };
                lanes[n / 4 * 4 + place].clamp(i16::MIN.into(), i16::MAX.into()) as i16
            };
            joined([of(n % 4 * 2), of(n % 4 * 2 + 1)])
        });
        let bytes: [u8; 256] = from_fn(|_| self.random.below(256) as u8);
        let mut narrow = [0; 2 * MOST];
        simd.narrow_halves_u8(simd.halves_u8(&bytes), &mut narrow);
        assert_eq!(narrow[..2 * S::LANES], bytes[..2 * S::LANES], "{}", self.level);
    }

    fn on_memory<S: Simd>(&mut self, simd: S) {
        let bytes: [u8; 256] = from_fn(|_| self.random.below(256) as u8);
        let words: [u16; MOST] = from_fn(|_| self.random.below(1 << 16) as u16);
        self.same(simd, "widen bytes", simd.widen_u8(&bytes), |n| i32::from(bytes[n]));
        self.same(simd, "widen words", simd.widen_u16(&words), |n| i32::from(words[n]));
        self.same(simd, "halves", simd.halves_u8(&bytes), |n| {
            i32::from(bytes[2 * n]) | i32::from(bytes[2 * n + 1]) << 16
        });
        let mut narrow = [0; MOST];
        simd.narrow_u8(simd.widen_u8(&bytes), &mut narrow);
        assert_eq!(narrow[..S::LANES], bytes[..S::LANES], "{}", self.level);
        let mut narrow = [0; MOST];
        simd.narrow_u16(simd.widen_u16(&words), &mut narrow);
        assert_eq!(narrow[..S::LANES], words[..S::LANES], "{}", self.level);
        let four: [_; 4] = from_fn(|i| simd.widen_u8(&bytes[i * MOST..]));
        let mut woven = [0; 4 * MOST];
        simd.weave_u8(four, &mut woven);
        for (n, &byte) in woven.iter().enumerate().take(4 * S::LANES) {
            assert_eq!(byte, bytes[n % 4 * MOST + n / 4], "{}", self.level);
        }
        let mut woven = [0; 2 * MOST];
        simd.weave_u16([simd.widen_u16(&words), four[0]], &mut woven);
        for (n, &word) in woven.iter().enumerate().take(2 * S::LANES) {
            let wanted = if n % 2 == 0 { words[n / 2] } else { bytes[n / 2].into() };
            assert_eq!(word, wanted, "{}", self.level);
        }
        let table: Vec<f32> = (0..self.random.below(300)).map(|_| self.random.real(0.0, 1.0)).collect();
        let wild = self.integers();
        let places: [i32; MOST] = from_fn(|n| if n % 3 == 0 { wild[n] } else { self.random.below(300) as i32 });
        let gathered = simd.gather(&table, simd.load_integers(&places));
        self.same_float(simd, "gather", gathered, |n| {
            table.get(places[n] as u32 as usize).or(table.last()).copied().unwrap_or_default()
        });
        let from: Vec<u8> = (0..self.random.below(200)).map(|_| self.random.below(256) as u8).collect();
        let mut to = vec![1; self.random.below(200) as usize];
        let wanted: Vec<u8> = (0..to.len()).map(|i| from.get(i).map_or(1, |&from| bytes[usize::from(from)])).collect();
        simd.look_up(&bytes, &from, &mut to);
        assert_eq!(to, wanted, "{}", self.level);
    }
}

impl WithSimd for Check<'_> {
    fn work<S: Simd>(mut self, simd: S) {
        for _ in 0..300 {
            self.on_floats(simd);
            self.on_integers(simd);
            self.on_signed(simd);
            self.on_memory(simd);
        }
    }
}

#[test]
fn every_set() {
    for level in Level::available() {
        level.run(Check { random: &mut Random::new(31), level });
    }
}
