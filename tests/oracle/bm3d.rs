//! Blocks filtered together with those that look like them: a whole plane, every block by itself.

use warpreel::frame::{Format, Sample};
use warpreel::pass::{Bm3d, Shrink};

use super::{Place, Stack, Value, finish, outside};

/// What one sample is. The plane is made when the first is asked for.
pub fn sample(op: &Bm3d, place: &Place) -> f32 {
    let &Place { stack, format, y, x, .. } = place;
    let cleaned = stack.made.get_or_init(|| plane(op, stack, format));
    let exact = cleaned[(y * stack.width + x) as usize];
    finish(op.finish, format, Value { exact, ideal: exact.into(), error: 0.0 }, place.centre())
}

type Block = [[f32; 8]; 8];

/// A frame as it is computed with.
struct Image {
    keys: Vec<i32>,
    /// What blocks are looked for in, and what is filtered.
    estimate: Vec<f32>,
    noisy: Vec<f32>,
}

/// The planes of a window, at least as large as a block.
struct Planes {
    width: isize,
    height: isize,
    /// By time, the centre being in the middle.
    images: Vec<Option<Image>>,
}

/// A block: when it is shown, and where it begins.
type At = (isize, isize, isize);

fn known(sample: f32) -> f32 {
    if sample.is_finite() { sample } else { 0.0 }
}

impl Planes {
    fn new(op: &Bm3d, stack: &Stack, format: &Format) -> Self {
        let (width, height) = (stack.width.max(8), stack.height.max(8));
        // In the second step each image stands behind the one that it was made of.
        let each = if matches!(op.shrink, Shrink::Wiener { .. }) { 2 } else { 1 };
        let image = |t: isize| {
            let places = (0..height).flat_map(|y| (0..width).map(move |x| (y, x)));
            let raw = move |(y, x)| match (outside(op.border, y, stack.height), outside(op.border, x, stack.width)) {
                (Some(y), Some(x)) => stack.inside(t, y, x),
                _ => op.border.constant(),
            };
            let float = format.pixel.sample == Sample::F32;
            places.map(raw).map(move |v| if float { known(v).clamp(-64.0, 64.0) } else { v }).collect::<Vec<f32>>()
        };
        let key = |v: &f32| match format.pixel.sample {
            Sample::F32 => (v * 255.0 + 0.5).floor().clamp(0.0, 255.0) as i32,
            _ => ((*v as i64) >> (format.pixel.depth - 8)).min(255) as i32,
        };
        let frames = op.frames as isize;
        let images = (-frames..=frames).map(|t| {
            stack.frames[(stack.frames.len() as isize / 2 + t * each) as usize].as_ref()?;
            let (estimate, noisy) = (image(t * each), image(t * each + 1 - each));
            Some(Image { keys: estimate.iter().map(key).collect(), estimate, noisy })
        });
        Self { width, height, images: images.collect() }
    }

    fn image(&self, t: isize) -> Option<&Image> {
        self.images[(self.images.len() as isize / 2 + t) as usize].as_ref()
    }

    fn centre(&self) -> &Image {
        self.image(0).expect("the centre")
    }

    fn at(&self, y: isize, x: isize) -> usize {
        (y * self.width + x) as usize
    }

    fn places(step: usize, length: isize) -> Vec<isize> {
        let mut places: Vec<isize> = (0..length - 8).step_by(step).collect();
        places.push(length - 8);
        places
    }

    /// All blocks of a frame so near to a place, with the sums of their differences from the reference block.
    fn near(&self, t: isize, [y, x]: [isize; 2], reach: usize, reference: [isize; 2]) -> Vec<(i32, isize, isize)> {
        let (Some(image), reach) = (self.image(t), reach as isize) else { return Vec::new() };
        let mut found = Vec::new();
        for v in (y - reach).max(0)..=(y + reach).min(self.height - 8) {
            for u in (x - reach).max(0)..=(x + reach).min(self.width - 8) {
                let place = |[y, x]: [isize; 2], i: isize| self.at(y + i / 8, x + i % 8);
                let pairs = (0..64).map(|i| (place(reference, i), place([v, u], i)));
                found.push((pairs.map(|(a, b)| (self.centre().keys[a] - image.keys[b]).abs()).sum(), v, u));
            }
        }
        found
    }

