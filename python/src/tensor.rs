//! Arrays on a GPU: taken where they lie and given on, each side waiting for the other in streams. `unsafe` stands here and
//! in `memory`.
//!
//! What comes in is ready for CUDA's legacy default stream, as its owner is told, and copied on the GPU by a stream of the stage
//! that waits for it. What goes out is ready for the stream that its consumer names, and used again once that stream has
//! done what was queued when the consumer let go.

use std::ffi::c_void;
use std::sync::Arc;

use anyhow::{Context, Result};
use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic;
use dlpark::python::{
    CudaStreamRequest, DlpackExporter, DlpackStream, ExportRequest, ImportRequest, ImportedDlpack, StreamArg,
    export_dlpack,
};
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use warpreel::backend::cuda::Export;
use warpreel::frame::{Family, Format, Frame, Layout, Pixel, PlaneLayout, Rational, Ready, Sample, Surface, Timing};

use super::error::raised;
use super::memory::Kind;

/// CUDA's legacy default stream.
const DEFAULT_STREAM: u64 = 1;

/// A picture on a GPU that somebody else owns.
pub struct Foreign {
    surface: Arc<dyn Surface>,
    layout: Layout,
    kind: Kind,
    /// As it came: (H, W) or (H, W, 1).
    pub shape: Vec<i64>,
    /// Which GPU.
    pub device: usize,
}

/// What keeps foreign memory.
struct Lent {
    address: u64,
    bytes: usize,
    device: usize,
    ready: Ready,
    _owner: Owner,
}

/// Gives the memory back when it is dropped.
enum Owner {
    Tensor { _tensor: ImportedDlpack },
    Object { _object: Py<PyAny> },
}

// SAFETY: a managed tensor may be given back in any thread, as DLPack demands; the rest are numbers and a reference.
unsafe impl Send for Lent {}
// SAFETY: nothing is changed through a shared reference.
unsafe impl Sync for Lent {}

// SAFETY: the owner keeps the memory; that nobody writes it before the stage has copied it is what callers are told, and holds
// for whoever takes the result before. The default stream is always there, and a stream that the owner published lives as
// long as its array.
unsafe impl Surface for Lent {
    fn device(&self) -> usize {
        self.device
    }

    fn address(&self) -> u64 {
        self.address
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn ready(&self) -> Ready {
        self.ready
    }
}

/// The stream for which an owner makes its array ready.
struct DefaultStream;

// SAFETY: CUDA's legacy default stream is always there, and 1 is what the protocol calls it.
unsafe impl DlpackStream for DefaultStream {
    fn as_python_arg(&self, py: Python<'_>, _: DLDevice) -> PyResult<StreamArg> {
        Ok(StreamArg::from_python_object(DEFAULT_STREAM.into_pyobject(py)?.into_any().unbind()))
    }
}

impl Foreign {
    /// A picture of an object with `__dlpack__` or `__cuda_array_interface__`; `None` where it does not lie on a GPU. The
    /// latter does not say on which: then it is GPU `device`.
    ///
    /// # Errors
    /// `TypeError` and `ValueError`, with what was expected and what came.
    pub fn of(object: &Bound<'_, PyAny>, device: usize) -> PyResult<Option<Self>> {
        if object.hasattr("__dlpack_device__")? {
            let request = ImportRequest::new(object.as_borrowed())?;
            let device = request.device()?;
            if device.device_type != DLDeviceType::CUDA {
                return Ok(None);
            }
            let tensor = request.import(Some(&DefaultStream), None)?;
            return Self::of_tensor(tensor, device).map(Some);
        }
        match object.getattr_opt("__cuda_array_interface__")? {
            Some(interface) => Self::of_interface(object, &interface.cast_into::<PyDict>()?, device).map(Some),
            None => Ok(None),
        }
    }

    fn of_tensor(tensor: ImportedDlpack, device: DLDevice) -> PyResult<Self> {
        let wrong = |error: dlpark::tensor::Error| PyValueError::new_err(error.to_string());
        let view = tensor.validate().map_err(wrong)?;
        let kinds = [
            (DLDataType::of::<u8>(), Kind::U8),
            (DLDataType::of::<u16>(), Kind::U16),
            (DLDataType::of::<f32>(), Kind::F32),
        ];
        let kind = kinds.into_iter().find(|(dtype, _)| *dtype == view.dtype()).map(|(_, kind)| kind);
        let kind = kind.ok_or_else(|| PyTypeError::new_err(Self::KINDS))?;
        let shape = view.shape().to_vec();
        let strides = view.strides_or_compact().map_err(wrong)?.into_owned();
        let address = view.data_ptr() as u64 + view.byte_offset();
        let device = usize::try_from(device.device_id).map_err(|_| PyValueError::new_err("a GPU without a number"))?;
        Self::placed(
            address,
            shape,
            strides,
            kind,
            device,
            Ready::Stream(DEFAULT_STREAM),
            Owner::Tensor { _tensor: tensor },
        )
    }

