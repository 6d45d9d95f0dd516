//! Kernels as files have them: their shape, and how many taps.

use super::super::stencil::Matrix;

/// Kernels as they were found, and what a file may say besides.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedKernels {
    /// At least one, anchored in the middle unless the file says otherwise.
    pub kernels: Vec<Matrix>,
    /// Factor of the sum, where the file names one.
    pub scale: Option<f64>,
}

/// A kernel whose shape has been read: t, y, x, outermost first; a flat one has fewer.
pub(super) fn shaped(shape: &[usize], weights: Vec<f64>) -> Result<Matrix, String> {
    let size = match *shape {
        [x] => [1, 1, x],
        [y, x] => [1, y, x],
        [t, y, x] => [t, y, x],
        _ => return Err(format!("has {} dimensions, where a kernel has 1, 2 or 3", shape.len())),
    };
    if weights.is_empty() {
        return Err("holds no numbers".to_owned());
    }
    if weights.iter().any(|weight| !(*weight as f32).is_finite()) {
        return Err("holds a number that is too large or not finite".to_owned());
    }
    Ok(Matrix::centred(size, weights))
}

/// Refuses more taps than a kernel may have, before they are stored.
pub(super) fn check_size(count: usize) -> Result<(), String> {
    if count <= Matrix::MAX_TAPS {
        return Ok(());
    }
    Err(format!("has {count} taps or more, where a kernel has at most {}", Matrix::MAX_TAPS))
}
