//! Tables of colours from `.cube` and `.3dl` files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Take};
use std::path::Path;
use std::sync::Arc;

use crate::pass::Lattice;

/// The most bytes of a file: 256 points a side, 60 bytes a line.
const MAX_BYTES: u64 = 60 << 24;
/// The most bytes of a line: a row of 256 inputs has fewer.
const MAX_LINE: u64 = 4096;

/// A table of colours, and the file that it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeFile {
    /// As typed.
    pub path: String,
    /// The colours.
    pub lattice: Arc<Lattice>,
}

impl CubeFile {
    /// Reads a file, by the ending of its name. Blocks while it is read.
    ///
    /// # Errors
    /// The fault, worded to follow the name of the file: `has 2 numbers in line 7, not 3`.
    pub(super) fn read(path: &str) -> Result<Self, String> {
        let lattice = match ending(path).as_str() {
            "cube" => lines_of(path, cube)?,
            "3dl" => lines_of(path, three_dl)?,
            _ => return Err("ends neither in .cube nor in .3dl".to_owned()),
        };
        Ok(Self { path: path.to_owned(), lattice: Arc::new(lattice) })
    }
}

/// A table of tones of red, green and blue, and the file that it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct ToneFile {
    /// As typed.
    pub path: String,
    /// Red, green and blue of the tones, which are equally far from each other; 2 to [`ToneFile::MAX_SIZE`] of them.
    pub tones: Arc<[[f32; 3]]>,
    /// The number of each colour that becomes the first tone.
    pub low: [f32; 3],
    /// The number that becomes the last one, above the first.
    pub high: [f32; 3],
}

impl ToneFile {
    /// The most tones.
    pub const MAX_SIZE: usize = 1 << 16;

    /// Reads a `.cube` file. Blocks while it is read.
    ///
    /// # Errors
    /// The fault, worded to follow the name of the file.
    pub(super) fn read(path: &str) -> Result<Self, String> {
        if ending(path) != "cube" {
            return Err("does not end in .cube".to_owned());
        }
        let Heading { colours, low, high, .. } = lines_of(path, |lines| heading(lines, Dimensions::One))?;
        if low.iter().zip(&high).any(|(low, high)| high <= low) {
            return Err("has an empty domain".to_owned());
        }
        if let Some(large) = colours.iter().flatten().find(|number| number.abs() >= Lattice::LIMIT) {
            return Err(format!("has the number {large}, which is not below {:e}", Lattice::LIMIT));
        }
        Ok(Self { path: path.to_owned(), tones: colours.into(), low, high })
    }
}

/// The ending of a name, in small letters.
fn ending(path: &str) -> String {
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ending.to_lowercase()
}

/// Opens a file, and reads its lines with `read`.
fn lines_of<T>(
    path: &str,
    read: impl FnOnce(&mut CubeLines<BufReader<Take<File>>>) -> Result<T, Fault>,
) -> Result<T, String> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::InvalidData => "is not text".to_owned(),
        _ => format!("cannot be read: {}", super::matrix::reason(&error)),
    };
    let file = File::open(path).map_err(unreadable)?;
    // The name may be that of a pipe or a device, which perhaps has no end.
    let text = BufReader::new(file.take(MAX_BYTES + 1));
    read(&mut CubeLines { text, number: 0, line: String::new() }).map_err(|fault| match fault {
        Fault::Unreadable(error) => unreadable(error),
        Fault::Wrong(problem) => problem,
    })
}

/// Why a file is no table.
enum Fault {
    Unreadable(std::io::Error),
    Wrong(String),
}

impl From<String> for Fault {
    fn from(problem: String) -> Self {
        Self::Wrong(problem)
    }
}

/// Lines that hold something, without comments.
struct CubeLines<R> {
    text: R,
    number: usize,
    line: String,
}

