//! Arrays on a GPU that somebody else owns, taken where they lie. `unsafe` stands here, in `tensor` and in `memory`.
//!
//! What comes in is ready for CUDA's legacy default stream, as its owner is told, and read on the GPU by a stream of the
//! stage that waits for it. Planes that lie by themselves are copied or read in place, those that share their rows set
//! apart.

use std::sync::Arc;

use anyhow::Result;
use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType};
use dlpark::python::{DlpackStream, ImportRequest, ImportedDlpack, StreamArg};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use warpreel::backend::Cuda;
use warpreel::frame::{Format, Frame, Layout, PlaneLayout, Ready, Surface, Timing};

use super::array::{Form, channel, format, resized, shape_text};
use super::memory::Kind;

/// CUDA's legacy default stream.
pub const DEFAULT_STREAM: u64 = 1;

/// A picture or a clip on a GPU that somebody else owns.
pub struct Foreign {
    surface: Arc<dyn Surface>,
    kind: Kind,
    /// As it came.
    shape: Vec<usize>,
    /// Of each axis, in elements.
    strides: Vec<usize>,
    /// The axis of rows.
    down: usize,
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

/// Where memory begins, and when it may be read.
struct Memory {
    address: u64,
    device: usize,
    ready: Ready,
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

// SAFETY: the owner keeps the memory; that nobody writes it before the stage has copied it is what callers are told, and
// holds for whoever takes the result before. The default stream is always there, and a stream that the owner published lives
// as long as its array.
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

/// Lets what is queued in CUDA's default stream from now on wait until the frames that a stage was given have been read. Does
/// not block.
///
/// # Errors
/// If the driver refuses.
pub fn release(stage: &Cuda) -> Result<()> {
    // SAFETY: CUDA's legacy default stream is always there.
    unsafe { stage.read_before(DEFAULT_STREAM) }
}

impl Foreign {
    /// An object with `__dlpack__` or `__cuda_array_interface__`; `None` where it does not lie on a GPU. The latter does not
    /// say on which: then it is GPU `device`.
    ///
    /// # Errors
    /// `TypeError` and `ValueError`, with what was expected and what came.
    pub fn of(object: &Bound<'_, PyAny>, device: usize, form: Form) -> PyResult<Option<Self>> {
        if object.hasattr("__dlpack_device__")? {
            let request = ImportRequest::new(object.as_borrowed())?;
            let device = request.device()?;
            if device.device_type != DLDeviceType::CUDA {
                return Ok(None);
            }
            let tensor = request.import(Some(&DefaultStream), None)?;
            return Self::of_tensor(tensor, device, form).map(Some);
        }
        match object.getattr_opt("__cuda_array_interface__")? {
            Some(interface) => {
                let interface = interface.cast_into::<PyDict>()?;
                Self::of_interface(object, &interface, device, form).map(Some)
            }
            None => Ok(None),
        }
    }

    fn of_tensor(tensor: ImportedDlpack, device: DLDevice, form: Form) -> PyResult<Self> {
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
        let memory = Memory { address, device, ready: Ready::Stream(DEFAULT_STREAM) };
        Self::placed(memory, &shape, &strides, kind, form, Owner::Tensor { _tensor: tensor })
    }

    /// Version 3 names a stream; before it nothing is said, and the default stream is waited for.
    fn of_interface(
        object: &Bound<'_, PyAny>,
        interface: &Bound<'_, PyDict>,
        device: usize,
        form: Form,
    ) -> PyResult<Self> {
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
        let strides: Vec<i64> = strides.into_iter().map(|stride| stride / bytes).collect();
        let stream = interface.get_item("stream")?.filter(|stream| !stream.is_none());
        let stream = stream.map_or(Ok(DEFAULT_STREAM), |stream| stream.extract::<u64>())?;
        let owner = Owner::Object { _object: object.clone().unbind() };
        Self::placed(Memory { address, device, ready: Ready::Stream(stream) }, &shape, &strides, kind, form, owner)
    }

    const KINDS: &str = "expected an array of uint8, uint16 or float32 on a GPU";

