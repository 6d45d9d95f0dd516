//! A chain of filters for arrays.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{mem, process};

use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use warpreel::filter::Filter;
use warpreel::frame::{Family, Format, Margin, Pixel, Rational};
use warpreel::job::{Choice, FieldChoice, FieldPlan, Request, parse_chain};
use warpreel::plan::plan;
use warpreel::source::raw::RawSpec;

use super::array::{Array, Form};
use super::device;
use super::error::{raised, refused};
use super::foreign::Foreign;
use super::picture::Picture;
use super::stage::{Machine, Stage};
use super::stream::Stream;

/// A chain of filters, as it is typed behind ``-f``; may be called from several threads at a time.
///
/// :param chain: such as ``"gaussian=2,sobel"``; ``warpreel.filters()`` lists what there is. A list of chains is one after
///     the other.
/// :param backend: ``"auto"`` takes a GPU where one works, else the CPU; ``"cpu"``; ``"cuda"`` fails without a GPU. The
///     bytes are the same.
/// :param device: which GPU.
/// :param threads: threads of the CPU; None for all cores.
/// :param border: what lies outside the picture for filters that do not say, ``"reflect101"`` unless given.
/// :param planes: which channels are filtered by filters that do not say: ``"rg"``, ``"a"``, ``"all"``; all but opacity
///     unless given. The others pass through.
/// :param depth: bits in use of uint16, 9 to 16. Of uint8 it is 8; floats are black at 0 and white at 1.
/// :param fields: ``"auto"`` filters each field as a picture of its own in frames of a video that says that it is
///     interlaced, as the command line does; ``"separate"`` in all frames and arrays on the host, ``"frame"`` in none.
/// :raises ValueError: what is wrong with the chain, and where.
///
/// >>> import numpy as np, warpreel
/// >>> blur = warpreel.Chain("gaussian=2,sobel", backend="cpu")
/// >>> blur(np.zeros((48, 64), np.uint8)).shape
/// (48, 64)
/// >>> str(blur), blur.reach
/// ('gaussian=sigma=2,sobel', (0, 0))
#[pyclass(frozen, module = "warpreel")]
pub struct Chain {
    texts: Vec<String>,
    filters: Vec<Filter>,
    machine: Machine,
    border: Option<String>,
    planes: Option<String>,
    depth: u8,
    fields: FieldChoice,
    /// Stages that were used and are not in use.
    idle: Mutex<Vec<Stage>>,
    /// Whose threads they have.
    process: AtomicU32,
    /// The same for arrays on GPUs, with the GPU's number.
    idle_on_device: Mutex<Vec<(usize, Stage)>>,
}

impl Chain {
    /// As many stages are kept; each has memory of its own.
    const IDLE: usize = 4;

