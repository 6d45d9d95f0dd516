//! Numbers as they are typed.

/// A finite number, or a fraction of two: `0.25`, `1e-3`, `1/9`.
pub(super) fn number(text: &str) -> Result<f64, String> {
    let parse = |part: &str| part.trim().parse::<f64>().map_err(|_| "is not a number".to_owned());
    let value = match text.split_once('/') {
        Some((above, below)) => parse(above)? / parse(below)?,
        None => parse(text)?,
    };
    if value.is_finite() { Ok(value) } else { Err("is not a finite number".to_owned()) }
}
