//! Chains: calls looked up in the table, their values read and checked, and printed again.

mod shared;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::frame::{Colour, Family, Pixel, Range};
use crate::pass::{Border, Clips};

use super::advice::{self, WrongValue};
use super::choice::Defaults;
use super::cookbook;
use super::moving::MovingPicture;
use super::parameter::{Kind, Parameter, Preset};
use super::recipe::{self, Recipe};
use super::spec::{FormatPlane, Spec, Terms};
use super::strength::Noise;
use super::syntax::{self, Argument, Call, ChainOrigin, SyntaxError};
use super::table;
use super::value::{Value, Values};
use super::want::Want;

/// One filter of a chain, its values read and checked.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Which filter.
    pub spec: &'static Spec,
    /// As it was typed, but in one line, for messages.
    pub text: String,
    given: Vec<(&'static str, Value)>,
    values: Values,
    defaults: Defaults,
}

/// What is wanted of one plane, and what lies outside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The taps, chroma centred where the filter asks for it.
    pub want: Want,
    /// Outside the plane.
    pub border: Border,
    /// How much of the result there is to be beside the unfiltered sample, 0 to 1; below 1 only where `want` takes
    /// several steps, and cannot say so itself.
    pub mix: f64,
}

/// Reads a chain, or with `@FILE` the chain that a file holds. Files of kernels and masks are read here, so it may
/// block. An empty text is an empty chain.
///
/// In a file `#` outside quotes begins a comment, and the end of a line ends a filter, but where the line ends with one
/// of `, : = ; |` or a backslash, or the next begins with `,` or `:`.
///
/// # Errors
/// The first thing that is wrong, where, and what to type instead.
///
/// ```
/// use warpreel_filter::filter::{Defaults, parse};
///
/// let chain = parse("gaussian=sigma=2,unsharp", &Defaults::default())?;
/// assert_eq!(chain[0].to_string(), "gaussian=sigma=2");
/// let wrong = parse("gausian=2", &Defaults::default()).unwrap_err().to_string();
/// assert!(wrong.contains("did you mean \"gaussian\"?"));
/// # anyhow::Ok(())
/// ```
pub fn parse(text: &str, defaults: &Defaults) -> Result<Vec<Filter>, SyntaxError> {
    let Some(path) = recipe::named(text) else { return read_all(text, defaults) };
    let recipe = Recipe::open(path).map_err(|problem| {
        let message = format!("the chain file \"{}\" {problem}", excerpt(path));
        let hint = cookbook::advice(path);
        SyntaxError { origin: ChainOrigin::Nowhere, ..SyntaxError::new(text, &(0..text.len()), message, hint) }
    })?;
    read_all(&recipe.chain, defaults).map_err(|error| recipe.placed(error))
}

pub(super) fn read_all(text: &str, defaults: &Defaults) -> Result<Vec<Filter>, SyntaxError> {
    syntax::read(text)?.into_iter().map(|call| bind(text, call, defaults)).collect()
}

fn bind(text: &str, call: Call, defaults: &Defaults) -> Result<Filter, SyntaxError> {
    let name = &call.name.text;
    let Some(spec) = table::find(name) else {
        let hint =
            advice::name(name, &text[..call.name.span.start], &text[call.name.span.start..], &text[call.span.clone()]);
        let message = format!("unknown filter \"{}\"", excerpt(name));
        return Err(SyntaxError::new(text, &call.name.span, message, hint));
    };
    let given = read(text, &call, spec, defaults)?;
    let typed = text[call.span.clone()].replace(char::is_control, " ");
    let filter = Filter::new(spec, typed, given, defaults.clone());
    filter.probe().map_err(|err| {
        // What is wrong and what to type, as everywhere.
        let problem = err.to_string();
        let (message, hint) = problem.split_once("; ").unwrap_or((&problem, "change its values"));
        SyntaxError::new(text, &call.span, format!("{}: {message}", spec.name), hint)
    })?;
    Ok(filter)
}

/// The files that a chain reads, as far as it can be read itself: that of the chain, if it lies in one, and those of
/// kernels, masks, pictures and clips, none of which is opened.
pub fn files(text: &str) -> Vec<String> {
    let mut files = Vec::new();
    let mut chain = Cow::Borrowed(text);
    if let Some(path) = recipe::named(text) {
        let is_built_in = recipe::built_in(path).is_some();
        files.extend(Some(path.to_owned()).filter(|_| !is_built_in));
        // What is no file but a pipe can be read only once, and that is for the job.
        let recipe = (is_built_in || Path::new(path).is_file()).then(|| Recipe::open(path).ok()).flatten();
        chain = Cow::Owned(recipe.map_or_else(String::new, |recipe| recipe.chain));
    }
    for call in syntax::read(&chain).unwrap_or_default() {
        let Some(spec) = table::find(&call.name.text) else { continue };
        for (Argument { value, .. }, parameter) in matched(&call, spec) {
            let file = parameter.ok().and_then(|parameter| parameter.kind.file(&value.text));
            files.extend(file.map(str::to_owned));
        }
    }
    files
}

