//! Settings of a chain, from what Python gives.

use std::sync::Arc;

use numpy::{PyArrayDescrMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use warpreel::filter::Mask;
use warpreel::job::{Choice, FieldChoice};

use super::array::shape_text;
use super::guest;

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
///
/// # Errors
/// `ValueError` for other names.
pub fn field_choice(name: &str) -> PyResult<FieldChoice> {
    match name {
        "auto" => Ok(FieldChoice::Auto),
        "frame" => Ok(FieldChoice::Frame),
        "separate" => Ok(FieldChoice::Separate),
        _ => Err(PyValueError::new_err(format!("expected fields to be auto, frame or separate, got {name:?}"))),
    }
}

/// A border as it is typed: a name, or a number for a level.
///
/// # Errors
/// `TypeError` for anything else.
pub fn border_text(border: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(name) = border.extract::<String>() {
        return Ok(name);
    }
    let wrong = || {
        let got = border.get_type();
        PyTypeError::new_err(format!(
            "expected border to be a name such as \"clamp\", or a level from 0 to 1, got {got}"
        ))
    };
    if border.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    border.extract::<f64>().map(|level| level.to_string()).map_err(|_| wrong())
}

/// A mask from an array of (H, W): of whole numbers over their range, of floats from 0 to 1, or of truth values.
///
/// # Errors
/// `TypeError` and `ValueError` for anything else.
pub fn mask_of(object: &Bound<'_, PyAny>) -> PyResult<Arc<Mask>> {
    let numpy = object.py().import("numpy")?;
    let Some(array) = guest::array(object)? else {
        let got = object.get_type();
        return Err(PyTypeError::new_err(format!("expected mask to be an array of (H, W), got {got}")));
    };
    let shape = array.shape().to_vec();
    let &[height, width] = shape.as_slice() else {
        let message = format!("expected mask to be an array of (H, W), got {}", shape_text(&shape));
        return Err(PyValueError::new_err(message));
    };
    let kind: String = array.dtype().getattr("kind")?.extract()?;
    let bits = 8 * array.dtype().itemsize();
    let levels = match (kind.as_str(), bits) {
        ("b", _) => array.call_method1("astype", ("uint16",))?.mul(u16::MAX)?,
        ("u", 8) => array.call_method1("astype", ("uint16",))?.mul(257)?,
        ("u", 16) => array.into_any(),
        ("f", _) => {
            let is_level =
                numpy.call_method1("min", (&array,))?.ge(0)? && numpy.call_method1("max", (&array,))?.le(1)?;
            if !is_level {
                return Err(PyValueError::new_err("expected a mask of floats to have values from 0 to 1"));
            }
            numpy.call_method1("rint", (array.mul(f64::from(u16::MAX))?,))?
        }
        _ => {
            let got = array.dtype();
            let message = format!("expected mask to be of bool, uint8, uint16 or floats from 0 to 1, got {got}");
            return Err(PyTypeError::new_err(message));
        }
    };
    let bytes: Vec<u8> = levels.call_method1("astype", ("<u2",))?.call_method0("tobytes")?.extract()?;
    let levels = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Ok(Arc::new(Mask { path: "mask".to_owned(), width, height, levels }))
}
