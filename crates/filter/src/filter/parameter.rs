//! Parameters as the table declares them, and values as they are typed: types, ranges, defaults.

use std::sync::Arc;

use super::condition::Condition;

use super::choice::{Edge, Planes};
use super::colour::FillColour;
use super::cube::{CubeFile, ToneFile};
use super::expression::Formula;
use super::knots::Knots;
use super::mask::Mask;
use super::matrix;
use super::number::number;
use super::picture::StillPicture;
use super::region::Region;
use super::strength::Noise;
use super::value::{AUTO, TIME_BORDERS, Value, Values};

/// What may be typed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number or a fraction such as `1/16`, from the first to the second, both included.
    Number(f64, f64),
    /// The same, or `auto` for a strength that follows the noise of the clip.
    Strength(f64, f64),
    /// A whole number, from the first to the second, both included.
    Count(usize, usize),
    /// A number, or an expression of FFmpeg's over variables of these names.
    Expression(&'static [&'static str]),
    /// `0` or `1`.
    Switch,
    /// One of a few words; FFmpeg's numbers for them, counted from 0, are understood too.
    Word(&'static [&'static str]),
    /// One of a few words, of which FFmpeg has more, so that its numbers for them would mislead.
    Name(&'static [&'static str]),
    /// One of a few words; FFmpeg's numbers for them, counted from this one, are understood too.
    Numbered(isize, &'static [&'static str]),
    /// Numbers between white space, `|` or commas: taps of a row, weights of frames.
    Numbers,
    /// A kernel as text, or the name of a file of one.
    Kernel,
    /// Tones at equal distances as text, or the name of a file of them; read as a kernel is.
    Tones,
    /// The name of a file with a kernel.
    File,
    /// The name of a file with a table of colours.
    Cube,
    /// The name of a file with a table of tones of red, green and blue.
    ToneCube,
    /// Key points of a curve.
    Knots,
    /// Which planes.
    Planes,
    /// What lies outside the plane.
    Border,
    /// What lies before the first frame and after the last.
    TimeBorder,
    /// Which frames.
    Condition,
    /// Which part of the picture.
    Region,
    /// The name of a PNG file.
    Mask,
    /// The name of a PNG file with a still picture.
    Picture,
    /// The name of a video file.
    Clip,
    /// The name of a file to be written.
    Written,
    /// A colour.
    Colour,
    /// A width and a height.
    Size,
}