/// A parameter, or what is wrong and what to type.
pub(super) type Match = Result<&'static Parameter, (String, String)>;

/// The arguments of a call, each with the parameter that it is for.
pub(super) fn matched<'a>(call: &'a Call, spec: &'static Spec) -> impl Iterator<Item = (&'a Argument, Match)> {
    let mut positions = Some(spec.own.iter());
    call.arguments.iter().map(move |argument| {
        let parameter = match (&argument.key, &mut positions) {
            (Some(key), _) => {
                positions = None;
                spec.parameters()
                    .find(|p| p.is(&key.text))
                    .ok_or_else(|| unknown(&key.text, &argument.value.text, spec))
            }
            (None, Some(rest)) => rest.next().ok_or_else(|| too_many(spec)),
            (None, None) => Err((
                format!("the value \"{}\" of {} has no name", excerpt(&argument.value.text), spec.name),
                "after the first name=value, name every value".to_owned(),
            )),
        };
        (argument, parameter)
    })
}

/// The values of a call, each with the name of its parameter, in the order of the text.
fn read(
    text: &str,
    call: &Call,
    spec: &'static Spec,
    defaults: &Defaults,
) -> Result<Vec<(&'static str, Value)>, SyntaxError> {
    let mut given: Vec<(&'static str, Value)> = Vec::new();
    for (Argument { key, value }, parameter) in matched(call, spec) {
        let place = key.as_ref().map_or(&value.span, |key| &key.span);
        let parameter = parameter.map_err(|(message, hint)| SyntaxError::new(text, place, message, hint))?;
        if given.iter().any(|(name, _)| *name == parameter.name) {
            let message = format!("{} of {} is given twice", parameter.name, spec.name);
            return Err(SyntaxError::new(text, place, message, "leave one of them out"));
        }
        let read = parameter.kind.read(&value.text).or_else(|fault| match parameter.kind {
            Kind::Picture => {
                MovingPicture::read(&value.text, defaults, fault).map(|moving| Value::Moving(moving.into()))
            }
            _ => Err(fault),
        });
        let read = read.map_err(|problem| {
            let message = format!("{}={} of {} {problem}", parameter.name, excerpt(&value.text), spec.name);
            let is_cut = text[call.span.end..].trim_start().starts_with(',');
            let (is_unnamed, call) = (key.is_none(), &text[call.span.clone()]);
            let opens_clips = defaults.clips.is_some();
            let typed = &value.text;
            let wrong = WrongValue { spec, parameter, is_unnamed, text: typed, call, is_cut, opens_clips };
            let hint = advice::value(&wrong);
            SyntaxError::new(
                text,
                &value.span,
                message,
                hint.unwrap_or_else(|| format!("type {}", expected(parameter))),
            )
        })?;
        given.push((parameter.name, read));
    }
    Ok(given)
}

/// The beginning of a long text.
fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    let start: String = text.chars().take(MOST).collect();
    if start.len() < text.len() { start + "…" } else { start }
}

fn unknown(key: &str, value: &str, spec: &'static Spec) -> (String, String) {
    (format!("unknown parameter \"{key}\" of {}", spec.name), advice::parameter(key, value, spec))
}

fn too_many(spec: &'static Spec) -> (String, String) {
    let count = spec.own.len();
    (format!("{} takes {count} values without a name", spec.name), "leave the rest out or name them".to_owned())
}

fn expected(parameter: &Parameter) -> String {
    let unit = if parameter.unit.is_empty() { String::new() } else { format!(" ({})", parameter.unit) };
    parameter.kind.range() + &unit
}

impl Filter {
    /// The file that it writes beside the output, as it was typed.
    pub fn file_written(&self) -> Option<&str> {
        self.given
            .iter()
            .find_map(|(_, value)| if let Value::Written(name) = value { Some(name.as_ref()) } else { None })
    }

