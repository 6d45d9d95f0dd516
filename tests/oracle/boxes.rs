//! Sums over boxes: along y first, then along x, rounded where the next box needs room.

use warpreel::frame::Format;
use warpreel::pass::Boxes;

use super::{Place, UNIT, Value, finish};

/// Numbers side by side, as they are prescribed and unrounded, and how far the two may be apart.
struct Numbers {
    exact: Vec<u64>,
    ideal: Vec<f64>,
    error: f64,
}

/// What one sample is.
pub fn sample(op: &Boxes, place: &Place) -> f32 {
    finish(op.finish, place.format, sum(op, place), place.centre())
}

/// How far down each box's sums are shifted, in order.
fn shifts(op: &Boxes, format: &Format) -> Vec<u32> {
    let widths: Vec<u64> = op.y.iter().chain(&op.x).map(|&width| width as u64).filter(|&width| width > 1).collect();
    let mut most = if format.pixel.depth == 8 { 255 } else { 65_535 };
    let shift = |(i, width): (usize, &u64)| {
        let next = widths.get(i + 1).copied().unwrap_or(1);
        let rounded = |shift: u32| (most * width + (1 << shift) / 2) / (1 << shift);
        let shift = (0..40).find(|&shift| rounded(shift) * next < 1 << 30).expect("some shift");
        most = rounded(shift);
        shift
    };
    widths.iter().enumerate().map(shift).collect()
}

impl Numbers {
    /// All boxes of an axis.
    fn summed<'a>(mut self, widths: &[usize], shifts: &mut impl Iterator<Item = &'a u32>) -> Self {
        for &width in widths.iter().filter(|width| **width > 1) {
            let shift = *shifts.next().expect("a shift for each box");
            let scale = f64::from(1u32 << shift);
            let rounded = |window: &[u64]| (window.iter().sum::<u64>() + (1 << shift) / 2) >> shift;
            self.exact = self.exact.windows(width).map(rounded).collect();
            self.ideal = self.ideal.windows(width).map(|window| window.iter().sum::<f64>() / scale).collect();
            self.error = self.error * width as f64 / scale + if shift == 0 { 0.0 } else { 0.5 };
        }
        self
    }

    /// The only one that is left.
    fn only(&self) -> (u64, f64) {
        assert_eq!((self.exact.len(), self.ideal.len()), (1, 1));
        (self.exact[0], self.ideal[0])
    }
}

fn sum(op: &Boxes, &Place { stack, format, y, x, .. }: &Place) -> Value {
    let [down, across] = [&op.y, &op.x].map(|widths| widths.iter().sum::<usize>() as isize - widths.len() as isize);
    let shifts = shifts(op, format);
    let mut error = 0.0f64;
    let columns = (-across / 2..=across / 2).map(|dx| {
        let samples = (-down / 2..=down / 2).map(|dy| stack.sample(op.border, 0, y + dy, x + dx));
        let exact: Vec<u64> = samples.map(|sample| sample as u64).collect();
        let ideal = exact.iter().map(|&sample| sample as f64).collect();
        let column = Numbers { exact, ideal, error: 0.0 }.summed(&op.y, &mut shifts.iter());
        error = column.error;
        column.only()
    });
    let (exact, ideal) = columns.unzip();
    let first = op.y.iter().filter(|width| **width > 1).count();
    let row = Numbers { exact, ideal, error }.summed(&op.x, &mut shifts[first..].iter());
    let (exact, ideal) = row.only();
    assert!(exact < 1 << 30, "a sum fits 30 bits");
    Value { exact: exact as f32, ideal, error: row.error + UNIT * ideal }
}
