//! Samples from other places: neighbours that change the size of frames are one pass where that gives the same bytes.

use warpreel::backend::cpu::simd::Level;
use warpreel::frame::{Format, Pixel, Rational, Sample, Turn};

use super::super::filter::chain;
use super::join::check_at;
use super::planned;

const CALLS: [&str; 11] = [
    "hflip",
    "vflip",
    "transpose",
    "transpose=clock",
    "transpose=cclock",
    "transpose=clock_flip",
    "crop=12:10:4:2",
    "crop=10:12",
    "pad=28:26:6:2",
    "pad=30:30:2:4:border=clamp",
    "pad=26:28:4:4:border=reflect101",
];

/// All pairs of them, and all that begin with three others: one after the other beside at once, at every level.
#[test]
fn neighbours_give_the_same_bytes() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let pixels = [Pixel::yuv420p(8), Pixel::gray(10), float, Pixel::yuv422p(10)];
    let turns = [Turn::default(), Turn { transposed: true, mirrored: true, ..Turn::default() }];
    let (mut joined, mut apart, mut seed) = (0, 0, 0);
    for head in ["", "hflip,", "transpose=clock,", "pad=24:24:2:2:border=wrap,"] {
        for (first, second) in CALLS.iter().flat_map(|first| CALLS.map(|second| (first, second))) {
            seed += 1;
            let (pixel, turn) = (pixels[seed % 4], turns[seed / 4 % 2]);
            // Larger than a block of rows that become columns.
            let (width, height) = if seed % 5 == 0 { (150, 94) } else { (20, 22) };
            let format = Format { turn, ..Format::new(pixel, width, height, Rational::new(25, 1)) };
            let filters = chain(&format!("{head}{first},{second}"));
            for level in Level::available() {
                let Some(plan) = check_at(level, &filters, &format, seed as u64, 1) else { continue };
                match plan.steps().len() < filters.len() {
                    true => joined += 1,
                    false => apart += 1,
                }
            }
        }
    }
    assert!(joined > 600 && apart > 50, "{joined} joined, {apart} apart");
}

#[test]
fn which_join() {
    let passes = |text: &str| {
        let plan = planned(text, Pixel::yuv420p(8));
        let names: Vec<_> = plan.passes().iter().map(|pass| pass.name.clone()).collect();
        (names, plan.dropped().to_vec())
    };
    let one = |name: &str| (vec![name.to_owned()], Vec::new());
    assert_eq!(passes("hflip,vflip"), one("hflip + vflip"));
    assert_eq!(passes("transpose=clock,crop=8:8,vflip"), one("transpose=clock + crop=8:8 + vflip"));
    assert_eq!(passes("pad=iw+8:ih+8:4:4,hflip"), one("pad=iw+8:ih+8:4:4 + hflip"));
    let none = |name: &str| (Vec::new(), vec![name.to_owned()]);
    assert_eq!(passes("hflip,hflip"), none("hflip + hflip"));
    assert_eq!(passes("transpose=clock,transpose=cclock"), none("transpose=clock + transpose=cclock"));
    // Padding cannot restore cropped samples, and a condition applies to one filter.
    assert_eq!(passes("crop=8:8,pad=16:16:4:4").0.len(), 2);
    assert_eq!(passes("hflip,vflip=enable='gt(n,3)'").0.len(), 2);
    assert_eq!(passes("hflip,invert,hflip").0.len(), 3);
}
