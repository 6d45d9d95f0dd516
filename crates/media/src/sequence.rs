//! Names of numbered files: `frame%04d.png` stands for `frame0001.png`, `frame0002.png` and so on, as in FFmpeg.
//!
//! A name is a [`Pattern`] if its last part holds exactly one `%d` or `%04d`; `%%` beside it is a percent sign. All other
//! names mean themselves, percent signs and all, and so do folders.

mod found;

pub use found::FoundSequence;

use std::ffi::OsString;
use std::iter;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// What to type instead of a name that is none.
pub const EXPECTED: &str = "expected one number pattern, as in frame%04d.png; type %% for a percent sign";

/// A file name with one place for a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    before: String,
    /// Digits at least; from 1 on.
    digits: usize,
    after: String,
}

/// A piece of a file name.
#[derive(PartialEq, Eq)]
enum NamePiece {
    /// A character that means itself.
    Plain(char),
    /// `%%`: one percent sign in a pattern, two in any other name.
    Percent,
    /// A percent sign that a pattern cannot hold.
    Stray,
    /// `%d`, `%4d`, `%04d`: a number of at least so many digits.
    Place(usize),
    /// What looks like a place and is none: `%+4d`, or `%4` before a full stop.
    Mistake,
}

impl Pattern {
    /// No number has more.
    const DIGITS: usize = 20;

    /// Of the last part of a path; `None` where that names a single file.
    pub fn of(path: &Path) -> Option<Self> {
        let (mut before, mut after, mut place) = (String::new(), String::new(), None);
        for piece in pieces(path.file_name()?.to_str()?) {
            let side = if place.is_none() { &mut before } else { &mut after };
            match piece {
                NamePiece::Plain(character) => side.push(character),
                NamePiece::Percent => side.push('%'),
                NamePiece::Place(digits) if place.is_none() => place = Some(digits),
                NamePiece::Place(_) | NamePiece::Stray | NamePiece::Mistake => return None,
            }
        }
        place.map(|digits| Self { before, digits, after })
    }

    /// What its names have in common before the number, without what parts the two: `take` for `take_%04d.png`.
    pub fn stem(&self) -> &str {
        self.before.trim_end_matches(['_', '-', '.', ' '])
    }

    /// Whether a name can be one of both sequences: they differ in nothing but the digits at least.
    pub fn meets(&self, other: &Self) -> bool {
        (&self.before, &self.after) == (&other.before, &other.after)
    }

    /// The name of the file with a number.
    pub fn name(&self, number: u64) -> String {
        format!("{}{number:0width$}{}", self.before, self.after, width = self.digits)
    }

    /// True if a file of the sequence lies in the folder of `path`, which is the sequence's.
    pub fn is_in(&self, path: &Path) -> bool {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.any(|name| name.to_str().is_some_and(|name| self.number(name).is_some()))
    }

    /// The number in a file's name, if it is one of the sequence.
    pub fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(&self.before)?.strip_suffix(&self.after)?;
        let number: u64 = digits.parse().ok()?;
        (digits == format!("{number:0width$}", width = self.digits)).then_some(number)
    }
}

/// Whether a path names a sequence that is there to be read: a file of that very name is meant itself.
pub fn is_sequence(path: &Path) -> bool {
    Pattern::of(path).is_some() && !path.exists()
}

/// Whether the last part of a path looks as if a place for a number was meant: `frame%4.png`, `out%d%d.png`,
/// `out%+4d.png`. `50% off.png` and `x%20y.png` do not.
pub fn is_mistyped(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_meant = pieces(name).any(|piece| matches!(piece, NamePiece::Place(_) | NamePiece::Mistake));
    is_meant && Pattern::of(path).is_none()
}

/// The path of a sequence for FFmpeg, which looks for the place of the number in folders too.
pub fn for_ffmpeg(path: &Path) -> PathBuf {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return path.to_owned() };
    let bytes = folder.as_os_str().as_bytes().iter();
    let doubled = bytes.flat_map(|byte| iter::repeat_n(*byte, if *byte == b'%' { 2 } else { 1 }));
    PathBuf::from(OsString::from_vec(doubled.collect())).join(name)
}

