//! Times as they are typed: `90`, `1.5`, `1:30`, `00:01:30.250`.

use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// Parses seconds, minutes and seconds, or hours, minutes and seconds, the last with an optional fraction.
///
/// # Errors
/// If it is none of these; `option` is named in the message.
pub(super) fn parse(text: &str, option: &str) -> Result<Duration> {
    let wrong = || format!("{option} {text:?} is no time; type seconds (2.5) or HH:MM:SS (00:01:30.250)");
    let mut parts = text.rsplit(':');
    let seconds: f64 = parts.next().unwrap_or_default().parse().with_context(wrong)?;
    let mut total = seconds;
    let mut unit = 60.0;
    for part in parts {
        ensure!(unit <= 3600.0 && seconds < 60.0, wrong());
        total += unit * f64::from(part.parse::<u32>().with_context(wrong)?);
        unit *= 60.0;
    }
    ensure!(!text.starts_with('-') && total.is_finite(), wrong());
    Duration::try_from_secs_f64(total).with_context(wrong)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_usual_ways_to_write_a_time() {
        for (text, ms) in
            [("0", 0), ("2.5", 2500), ("1:30", 90_000), ("00:01:30.250", 90_250), ("100:00:00", 360_000_000)]
        {
            assert_eq!(parse(text, "--start").unwrap().as_millis(), ms, "{text}");
        }
        for text in ["", "x", "-1", "1:", ":5", "1:2:3:4", "1:75", "nan", "inf", "1e300", "-0:05"] {
            let error = format!("{:#}", parse(text, "--start").unwrap_err());
            assert!(error.contains("--start"), "{text}: {error}");
        }
    }
}
