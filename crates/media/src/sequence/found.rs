//! Numbered images that lie in a folder, for names that stand for several files: a folder, `*.JPG`, `IMG_*.jpg`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::Pattern;
use crate::shell::quoted;

/// Endings of images that cameras and programs number.
const IMAGES: [&str; 15] =
    ["png", "jpg", "jpeg", "tif", "tiff", "exr", "dpx", "bmp", "webp", "tga", "pgm", "ppm", "jp2", "jxl", "pfm"];

/// A sequence of images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSequence {
    /// Its name as it is typed: `shots/IMG_%04d.jpg`.
    pub pattern: PathBuf,
    /// The numbers that there are, in order.
    pub numbers: Vec<u64>,
}

impl FoundSequence {
    /// The longest sequence of images in a folder, or of those that a name with `*` and `?` fits.
    pub fn of(named: &Path) -> Option<Self> {
        if named.is_dir() {
            return Self::among(named, |_| true);
        }
        let (folder, wanted) = (folder(named), named.file_name()?.to_str()?);
        let is_pattern = wanted.contains(['*', '?']);
        is_pattern.then(|| Self::among(&folder, |name| fits(wanted, name)))?
    }

    /// The longest sequence of which a file is part.
    pub fn around(file: &Path) -> Option<Self> {
        let name = file.file_name()?.to_str()?;
        let (before, _, after) = parts(name)?;
        let alike = |other: &str| parts(other).is_some_and(|(start, _, end)| (start, end) == (before, after));
        Self::among(&folder(file), alike)
    }

    fn among(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Option<Self> {
        let mut groups: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| is_image(name) && is_wanted(name)) else { continue };
            if let Some((before, digits, after)) = parts(name) {
                groups.entry((before.to_owned(), after.to_owned())).or_default().push(digits.to_owned());
            }
        }
        let sequences = groups.into_iter().filter_map(|((before, after), digits)| {
            // Numbers that begin with zeros are as long as they are; others grow.
            let padded = digits.iter().filter(|digits| digits.starts_with('0')).map(String::len).min();
            let place = padded.filter(|length| *length > 1).map_or("%d".to_owned(), |length| format!("%0{length}d"));
            let escaped = |text: String| text.replace('%', "%%");
            let name = format!("{}{place}{}", escaped(before.clone()), escaped(after.clone()));
            let pattern = Pattern::of(Path::new(&name))?;
            let files = digits.iter().map(|digits| format!("{before}{digits}{after}"));
            let mut numbers: Vec<u64> = files.filter_map(|file| pattern.number(&file)).collect();
            numbers.sort_unstable();
            let pattern = if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
            (numbers.len() > 1).then_some(Self { pattern, numbers })
        });
        sequences.max_by_key(|sequence| sequence.numbers.len())
    }

    /// The command for it, and its images: `type warpreel shots/%04d.png OUTPUT (9 images, 10 to 19)`. `output` is as it was
    /// typed, and may be empty.
    pub fn advice(&self, output: &str) -> String {
        let gap = self.numbers.windows(2).find(|pair| pair[0] + 1 < pair[1]).map(|pair| pair[0] + 1);
        let mut command = format!("type warpreel {}", quoted(&self.pattern.to_string_lossy()));
        if !output.is_empty() {
            command = format!("{command} {}", quoted(output));
        }
        let range = self.numbers.iter().min().zip(self.numbers.iter().max());
        let range = range.map_or_else(String::new, |(first, last)| format!(", {first} to {last}"));
        let what = format!("{} images{range}", self.numbers.len());
        match gap {
            None => format!("{command} ({what})"),
            Some(gap) => format!(
                "{command} --conceal ({what}, where {gap} is missing; --conceal repeats the image before what is missing)"
            ),
        }
    }
}

/// The folder that a name lies in.
fn folder(named: &Path) -> PathBuf {
    named.parent().filter(|parent| !parent.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_owned)
}

fn is_image(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    IMAGES.iter().any(|image| ending.eq_ignore_ascii_case(image))
}

/// A name before its last number, the digits of that, and what follows.
fn parts(name: &str) -> Option<(&str, &str, &str)> {
    let end = name.rfind(|letter: char| letter.is_ascii_digit())? + 1;
    // The digit of an ending, as of .jp2, is no number.
    let end = if name[..end].contains('.') && !name[end..].contains('.') {
        name[..name.rfind('.')?].rfind(|letter: char| letter.is_ascii_digit())? + 1
    } else {
        end
    };
    let start = name[..end]
        .rfind(|letter: char| !letter.is_ascii_digit())
        .map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
    Some((&name[..start], &name[start..end], &name[end..]))
}

/// True of a name that fits a pattern of shells with `*` and `?`; brackets mean themselves.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // For each length of the name whether it fits the pattern so far.
    let mut fitting = vec![false; name.len() + 1];
    fitting[0] = true;
    for wanted in pattern {
        let before = fitting.clone();
        fitting[0] = before[0] && wanted == '*';
        for at in 0..name.len() {
            fitting[at + 1] = match wanted {
                '*' => before[at + 1] || fitting[at],
                '?' => before[at],
                _ => before[at] && name[at] == wanted,
            };
        }
    }
    fitting[name.len()]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{FoundSequence, fits, parts};

    #[test]
    fn patterns_of_shells_are_understood() {
        for (pattern, name, fitting) in [
            ("*.png", "a.png", true),
            ("*.png", "a.jpg", false),
            ("IMG_*.jpg", "IMG_12.jpg", true),
            ("IMG_??.jpg", "IMG_12.jpg", true),
            ("IMG_??.jpg", "IMG_123.jpg", false),
            ("*", "", true),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1b2", false),
        ] {
            assert_eq!(fits(pattern, name), fitting, "{pattern} {name}");
        }
    }

    #[test]
    fn names_are_parted_at_their_last_number() {
        for (name, expected) in [
            ("IMG_0012.jpg", Some(("IMG_", "0012", ".jpg"))),
            ("7.png", Some(("", "7", ".png"))),
            ("shot2_10.jp2", Some(("shot2_", "10", ".jp2"))),
            ("é3é.png", Some(("é", "3", "é.png"))),
            ("none.png", None),
            ("none.jp2", None),
        ] {
            assert_eq!(parts(name), expected, "{name}");
        }
    }

    #[test]
    fn the_longest_sequence_is_found_wherever_it_begins() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in
            ["IMG_8.jpg", "IMG_9.jpg", "IMG_10.jpg", "b_01.PNG", "b_03.PNG", "c1.txt", "c2.txt", "c3.txt", "c4.txt"]
        {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        let found = FoundSequence::of(folder.path()).expect("a sequence");
        assert_eq!((found.pattern, found.numbers), (folder.path().join("IMG_%d.jpg"), vec![8, 9, 10]));
        let found = FoundSequence::of(&folder.path().join("b*")).expect("a sequence");
        assert_eq!(found.pattern, folder.path().join("b_%02d.PNG"));
        let advice = found.advice("OUTPUT");
        assert!(advice.contains("OUTPUT --conceal (2 images, 1 to 3, where 2 is missing"), "{advice}");
        let around = FoundSequence::around(&folder.path().join("IMG_9.jpg")).expect("a sequence");
        assert_eq!(around.numbers.len(), 3);
        for none in ["c*", "*.gif", "IMG_8.jpg"] {
            assert_eq!(FoundSequence::of(&folder.path().join(none)), None, "{none}");
        }
        assert_eq!(FoundSequence::of(Path::new("/no/such/folder")), None);
    }
}
