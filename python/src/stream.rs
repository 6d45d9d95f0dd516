//! Frames one by one, lazily.

use std::collections::VecDeque;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use warpreel::frame::{Frame, Timing};
use warpreel::job::StrengthCheck;

use super::array::{Array, Form, check_samples};
use super::chain::Chain;
use super::device;
use super::error::raised;
use super::foreign::Foreign;
use super::guest;
use super::picture::Picture;
use super::stage::Stage;
use super::tensor::Tensor;

/// An iterator over filtered frames, which ``Chain.stream`` gives.
#[pyclass(module = "warpreel")]
pub struct Stream(Mutex<State>);

struct State {
    chain: Py<Chain>,
    frames: Py<PyIterator>,
    /// From the first frame to the last.
    running: Option<Running>,
    ready: VecDeque<Picture>,
    /// What came out on a GPU, plane by plane, and the first array there.
    tensors: VecDeque<Vec<Tensor>>,
    on_device: Option<(Py<PyAny>, Foreign)>,
    /// What the first frame was, where it was an array.
    first: Option<Array>,
    /// The first frame where it was an array of another library on the host.
    guest: Option<Py<PyAny>>,
    has_ended: bool,
}

struct Running {
    stage: Stage,
    taken: u64,
    /// Whether frames are looked at after the next one was asked for.
    keeps: bool,
    /// The GPU on which frames of a video lie.
    gpu: Option<usize>,
    /// The noise of the first frames of a video, until it is known.
    check: Option<StrengthCheck>,
}

impl Running {
    /// Measures a frame, or the end, where the first few are; once they are known gives the remark on the chain's strength.
    fn measured(&mut self, frame: Option<&Frame>, chain: &Chain) -> Option<String> {
        if self.check.as_mut()?.take(frame) {
            return None;
        }
        self.check.take()?.remark(chain.filters())
    }

    /// Filters a frame.
    fn push(&mut self, frame: Frame, ready: &mut VecDeque<Picture>) -> Result<()> {
        let mut out = Vec::new();
        self.stage.push(frame, &mut out)?;
        out.into_iter().try_for_each(|frame| self.stage.picture(frame).map(|picture| ready.push_back(picture)))
    }
}

/// Warns as Python does, where there is a remark.
fn warn(py: Python<'_>, remark: Option<String>) -> PyResult<()> {
    let Some(remark) = remark.map(CString::new) else { return Ok(()) };
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &remark?, 1)
}

impl Stream {
    /// Over an iterable.
    ///
    /// # Errors
    /// `TypeError` if it is none.
    pub fn new(chain: Py<Chain>, frames: &Bound<'_, PyAny>) -> PyResult<Self> {
        let frames = frames.try_iter()?.unbind();
        let state = State {
            chain,
            frames,
            running: None,
            ready: VecDeque::new(),
            tensors: VecDeque::new(),
            on_device: None,
            first: None,
            guest: None,
            has_ended: false,
        };
        Ok(Self(Mutex::new(state)))
    }
}

