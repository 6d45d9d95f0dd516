//! `--raw` as it is typed, up to a line feed, and the samples behind it.

use std::fs::File;

use warpreel::frame::Pool;
use warpreel::source::raw::{Raw, RawSpec, parse_rate};
use warpreel::source::{Cut, Input, Salvage, Source};

use super::folder;

/// Larger frames only take time.
const LARGEST: usize = 1 << 20;

pub fn run(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (text, samples) = bytes.split_at(end);
    let Ok(text) = str::from_utf8(text) else { return };
    let _ = parse_rate(text);
    let Ok(spec) = text.parse::<RawSpec>() else { return };
    if spec.width.saturating_mul(spec.height) > LARGEST {
        return;
    }
    let path = folder::write("in.raw", samples);
    let input = Input::new(File::open(path).expect("the file"), "in.raw".to_owned(), Default::default());
    let Ok(mut source) = Raw::open(input.expect("a file"), spec, Cut::default(), Salvage::On) else { return };
    let pool = Pool::heap();
    for _ in 0..8 {
        if !matches!(source.next_frame(&pool), Ok(Some(_))) {
            return;
        }
    }
}
