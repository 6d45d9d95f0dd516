//! Whether frames are filtered whole or field by field, and the plan for either.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};

use super::request::{FieldChoice, Request};
use super::usage::Usage;
use crate::filter::Filter;
use crate::frame::{FieldOrder, Format, Margin};
use crate::pass::Pass;
use crate::plan::{Plan, plan};

/// A plan, and what the frames are that its passes are run on: [`Format::field`] of the clip's where fields are separated.
pub struct FieldPlan {
    /// For whole frames.
    pub plan: Plan,
    /// What its passes work on.
    pub format: Arc<Format>,
}

/// Whether the chain has a deinterlacer, so that whole frames are filtered.
///
/// # Errors
/// If its fields would be separated, or filters before it would meet `interlaced` frames.
fn deinterlaces(filters: &[Filter], fields: FieldChoice, interlaced: bool) -> Result<bool, Usage> {
    let Some(place) = filters.iter().position(Filter::is_deinterlacer) else { return Ok(false) };
    let name = filters[place].spec.name;
    if fields == FieldChoice::Separate {
        return Err(Usage::of(anyhow!("{name} needs whole frames; leave out --fields separate")));
    }
    if let Some(first) = filters.first().filter(|_| interlaced && place > 0) {
        let first = first.spec.name;
        let advice = format!("put {name} first, or type --fields frame to filter whole frames");
        return Err(Usage::of(anyhow!("{first} before {name} would mix the fields of interlaced frames; {advice}")));
    }
    Ok(true)
}

/// Says which field a deinterlacer takes as the first where neither the clip nor the user does.
fn tell_parity(filters: &[Filter], clip: FieldOrder) {
    let is_marked = !matches!(clip, FieldOrder::Unspecified | FieldOrder::Progressive);
    let assumed = filters.iter().find_map(|filter| Some((filter.spec.name, filter.assumed_parity()?)));
    if let Some((name, parameter)) = assumed.filter(|_| !is_marked) {
        log::warn!(
            "the clip is not marked as interlaced; {name} takes the top field as the first; type {parameter}=bff if motion judders"
        );
    }
}

impl FieldPlan {
    /// Plans filters for a clip, its fields taken as the request says. A chain that begins with a deinterlacer filters whole
    /// frames.
    ///
    /// # Errors
    /// If they do not fit the clip, or fields are to be separated and cannot be.
    pub fn of(filters: &[Filter], clip: &Arc<Format>, request: &Request) -> Result<Self> {
        let is_interlaced = matches!(clip.fields, FieldOrder::TopFirst | FieldOrder::BottomFirst);
        let separates = match request.fields {
            FieldChoice::Auto => is_interlaced,
            FieldChoice::Frame => false,
            FieldChoice::Separate => true,
        };
        let has_whole = is_interlaced && request.fields == FieldChoice::Auto;
        let separates = separates && !deinterlaces(filters, request.fields, has_whole)?;
        if !separates || filters.is_empty() {
            return Ok(Self { plan: plan(filters, clip)?, format: clip.clone() });
        }
        let format = Arc::new(clip.field()?);
        for filter in filters {
            let Some(what) = filter.field_obstacle([&format, clip]) else { continue };
            let advice = "type --fields frame, or separate the fields with another program first";
            bail!(Usage::of(anyhow!("{what} of {} cannot be applied to fields; {advice}", filter.text)));
        }
        let plan = plan(filters, &format)?.of_fields(clip)?;
        Ok(Self { plan, format })
    }

    /// Says how interlaced frames are filtered, where nobody asked for that.
    pub(super) fn tell(&self, filters: &[Filter], request: &Request) {
        if request.fields != FieldChoice::Auto || self.plan.filters().is_empty() {
            return;
        }
        if self.separates() && !self.plan.steps().is_empty() {
            log::info!("interlaced: each field is filtered separately; --fields frame filters whole frames");
        }
        if filters.iter().any(Filter::is_deinterlacer) {
            return tell_parity(filters, self.plan.format().fields);
        }
        if self.plan.format().fields == FieldOrder::Mixed {
            log::warn!(
                "some frames are interlaced; all are filtered as whole frames; --fields separate filters each field separately"
            );
        }
    }

    /// The frames around a part of the clip that the filters may want to look at, whatever noise is found.
    ///
    /// # Errors
    /// As [`FieldPlan::of`].
    pub(super) fn margin(&self, filters: &[Filter], request: &Request) -> Result<Margin> {
        let mut margin = self.plan.margin();
        if filters.iter().any(Filter::is_measured) {
            let [least, most]: [Vec<Filter>; 2] = [0, 1].map(|end| {
                let settled = filters.iter().map(|filter| filter.settled_for_any()[end].clone());
                settled.collect()
            });
            for filters in [least, most] {
                let Margin { before, after, counts } = Self::of(&filters, self.plan.format(), request)?.plan.margin();
                margin.before = margin.before.max(before);
                margin.after = margin.after.max(after);
                margin.counts |= counts;
            }
        }
        Ok(margin)
    }

    /// The same with a remark on the strength of the first filter.
    pub(super) fn remarked(mut self, remark: Option<String>) -> Self {
        self.plan = self.plan.with_remark(remark);
        self
    }

    /// The plan's passes for what they work on.
    pub fn passes(&self) -> Arc<[Pass]> {
        let passes = self.plan.passes();
        if self.separates() { passes.iter().map(Pass::of_field).collect() } else { passes }
    }

    /// Whether fields are separated.
    pub fn separates(&self) -> bool {
        self.format.height != self.plan.format().height
    }
}
