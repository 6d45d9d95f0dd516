//! Results and decoded frames on a GPU, given on where they lie. `unsafe` stands here, in `foreign` and in `memory`.
//!
//! What goes out is ready for the stream that its consumer names, and used again once that stream has done what was queued
//! when the consumer let go.

use std::ffi::c_void;
use std::sync::Arc;

use anyhow::{Context, Result};
use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic;
use dlpark::python::{CudaStreamRequest, DlpackExporter, ExportRequest, export_dlpack};
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use warpreel::backend::cuda::{Export, StreamKeeper};
use warpreel::frame::{Frame, Sample};

use super::consumer;
use super::error::raised;
use super::foreign::DEFAULT_STREAM;
use super::memory::Kind;

/// A picture on a GPU, filtered or a plane of a video's frame, which ``from_dlpack`` of CuPy, PyTorch, JAX and others
/// takes without a copy. It is only read: a copy may be written.
#[pyclass(frozen, module = "warpreel")]
pub struct Tensor {
    export: Arc<Export>,
    offset_bytes: u64,
    kind: Kind,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

impl Tensor {
    /// A plane of a result of a stage, as (H, W) or (H, W, 1).
    ///
    /// # Errors
    /// If there is no such plane.
    pub fn of(export: Arc<Export>, frame: &Frame, plane: usize, shape: Vec<i64>) -> Result<Self> {
        let plane = frame.layout().planes.get(plane).context("a frame has the planes of its format")?;
        let kind = match frame.format().pixel.sample {
            Sample::U8 => Kind::U8,
            Sample::U16 => Kind::U16,
            Sample::F32 => Kind::F32,
        };
        let strides = [plane.stride as i64, 1, 1][..shape.len()].to_vec();
        Ok(Self { export, offset_bytes: plane.offset_bytes as u64, kind, shape, strides })
    }

    /// Columns.
    pub fn width(&self) -> isize {
        self.shape[1] as isize
    }

    /// The same with what lies between its rows, for those that only take rows without anything between.
    pub fn padded(mut self) -> Self {
        self.shape[1] = self.strides[0];
        self
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

    fn prepare_export(&self, py: Python<'_>, request: &ExportRequest<'_>) -> PyResult<()> {
        let stream = match request.cuda_stream()? {
            // Its reader waits by itself, in streams that are not named.
            CudaStreamRequest::NoSync => {
                self.export.lend_unordered();
                return Ok(());
            }
            CudaStreamRequest::Omitted | CudaStreamRequest::LegacyDefault => DEFAULT_STREAM,
            CudaStreamRequest::PerThreadDefault => 2,
            CudaStreamRequest::Pointer(stream) => stream as u64,
        };
        let keeper = consumer::keeper(py, stream, self.export.surface().device());
        let keeper = keeper.map(|keeper| Box::new(keeper) as StreamKeeper);
        // SAFETY: the protocol has the consumer name a live stream of its own, in which it uses the tensor; a keeper holds
        // what owns the stream.
        unsafe { self.export.lend(stream, keeper) }.map_err(raised)
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