impl Kind {
    /// Reads a value; opens the file that it names, so it may block.
    ///
    /// # Errors
    /// What is wrong with it, without saying where: `is out of range`, `is not a number`.
    pub(super) fn read(self, text: &str) -> Result<Value, String> {
        let outside = |yes: bool, value| if yes { Ok(value) } else { Err("is out of range".to_owned()) };
        match self {
            Self::Strength(..) if text == AUTO => Ok(Value::AUTO),
            Self::Number(low, high) | Self::Strength(low, high) => {
                let number = number(text)?;
                outside((low..=high).contains(&number), Value::Number(number))
            }
            Self::Count(low, high) => {
                let number = number(text)?;
                if number.fract() != 0.0 {
                    return Err("is not a whole number".to_owned());
                }
                outside((low as f64..=high as f64).contains(&number), Value::Number(number))
            }
            Self::Expression(names) => Formula::parse(text, names)
                .map(Value::Expression)
                .map_err(|error| format!("is not an expression: {error:#}")),
            Self::Switch => match text {
                "0" => Ok(Value::Number(0.0)),
                "1" => Ok(Value::Number(1.0)),
                _ => Err("is neither 0 nor 1".to_owned()),
            },
            Self::Word(words) => {
                let named = words.iter().find(|word| **word == text);
                let numbered = || words.get(text.parse::<usize>().ok()?);
                named.or_else(numbered).map(|word| Value::Word(word)).ok_or_else(|| "is unknown".to_owned())
            }
            Self::Name(words) => {
                let named = words.iter().find(|word| **word == text);
                named.map(|word| Value::Word(word)).ok_or_else(|| "is unknown".to_owned())
            }
            Self::Numbered(first, words) => {
                let named = words.iter().find(|word| **word == text);
                let numbered = || words.get(usize::try_from(text.parse::<isize>().ok()?.checked_sub(first)?).ok()?);
                named.or_else(numbered).map(|word| Value::Word(word)).ok_or_else(|| "is unknown".to_owned())
            }
            Self::Numbers => {
                let plain = matrix::opened(text)?;
                let words = plain.split(|c: char| c.is_whitespace() || "|,;".contains(c));
                let numbers: Result<Vec<f64>, _> = words.filter(|word| !word.is_empty()).map(number).collect();
                let numbers = numbers.map_err(|problem| format!("holds a word that {problem}"))?;
                if numbers.is_empty() { Err("is empty".to_owned()) } else { Ok(Value::Numbers(numbers)) }
            }
            Self::Kernel | Self::Tones => Ok(Value::Kernel(text.to_owned(), Arc::new(matrix::read(text)?))),
            Self::File => Ok(Value::Kernel(text.to_owned(), Arc::new(matrix::read_file(text)?))),
            Self::Cube => CubeFile::read(text).map(Value::Cube),
            Self::ToneCube => ToneFile::read(text).map(Value::ToneCube),
            Self::Knots => Knots::parse(text).map(Value::Knots),
            Self::Planes => Planes::parse(text).map(Value::Planes).ok_or_else(|| "names no planes".to_owned()),
            Self::Border => Edge::parse(text).map(Value::Border).ok_or_else(|| "is not a border".to_owned()),
            Self::TimeBorder => {
                let found = TIME_BORDERS.iter().find(|(name, _)| *name == text);
                found.map(|(_, mode)| Value::TimeBorder(*mode)).ok_or_else(|| "is not a border in time".to_owned())
            }
            Self::Condition => {
                Condition::parse(text).map(Value::Condition).map_err(|error| format!("is not an expression: {error:#}"))
            }
            Self::Region => Region::parse(text).map(Value::Region),
            Self::Mask => Mask::read(text).map(|mask| Value::Mask(Arc::new(mask))),
            Self::Picture => StillPicture::read(text).map(|picture| Value::Picture(Arc::new(picture))),
            Self::Clip => super::clip::named(text).map(Value::Clip),
            Self::Written if text.is_empty() => Err("names no file".to_owned()),
            Self::Written => Ok(Value::Written(text.into())),
            Self::Colour => FillColour::parse(text).map(Value::Colour),
            Self::Size => {
                let sides = text.split_once('x').map(|(width, height)| (width.parse(), height.parse()));
                match sides {
                    Some((Ok(width), Ok(height))) => Ok(Value::Size(width, height)),
                    _ => Err("is not a size".to_owned()),
                }
            }
        }
    }

    /// The file that a value names, if it names one.
    pub(super) fn file(self, text: &str) -> Option<&str> {
        let is_file = match self {
            Self::Kernel | Self::Tones => matrix::is_file(text),
            Self::File | Self::Cube | Self::ToneCube | Self::Mask | Self::Picture | Self::Clip => true,
            _ => false,
        };
        is_file.then_some(text)
    }

    /// What may be typed, for help and hints: `a number from 0 to 1000`.
    pub fn range(self) -> String {
        match self {
            Self::Number(low, high) if low == high => low.to_string(),
            Self::Number(low, high) => format!("a number from {low} to {high}"),
            Self::Strength(low, high) => format!("a number from {low} to {high}, or {AUTO}"),
            Self::Count(low, high) => format!("a whole number from {low} to {high}"),
            Self::Switch => "0 or 1".to_owned(),
            Self::Expression(names) => format!("a number, or an expression of {}", names.join(", ")),
            Self::Word(words) | Self::Name(words) | Self::Numbered(_, words) => words.join(", "),
            Self::Numbers => "numbers between spaces".to_owned(),
            Self::Kernel => {
                "a kernel such as '0 -1 0; -1 5 -1; 0 -1 0', or a .txt, .csv, .json or .npy file".to_owned()
            }
            Self::Tones => "tones such as '0 0.1 0.5 0.9 1', or a .txt, .csv, .json or .npy file".to_owned(),
            Self::File => "a .txt, .csv, .json or .npy file".to_owned(),
            Self::Cube => "a .cube or .3dl file".to_owned(),
            Self::ToneCube => "a .cube file of one dimension".to_owned(),
            Self::Knots => "points x/y such as '0/0 0.5/0.6 1/1'".to_owned(),
            Self::Planes => Planes::HELP.to_owned(),
            Self::Border => Edge::HELP.to_owned(),
            Self::TimeBorder => TIME_BORDERS.map(|(name, _)| name).join(", "),
            Self::Condition => "an expression of t, n, w and h, as 'between(t,1,3)'".to_owned(),
            Self::Region => Region::HELP.to_owned(),
            Self::Mask | Self::Picture => "the name of a PNG file".to_owned(),
            Self::Clip => "the name of a video file".to_owned(),
            Self::Written => "the name of a file to write".to_owned(),
            Self::Colour => "a colour such as black, white or #102030".to_owned(),
            Self::Size => "a size such as 1280x720".to_owned(),
        }
    }
}

