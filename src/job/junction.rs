//! Before and after in one picture: what lies between the frames of a source and a sink that wants pairs of them.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use anyhow::{Context, Result};

use super::matcher::SizeMatcher;
use super::request::Request;
use crate::frame::{Comparer, Format, Frame, Pairing};
use crate::sink::compared::Before;
use crate::sink::{Compared, Sink};
use crate::source::{Source, Tapped};

/// The way from what is filtered to a sink: straight, or by way of pairs.
pub(super) enum Junction {
    Straight,
    Paired { how: Pairing, before: Arc<Format>, befores: Receiver<Frame> },
}

/// The way to a sink for frames of a format that is known.
pub(super) struct Joint {
    /// Of the frames that the sink takes.
    pub(super) format: Arc<Format>,
    paired: Option<(Comparer, Before)>,
}

impl Junction {
    /// For a source, which from here on gives its frames twice where the request wants pairs.
    pub(super) fn new(request: &Request, source: Box<dyn Source>) -> (Self, Box<dyn Source>) {
        let Some(how) = request.compare else { return (Self::Straight, source) };
        let (tap, befores) = mpsc::channel();
        let before = source.format().clone();
        (Self::Paired { how, before, befores }, Box::new(Tapped::new(source, tap)))
    }

    /// For frames that become frames of `after`. Where their sizes differ, the former are scaled.
    ///
    /// # Errors
    /// If both pictures do not fit into one.
    pub(super) fn to(self, request: &Request, after: &Arc<Format>) -> Result<Joint> {
        let Self::Paired { how, before, befores } = self else {
            return Ok(Joint { format: after.clone(), paired: None });
        };
        // One half of the picture is the original, with its fields.
        let comparer = Comparer::new(how, &Arc::new(Format { fields: before.fields, ..Format::clone(after) }))?;
        let pictures = match before.planes_match(after) {
            true => Before::new(befores),
            false => {
                let matcher = SizeMatcher::new(request, &before, after);
                let mut matcher = matcher.context("--compare needs both in one picture")?;
                log::info!("--compare scales the original from {before} to {after}");
                Before::new(befores).through(Box::new(move |frame| matcher.run(frame)))
            }
        };
        Ok(Joint { format: comparer.format().clone(), paired: Some((comparer, pictures)) })
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