    fn new(spec: &'static Spec, text: String, given: Vec<(&'static str, Value)>, defaults: Defaults) -> Self {
        let value = |parameter: &Parameter| {
            let typed = given.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value.clone());
            let value = typed.or_else(|| match parameter.preset {
                // A test reads every default of the table.
                Preset::Is(preset) => parameter.kind.read(preset).ok(),
                Preset::Derived(_) => None,
            });
            value.map(|value| (parameter.name, value))
        };
        let values = Values(spec.parameters().filter_map(value).collect());
        let filter = Self { spec, text, given, values, defaults };
        // A clip that nobody measures has the assumed noise.
        let assumed = filter.strengths(Noise::ASSUMED);
        let mut values = filter.values.clone();
        assumed.into_iter().for_each(|(name, number)| values.set(name, number));
        Self { values, ..filter }
    }

    /// What is wanted of one plane of an untagged clip.
    ///
    /// # Errors
    /// If the values do not go together, which [`parse`] has already checked.
    pub fn wanted(&self, pixel: Pixel, plane: usize) -> Result<Wanted> {
        self.wanted_in(pixel, Colour::default(), plane)
    }

    /// Work on one plane of a clip of these tags.
    ///
    /// # Errors
    /// As [`Filter::wanted`].
    pub fn wanted_in(&self, pixel: Pixel, colour: Colour, plane: usize) -> Result<Wanted> {
        if !self.planes().contains(pixel, plane) {
            return Ok(Wanted { want: Want::Copy, border: Border::default(), mix: 1.0 });
        }
        let (range, first_too) = (pixel.range(colour.range), self.planes().contains(pixel, 0));
        let target = FormatPlane { pixel, plane, colour, range, first_too };
        let mut want = (self.spec.want)(&self.values, target)?;
        if let (Want::Stencil(stencil), Terms::Own, true) = (&mut want, self.spec.terms, pixel.is_chroma(plane)) {
            let gain = stencil.scale * stencil.shape.gain() + stencil.dry;
            // Taps that were normalised miss 1 by rounding alone; that is no reason to add anything.
            let missing = if (1.0 - gain).abs() < 1e-9 { 0.0 } else { 1.0 - gain };
            stencil.bias = missing * f64::from(pixel.neutral(plane));
        }
        let (want, mix) = want.mixed(self.mix());
        let typed = match self.values.find("border") {
            Some(Value::Border(edge)) => Some(*edge),
            _ => self.defaults.border,
        };
        let border = typed.map_or(want.border().unwrap_or_default(), |edge| edge.border(pixel, plane));
        Ok(Wanted { want, border, mix })
    }

    /// The same with numbers as if they had been typed, in place of what was.
    pub(super) fn with(&self, numbers: impl IntoIterator<Item = (&'static str, f64)>) -> Self {
        let mut given = Values(self.given.clone());
        numbers.into_iter().for_each(|(name, number)| given.set(name, number));
        let filter = Self::new(self.spec, String::new(), given.0, self.defaults.clone());
        Self { text: filter.to_string(), ..filter }
    }

    /// The same call with another first value, and without those of some parameters.
    pub(super) fn with_lead(&self, lead: Option<(&'static str, Value)>, is_left_out: impl Fn(&str) -> bool) -> String {
        let rest = self.given.iter().filter(|(name, _)| !is_left_out(name)).cloned();
        let given = lead.into_iter().chain(rest).collect();
        Self::new(self.spec, String::new(), given, self.defaults.clone()).to_string()
    }

    /// The values, defaults filled in.
    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// Opener of second clips, if there is one.
    pub(super) fn clips(&self) -> Option<&Clips> {
        self.defaults.clips.as_ref()
    }

    /// Whether a parameter was typed.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// The value that was typed for a parameter.
    pub(super) fn given(&self, name: &str) -> Option<&Value> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// Whether it filters a plane of such frames.
    pub(super) fn filters(&self, pixel: Pixel, plane: usize) -> bool {
        self.planes().contains(pixel, plane)
    }

    /// The beginning of what was typed.
    pub(super) fn excerpt(&self) -> String {
        excerpt(&self.text)
    }

    /// Asks for every plane of a format that has all of them, and for the first with the strength that the most noise sets.
    fn probe(&self) -> Result<()> {
        let pixel = Pixel { alpha: true, ..Pixel::integer(Family::Yuv, 1, 1, 8) };
        if self.is_measured() {
            let [_, most] = self.settled_for_any();
            most.wanted(pixel, 0)?;
        }
        for plane in 0..pixel.planes() {
            let target =
                FormatPlane { pixel, plane, colour: Colour::default(), range: Range::Limited, first_too: true };
            let want = (self.spec.want)(&self.values, target)?;
            ensure!(want.is_finite(), "a tap, factor or offset is too large; type numbers below 1e38");
        }
        Ok(())
    }
}

impl PartialEq for Filter {
    /// Whether the same filter was given the same values, however they were typed.
    fn eq(&self, other: &Self) -> bool {
        let is_same = self.spec.name == other.spec.name && self.is_measured() == other.is_measured();
        is_same && self.values == other.values && self.defaults == other.defaults
    }
}

impl fmt::Display for Filter {
    /// The call as text that reads back as the same filter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec.name)?;
        for (index, (name, value)) in self.given.iter().enumerate() {
            let mark = if index == 0 { '=' } else { ':' };
            write!(f, "{mark}{name}={}", syntax::quote(&value.to_string()))?;
        }
        Ok(())
    }
}