impl<R: BufRead> CubeLines<R> {
    /// The next one; `None` at the end.
    fn next(&mut self) -> Result<Option<&str>, Fault> {
        loop {
            self.line.clear();
            let read = (&mut self.text).take(MAX_LINE).read_line(&mut self.line).map_err(Fault::Unreadable)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if read as u64 == MAX_LINE && !self.line.ends_with('\n') {
                return Err(format!("has more than {MAX_LINE} bytes in line {}", self.number).into());
            }
            // The mark that some editors put in front.
            let line = self.line.trim_start_matches('\u{feff}').trim();
            if !line.is_empty() && !line.starts_with('#') {
                break;
            }
        }
        Ok(Some(self.line.trim_start_matches('\u{feff}').trim()))
    }
}

/// Three numbers of a line.
fn three(words: &str, number: usize) -> Result<[f32; 3], String> {
    let mut found = [0.0; 3];
    let mut count = 0;
    for word in words.split_whitespace() {
        let value = word.parse::<f32>().ok().filter(|value| value.is_finite());
        let value = value.ok_or_else(|| format!("has \"{}\", which is no number, in line {number}", excerpt(word)))?;
        if let Some(place) = found.get_mut(count) {
            *place = value;
        }
        count += 1;
    }
    if count == 3 { Ok(found) } else { Err(format!("has {count} numbers in line {number}, not 3")) }
}

fn excerpt(word: &str) -> String {
    word.chars().take(20).collect()
}

/// How many colours make a place in a table.
#[derive(Clone, Copy, PartialEq)]
enum Dimensions {
    One,
    Three,
}

impl Dimensions {
    fn keyword(self) -> &'static str {
        match self {
            Self::One => "LUT_1D_SIZE",
            Self::Three => "LUT_3D_SIZE",
        }
    }

    fn most(self) -> usize {
        match self {
            Self::One => ToneFile::MAX_SIZE,
            Self::Three => Lattice::MAX_SIZE,
        }
    }

    /// How many colours a table of a size has.
    fn colours(self, size: usize) -> usize {
        match self {
            Self::One => size,
            Self::Three => size.pow(3),
        }
    }

    /// A size of a keyword.
    fn size(self, words: &str, number: usize) -> Result<usize, String> {
        let size = words.trim().parse().ok().filter(|size| (2..=self.most()).contains(size));
        size.ok_or_else(|| {
            format!("has the size \"{}\" in line {number}, not 2 to {}", excerpt(words.trim()), self.most())
        })
    }
}

/// The table of a `.cube` file.
struct Heading {
    size: usize,
    /// As many as the size asks for.
    colours: Vec<[f32; 3]>,
    low: [f32; 3],
    high: [f32; 3],
}

/// A `.cube` file of three dimensions: of its colours red runs fastest.
fn cube<R: BufRead>(lines: &mut CubeLines<R>) -> Result<Lattice, Fault> {
    let Heading { size, colours, low, high } = heading(lines, Dimensions::Three)?;
    lattice(size, colours, low, high)
}

/// A `.cube` file: keywords, then colours.
fn heading<R: BufRead>(lines: &mut CubeLines<R>, wanted: Dimensions) -> Result<Heading, Fault> {
    let (mut size, mut low, mut high) = (None, [0.0; 3], [1.0; 3]);
    let mut colours: Vec<[f32; 3]> = Vec::new();
    while let Some(line) = lines.next()?.map(str::to_owned) {
        let number = lines.number;
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        match keyword {
            "TITLE" => {}
            _ if keyword == wanted.keyword() && colours.is_empty() => size = Some(wanted.size(rest, number)?),
            "LUT_1D_SIZE" => {
                return Err("holds a table of one dimension, which lut1d reads".to_owned().into());
            }
            "LUT_3D_SIZE" if wanted == Dimensions::One => {
                return Err("holds a table of three dimensions, which lut3d reads".to_owned().into());
            }
            "DOMAIN_MIN" if colours.is_empty() => low = three(rest, number)?,
            "DOMAIN_MAX" if colours.is_empty() => high = three(rest, number)?,
            "LUT_3D_INPUT_RANGE" | "LUT_1D_INPUT_RANGE" if colours.is_empty() => {
                let ends: Vec<f32> = rest.split_whitespace().filter_map(|word| word.parse().ok()).collect();
                let [first, last] = ends[..] else {
                    return Err(format!("has no two numbers behind {keyword} in line {number}").into());
                };
                (low, high) = ([first; 3], [last; 3]);
            }
            _ if keyword.starts_with(|c: char| c.is_ascii_alphabetic())
                && colours.is_empty()
                && !is_number(keyword) => {}
            _ => {
                let size = size.ok_or_else(|| format!("has no {} above line {number}", wanted.keyword()))?;
                let due = wanted.colours(size);
                let colour = three(&line, number)?;
                if colours.len() == due {
                    return Err(format!("has more than the {due} colours of its size, from line {number} on").into());
                }
                colours.push(colour);
            }
        }
    }
    let size = size.ok_or_else(|| format!("has no {}", wanted.keyword()))?;
    counted(lines.number, colours.len(), wanted.colours(size), size)?;
    Ok(Heading { size, colours, low, high })
}

