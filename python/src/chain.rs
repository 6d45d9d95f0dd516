//! A chain of filters for arrays.

mod kept;

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use warpreel::filter::{Defaults, Filter, time_border};
use warpreel::frame::{Colour, Family, Format, Pixel, Rational};
use warpreel::job::{Choice, FieldChoice, chain_defaults, check_no_end, parse_chain_with};
use warpreel::plan::{Lookaround, plan};
use warpreel::source::raw::RawSpec;

use super::array::{Array, Form, check_samples};
use super::device;
use super::error::{raised, refused};
use super::foreign::Foreign;
use super::guest;
use super::picture::Picture;
use super::setting::{border_text, choice, field_choice, mask_of};
use super::stage::{self, Machine, Stage};
use super::stream::Stream;

/// A chain of filters, as it is typed behind ``-f``; may be called from several threads at a time.
///
/// :param chain: such as ``"gaussian=2,sobel"``; ``warpreel.filters()`` lists what there is. A list of chains is one after
///     the other.
/// :param backend: ``"auto"`` takes a GPU where one works, else the CPU; ``"cpu"``; ``"cuda"`` is an error without a GPU that
///     works. The bytes are the same.
/// :param device: which GPU.
/// :param threads: threads of the CPU; None for all cores.
/// :param border: what lies outside the picture for filters that do not say, ``"reflect101"`` unless given: a name, or a level
///     from 0 to 1.
/// :param border_t: what lies before the first frame and after the last for filters that do not say, ``"clamp"`` unless
///     given: ``"reflect101"``, ``"zero"`` or ``"lopsided"``.
/// :param planes: which channels are filtered by filters that do not say: ``"rg"``, ``"a"``, ``"all"``; all but opacity
///     unless given. The others pass through.
/// :param mask: an array of (H, W) of how much of a result there is at each pixel, for filters that do not name a mask: of
///     truth values, uint8, uint16, or floats from 0 to 1.
/// :param depth: bits in use of uint16, 9 to 16. Of uint8 it is 8; floats are black at 0 and white at ``peak``.
/// :param peak: white in arrays of floats on the host, 1 unless given; 255 for pictures that were converted as they are.
/// :param fields: ``"auto"`` filters each field as a picture of its own in frames of a video that says that it is
///     interlaced, as the command line does; ``"separate"`` in all frames and arrays on the host, ``"frame"`` in none.
/// :raises ValueError: what is wrong with the chain, and where.
/// :raises warpreel.Error: with ``backend="cuda"``, if there is no GPU.
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
    border_t: Option<String>,
    planes: Option<String>,
    /// As it was given.
    mask: Option<Py<PyAny>>,
    depth: u8,
    peak: f64,
    fields: FieldChoice,
    /// Stages that were used and are not in use.
    idle: Mutex<Vec<Stage>>,
    /// Whose threads they have.
    process: AtomicU32,
    /// The same for arrays on GPUs, with the GPU's number.
    idle_on_device: Mutex<Vec<(usize, Stage)>>,
}

impl Chain {
    /// The texts, and the keywords, for a whole job.
    ///
    /// # Errors
    /// `ValueError` if it has what a job takes in the text alone.
    pub fn for_job<'py>(&self, py: Python<'py>) -> PyResult<(Vec<String>, Bound<'py, PyDict>)> {
        for (name, is_set) in [("border_t", self.border_t.is_some()), ("mask", self.mask.is_some())] {
            if is_set {
                let message = format!("run() takes {name} in the chain's text alone, as in \"gaussian=2:{name}=…\"");
                return Err(PyValueError::new_err(message));
            }
        }
        self.options(py)
    }

    fn options<'py>(&self, py: Python<'py>) -> PyResult<(Vec<String>, Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        let backend = match self.machine.choice {
            Choice::Auto => "auto",
            Choice::Cpu => "cpu",
            Choice::Cuda => "cuda",
        };
        options.set_item("backend", backend)?;
        if self.machine.device > 0 {
            options.set_item("device", self.machine.device)?;
        }
        options.set_item("threads", (self.machine.threads > 0).then_some(self.machine.threads))?;
        options.set_item("border", &self.border)?;
        options.set_item("planes", &self.planes)?;
        let fields = match self.fields {
            FieldChoice::Auto => "auto",
            FieldChoice::Frame => "frame",
            FieldChoice::Separate => "separate",
        };
        options.set_item("fields", fields)?;
        Ok((self.texts.clone(), options))
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

    /// What stands for white in floats.
    pub fn peak(&self) -> f64 {
        self.peak
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
        check_samples(format, &to)?;
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
        check_samples(&format, &to)?;
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
        let from = Array::of(object, form)?.with_peak(self.peak);
        let made = self.run(py, &from, out)?.object(py);
        match out {
            Some(out) => Ok(out.clone().unbind()),
            None => Ok(guest::like(made.into_bound(py), object)?.unbind()),
        }
    }
}