    /// Pictures in memory of somebody's; strides count elements.
    fn placed(memory: Memory, shape: &[i64], strides: &[i64], kind: Kind, form: Form, owner: Owner) -> PyResult<Self> {
        let whole = |numbers: &[i64]| numbers.iter().map(|&number| usize::try_from(number).ok()).collect();
        let wrong = || PyValueError::new_err("expected an array on a GPU with axes that run forwards");
        let (shape, strides): (Option<Vec<usize>>, Option<Vec<usize>>) = (whole(shape), whole(strides));
        let (shape, strides) = shape.zip(strides).filter(|(a, b)| a.len() == b.len()).ok_or_else(wrong)?;
        let down = form.checked(&shape)?;
        let (height, width) = (shape[down], shape[down + 1]);
        let step = if width == 1 { 1 } else { strides[down + 1] };
        let is_empty = shape[..down].contains(&0);
        if !is_empty && (step == 0 || (height > 1 && strides[down] < (width - 1) * step + 1)) {
            let got = shape_text(&shape);
            let message = format!("expected rows one after the other on a GPU, as contiguous() makes them, got {got}");
            return Err(PyValueError::new_err(message));
        }
        let axes = shape.iter().zip(&strides);
        let last = axes.map(|(&size, &stride)| size.saturating_sub(1).saturating_mul(stride));
        let elements = last.fold(1, usize::saturating_add);
        let Memory { address, device, ready } = memory;
        let bytes = elements.saturating_mul(kind.bytes());
        let surface = Arc::new(Lent { address, bytes, device, ready, _owner: owner });
        Ok(Self { surface, kind, shape, strides, down, device })
    }

    /// What its frames are; `depth` is the bits in use of `uint16`.
    pub fn format(&self, depth: u8) -> Format {
        format(self.kind, depth, self.channels(), self.shape[self.down + 1], self.shape[self.down])
    }

    /// Refuses floats of another range than 0 to 1.
    ///
    /// # Errors
    /// `ValueError` with what to do.
    pub fn check_peak(&self, peak: f64) -> PyResult<()> {
        if self.kind == Kind::F32 && peak != 1.0 {
            let message = format!("peak={peak} is for arrays on the host; divide the one on the GPU by {peak}");
            return Err(PyValueError::new_err(message));
        }
        Ok(())
    }

    /// Whether frames of another are of the same type, shape and GPU.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.frame_shape(), self.device) == (other.kind, other.frame_shape(), other.device)
    }

    /// (H, W) or (H, W, C).
    pub fn frame_shape(&self) -> &[usize] {
        &self.shape[self.down..]
    }

    /// The shape with frames of another width and height.
    pub fn shape_at(&self, size: (usize, usize)) -> Vec<usize> {
        resized(&self.shape, self.down, size)
    }

    /// Whether the first axis is time.
    pub fn is_clip(&self) -> bool {
        self.down > 0
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.shape[..self.down].first().copied().unwrap_or(1)
    }

    fn channels(&self) -> usize {
        self.shape.get(self.down + 2).copied().unwrap_or(1)
    }

    /// Frame `t`, where it lies.
    ///
    /// # Errors
    /// If it is not aligned, or its memory does not fit into this machine's addresses.
    pub fn frame(&self, t: usize, format: &Arc<Format>, timing: Timing) -> Result<Frame> {
        let (down, bytes) = (self.down, self.kind.bytes());
        let (height, width) = (self.shape[down], self.shape[down + 1]);
        let step = if width == 1 { 1 } else { self.strides[down + 1] };
        let stride = if height == 1 { width * step } else { self.strides[down] };
        let time = if down == 0 { 0 } else { t * self.strides[0] };
        let across = self.strides.get(down + 2).copied().unwrap_or(0);
        let plane = |plane| {
            let start = time + across * channel(self.channels(), plane);
            PlaneLayout { step, ..PlaneLayout::new(start * bytes, stride, (width, height)) }
        };
        let layout = Layout::new((0..self.channels()).map(plane).collect());
        Frame::on_device(format.clone(), timing, layout, self.surface.clone())
    }
}
