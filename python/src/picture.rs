//! A frame of a video.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use warpreel::backend::cuda::Export;
use warpreel::filter::letter;
use warpreel::frame::{Colour, Family, Format, Frame, PlaneLayout, Sample};
use warpreel::libav::{Converter, Stored};

use super::array;
use super::error::raised;
use super::memory::{self, Kind};
use super::tensor::Tensor;

/// A frame of a video, as it is stored: planes, and when it is shown. ``Chain`` filters it, ``Writer.write`` writes it, with
/// the sound that belongs to it.
///
/// >>> import warpreel
/// >>> with warpreel.open("samples/ten-bit.mp4") as video:
/// ...     frame = next(iter(video))
/// >>> frame.format, frame.number, frame.time
/// ('yuv420p10', 0, 0.0)
/// >>> [(plane.shape, plane.dtype.name) for plane in frame.planes]
/// [((180, 320), 'uint16'), ((90, 160), 'uint16'), ((90, 160), 'uint16')]
/// >>> frame.rgb().shape
/// (180, 320, 3)
#[pyclass(frozen, name = "Frame", module = "warpreel")]
pub struct Picture {
    frame: Frame,
    /// Of a frame that lies on a GPU: what lends it to others.
    export: Option<Arc<Export>>,
}

impl Picture {
    /// A frame that lies on the host.
    pub fn on_host(frame: Frame) -> Self {
        Self { frame, export: None }
    }

    /// A frame that lies on a GPU.
    pub fn on_device(frame: Frame, export: Export) -> Self {
        Self { frame, export: Some(Arc::new(export)) }
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The number of the GPU on which it lies; `None` on the host.
    pub fn gpu(&self) -> Option<usize> {
        self.export.as_ref().map(|export| export.surface().device())
    }

    fn format(&self) -> &Arc<Format> {
        self.frame.format()
    }

    /// Its planes as tensors, which keep its memory.
    fn tensors(&self, export: &Arc<Export>) -> anyhow::Result<Vec<Tensor>> {
        let tensor = |(number, plane): (usize, &PlaneLayout)| {
            Tensor::of(export.clone(), &self.frame, number, vec![plane.height as i64, plane.width as i64])
        };
        self.frame.layout().planes.iter().enumerate().map(tensor).collect()
    }
}

#[pymethods]
impl Picture {
    /// Its planes, to be read, of (H, W) each, chroma smaller where it is subsampled: arrays, or, of a frame on a GPU,
    /// a ``warpreel.Tensor`` each, which any ``from_dlpack`` takes. They are the frame's own memory, and keep it.
    #[getter]
    fn planes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let Self { frame, export } = slf.get();
        if let Some(export) = export {
            return PyList::new(slf.py(), slf.get().tensors(export).map_err(raised)?);
        }
        let host = frame.host().map_err(raised)?;
        let planes = 0..frame.plane_count();
        let view = |plane| match slf.get().format().pixel.sample {
            Sample::U8 => memory::view::<u8>(host.plane(plane), slf),
            Sample::U16 => memory::view::<u16>(host.plane(plane), slf),
            Sample::F32 => memory::view::<f32>(host.plane(plane), slf),
        };
        PyList::new(slf.py(), planes.map(view).collect::<PyResult<Vec<_>>>()?)
    }

    /// The letters of the planes, in order: ``yuv``, ``gbr``, ``y``, with ``a`` for opacity.
    #[getter]
    fn letters(&self) -> String {
        (0..self.frame.plane_count()).map(|plane| letter(self.format().pixel, plane)).collect()
    }

    /// FFmpeg's name of the pixel format: ``yuv420p10``.
    #[getter(format)]
    fn name(&self) -> String {
        self.format().pixel.name()
    }

