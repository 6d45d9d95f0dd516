//! Before and after in one picture: what lies between the frames of a source and a sink that wants pairs of them.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use anyhow::{Context, Result, ensure};

use super::request::Request;
use crate::backend::Cpu;
use crate::engine::Engine;
use crate::filter::{Defaults, parse};
use crate::frame::{Comparer, Family, Format, Frame, Pairing, Pixel, Pool};
use crate::plan::plan;
use crate::sink::compared::Before;
use crate::sink::{Compared, Sink};
use crate::source::{Source, Tapped};

/// The way from what is filtered to a sink: straight, or by way of pairs.
pub(super) enum Junction {
    Straight,
    Paired { how: Pairing, befores: Receiver<Frame> },
}

/// The way to a sink for frames of a format that is known.
pub(super) struct Joint {
    /// What the sink is to take.
    pub(super) format: Arc<Format>,
    paired: Option<(Comparer, Before)>,
}

impl Junction {
    /// For a source, which from here on gives its frames twice where the request wants pairs.
    pub(super) fn new(request: &Request, source: Box<dyn Source>) -> (Self, Box<dyn Source>) {
        let Some(how) = request.compare else { return (Self::Straight, source) };
        let (tap, befores) = mpsc::channel();
        (Self::Paired { how, befores }, Box::new(Tapped::new(source, tap)))
    }

    /// For frames of `before` that become frames of `after`. Where their sizes differ, the former are scaled.
    ///
    /// # Errors
    /// If both pictures do not fit into one.
    pub(super) fn between(self, before: &Arc<Format>, after: &Arc<Format>) -> Result<Joint> {
        let Self::Paired { how, befores } = self else { return Ok(Joint { format: after.clone(), paired: None }) };
        let comparer = Comparer::new(how, after)?;
        let before = match before.planes_match(after) {
            true => Before::new(befores),
            false => {
                let mut scaled = scaler(before, after)?;
                log::info!("--compare scales the original from {before} to {after}");
                Before::new(befores).through(Box::new(move |frame| {
                    let frames = scaled.clip([frame])?;
                    frames.into_iter().next().context("the original was not scaled")
                }))
            }
        };
        Ok(Joint { format: comparer.format().clone(), paired: Some((comparer, before)) })
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

/// What brings frames of one format to the size and chroma of another.
fn scaler(from: &Arc<Format>, to: &Format) -> Result<Engine<Cpu>> {
    let (width, height) = to.turn.size((to.width, to.height));
    let Pixel { log2_chroma_w, log2_chroma_h, .. } = to.pixel;
    let chroma = match (to.pixel.family, log2_chroma_w, log2_chroma_h) {
        (Family::Yuv, 0, 0) => ":chroma=444",
        (Family::Yuv, 1, 0) => ":chroma=422",
        (Family::Yuv, 1, 1) => ":chroma=420",
        (Family::Yuv, 0, 1) => ":chroma=440",
        (Family::Yuv, 2, 0) => ":chroma=411",
        (Family::Yuv, 2, 2) => ":chroma=410",
        _ => "",
    };
    let chain = parse(&format!("scale={width}:{height}:bilinear{chroma}"), &Defaults::default())?;
    let plan = plan(&chain, from)?;
    let output = plan.output();
    ensure!(output.planes_match(to), "--compare cannot bring {output} and {to} into one picture");
    Engine::new(Cpu::new(plan.passes(), from.clone(), Pool::heap(), 0)?, plan)
}
