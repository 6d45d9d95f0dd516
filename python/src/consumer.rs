//! Whoever takes tensors on a GPU, and what keeps the streams in which that is done.
//!
//! DLPack names a stream by its handle alone, and says nothing of its life. A tensor that is let go of after its stream was
//! destroyed must not ask that stream anything. So the object that owns the stream is looked for where it is known to be:
//! the consumer's current stream. Where it is not found, the GPU comes to rest when the tensor is let go of.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An object that keeps a stream of a GPU alive, if one is known.
pub fn keeper(py: Python<'_>, stream: u64, device: usize) -> Option<Py<PyAny>> {
    let find = || -> PyResult<Option<Bound<'_, PyAny>>> {
        let modules = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
        for (name, known) in [("cupy", of_cupy as Find), ("torch", of_torch), ("jax", of_jax)] {
            let Some(module) = modules.get_item(name)? else { continue };
            // What another version of it answers otherwise is not known.
            if let Ok(Some(found)) = known(&module, stream, device) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    };
    find().ok().flatten().map(Bound::unbind)
}

type Find = for<'py> fn(&Bound<'py, PyAny>, u64, usize) -> PyResult<Option<Bound<'py, PyAny>>>;

/// A stream of CuPy's own is destroyed with its object.
fn of_cupy<'py>(cupy: &Bound<'py, PyAny>, stream: u64, _: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
    let cuda = cupy.getattr("cuda")?;
    let current = cuda.call_method0("get_current_stream")?;
    let is_own = current.get_type().is(&cuda.getattr("Stream")?);
    Ok((is_own && current.getattr("ptr")?.extract::<u64>()? == stream).then_some(current))
}

/// Streams of PyTorch's pool are never destroyed; one from elsewhere has its handle for a number.
fn of_torch<'py>(torch: &Bound<'py, PyAny>, stream: u64, device: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
    let cuda = torch.getattr("cuda")?;
    // Who has not begun yet has no stream, and is not to be begun by asking.
    if !cuda.call_method0("is_initialized")?.is_truthy()? {
        return Ok(None);
    }
    let current = cuda.call_method1("current_stream", (device,))?;
    let is_own = current.getattr("stream_id")?.extract::<i64>()? as u64 != stream;
    Ok((is_own && current.getattr("cuda_stream")?.extract::<u64>()? == stream).then_some(current))
}

/// A stream of JAX lives with its device, if it has begun.
fn of_jax<'py>(jax: &Bound<'py, PyAny>, stream: u64, device: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
    let begun = jax.py().import("jax._src.xla_bridge")?.call_method0("backends_are_initialized")?;
    if !begun.is_truthy()? {
        return Ok(None);
    }
    for found in jax.call_method1("devices", ("cuda",))?.try_iter()? {
        let found = found?;
        let is_it = found.getattr("local_hardware_id")?.extract::<usize>()? == device;
        if is_it && found.call_method0("get_stream_for_external_ready_events")?.extract::<u64>()? == stream {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