    /// Width and height as it is stored.
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.format().width, self.format().height)
    }

    /// The number of the GPU on which it lies; None on the host.
    #[getter]
    fn device(&self) -> Option<usize> {
        self.gpu()
    }

    /// Its place in the clip, from 0.
    #[getter]
    fn number(&self) -> u64 {
        self.frame.timing.number
    }

    /// When it is shown, in units of the video's ``time_base``.
    #[getter]
    fn pts(&self) -> i64 {
        self.frame.timing.pts
    }

    /// When it is shown, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.frame.timing.pts as f64 * self.format().time_base.value().unwrap_or(0.0)
    }

    /// How long it is shown, in seconds; 0 where unknown.
    #[getter]
    fn duration(&self) -> f64 {
        self.frame.timing.duration as f64 * self.format().time_base.value().unwrap_or(0.0)
    }

    /// The picture in red, green and blue, a new array of (H, W, 3): uint8 of 8 bits, else uint16 over its whole range.
    /// Converted by FFmpeg's libswscale with the video's matrix and range, on the processor. YUV without a tag of its
    /// matrix is taken for BT.601, whatever its size, as FFmpeg takes it; ``matrix`` of the frame is None then.
    ///
    /// :param matrix: ``"bt709"``, ``"bt601"``, ``"smpte240m"`` or ``"bt2020"``, for another than the video's.
    /// :raises ValueError: if the frame lies on a GPU.
    #[pyo3(signature = (*, matrix = None))]
    fn rgb(&self, py: Python<'_>, matrix: Option<&str>) -> PyResult<Py<PyAny>> {
        self.colours(py, ["rgb24", "rgb48"], matrix)
    }

    /// The same in blue, green and red, as OpenCV has it.
    ///
    /// :param matrix: as for ``rgb``.
    #[pyo3(signature = (*, matrix = None))]
    fn bgr(&self, py: Python<'_>, matrix: Option<&str>) -> PyResult<Py<PyAny>> {
        self.colours(py, ["bgr24", "bgr48"], matrix)
    }

    /// What ``numpy.asarray`` gives: of grey frames the plane, (H, W), else ``rgb()``.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let is_grey = this.format().pixel.family == Family::Gray && this.export.is_none();
        let array = match is_grey {
            true => Self::planes(slf)?.get_item(0)?,
            false if copy == Some(false) => {
                return Err(PyValueError::new_err("colours are converted, which makes a copy; leave out copy=False"));
            }
            false => this.rgb(py, None)?.into_bound(py),
        };
        match (dtype, is_grey && copy == Some(true)) {
            (Some(dtype), _) => array.call_method1("astype", (dtype,)),
            (None, true) => array.call_method0("copy"),
            (None, false) => Ok(array),
        }
    }

    /// The picture as a PNG of 8 bits, as it is stored: notebooks show a frame that is the last value of a cell. None of a frame on a
    /// GPU, of which they show the text.
    fn _repr_png_(&self, py: Python<'_>) -> PyResult<Option<Vec<u8>>> {
        if self.gpu().is_some() {
            return Ok(None);
        }
        py.detach(|| self.png()).map(Some).map_err(raised)
    }

    /// The matrix with which the video's colours became YUV: ``bt709``, ``bt601``, ``bt2020``…; None where it has no tag of
    /// it, or the frame is no YUV.
    #[getter]
    fn matrix(&self) -> Option<String> {
        matrix_name(self.format())
    }

    fn __repr__(&self) -> String {
        let Format { width, height, .. } = **self.format();
        let place = self.gpu().map_or_else(String::new, |gpu| format!(" on GPU {gpu}"));
        format!("<warpreel.Frame {} of {} {width}x{height}{place}>", self.number(), self.name())
    }
}

/// Matrices by the name of their standard, and the code points of H.273 that mean them.
const MATRICES: [(&str, &[u8]); 4] =
    [("bt709", &[1]), ("bt601", &[5, 6, 4]), ("smpte240m", &[7]), ("bt2020", &[9, 10])];

/// The matrix of a format's tag.
pub fn matrix_name(format: &Format) -> Option<String> {
    let code = format.colour.matrix;
    if format.pixel.family != Family::Yuv || code == Colour::default().matrix {
        return None;
    }
    let known = MATRICES.iter().find(|(_, codes)| codes.contains(&code));
    Some(known.map_or_else(|| format!("matrix {code} of H.273"), |(name, _)| (*name).to_owned()))
}

