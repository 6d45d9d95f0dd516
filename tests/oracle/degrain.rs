//! Means along motion: every block looked for anew, once for each frame, its sums from the plane's own samples, or from
//! those of the plane that it follows.

use warpreel::frame::Sample;
use warpreel::pass::{Degrain, Op, VectorPart};

use super::{Place, UNIT, Value, finish};

/// What one sample is.
pub fn sample(op: &Degrain, place: &Place) -> f32 {
    finish(op.finish, place.format, mean(op, place), place.centre())
}

/// Frames and blocks, as the plane counts them.
struct Motion<'a> {
    op: &'a Degrain,
    place: &'a Place<'a>,
    step: isize,
}

/// A candidate, and whether it was known before.
type Candidate = ([isize; 2], bool);

fn around([x, y]: [isize; 2], reach: isize) -> impl Iterator<Item = Candidate> {
    let rows = (-reach..=reach).flat_map(move |dy| (-reach..=reach).map(move |dx| ([x + dx, y + dy], false)));
    rows.filter(move |(vector, _)| *vector != [x, y])
}

impl Motion<'_> {
    /// A sample as it is compared.
    fn byte(&self, t: isize, y: isize, x: isize) -> i64 {
        let value = self.place.stack.sample(self.op.border, t, y, x);
        if self.place.format.pixel.sample == Sample::F32 {
            let clamped = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
            return (clamped * 255.0).round_ties_even() as i64;
        }
        (value as i64 >> (self.place.format.pixel.depth - 8)).min(255)
    }

    /// Of `k × k` samples from a place on one.
    fn fewer(&self, k: isize, t: isize, y: isize, x: isize) -> i64 {
        let all = (0..k * k).map(|i| self.byte(t, y + i / k, x + i % k)).sum::<i64>();
        (2 * all + (k * k) as i64) / (2 * k * k) as i64
    }

    /// The best of candidates for `n × n` places, each of `k × k` samples, from a place on.
    fn best(&self, k: isize, t: isize, [x, y]: [isize; 2], candidates: impl Iterator<Item = Candidate>) -> [isize; 2] {
        let n = self.op.block as isize;
        let places = || (0..n * n).map(|i| (y + i / n * k, x + i % n * k));
        let own: Vec<i64> = places().map(|(y, x)| self.fewer(k, 0, y, x)).collect();
        let cost = |([dx, dy], known): Candidate| {
            let sum: i64 =
                places().zip(&own).map(|((y, x), own)| (self.fewer(k, t, y + k * dy, x + k * dx) - own).abs()).sum();
            if known { sum } else { sum + ((sum * i64::from(self.op.again)) >> 8) }
        };
        // The first of equal ones.
        candidates.min_by_key(|&candidate| cost(candidate)).expect("a candidate").0
    }

    /// What was found before, or is now.
    fn once(&self, key: [isize; 4], find: impl FnOnce() -> [isize; 3]) -> [isize; 3] {
        if let Some(found) = self.place.known.borrow().get(&key) {
            return *found;
        }
        let found = find();
        self.place.known.borrow_mut().insert(key, found);
        found
    }

    /// The vectors that the blocks of a group know, in samples.
    fn known(&self, t: isize, gx: isize, gy: isize) -> [[isize; 2]; 5] {
        let [x, y] = [gx, gy].map(|group| (7 * group - 1) * self.step);
        let n = self.op.block as isize;
        let mut all = [[0; 2]; 5];
        for quarter in 0..4 {
            let [dx, dy, _] = self.once([1 + quarter, t, gx, gy], || {
                let [wx, wy, _] = self.once([0, t, gx, gy], || {
                    let search = around([0; 2], self.op.search as isize);
                    let [dx, dy] = self.best(4, t, [x, y], [([0; 2], true)].into_iter().chain(search));
                    [dx, dy, 0]
                });
                let whole = [2 * wx, 2 * wy];
                let corner = [x + quarter % 2 * 2 * n, y + quarter / 2 * 2 * n];
                let candidates = [(whole, true), ([0; 2], true)].into_iter().chain(around(whole, 2));
                let [dx, dy] = self.best(2, t, corner, candidates);
                [2 * dx, 2 * dy, 0]
            });
            all[1 + quarter as usize] = [dx, dy];
        }
        all
    }

    /// A byte between samples, in half samples.
    fn halfway(&self, t: isize, y: isize, x: isize) -> i64 {
        let tap = |[a, b, c, d]: [i64; 4]| ((9 * (b + c) - (a + d) + 8) >> 4).clamp(0, 255);
        let along = |row: isize| {
            let column = x.div_euclid(2);
            if x % 2 == 0 {
                self.byte(t, row, column)
            } else {
                tap([-1, 0, 1, 2].map(|i| self.byte(t, row, column + i)))
            }
        };
        let row = y.div_euclid(2);
        if y % 2 == 0 { along(row) } else { tap([-1, 0, 1, 2].map(|i| along(row + i))) }
    }

    /// The vector of a block in half samples, and the sum along it.
    fn of(&self, t: isize, i: isize, j: isize) -> [isize; 3] {
        self.once([5, t, i, j], || {
            let n = self.op.block as isize;
            let [x, y] = [i, j].map(|block| (block - 1) * self.step);
            let known = self.known(t, i.div_euclid(7), j.div_euclid(7));
            let candidates = known.map(|vector| (vector, true)).into_iter();
            let [dx, dy] = self.best(1, t, [x, y], candidates.chain(known.into_iter().flat_map(|v| around(v, 2))));
            let sum = |[dx, dy]: [isize; 2]| -> i64 {
                let places = (0..n * n).map(|i| (y + i / n, x + i % n));
                places.map(|(y, x)| (self.halfway(t, 2 * y + dy, 2 * x + dx) - self.byte(0, y, x)).abs()).sum()
            };
            let whole = [2 * dx, 2 * dy];
            let near = around(whole, 1).filter(|_| self.op.halves);
            let cost = |&(vector, known): &Candidate| {
                let sum = sum(vector);
                if known { sum } else { sum + ((sum * i64::from(self.op.again)) >> 8) }
            };
            let ([dx, dy], _) = [(whole, true)].into_iter().chain(near).min_by_key(cost).expect("a candidate");
            [dx, dy, sum([dx, dy]) as isize]
        })
    }

    /// What a frame counts in a block, before all weights are brought to 256.
    fn weight(&self, weights: &[u32], t: isize, i: isize, j: isize) -> u32 {
        let count = |length: isize| (length + self.step - 1) / self.step + 1;
        let (columns, rows) = (count(self.place.stack.width), count(self.place.stack.height));
        let [cut, ..] = self.once([6, t, 0, 0], || {
            let all = (0..columns * rows).map(|b| self.of(t, b % columns, b / columns)[2]);
            let changed = all.filter(|&sum| sum > self.op.scene[0] as isize).count() as isize;
            [(256 * changed > self.op.scene[1] as isize * columns * rows).into(), 0, 0]
        });
        let [.., sum] = self.of(t, i, j);
        if cut == 1 { 0 } else { weights.get(sum as usize).copied().unwrap_or(0) }
    }
}