/// A file name taken apart.
fn pieces(name: &str) -> impl Iterator<Item = NamePiece> {
    let mut rest = name;
    iter::from_fn(move || {
        let Some(behind) = rest.strip_prefix('%') else {
            let character = rest.chars().next()?;
            rest = &rest[character.len_utf8()..];
            return Some(NamePiece::Plain(character));
        };
        let (piece, taken) = match behind.strip_prefix('%') {
            Some(_) => (NamePiece::Percent, 1),
            None => place(behind),
        };
        rest = &behind[taken..];
        Some(piece)
    })
}

/// What stands behind a percent sign, and how many bytes of it belong to that.
fn place(behind: &str) -> (NamePiece, usize) {
    let unsigned = behind.trim_start_matches(['+', '-']);
    let end = unsigned.trim_start_matches(|character: char| character.is_ascii_digit());
    let (digits, has_sign) = (&unsigned[..unsigned.len() - end.len()], unsigned.len() < behind.len());
    let taken = behind.len() - end.len();
    if end.starts_with('d') {
        let least = if digits.is_empty() { Ok(1) } else { digits.parse::<usize>() };
        let least = least.ok().filter(|least| *least <= Pattern::DIGITS && !has_sign);
        return (least.map_or(NamePiece::Mistake, |least| NamePiece::Place(least.max(1))), taken + 1);
    }
    let is_left_out = !digits.is_empty() && (end.is_empty() || end.starts_with('.'));
    if is_left_out { (NamePiece::Mistake, taken) } else { (NamePiece::Stray, 0) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Pattern, for_ffmpeg, is_mistyped};

    #[test]
    fn one_place_makes_a_pattern() {
        for (name, file, number) in [
            ("frame%04d.png", "frame0012.png", Some(12)),
            ("frame%4d.png", "frame0012.png", Some(12)),
            ("frame%04d.png", "frame12345.png", Some(12_345)),
            ("frame%04d.png", "frame012345.png", None),
            ("frame%04d.png", "frame012.png", None),
            ("%d", "7", Some(7)),
            ("%0d", "7", Some(7)),
            ("%d.png", "07.png", None),
            ("%d.png", "+7.png", None),
            ("%d.png", ".png", None),
            ("a%%b%%%dc%%d.png", "a%b%3c%d.png", Some(3)),
            ("a%%b%%%dc%%d.png", "a%%b%%3c%%d.png", None),
            ("folder%d/%dé.png", "1é.png", Some(1)),
            ("my%20dog.png", "my00000000000000000001og.png", Some(1)),
        ] {
            let pattern = Pattern::of(Path::new(name)).expect(name);
            assert_eq!(pattern.number(file), number, "{name} {file}");
        }
    }

    #[test]
    fn all_else_is_a_name() {
        for name in
            ["50% off.png", "x%20y.png", "100%.png", "%", "a%%d.png", "%%", "d%1/out.png", "%s.png", "x%é", ".."]
        {
            assert_eq!((Pattern::of(Path::new(name)), is_mistyped(Path::new(name))), (None, false), "{name}");
        }
        for name in [
            "frame%4.png",
            "frame%04",
            "out%d%d.png",
            "out%04d%d.png",
            "out%+4d.png",
            "out%-d.png",
            "out%21d.png",
            "out%999999999999999999999d.png",
            "50% %d.png",
        ] {
            assert_eq!((Pattern::of(Path::new(name)), is_mistyped(Path::new(name))), (None, true), "{name}");
        }
    }

    #[test]
    fn folders_mean_themselves() {
        for (path, given) in [("a%d/b%%c/%%%d.png", "a%%d/b%%%%c/%%%d.png"), ("%d.png", "%d.png"), ("/%d", "/%d")] {
            assert_eq!(for_ffmpeg(Path::new(path)), Path::new(given));
        }
    }
}
