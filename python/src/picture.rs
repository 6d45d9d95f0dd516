//! A frame of a video.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use warpreel::backend::cuda::Export;
use warpreel::filter::letter;
use warpreel::frame::{Colour, Format, Frame, PlaneLayout, Sample};
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
    /// Converted by FFmpeg's libswscale with the video's matrix and range, on the processor.
    ///
    /// :raises ValueError: if the frame lies on a GPU.
    fn rgb(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (format, frame) = (self.format(), &self.frame);
        if let Some(gpu) = self.gpu() {
            let (number, what) = (self.number(), "and colours are converted on the CPU");
            let message = format!("frame {number} is on GPU {gpu}, {what}; use its planes, or open without device=");
            return Err(PyValueError::new_err(message));
        }
        let (name, kind) = match format.pixel.sample {
            Sample::U8 => ("rgb24", Kind::U8),
            Sample::U16 | Sample::F32 => ("rgb48", Kind::U16),
        };
        let bytes = py.detach(|| {
            let stored = Stored::parse(name)?;
            let mut bytes = vec![0; stored.packed_bytes(format.width, format.height)];
            Converter::from_planar(stored, format)?.pack(frame, &mut bytes)?;
            anyhow::Ok(bytes)
        });
        memory::filled(py, &[format.height, format.width, 3], kind, &bytes.map_err(raised)?)
    }

    fn __repr__(&self) -> String {
        let Format { width, height, .. } = **self.format();
        let place = self.gpu().map_or_else(String::new, |gpu| format!(" on GPU {gpu}"));
        format!("<warpreel.Frame {} of {} {width}x{height}{place}>", self.number(), self.name())
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
