//! A video that is read.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use warpreel::frame::{Attachment, Format, Pool, Rational};
use warpreel::job::{self, Lineage};

use super::error::raised;
use super::option::{path, request};
use super::picture::Picture;

/// A video that is read, which ``open`` gives: an iterator over its frames, and a context manager that closes it.
#[pyclass(module = "warpreel")]
pub struct Reader {
    path: String,
    lineage: Lineage,
    length: Option<u64>,
    /// None once it is closed.
    state: Mutex<Option<State>>,
    trailer: Mutex<Option<Attachment>>,
}

struct State {
    reader: job::Reader,
    pool: Pool,
    has_ended: bool,
}

/// Opens a video: a container, y4m, an image sequence such as ``frame%04d.png``, or raw frames.
///
/// :param path: the file.
/// :param options: how it is read, as on the command line: ``start="1:30"`` or ``"#250"``, ``end``, ``duration``,
///     ``frames``, ``raw="yuv420p:1280x720@25"``, ``fps``, ``strict``, ``salvage``, ``threads``.
/// :raises OSError: if the system cannot open it.
/// :raises warpreel.Error: if it cannot be decoded.
///
/// >>> import warpreel
/// >>> with warpreel.open("samples/ten-bit.mp4", start="#10", frames=5) as video:
/// ...     print(video.size, video.fps, len(video), [frame.number for frame in video])
/// (320, 180) 24.0 5 [10, 11, 12, 13, 14]
#[pyfunction]
#[pyo3(signature = (path, **options))]
pub fn open(path: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Reader> {
    let (py, name) = (path.py(), self::path(path)?);
    let request = request(&name, "null:", options)?;
    let mut reader = py.detach(|| job::Reader::open(&request, &Default::default())).map_err(raised)?;
    let (lineage, length) = (reader.lineage(), reader.source().length());
    let state = State { reader, pool: Pool::heap(), has_ended: false };
    Ok(Reader { path: name, lineage, length, state: Mutex::new(Some(state)), trailer: Mutex::default() })
}

impl Reader {
    /// What an output inherits.
    pub fn lineage(&self) -> &Lineage {
        &self.lineage
    }

    /// What came after the last frame, once.
    pub fn trailer(&self) -> Option<Attachment> {
        self.trailer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The name that was opened.
    pub fn name_of_file(&self) -> &str {
        &self.path
    }

    fn format(&self) -> &Format {
        self.lineage.format()
    }
}

#[pymethods]
impl Reader {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Picture>> {
        let Self { state, trailer, path, .. } = self;
        let Some(state) = state.get_mut().unwrap_or_else(PoisonError::into_inner) else {
            return Err(PyValueError::new_err(format!("{path:?} is closed; open it again")));
        };
        if state.has_ended {
            return Ok(None);
        }
        let frame = py.detach(|| {
            let frame = state.reader.source().next(&state.pool)?;
            if frame.is_none() {
                state.has_ended = true;
                *trailer.get_mut().unwrap_or_else(PoisonError::into_inner) = state.reader.source().trailer();
            }
            anyhow::Ok(frame)
        });
        frame.map(|frame| frame.map(Picture)).map_err(raised)
    }

    /// How many frames there are, as far as the file tells.
    fn __len__(&self) -> PyResult<usize> {
        let unknown = || PyTypeError::new_err(format!("{:?} does not tell how many frames it has", self.path));
        self.length.and_then(|frames| usize::try_from(frames).ok()).ok_or_else(unknown)
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    /// Closes the file; frames that were read stay.
    fn close(&mut self, py: Python<'_>) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(state));
    }

    /// The name that was opened.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// Frames a second; None where that is unknown or varies.
    #[getter]
    fn fps(&self) -> Option<f64> {
        self.format().rate.value()
    }

    /// The unit of times in seconds, as numerator and denominator.
    #[getter]
    fn time_base(&self) -> (i32, i32) {
        let Rational { num, den } = self.format().time_base;
        (num, den)
    }

    /// Width and height as frames are stored.
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.format().width, self.format().height)
    }

    /// FFmpeg's name of the pixel format: ``yuv420p10``.
    #[getter(format)]
    fn name(&self) -> String {
        self.format().pixel.name()
    }

    /// The tags of the file, such as its title: a dict of texts.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.lineage.tags().into_iter().try_for_each(|(key, value)| dict.set_item(key, value))?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = if state.is_none() { ", closed" } else { "" };
        format!("<warpreel.Reader {:?}: {}{closed}>", self.path, self.format())
    }
}
