//! The table of filters as data.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use warpreel::filter::{FILTERS, Kind, Parameter, Preset, Spec};

/// All filters, each a dict: ``name``, ``group``, ``summary``, ``description``, ``example`` and ``parameters``.
///
/// A parameter is a dict too: ``name``, ``aliases``, ``values`` (what may be typed, in words), ``low`` and ``high`` (of
/// numbers, both included, else None), ``choices`` (words that may be typed, else None), ``unit``, ``default`` (as it would be typed, None
/// where it depends on the rest), ``default_text`` and ``help``.
///
/// >>> import warpreel
/// >>> gaussian = next(f for f in warpreel.filters() if f["name"] == "gaussian")
/// >>> gaussian["parameters"][0]["name"], gaussian["parameters"][0]["default"]
/// ('sigma', '1')
#[pyfunction]
pub fn filters(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    PyList::new(py, FILTERS.iter().map(|spec| filter(py, spec)).collect::<PyResult<Vec<_>>>()?)
}

fn filter<'py>(py: Python<'py>, spec: &Spec) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", spec.name)?;
    dict.set_item("group", spec.group.title())?;
    dict.set_item("summary", spec.summary)?;
    dict.set_item("description", spec.description)?;
    dict.set_item("example", spec.example)?;
    let parameters = spec.parameters().map(|parameter| self::parameter(py, parameter));
    dict.set_item("parameters", parameters.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

fn parameter<'py>(py: Python<'py>, parameter: &Parameter) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", parameter.name)?;
    dict.set_item("aliases", parameter.aliases)?;
    dict.set_item("values", parameter.kind.range())?;
    let (low, high) = match parameter.kind {
        Kind::Number(low, high) | Kind::Strength(low, high) => (Some(low), Some(high)),
        Kind::Count(low, high) => (Some(low as f64), Some(high as f64)),
        Kind::Switch => (Some(0.0), Some(1.0)),
        _ => (None, None),
    };
    dict.set_item("low", low)?;
    dict.set_item("high", high)?;
    let choices = match parameter.kind {
        Kind::Word(words) | Kind::Name(words) | Kind::Numbered(_, words) => Some(words),
        Kind::Strength(..) => Some(&["auto"][..]),
        _ => None,
    };
    dict.set_item("choices", choices)?;
    dict.set_item("unit", parameter.unit)?;
    let default = match parameter.preset {
        Preset::Is(value) => Some(value),
        Preset::Derived(_) => None,
    };
    dict.set_item("default", default)?;
    dict.set_item("default_text", parameter.preset_text())?;
    dict.set_item("help", parameter.help)?;
    Ok(dict)
}
