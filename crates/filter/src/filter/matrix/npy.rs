//! Kernels as NumPy files, of any numeric type and byte order, in C or Fortran order.

use npyz::{DType, NpyFile, Order, TypeChar};

use super::super::stencil::Matrix;
use super::taps::{check_size, shaped};

/// Reads a kernel: x; y, x; or t, y, x.
///
/// # Errors
/// A file that is damaged, cut short, or not of numbers.
pub(super) fn read(bytes: &[u8]) -> Result<Matrix, String> {
    let damaged = |err: std::io::Error| format!("is not a NumPy file: {err}");
    check_header(bytes)?;
    let file = NpyFile::new(bytes).map_err(damaged)?;
    let too_large = || check_size(usize::MAX).map_or_else(|problem| problem, |()| String::new());
    let shape: Vec<usize> =
        file.shape().iter().map(|&n| usize::try_from(n)).collect::<Result<_, _>>().map_err(|_| too_large())?;
    let count = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n)).ok_or_else(too_large)?;
    check_size(count)?;
    let order = file.order();
    let dtype = file.dtype();
    let DType::Plain(kind) = &dtype else { return Err(refusal(&dtype)) };
    let weights = match (kind.type_char(), kind.size_field()) {
        (TypeChar::Bool, _) => numbers::<bool>(file, |v| f64::from(u8::from(v))),
        (TypeChar::Int, 1) => numbers::<i8>(file, f64::from),
        (TypeChar::Int, 2) => numbers::<i16>(file, f64::from),
        (TypeChar::Int, 4) => numbers::<i32>(file, f64::from),
        (TypeChar::Int, 8) => numbers::<i64>(file, |v| v as f64),
        (TypeChar::Uint, 1) => numbers::<u8>(file, f64::from),
        (TypeChar::Uint, 2) => numbers::<u16>(file, f64::from),
        (TypeChar::Uint, 4) => numbers::<u32>(file, f64::from),
        (TypeChar::Uint, 8) => numbers::<u64>(file, |v| v as f64),
        (TypeChar::Float, 2) => numbers::<npyz::half::f16>(file, f64::from),
        (TypeChar::Float, 4) => numbers::<f32>(file, f64::from),
        (TypeChar::Float, 8) => numbers::<f64>(file, |v| v),
        _ => return Err(refusal(&dtype)),
    }
    .map_err(damaged)?;
    shaped(&shape, if order == Order::Fortran { reordered(&shape, &weights) } else { weights })
}

/// Refuses headers that no file of plain numbers has, before they are parsed: that takes exponential time in the depth of
/// brackets.
fn check_header(bytes: &[u8]) -> Result<(), String> {
    /// NumPy's own bound.
    const MAX_BYTES: usize = 10_000;
    /// The braces of the header, the brackets and parentheses of a structure's fields, those of a field's shape.
    const MAX_DEPTH: usize = 4;
    /// Of brackets and signs: each may be tried in several ways.
    const MAX_MARKS: usize = 256;

    let damaged = |problem: &str| Err(format!("is not a NumPy file: {problem}"));
    let (length, start) = match *bytes {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), 10),
        [0x93, b'N', b'U', b'M', b'P', b'Y', _, _, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, 12),
        // What does not begin as one is not parsed.
        _ => return Ok(()),
    };
    if length > MAX_BYTES {
        return damaged(&format!("its header has {length} bytes, where {MAX_BYTES} are the most"));
    }
    let header = bytes.get(start..).unwrap_or_default();
    let (mut depth, mut marks) = (0usize, 0);
    for byte in &header[..length.min(header.len())] {
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            b'+' | b'-' => {}
            _ => continue,
        }
        marks += 1;
        if depth > MAX_DEPTH || marks > MAX_MARKS {
            return damaged("its header nests too deep");
        }
    }
    Ok(())
}

fn refusal(dtype: &DType) -> String {
    format!("is a NumPy file of {}, where a kernel has integers or floats of 16 to 64 bits", dtype.descr())
}

fn numbers<T: npyz::Deserialize>(file: NpyFile<&[u8]>, convert: impl Fn(T) -> f64) -> std::io::Result<Vec<f64>> {
    Ok(file.into_vec::<T>()?.into_iter().map(convert).collect())
}

/// Weights whose first index runs fastest, with the last one running fastest.
fn reordered(shape: &[usize], weights: &[f64]) -> Vec<f64> {
    let mut index = vec![0; shape.len()];
    let mut result = Vec::with_capacity(weights.len());
    for _ in weights {
        let place = shape.iter().zip(&index).rev().fold(0, |place, (n, i)| place * n + i);
        result.push(weights[place]);
        for (i, n) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
    result
}
