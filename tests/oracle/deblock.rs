//! Steps at the edges of blocks made smaller: block after block in the order of FFmpeg's loops, in place.

use warpreel::frame::Sample;
use warpreel::pass::Deblock;

use super::Place;

/// What one sample is.
pub fn sample(op: &Deblock, place: &Place) -> f32 {
    let made = place.stack.made.get_or_init(|| plane(op, place));
    let made = made[(place.y * place.stack.width + place.x) as usize];
    if made.is_nan() { f32::from_bits(0x7fc0_0000) } else { made }
}

/// A plane that is changed in place.
struct Canvas<'a> {
    op: &'a Deblock,
    samples: Vec<f32>,
    width: usize,
    /// The largest sample of integers.
    peak: Option<f32>,
}

fn plane(op: &Deblock, place: &Place) -> Vec<f32> {
    let (width, height) = (place.stack.width as usize, place.stack.height as usize);
    let pixel = place.format.pixel;
    let samples = (0..height).flat_map(|y| (0..width).map(move |x| (y, x)));
    let samples = samples.map(|(y, x)| place.stack.inside(0, y as isize, x as isize)).collect();
    let peak = (pixel.sample != Sample::F32).then(|| pixel.peak());
    let mut canvas = Canvas { op, samples, width, peak };
    let block = op.block;
    let side = if op.strong { 3 } else { 2 };
    let columns: Vec<usize> = (1..).map(|n| n * block).take_while(|x| x + side <= width).collect();
    for x in &columns {
        canvas.vertical(*x, 0..block.min(height));
    }
    let mut y = block;
    while y + block < height {
        for x in (0..width).step_by(block) {
            for column in x..width.min(x + block) {
                canvas.across(y * width + column, width);
            }
            if columns.contains(&x) {
                canvas.vertical(x, y..height.min(y + block));
            }
        }
        y += block;
    }
    for x in &columns {
        canvas.vertical(*x, y.min(height)..height);
    }
    canvas.samples
}

impl Canvas<'_> {
    /// Rows across a vertical edge, until one is left alone.
    fn vertical(&mut self, x: usize, mut rows: std::ops::Range<usize>) {
        rows.all(|y| self.across(y * self.width + x, 1));
    }

    /// Changes samples across an edge, of which the first behind it is at a place; false if they stay.
    fn across(&mut self, at: usize, step: usize) -> bool {
        let Deblock { strong, limits: [alpha, beta, gamma, delta], .. } = *self.op;
        let samples = &mut self.samples;
        let is_below = |a: usize, b: usize, limit: f32, samples: &[f32]| (samples[a] - samples[b]).abs() < limit;
        let d = samples[at] - samples[at - step];
        let mut goes = d.abs() < alpha && is_below(at - step, at - 2 * step, beta, samples);
        let changes: &[(isize, f32)] = match strong {
            true => {
                goes &= is_below(at + step, at + 2 * step, gamma, samples) && is_below(at, at + step, delta, samples);
                &[(-3, 8.0), (-2, 4.0), (-1, 2.0), (0, -2.0), (1, -4.0), (2, -8.0)]
            }
            false => {
                goes &= is_below(at, at + step, gamma, samples);
                &[(-2, 8.0), (-1, 2.0), (0, -2.0), (1, -8.0)]
            }
        };
        for (far, divisor) in changes.iter().filter(|_| goes) {
            let sample = &mut samples[at.wrapping_add_signed(far * step as isize)];
            *sample = match self.peak {
                Some(peak) => (*sample + (d / divisor).trunc()).clamp(0.0, peak),
                None => *sample + d / divisor,
            };
        }
        goes
    }
}