#[pymethods]
impl Chain {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the class's keywords")]
    #[pyo3(signature = (chain, *, backend = "auto", device = 0, threads = None, border = None, border_t = None, planes = None,
        mask = None, depth = 16, peak = 1.0, fields = "auto"))]
    fn new(
        py: Python<'_>,
        chain: &Bound<'_, PyAny>,
        backend: &str,
        device: usize,
        threads: Option<usize>,
        border: Option<&Bound<'_, PyAny>>,
        border_t: Option<String>,
        planes: Option<String>,
        mask: Option<Py<PyAny>>,
        depth: u8,
        peak: f64,
        fields: &str,
    ) -> PyResult<Self> {
        if !(9..=16).contains(&depth) {
            return Err(PyValueError::new_err(format!("expected a depth from 9 to 16, got {depth}")));
        }
        if !(peak.is_finite() && peak > 0.0) {
            return Err(PyValueError::new_err(format!(
                "expected peak to be a number above 0, such as 255, got {peak}"
            )));
        }
        let border = border.map(border_text).transpose()?;
        let levels = mask.as_ref().map(|mask| mask_of(mask.bind(py))).transpose()?;
        let texts = match chain.extract::<String>() {
            Ok(text) => vec![text],
            Err(_) => chain.extract::<Vec<String>>().map_err(|_| {
                let got = chain.get_type();
                PyTypeError::new_err(format!("expected a chain such as \"gaussian=2,sobel\", got {got}"))
            })?,
        };
        let machine = Machine { choice: choice(backend)?, device, threads: threads.unwrap_or(0) };
        let fields = field_choice(fields)?;
        py.detach(|| {
            // What cannot be had is said here, and not where the first picture comes.
            if machine.choice == Choice::Cuda {
                stage::gpu(machine.device).map_err(raised)?;
            }
            let defaults =
                chain_defaults(border.as_deref(), planes.as_deref()).map_err(|error| raised(error.into()))?;
            let border_t_of = |name: &String| {
                let expected = "expected border_t to be clamp, reflect101, zero or lopsided";
                time_border(name).ok_or_else(|| PyValueError::new_err(format!("{expected}, got {name:?}")))
            };
            let defaults =
                Defaults { border_t: border_t.as_ref().map(border_t_of).transpose()?, mask: levels, ..defaults };
            let filters = parse_chain_with(&texts, &defaults).map_err(|error| raised(error.into()))?;
            check_no_end(&filters).map_err(|error| raised(error.into()))?;
            let (idle, idle_on_device, process) = Default::default();
            let process: AtomicU32 = process;
            process.store(process::id(), Ordering::Relaxed);
            Ok(Self {
                texts,
                filters,
                machine,
                border,
                border_t,
                planes,
                mask,
                depth,
                peak,
                fields,
                idle,
                process,
                idle_on_device,
            })
        })
    }

    /// Filters one picture.
    ///
    /// :param image: (H, W), or (H, W, C) with C = 1, 3 (RGB) or 4 (RGB and opacity); uint8, uint16, float32, or float64,
    ///     which is computed as float32. Any strides; nothing is copied where samples of a row lie side by side.
    ///     A ``Frame`` of a video becomes another, where it lies. Arrays on the host of PyTorch, JAX and others with
    ///     ``__dlpack__`` come back as arrays of their library; of what has ``__array__`` alone the result is one of NumPy.
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
    /// :param frames: (T, H, W) or (T, H, W, C), as for a picture, or a list of pictures or of a video's frames; conditions
    ///     count 25 frames a second of arrays.
    /// :param out: an array of the result's type and shape that takes it; may be the clip itself where the size stays.
    /// :returns: an array of the same type, and of the same shape unless the chain changes the size of frames; of a list a
    ///     list.
    ///
    /// >>> import numpy as np, warpreel
    /// >>> frames = np.array([0, 30, 60], np.uint8).reshape(3, 1, 1)
    /// >>> warpreel.Chain("tmix=3", backend="cpu").clip(frames).ravel()
    /// array([10, 30, 50], dtype=uint8)
    #[pyo3(signature = (frames, *, out = None))]
    fn clip(slf: &Bound<'_, Self>, frames: &Bound<'_, PyAny>, out: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let is_list = frames.is_instance_of::<PyList>() || frames.is_instance_of::<PyTuple>();
        if is_list && out.is_none() {
            let stream = Bound::new(slf.py(), Stream::new(slf.clone().unbind(), frames)?)?;
            return Ok(slf.py().get_type::<PyList>().call1((stream,))?.unbind());
        }
        slf.get().apply(frames, out, Form::Clip)
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
        let of = |pixel| {
            let colour = Colour { primaries: 1, transfer: 1, matrix: 1, ..Colour::default() };
            let format = Format { colour, ..Format::new(pixel, width, height, Rational::new(25, 1)) };
            plan(&self.filters, &Arc::new(format))
        };
        // Some filters take YUV alone, and some of these without opacity.
        let [rgb, yuv] = [Family::Rgb, Family::Yuv].map(|family| Pixel::integer(family, 0, 0, 8).with_alpha());
        let plan = of(rgb).or_else(|_| of(yuv)).or_else(|_| of(Pixel::yuv420p(8))).map_err(refused)?;
        let Lookaround { before, after, .. } = plan.lookaround();
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
        let (texts, options) = self.options(py)?;
        options.set_item("depth", self.depth)?;
        options.set_item("peak", self.peak)?;
        options.set_item("border_t", &self.border_t)?;
        options.set_item("mask", &self.mask)?;
        Ok((PyTuple::new(py, [texts])?, options))
    }
}