/// Fails if colours are missing.
fn counted(last: usize, count: usize, due: usize, size: usize) -> Result<(), Fault> {
    if count == due {
        return Ok(());
    }
    Err(format!("ends at line {last} with {count} colours, where {size} points a side have {due}").into())
}

/// True for words such as `nan` and `inf`, which begin with a letter and are meant as numbers.
fn is_number(word: &str) -> bool {
    word.parse::<f32>().is_ok()
}

/// A `.3dl` file: a row of inputs, or `Mesh`, then whole colours of which blue runs fastest.
fn three_dl<R: BufRead>(lines: &mut CubeLines<R>) -> Result<Lattice, Fault> {
    let (mut side, mut depth, mut colours) = (None, None, Vec::new());
    while let Some(line) = lines.next()?.map(str::to_owned) {
        let number = lines.number;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["Mesh", steps, bits] => {
                let steps = steps.parse::<u32>().ok().filter(|steps| (1..=7).contains(steps));
                let steps =
                    steps.ok_or_else(|| format!("has a Mesh of \"{}\" in line {number}", excerpt(line.trim())))?;
                side = Some((1 << steps) + 1);
                depth = bits.parse::<u32>().ok().filter(|bits| (8..=16).contains(bits));
            }
            ["3DMESH" | "LUT8" | "gamma", ..] => {}
            // The first row holds inputs, as many as there are points a side. A Mesh may have it too.
            _ if colours.is_empty() && (side.is_none() || words.len() != 3) => {
                side = side.or(Some(words.len()).filter(|count| (2..=Lattice::MAX_SIZE).contains(count)));
            }
            _ => colours.push(three(&line, number)?),
        }
        if colours.len() > Lattice::MAX_SIZE.pow(3) {
            return Err(format!("has too many colours, from line {number} on").into());
        }
    }
    let side = side.ok_or("has no row of inputs, as 0 64 128 …".to_owned())?;
    // The depth of the colours is the least of those in use that has room for them.
    let largest = colours.iter().flatten().copied().fold(0.0, f32::max);
    let known = [10, 12, 14, 16].into_iter().find(|bits| largest < (1u32 << bits) as f32);
    let depth = depth.or(known).ok_or_else(|| format!("has a colour of {largest}, above 16 bits"))?;
    let white = ((1u32 << depth) - 1) as f32;
    counted(lines.number, colours.len(), side.pow(3), side)?;
    let places = (0..side).flat_map(|b| (0..side).flat_map(move |g| (0..side).map(move |r| (r * side + g) * side + b)));
    let points = places.map(|place| colours[place].map(|number: f32| number / white)).collect();
    lattice(side, points, [0.0; 3], [1.0; 3])
}

fn lattice(side: usize, points: Vec<[f32; 3]>, low: [f32; 3], high: [f32; 3]) -> Result<Lattice, Fault> {
    Lattice::new(side, points, low, high).map_err(|error| format!("is no table of colours: {error}").into())
}
