//! Some colours at once looked up in a lattice: places and weights in vectors, then each colour by itself, whose three numbers
//! and a fourth of no meaning are a vector of their own.

use super::super::simd::Simd;
use crate::pass::{Lattice, LatticeMode};

/// Colours that are looked up at once.
pub const CHUNK: usize = 64;
/// Points around a colour.
const CORNERS: usize = 8;

/// The colours of some places, and what is found for them.
pub struct Colours {
    /// Red, green and blue that go in.
    pub given: [[f32; CHUNK]; 3],
    /// Red, green and blue that come out.
    pub found: [[f32; CHUNK]; 3],
    /// Of each corner its point, or of each curve its piece.
    pub places: [[i32; CHUNK]; CORNERS],
    /// Weights of points, or parts of the way along each axis.
    pub weights: [[f32; CHUNK]; 4],
    /// Points, or pieces of each curve.
    pub numbers: [[[f32; 4]; CHUNK]; 3],
}

impl Colours {
    /// None.
    pub const NONE: Self = Self {
        given: [[0.0; CHUNK]; 3],
        found: [[0.0; CHUNK]; 3],
        places: [[0; CHUNK]; CORNERS],
        weights: [[0.0; CHUNK]; 4],
        numbers: [[[0.0; 4]; CHUNK]; 3],
    };
}

/// The first, second, third and fourth of each four numbers.
#[inline(always)]
pub fn columns<S: Simd>(simd: S, from: &[[f32; 4]]) -> [S::F32; 4] {
    let [a, b, c, d] = simd.load_all(from.as_flattened());
    let (even, odd) = ([simd.evens(a, b), simd.evens(c, d)], [simd.odds(a, b), simd.odds(c, d)]);
    [simd.evens(even[0], even[1]), simd.evens(odd[0], odd[1]), simd.odds(even[0], even[1]), simd.odds(odd[0], odd[1])]
}

/// A lattice whose points are vectors.
pub struct Points {
    table: Vec<[f32; 4]>,
    low: [f32; 3],
    scale: [f32; 3],
    last: f32,
    /// Points to the next one along red, green and blue.
    steps: [f32; 3],
    mode: LatticeMode,
}

impl Points {
    /// With points of nothing behind the last, which those at the edge meet with a weight of 0.
    pub fn new(lattice: &Lattice, mode: LatticeMode) -> Self {
        let Lattice { size, points, low, scale } = lattice;
        let beyond = size * size + size + 1;
        let table = points.iter().map(|[r, g, b]| [*r, *g, *b, 0.0]).chain(std::iter::repeat_n([0.0; 4], beyond));
        Self {
            table: table.collect(),
            low: *low,
            scale: *scale,
            last: (size - 1) as f32,
            steps: [1.0, *size as f32, (size * size) as f32],
            mode,
        }
    }

    /// Finds what stands for the colours that are given.
    #[inline(always)]
    pub fn look_up<S: Simd>(&self, simd: S, colours: &mut Colours) {
        match self.mode {
            LatticeMode::Tetrahedral => self.tetrahedral(simd, colours),
            LatticeMode::Trilinear => self.trilinear(simd, colours),
            LatticeMode::Nearest => self.nearest(simd, colours),
        }
        let [points, ..] = &colours.numbers;
        for k in (0..CHUNK).step_by(S::LANES) {
            let [r, g, b, _] = columns(simd, &points[k..]);
            let [to_r, to_g, to_b] = &mut colours.found;
            simd.store(r, &mut to_r[k..]);
            simd.store(g, &mut to_g[k..]);
            simd.store(b, &mut to_b[k..]);
        }
    }

    /// Where some colours lie along an axis, from 0 to the last point.
    #[inline(always)]
    fn along<S: Simd>(&self, simd: S, colours: &Colours, axis: usize, from: usize) -> S::F32 {
        let given = simd.load(&colours.given[axis][from..]);
        let place = simd.mul(simd.sub(given, simd.splat(self.low[axis])), simd.splat(self.scale[axis]));
        simd.smaller(simd.larger(place, simd.splat(0.0)), simd.splat(self.last))
    }

    /// The points below some colours, and the parts of the way to the next ones.
    #[inline(always)]
    fn below<S: Simd>(&self, simd: S, colours: &Colours, from: usize) -> (S::F32, [S::F32; 3]) {
        let mut place = simd.splat(0.0);
        let mut parts = [place; 3];
        for (axis, part) in parts.iter_mut().enumerate() {
            let along = self.along(simd, colours, axis, from);
            let whole = simd.float(simd.whole(along));
            *part = simd.sub(along, whole);
            // Exact: there are no more than 2²⁴ points.
            place = simd.mul_add(whole, simd.splat(self.steps[axis]), place);
        }
        (place, parts)
    }

