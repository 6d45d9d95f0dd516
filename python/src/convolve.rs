//! One kernel, in one call.

use std::sync::{Mutex, PoisonError};

use numpy::{AllowTypeChange, PyArrayLikeDyn, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::chain::Chain;
use super::setting::border_text;

/// The chains of the last kernels, so that a loop over pictures prepares its kernel once.
static RECENT: Mutex<Vec<(String, Py<Chain>)>> = Mutex::new(Vec::new());

/// As many are kept.
const KEPT: usize = 4;

/// Each sample becomes the sum of those around it times the kernel, which is laid over the picture as it is written
/// (correlation, as ``cv2.filter2D`` and ``scipy.ndimage.correlate`` do it).
///
/// :param image: (H, W) or (H, W, C), as for ``Chain``; with a kernel of three dimensions a clip, (T, H, W) or (T, H, W, C).
/// :param kernel: numbers of one dimension (across), two (rows of it), or three (t, y, x); its middle is at size // 2.
/// :param border: ``"reflect101"``, which is meant by None, ``"clamp"``, ``"reflect"``, ``"wrap"``, ``"zero"``, or a level from
///     0 to 1.
/// :param border_t: of a clip: ``"clamp"``, ``"reflect101"``, ``"zero"`` or ``"lopsided"``.
/// :param backend: as for ``Chain``.
/// :param scale: factor of the sum. Results are rounded and clamped to the type; floats are left as they are.
/// :param peak: white in floats, as for ``Chain``.
/// :param flip: turns the kernel about, which is the textbook's convolution.
/// :param out: an array that takes the result.
/// :returns: an array of the image's type and shape.
///
/// >>> import numpy as np, warpreel
/// >>> warpreel.convolve(np.array([[1, 2, 3, 4]], np.uint8), [[1, 0, 1]], backend="cpu")
/// array([[4, 4, 6, 6]], dtype=uint8)
#[pyfunction]
#[pyo3(signature = (image, kernel, border = None, backend = "auto", *, border_t = "clamp", scale = 1.0, flip = false,
    peak = 1.0, device = 0, threads = None, out = None))]
#[expect(clippy::too_many_arguments, reason = "they are the function's keywords")]
pub fn convolve<'py>(
    image: &Bound<'py, PyAny>,
    kernel: PyArrayLikeDyn<'py, f64, AllowTypeChange>,
    border: Option<&Bound<'py, PyAny>>,
    backend: &str,
    border_t: &str,
    scale: f64,
    flip: bool,
    peak: f64,
    device: usize,
    threads: Option<usize>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = image.py();
    let text = format!("kernel=kernel='{}':scale={scale}:flip={}", written(&kernel)?, u8::from(flip));
    let border = border.map_or_else(|| Ok("reflect101".to_owned()), border_text)?;
    let key = format!("{text} {border} {backend} {border_t} {peak} {device} {threads:?}");
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = recent.iter().find(|(known, _)| *known == key).map(|(_, chain)| chain.clone_ref(py));
    drop(recent);
    let chain = match found {
        Some(chain) => chain.into_bound(py),
        None => {
            let options = PyDict::new(py);
            options.set_item("border", border)?;
            options.set_item("backend", backend)?;
            options.set_item("border_t", border_t)?;
            options.set_item("peak", peak)?;
            options.set_item("device", device)?;
            options.set_item("threads", threads)?;
            options.set_item("planes", "all")?;
            let chain = py.get_type::<Chain>().call((text,), Some(&options))?.cast_into::<Chain>()?;
            recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
            recent.push((key, chain.clone().unbind()));
            let surplus = (recent.len() > KEPT).then(|| recent.remove(0));
            drop(recent);
            drop(surplus);
            chain
        }
    };
    let options = PyDict::new(py);
    options.set_item("out", out)?;
    let method = if kernel.ndim() == 3 { "clip" } else { "__call__" };
    chain.call_method(method, (image,), Some(&options))
}

/// A kernel as a chain has it.
fn written(kernel: &PyReadonlyArrayDyn<'_, f64>) -> PyResult<String> {
    let shape = kernel.shape();
    if !(1..=3).contains(&shape.len()) || kernel.is_empty() {
        let message = format!("expected a kernel of 1, 2 or 3 dimensions with a number at least, got {shape:?}");
        return Err(PyValueError::new_err(message));
    }
    let view = kernel.as_array();
    if let Some(wrong) = view.iter().find(|tap| !tap.is_finite()) {
        return Err(PyValueError::new_err(format!("expected a kernel of finite numbers, got {wrong}")));
    }
    let taps: Vec<String> = view.iter().map(f64::to_string).collect();
    let columns = shape[shape.len() - 1];
    let rows = if shape.len() == 1 { 1 } else { shape[shape.len() - 2] };
    let frame = |taps: &[String]| taps.chunks(columns).map(|row| row.join(" ")).collect::<Vec<_>>().join(";");
    Ok(taps.chunks(columns * rows).map(frame).collect::<Vec<_>>().join("|"))
}
