//! Errors of the library as Python's exceptions, with the texts of the program in Python's words.

use std::io::{self, ErrorKind};

use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::{PyErr, create_exception};
use warpreel::ErrorKind as Kind;

use super::wording::in_python;

create_exception!(warpreel, Error, PyException, "Failure of a valid request: damaged input, a GPU that does not work.");

/// The exception for an error: `ValueError` for what was typed, `OSError` for what the system refused, an exception that was
/// raised on the way as it is, and `warpreel.Error` for the rest.
pub fn raised(error: anyhow::Error) -> PyErr {
    raised_for(error, &[])
}

/// The same for a call that reads or writes these files: what concerns one of them has its name as `filename`.
pub fn raised_for(error: anyhow::Error, files: &[&str]) -> PyErr {
    let error = match error.downcast::<PyErr>() {
        Ok(exception) => return exception,
        Err(error) => error,
    };
    let line = in_python(&format!("{error:#}"));
    match Kind::of(&error) {
        Kind::Interrupted => return PyKeyboardInterrupt::new_err(line),
        Kind::Request => return PyValueError::new_err(line),
        _ => {}
    }
    let Some(system) = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()) else {
        return Error::new_err(line);
    };
    let Some(number) = system.raw_os_error().or_else(|| number(system.kind())) else {
        return PyOSError::new_err(line);
    };
    // Python chooses the subclass by the number: FileNotFoundError and its like.
    let line = line.strip_suffix(&format!(" (os error {number})")).unwrap_or(&line);
    let fault = |file: &&str| {
        let (before, after) = line.rsplit_once(&format!("{file:?}: "))?;
        Some((after.to_owned(), before.len(), (*file).to_owned()))
    };
    // What is said last is nearest to the fault.
    match files.iter().filter_map(fault).max_by_key(|(_, place, _)| *place) {
        Some((fault, _, file)) => PyOSError::new_err((number, fault, file)),
        None => PyOSError::new_err((number, line.to_owned())),
    }
}

/// The number of Linux for a fault that the library found itself.
fn number(kind: ErrorKind) -> Option<i32> {
    match kind {
        ErrorKind::NotFound => Some(2),
        ErrorKind::PermissionDenied => Some(13),
        ErrorKind::AlreadyExists => Some(17),
        ErrorKind::NotADirectory => Some(20),
        ErrorKind::IsADirectory => Some(21),
        _ => None,
    }
}

/// The exception for an error that what was asked for explains.
pub fn refused(error: anyhow::Error) -> PyErr {
    PyValueError::new_err(in_python(&format!("{error:#}")))
}
