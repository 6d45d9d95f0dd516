//! Arrays on the host that other libraries own: PyTorch, JAX, and whatever has `__dlpack__` or `__array__`.

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The same samples as an array of NumPy, which shares their memory where the library lends it; `None` for what is nothing
/// like an array.
///
/// # Errors
/// What the library raises: a tensor that requires a gradient is to be detached first.
pub fn array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(Some(array.clone()));
    }
    let numpy = object.py().import("numpy")?;
    let is_array = || Ok::<_, PyErr>(object.hasattr("__array__")? || object.hasattr("__array_interface__")?);
    let array = if object.hasattr("__dlpack__")? {
        match numpy.call_method1("from_dlpack", (object,)) {
            Ok(array) => array,
            // Older protocols have no word for what may only be read.
            Err(error) if !is_array()? => return Err(error),
            Err(error) => match numpy.call_method1("asarray", (object,)) {
                Ok(array) => array,
                Err(_) => return Err(error),
            },
        }
    } else if is_array()? {
        numpy.call_method1("asarray", (object,))?
    } else {
        return Ok(None);
    };
    Ok(Some(array.cast_into()?))
}

/// The same for an array that takes a result.
///
/// # Errors
/// As [`array`].
pub fn writable<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    let Some(array) = array(object)? else { return Ok(None) };
    let is_writable = array.getattr("flags")?.getattr("writeable")?.is_truthy()?;
    // DLPack without versions lends only to be read; PyTorch lends to NumPy itself.
    match object.getattr_opt("numpy")? {
        Some(lend) if !is_writable && array.ndim() > 0 => Ok(Some(lend.call0()?.cast_into()?)),
        _ => Ok(Some(array)),
    }
}

/// An array of NumPy as one of the library of `like`, which shares its memory; itself where that library takes none.
///
/// # Errors
/// What the library raises.
pub fn like<'py>(array: Bound<'py, PyAny>, like: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if like.is_instance_of::<PyUntypedArray>() || !like.hasattr("__dlpack__")? {
        return Ok(array);
    }
    let module: String = like.get_type().getattr("__module__")?.extract()?;
    let root = module.split('.').next().unwrap_or_default();
    let library = array.py().import(if root == "jaxlib" { "jax.numpy" } else { root })?;
    match library.getattr_opt("from_dlpack")? {
        Some(take) => take.call1((array,)),
        None => Ok(array),
    }
}
