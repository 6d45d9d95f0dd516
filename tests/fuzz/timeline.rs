//! Conditions on the timeline.

use warpreel::filter::Condition;
use warpreel::frame::{Format, Pixel, Rational, Timing};

pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(condition) = Condition::parse(text) else { return };
    let format = Format::new(Pixel::gray(8), 16, 9, Rational::new(25, 1));
    let Ok(mut watch) = condition.watch(&format) else { return };
    for number in [0, 1, 2, 1000, u64::MAX] {
        let timing = Timing { number, pts: number as i64, ..Timing::default() };
        let _ = watch.holds(&timing);
    }
}
