//! A result as one page that needs nothing else: the figures as JSON, and a style and a script that draw them.

use anyhow::{Context, Result};

use super::compare::Comparison;
use super::schema::{Overhead, Record, Run};
use super::second::SlowSecond;
use super::timeline::Piece;
use super::work::roofline;

const PAGE: &str = include_str!("page.html");
/// The look of a page of figures.
pub const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page of a record: histograms, roofline, ladder, limits; the overlap of each run of which there are `pieces`, which
/// no record holds; the slowest second of each run of which there is one; and the comparison, where there is one.
///
/// # Errors
/// If a figure is not finite, which none is.
pub fn page(
    record: &Record,
    pieces: &[&[Piece]],
    seconds: &[Option<&SlowSecond>],
    comparison: Option<&Comparison>,
) -> Result<String> {
    let sentence = |run: &Run| {
        let tracing = run.overhead.as_ref().map(Overhead::sentence);
        serde_json::json!({ "rate": run.rate(), "opening": run.opening(), "usage": run.usage(), "tracing": tracing })
    };
    let data = serde_json::json!({
        "sentences": record.runs.iter().map(sentence).collect::<Vec<_>>(),
        "record": record,
        "pieces": pieces,
        "seconds": seconds.iter().map(|second| second.map(SlowSecond::pieces)).collect::<Vec<_>>(),
        "comparison": comparison.map(Comparison::sentence),
        "roof": roofline(&record.limits),
        "remarks": comparison.map(|comparison| &comparison.remarks),
    });
    // Inside a script element only `<` could end it; in JSON it stands in strings alone, where it may be escaped.
    let data = serde_json::to_string(&data).context("print a result")?.replace('<', "\\u003c");
    Ok(PAGE.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", SCRIPT).replace("/*DATA*/", &data))
}
