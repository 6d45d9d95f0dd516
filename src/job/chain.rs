//! The chain of a request, parsed with its defaults.

use std::path::Path;

use anyhow::anyhow;

use super::request::Request;
use super::second::SecondClips;
use super::usage::Usage;
use crate::filter::{self, Defaults, Edge, Filter, Planes, SyntaxError};
use crate::pass::Clips;
use crate::shell::quoted;

/// The chain of a request. Blocks while files that it names are read.
///
/// # Errors
/// As [`parse_chain`].
pub(super) fn filters(request: &Request) -> Result<Vec<Filter>, Usage> {
    let parsed = parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref());
    let has_mov_text = Path::new(&request.input)
        .extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| ["mp4", "m4v", "mov", "3gp"].contains(&ending.to_ascii_lowercase().as_str()));
    let fault = |fault: Usage| if has_mov_text { fault.reworded(filter::with_mov_text) } else { fault };
    parsed.map_err(|error| fault(error).reworded(|line| with_names(line, request)))
}

/// Advice with the names of the request's ends in place of `IN` and `OUT`, and without a chain where nothing else was typed.
fn with_names(line: &str, request: &Request) -> String {
    let Request { input, output, chain, .. } = request;
    let mut line = line.to_owned();
    if input != "-" {
        line = line.replace("ffmpeg -i IN ", &format!("ffmpeg -i {} ", quoted(input)));
    }
    if output != "-" && !output.ends_with(':') {
        line = line.replace("warpreel - OUT ", &format!("warpreel - {} ", quoted(output)));
        line = line.replace("ffmpeg -i OUT ", &format!("ffmpeg -i {} ", quoted(output)));
    }
    match &chain[..] {
        [chain] if !chain.contains(',') => line.replace(" -f …", ""),
        _ => line,
    }
}

/// What holds for filters that do not say it.
///
/// # Errors
/// If a text is no border, or names no planes.
pub fn chain_defaults(border: Option<&str>, planes: Option<&str>) -> Result<Defaults, Usage> {
    let border = border.map(|text| {
        let wrong = || Usage::of(anyhow!("--border {text:?} is not a border; type {}", Edge::HELP));
        Edge::parse(text).ok_or_else(wrong)
    });
    let planes = planes.map(|text| {
        let wrong = || Usage::of(anyhow!("--planes {text:?} names no planes; type {}", Planes::HELP));
        Planes::parse(text).ok_or_else(wrong)
    });
    Ok(Defaults {
        border: border.transpose()?,
        planes: planes.transpose()?,
        clips: Some(Clips::new(SecondClips)),
        ..Defaults::default()
    })
}

/// Parses a request's chains with its defaults. Blocks while files that they name are read.
///
/// # Errors
/// What is wrong with the text, and where; a chain without a filter.
pub fn parse_chain(chain: &[String], border: Option<&str>, planes: Option<&str>) -> Result<Vec<Filter>, Usage> {
    parse_chain_with(chain, &chain_defaults(border, planes)?)
}

/// The same with defaults that are known already.
///
/// # Errors
/// As [`parse_chain`].
pub fn parse_chain_with(chain: &[String], defaults: &Defaults) -> Result<Vec<Filter>, Usage> {
    let mut filters = Vec::new();
    for (index, text) in chain.iter().enumerate() {
        let several = chain.len() > 1;
        let wrong = |error: SyntaxError| Usage::at(&if several { error.nth(index + 1) } else { error });
        let parsed = filter::parse(text, defaults).map_err(wrong)?;
        if parsed.is_empty() {
            let which = if several { format!("-f number {}", index + 1) } else { "-f".to_owned() };
            let advice = "type -f gaussian=sigma=2, -f @FILE for a file of filters, or no -f to filter nothing";
            return Err(Usage::of(anyhow!("{which} is empty; {advice}")));
        }
        filters.extend(parsed);
    }
    Ok(filters)
}