    /// Version 3 names a stream; before it nothing is said, and the default stream is waited for.
    fn of_interface(object: &Bound<'_, PyAny>, interface: &Bound<'_, PyDict>, device: usize) -> PyResult<Self> {
        let entry = |name: &str| {
            let missing = || PyValueError::new_err(format!("__cuda_array_interface__ has no {name}"));
            interface.get_item(name)?.ok_or_else(missing)
        };
        let kind = match entry("typestr")?.extract::<String>()?.as_str() {
            "|u1" => Kind::U8,
            "<u2" => Kind::U16,
            "<f4" => Kind::F32,
            _ => return Err(PyTypeError::new_err(Self::KINDS)),
        };
        let shape = entry("shape")?.extract::<Vec<i64>>()?;
        let (address, _) = entry("data")?.extract::<(u64, bool)>()?;
        let bytes = kind.bytes() as i64;
        let strides = match interface.get_item("strides")?.filter(|strides| !strides.is_none()) {
            Some(strides) => strides.extract::<Vec<i64>>()?,
            None => (0..shape.len()).map(|axis| bytes * shape[axis + 1..].iter().product::<i64>()).collect(),
        };
        if strides.iter().any(|stride| stride % bytes != 0) {
            return Err(PyValueError::new_err("expected steps of whole elements"));
        }
        let strides = strides.into_iter().map(|stride| stride / bytes).collect();
        let stream = interface.get_item("stream")?.filter(|stream| !stream.is_none());
        let stream = stream.map_or(Ok(DEFAULT_STREAM), |stream| stream.extract::<u64>())?;
        let owner = Owner::Object { _object: object.clone().unbind() };
        Self::placed(address, shape, strides, kind, device, Ready::Stream(stream), owner)
    }

    const KINDS: &str = "expected an array of uint8, uint16 or float32 on a GPU";

    /// A picture in memory of somebody's; strides count elements.
    fn placed(
        address: u64,
        shape: Vec<i64>,
        strides: Vec<i64>,
        kind: Kind,
        device: usize,
        ready: Ready,
        owner: Owner,
    ) -> PyResult<Self> {
        let expected =
            |what: &str| PyValueError::new_err(format!("expected an array of {what} on a GPU, got {shape:?}"));
        let is_plane = shape.len() == 2 || shape.len() == 3 && shape[2] == 1;
        if !is_plane {
            return Err(expected("(H, W) or (H, W, 1); give colours one by one, and clips to stream, in pictures"));
        }
        let side = |size: i64| usize::try_from(size).ok().filter(|side| (1..=Format::MAX_SIDE).contains(side));
        let sides = side(shape[0]).zip(side(shape[1]));
        let (height, width) = sides.ok_or_else(|| expected("1 to 16384 rows and columns"))?;
        let (down, across) = (strides[0], strides[1]);
        let down = if height == 1 { width as i64 } else { down };
        if (across != 1 && width > 1) || down < width as i64 {
            return Err(expected("rows whose elements lie side by side"));
        }
        let stride = down as usize;
        let bytes = ((height - 1) * stride + width) * kind.bytes();
        let layout = Layout::new(vec![PlaneLayout::new(0, stride, (width, height))]);
        let surface = Arc::new(Lent { address, bytes, device, ready, _owner: owner });
        Ok(Self { surface, layout, kind, shape, device })
    }

    /// What it is as a frame; `depth` is the bits in use of `uint16`.
    pub fn format(&self, depth: u8) -> Format {
        let (sample, depth) = match self.kind {
            Kind::U8 => (Sample::U8, 8),
            Kind::U16 => (Sample::U16, depth),
            Kind::F32 | Kind::F64 => (Sample::F32, 32),
        };
        let pixel = Pixel { family: Family::Gray, alpha: false, log2_chroma_w: 0, log2_chroma_h: 0, sample, depth };
        let plane = &self.layout.planes[0];
        Format::new(pixel, plane.width, plane.height, Rational::new(25, 1))
    }

    /// Whether another is of the same type, shape and GPU.
    pub fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind && self.shape == other.shape && self.device == other.device
    }

    /// The frame, where it lies.
    ///
    /// # Errors
    /// If it is not aligned.
    pub fn frame(&self, format: &Arc<Format>, timing: Timing) -> Result<Frame> {
        Frame::on_device(format.clone(), timing, self.layout.clone(), self.surface.clone())
    }
}

