//! Texts of chains, planned for a clip whose frames are looked at.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};

use super::chain::parse_chain;
use super::field::FieldPlan;
use super::input;
use super::request::Request;
use super::shot::Shots;
use super::usage::Usage;
use crate::filter::Filter;
use crate::frame::Format;
use crate::plan::Plan;
use crate::source::Interrupt;

/// A chain for a clip.
#[derive(Clone)]
pub(super) struct PlannedChain {
    pub(super) text: Arc<str>,
    pub(super) planned: Arc<FieldPlan>,
    /// What was measured, where a filter is to suit how noisy the clip begins.
    pub(super) finding: Option<String>,
    /// The filters.
    pub(super) filters: Arc<[Filter]>,
}

impl PlannedChain {
    /// What is to be done by a text, for the clip of a request, whose frames are of that format. Blocks while the clip
    /// is measured, where a filter wants that.
    ///
    /// # Errors
    /// [`Usage`] if the text is wrong or does not fit the clip; or if that cannot be measured.
    pub(super) fn of(chain: &str, format: &Arc<Format>, request: &Request, interrupt: &Interrupt) -> Result<Self> {
        let Request { border, planes, .. } = request;
        let texts: Vec<String> = Some(chain.to_owned()).filter(|text| !text.trim().is_empty()).into_iter().collect();
        let mut filters = parse_chain(&texts, border.as_deref(), planes.as_deref())?;
        let mut finding = None;
        if Shots::are_wanted(&filters) {
            if request.input == "-" {
                let measured = filters.iter().find(|filter| filter.is_measured());
                let typed = measured.map_or_else(String::new, |filter| filter.fixed());
                let fault = "the noise of a piped clip cannot be measured";
                bail!(Usage::of(anyhow!("{fault}; type a strength, as {typed}, or name a file")));
            }
            let source = input::open(request, interrupt)?.0;
            let shots = Shots::open(source, &filters, request.threads, interrupt.clone())?;
            (filters, finding) = (shots.chain().to_vec(), shots.finding());
        }
        let planned = FieldPlan::of(&filters, format, request).map_err(|error| match error.is::<Usage>() {
            true => error,
            false => Usage::of(error).into(),
        })?;
        Ok(Self { text: chain.into(), planned: Arc::new(planned), finding, filters: filters.into() })
    }
}

/// What a chain becomes for a clip of that format, read and run as a request says. A filter that would be measured has
/// its medium strength.
///
/// # Errors
/// If the chain does not fit the clip.
pub fn plan_for(filters: &[Filter], format: &Arc<Format>, request: &Request) -> Result<Plan> {
    Ok(FieldPlan::of(filters, format, request)?.plan)
}
