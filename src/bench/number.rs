//! Figures and names as tables, sentences and pages print them.

/// A figure to three digits or more.
pub fn short(value: f64) -> String {
    match value {
        value if value >= 1000.0 => {
            let digits = format!("{value:.0}");
            let grouped = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
            grouped.collect::<Vec<_>>().join(",")
        }
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// A figure to three digits: what is known no better.
pub fn rounded(value: f64) -> String {
    let step = if value >= 1000.0 { 10f64.powf(value.log10().floor() - 2.0) } else { 1.0 };
    if value >= 1000.0 { short((value / step).round() * step) } else { short(value) }
}

/// Milliseconds to three digits or a tenth of a microsecond.
pub fn ms(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        value => format!("{value:.4}"),
    }
}

/// The name of a pass for a column: a kernel's taps can be hundreds.
pub fn clipped(name: &str) -> String {
    const LONGEST: usize = 36;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