    #[inline(always)]
    fn tetrahedral<S: Simd>(&self, simd: S, colours: &mut Colours) {
        let [one_r, one_g, one_b] = self.steps;
        let (one_r, one_g, one_b) = (simd.splat(one_r), simd.splat(one_g), simd.splat(one_b));
        let all = simd.splat(self.steps.iter().sum());
        let one = simd.splat(1.0);
        for from in (0..CHUNK).step_by(S::LANES) {
            let (place, [r, g, b]) = self.below(simd, colours, from);
            // Where red is the larger of red and green, and where not.
            let first =
                simd.where_below(g, r, simd.where_below(b, r, one_r, one_b), simd.where_below(g, b, one_b, one_g));
            let last =
                simd.where_below(g, r, simd.where_below(b, g, one_b, one_g), simd.where_below(r, b, one_r, one_b));
            let (low, high) = (simd.smaller(r, g), simd.larger(r, g));
            let (largest, smallest) = (simd.larger(high, b), simd.smaller(low, b));
            let middle = simd.larger(low, simd.smaller(high, b));
            let end = simd.add(place, all);
            let places = [place, simd.add(place, first), simd.sub(end, last), end];
            let weights = [simd.sub(one, largest), simd.sub(largest, middle), simd.sub(middle, smallest), smallest];
            for (to, place) in colours.places.iter_mut().zip(places) {
                simd.store_integers(simd.whole(place), &mut to[from..]);
            }
            for (to, weight) in colours.weights.iter_mut().zip(weights) {
                simd.store(weight, &mut to[from..]);
            }
        }
        let Colours { places, weights, numbers: [points, ..], .. } = colours;
        for (k, to) in points.iter_mut().enumerate() {
            let [a, b, c, d] = std::array::from_fn(|corner| &self.table[places[corner][k] as usize]);
            let [v, w, x, y] = std::array::from_fn(|corner| weights[corner][k]);
            *to = std::array::from_fn(|n| ((v * a[n] + w * b[n]) + x * c[n]) + y * d[n]);
        }
    }

    #[inline(always)]
    fn trilinear<S: Simd>(&self, simd: S, colours: &mut Colours) {
        for from in (0..CHUNK).step_by(S::LANES) {
            let (place, parts) = self.below(simd, colours, from);
            for corner in 0..CORNERS {
                let away: f32 = (0..3).filter(|axis| corner >> axis & 1 == 1).map(|axis| self.steps[axis]).sum();
                let there = simd.whole(simd.add(place, simd.splat(away)));
                simd.store_integers(there, &mut colours.places[corner][from..]);
            }
            for (to, part) in colours.weights.iter_mut().zip(parts) {
                simd.store(part, &mut to[from..]);
            }
        }
        let Colours { places, weights, numbers: [points, ..], .. } = colours;
        for (k, to) in points.iter_mut().enumerate() {
            let corners: [_; CORNERS] = std::array::from_fn(|n| &self.table[places[n][k] as usize]);
            let [r, g, b] = std::array::from_fn(|axis| weights[axis][k]);
            let mix = |a: f32, b: f32, part: f32| a + (b - a) * part;
            // Of each number by itself, so that the four are a vector.
            *to = std::array::from_fn(|n| {
                let pair = |from: usize| mix(corners[from][n], corners[from + 1][n], r);
                let (near, far) = (mix(pair(0), pair(2), g), mix(pair(4), pair(6), g));
                mix(near, far, b)
            });
        }
    }

    #[inline(always)]
    fn nearest<S: Simd>(&self, simd: S, colours: &mut Colours) {
        for from in (0..CHUNK).step_by(S::LANES) {
            let mut place = simd.splat(0.0);
            for axis in 0..3 {
                let along = simd.add(self.along(simd, colours, axis, from), simd.splat(0.5));
                place = simd.mul_add(simd.float(simd.whole(along)), simd.splat(self.steps[axis]), place);
            }
            simd.store_integers(simd.whole(place), &mut colours.places[0][from..]);
        }
        for (to, place) in colours.numbers[0].iter_mut().zip(&colours.places[0]) {
            *to = self.table[*place as usize];
        }
    }
}
