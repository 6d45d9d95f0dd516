//! What a clip is, found out without filtering it.

use std::sync::Arc;

use anyhow::Result;

use super::chain::filters;
use super::chunk::{self, Chunk};
use super::field::FieldPlan;
use super::input;
use super::request::Request;
use super::shot::Shots;
use super::strength;
use crate::filter::Filter;
use crate::frame::Format;
use crate::source::CancelToken;

/// What a clip is, without filtering it.
pub struct Probed {
    /// What every frame is.
    pub format: Arc<Format>,
    /// The request's chain, settled where a filter is to suit how noisy the clip is.
    pub filters: Vec<Filter>,
    /// As [`super::Job::noise`].
    pub noise: Option<String>,
    /// What there is to say of the typed strength of the first filter, beside the noise of a file's first frames.
    pub remark: Option<String>,
    /// The request's chunk, if it has one.
    pub chunk: Option<Chunk>,
}

/// Looks at a clip, and measures its beginning where the chain asks for that. Blocks while a piped input has not begun.
///
/// # Errors
/// If it cannot be opened, or the chain cannot be parsed.
pub fn probe(request: &Request, interrupt: &CancelToken) -> Result<Probed> {
    let filters = filters(request)?;
    chunk::check_together(request, &filters, false)?;
    let mut source = input::open(request, interrupt)?.0;
    let format = source.format().clone();
    let chunk = match request.chunk {
        Some(chosen) => {
            let planned = FieldPlan::of(&filters, &format, request)?;
            chunk::check(&planned.plan)?;
            Some(chunk::settle(chosen, source.as_mut(), &request.input)?.told(&planned.plan))
        }
        None => None,
    };
    if !Shots::are_wanted(&filters) {
        let typed = strength::typed(&filters);
        let remark = typed.and_then(|filter| strength::measured(source, filter, request, interrupt, false).1);
        return Ok(Probed { format, filters, noise: None, remark, chunk });
    }
    let shots = Shots::of_request(request, source, &filters, interrupt)?;
    let remark = strength::typed(&filters).and_then(|filter| shots.remark(filter));
    Ok(Probed { format, filters: shots.chain().to_vec(), noise: shots.finding(), remark, chunk })
}
