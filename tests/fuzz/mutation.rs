//! Mutations of an input from a seed.

use crate::agreement::Random;

/// Pieces of text and numbers at which readers behave otherwise.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\0\0\0",
    b"-1",
    b"0",
    b"1e999",
    b"nan",
    b"18446744073709551616",
    b"'",
    b",",
    b"=",
    b":",
    b"%",
    b"\n",
    b"\r\n",
    b"{",
    b"[",
    b"(",
    b"\\",
    b"\xf0\x9f\x92\xa9",
    b"  ",
];

/// One of the inputs, changed in one to four places.
pub fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.one_of(corpus).clone();
    for _ in 0..random.range(1..=4) {
        let at = random.range(0..=bytes.len());
        match random.below(7) {
            0 if !bytes.is_empty() => {
                let at = at.min(bytes.len() - 1);
                bytes[at] ^= 1 << random.below(8);
            }
            1 if !bytes.is_empty() => {
                let at = at.min(bytes.len() - 1);
                bytes[at] = random.next() as u8;
            }
            2 => {
                let piece = *random.one_of(PIECES);
                bytes.splice(at..at, piece.iter().copied());
            }
            3 => {
                let piece = *random.one_of(PIECES);
                let end = (at + piece.len()).min(bytes.len());
                bytes.splice(at..end, piece.iter().copied());
            }
            4 => {
                let end = (at + random.range(1..=16)).min(bytes.len());
                bytes.drain(at..end);
            }
            5 => {
                let end = (at + random.range(1..=64)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let other = random.one_of(corpus);
                let from = random.range(0..=other.len());
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
    }
    bytes
}
