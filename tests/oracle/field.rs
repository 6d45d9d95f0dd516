//! What deinterlacers have in common: which rows stay, numbers, and the bound of a rebuilt sample.

use std::ops::{Add, Mul, Sub};

use warpreel::frame::Sample;
use warpreel::pass::{Deinterlacing, Parity};

use super::Place;

/// Whole numbers, or floats that are rounded after every operation.
pub trait Number: Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// 1 for whole numbers, 0 for floats.
    const INTEGER: Self;
    fn of(number: i64) -> Self;
    /// Without the sign.
    fn size(self) -> Self;
    /// Divided by a power of two, rounded down.
    fn over(self, power: i64) -> Self;
}

impl Number for i64 {
    const INTEGER: Self = 1;

    fn of(number: i64) -> Self {
        number
    }

    fn size(self) -> Self {
        self.abs()
    }

    fn over(self, power: i64) -> Self {
        self.div_euclid(power)
    }
}

impl Number for f32 {
    const INTEGER: Self = 0.0;

    fn of(number: i64) -> Self {
        number as f32
    }

    fn size(self) -> Self {
        self.abs()
    }

    fn over(self, power: i64) -> Self {
        self / power as f32
    }
}

/// The samples around a place, as numbers.
pub struct Rows<'a, N> {
    place: &'a Place<'a>,
    read: &'a dyn Fn(f32) -> N,
    pub y: isize,
    pub x: isize,
    pub height: isize,
    pub width: isize,
}

impl<N> Rows<'_, N> {
    /// The sample `t` frames and `k` rows away; a row or two outside is the one as far inside, in a plane of one row that row.
    pub fn at(&self, t: isize, k: isize) -> N {
        self.sample(t, k, 0)
    }

    /// The same in the frame itself, `i` columns away.
    pub fn beside(&self, k: isize, i: isize) -> N {
        self.sample(0, k, i)
    }

    fn sample(&self, t: isize, k: isize, i: isize) -> N {
        let mut y = self.y + k;
        if y < 0 {
            y = -y;
        }
        if y >= self.height {
            y = 2 * (self.height - 1) - y;
        }
        let y = y.clamp(0, self.height - 1);
        (self.read)(self.place.stack.inside(t, y, self.x + i))
    }
}

/// What a sample is: the centre's where its row stays, else what one of the two computes.
pub fn sample(
    fields: Deinterlacing,
    place: &Place,
    real: impl Fn(&Rows<f32>, bool) -> f32,
    whole: impl Fn(&Rows<i64>, bool) -> i64,
) -> f32 {
    let scan = place.scan;
    let [before, own, after] = scan.fields;
    if fields.marked_only {
        let pulldown = [before, after].iter().any(|other| !other.is_interlaced && other.repeats);
        if !own.is_interlaced || fields.spares_pulldown && pulldown {
            return place.centre();
        }
    }
    let top_stays = match fields.parity {
        Parity::Top => true,
        Parity::Bottom => false,
        Parity::Auto => own.top_first || !own.is_interlaced,
    };
    let is_top = place.y % 2 == 0;
    if is_top == (top_stays != scan.is_second) {
        return place.centre();
    }
    // Behind the last frame of a clip there is none to its second field, also where there is none before its first.
    let opens = if scan.is_second { scan.begins } else { scan.begins && !scan.ends };
    let (y, x, height, width) = (place.y, place.x, place.stack.height, place.stack.width);
    if place.format.pixel.sample == Sample::F32 {
        let made = real(&Rows { place, read: &|sample| sample, y, x, height, width }, opens);
        return if made.is_nan() { f32::from_bits(0x7fc0_0000) } else { made };
    }
    let peak = place.format.pixel.peak();
    let read = |sample: f32| sample.min(peak) as i64;
    whole(&Rows { place, read: &read, y, x, height, width }, opens).clamp(0, peak as i64) as f32
}

/// The mean `d`, the change `t` and the bound.
pub fn bound<N: Number>(rows: &Rows<N>) -> (N, N, N) {
    let (c, e) = (rows.at(0, -1), rows.at(0, 1));
    let (p, q) = (rows.at(-1, 0), rows.at(0, 0));
    let t = (p - q).size();
    let beside = |frame: isize| ((rows.at(frame, -1) - c).size() + (rows.at(frame, 1) - e).size()).over(2);
    ((p + q).over(2), t, largest(largest(t.over(2), beside(-1)), beside(1)))
}

/// The bound after the spatial check.
pub fn checked<N: Number>(w: N, d: N, [c, e]: [N; 2], [above, below]: [N; 2]) -> N {
    let (b, f) = (above.over(2) - c, below.over(2) - e);
    let m = largest(largest(d - e, d - c), smallest(b, f));
    let n = smallest(smallest(d - e, d - c), largest(b, f));
    largest(largest(w, n), N::of(0) - m)
}

/// A prediction, at most `d + w` and then at least `d − w`.
pub fn within<N: Number>(predicted: N, d: N, w: N) -> N {
    largest(d - w, smallest(d + w, predicted))
}

/// The first if it is larger, else the second.
fn largest<N: Number>(a: N, b: N) -> N {
    if a > b { a } else { b }
}

/// The first if it is smaller, else the second.
fn smallest<N: Number>(a: N, b: N) -> N {
    if a < b { a } else { b }
}