impl State {
    /// Filters the next frame.
    fn take(&mut self, frame: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = frame.py();
        if let Ok(picture) = frame.cast::<Picture>() {
            return self.take_picture(py, picture.get());
        }
        if !frame.is_instance_of::<PyUntypedArray>()
            && let Some(foreign) = Foreign::of(frame, self.chain.get().device(), Form::Image)?
        {
            foreign.check_peak(self.chain.get().peak())?;
            return self.take_tensor(frame, foreign);
        }
        let array = Array::of(frame, Form::Image)?.with_peak(self.chain.get().peak());
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
                check_samples(&format, &stage.plan().output())?;
                stage.begin().map_err(raised)?;
                let keeps = stage.plan().latency() > 0 || !stage.plan().bypasses().is_empty();
                self.first = Some(array.frame_like(py)?);
                self.guest = (!frame.is_instance_of::<PyUntypedArray>()).then(|| frame.clone().unbind());
                empty.insert(Running { stage, taken: 0, keeps, gpu: None, check: None })
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
            running.push(frame, ready)?;
            // Its owner may write it again once the next is asked for.
            running.stage.read_through()
        })
        .map_err(raised)
    }

    /// Filters the next frame of a video.
    fn take_picture(&mut self, py: Python<'_>, picture: &Picture) -> PyResult<()> {
        let (frame, gpu) = (picture.frame().clone(), picture.gpu());
        let running = match &mut self.running {
            Some(_) if self.first.is_some() => {
                return Err(PyTypeError::new_err("expected an array, as the first frame, got warpreel.Frame"));
            }
            Some(running) => running,
            empty => {
                let chain = self.chain.get();
                let mut stage = py.detach(|| chain.stage_at(frame.format(), gpu))?;
                stage.begin().map_err(raised)?;
                let check = StrengthCheck::is_wanted(chain.filters()).then(|| StrengthCheck::new(frame.format()));
                empty.insert(Running { stage, taken: 0, keeps: false, gpu, check })
            }
        };
        running.taken += 1;
        let ready = &mut self.ready;
        let remark = py.detach(|| {
            let remark = running.measured(Some(&frame), self.chain.get());
            running.push(frame, ready).map(|()| remark)
        });
        warn(py, remark.map_err(raised)?)
    }

    /// Filters the next array on a GPU.
    fn take_tensor(&mut self, frame: &Bound<'_, PyAny>, foreign: Foreign) -> PyResult<()> {
        let (py, chain) = (frame.py(), self.chain.get());
        let format = foreign.format(chain.depth());
        let running = match &mut self.running {
            Some(running) => {
                let first = self.on_device.as_ref().map(|(_, first)| first);
                if first.is_none_or(|first| !first.is_like(&foreign)) {
                    let number = running.taken;
                    let message = format!("expected a picture as the first frame, got another as frame {number}");
                    return Err(PyValueError::new_err(message));
                }
                running
            }
            empty => {
                let stage = py.detach(|| chain.stage_on_device(&format, foreign.device))?;
                check_samples(&format, &stage.plan().output())?;
                let running = empty.insert(Running { stage, taken: 0, keeps: false, gpu: None, check: None });
                running.stage.begin().map_err(raised)?;
                running
            }
        };
        let timing = Timing::at(running.taken);
        running.taken += 1;
        let made = py.detach(|| {
            let mut out = Vec::new();
            running.stage.push(foreign.frame(0, running.stage.format(), timing)?, &mut out)?;
            // Its owner may write it again once the next is asked for.
            running.stage.release()?;
            running.stage.tensors(out, &foreign)
        });
        self.tensors.extend(made.map_err(raised)?);
        self.on_device.get_or_insert_with(|| (frame.clone().unbind(), foreign));
        Ok(())
    }

    /// Flushes what is left.
    fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        self.has_ended = true;
        let Some(mut running) = self.running.take() else { return Ok(()) };
        warn(py, running.measured(None, self.chain.get()))?;
        let Running { mut stage, gpu, .. } = running;
        if let Some((_, first)) = &self.on_device {
            let made = py.detach(|| {
                let mut out = Vec::new();
                stage.finish(&mut out)?;
                let made = stage.tensors(out, first)?;
                stage.begin().map(|()| made)
            });
            self.tensors.extend(made.map_err(raised)?);
            self.chain.get().give_back_on_device(stage, first.device);
            return Ok(());
        }
        let ready = &mut self.ready;
        let ended = py.detach(|| {
            let mut out = Vec::new();
            stage.finish(&mut out)?;
            for frame in out {
                ready.push_back(stage.picture(frame)?);
            }
            stage.begin()
        });
        ended.map_err(raised)?;
        self.chain.get().give_back_at(stage, gpu);
        Ok(())
    }

    /// The next frame that is ready; `None` at the end.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        loop {
            if let (Some(tensor), Some((like, _))) = (self.tensors.pop_front(), &self.on_device) {
                return Ok(Some(device::array(tensor, like.bind(py))?.unbind()));
            }
            if let Some(picture) = self.ready.pop_front() {
                let Some(first) = &self.first else { return Ok(Some(Py::new(py, picture)?.into_any())) };
                let format = picture.frame().format();
                let out = first.frame_result(py, (format.width, format.height))?;
                py.detach(|| out.store(0, picture.frame())).map_err(raised)?;
                let made = out.object(py);
                return match &self.guest {
                    Some(like) => Ok(Some(guest::like(made.into_bound(py), like.bind(py))?.unbind())),
                    None => Ok(Some(made)),
                };
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
