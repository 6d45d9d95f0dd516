//! The chain of a request, parsed with its defaults.

use anyhow::anyhow;

use super::usage::Usage;
use crate::filter::{self, Defaults, Edge, Filter, Planes};

/// Parses a request's chains with its defaults.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn parse_chain(chain: &[String], border: Option<&str>, planes: Option<&str>) -> Result<Vec<Filter>, Usage> {
    let border = border.map(|text| {
        let wrong = || Usage::of(anyhow!("--border {text:?} is no border; type {}", Edge::HELP));
        Edge::parse(text).ok_or_else(wrong)
    });
    let planes = planes.map(|text| {
        let wrong = || Usage::of(anyhow!("--planes {text:?} names no planes; type {}", Planes::HELP));
        Planes::parse(text).ok_or_else(wrong)
    });
    let defaults = Defaults { border: border.transpose()?, planes: planes.transpose()? };
    let mut filters = Vec::new();
    for text in chain {
        filters.extend(filter::parse(text, &defaults).map_err(Usage::of)?);
    }
    Ok(filters)
}