impl Picture {
    /// A PNG of 8 bits, with opacity if the frame has any.
    fn png(&self) -> anyhow::Result<Vec<u8>> {
        let format = self.format();
        let (name, colour) = match format.pixel.alpha {
            true => ("rgba", png::ColorType::Rgba),
            false => ("rgb24", png::ColorType::Rgb),
        };
        let stored = Stored::parse(name)?;
        let mut bytes = vec![0; stored.packed_bytes(format.width, format.height)];
        Converter::from_planar(stored, format)?.pack(&self.frame, &mut bytes)?;
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, u32::try_from(format.width)?, u32::try_from(format.height)?);
        encoder.set_color(colour);
        encoder.write_header()?.write_image_data(&bytes)?;
        Ok(file)
    }

    /// Colours that libswscale packs, by the name of the order with 8 bits and with 16.
    fn colours(&self, py: Python<'_>, names: [&str; 2], matrix: Option<&str>) -> PyResult<Py<PyAny>> {
        let (mut format, frame) = (self.format().clone(), &self.frame);
        if let Some(wanted) = matrix {
            let found = MATRICES.iter().find(|(name, _)| *name == wanted);
            let names = MATRICES.map(|(name, _)| name).join(", ");
            let wrong = || PyValueError::new_err(format!("expected matrix to be one of {names}, got {wanted:?}"));
            let code = found.ok_or_else(wrong)?.1[0];
            format = Arc::new(Format { colour: Colour { matrix: code, ..format.colour }, ..Format::clone(&format) });
        }
        if let Some(gpu) = self.gpu() {
            let (number, what) = (self.number(), "and colours are converted on the CPU");
            let message = format!("frame {number} is on GPU {gpu}, {what}; use its planes, or open without device=");
            return Err(PyValueError::new_err(message));
        }
        let (name, kind) = match format.pixel.sample {
            Sample::U8 => (names[0], Kind::U8),
            Sample::U16 | Sample::F32 => (names[1], Kind::U16),
        };
        let bytes = py.detach(|| {
            let stored = Stored::parse(name)?;
            let mut bytes = vec![0; stored.packed_bytes(format.width, format.height)];
            Converter::from_planar(stored, &format)?.pack(frame, &mut bytes)?;
            anyhow::Ok(bytes)
        });
        memory::filled(py, &[format.height, format.width, 3], kind, &bytes.map_err(raised)?)
    }
}

/// A frame of `format` with the samples of an array, or of a list of planes; RGB and grey become what the format asks for.
///
/// # Errors
/// `ValueError` and `TypeError` with what was expected and what came.
pub fn framed(object: &Bound<'_, PyAny>, format: &Arc<Format>, depth: u8) -> PyResult<Frame> {
    let py = object.py();
    let pool = warpreel::frame::Pool::heap();
    let timing = warpreel::frame::Timing::default();
    if object.is_instance_of::<PyList>() || object.is_instance_of::<pyo3::types::PyTuple>() {
        let planes = object.extract::<Vec<Bound<'_, PyAny>>>()?;
        let planes =
            planes.iter().map(|plane| array::Array::of(plane, array::Form::Image)).collect::<PyResult<Vec<_>>>()?;
        return array::assembled(&planes, format, &pool);
    }
    let array = array::Array::of(object, array::Form::Image)?;
    let own = array.format(depth);
    if (own.width, own.height) != (format.width, format.height) {
        let (w, h) = (format.width, format.height);
        let got = array.describe();
        return Err(PyValueError::new_err(format!("expected a picture of {h} rows and {w} columns, got {got}")));
    }
    py.detach(|| {
        if own.pixel == format.pixel {
            return array.copy(0, format, timing, &pool);
        }
        let own = Arc::new(own);
        let frame = array.copy(0, &own, timing.clone(), &pool)?;
        let stored = Stored::planar(format.pixel)
            .ok_or_else(|| anyhow::anyhow!("{} cannot be made from one array; pass its planes", format.pixel.name()))?;
        let mut bytes = vec![0; stored.packed_bytes(format.width, format.height)];
        // What has no tag has the range of its kind.
        let colour = Colour { range: format.range(), ..format.colour };
        Converter::coded_as(stored, &own, colour)?.pack(&frame, &mut bytes)?;
        Converter::to_planar(stored, format)?.unpack(&bytes, &pool).map(|made| made.freeze(timing))
    })
    .map_err(raised)
}