    /// The blocks of a group, in order.
    fn group(&self, op: &Bm3d, y: isize, x: isize) -> Vec<At> {
        let own = self.near(0, [y, x], op.range, [y, x]).into_iter();
        let mut found: Vec<_> = own.map(|(sum, v, u)| ((v, u) != (y, x), sum, 0, 0, v, u)).collect();
        for (after, direction) in [(0, -1), (1, 1)] {
            let mut start = [y, x];
            for far in 1..=op.frames as isize {
                let here = self.near(direction * far, start, op.near, [y, x]);
                if let Some((_, v, u)) = here.iter().min() {
                    start = [*v, *u];
                }
                found.extend(here.into_iter().map(|(sum, v, u)| (true, sum, 1 + after, far, v, u)));
            }
        }
        found.sort_unstable();
        let most = found.len().min(op.group);
        let count = (0..).map(|i| 1 << i).take_while(|n| *n <= most).last().expect("the block itself");
        let time = |after: usize, far: isize| [0, -far, far][after];
        found.into_iter().take(count).map(|(_, _, after, far, v, u)| (time(after, far), v, u)).collect()
    }

    /// Coefficients of the blocks.
    fn transformed(&self, op: &Bm3d, group: &[At], plane: impl Fn(&Image) -> &[f32]) -> Vec<Block> {
        let base = self.centre().estimate[self.at(group[0].1, group[0].2)];
        let scale = (1.0 / (f64::from(op.sigma) * (group.len() as f64).sqrt())) as f32;
        let block = |&(t, y, x): &At| {
            let plane = plane(self.image(t).expect("a frame"));
            let value = |i: isize, j: isize| (plane[self.at(y + i, x + j)] - base) * scale;
            let block: Block = std::array::from_fn(|i| std::array::from_fn(|j| value(i as isize, j as isize)));
            turned(turned(block).map(forward)).map(forward)
        };
        let mut blocks: Vec<Block> = group.iter().map(block).collect();
        along(&mut blocks);
        blocks
    }
}

fn turned(block: Block) -> Block {
    std::array::from_fn(|i| std::array::from_fn(|j| block[j][i]))
}

/// `cos(kπ/16) / 2`, of the sign of `k`.
fn c(k: i32) -> f32 {
    let cosine = (libm::cos(f64::from(k.abs()) * std::f64::consts::PI / 16.0) / 2.0) as f32;
    if k < 0 { -cosine } else { cosine }
}

fn odd(x: [f32; 4], [i, j, k, l]: [i32; 4]) -> f32 {
    x[3].mul_add(c(l), x[2].mul_add(c(k), x[1].mul_add(c(j), x[0] * c(i))))
}

fn forward(x: [f32; 8]) -> [f32; 8] {
    let s: [f32; 4] = std::array::from_fn(|i| x[i] + x[7 - i]);
    let d: [f32; 4] = std::array::from_fn(|i| x[i] - x[7 - i]);
    let (e, f) = ([s[0] + s[3], s[1] + s[2]], [s[0] - s[3], s[1] - s[2]]);
    [
        (e[0] + e[1]) * c(4),
        odd(d, [1, 3, 5, 7]),
        f[1].mul_add(c(6), f[0] * c(2)),
        odd(d, [3, -7, -1, -5]),
        (e[0] - e[1]) * c(4),
        odd(d, [5, -1, 7, 3]),
        f[1].mul_add(c(-2), f[0] * c(6)),
        odd(d, [7, -5, 3, -1]),
    ]
}

fn backward(x: [f32; 8]) -> [f32; 8] {
    let (a, b) = (x[0] * c(4), x[4] * c(4));
    let (e, f) = ([a + b, a - b], [x[6].mul_add(c(6), x[2] * c(2)), x[6].mul_add(c(-2), x[2] * c(6))]);
    let s = [e[0] + f[0], e[1] + f[1], e[1] - f[1], e[0] - f[0]];
    let lines = [[1, 3, 5, 7], [3, -7, -1, -5], [5, -1, 7, 3], [7, -5, 3, -1]];
    let d = lines.map(|line| odd([x[1], x[3], x[5], x[7]], line));
    std::array::from_fn(|i| if i < 4 { s[i] + d[i] } else { s[7 - i] - d[7 - i] })
}