/// A filtered picture on a GPU, which ``from_dlpack`` of CuPy, PyTorch, JAX and others takes without a copy. It is only
/// read: a copy may be written.
#[pyclass(frozen, module = "warpreel")]
pub struct Tensor {
    export: Arc<Export>,
    offset_bytes: u64,
    kind: Kind,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

impl Tensor {
    /// A result of a stage.
    ///
    /// # Errors
    /// If it is no plane of a known type.
    pub fn of(export: Export, frame: &Frame, shape: Vec<i64>) -> Result<Self> {
        let plane = frame.layout().planes.first().context("a frame has a plane")?;
        let kind = match frame.format().pixel.sample {
            Sample::U8 => Kind::U8,
            Sample::U16 => Kind::U16,
            Sample::F32 => Kind::F32,
        };
        let strides = [plane.stride as i64, 1, 1][..shape.len()].to_vec();
        Ok(Self { export: Arc::new(export), offset_bytes: plane.offset_bytes as u64, kind, shape, strides })
    }

    /// The array that the library of `like` makes of it, so that its present stream waits; the tensor itself where that
    /// library has no `from_dlpack`.
    ///
    /// # Errors
    /// What the library raises.
    pub fn like<'py>(self, like: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = like.py();
        let module: String = like.get_type().getattr("__module__")?.extract()?;
        let root = match module.split('.').next().unwrap_or_default() {
            "jaxlib" => "jax.dlpack",
            root => root,
        };
        let tensor = Bound::new(py, self)?.into_any();
        match py.import(root)?.getattr_opt("from_dlpack")? {
            Some(take) => take.call1((tensor,)),
            None => Ok(tensor),
        }
    }

    fn managed<M: ManagedTensorBase>(&self) -> PyResult<Managed<M>> {
        let (shape, strides) = (self.shape.clone(), self.strides.clone());
        let made = Dynamic::new(&shape[..], &strides[..]).initialize_as::<M>(self.export.clone());
        let mut made = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let dtype = match self.kind {
            Kind::U8 => DLDataType::of::<u8>(),
            Kind::U16 => DLDataType::of::<u16>(),
            Kind::F32 | Kind::F64 => DLDataType::of::<f32>(),
        };
        let address = self.export.surface().address() + self.offset_bytes;
        made.set_data(address as *mut c_void).set_device(DlpackExporter::device(self)).set_dtype(dtype);
        // SAFETY: the plane lies within the surface, which the context, a clone of the export, keeps; shape and strides are
        // those of the plane, and stand in the tensor itself.
        Ok(unsafe { made.finish() })
    }
}

impl DlpackExporter for Tensor {
    fn device(&self) -> DLDevice {
        DLDevice { device_type: DLDeviceType::CUDA, device_id: self.export.surface().device() as i32 }
    }

    fn flags(&self) -> DlpackFlags {
        DlpackFlags::empty()
    }

    fn prepare_export(&self, _: Python<'_>, request: &ExportRequest<'_>) -> PyResult<()> {
        let stream = match request.cuda_stream()? {
            CudaStreamRequest::NoSync => return Ok(()),
            CudaStreamRequest::Omitted | CudaStreamRequest::LegacyDefault => DEFAULT_STREAM,
            CudaStreamRequest::PerThreadDefault => 2,
            CudaStreamRequest::Pointer(stream) => stream as u64,
        };
        // SAFETY: the protocol has the consumer name a live stream of its own, in which it uses the tensor.
        unsafe { self.export.lend(stream) }.map_err(raised)
    }

    fn export_legacy(&self, _: Python<'_>) -> PyResult<Managed<DLManagedTensor>> {
        self.managed()
    }

    fn export_versioned(&self, _: Python<'_>) -> PyResult<Managed<DLManagedTensorVersioned>> {
        self.managed()
    }
}

#[pymethods]
impl Tensor {
    /// Where it lies, as DLPack says it: (2, number of the GPU).
    fn __dlpack_device__(&self) -> (u32, i32) {
        DlpackExporter::device(self).into()
    }

    /// A capsule of DLPack's, ready for the consumer's stream.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(u32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        export_dlpack(self, py, ExportRequest::parse(stream, max_version, dl_device, copy)?)
    }

    /// (H, W), or (H, W, 1).
    #[getter]
    fn shape(&self) -> Vec<i64> {
        self.shape.clone()
    }

    /// NumPy's name of the type.
    #[getter]
    fn dtype(&self) -> &'static str {
        self.kind.name()
    }

    /// The number of the GPU.
    #[getter]
    fn device(&self) -> usize {
        self.export.surface().device()
    }

    fn __repr__(&self) -> String {
        format!("<warpreel.Tensor {} {:?} on GPU {}>", self.kind.name(), self.shape, self.device())
    }
}
