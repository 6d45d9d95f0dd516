//! Texts of chains, planned for a clip whose frames are looked at.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};

use super::chain::parse_chain;
use super::field::FieldPlan;
use super::request::Request;
use super::shot::Shots;
use super::shot_map::{ShotMap, ShotTurn};
use super::usage::Usage;
use crate::filter::Filter;
use crate::frame::{Format, Frame};
use crate::plan::Plan;

/// A chain for a clip.
#[derive(Clone)]
pub(super) struct PlannedChain {
    pub(super) text: Arc<str>,
    /// Cache key of its frames: the text and the shot.
    pub(super) key: Arc<str>,
    pub(super) planned: Arc<FieldPlan>,
    /// The filters as typed, with strengths that are not measured yet.
    typed: Arc<[Filter]>,
    /// The filters.
    pub(super) filters: Arc<[Filter]>,
    /// All measured shots and the one that it is for, if a strength is measured.
    pub(super) shots: Option<(Arc<ShotMap>, ShotTurn)>,
}

impl PlannedChain {
    /// Plans a text for the clip of a request, with frames of that format, with the strengths of the first shot. Reuses the
    /// measurements of `before`; blocks if the clip must be measured.
    ///
    /// # Errors
    /// [`Usage`] if the text is wrong or does not fit the clip; or if that cannot be measured.
    pub(super) fn of(chain: &str, format: &Arc<Format>, request: &Request, before: Option<Self>) -> Result<Self> {
        let Request { border, planes, .. } = request;
        let texts: Vec<String> = Some(chain.to_owned()).filter(|text| !text.trim().is_empty()).into_iter().collect();
        let typed = parse_chain(&texts, border.as_deref(), planes.as_deref())?;
        let (mut shots, mut filters) = (None, typed.clone());
        if Shots::are_wanted(&typed) {
            if request.input == "-" {
                let measured = typed.iter().find(|filter| filter.is_measured());
                let example = measured.map_or_else(String::new, |filter| filter.fixed());
                let fault = "the noise of a piped clip cannot be measured";
                bail!(Usage::of(anyhow!("{fault}; type a strength, as {example}, or name a file")));
            }
            let known = before.and_then(|before| before.shots).map(|(map, _)| map).filter(|map| map.is_for(&typed));
            let map = match known {
                Some(map) => map,
                None => Arc::new(ShotMap::start(request, &typed)?),
            };
            let first = map.at([None; 2]).context("the clip has no shot")?;
            filters = first.settle(&typed);
            shots = Some((map, first));
        }
        let planned = planned(&filters, format, request)?;
        let text: Arc<str> = chain.into();
        Ok(Self { key: text.clone(), text, planned, typed: typed.into(), filters: filters.into(), shots })
    }

    /// The frames that stand for those that come out, where these are not one for each of the clip.
    pub(super) fn shown(&self) -> Option<&'static str> {
        if self.planned.plan.count_changes().next().is_some() {
            return Some("shown: the first of the two frames made of each frame");
        }
        let has_rate = self.filters.iter().any(Filter::changes_rate);
        has_rate.then_some("shown: every frame of the clip, without the change of frame rate")
    }

    /// The same for the shot of a frame. The second frame is the last that the chain reads for it; `None` after the clip's end.
    ///
    /// # Errors
    /// If the chain of that shot does not fit the clip.
    pub(super) fn at(mut self, frames: [Option<&Frame>; 2], format: &Arc<Format>, request: &Request) -> Result<Self> {
        let Some((map, known)) = &mut self.shots else { return Ok(self) };
        let Some(turn) = map.at(frames) else { return Ok(self) };
        if turn.index != known.index {
            let filters = turn.settle(&self.typed);
            self.planned = planned(&filters, format, request)?;
            self.filters = filters.into();
        }
        self.key = format!("{}\n{} {:?}", self.text, turn.index, turn.until).into();
        *known = turn;
        Ok(self)
    }
}

/// Frames are looked at by their place in the clip, so a change of the frame rate is left out.
fn planned(filters: &[Filter], format: &Arc<Format>, request: &Request) -> Result<Arc<FieldPlan>> {
    let mut planned = FieldPlan::of(filters, format, request).map_err(|error| match error.is::<Usage>() {
        true => error,
        false => Usage::of(error).into(),
    })?;
    planned.plan = planned.plan.at_own_rate();
    Ok(Arc::new(planned))
}

/// What a chain becomes for a clip of that format, read and run as a request says. A filter that would be measured has
/// its medium strength.
///
/// # Errors
/// If the chain does not fit the clip.
pub fn plan_for(filters: &[Filter], format: &Arc<Format>, request: &Request) -> Result<Plan> {
    Ok(FieldPlan::of(filters, format, request)?.plan)
}
