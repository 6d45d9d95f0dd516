//! A video that is read.

use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PySlice};
use warpreel::frame::{Attachment, Format, Frame, Pool, Rational};
use warpreel::job::{self, DecoderChoice, Lineage, Request};

use super::access::Access;
use super::error::{raised, raised_for};
use super::option::{Call, path, request};
use super::picture::{Picture, matrix_name};
use super::stage::{self, Stage};

/// A video that is read, which ``open`` gives: an iterator over its frames, and a context manager that closes it. ``video[i]``
/// and ``video[a:b]`` are frames by their place, from anywhere; ``seek`` goes to a time. A loop after one that came to the
/// end begins anew; one after a loop that was left goes on.
///
/// >>> import warpreel
/// >>> with warpreel.open("samples/ten-bit.mp4") as video:
/// ...     video[12].time, [frame.number for frame in video[-2:]], len(list(video)), len(list(video))
/// (0.5, [22, 23], 24, 24)
#[pyclass(module = "warpreel")]
pub struct Reader {
    path: String,
    request: Request,
    lineage: Lineage,
    length: Option<u64>,
    gpu: Option<usize>,
    decoder: Option<String>,
    /// None once it is closed.
    state: Mutex<Option<State>>,
    /// Frames in any order, once some were asked for.
    access: Mutex<Option<Access>>,
    trailer: Mutex<Option<Attachment>>,
}

struct State {
    reader: job::Reader,
    /// Where frames of the host are made.
    pool: Pool,
    /// What brings them to the GPU on which they are wanted.
    bringer: Option<Stage>,
    /// The place of the next frame, where it was sought.
    sought: Option<u64>,
    has_ended: bool,
}

impl State {
    /// Opens the input of a request for frames on the host, or on a GPU.
    fn open(request: &Request, gpu: Option<usize>) -> Result<Self> {
        let Some(number) = gpu else {
            let reader = job::Reader::open(request, &Default::default())?;
            return Ok(Self { reader, pool: Pool::heap(), bringer: None, sought: None, has_ended: false });
        };
        let place = || format!("read {:?} on GPU {number}, or without device= on the host", request.input);
        let device = stage::gpu(number).with_context(place)?;
        let mut reader = job::Reader::open_on(request, &Default::default(), &device)?;
        let bringer = Stage::to_device(reader.source().format(), number)?;
        let pool = bringer.pool().clone();
        Ok(Self { reader, pool, bringer: Some(bringer), sought: None, has_ended: false })
    }

    /// The next frame; at the end `trailer` becomes what comes after the last.
    fn next(&mut self, trailer: &mut Option<Attachment>) -> Result<Option<Picture>> {
        let Some(frame) = self.reader.source().next_frame(&self.pool)? else {
            self.has_ended = true;
            *trailer = self.reader.source().trailer();
            return Ok(None);
        };
        self.picture(frame).map(Some)
    }