/// A sample along a vector: exactly, in `f64`, and how large what it is made of.
fn moved(op: &Degrain, place: &Place, t: isize, [dx, dy]: [isize; 2]) -> (f32, f64, f64) {
    let &Place { stack, y, x, format, .. } = place;
    let whole = format.pixel.sample != Sample::F32;
    let peak = format.pixel.peak();
    type Number = (f32, f64, f64);
    let tap = |[a, b, c, d]: [Number; 4]| -> Number {
        let exact = if whole {
            let [a, b, c, d] = [a, b, c, d].map(|(exact, ..)| exact as i64);
            ((9 * (b + c) - (a + d) + 8) >> 4).clamp(0, peak as i64) as f32
        } else {
            (9.0 * (b.0 + c.0) - (a.0 + d.0)) * 0.0625
        };
        let ideal = (9.0 * (b.1 + c.1) - (a.1 + d.1)) / 16.0;
        let size = (9.0 * (b.2 + c.2) + (a.2 + d.2)) / 16.0;
        (exact, if whole { exact.into() } else { ideal }, size)
    };
    let (row, column) = (y + dy.div_euclid(2), x + dx.div_euclid(2));
    let along = |row: isize| -> Number {
        let one = |column: isize| {
            let sample = stack.sample(op.border, t, row, column);
            (sample, f64::from(sample), f64::from(sample).abs())
        };
        if dx % 2 == 0 { one(column) } else { tap([-1, 0, 1, 2].map(|i| one(column + i))) }
    };
    if dy % 2 == 0 { along(row) } else { tap([-1, 0, 1, 2].map(|i| along(row + i))) }
}

