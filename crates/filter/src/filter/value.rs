//! Values as they are typed, and those of one call, as the filters of the table ask for them.

use std::fmt;
use std::sync::Arc;

use super::choice::{Edge, Planes};
use super::colour::FillColour;
use super::condition::Condition;
use super::cube::{CubeFile, ToneFile};
use super::expression::Formula;
use super::knots::Knots;
use super::mask::Mask;
use super::matrix::ParsedKernels;
use super::moving::MovingPicture;
use super::picture::StillPicture;
use super::region::Region;
use crate::pass::TimeBorder;

/// The strength that follows the noise of the clip.
pub(super) const AUTO: &str = "auto";

/// Names of what lies before the first frame and after the last.
pub(super) const TIME_BORDERS: [(&str, TimeBorder); 4] = [
    ("clamp", TimeBorder::Clamp),
    ("reflect101", TimeBorder::Reflect101),
    ("zero", TimeBorder::Zero),
    ("lopsided", TimeBorder::Lopsided),
];

/// What lies before the first frame and after the last, by the name that is typed; `None` for other names.
pub fn time_border(name: &str) -> Option<TimeBorder> {
    TIME_BORDERS.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode)
}

/// A value that was typed, or a default.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of [`Kind::Number`](super::Kind::Number), [`Kind::Strength`](super::Kind::Strength), [`Kind::Count`](super::Kind::Count) and, as 0 or 1, [`Kind::Switch`](super::Kind::Switch).
    Number(f64),
    /// One of the words that [`Kind::Word`](super::Kind::Word) or [`Kind::Name`](super::Kind::Name) lists, or `auto` of [`Kind::Strength`](super::Kind::Strength).
    Word(&'static str),
    /// At least one.
    Numbers(Vec<f64>),
    /// The kernel, and the text or file name that it came from.
    Kernel(String, Arc<ParsedKernels>),
    /// A table of colours.
    Cube(CubeFile),
    /// A table of tones.
    ToneCube(ToneFile),
    /// Key points of a curve.
    Knots(Knots),
    /// Which planes.
    Planes(Planes),
    /// What lies outside the plane.
    Border(Edge),
    /// What lies before the first frame and after the last.
    TimeBorder(TimeBorder),
    /// Which frames.
    Condition(Condition),
    /// Which part of the picture.
    Region(Region),
    /// How much at each pixel.
    Mask(Arc<Mask>),
    /// A still picture.
    Picture(Arc<StillPicture>),
    /// The name of a clip.
    Clip(Arc<str>),
    /// A clip where a picture may be.
    Moving(Arc<MovingPicture>),
    /// The name of a file to be written.
    Written(Arc<str>),
    /// A number that follows the frames.
    Expression(Formula),
    /// A colour.
    Colour(FillColour),
    /// A width and a height.
    Size(usize, usize),
}

impl Value {
    /// A strength that follows the noise of the clip.
    pub(super) const AUTO: Self = Self::Word(AUTO);
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => f.write_str(word),
            Self::Numbers(numbers) => f.write_str(&numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")),
            Self::Kernel(text, _) => f.write_str(text),
            Self::Cube(cube) => f.write_str(&cube.path),
            Self::ToneCube(tones) => f.write_str(&tones.path),
            Self::Knots(knots) => knots.fmt(f),
            Self::Planes(planes) => planes.fmt(f),
            Self::Border(edge) => edge.fmt(f),
            Self::TimeBorder(mode) => {
                let name = TIME_BORDERS.iter().find(|(_, known)| known == mode).map_or("clamp", |(name, _)| name);
                f.write_str(name)
            }
            Self::Condition(condition) => f.write_str(condition.text()),
            Self::Region(region) => region.fmt(f),
            Self::Mask(mask) => f.write_str(&mask.path),
            Self::Picture(picture) => f.write_str(&picture.path),
            Self::Clip(name) | Self::Written(name) => f.write_str(name),
            Self::Moving(moving) => f.write_str(&moving.path),
            Self::Expression(expression) => expression.fmt(f),
            Self::Colour(colour) => colour.fmt(f),
            Self::Size(width, height) => write!(f, "{width}x{height}"),
        }
    }
}

