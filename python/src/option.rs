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

/// What may not be asked of a module: what the program says and writes beside its output.
const PROGRAM: [&str; 11] =
    ["live", "stats", "trace", "progress", "verbose", "quiet", "into", "jobs", "help", "version", "skip_existing"];

/// The job from `input` to `output` with these options.
///
/// # Errors
/// `ValueError` and `TypeError`, with the program's words.
pub fn request(input: &str, output: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Request> {
    let mut words = vec!["warpreel".to_owned(), "input".to_owned(), "output".to_owned()];
    for (key, value) in options.into_iter().flatten() {
        let key: String = key.extract()?;
        if PROGRAM.contains(&key.as_str()) {
            return Err(PyTypeError::new_err(format!("{key} is an option of the program alone")));
        }
        let option = format!("--{}", key.trim_end_matches('_').replace('_', "-"));
        word(&mut words, &option, &value)?;
    }
    let cli = Cli::read(words.into_iter().map(OsString::from)).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        PyValueError::new_err(line.strip_prefix("error: ").unwrap_or(line).to_owned())
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
