//! Before and after in one picture: what lies between the frames of a source and a sink that wants pairs of them.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use anyhow::Result;

use super::request::Request;
use crate::frame::{Comparer, Format, Frame};
use crate::sink::{Compared, Sink};
use crate::source::{Source, Tapped};

/// The way from what is filtered to a sink: straight, or by way of pairs.
pub(super) struct Junction(Option<(Comparer, Receiver<Frame>)>);

impl Junction {
    /// For a source, which from here on gives its frames twice where the request wants pairs.
    ///
    /// # Errors
    /// If both pictures do not fit into one.
    pub(super) fn new(request: &Request, source: Box<dyn Source>) -> Result<(Self, Box<dyn Source>)> {
        let Some(how) = request.compare else { return Ok((Self(None), source)) };
        let comparer = Comparer::new(how, source.format())?;
        let (tap, befores) = mpsc::channel();
        Ok((Self(Some((comparer, befores))), Box::new(Tapped::new(source, tap))))
    }

    /// What a sink is to take, of frames of `format`.
    pub(super) fn format<'a>(&'a self, format: &'a Arc<Format>) -> &'a Arc<Format> {
        self.0.as_ref().map_or(format, |(comparer, _)| comparer.format())
    }

    /// The sink behind it.
    pub(super) fn join(self, sink: Box<dyn Sink>) -> Box<dyn Sink> {
        let Some((comparer, befores)) = self.0 else { return sink };
        log::info!("{}: {}", comparer.pairing(), comparer.format());
        Box::new(Compared::new(sink, comparer, befores))
    }
}
