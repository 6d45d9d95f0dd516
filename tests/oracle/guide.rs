//! The samples of another plane at the places of an op's own.

use warpreel::frame::Sample;
use warpreel::pass::{Border, Guide};

use super::{Place, outside};

/// The guide's sample at any place of the op's own plane.
pub fn sample(guide: Guide, border: Border, place: &Place, t: isize, y: isize, x: isize) -> f32 {
    let (own, other) = (place.stack, place.guide.expect("a guide"));
    let (Some(y), Some(x)) = (outside(border, y, own.height), outside(border, x, own.width)) else {
        return border.constant();
    };
    let [across, down] = guide.finer.map(|power| 1isize << power);
    let columns = (0..across).map(|i| (across * x + i).min(other.width - 1));
    let rows = (0..down).map(|j| (down * y + j).min(other.height - 1));
    let samples = rows.flat_map(|row| columns.clone().map(move |column| other.inside(t, row, column)));
    let count = across * down;
    if place.format.pixel.sample == Sample::F32 {
        let finite = samples.map(|sample| if sample.is_finite() { sample } else { 0.0 });
        return finite.fold(0.0, |sum, sample| sum + sample) * (1.0 / count as f32);
    }
    let sum: i64 = samples.map(|sample| sample as i64).sum();
    ((2 * sum + count as i64) / (2 * count as i64)) as f32
}