/// The values of one call, defaults filled in. The accessors are for the filters of the table.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Values(pub(super) Vec<(&'static str, Value)>);

/// Why an accessor may expect its value: reading checked the kind, and a test makes every filter with its defaults.
const DECLARED: &str = "the table declares this parameter with that kind and a default";

impl Values {
    /// Gives a parameter a number, in place of what it has.
    pub(super) fn set(&mut self, name: &'static str, number: f64) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, value)) => *value = Value::Number(number),
            None => self.0.push((name, Value::Number(number))),
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// A number that was typed; `None` where it was not and the default is derived.
    pub(super) fn typed(&self, name: &str) -> Option<f64> {
        match self.find(name)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A number that has a default.
    pub(super) fn number(&self, name: &str) -> f64 {
        self.typed(name).expect(DECLARED)
    }

    /// A whole number that has a default.
    pub(super) fn count(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    /// A switch that has a default.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.number(name) != 0.0
    }

    /// A switch that was typed; `None` where it was not and the default is derived.
    pub(super) fn typed_switch(&self, name: &str) -> Option<bool> {
        self.typed(name).map(|number| number != 0.0)
    }

    /// An expression, if there is one.
    pub(super) fn expression(&self, name: &str) -> Option<&Formula> {
        match self.find(name)? {
            Value::Expression(expression) => Some(expression),
            _ => None,
        }
    }

    /// The frames to filter, if that was typed.
    pub(super) fn condition(&self) -> Option<&Condition> {
        match self.find("enable")? {
            Value::Condition(condition) => Some(condition),
            _ => None,
        }
    }

    /// A colour that has a default.
    pub(super) fn colour(&self, name: &str) -> &FillColour {
        match self.find(name) {
            Some(Value::Colour(colour)) => Some(colour),
            _ => None,
        }
        .expect(DECLARED)
    }

    /// A word that has a default.
    pub(super) fn word(&self, name: &str) -> &'static str {
        match self.find(name) {
            Some(Value::Word(word)) => Some(*word),
            _ => None,
        }
        .expect(DECLARED)
    }

    /// A word that was typed; `None` where it was not and the default is derived.
    pub(super) fn typed_word(&self, name: &str) -> Option<&'static str> {
        match self.find(name)? {
            Value::Word(word) => Some(*word),
            _ => None,
        }
    }

    /// Numbers, if there are any.
    pub(super) fn numbers(&self, name: &str) -> Option<&[f64]> {
        match self.find(name)? {
            Value::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// A table of colours, if there is one.
    pub(super) fn cube(&self, name: &str) -> Option<&CubeFile> {
        match self.find(name)? {
            Value::Cube(cube) => Some(cube),
            _ => None,
        }
    }

    /// A table of tones, if there is one.
    pub(super) fn tones(&self, name: &str) -> Option<&ToneFile> {
        match self.find(name)? {
            Value::ToneCube(tones) => Some(tones),
            _ => None,
        }
    }

    /// Key points of a curve, if there are any.
    pub(super) fn knots(&self, name: &str) -> Option<&Knots> {
        match self.find(name)? {
            Value::Knots(knots) => Some(knots),
            _ => None,
        }
    }

    /// A still picture, if there is one.
    pub(super) fn picture(&self, name: &str) -> Option<&StillPicture> {
        match self.find(name)? {
            Value::Picture(picture) => Some(picture),
            _ => None,
        }
    }

    /// A clip in place of a still picture, if there is one.
    pub(super) fn moving(&self, name: &str) -> Option<&MovingPicture> {
        match self.find(name)? {
            Value::Moving(moving) => Some(moving),
            _ => None,
        }
    }

    /// The name of a clip, if there is one.
    pub(super) fn clip(&self, name: &str) -> Option<&Arc<str>> {
        match self.find(name)? {
            Value::Clip(path) => Some(path),
            _ => None,
        }
    }

    /// A kernel, if there is one.
    pub(super) fn kernel(&self, name: &str) -> Option<&ParsedKernels> {
        match self.find(name)? {
            Value::Kernel(_, taps) => Some(taps),
            _ => None,
        }
    }
}
