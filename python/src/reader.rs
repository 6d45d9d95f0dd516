//! A video that is read.

use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use warpreel::frame::{Attachment, Format, Pool, Rational};
use warpreel::job::{self, DecoderChoice, Lineage, Request};

use super::error::{raised, raised_for};
use super::option::{Call, path, request};
use super::picture::Picture;
use super::stage::{self, Stage};

/// A video that is read, which ``open`` gives: an iterator over its frames, and a context manager that closes it.
#[pyclass(module = "warpreel")]
pub struct Reader {
    path: String,
    lineage: Lineage,
    length: Option<u64>,
    gpu: Option<usize>,
    decoder: Option<String>,
    /// None once it is closed.
    state: Mutex<Option<State>>,
    trailer: Mutex<Option<Attachment>>,
}

struct State {
    reader: job::Reader,
    /// Where frames of the host are made.
    pool: Pool,
    /// What brings them to the GPU on which they are wanted.
    bringer: Option<Stage>,
    has_ended: bool,
}

impl State {
    /// Opens the input of a request for frames on the host, or on a GPU.
    fn open(request: &Request, gpu: Option<usize>) -> Result<Self> {
        let Some(number) = gpu else {
            let reader = job::Reader::open(request, &Default::default())?;
            return Ok(Self { reader, pool: Pool::heap(), bringer: None, has_ended: false });
        };
        let place = || format!("read {:?} on GPU {number}, or without device= on the host", request.input);
        let device = stage::gpu(number).with_context(place)?;
        let mut reader = job::Reader::open_on(request, &Default::default(), &device)?;
        let bringer = Stage::to_device(reader.source().format(), number)?;
        let pool = bringer.pool().clone();
        Ok(Self { reader, pool, bringer: Some(bringer), has_ended: false })
    }

    /// The next frame; at the end `trailer` becomes what comes after the last.
    fn next(&mut self, trailer: &mut Option<Attachment>) -> Result<Option<Picture>> {
        let Some(frame) = self.reader.source().next(&self.pool)? else {
            self.has_ended = true;
            *trailer = self.reader.source().trailer();
            return Ok(None);
        };
        match &mut self.bringer {
            Some(bringer) => bringer.bring(frame).map(Some),
            None => Ok(Some(Picture::on_host(frame))),
        }
    }
}

/// The number of a GPU.
///
/// # Errors
/// `TypeError` for anything but a whole number, `ValueError` for one below 0.
fn number(device: &Bound<'_, PyAny>) -> PyResult<usize> {
    let expected = "expected device to be the number of a GPU, 0 for the first";
    if device.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{expected}, got {device}")));
    }
    let wrong = |got: &dyn std::fmt::Display| format!("{expected}, got {got}");
    let number = device.extract::<i64>().map_err(|_| PyTypeError::new_err(wrong(&device.get_type())))?;
    usize::try_from(number).map_err(|_| PyValueError::new_err(wrong(&number)))
}

/// Whether options go together with a GPU, or with none.
///
/// # Errors
/// `ValueError` with what to leave out.
fn check(request: &Request, gpu: Option<usize>) -> PyResult<()> {
    if gpu.is_none() && request.decoder == DecoderChoice::Nvdec {
        let fault = "decoder=\"nvdec\" needs a GPU, and frames are read on the CPU by default; pass device=0";
        return Err(PyValueError::new_err(fault));
    }
    Ok(())
}

/// Opens a video: a container, y4m, an image sequence such as ``frame%04d.png``, or raw frames.
///
/// :param path: the file.
/// :param device: the number of a GPU on which frames are wanted, 0 for the first. It decodes what it can, unless
///     ``decoder="software"`` is given; the rest is decoded on the processor and brought there, and ``decoder`` of the
///     reader says which. With ``decoder="nvdec"`` it is an error if the GPU cannot. Without it frames lie on the host.
/// :param options: how it is read, as on the command line: ``start="1:30"`` or ``"#250"``, ``end``, ``duration``,
///     ``frames``, ``raw="yuv420p:1280x720@25"``, ``fps``, ``strict``, ``salvage``, ``threads``, ``decoder``,
///     ``decode_lanes``.
/// :raises TypeError: for an option that there is not; those of writing belong to ``create``.
/// :raises OSError: if the system cannot open it, with its name as ``filename``: ``FileNotFoundError``, for instance.
/// :raises warpreel.Error: if it cannot be decoded, or the GPU cannot be used.
///
/// >>> import warpreel
/// >>> with warpreel.open("samples/ten-bit.mp4", start="#10", frames=5) as video:
/// ...     print(video.size, video.fps, len(video), [frame.number for frame in video])
/// (320, 180) 24.0 5 [10, 11, 12, 13, 14]
#[pyfunction]
#[pyo3(signature = (path, *, device = None, **options))]
pub fn open(
    path: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Reader> {
    let (py, name) = (path.py(), self::path(path)?);
    let gpu = device.map(number).transpose()?;
    let request = request(Call::Open, &name, "null:", options)?;
    check(&request, gpu)?;
    let mut state = py.detach(|| State::open(&request, gpu)).map_err(|error| raised_for(error, &[&name]))?;
    let (lineage, length) = (state.reader.lineage(), state.reader.source().length());
    let decoder = state.reader.decoder().map(str::to_owned);
    let (state, trailer) = (Mutex::new(Some(state)), Mutex::default());
    Ok(Reader { path: name, lineage, length, gpu, decoder, state, trailer })
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
        let trailer = trailer.get_mut().unwrap_or_else(PoisonError::into_inner);
        py.detach(|| state.next(trailer)).map_err(raised)
    }

    /// How many frames there are, as far as the file tells.
    fn __len__(&self) -> PyResult<usize> {
        let unknown = || PyTypeError::new_err(format!("{:?} does not give its number of frames", self.path));
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

    /// The number of the GPU on which frames come to lie; None for the host.
    #[getter]
    fn device(&self) -> Option<usize> {
        self.gpu
    }

    /// What decodes, and why: ``nvdec, 3 lanes``, ``software``, ``software (GPU 0 does not decode ffv1 of …)``; None
    /// where frames are not coded.
    #[getter]
    fn decoder(&self) -> Option<&str> {
        self.decoder.as_deref()
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
