//! A video that is written.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use warpreel::frame::{FieldOrder, Format, Frame, Rational, Timing};
use warpreel::job::{self, Lineage, Request};
use warpreel::sink::Sink;
use warpreel::source::raw::parse_rate;

use super::array::{Array, Form};
use super::error::{raised, raised_for, refused};
use super::option::{Call, path, request};
use super::picture::{Picture, framed};
use super::reader::Reader;
use super::stage::Stage;

/// A video that is written, which ``create`` gives; a context manager that completes it, or, after an exception, leaves
/// nothing.
#[pyclass(module = "warpreel")]
pub struct Writer {
    path: String,
    request: Request,
    like: Option<Py<Reader>>,
    rate: Rational,
    depth: u8,
    state: Mutex<State>,
    /// What brings frames to the host that lie on a GPU, with its number.
    fetcher: Mutex<Option<(usize, Stage)>>,
}

enum State {
    /// The first frame says what the others are.
    Empty,
    Open {
        sink: Box<dyn Sink>,
        format: Arc<Format>,
        frames: u64,
        next: i64,
    },
    Closed,
}

/// Begins a video. The file has its name once ``close`` has returned; a file of that name is only replaced with
/// ``overwrite=True``.
///
/// :param path: the file; its ending says what it is. Also ``null:``, and image sequences such as ``frame%04d.png``.
/// :param like: a video that was opened: frames are of its format and times, or, where a chain changed their size, as the
///     first frame is, and its tags, chapters, sound and subtitles come along, the latter with its own frames. Without it
///     the first frame says what the others are.
/// :param fps: frames a second of arrays without ``like``: a number, or text such as ``"30000/1001"``; default 25.
/// :param depth: bits in use of uint16.
/// :param options: how it is written, as on the command line: ``quality=90``, ``codec``, ``preset``, ``bitrate="5M"``,
///     ``pix_fmt``, ``lossless=True``, ``container``, ``encoder_option={"tune": "grain"}``, ``no_audio=True``, ``overwrite=True``.
/// :raises TypeError: for an option that there is not; those of reading belong to ``open``.
/// :raises FileExistsError: if the file exists and ``overwrite=True`` was not given; with ``like``, otherwise at the first frame.
///
/// >>> import numpy as np, tempfile, warpreel
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     with warpreel.create(folder + "/out.mkv", fps=25, lossless=True) as sink:
/// ...         for level in range(10):
/// ...             sink.write(np.full((48, 64, 3), 20 * level, np.uint8))
/// ...     with warpreel.open(folder + "/out.mkv") as video:
/// ...         [int(frame.rgb()[0, 0, 0]) for frame in video]
/// [0, 20, 40, 60, 80, 100, 120, 140, 160, 180]
#[pyfunction]
#[pyo3(signature = (path, *, like = None, fps = None, depth = 16, **options))]
pub fn create(
    path: &Bound<'_, PyAny>,
    like: Option<Py<Reader>>,
    fps: Option<&Bound<'_, PyAny>>,
    depth: u8,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Writer> {
    let (py, path) = (path.py(), self::path(path)?);
    let input = like.as_ref().map_or_else(|| "-".to_owned(), |like| like.borrow(py).name_of_file().to_owned());
    let request = request(Call::Create, &input, &path, options)?;
    let rate = match fps {
        Some(fps) => parse_rate(&fps.str()?.to_cow()?).map_err(refused)?,
        None => Rational::new(25, 1),
    };
    let state = match &like {
        Some(like) => {
            let lineage = like.borrow(py).lineage().clone();
            State::begin(py, &request, &lineage)?
        }
        None => State::Empty,
    };
    Ok(Writer { path, request, like, rate, depth, state: Mutex::new(state), fetcher: Mutex::default() })
}

impl State {
    fn begin(py: Python<'_>, request: &Request, lineage: &Lineage) -> PyResult<Self> {
        let sink = py.detach(|| job::open_sink(request, lineage));
        let sink = sink.map_err(|error| raised_for(error, &[&request.output]))?;
        Ok(Self::Open { sink, format: lineage.format().clone(), frames: 0, next: 0 })
    }
}

/// The frame of a picture, on the host. Blocks while it is brought there.
fn on_host(picture: &Picture, fetcher: &mut Option<(usize, Stage)>) -> Result<Frame> {
    let (frame, Some(gpu)) = (picture.frame(), picture.gpu()) else { return Ok(picture.frame().clone()) };
    let stage = match fetcher.take() {
        Some((known, stage)) if known == gpu && stage.format() == frame.format() => stage,
        _ => Stage::to_host(frame.format(), gpu)?,
    };
    let (_, stage) = fetcher.insert((gpu, stage));
    stage.single(frame.clone())
}

/// A frame that is shown at another time.
fn retimed(mut frame: Frame, timing: Timing) -> Frame {
    frame.timing = timing;
    frame
}

#[pymethods]
impl Writer {
    /// Writes a frame. Blocks while it is encoded.
    ///
    /// :param picture: a ``Frame``, which keeps its time and brings along the sound that belongs to it, and is brought
    ///     here if it lies on a GPU; an array of (H, W) or (H, W, C), converted where the video is stored otherwise; or
    ///     a list of planes as the video has them.
    /// :param like: a ``Frame`` whose time and sound an array takes; without it arrays follow each other at ``fps``.
    #[pyo3(signature = (picture, *, like = None))]
    fn write(&mut self, picture: &Bound<'_, PyAny>, like: Option<&Bound<'_, Picture>>) -> PyResult<()> {
        let py = picture.py();
        let Self { path, request, rate, depth, state, fetcher, .. } = self;
        let fetcher = fetcher.get_mut().unwrap_or_else(PoisonError::into_inner);
        let state = state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let own = picture.cast::<Picture>().ok();
        if let State::Empty = state {
            let format = match own {
                Some(own) => own.get().frame().format().clone(),
                None => {
                    let format = Array::of(picture, Form::Image)?.format(*depth);
                    Arc::new(Format { rate: *rate, time_base: rate.inverse(), ..format })
                }
            };
            *state = State::begin(py, request, &Lineage::of(format))?;
        }
        // What a chain made of a video's frames may have another size, or no fields; the first says so.
        if let (State::Open { format, frames: 0, .. }, Some(like), Some(own)) = (&*state, &self.like, own) {
            let first = own.get().frame().format();
            let is_deinterlaced = first.fields == FieldOrder::Progressive && format.fields != first.fields;
            if is_deinterlaced || !first.planes_match(format) {
                let lineage = like.borrow(py).lineage().clone().with_format(first.clone());
                // The output that was begun leaves nothing.
                *state = State::Closed;
                *state = State::begin(py, request, &lineage)?;
            }
        }
        let State::Open { sink, format, frames, next } = state else {
            return Err(PyValueError::new_err(format!("{path:?} is closed; create it again")));
        };
        let timing = match own.or(like) {
            Some(frame) => Timing { is_margin: false, ..frame.get().frame().timing.clone() },
            None => {
                // One frame of the rate in units of the time base.
                let (base, rate) = (format.time_base, if format.rate.value().is_some() { format.rate } else { *rate });
                let units = i64::from(base.den) * i64::from(rate.den);
                let each = i64::from(base.num) * i64::from(rate.num);
                let pts = |frame: i64| if each > 0 { (frame * units + each / 2) / each } else { frame };
                let at = *frames as i64;
                Timing { pts: pts(at), duration: pts(at + 1) - pts(at), ..Timing::at(*frames) }
            }
        };
        if timing.pts < *next {
            let message = format!("expected a frame that is shown at {next} or later, got one at {}", timing.pts);
            return Err(PyValueError::new_err(message));
        }
        let frame: Frame = match own {
            Some(own) => {
                let picture = own.get();
                let got = picture.frame().format();
                if !got.planes_match(format) {
                    let message = format!("expected a frame of {format}, as the first, got one of {got}");
                    return Err(PyValueError::new_err(message));
                }
                py.detach(|| on_host(picture, fetcher)).map_err(raised)?
            }
            None => framed(picture, format, *depth)?,
        };
        *next = timing.pts + 1;
        *frames += 1;
        let frame = retimed(frame, timing);
        let written = py.detach(|| sink.put(frame));
        if written.is_err() {
            *state = State::Closed;
        }
        written.map_err(|error| raised_for(error, &[path.as_str()]))
    }

    /// Completes the file and gives it its name. Blocks until all is written.
    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let trailer = self.like.as_ref().and_then(|like| like.borrow(py).trailer());
        let fetcher = self.fetcher.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(fetcher));
        match std::mem::replace(state, State::Closed) {
            State::Closed => Ok(()),
            State::Open { sink, .. } => {
                py.detach(|| sink.finish(trailer)).map_err(|error| raised_for(error, &[&self.path]))
            }
            State::Empty => {
                Err(PyValueError::new_err(format!("{:?} received no frames, so no file was written", self.path)))
            }
        }
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&mut self, py: Python<'_>, exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        if exception.get_item(0).is_ok_and(|kind| kind.is_none()) {
            return self.close(py);
        }
        let state = std::mem::replace(self.state.get_mut().unwrap_or_else(PoisonError::into_inner), State::Closed);
        py.detach(|| drop(state));
        Ok(())
    }

    /// The name that it will have.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    fn __repr__(&self) -> String {
        format!("<warpreel.Writer {:?}>", self.path)
    }
}
