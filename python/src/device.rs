//! Arrays on a GPU through a chain, and back as arrays of the library that they came from.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PyTuple};

use super::array::shape_text;
use super::chain::Chain;
use super::error::raised;
use super::foreign::Foreign;
use super::tensor::Tensor;

/// Filters a picture or a clip where it lies, into an array of its library. What has time or colours is put together by that
/// library, on the GPU.
///
/// # Errors
/// If the chain does not fit, `out` is of another type or shape, or what the library raises.
pub fn filtered<'py>(
    chain: &Chain,
    object: &Bound<'py, PyAny>,
    foreign: &Foreign,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    foreign.check_peak(chain.peak())?;
    let format = foreign.format(chain.depth());
    let shape = foreign.shape_at(chain.size(&format)?);
    out.map_or(Ok(()), |out| fits(out, object, &shape))?;
    let result = if foreign.frames() == 0 {
        if !object.getattr("shape")?.eq(PyTuple::new(py, &shape)?)? {
            let expected = "expected a frame at least, as the chain changes the size, got none";
            return Err(PyValueError::new_err(expected));
        }
        object.clone()
    } else {
        let frames = py.detach(|| {
            let mut stage = chain.stage_on_device(&format, foreign.device)?;
            let frames = stage.filtered(foreign).map_err(raised)?;
            chain.give_back_on_device(stage, foreign.device);
            PyResult::Ok(frames)
        })?;
        let mut frames = frames.into_iter().map(|planes| array(planes, object)).collect::<PyResult<Vec<_>>>()?;
        match frames.pop() {
            Some(frame) if !foreign.is_clip() => frame,
            last => stacked(frames.into_iter().chain(last).collect(), 0, object)?,
        }
    };
    let Some(out) = out else { return Ok(result) };
    out.set_item(PyEllipsis::get(py), result)?;
    Ok(out.clone())
}

/// Whether an array takes what becomes of another, which has that shape.
fn fits(out: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<()> {
    let got: Vec<usize> = out.getattr("shape")?.extract()?;
    if got != shape {
        let (expected, got) = (shape_text(shape), shape_text(&got));
        return Err(PyValueError::new_err(format!("expected out to be an array of {expected}, got {got}")));
    }
    for name in ["dtype", "device"] {
        let both = object.getattr_opt(name)?.zip(out.getattr_opt(name)?);
        if !both.map_or(Ok(false), |(expected, got)| expected.eq(got))? {
            let message = format!("expected out to be an array like the one that goes in: its {name} is another");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(())
}

/// One frame as an array of the library of `like`, on whose present stream it is ready: (H, W), (H, W, 1) or, of several
/// planes, (H, W, C). The tensor itself where that library has no `from_dlpack`.
///
/// # Errors
/// What the library raises; `TypeError` where it cannot put planes together.
pub fn array<'py>(planes: Vec<Tensor>, like: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let mut planes = planes.into_iter().map(|plane| one(plane, like)).collect::<PyResult<Vec<_>>>()?;
    match planes.pop() {
        Some(plane) if planes.is_empty() => Ok(plane),
        last => stacked(planes.into_iter().chain(last).collect(), -1, like),
    }
}

fn one<'py>(tensor: Tensor, like: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = like.py();
    let root = root(like)?;
    if root == "jaxlib" {
        // It takes rows without anything between.
        let width = tensor.width();
        let padded = py.import("jax.dlpack")?.getattr("from_dlpack")?.call1((Bound::new(py, tensor.padded())?,))?;
        let columns = pyo3::types::PySlice::new(py, 0, width, 1);
        return padded.get_item((pyo3::types::PySlice::full(py), columns));
    }
    let tensor = Bound::new(py, tensor)?.into_any();
    match py.import(root.as_str())?.getattr_opt("from_dlpack")? {
        Some(take) => take.call1((tensor,)),
        None => Ok(tensor),
    }
}

/// Arrays along a new axis.
fn stacked<'py>(arrays: Vec<Bound<'py, PyAny>>, axis: i32, like: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let root = root(like)?;
    let module = like.py().import(if root == "jaxlib" { "jax.numpy" } else { root.as_str() })?;
    let stack = module.getattr_opt("stack")?.filter(|_| arrays.iter().all(|array| !array.is_instance_of::<Tensor>()));
    let stack = stack.ok_or_else(|| {
        let got = like.get_type();
        PyTypeError::new_err(format!("expected an array of CuPy, PyTorch or JAX for clips and colours, got {got}"))
    })?;
    stack.call1((arrays, axis))
}

/// The library that an array is of.
fn root(like: &Bound<'_, PyAny>) -> PyResult<String> {
    let module: String = like.get_type().getattr("__module__")?.extract()?;
    Ok(module.split('.').next().unwrap_or_default().to_owned())
}
