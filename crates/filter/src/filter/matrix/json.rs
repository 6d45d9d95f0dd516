//! Kernels as JSON: an array of numbers, of rows, or of frames of rows; or an object with such an array as `kernel`
//! and, if wanted, `scale` and `anchor` (x, y, t, counted from 0).

use serde::Deserialize;

use super::super::stencil::Matrix;
use super::taps::{ParsedKernels, check_size, shaped};

#[derive(Deserialize)]
#[serde(untagged)]
enum Document {
    Bare(Array),
    KernelObject(KernelObject),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KernelObject {
    kernel: Array,
    scale: Option<f64>,
    anchor: Option<Vec<usize>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Array {
    Row(Vec<f64>),
    Rows(Vec<Vec<f64>>),
    Frames(Vec<Vec<Vec<f64>>>),
}

/// Reads a kernel.
///
/// # Errors
/// Text that is no JSON or none of these forms, rows or frames of different sizes, an anchor outside the kernel.
pub(super) fn read(text: &str) -> Result<ParsedKernels, String> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|err| format!("is not JSON: {err}"))?;
    let document = Document::deserialize(value).map_err(|_| {
        "is neither an array of 1, 2 or 3 dimensions nor an object of kernel, scale and anchor".to_owned()
    })?;
    let (array, scale, anchor) = match document {
        Document::Bare(array) => (array, None, None),
        Document::KernelObject(named) => (named.kernel, named.scale, named.anchor),
    };
    let mut matrix = match array {
        Array::Row(row) => shaped(&[row.len()], row)?,
        Array::Rows(rows) => from_frames(vec![rows])?,
        Array::Frames(frames) => from_frames(frames)?,
    };
    for (axis, place) in anchor.unwrap_or_default().into_iter().enumerate() {
        let size = axis.checked_sub(3).map_or_else(|| matrix.size[2 - axis], |_| 0);
        if place >= size {
            return Err(format!("has its anchor at {place}, outside the {size} taps of axis {}", axis + 1));
        }
        matrix.anchor[2 - axis] = place;
    }
    Ok(ParsedKernels { kernels: vec![matrix], scale })
}

fn from_frames(frames: Vec<Vec<Vec<f64>>>) -> Result<Matrix, String> {
    let rows = frames.first().map_or(0, Vec::len);
    let columns = frames.first().and_then(|frame| frame.first()).map_or(0, Vec::len);
    let even = frames.iter().all(|frame| frame.len() == rows && frame.iter().all(|row| row.len() == columns));
    if !even {
        return Err("has rows or frames of different sizes".to_owned());
    }
    let shape = [frames.len(), rows, columns];
    let weights: Vec<f64> = frames.into_iter().flatten().flatten().collect();
    check_size(weights.len())?;
    shaped(&shape, weights)
}
