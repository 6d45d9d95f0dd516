//! A filter of the table as a function: its signature, and a call of it as the text of a chain.

use anyhow::{Result, bail, ensure};
use warpreel_filter::filter::{Edit, Kind, Parameter, Spec, edited};
use warpreel_frame::Pixel;

use crate::ffi::Arguments;
use crate::format;
use crate::name;

/// How a parameter is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Float,
    /// A whole number.
    Int,
    /// Several numbers.
    Floats,
    /// Numbers of planes.
    Planes,
    /// Text.
    Text,
}

impl Type {
    /// As VapourSynth writes it.
    pub fn signature(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Int => "int",
            Self::Floats => "float[]",
            Self::Planes => "int[]",
            Self::Text => "data",
        }
    }
}

/// The type of a parameter; `None` of one that the plugin has not: conditions, which FFmpeg evaluates, and files that are
/// written beside an output.
pub fn type_of(parameter: &Parameter) -> Option<Type> {
    Some(match parameter.kind {
        Kind::Number(..) | Kind::Strength(..) => Type::Float,
        Kind::Count(..) | Kind::Switch => Type::Int,
        // Expressions are FFmpeg's, and Python has its own; sizes and places are whole numbers.
        Kind::Expression(_) if parameter.unit == "luma pixels" => Type::Int,
        Kind::Expression(_) => Type::Float,
        Kind::Numbers => Type::Floats,
        Kind::Planes => Type::Planes,
        Kind::Condition | Kind::Written => return None,
        _ => Type::Text,
    })
}

/// The parameters of a filter that are arguments, each with its type.
pub fn parameters(spec: &'static Spec) -> impl Iterator<Item = (&'static Parameter, Type)> {
    spec.parameters().filter_map(|parameter| Some((parameter, type_of(parameter)?)))
}

/// The arguments of a filter, as VapourSynth writes them.
pub fn signature(spec: &'static Spec) -> String {
    let each =
        |(parameter, kind): (&Parameter, Type)| format!("{}:{}:opt;", name::argument(parameter.name), kind.signature());
    parameters(spec).map(each).collect()
}

/// The letters of planes by VapourSynth's count, as the filters know them.
///
/// # Errors
/// If there is no such plane.
pub fn letters(planes: &[i64], pixel: Pixel) -> Result<String> {
    let letter = |&plane: &i64| {
        let letter = usize::try_from(plane).ok().and_then(|plane| format::letter(pixel, plane));
        let Some(letter) = letter else { bail!("planes={plane}: the clip has {} planes", pixel.planes()) };
        Ok(letter)
    };
    planes.iter().map(letter).collect()
}

/// A call as the text of a chain.
///
/// # Errors
/// If an argument cannot be read.
pub fn chain(spec: &'static Spec, arguments: &Arguments<'_>, pixel: Pixel) -> Result<String> {
    let mut text = spec.name.to_owned();
    for (parameter, kind) in parameters(spec) {
        let key = name::argument(parameter.name);
        if arguments.count(&key) == 0 {
            continue;
        }
        let numbers = || arguments.numbers(&key);
        let value = match kind {
            Type::Float => numbers().first().map_or_else(String::new, f64::to_string),
            Type::Int => arguments.integer(&key).unwrap_or_default().to_string(),
            Type::Floats => numbers().iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
            Type::Planes => letters(&arguments.integers(&key), pixel)?,
            Type::Text => arguments.text(&key)?.unwrap_or_default(),
        };
        ensure!(!value.contains('\0'), "{key} contains a zero byte");
        text = edited(&text, &Edit::Set(0, parameter.name.to_owned(), Some(value)))?;
    }
    Ok(text)
}