    /// A stage for frames of a format. Blocks while it is prepared.
    ///
    /// # Errors
    /// If the chain does not fit the format, or the backend cannot be had.
    pub fn stage(&self, format: &Format) -> PyResult<Stage> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // A process that was forked has none of the threads of its parent's stages, which are left alone.
        if self.process.swap(process::id(), Ordering::Relaxed) != process::id() {
            mem::forget(mem::take(&mut *idle));
        }
        let found = idle.iter().rposition(|stage| **stage.format() == *format);
        if let Some(index) = found {
            return Ok(idle.swap_remove(index));
        }
        drop(idle);
        Stage::new(self.planned(format)?, self.machine).map_err(raised)
    }

    /// What becomes of the chain for a format.
    fn planned(&self, format: &Format) -> PyResult<FieldPlan> {
        let request = Request { fields: self.fields, ..Request::default() };
        FieldPlan::of(&self.filters, &Arc::new(format.clone()), &request).map_err(refused)
    }

    /// A stage for frames where they lie: on the GPU of that number, or on the host. Blocks while it is prepared.
    ///
    /// # Errors
    /// As [`Chain::stage`] and [`Chain::stage_on_device`].
    pub fn stage_at(&self, format: &Format, gpu: Option<usize>) -> PyResult<Stage> {
        gpu.map_or_else(|| self.stage(format), |number| self.stage_on_device(format, number))
    }

    /// Keeps such a stage for the next call.
    pub fn give_back_at(&self, stage: Stage, gpu: Option<usize>) {
        match gpu {
            Some(number) => self.give_back_on_device(stage, number),
            None => self.give_back(stage),
        }
    }

    /// Keeps a stage for the next call.
    pub fn give_back(&self, stage: Stage) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(stage);
        let surplus = (idle.len() > Self::IDLE).then(|| idle.remove(0));
        drop(idle);
        drop(surplus);
    }

    /// A stage for frames that lie on a GPU. Blocks while it is prepared.
    ///
    /// # Errors
    /// If the chain does not fit the format, or is for the CPU.
    pub fn stage_on_device(&self, format: &Format, number: usize) -> PyResult<Stage> {
        if self.machine.choice == Choice::Cpu {
            let message = format!("backend=\"cpu\" needs arrays on the host, got one on GPU {number}");
            return Err(PyValueError::new_err(message));
        }
        let mut idle = self.idle_on_device.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle.iter().rposition(|(device, stage)| *device == number && **stage.format() == *format);
        if let Some(index) = found {
            return Ok(idle.swap_remove(index).1);
        }
        drop(idle);
        Stage::on_device(&self.planned(format)?, number).map_err(raised)
    }

    /// Keeps such a stage for the next call.
    pub fn give_back_on_device(&self, stage: Stage, number: usize) {
        let mut idle = self.idle_on_device.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((number, stage));
        let surplus = (idle.len() > Self::IDLE).then(|| idle.remove(0));
        drop(idle);
        drop(surplus);
    }

    /// The filters, in order.
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// The GPU of those that do not say where they are.
    pub fn device(&self) -> usize {
        self.machine.device
    }

    /// Bits in use of `uint16`.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Width and height of what it makes of frames of a format.
    ///
    /// # Errors
    /// If it does not fit the format.
    pub fn size(&self, format: &Format) -> PyResult<(usize, usize)> {
        if self.filters.iter().all(|filter| filter.spec.change.is_none()) {
            return Ok((format.width, format.height));
        }
        let to = self.planned(format)?.plan.output();
        Ok((to.width, to.height))
    }

    /// Filters an array into another, `out` or a new one.
    fn run(&self, py: Python<'_>, from: &Array, out: Option<&Bound<'_, PyAny>>) -> PyResult<Array> {
        let format = from.format(self.depth);
        if from.frames() == 0 {
            return from.result(py, self.size(&format)?, out);
        }
        let mut stage = py.detach(|| self.stage(&format))?;
        let to = stage.plan().output();
        let into = from.result(py, (to.width, to.height), out)?;
        py.detach(|| {
            stage.run(from, &into).map_err(raised)?;
            self.give_back(stage);
            Ok(into)
        })
    }

    /// Filters one frame of a video.
    fn picture(&self, py: Python<'_>, picture: &Picture) -> PyResult<Picture> {
        py.detach(|| {
            let (frame, gpu) = (picture.frame(), picture.gpu());
            let mut stage = self.stage_at(frame.format(), gpu)?;
            let filtered = stage.single(frame.clone()).and_then(|frame| stage.picture(frame)).map_err(raised)?;
            self.give_back_at(stage, gpu);
            Ok(filtered)
        })
    }

    fn apply(&self, object: &Bound<'_, PyAny>, out: Option<&Bound<'_, PyAny>>, form: Form) -> PyResult<Py<PyAny>> {
        let py = object.py();
        if let Ok(picture) = object.cast::<Picture>()
            && form == Form::Image
            && out.is_none()
        {
            return Ok(Py::new(py, self.picture(py, picture.get())?)?.into_any());
        }
        if !object.is_instance_of::<PyUntypedArray>()
            && let Some(foreign) = Foreign::of(object, self.machine.device, form)?
        {
            return Ok(device::filtered(self, object, &foreign, out)?.unbind());
        }
        let from = Array::of(object, form)?;
        Ok(self.run(py, &from, out)?.object(py))
    }

    /// A chain that was read already.
    fn read(
        texts: Vec<String>,
        machine: Machine,
        border: Option<String>,
        planes: Option<String>,
        depth: u8,
        fields: FieldChoice,
    ) -> PyResult<Self> {
        if !(9..=16).contains(&depth) {
            return Err(PyValueError::new_err(format!("expected a depth from 9 to 16, got {depth}")));
        }
        let filters =
            parse_chain(&texts, border.as_deref(), planes.as_deref()).map_err(|error| raised(error.into()))?;
        Ok(Self {
            texts,
            filters,
            machine,
            border,
            planes,
            depth,
            fields,
            idle: Mutex::default(),
            process: AtomicU32::new(process::id()),
            idle_on_device: Mutex::default(),
        })
    }
}

