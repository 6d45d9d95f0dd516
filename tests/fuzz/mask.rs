//! Images as masks.

use warpreel::filter::Mask;
use warpreel::frame::{Format, Pixel, Rational};

use super::folder;

pub fn run(bytes: &[u8]) {
    let path = folder::write("mask.png", bytes);
    let Ok(mask) = Mask::read(path.to_str().expect("a name")) else { return };
    for (width, height) in [(16, 9), (1, 1)] {
        let format = Format::new(Pixel::yuv420p(8), width, height, Rational::new(25, 1));
        if mask.check(&format).is_err() {
            continue;
        }
        for plane in 0..3 {
            let (width, height) = format.plane_size(plane);
            for (x, y) in [(0, 0), (width - 1, height - 1)] {
                let weight = mask.weight(&format, plane, x, y);
                assert!((0.0..=1.0).contains(&weight), "{weight}");
            }
        }
    }
}
