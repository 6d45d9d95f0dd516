//! Names of image sequences.

use std::path::Path;

use warpreel::sequence::{Pattern, for_ffmpeg, is_mistyped, is_sequence};

pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let path = Path::new(text);
    let _ = (is_sequence(path), is_mistyped(path), for_ffmpeg(path));
    let Some(pattern) = Pattern::of(path) else { return };
    assert!(pattern.meets(&pattern), "{text:?}");
    for number in [0, 1, 9, 10, 99_999, u64::MAX] {
        let name = pattern.name(number);
        assert_eq!(pattern.number(&name), Some(number), "{text:?}: {name:?}");
    }
}