/// Who filters, by name.
///
/// # Errors
/// `ValueError` for other names.
pub fn choice(name: &str) -> PyResult<Choice> {
    match name {
        "auto" => Ok(Choice::Auto),
        "cpu" => Ok(Choice::Cpu),
        "cuda" => Ok(Choice::Cuda),
        _ => Err(PyValueError::new_err(format!("expected backend to be auto, cpu or cuda, got {name:?}"))),
    }
}

/// How interlaced frames are filtered, by name.
fn field_choice(name: &str) -> PyResult<FieldChoice> {
    match name {
        "auto" => Ok(FieldChoice::Auto),
        "frame" => Ok(FieldChoice::Frame),
        "separate" => Ok(FieldChoice::Separate),
        _ => Err(PyValueError::new_err(format!("expected fields to be auto, frame or separate, got {name:?}"))),
    }
}

#[pymethods]
impl Chain {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the class's keywords")]
    #[pyo3(signature = (chain, *, backend = "auto", device = 0, threads = None, border = None, planes = None, depth = 16,
        fields = "auto"))]
    fn new(
        py: Python<'_>,
        chain: &Bound<'_, PyAny>,
        backend: &str,
        device: usize,
        threads: Option<usize>,
        border: Option<String>,
        planes: Option<String>,
        depth: u8,
        fields: &str,
    ) -> PyResult<Self> {
        let texts = match chain.extract::<String>() {
            Ok(text) => vec![text],
            Err(_) => chain.extract::<Vec<String>>().map_err(|_| {
                let got = chain.get_type();
                PyTypeError::new_err(format!("expected a chain such as \"gaussian=2,sobel\", got {got}"))
            })?,
        };
        let machine = Machine { choice: choice(backend)?, device, threads: threads.unwrap_or(0) };
        let fields = field_choice(fields)?;
        py.detach(|| Self::read(texts, machine, border, planes, depth, fields))
    }

    /// Filters one picture.
    ///
    /// :param image: (H, W), or (H, W, C) with C = 1, 3 (RGB) or 4 (RGB and opacity); uint8, uint16, float32, or float64,
    ///     which is computed as float32. Any strides; nothing is copied where samples of a row lie side by side.
    ///     A ``Frame`` of a video becomes another, where it lies.
    ///     An array on a GPU, of uint8, uint16 or float32, is filtered there and comes back as one of its library.
    /// :param out: an array of the result's type and shape that takes it; may be the image itself where the size stays.
    /// :returns: an array of the same type, and of the same shape unless the chain changes the size of frames.
    ///
    /// >>> import numpy as np, warpreel
    /// >>> image = np.arange(12, dtype=np.uint8).reshape(3, 4)
    /// >>> warpreel.Chain("invert", backend="cpu")(image)[0]
    /// array([255, 254, 253, 252], dtype=uint8)
    #[pyo3(signature = (image, *, out = None))]
    fn __call__(&self, image: &Bound<'_, PyAny>, out: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        self.apply(image, out, Form::Image)
    }

    /// Filters a clip: filters in time see the frames around each, and the ends of the clip as ``border_t`` says.
    ///
    /// :param frames: (T, H, W) or (T, H, W, C), as for a picture; conditions count 25 frames a second.
    /// :param out: an array of the result's type and shape that takes it; may be the clip itself where the size stays.
    /// :returns: an array of the same type, and of the same shape unless the chain changes the size of frames.
    ///
    /// >>> import numpy as np, warpreel
    /// >>> frames = np.array([0, 30, 60], np.uint8).reshape(3, 1, 1)
    /// >>> warpreel.Chain("tmix=3", backend="cpu").clip(frames).ravel()
    /// array([10, 30, 50], dtype=uint8)
    #[pyo3(signature = (frames, *, out = None))]
    fn clip(&self, frames: &Bound<'_, PyAny>, out: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        self.apply(frames, out, Form::Clip)
    }

    /// Filters frames one by one: an iterator that takes from another no sooner than it must, and holds no more frames
    /// than the filters look at. A frame may be written again once the next was asked for.
    ///
    /// :param frames: any iterable of pictures of one type and shape, or of a video's frames, such as the video itself.
    ///
    /// >>> import numpy as np, warpreel
    /// >>> frames = (np.full((2, 2), 30 * n, np.uint8) for n in range(3))
    /// >>> [int(out[0, 0]) for out in warpreel.Chain("tmix=3", backend="cpu").stream(frames)]
    /// [10, 30, 50]
    fn stream(slf: &Bound<'_, Self>, frames: &Bound<'_, PyAny>) -> PyResult<Stream> {
        Stream::new(slf.clone().unbind(), frames)
    }

    /// How many frames before and after each one are looked at: (before, after), None for all of them.
    #[getter]
    fn reach(&self) -> PyResult<(Option<u64>, Option<u64>)> {
        let mask = self.filters.iter().find_map(Filter::mask);
        // Frames in which any region fits; smaller ones where the chain makes them larger.
        let changes = self.filters.iter().any(|filter| filter.spec.change.is_some());
        let side = if changes { Format::MAX_SIDE / 8 } else { Format::MAX_SIDE };
        let (width, height) = mask.map_or((side, side), |mask| (mask.width, mask.height));
        let of = |family| {
            let pixel = Pixel { alpha: true, ..Pixel::integer(family, 0, 0, 8) };
            plan(&self.filters, &Arc::new(Format::new(pixel, width, height, Rational::new(25, 1))))
        };
        let Margin { before, after, .. } = of(Family::Rgb).or_else(|_| of(Family::Yuv)).map_err(refused)?.margin();
        let known = |frames| (frames != u64::MAX).then_some(frames);
        Ok((known(before), known(after)))
    }

    /// What becomes of the chain, as ``warpreel explain`` prints it: passes, factors, taps, bytes and operations.
    ///
    /// :param format: FFmpeg's name of a pixel format; arrays are ``gray``, ``gbrp``, ``gbrap``, and so on.
    /// :param size: width and height.
    ///
    /// >>> import warpreel
    /// >>> print(warpreel.Chain("gaussian=2").explain("gray", (640, 480)).splitlines()[0]) # doctest: +ELLIPSIS
    /// gray 640x480...
    #[pyo3(signature = (format = "yuv420p", size = (1920, 1080)))]
    fn explain(&self, format: &str, size: (usize, usize)) -> PyResult<String> {
        let spec = format!("{format}:{}x{}", size.0, size.1).parse::<RawSpec>().map_err(refused)?;
        Ok(self.planned(&spec.format())?.plan.explain(None).to_string())
    }

    fn __str__(&self) -> String {
        self.filters.iter().map(Filter::to_string).collect::<Vec<_>>().join(",")
    }

    fn __repr__(&self) -> String {
        format!("warpreel.Chain({:?})", self.__str__())
    }

    /// What makes it again, in another process for instance.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        let backend = match self.machine.choice {
            Choice::Auto => "auto",
            Choice::Cpu => "cpu",
            Choice::Cuda => "cuda",
        };
        options.set_item("backend", backend)?;
        options.set_item("device", self.machine.device)?;
        options.set_item("threads", (self.machine.threads > 0).then_some(self.machine.threads))?;
        options.set_item("border", &self.border)?;
        options.set_item("planes", &self.planes)?;
        options.set_item("depth", self.depth)?;
        let fields = match self.fields {
            FieldChoice::Auto => "auto",
            FieldChoice::Frame => "frame",
            FieldChoice::Separate => "separate",
        };
        options.set_item("fields", fields)?;
        Ok((PyTuple::new(py, [&self.texts])?, options))
    }
}
