//! Frames of a second clip as those that they meet: shown as they are, of their size, subsampling, depth and colour family.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::super::matcher::SizeMatcher;
use super::super::request::Request;
use crate::frame::{Format, Frame, Pixel, Pool, Sample, Turner};
use crate::libav::{Converter, Stored};
use crate::sink::Converted;

/// Conversion of frames of one format to another.
pub(super) struct Fitting {
    /// Frames as they are shown, and those as the frames that they meet are stored.
    turning: Vec<Turner>,
    /// Other colours, and grey: by FFmpeg, with the picture between its two halves.
    recolouring: Option<(Converter, Converter, Vec<u8>)>,
    /// Another size, subsampling, depth or range.
    sizing: Option<SizeMatcher>,
}

impl Fitting {
    pub(super) fn new(request: &Request, from: &Arc<Format>, to: &Arc<Format>) -> Result<Self> {
        let (mut between, mut turning) = (from.clone(), Vec::new());
        for turn in [from.turn, to.turn.inverse()].into_iter().filter(|_| from.turn != to.turn) {
            let turner = Turner::new(&Format { turn, ..Format::clone(&between) });
            between = turner.as_ref().map_or(between, |turner| turner.format().clone());
            turning.extend(turner);
        }
        between = Arc::new(Format { turn: to.turn, ..Format::clone(&between) });
        let mut recolouring = None;
        if (from.pixel.family, from.pixel.alpha) != (to.pixel.family, to.pixel.alpha) {
            // FFmpeg has not every subsampling and depth of every family; what it has is brought there after that.
            let full = Pixel { log2_chroma_w: 0, log2_chroma_h: 0, ..to.pixel };
            let deep = Pixel { sample: Sample::U16, depth: 16, ..full };
            let stored = [to.pixel, full, deep].into_iter().find_map(Stored::planar);
            let stored = stored.with_context(|| format!("FFmpeg has no {}", to.pixel.name()))?;
            let packing = Converter::from_planar(stored, &between)?;
            let picture = vec![0; stored.packed_bytes(between.width, between.height)];
            between = Converted::format(stored, &between);
            recolouring = Some((packing, Converter::to_planar(stored, &between)?, picture));
        }
        let sizing = match between.samples_match(to) {
            true => None,
            false => Some(SizeMatcher::new(request, &between, to)?),
        };
        Ok(Self { turning, recolouring, sizing })
    }

    pub(super) fn run(&mut self, mut frame: Frame, pool: &Pool) -> Result<Frame> {
        for turner in &self.turning {
            frame = turner.run(&frame)?;
        }
        if let Some((packing, planar, picture)) = &mut self.recolouring {
            packing.pack(&frame, picture)?;
            frame = planar.unpack(picture, pool)?.freeze(frame.timing.clone());
        }
        match &mut self.sizing {
            Some(sizing) => sizing.run(frame),
            None => Ok(frame),
        }
    }
}