    /// A frame where it is wanted.
    fn picture(&mut self, frame: Frame) -> Result<Picture> {
        match &mut self.bringer {
            Some(bringer) => bringer.bring(frame),
            None => Ok(Picture::on_host(frame)),
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
    let (state, access, trailer) = (Mutex::new(Some(state)), Mutex::default(), Mutex::default());
    Ok(Reader { path: name, request, lineage, length, gpu, decoder, state, access, trailer })
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

    /// Its state, unless it is closed.
    fn state(&mut self) -> PyResult<(&mut State, &mut Option<Access>, &Request)> {
        let Self { state, access, request, path, .. } = self;
        let state = state.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut();
        let closed = || PyValueError::new_err(format!("{path:?} is closed; open it again"));
        Ok((state.ok_or_else(closed)?, access.get_mut().unwrap_or_else(PoisonError::into_inner), request))
    }

    /// Frames of the part that was opened by their places there; fewer where it ends. Blocks while they are decoded.
    fn frames(&mut self, py: Python<'_>, places: &[u64]) -> PyResult<Vec<Picture>> {
        let (state, access, request) = self.state()?;
        let read = || -> Result<Vec<Picture>> {
            let frames = Access::get(access, request)?.frames(places)?;
            frames.into_iter().map(|frame| state.picture(frame)).collect()
        };
        py.detach(read).map_err(|error| raised_for(error, &[&self.path]))
    }

    /// How many frames the part has that was opened. Blocks while the file is looked through, the first time.
    ///
    /// # Errors
    /// `TypeError` if it is a pipe, or cannot be looked through: what counts to reserve room, as `list` does, goes on then.
    fn count(&mut self, py: Python<'_>) -> PyResult<u64> {
        let (_, access, request) = self.state()?;
        let unknown =
            |why: &str| PyTypeError::new_err(format!("the frames of {:?} cannot be counted: {why}", request.input));
        if Access::is_stream(request) {
            return Err(unknown("it is read once, and ends where it ends; use a loop"));
        }
        match py.detach(|| Access::get(access, request)?.count()) {
            Ok(count) => count.ok_or_else(|| unknown("it comes through a pipe")),
            Err(error) => Err(unknown(&format!("{error:#}"))),
        }
    }
}

#[pymethods]
impl Reader {
    fn __iter__(mut slf: PyRefMut<'_, Self>) -> PyResult<PyRefMut<'_, Self>> {
        let (py, gpu, path) = (slf.py(), slf.gpu, slf.path.clone());
        let (state, _, request) = slf.state()?;
        if state.has_ended {
            if Access::is_stream(request) {
                let message = format!("{path:?} was read to its end, and cannot be read again");
                return Err(PyValueError::new_err(message));
            }
            *state = py.detach(|| State::open(request, gpu)).map_err(|error| raised_for(error, &[&path]))?;
        }
        Ok(slf)
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Picture>> {
        let (state, _, _) = self.state()?;
        if state.has_ended {
            return Ok(None);
        }
        if let Some(place) = state.sought {
            let found = self.frames(py, &[place])?.pop();
            let (state, _, _) = self.state()?;
            (state.sought, state.has_ended) = (Some(place + 1), found.is_none());
            return Ok(found);
        }
        let Self { state, trailer, .. } = self;
        let Some(state) = state.get_mut().unwrap_or_else(PoisonError::into_inner) else { return Ok(None) };
        let trailer = trailer.get_mut().unwrap_or_else(PoisonError::into_inner);
        py.detach(|| state.next(trailer)).map_err(raised)
    }

    /// How many frames there are, exactly: the file is looked through, the first time, without decoding it where its packets
    /// tell. TypeError for pipes, and where it cannot be looked through.
    fn __len__(&mut self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)?.try_into()?)
    }

    /// Its frames are not counted to know whether there is a video.
    fn __bool__(&self) -> bool {
        true
    }

    /// A frame by its place in the part that was opened, from 0, or from the end below 0; a list of frames for a slice. Frames
    /// by their place bring no sound along.
    fn __getitem__<'py>(mut slf: PyRefMut<'py, Self>, place: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if let Ok(slice) = place.cast::<PySlice>() {
            let length = slf.count(py)?.try_into()?;
            let found = slice.indices(length)?;
            let places = (0..found.slicelength).map(|n| (found.start + n as isize * found.step) as u64);
            let frames = slf.frames(py, &places.collect::<Vec<_>>())?;
            return Ok(PyList::new(py, frames)?.into_any());
        }
        let expected = || {
            let got = place.get_type();
            PyTypeError::new_err(format!("expected the place of a frame, or a slice such as [10:20], got {got}"))
        };
        let number: i64 = place.extract().map_err(|_| expected())?;
        let at = if number < 0 { slf.count(py)? as i64 + number } else { number };
        let found = match u64::try_from(at) {
            Ok(at) => slf.frames(py, &[at])?.pop(),
            Err(_) => None,
        };
        let missing = || PyIndexError::new_err(format!("{:?} has no frame {number}", slf.path));
        Ok(Bound::new(py, found.ok_or_else(missing)?)?.into_any())
    }

    /// Goes to a time in seconds, as ``Frame.time`` has it: the next frame is the first that is shown then or later. Frames
    /// that were sought bring no sound along.
    fn seek(&mut self, py: Python<'_>, time: f64) -> PyResult<()> {
        if !(time.is_finite() && time >= 0.0) {
            return Err(PyValueError::new_err(format!("expected a time in seconds, 0 or later, got {time}")));
        }
        let base = self.format().time_base;
        let (state, access, request) = self.state()?;
        let found = py.detach(|| Access::get(access, request)?.number_from(time, base));
        state.sought = Some(found.map_err(|error| raised_for(error, &[&request.input]))?);
        state.has_ended = false;
        Ok(())
    }

    /// How many frames there are as far as the file tells at once, which may be wrong; None where it does not.
    #[getter]
    fn estimated_length(&self) -> Option<u64> {
        self.length
    }

    /// The matrix with which colours became YUV, as the file is tagged: ``bt709``, ``bt601``, ``bt2020``…; None where it has no
    /// tag of it, or is no YUV.
    #[getter]
    fn matrix(&self) -> Option<String> {
        matrix_name(self.format())
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
        let access = self.access.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop((state, access)));
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
