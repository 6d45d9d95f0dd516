//! Times as they are typed: `90`, `1.5`, `500ms`, `1:30`, `00:01:30.250`.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::source::CutPoint;

/// Thirty years: in whatever unit a clip counts its time, 64 bits hold that and more.
const LIMIT_S: f64 = 1e9;

/// Units behind a single number in seconds; the longer ones first.
const UNITS: [(&str, f64); 3] = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0)];

/// Parses a time, or `#250`, the frame of that number.
///
/// # Errors
/// If it is neither; `option` is named in the message.
pub(super) fn parse_point(text: &str, option: &str) -> Result<CutPoint> {
    let Some(number) = text.strip_prefix('#') else {
        // As editors have it, and a timecode with frames behind its seconds.
        let frame = text.strip_suffix('f').or_else(|| text.strip_suffix("frames")).map(str::trim_end);
        if let Some(number) = frame.filter(|number| number.parse::<u64>().is_ok()) {
            bail!("{option} {text:?} is not a time; type {option}=#{number} for a frame");
        }
        let clock =
            text.rsplit_once([':', ';']).map(|(clock, _)| clock).filter(|clock| clock.matches(':').count() == 2);
        if let Some(clock) = clock.filter(|clock| parse(clock, option).is_ok()) {
            bail!(
                "{option} {text:?} is a timecode; type {option} {clock}.5 with a fraction of a second, or the frame's number: {option}=#250"
            );
        }
        return parse(text, option).map(CutPoint::Time);
    };
    let is_plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.parse().ok().filter(|_| is_plain);
    number
        .map(CutPoint::Frame)
        .with_context(|| format!("{option} {text:?} is not a frame; type its number, as in {option}=#250"))
}

/// Parses seconds, minutes and seconds, or hours, minutes and seconds, the last with an optional fraction. The first
/// part may be as large as it likes; signs and exponents are no part of a time. A single number may have FFmpeg's units behind
/// it: `s`, `ms`, `us`.
///
/// # Errors
/// If it is none of these, or thirty years or more; `option` is named in the message.
pub(super) fn parse(text: &str, option: &str) -> Result<Duration> {
    let wrong = || match spelt(text) {
        Some(clock) => format!("{option} {text:?} is not a time; type {option} {clock}"),
        None => format!("{option} {text:?} is not a time; type seconds (2.5) or HH:MM:SS (00:01:30.250)"),
    };
    let is_plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let has_unit = |unit: &&(&str, f64)| !text.contains(':') && text.ends_with(unit.0);
    let (unit, scale) = UNITS.iter().find(has_unit).copied().unwrap_or(("", 1.0));
    let parts: Vec<&str> = text[..text.len() - unit.len()].split(':').collect();
    ensure!(parts.len() <= 3, wrong());
    let mut total = 0.0;
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let (whole, fraction) = part.split_once('.').filter(|_| is_last).unwrap_or((part, ""));
        ensure!(is_plain(whole) && is_plain(fraction), wrong());
        let value: f64 = part.parse().ok().with_context(wrong)?;
        ensure!(index == 0 || value < 60.0, wrong());
        total = 60.0 * total + value;
    }
    total *= scale;
    ensure!(total < LIMIT_S, wrong());
    Duration::try_from_secs_f64(total).ok().with_context(wrong)
}

/// Hours, minutes and seconds with their units behind them, `1h2m3s` or `5min`, as they are typed here.
fn spelt(text: &str) -> Option<String> {
    const SECONDS: [(&str, u32); 10] = [
        ("hours", 3600),
        ("hour", 3600),
        ("h", 3600),
        ("minutes", 60),
        ("minute", 60),
        ("min", 60),
        ("m", 60),
        ("seconds", 1),
        ("sec", 1),
        ("s", 1),
    ];
    let (mut rest, mut total) = (text.trim(), 0u32);
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).filter(|end| (1..=4).contains(end))?;
        let (number, behind) = (rest[..end].parse::<u32>().ok()?, rest[end..].trim_start());
        let (unit, seconds) = SECONDS.iter().find(|(unit, _)| {
            let tail = behind.strip_prefix(unit);
            tail.is_some_and(|tail| !tail.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        })?;
        total += number * seconds;
        rest = behind[unit.len()..].trim_start();
    }
    (total > 0).then(|| format!("{:02}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60))
}

#[cfg(test)]
mod tests {
    use super::{parse, spelt};

    #[test]
    fn units_are_read_for_advice() {
        for (text, clock) in [
            ("1m", "00:01:00"),
            ("5min", "00:05:00"),
            ("1h2m3s", "01:02:03"),
            ("90 minutes", "01:30:00"),
            ("2 hours", "02:00:00"),
            ("10sec", "00:00:10"),
        ] {
            assert_eq!(spelt(text).as_deref(), Some(clock), "{text}");
            let error = format!("{:#}", parse(text, "--start").expect_err(text));
            assert_eq!(error, format!("--start {text:?} is not a time; type --start {clock}"));
        }
        for text in ["", "5x", "m", "99999h", "1mm", "-5m", "1.5h", "f10", "0m"] {
            assert_eq!(spelt(text), None, "{text}");
        }
    }

    #[test]
    fn the_usual_ways_to_write_a_time() {
        for (text, ms) in [
            ("0", 0),
            ("2.5", 2500),
            ("5.", 5000),
            (".5", 500),
            ("2s", 2000),
            ("2.5s", 2500),
            ("500ms", 500),
            ("1500.5ms", 1500),
            ("40000us", 40),
            ("1:30", 90_000),
            ("90:00", 5_400_000),
            ("00:01:30.250", 90_250),
            ("100:00:00", 360_000_000),
        ] {
            assert_eq!(parse(text, "--start").expect(text).as_millis(), ms, "{text}");
        }
    }

    #[test]
    fn nonsense_is_no_time() {
        let signs = ["-1", "+1", "-0:05", "1:-58", "1:-0.5", "1:+5", "+1:05", "-1:-5", "1:-0"];
        let parts =
            ["", "x", ".", ":", "::", "1:", ":5", "1::5", "1:2:3:4", "1.5:00", "1.2.3", "1,5", " 5", "5 ", "1: 5"];
        let ranges = ["1:60", "1:99", "1:99:00", "1:59.5:00", "1000000000", "999999:00:00", "1e300", &"9".repeat(400)];
        let words = [
            "nan", "inf", "infinity", "1e3", "1e-3", "0x10", "1_0", "s", "ms", "2 s", "-2s", "2ss", "1:30s", "5m", "١",
        ];
        for text in signs.iter().chain(&parts).chain(&ranges).chain(&words) {
            let error = format!("{:#}", parse(text, "--start").expect_err(text));
            assert!(error.starts_with(&format!("--start {text:?} is not a time; type")), "{text}: {error}");
        }
    }
}
