//! Errors of the library as Python's exceptions, with the texts of the program.

use std::io;

use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::{PyErr, create_exception};
use warpreel::filter::SyntaxError;
use warpreel::job::{Interrupted, Usage};

create_exception!(warpreel, Error, PyException, "Failure of a valid request: damaged input, a GPU that does not work.");

/// The exception for an error: `ValueError` for what was typed, `OSError` for what the system refused, an exception that was
/// raised on the way as it is, and `warpreel.Error` for the rest.
pub fn raised(error: anyhow::Error) -> PyErr {
    let error = match error.downcast::<PyErr>() {
        Ok(exception) => return exception,
        Err(error) => error,
    };
    let line = format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
    if error.is::<Interrupted>() {
        return PyKeyboardInterrupt::new_err(line);
    }
    if error.is::<Usage>() || error.is::<SyntaxError>() {
        return PyValueError::new_err(line);
    }
    let system = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    match system.map(io::Error::raw_os_error) {
        // Python chooses the subclass by the number: FileNotFoundError and its like.
        Some(Some(number)) => PyOSError::new_err((number, line)),
        Some(None) => PyOSError::new_err(line),
        None => Error::new_err(line),
    }
}

/// The exception for an error that what was asked for explains.
pub fn refused(error: anyhow::Error) -> PyErr {
    PyValueError::new_err(format!("{error:#}"))
}