/// What a parameter is when it is not typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preset {
    /// This value, written as it would be typed.
    Is(&'static str),
    /// Something that depends on the rest, in words for the help: `as sigma`.
    Derived(&'static str),
}

/// The numbers of a range that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedNumbers {
    /// All numbers of its kind.
    All,
    /// Odd ones, and 0 where the range begins there.
    Odd,
    /// Powers of two.
    PowersOfTwo,
    /// Multiples of this one.
    Multiples(u16),
}

/// One parameter of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What it is called.
    pub name: &'static str,
    /// Other names, such as FFmpeg's short ones.
    pub aliases: &'static [&'static str],
    /// What may be typed.
    pub kind: Kind,
    /// The unit of a number, or empty.
    pub unit: &'static str,
    /// What it is when it is not typed.
    pub preset: Preset,
    /// One sentence.
    pub help: &'static str,
    /// How the noise of a clip sets it, if it can. The first such parameter of a filter leads: where it is `auto`, those that
    /// are not typed are set too.
    pub strength: Option<Strength>,
    /// The numbers of its range that it accepts.
    pub steps: AcceptedNumbers,
}

impl Parameter {
    /// A parameter without aliases and unit.
    pub(super) const fn new(name: &'static str, kind: Kind, preset: Preset, help: &'static str) -> Self {
        Self { name, aliases: &[], kind, unit: "", preset, help, strength: None, steps: AcceptedNumbers::All }
    }

    /// Set by the noise of a clip where that is wanted.
    pub(super) const fn by_noise(self, strength: Strength) -> Self {
        Self { strength: Some(strength), ..self }
    }

    /// With a unit.
    pub(super) const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Accepts only these numbers.
    pub(super) const fn only(self, steps: AcceptedNumbers) -> Self {
        Self { steps, ..self }
    }

    /// With other names.
    pub(super) const fn or(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Whether it answers to `name`.
    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// The default for help: `2`, or `(as sigma)`.
    pub fn preset_text(&self) -> String {
        match self.preset {
            Preset::Is(value) => value.to_owned(),
            Preset::Derived(words) => format!("({words})"),
        }
    }
}

/// How the noise of a clip sets a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// The value for a noise; `None` leaves the parameter to its default.
    pub(super) of: fn(&Values, Noise) -> Option<f64>,
    /// From which part of that value on a typed one changes something visible.
    pub(super) weak: f64,
    /// Up to which multiple of that value a typed one mostly removes noise.
    pub(super) strong: f64,
}

impl Strength {
    /// Of the first plane, with the parts of the best value between which a typed one is not remarked on.
    pub(super) const fn new(of: fn(&Values, Noise) -> Option<f64>, weak: f64, strong: f64) -> Self {
        Self { of, weak, strong }
    }

    /// Of other planes: no typed value is remarked on.
    pub(super) const fn beside(of: fn(&Values, Noise) -> Option<f64>) -> Self {
        Self { of, weak: 0.0, strong: f64::INFINITY }
    }

    /// Whether typed values are remarked on.
    pub(super) fn leads(&self) -> bool {
        self.strong.is_finite()
    }
}