fn along(blocks: &mut [Block]) {
    let mut h = 1;
    while h < blocks.len() {
        for first in (0..blocks.len()).filter(|i| i & h == 0) {
            for i in 0..64 {
                let (a, b) = (blocks[first][i / 8][i % 8], blocks[first + h][i / 8][i % 8]);
                (blocks[first][i / 8][i % 8], blocks[first + h][i / 8][i % 8]) = (a + b, a - b);
            }
        }
        h *= 2;
    }
}

fn window(y: usize, x: usize) -> f32 {
    let bessel = |z: f64| {
        let terms = (1..30).scan(1.0, |term, k| {
            *term *= z * z / 4.0 / f64::from(k * k);
            Some(*term)
        });
        1.0 + terms.sum::<f64>()
    };
    let along = |i: usize| {
        let r = 2.0 * i as f64 / 7.0 - 1.0;
        bessel(2.0 * (1.0 - r * r).max(0.0).sqrt()) / bessel(2.0)
    };
    (along(y) * along(x)) as f32
}

/// The plane before its last step.
fn plane(op: &Bm3d, stack: &Stack, format: &Format) -> Vec<f32> {
    let planes = Planes::new(op, stack, format);
    let refs = (2 * (op.range + 7) / op.step + 2).pow(2) * op.group;
    let most = ((1 << 22) / refs).min(1 << 14) as f32;
    let mut sums = vec![(0i64, 0i64); planes.centre().keys.len()];
    for y in Planes::places(op.step, planes.height) {
        for &x in &Planes::places(op.step, planes.width) {
            let group = planes.group(op, y, x);
            let mut noise = planes.transformed(op, &group, |image| &image.noisy);
            let mut sum = 0.0;
            let estimate = planes.transformed(op, &group, |image| &image.estimate);
            for (b, i, j) in (0..group.len()).flat_map(|b| (0..64).map(move |i| (b, i / 8, i % 8))) {
                let (c, s) = (&mut noise[b][i][j], estimate[b][i][j]);
                let first = (b, i, j) == (0, 0, 0);
                let (left, counted) = match op.shrink {
                    Shrink::Threshold(_) if first => (0.0, 1.0),
                    Shrink::Threshold(limit) if c.abs() < limit => (*c, 0.0),
                    Shrink::Threshold(_) => (0.0, 1.0),
                    Shrink::Wiener { .. } if first => (0.0, 256.0),
                    Shrink::Wiener { power, .. } => {
                        let kept = s * s / (s * s + power);
                        (*c * (1.0 - kept), (kept * kept * 256.0).round_ties_even())
                    }
                };
                *c = left;
                sum += counted;
            }
            let weight = if let Shrink::Wiener { .. } = op.shrink { most * 256.0 } else { most } / sum;
            along(&mut noise);
            for (&(_, v, u), block) in group.iter().zip(noise).filter(|((t, _, _), _)| *t == 0) {
                let block = turned(turned(block.map(backward)).map(backward));
                for (i, j) in (0..64).map(|i| (i / 8, i % 8)) {
                    let value = block[i][j] * (16.0 / (group.len() as f64).sqrt()) as f32;
                    let value = value.clamp(-511.0, 511.0).round_ties_even();
                    let weight = (weight * window(i, j)).round_ties_even().max(1.0);
                    let (weighed, total) = &mut sums[planes.at(v + i as isize, u + j as isize)];
                    *weighed += value as i64 * weight as i64;
                    *total += weight as i64;
                }
            }
        }
    }
    let places = (0..stack.height).flat_map(|y| (0..stack.width).map(move |x| (y, x)));
    let cleaned = |(y, x)| {
        let (weighed, total) = sums[planes.at(y, x)];
        let weighed = i32::try_from(weighed).expect("a sum in 32 bits");
        assert!(total < 1 << 24, "a sum of weights in 24 bits");
        let mut noise = weighed as f32 / total as f32 * (op.sigma / 16.0);
        if format.pixel.sample != Sample::F32 {
            noise = noise + 98304.0 - 98304.0;
        }
        let before = if matches!(op.shrink, Shrink::Wiener { .. }) { -1 } else { 0 };
        known(stack.inside(before, y, x)) - noise
    };
    places.map(cleaned).collect()
}