/// The motion of the nearest block towards the frame before.
fn shown(place: &Place, motion: &Motion, [across, down]: [isize; 2], component: VectorPart) -> Value {
    let (i, j) = ((place.x + across / 2) / across, (place.y + down / 2) / down);
    // Any `S` has a weight, but in another scene.
    let counts = motion.weight(&vec![1; 16 * 16 * 255 + 1], -1, i, j);
    let [x, y, _] = motion.of(-1, i, j);
    let (half_samples, middle) = match component {
        VectorPart::Right => (x, 0.5),
        VectorPart::Down => (y, 0.5),
        VectorPart::Length => (x.abs().max(y.abs()), 0.0),
    };
    let half_samples = if counts == 0 { 0 } else { half_samples };
    let full = match place.format.pixel.sample {
        Sample::F32 => 1.0,
        _ => f64::from(1u32 << place.format.pixel.depth),
    };
    let ideal = full * middle + half_samples as f64 * full / 64.0;
    Value { exact: ideal as f32, ideal, error: 0.0 }
}

fn mean(op: &Degrain, place: &Place) -> Value {
    let step = op.block as isize / 2;
    let led = place.guide.map(|stack| Place { stack, guide: None, guide_op: None, ..*place });
    let (leader, of) = match (place.guide_op, &led) {
        (Some(Op::Degrain(leader)), Some(led)) => (leader, led),
        _ => (op, place),
    };
    let motion = Motion { op: leader, place: of, step };
    let finer = op.follows.map_or([1; 2], |guide| guide.finer.map(|power| 1 << power));
    let [step_x, step_y] = finer.map(|finer| step / finer);
    if let Some(component) = op.shown {
        return shown(place, &motion, [step_x, step_y], component);
    }
    let frames = op.frames as isize;
    let centre = place.centre();
    let whole = place.format.pixel.sample != Sample::F32;
    let (mut all, mut exact, mut ideal, mut size) = (0i64, 0f32, 0f64, f64::from(centre).abs());
    for (below, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (i, j) = (place.x / step_x + right, place.y / step_y + below);
        let times: Vec<isize> = (-frames..=frames).filter(|t| *t != 0).collect();
        let weights: Vec<u32> = times.iter().map(|&t| motion.weight(&op.weights, t, i, j)).collect();
        let total = 256 + weights.iter().sum::<u32>();
        // How far the sample lies from the block's nearer edge.
        let share = |at: isize, block: isize, step: isize| {
            let at = at - (block - 1) * step;
            (2 * at.min(2 * step - 1 - at) + 1) * 8 / step
        };
        let share = share(place.x, i, step_x) * share(place.y, j, step_y);
        let (mut whole_part, mut part) = (0i64, 0f32);
        for (&t, weight) in times.iter().zip(weights) {
            let weight = 256 * weight / total;
            if weight == 0 {
                continue;
            }
            let [dx, dy, _] = motion.of(t, i, j);
            let vector = [dx.div_euclid(finer[0]), dy.div_euclid(finer[1])];
            let (sample, real, large) = moved(op, place, t, vector);
            if whole {
                whole_part += i64::from(weight) * (sample as i64 - centre as i64);
            }
            part += weight as f32 * (sample - centre);
            let factor = share as f64 * f64::from(weight) / 65536.0;
            ideal += factor * (real - f64::from(centre));
            size += factor * (large + f64::from(centre).abs());
        }
        all += share as i64 * whole_part;
        exact += share as f32 * part;
    }
    let limit = f64::from(op.limit);
    let ideal = f64::from(centre) + ideal.clamp(-limit, limit);
    if whole {
        let limit = op.limit as i64;
        let far = ((all + 32768) >> 16).clamp(-limit, limit);
        return Value { exact: (centre as i64 + far) as f32, ideal, error: 0.5 };
    }
    let far = exact / 65536.0;
    let far = if far.is_nan() { far } else { far.clamp(-op.limit, op.limit) };
    // No more operations in a row than this.
    Value { exact: centre + far, ideal, error: 80.0 * UNIT * size }
}
