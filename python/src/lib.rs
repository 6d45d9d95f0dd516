//! The Python module of `warpreel`: arrays and video in and out, with the bytes of the command line.
//!
//! | file | what it holds |
//! |---|---|
//! | `chain` | `warpreel.Chain`: a chain of filters for arrays |
//! | `stage` | a chain at work on one format, by a backend |
//! | `stream` | frames one by one, lazily |
//! | `convolve` | `warpreel.convolve`: one kernel |
//! | `picture` | `warpreel.Frame`: a frame of a video |
//! | `reader` | `warpreel.open`: a video that is read |
//! | `access` | frames of a video in any order |
//! | `writer` | `warpreel.create`: a video that is written |
//! | `job` | `warpreel.run`: a whole job |
//! | `chunk` | the chunks of a clip, for `warpreel.ray` |
//! | `option` | the options of the command line as keywords |
//! | `table` | `warpreel.filters()`: the table of filters as data |
//! | `array` | what an array is: its type, shape and steps, and the frames in it |
//! | `memory` | the memory of arrays; `unsafe` stands here, in `foreign` and in `tensor` |
//! | `foreign` | arrays on a GPU that somebody else owns, taken where they lie |
//! | `guest` | arrays on the host of other libraries, and back |
//! | `tensor` | results and decoded frames on a GPU, given on where they lie |
//! | `device` | arrays on a GPU through a chain, and back as arrays of their library |
//! | `worker` | the threads that copy arrays |
//! | `error` | errors of the library as exceptions |
//! | `wording` | messages of the program in Python's words |
//! | `pulse` | Ctrl-C while the interpreter is left alone |
//!
//! While frames are filtered the interpreter is left alone (`Python::detach`), so that other threads run.

mod access;
mod array;
mod chain;
mod chunk;
mod claim;
mod consumer;
mod convolve;
mod device;
mod error;
mod foreign;
mod guest;
mod job;
mod memory;
mod option;
mod picture;
#[path = "../../src/main.rs"]
#[allow(dead_code, reason = "the program's own entry is not the module's")]
mod program;
mod pulse;
mod reader;
mod setting;
mod stage;
mod stream;
mod table;
mod tensor;
mod wording;
mod worker;
mod writer;

/// What `warpreel` is made of; `warpreel/__init__.pyi` has its signatures, and what each does.
#[pyo3::pymodule]
mod _warpreel {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::chain::Chain;
    #[pymodule_export]
    use super::chunk::{Feed, chunks, join};
    #[pymodule_export]
    use super::convolve::convolve;
    #[pymodule_export]
    use super::error::Error;
    #[pymodule_export]
    use super::job::run;
    #[pymodule_export]
    use super::option::options;
    #[pymodule_export]
    use super::picture::Picture;
    #[pymodule_export]
    use super::reader::{Reader, open};
    #[pymodule_export]
    use super::stream::Stream;
    #[pymodule_export]
    use super::table::filters;
    #[pymodule_export]
    use super::tensor::Tensor;
    #[pymodule_export]
    use super::writer::{Writer, create};

    /// The program, its name first, as on a command line; returns its exit code. Writes to the process's own stdout and
    /// stderr.
    #[pyfunction]
    fn main(py: Python<'_>, words: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| super::program::answer(words))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
