//! Before and after: what lies between the frames of a source and a sink that wants pairs of them.

use std::sync::Arc;
use std::sync::mpsc;

use anyhow::{Context, Result};

use super::matcher::SizeMatcher;
use super::request::Request;
use super::scored::{RunScores, Scored};
use crate::frame::{Comparer, Format};
use crate::sink::compared::Before;
use crate::sink::{Compared, Sink};
use crate::source::{Source, Tapped};

/// The way from what is filtered to a sink: straight, or by way of pairs.
pub(super) struct Junction {
    /// Of the frames as they were.
    format: Arc<Format>,
    /// For one picture of both.
    compared: Option<Before>,
    /// For metrics.
    scored: Option<Before>,
}

/// The way to a sink for frames of a format that is known.
pub(super) struct Joint {
    /// Of the frames that the sink takes.
    pub(super) format: Arc<Format>,
    paired: Option<(Comparer, Before)>,
}

/// The way to that sink by the meter of metrics, if some are wanted.
pub(super) struct Scoring {
    /// Of the frames that are measured.
    format: Arc<Format>,
    before: Option<Before>,
}

impl Junction {
    /// For a source, which from here on gives its frames once more for all that want pairs.
    pub(super) fn new(request: &Request, source: Box<dyn Source>) -> (Self, Box<dyn Source>) {
        let format = source.format().clone();
        let (compared, source) = tapped(source, request.compare.is_some());
        let (scored, source) = tapped(source, !request.metrics.is_empty());
        (Self { format, compared, scored }, source)
    }

    /// For frames that become frames of `after`. Where sizes or samples differ, the former are converted.
    ///
    /// # Errors
    /// If both pictures do not fit into one, or cannot be measured.
    pub(super) fn to(self, request: &Request, after: &Arc<Format>) -> Result<(Joint, Scoring)> {
        let Self { format: from, compared, scored } = self;
        let matched = |before: Before, option: &str, needs: &str| {
            if from.samples_match(after) {
                return Ok(before);
            }
            let matcher = SizeMatcher::new(request, &from, after);
            let mut matcher = matcher.with_context(|| format!("{option} needs {needs}"))?;
            let is_sized = (from.width, from.height) != (after.width, after.height);
            let verb = if is_sized { "scales" } else { "converts" };
            let [old, new] = from.told_apart(after);
            log::info!("{option} {verb} the original from {old} to {new}");
            anyhow::Ok(before.through(Box::new(move |frame| matcher.run(frame))))
        };
        let before = scored.map(|before| matched(before, "--metrics", "both in one format")).transpose()?;
        let scoring = Scoring { format: after.clone(), before };
        let Some((how, before)) = request.compare.zip(compared) else {
            return Ok((Joint { format: after.clone(), paired: None }, scoring));
        };
        // One half of the picture is the original, with its fields.
        let comparer = Comparer::new(how, &Arc::new(Format { fields: from.fields, ..Format::clone(after) }))?;
        let before = matched(before, "--compare", "both in one picture")?;
        Ok((Joint { format: comparer.format().clone(), paired: Some((comparer, before)) }, scoring))
    }
}

impl Joint {
    /// The sink behind it.
    pub(super) fn join(self, sink: Box<dyn Sink>) -> Box<dyn Sink> {
        let Some((comparer, before)) = self.paired else { return sink };
        log::info!("{}: {}", comparer.pairing(), comparer.format());
        Box::new(Compared::new(sink, comparer, before))
    }
}

impl Scoring {
    /// The sink behind the meter, and where its values come to be.
    ///
    /// # Errors
    /// If threads cannot be started, or a GPU was asked for and cannot be used.
    pub(super) fn join(self, sink: Box<dyn Sink>, request: &Request) -> Result<(Box<dyn Sink>, Option<RunScores>)> {
        let Some(before) = self.before else { return Ok((sink, None)) };
        let (scored, scores) = Scored::new(sink, before, &self.format, request)?;
        Ok((Box::new(scored), Some(scores)))
    }
}

/// A source, and its frames a second time if they are wanted.
fn tapped(source: Box<dyn Source>, is_wanted: bool) -> (Option<Before>, Box<dyn Source>) {
    if !is_wanted {
        return (None, source);
    }
    let (tap, frames) = mpsc::channel();
    (Some(Before::new(frames)), Box::new(Tapped::new(source, tap)))
}
