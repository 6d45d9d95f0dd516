//! Reads of words, at every level.

use super::{Level, Portable, Simd, WithSimd};

/// Reads words at places, of which those of a vector are repeated.
struct ReadWords<'a>(&'a [u8], &'a [i32], &'a mut Vec<i32>);

impl WithSimd for ReadWords<'_> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        let (mut places, mut words) = ([0; 16], [0; 16]);
        for (k, place) in places.iter_mut().enumerate() {
            *place = self.1[k % self.1.len()];
        }
        for first in (0..16).step_by(S::LANES) {
            simd.store_integers(simd.words(self.0, simd.load_integers(&places[first..])), &mut words[first..]);
        }
        self.2.extend(words);
    }
}

#[test]
fn words_are_read_at_any_byte_and_never_beyond_the_last() {
    let bytes: Vec<u8> = (1..=9).collect();
    for count in [0, 3, 4, 5, 9] {
        let (bytes, places) = (&bytes[..count], [0, 1, 2, 5, 6, 40, i32::MAX, -1]);
        let wanted = (0..16).map(|k| {
            let place = (places[k % 8] as u32 as usize).min(count.saturating_sub(4));
            bytes[place..].first_chunk().map_or(0, |four| i32::from_le_bytes(*four))
        });
        let wanted: Vec<i32> = wanted.collect();
        let mut all = Vec::new();
        Portable.run(ReadWords(bytes, &places, &mut all));
        for level in Level::available() {
            level.run(ReadWords(bytes, &places, &mut all));
        }
        assert!(all.chunks(16).all(|words| words == wanted), "{count} bytes: {all:?}, not {wanted:?}");
    }
}
