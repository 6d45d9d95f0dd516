//! The options of the command line as keywords: `crf=18` is `--crf 18`, `no_audio=True` is `--no-audio`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};
use warpreel::cli::Cli;
use warpreel::job::Request;

use super::error::raised;
use super::program::typed;
use super::wording::in_python;

/// What may not be asked of a module: what the program says and writes beside its output.
const PROGRAM: [&str; 16] = [
    "live",
    "stats",
    "metrics_file",
    "trace",
    "progress",
    "verbose",
    "quiet",
    "into",
    "jobs",
    "help",
    "version",
    "skip_existing",
    "recursive",
    "watch",
    "settle",
    "resume",
];

/// What says how a video is read.
const READING: [&str; 12] = [
    "raw",
    "fps",
    "start",
    "end",
    "duration",
    "frames",
    "strict",
    "salvage",
    "conceal",
    "decoder",
    "decode_lanes",
    "max_memory",
];

/// What says how a video is written.
const WRITING: [&str; 14] = [
    "overwrite",
    "codec",
    "quality",
    "crf",
    "preset",
    "bitrate",
    "pix_fmt",
    "lossless",
    "container",
    "audio",
    "no_audio",
    "subtitles",
    "drop",
    "encoder_option",
];

/// The functions with options of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// `warpreel.open`.
    Open,
    /// `warpreel.create`.
    Create,
    /// `warpreel.run`, and its parts.
    Run,
}

impl Call {
    const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Create => "create",
            Self::Run => "run",
        }
    }

    fn takes(self, key: &str) -> bool {
        match self {
            Self::Open => key == "threads" || READING.contains(&key),
            Self::Create => ["threads", "strict", "max_memory"].contains(&key) || WRITING.contains(&key),
            Self::Run => true,
        }
    }

    /// Refuses a keyword that it has not, with what was perhaps meant.
    fn check(self, key: &str, all: &BTreeMap<String, bool>) -> PyResult<()> {
        let bare = key.trim_end_matches('_');
        if PROGRAM.contains(&bare) {
            return Err(PyTypeError::new_err(format!("{key} is an option of the program alone")));
        }
        let name = self.name();
        if all.contains_key(&bare.replace('_', "-")) && !key.contains('-') {
            return match self.takes(bare) {
                true => Ok(()),
                false => Err(PyTypeError::new_err(format!("{name}() has no option {key}; {}", self.elsewhere(bare)))),
            };
        }
        let known = all.keys().map(|known| known.replace('-', "_")).filter(|known| self.takes(known));
        let near = known.map(|known| (strsim::damerau_levenshtein(bare, &known), known)).min();
        let hint = match near.filter(|(distance, known)| *distance <= 1 + known.len() / 4) {
            Some((_, known)) => format!("; did you mean {known}?"),
            None => format!("; see help(warpreel.{name})"),
        };
        Err(PyTypeError::new_err(format!("{name}() got an unexpected keyword argument {key:?}{hint}")))
    }

    /// Where an option of other functions belongs.
    fn elsewhere(self, key: &str) -> &'static str {
        match self {
            Self::Open if WRITING.contains(&key) => "pass it to create() or run()",
            Self::Create if READING.contains(&key) => "pass it to open() or run()",
            _ if ["backend", "border", "planes", "fields", "filter"].contains(&key) => {
                "pass it to Chain, which filters"
            }
            _ => "run() has it",
        }
    }
}

/// The job from `input` to `output` with these options.
///
/// # Errors
/// `TypeError` for an option that the function has not, `ValueError` for a value that is none.
pub fn request(call: Call, input: &str, output: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Request> {
    let mut words = vec!["warpreel".to_owned(), "input".to_owned(), "output".to_owned()];
    let all = Cli::long_options();
    for (key, value) in options.into_iter().flatten() {
        let key: String = key.extract()?;
        call.check(&key, &all)?;
        let option = format!("--{}", key.trim_end_matches('_').replace('_', "-"));
        word(&mut words, &option, &value)?;
    }
    let cli = Cli::read(words.into_iter().map(OsString::from)).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        PyValueError::new_err(in_python(line.strip_prefix("error: ").unwrap_or(line)))
    })?;
    typed::request(input.to_owned(), output.to_owned(), cli.run.options).map_err(|error| raised(error.into()))
}

/// The options of a job, by their long names without dashes, and whether each takes a value.
#[pyfunction]
pub fn options() -> BTreeMap<String, bool> {
    let mut options = Cli::long_options();
    options.retain(|name, _| !PROGRAM.contains(&name.replace('-', "_").as_str()));
    options
}

/// What is typed for a keyword: nothing for `None` and `False`, an option for each of several values, `KEY=VALUE` for
/// those of a dict.
fn word(words: &mut Vec<String>, option: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if value.is_none() {
        return Ok(());
    }
    if let Ok(on) = value.cast::<PyBool>() {
        words.extend(on.is_true().then(|| option.to_owned()));
    } else if let Ok(pairs) = value.cast::<PyDict>() {
        words.extend(pairs.iter().map(|(key, value)| format!("{option}={key}={value}")));
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        value.try_iter()?.try_for_each(|value| word(words, option, &value?))?;
    } else {
        words.push(format!("{option}={}", value.str()?));
    }
    Ok(())
}

/// The name of a file: text, or a path.
///
/// # Errors
/// `TypeError` for anything else; `ValueError` if it is no UTF-8.
pub fn path(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let path: PathBuf = object.extract()?;
    path.into_os_string().into_string().map_err(|name| PyValueError::new_err(format!("{name:?} is not UTF-8")))
}
