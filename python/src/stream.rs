//! Frames one by one, lazily.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use warpreel::frame::{Frame, Timing};

use super::array::{Array, Form};
use super::chain::Chain;
use super::error::raised;
use super::picture::Picture;
use super::stage::Stage;

/// An iterator over filtered frames, which ``Chain.stream`` gives.
#[pyclass(module = "warpreel")]
pub struct Stream(Mutex<State>);

struct State {
    chain: Py<Chain>,
    frames: Py<PyIterator>,
    /// From the first frame to the last.
    running: Option<Running>,
    ready: VecDeque<Frame>,
    /// What the first frame was, where it was an array.
    first: Option<Array>,
    has_ended: bool,
}

struct Running {
    stage: Stage,
    taken: u64,
    /// Whether frames are looked at after the next one was asked for.
    keeps: bool,
}

impl Stream {
    /// Over an iterable.
    ///
    /// # Errors
    /// `TypeError` if it is none.
    pub fn new(chain: Py<Chain>, frames: &Bound<'_, PyAny>) -> PyResult<Self> {
        let frames = frames.try_iter()?.unbind();
        let state = State { chain, frames, running: None, ready: VecDeque::new(), first: None, has_ended: false };
        Ok(Self(Mutex::new(state)))
    }
}

impl State {
    /// Filters the next frame.
    fn take(&mut self, frame: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = frame.py();
        if let Ok(picture) = frame.cast::<Picture>() {
            return self.take_picture(py, picture.get().0.clone());
        }
        let array = Array::of(frame, Form::Image)?;
        if self.running.is_some() && self.first.is_none() {
            return Err(PyTypeError::new_err(format!(
                "expected warpreel.Frame, as the first, got {}",
                array.describe()
            )));
        }
        let running = match &mut self.running {
            Some(running) => running,
            empty => {
                let chain = self.chain.get();
                let format = array.format(chain.depth());
                let mut stage = py.detach(|| chain.stage(&format))?;
                stage.begin().map_err(raised)?;
                let keeps = stage.plan().latency() > 0 || !stage.plan().bypasses.is_empty();
                self.first = Some(array.frame_result(py)?);
                empty.insert(Running { stage, taken: 0, keeps })
            }
        };
        let first = self.first.as_ref().filter(|first| !first.is_like(&array));
        if let Some(first) = first {
            let (expected, number, got) = (first.describe(), running.taken, array.describe());
            return Err(PyValueError::new_err(format!(
                "expected {expected}, as the first frame, got frame {number} of {got}"
            )));
        }
        let (ready, timing) = (&mut self.ready, Timing::at(running.taken));
        running.taken += 1;
        py.detach(|| {
            let (format, pool) = (running.stage.format().clone(), running.stage.pool().clone());
            let frame = match running.keeps {
                true => array.copy(0, &format, timing, &pool)?,
                false => array.frame(0, &format, timing, &pool)?,
            };
            running.stage.push(frame, ready)
        })
        .map_err(raised)
    }

    /// Filters the next frame of a video.
    fn take_picture(&mut self, py: Python<'_>, frame: Frame) -> PyResult<()> {
        let running = match &mut self.running {
            Some(_) if self.first.is_some() => {
                return Err(PyTypeError::new_err("expected an array, as the first frame, got warpreel.Frame"));
            }
            Some(running) => running,
            empty => {
                let chain = self.chain.get();
                let mut stage = py.detach(|| chain.stage(frame.format()))?;
                stage.begin().map_err(raised)?;
                empty.insert(Running { stage, taken: 0, keeps: false })
            }
        };
        running.taken += 1;
        let ready = &mut self.ready;
        py.detach(|| running.stage.push(frame, ready)).map_err(raised)
    }

    /// Flushes what is left.
    fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        self.has_ended = true;
        let Some(Running { mut stage, .. }) = self.running.take() else { return Ok(()) };
        let ready = &mut self.ready;
        py.detach(|| stage.finish(ready).and_then(|()| stage.begin())).map_err(raised)?;
        self.chain.get().give_back(stage);
        Ok(())
    }

    /// The next frame that is ready; `None` at the end.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                let Some(first) = &self.first else { return Ok(Some(Py::new(py, Picture(frame))?.into_any())) };
                let out = first.frame_result(py)?;
                py.detach(|| out.store(0, &frame)).map_err(raised)?;
                return Ok(Some(out.object(py)));
            }
            if self.has_ended {
                return Ok(None);
            }
            match self.frames.bind(py).clone().next() {
                Some(frame) => {
                    // After a failure there is nothing more.
                    if let Err(error) = frame.and_then(|frame| self.take(&frame)) {
                        (self.has_ended, self.running) = (true, None);
                        return Err(error);
                    }
                }
                None => self.end(py)?,
            }
        }
    }
}

#[pymethods]
impl Stream {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).next(py)
    }
}
